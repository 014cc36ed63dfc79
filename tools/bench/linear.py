#!/usr/bin/env python3
"""How the work for a hostile input grows with its length: it must grow as the length does.

Usage: linear.py [--binary PATH] [--mib N] [NAME]...

Each input is filtered at a length, at twice that, and at four times that. What is compared is the time that the
processor spends in the program (ru_utime), not the clock's, so that other programs disturb it little. A growth of 2.0
for a length that is twice as long is linear; 4.0 is a square. Ends with 1 where four times the length takes more than
seven times the work.
"""
import argparse
import os
import pathlib
import subprocess
import sys
import threading

HERE = pathlib.Path(__file__).resolve().parent
MIB = 1 << 20
TOO_MUCH = 7


def inputs():
    """NAME, options, head, what is repeated, tail for that many repetitions."""
    none = lambda n: ""
    return [
        ("[ and line end", [], "", "[\n", none),
        ("{} then [ and line end", [], "{}\n", "[\n", none),
        ("open objects in lines", [], "{}\n", '{"a":\n', none),
        ("open brackets", [], "", "[", none),
        ("nested to the end", [], "", "[", lambda n: "]" * n),
        ("open objects", [], "", '{"a":', none),
        ("broken lines", [], "", "[1]\n[1\n", none),
        ("lone quotes in lines", [], "{}\n", '"\n', none),
        ("line ends", [], "{}\n", "\n", none),
        ("spaces", [], "[", " ", lambda n: "]"),
        ("escaped quotes", [], '["', '\\"', lambda n: '"]'),
        ("brackets in a string", [], '["', "[", lambda n: '"]'),
        ("objects in a string", [], '["', '{\\"a\\":', lambda n: '"]'),
        ("arrays in strings", [], "[", '"[\\"[\\",', lambda n: "1]"),
        ("backslashes in a string", [], '["', "\\\\", lambda n: '"]'),
        ("a long number", [], "[1", "1", lambda n: "]"),
        ("equal keys", [], "{", '"a":"jan@example.com",', lambda n: '"a":1}'),
        ("messages", [], '{"model":"m","messages":[', '{"role":"user","content":[{"type":"text","text":"a@b.nl"}]},',
         lambda n: "{}]}"),
        ("@", [], "", "@", none),
        ("a@", [], "", "a@", none),
        ("a.a.a.a@", [], "", "a.a.a.a@", none),
        ("+1", [], "", "+1", none),
        (":", [], "", ":", none),
        ("1:1:1:1:", [], "", "1:1:1:1:", none),
        ("1.1.1.1.", [], "", "1.1.1.1.", none),
        ("digits", [], "", "1", none),
        ("digits and spaces", [], "", "4 ", none),
        ("NL91ABNA", [], "", "NL91ABNA", none),
        ("[[", ["--format", "text"], "", "[[", none),
        ("backslashes", [], "", "\\", none),
        ("%40", [], "", "%40", none),
        ("%3a", [], "", "%3a", none),
        ("\\u0034", [], "", "\\u0034", none),
        ("\\u0020\\u0034", [], "", "\\u0020\\u0034", none),
        ("&#58;", [], "", "&#58;", none),
        ("zero width", [], "", "1\u200b", none),
        ("YAML: one line", ["--format", "yaml"], "", "a: b ", none),
        ("YAML: one scalar", ["--format", "yaml"], "a: b\n", "  b\n", none),
        ("YAML: brackets", ["--format", "yaml"], "", "[", none),
        ("TOML: one line", ["--format", "toml"], "", "a = 1 ", none),
    ]


def work(binary, options, data):
    """Seconds of the processor in the program."""
    child = subprocess.Popen([binary, "--ephemeral-key", "-q", *options], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
    feeder = threading.Thread(target=lambda: (child.stdin.write(data), child.stdin.close()))
    feeder.start()
    feeder.join()
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        sys.exit(f"{options}: exit {child.returncode}")
    return usage.ru_utime


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", default=HERE.parent.parent / "target/release/nymize")
    parser.add_argument("--mib", type=float, default=4, help="the first length (default: 4)")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    print(f"{'input':26} {'s at n':>8} {'2n':>8} {'4n':>8} {'2n / n':>7} {'4n / n':>7} {'MB/s':>7}")
    bad = 0
    for name, arguments, head, unit, tail in inputs():
        if options.names and name not in options.names:
            continue
        times = []
        for factor in (1, 2, 4):
            n = int(options.mib * factor * MIB) // len(unit.encode())
            data = (head + unit * n + tail(n)).encode()
            # The least of two: what else goes on only adds.
            times.append(max(1e-3, min(work(options.binary, arguments, data) for _ in range(2))))
        once, twice, four = times
        # What takes no time at all is no square.
        square = four / once > TOO_MUCH and four > 0.2
        bad += square
        print(f"{name:26} {once:8.3f} {twice:8.3f} {four:8.3f} {twice / once:7.2f} {four / once:7.2f} "
              f"{len(data) / 1e6 / four:7.0f}{'  TOO MUCH' if square else ''}", flush=True)
    sys.exit(bad > 0)


main()
