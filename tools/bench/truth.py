"""Whether the answers are right that are timed: what gen.py planted is found, and hardly anything else."""
import collections
import json
import os
import re
import subprocess

KINDS = {"IPV4": "IP", "IPV6": "IP"}

# Findings in one MiB that nobody planted, at the most: what real text holds by itself (addresses of authors
# in sources) and what random digits make by chance. clean, prose and logs are made of lines without any.
NATURAL = {"clean": 0.5, "prose": 0.5, "code": 30, "json": 15, "logs": 0.5, "dense": 0.5, "digits": 200}

# What is refused on purpose, at the most: cards of which the groups go up or down by small steps, as the entries of
# an index do (two in 100,000, says the detector), and addresses that chance put behind the word "version".
REFUSED = {"CARD": 5e-5, "IP": 5e-4}

# A placeholder, which is passed over whole.
MASK = b"[[X_%08x]]"

TOTAL = re.compile(rb"replaced (\d+)(?: \((.*)\))?")


class Wrong(Exception):
    """An answer that is not worth timing."""


def planted(path):
    """Where each planted value stands: (start, end, kind), in order."""
    with open(path, "rb") as file:
        text = file.read()
    with open(path + ".truth", encoding="utf-8") as file:
        values = [line.rstrip("\n").split("\t") for line in file]
    spans, at, in_logs = [], 0, os.path.basename(path).startswith("logs.")
    for kind, value in values:
        value = value.encode()
        # A line of a log has an address first; a user, if it names one, stands in the same line.
        end = text.find(b"\n", at) if in_logs and kind == "EMAIL" else len(text)
        start = text.find(value, at, end)
        if start < 0:
            if in_logs:
                continue
            raise Wrong(f"{path}: a planted {kind} is not in the text; remove the file and its .truth")
        at = start + len(value)
        spans.append((start, at, KINDS.get(kind, kind)))
    return text, spans


def counts(binary, text, env):
    """The counts by type that --stats tells for `text`."""
    done = subprocess.run([binary, "--stats"], input=text, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=env)
    found = TOTAL.search(done.stderr)
    if done.returncode != 0 or not found:
        raise Wrong(f"exit status {done.returncode}, and no counts")
    by_kind = collections.Counter()
    for part in filter(None, (found[2] or b"").split(b", ")):
        number, kind = part.split()
        by_kind[kind.decode()] = int(number)
    if by_kind.total() != int(found[1]):
        raise Wrong("the counts do not add up")
    return by_kind


def check(binary, name, path, env, sample=8 << 20):
    """Holds the answer for a corpus against what was planted in it; gives the number of findings.

    Every planted value in the first `sample` bytes must be found where it stands and as what it is. The counts
    of the whole must be those of the planted values and of the same text without them, which has few.
    """
    text, spans = planted(path)
    check_places(binary, name, text[: text.rfind(b"\n", 0, sample) + 1], spans, env)
    masked, at = [], 0
    for number, (start, end, _) in enumerate(spans):
        masked += [text[at:start], MASK % (number & 0xFFFF_FFFF)]
        at = end
    natural = counts(binary, b"".join([*masked, text[at:]]), env)
    most = NATURAL[name] * len(text) / (1 << 20)
    if natural.total() > most + 10:
        raise Wrong(f"{name}: {natural.total()} findings besides the planted ones, {most:.0f} at the most")
    expected = collections.Counter(kind for _, _, kind in spans) + natural
    found = counts(binary, text, env)
    for kind in expected | found:
        least = expected[kind] - allowed(kind, expected[kind])
        if not least <= found[kind] <= expected[kind]:
            raise Wrong(f"{name}: {dict(found)} were found, not {dict(expected)}")
    return found.total()


def check_places(binary, name, text, spans, env):
    done = subprocess.run([binary, "scan", "--json", "-"], input=text, stdout=subprocess.PIPE, env=env, check=False)
    if done.returncode not in (0, 1):
        raise Wrong(f"{name}: scan ended with {done.returncode}")
    found = set()
    for line in done.stdout.splitlines():
        finding = json.loads(line)
        found.add((finding["start"], finding["end"], finding["type"]))
    expected = {span for span in spans if span[1] <= len(text)}
    missed = sorted(expected - found)
    for kind, count in collections.Counter(span[2] for span in missed).items():
        total = sum(span[2] == kind for span in expected)
        if count > allowed(kind, total):
            places = [f"{start}..{end}" for start, end, missed_kind in missed if missed_kind == kind]
            raise Wrong(f"{name}: {count} of {total} {kind} missed, at {', '.join(places[:5])}")


def allowed(kind, total):
    """How many of `total` values may be refused."""
    share = REFUSED.get(kind, 0)
    return share and 1 + int(share * total)
