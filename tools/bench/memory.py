#!/usr/bin/env python3
"""How much memory nymize holds at the most, over streams that are made on the way: no file is written.

Usage: memory.py [--binary PATH] [--mib N] [NAME]...

Each stream goes through a pipe into the filter, whose output is counted and dropped. The peak is the kernel's
(VmHWM, read with each piece of output: ru_maxrss of a child begins with what this program has). Ends with 1 when a
peak is above what the contract allows.
"""
import argparse
import os
import pathlib
import subprocess
import sys
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent
MIB = 1 << 20
TEXT, DOCUMENT = 64, 128  # MiB that the contract allows: streamed; a document or line of JSON that is held

WORDS = "the filter reads what comes and writes it back as it was, but for values that have a grammar. "
VALUES = ["jan.jansen@example.com", "NL91 ABNA 0417 1643 00", "4111 1111 1111 1111", "+31 6 1234 5678",
          "93.184.216.34", "2001:db8:85a3::8a2e:370:7334"]
PROSE = WORDS * 3 + ", ".join(VALUES) + "; " + WORDS
MEMBER = '{"role":"user","content":"%s\\n\\"%s\\"","card":4111111111111111,"n":[1.0,true,null]}'
OBJECT = MEMBER % (PROSE, VALUES[0])
BODY = '{"model":"m","messages":['


def repeated(unit, size, head="", tail=""):
    """`unit` again and again, up to `size` bytes, in pieces of about a MiB."""
    unit = unit.encode() if isinstance(unit, str) else unit
    block = unit * max(1, MIB // len(unit))
    yield head.encode()
    for _ in range(max(1, size // len(block))):
        yield block
    yield tail.encode()


def streams(size):
    """NAME, options, bound in MiB, the stream."""
    small = 31 * MIB
    return [
        ("lines", [], TEXT, repeated(PROSE + "\n", size)),
        ("one endless line", [], TEXT, repeated(PROSE, size)),
        ("one endless word", [], TEXT, repeated("a", size)),
        ("a run of digits", [], TEXT, repeated("1", size)),
        ("dense", [], TEXT, repeated(",".join(VALUES) + "\n", size)),
        ("a dense endless line", [], TEXT, repeated(",".join(VALUES) + ",", size)),
        ("line ends", [], TEXT, repeated("\n", size)),
        ("signs: @", [], TEXT, repeated("@", size)),
        ("escapes", [], TEXT, repeated("\\u0031\\u0020%40", size)),
        ("UTF-16 lines", [], TEXT, repeated((PROSE + "\n").encode("utf-16-le"), size)),
        ("JSON Lines", [], TEXT, repeated(OBJECT + "\n", size)),
        ("one JSON document", [], TEXT, repeated(OBJECT + ",\n", size, "[", "0]\n")),
        ("one JSON document, strict", ["--format", "json"], TEXT, repeated(OBJECT + ",\n", size, "[", "0]\n")),
        ("one JSON string", [], TEXT, repeated(PROSE + "\\n", size, '["', '"]\n')),
        ("a JSON document of numbers", [], TEXT, repeated("4111111111111111,", size, "[", "0]\n")),
        ("a request body", [], TEXT, repeated(OBJECT + ",", size, BODY, "{}]}\n")),
        ("open brackets", [], TEXT, repeated("[", size)),
        ("open braces", [], TEXT, repeated('{"a":', size)),
        ("JSON values in one line", [], TEXT, repeated("{} ", size)),
        ("JSON Lines of 31 MiB", [], DOCUMENT, lines_of(OBJECT + ",", small, size)),
        ("JSON of 31 MiB, short strings", [], DOCUMENT, repeated('"abc",', small, "[", "0]\n")),
        ("JSON of 31 MiB, cards", [], DOCUMENT, repeated("4111111111111111,", small, "[", "0]\n")),
        ("a request body of 31 MiB", [], DOCUMENT, repeated(OBJECT + ",", small, BODY, "{}]}\n")),
        ("YAML", ["--format", "yaml"], TEXT, repeated(f"- to: {VALUES[0]}\n  text: {PROSE}\n", size)),
        ("YAML, one endless line", ["--format", "yaml"], TEXT, repeated(PROSE, size)),
        ("TOML, one endless line", ["--format", "toml"], TEXT, repeated(PROSE, size)),
    ]


def lines_of(unit, length, size):
    for _ in range(max(1, size // length)):
        yield from repeated(unit, length, "[", "0]\n")


def run(binary, options, stream):
    """Bytes in, bytes out, seconds, peak in MiB."""
    begun = time.monotonic()
    child = subprocess.Popen([binary, "--ephemeral-key", "-q", *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE)
    taken = [0, 0]
    peak = 0

    def feed():
        try:
            for piece in stream:
                child.stdin.write(piece)
                taken[0] += len(piece)
            child.stdin.close()
        except BrokenPipeError:
            pass

    def drain():
        nonlocal peak
        while piece := os.read(child.stdout.fileno(), MIB):
            taken[1] += len(piece)
            peak = max(peak, high_water(child.pid))

    threads = [threading.Thread(target=feed), threading.Thread(target=drain)]
    for thread in threads:
        thread.start()
    said = child.stderr.read().decode()
    for thread in threads:
        thread.join()
    if child.wait():
        sys.exit(f"{options}: exit {child.returncode}: {said}")
    return taken[0], taken[1], time.monotonic() - begun, peak / 1024


def high_water(pid):
    """The most memory that a process has held, in KiB; 0 when it has gone."""
    for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1])
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", default=HERE.parent.parent / "target/release/nymize")
    parser.add_argument("--mib", type=int, default=1024, help="how long each stream is (default: 1024)")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    print(f"{'stream':32} {'in MiB':>8} {'out MiB':>8} {'MB/s':>7} {'peak MiB':>9} {'bound':>6}")
    above = 0
    for name, arguments, bound, stream in streams(options.mib * MIB):
        if options.names and not any(wanted in name for wanted in options.names):
            continue
        went_in, came_out, seconds, peak = run(options.binary, arguments, stream)
        mark = "" if peak <= bound else "  ABOVE"
        above += peak > bound
        print(f"{name:32} {went_in / MIB:8.0f} {came_out / MIB:8.0f} {went_in / 1e6 / seconds:7.0f} {peak:9.1f} {bound:6}{mark}",
              flush=True)
    sys.exit(above > 0)


main()
