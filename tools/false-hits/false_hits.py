#!/usr/bin/env python3
"""Looks for false hits: gathers real text that holds hardly any personal data, and lists what nymize finds in it.

    false_hits.py gather --out DIR [--cap MB] [--git DIR]... ROOT...
    false_hits.py scan --out DIR --nymize PROGRAM [--region LIST] [--samples N] [--name NAME]

`gather` copies the text files under each ROOT (a folder or a file; .gz is unpacked; binary files, doubles and files over
8 MB are left out) and `git log -p` of each --git folder into bundles under DIR, at most CAP megabytes of each, chosen by
the hash of their names, so that the choice is the same on every run over the same files.

`scan` runs `nymize scan --json` over the bundles, and writes to DIR/NAME.tsv every finding but EMAIL: kind, value, how
often, file, and the line around it; and to stdout the counts by kind and for each MB.

The values are real text: keep DIR out of the repository.
"""

import argparse
import collections
import gzip
import hashlib
import json
import os
import subprocess
import sys

MB = 1_000_000
BUNDLE = 8 * MB
MAX_FILE = 8 * MB


def text_of(path):
    """The bytes of a text file; None for what is no text, or cannot be read."""
    try:
        with (gzip.open if path.endswith(".gz") else open)(path, "rb") as file:
            data = file.read(MAX_FILE + 1)
    except (OSError, EOFError, gzip.zlib.error):
        return None
    return None if len(data) > MAX_FILE or not data or b"\0" in data[:8192] else data


def files_under(root):
    """Regular files under a folder, in the order of the hashes of their names."""
    if os.path.isfile(root):
        return [root]
    found = []
    for folder, subfolders, names in os.walk(root):
        subfolders[:] = [name for name in subfolders if name != ".git"]
        found += [os.path.join(folder, name) for name in names]
    found = [path for path in found if os.path.isfile(path) and not os.path.islink(path)]
    return sorted(found, key=lambda path: hashlib.sha1(os.path.relpath(path, root).encode("utf-8", "replace")).digest())


class Bundles:
    """Bundles of texts, and an index that tells whose text stands where."""

    def __init__(self, out):
        self.out, self.seen, self.count, self.file, self.size = out, set(), 0, None, 0
        os.makedirs(out, exist_ok=True)
        self.index = open(os.path.join(out, "index.tsv"), "w", encoding="utf-8", errors="replace")

    def add(self, path, data):
        """Adds a text; returns its size, 0 for a double."""
        digest = hashlib.sha1(data).digest()
        if digest in self.seen:
            return 0
        self.seen.add(digest)
        if self.file is None or self.size > BUNDLE:
            self.file = open(os.path.join(self.out, f"{self.count:04}.bundle"), "wb")
            self.count, self.size = self.count + 1, 0
        self.index.write(f"{self.count - 1:04}.bundle\t{self.size}\t{path}\n")
        self.file.write(data + b"\n")
        self.size += len(data) + 1
        return len(data)


def gather(args):
    bundles = Bundles(args.out)
    total = 0
    for root in args.root:
        size = 0
        for path in files_under(root):
            data = text_of(path)
            size += bundles.add(path, data) if data else 0
            if size > args.cap * MB:
                break
        print(f"{size / MB:8.1f} MB  {root}")
        total += size
    for folder in args.git:
        log = subprocess.run(["git", "-C", folder, "log", "-p", "--all"], stdout=subprocess.PIPE, check=True).stdout
        size = bundles.add(f"{folder} (git log -p)", log[: args.cap * MB].replace(b"\0", b"?"))
        print(f"{size / MB:8.1f} MB  {folder} (git log -p)")
        total += size
    print(f"{total / MB:8.1f} MB  together")


class Sources:
    """Whose text stands at a place of a bundle."""

    def __init__(self, out):
        self.places = collections.defaultdict(list)
        with open(os.path.join(out, "index.tsv"), encoding="utf-8", errors="replace") as index:
            for line in index:
                bundle, start, path = line.rstrip("\n").split("\t", 2)
                self.places[bundle].append((int(start), path))

    def path(self, bundle, at):
        import bisect

        places = self.places[bundle]
        return places[bisect.bisect_right(places, at, key=lambda place: place[0]) - 1][1]


def context(data, start, end):
    left = data.rfind(b"\n", max(0, start - 70), start) + 1 or max(0, start - 70)
    right = data.find(b"\n", end, end + 50)
    right = end + 50 if right < 0 else right
    parts = (data[left:start], b"\xe2\x9f\xa6", data[start:end], b"\xe2\x9f\xa7", data[end:right])
    return b"".join(parts).decode("utf-8", "replace").translate({9: " ", 13: " ", 10: " "})


def scan(args):
    sources = Sources(args.out)
    names = sorted(sources.places)
    size = sum(os.path.getsize(os.path.join(args.out, name)) for name in names) / MB
    command = [args.nymize, "scan", "--json", "--ephemeral-key", "--quiet"]
    command += ["--region", args.region] if args.region else []
    run = subprocess.run(command + [os.path.join(args.out, name) for name in names], stdout=subprocess.PIPE)
    if run.returncode > 1:
        sys.exit(f"nymize ended with {run.returncode}")
    counts, kinds, loaded = collections.Counter(), collections.defaultdict(dict), (None, b"")
    for line in run.stdout.splitlines():
        finding = json.loads(line)
        counts[finding["type"]] += 1
        if finding["type"] == "EMAIL":
            continue
        name = os.path.basename(finding["path"])
        if loaded[0] != name:
            with open(finding["path"], "rb") as file:
                loaded = (name, file.read())
        start, end = finding["start"], finding["end"]
        value = loaded[1][start:end].decode("utf-8", "replace")
        found = kinds[finding["type"]].setdefault(value, [0, sources.path(name, start), []])
        found[0] += 1
        if len(found[2]) < args.samples:
            found[2].append(context(loaded[1], start, end))
    with open(os.path.join(args.out, args.name + ".tsv"), "w", encoding="utf-8") as out:
        for kind, values in sorted(kinds.items()):
            for value, (count, path, contexts) in values.items():
                for text in contexts:
                    out.write(f"{kind}\t{value}\t{count}\t{path}\t{text}\n")
    print(f"{size:.1f} MB, options: {' '.join(command[5:]) or 'none'}")
    for kind, count in sorted(counts.items()):
        print(f"{kind:6} {count:8} findings, {len(kinds[kind]):7} values, {count / size:8.3f} in 1 MB")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    one = commands.add_parser("gather")
    one.add_argument("root", nargs="*")
    one.add_argument("--out", required=True)
    one.add_argument("--cap", type=int, default=60)
    one.add_argument("--git", action="append", default=[])
    one.set_defaults(run=gather)
    two = commands.add_parser("scan")
    two.add_argument("--out", required=True)
    two.add_argument("--nymize", required=True)
    two.add_argument("--region")
    two.add_argument("--samples", type=int, default=1, help="lines to show for each value")
    two.add_argument("--name", default="findings")
    two.set_defaults(run=scan)
    args = parser.parse_args()
    args.run(args)


if __name__ == "__main__":
    main()
