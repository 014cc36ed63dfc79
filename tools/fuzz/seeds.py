#!/usr/bin/env python3
"""Make the seed corpora of the fuzz targets in corpus/, which git ignores, from the texts of tests/data.

Usage: seeds.py [TARGET]...
"""
import hashlib
import json
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
DATA = HERE.parent.parent / "tests" / "data"
TARGETS = sorted(path.stem for path in (HERE / "fuzz_targets").glob("*.rs"))
# As libFuzzer is told with -max_len.
MAX_LEN = 4096


def suite():
    for file in sorted(DATA.glob("suite/*.jsonl")):
        for line in file.read_text(encoding="utf-8").split("\n"):
            if line:
                yield json.loads(line)["text"]


def documents():
    for file in sorted(DATA.glob("bodies/*.json")) + sorted(DATA.glob("formats/*")):
        yield file.read_bytes()


def as_json(text, n):
    """A text as a value, a key, JSON in a string, a line of many: each by turns."""
    plain = {"a": text, "n": 4111111111111111}
    forms = [plain, [text], {text: [text]}, {"arguments": json.dumps(plain)}, {"content": json.dumps([json.dumps(text)])}]
    form = forms[n % len(forms)]
    spelling = json.dumps(form, ensure_ascii=n % 2 == 0, indent=1 if n % 7 == 0 else None)
    return (spelling + "\n").encode()


def seeds(target):
    texts = list(dict.fromkeys(suite()))
    plain = [text.encode() for text in texts]
    of_json = [as_json(text, n) for n, text in enumerate(texts)]
    if target == "json_stays_json":
        yield from of_json
        yield from documents()
    elif target == "chunks_json":
        for n, text in enumerate(of_json):
            cuts = bytes([n % 2, n % 5, n % 11, n % 256])
            yield cuts + text
            if n % 9 == 0:
                yield cuts + text + text[:-3] + b"\n" + plain[n] + b"\n" + text
    elif target == "stream_is_whole":
        for n, text in enumerate(plain):
            yield bytes([n % 4 + (0x80 if n % 10 == 0 else 0), n % 5, n % 11, n % 256]) + text
        for n, text in enumerate(documents()):
            yield bytes([n % 4, 7, 60, 255]) + text
    elif target == "no_panic_detectors":
        for n, text in enumerate(plain):
            yield bytes([n % 6]) + text
    elif target == "placeholder_round_trip":
        for n, text in enumerate(plain):
            yield bytes([n % 29, len(text) // 2 % 256]) + text
    else:
        yield from plain
        yield from documents()


for target in sys.argv[1:] or TARGETS:
    folder = HERE / "corpus" / target
    folder.mkdir(parents=True, exist_ok=True)
    made = 0
    for seed in seeds(target):
        if len(seed) <= MAX_LEN:
            (folder / hashlib.sha1(seed).hexdigest()).write_bytes(seed)
            made += 1
    print(target, made)
