#!/usr/bin/env python3
"""Compares nymize with cat, ripgrep, a plain-regex filter and its peers, side by side on this machine.

    python3 tools/bench/compare.py --out docs/benchmarks.md     all of it, under 15 minutes
    python3 tools/bench/compare.py --quick                      8 MiB, to the screen

Needs Python 3.9, Rust and Linux. Makes the corpora (gen.py, collect.py) and gets ripgrep and the peers from
crates.io where they are not there, all into a folder that git ignores. Checks each answer (truth.py) before timing it;
a wrong one fails. Whole processes, one core, in turn (measure.py).
"""
import argparse
import datetime
import hashlib
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import time

import measure
import tables
import truth

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
MIB = 1 << 20

HOSTILE = """h_line h_word h_at h_aat h_emlong h_plus h_plus1 h_colon h_hex6 h_ip4 h_dig h_digsp h_digdash h_iban h_iban2
h_nul h_bad8 h_dots h_paren h_sp""".split()
# Of these, real prose on one endless line alone may hold a value.
HOSTILE_WITH_VALUES = {"h_line"}

# Simple patterns: email, IBAN, card, phone, IPv4, IPv6. No Unicode, which rg is slower with.
RG_PATTERNS = [
    r"[A-Za-z0-9._%+-]+@[A-Za-z0-9.-]+\.[A-Za-z]{2,}",
    r"\b[A-Z]{2}[0-9]{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?\b",
    r"\b(?:[0-9]{4}[ -]?){3}[0-9]{1,4}\b",
    r"\+[1-9][0-9 ().-]{6,18}[0-9]",
    r"\b(?:[0-9]{1,3}\.){3}[0-9]{1,3}\b",
    r"\b(?:[0-9A-Fa-f]{1,4}:){2,7}[0-9A-Fa-f]{1,4}\b",
]

# Package on crates.io -> version, program, its arguments, how many MiB it is given.
PEERS = {
    "leakguard": ("1.0.0", "leakguard", [], 8),
    "redact-cli": ("0.12.7", "redact", ["anonymize"], 1),
}
PEER_LIMIT_S = 30

START_TEXT = b"Please call Anna back on +31 6 1234 5678 before nine today.\n"


def say(text):
    print(text, file=sys.stderr, flush=True)


class Bench:
    """What is compared, and with what."""

    def __init__(self, args):
        self.args = args
        self.data = os.path.abspath(args.data)
        self.tools = os.path.join(self.data, "tools")
        self.size = 8 if args.quick else 64
        self.rounds = 3 if args.quick else 5
        os.makedirs(os.path.join(self.data, "config"), exist_ok=True)
        # No configuration of the user's, and one key.
        keep = {name: value for name, value in os.environ.items() if not name.startswith(("NYMIZE_", "RIPGREP_"))}
        self.env = {**keep, "XDG_CONFIG_HOME": os.path.join(self.data, "config"), "NYMIZE_KEY": "07" * 32}
        self.samples = []

    # ------------------------------------------------------------ what there is to run

    def build(self, manifest, binary):
        say(f"build {binary}")
        command = ["cargo", "build", "--release", "--locked", "--manifest-path", manifest, "--bin", binary]
        done = subprocess.run([*command, "--message-format", "json-render-diagnostics"], stdout=subprocess.PIPE, check=True)
        messages = map(json.loads, done.stdout.splitlines())
        paths = [m["executable"] for m in messages if m.get("executable") and m["target"]["name"] == binary]
        return paths[-1]

    def installed(self, package, version, program):
        """The path of a program from crates.io, or None."""
        path = os.path.join(self.tools, "bin", program)
        if os.path.exists(path):
            return path
        say(f"install {package} {version}")
        command = ["cargo", "install", "--quiet", "--locked", f"{package}@{version}", "--root", self.tools]
        done = subprocess.run([*command, "--target-dir", os.path.join(self.tools, "target")], check=False)
        return path if done.returncode == 0 and os.path.exists(path) else None

    def find_programs(self):
        self.nymize = self.build(os.path.join(ROOT, "Cargo.toml"), "nymize")
        self.plain = self.build(os.path.join(HERE, "Cargo.toml"), "plain_regex")
        self.rg = shutil.which("rg") or self.installed("ripgrep", "15.1.0", "rg")
        if not self.rg:
            raise SystemExit("ripgrep is needed: apt-get install ripgrep")
        self.peers = {}
        if not self.args.no_peers:
            for package, (version, program, arguments, mib) in PEERS.items():
                path = self.installed(package, version, program)
                if path:
                    self.peers[package] = ([path, *arguments], mib)

    def rg_command(self):
        patterns = [part for pattern in RG_PATTERNS for part in ("-e", f"(?-u){pattern}")]
        return [self.rg, "--no-config", "--count", *patterns, "-"]

    # ------------------------------------------------------------ what they are given

    def corpora(self, names):
        """Makes the corpora that are not there."""
        stamp = hashlib.sha256()
        for script in ("gen.py", "collect.py"):
            with open(os.path.join(HERE, script), "rb") as file:
                stamp.update(file.read())
        stamp_path = os.path.join(self.data, "stamp")
        if not os.path.exists(stamp_path) or open(stamp_path).read() != stamp.hexdigest():
            for name in names:
                for suffix in ("", ".truth"):
                    if os.path.exists(self.corpus(name) + suffix):
                        os.remove(self.corpus(name) + suffix)
        if not os.path.exists(os.path.join(HERE, "src_text", "diff.txt")):
            say("collect text")
            subprocess.run([sys.executable, os.path.join(HERE, "collect.py")], check=True, stdout=subprocess.DEVNULL)
        missing = [name for name in names if not self.is_made(name)]
        if missing:
            say(f"make {' '.join(missing)}")
            command = [sys.executable, os.path.join(HERE, "gen.py"), "--size", str(self.size), "--out", self.data]
            # Two at a time: the longest first.
            halves = [half for half in (missing[0::2], missing[1::2]) if half]
            makers = [subprocess.Popen([*command, *half], stdout=subprocess.DEVNULL) for half in halves]
            if any(maker.wait() for maker in makers):
                raise SystemExit("gen.py failed")
        with open(stamp_path, "w") as file:
            file.write(stamp.hexdigest())

    def corpus(self, name):
        return os.path.join(self.data, f"{name}.{self.size}m")

    def is_made(self, name):
        path = self.corpus(name)
        return os.path.exists(path) and (name in HOSTILE or os.path.exists(path + ".truth"))

    def piece(self, name, mib):
        """The first whole lines of a corpus."""
        path = os.path.join(self.data, f"piece-{name}-{mib}")
        with open(self.corpus(name), "rb") as file:
            text = file.read(mib * MIB)
        with open(path, "wb") as file:
            file.write(text[: text.rfind(b"\n") + 1] or text)
        return path

    def repeated(self, name, times):
        path = os.path.join(self.data, "repeated")
        with open(path, "wb") as out:
            for _ in range(times):
                with open(self.corpus(name), "rb") as file:
                    shutil.copyfileobj(file, out, MIB)
        return path

    # ------------------------------------------------------------ the measurements

    def ours(self, path):
        return [self.nymize], path, self.env, (0,)

    def other(self, command, path, accepted=(0,)):
        return command, path, self.env, accepted

    def keep(self, runs):
        self.samples += [of_one for of_one in runs.values() if of_one]
        return runs

    def throughput(self, name):
        path = self.corpus(name)
        runs = measure.in_turn(
            {
                "nymize": self.ours(path),
                "cat": self.other(["cat"], path),
                "rg": self.other(self.rg_command(), path, (0, 1)),
                "plain": self.other([self.plain], path),
            },
            self.rounds,
        )
        return {program: (of_one, os.path.getsize(path)) for program, of_one in self.keep(runs).items()}

    def against_cat(self, name):
        path = self.repeated(name, 8)
        runs = measure.in_turn({"nymize": self.ours(path), "cat": self.other(["cat"], path)}, self.rounds)
        os.remove(path)
        return self.keep(runs)

    def against_peers(self, name):
        results = {}
        for package, (command, mib) in self.peers.items():
            path = self.piece(name, min(mib, self.size))
            runs = measure.in_turn({package: self.other(command, path)}, 3, PEER_LIMIT_S)
            results[package] = (self.keep(runs)[package], os.path.getsize(path))
            os.remove(path)
        return results

    def start_up(self):
        path = os.path.join(self.data, "short")
        with open(path, "wb") as file:
            file.write(START_TEXT)
        if truth.counts(self.nymize, START_TEXT, self.env) != {"PHONE": 1}:
            raise truth.Wrong("the phone in the short text was not found")
        tasks = {"nymize": self.ours(path), "cat": self.other(["cat"], path), "rg": self.other(self.rg_command(), path, (0, 1))}
        tasks["plain"] = self.other([self.plain], path)
        for package, (command, _) in self.peers.items():
            tasks[package] = self.other(command, path)
        return measure.in_turn(tasks, 20 if self.args.quick else 50)

    def memory(self):
        size = (128 if self.args.quick else 1024) * MIB
        shapes = {"lines of prose": "prose", "a value in each line": "dense", "JSON Lines": "json", "one line of prose": "h_line"}
        shapes |= {"one line of digits": "h_dig", "one line of @": "h_at", "NUL": "h_nul"}
        return {
            shape: measure.peak_memory([self.nymize], self.corpus(name), size, self.env, 15)
            for shape, name in shapes.items()
        }

    def hostile(self, name):
        """Runs on as much of a hostile file as takes three seconds at the most."""
        with open(self.corpus(name), "rb") as file:
            text = file.read(MIB)
        found = truth.counts(self.nymize, text, self.env)
        if found and name not in HOSTILE_WITH_VALUES:
            raise truth.Wrong(f"{name}: {dict(found)} were found, where nothing is")
        path = self.piece(name, 1)
        try:
            slow = measure.once([self.nymize], path, self.env, 60).cpu
        except measure.Failed:
            return None, MIB
        mib = min(self.size, max(1, int(3 / max(slow, 1e-4))))
        os.remove(path)
        path = self.piece(name, mib)
        runs = self.keep(measure.in_turn({"nymize": self.ours(path)}, 3))
        size = os.path.getsize(path)
        os.remove(path)
        return runs["nymize"], size

    def hostile_plain(self, name):
        """The plain-regex filter on 256 KiB of it, five seconds at the most."""
        path = os.path.join(self.data, "piece")
        with open(self.corpus(name), "rb") as file, open(path, "wb") as out:
            out.write(file.read(MIB // 4))
        try:
            return measure.once([self.plain], path, self.env, 5)
        except measure.Failed:
            return None


# ---------------------------------------------------------------- around it


def said(*command):
    try:
        return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=True).stdout.splitlines()[0]
    except (OSError, subprocess.CalledProcessError, IndexError):
        return "?"


def cpu_model():
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            info = dict(line.split(":", 1) for line in file if ":" in line)
    except OSError:
        return platform.machine()
    info = {key.strip(): value.strip() for key, value in info.items()}
    sets = [name for name in ("avx2", "avx512bw", "sha_ni") if name in info.get("flags", "").split()]
    return f"{info.get('model name', platform.machine())} ({', '.join(sets)})"


def about(bench, clock, noise, load):
    commit = said("git", "-C", ROOT, "rev-parse", "--short", "HEAD")
    changed = said("git", "-C", ROOT, "status", "--porcelain", "--untracked-files=no")
    versions = [said(bench.nymize, "--version"), said(bench.rg, "--version"), said("cat", "--version"), said("rustc", "--version")]
    versions += [f"{package} {PEERS[package][0]}" for package in bench.peers]
    word = "time by the clock" if clock == "wall" else "processor time (user and system)"
    return [
        f"{datetime.date.today().isoformat()}, commit {commit}{'' if changed == '?' else ' with changes'}; {cpu_model()}, "
        f"{os.cpu_count()} cores, one used; Linux {platform.release().split('-')[0]}.",
        f"Versions: {', '.join(versions)}.",
        f"Medians of {bench.rounds} runs in turn (fewer of what takes longer than a minute), whole processes, {word}, MB = 10⁶ bytes, {bench.size} MiB a corpus. "
        f"Load when it began: {load:.1f}; clock time was {noise:.2f} times processor time.",
    ]


def write(path, section, lines):
    begin, end = f"<!-- {section}: begin -->", f"<!-- {section}: end -->"
    with open(path, encoding="utf-8") as file:
        page = file.read()
    if begin not in page or end not in page:
        raise SystemExit(f"{path} has no lines {begin} and {end}")
    head, tail = page.split(begin, 1)
    tail = tail.split(end, 1)[1]
    with open(path, "w", encoding="utf-8") as file:
        file.write(head + begin + "\n" + "\n".join(lines) + "\n" + end + tail)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", metavar="FILE", help="put the tables between two comments of this page")
    parser.add_argument("--section", default="now", help="which comments: <!-- SECTION: begin -->; default: now")
    parser.add_argument("--quick", action="store_true", help="8 MiB, three rounds")
    parser.add_argument("--data", default=os.path.join(HERE, "data"), metavar="DIR", help="where corpora and programs go")
    parser.add_argument("--no-peers", action="store_true", help="leave the peers from the registries out")
    parser.add_argument("--only", metavar="LIST", help="these corpora alone, with commas; nothing else is measured")
    parser.add_argument("--clock", choices=("auto", "wall", "cpu"), default="auto",
                        help="auto: processor time where others use the core too")
    return parser.parse_args()


def main():
    args = arguments()
    began = time.monotonic()
    load = os.getloadavg()[0]
    bench = Bench(args)
    bench.find_programs()
    names = args.only.split(",") if args.only else list(tables.GOALS)
    bench.corpora([*names, *([] if args.only else HOSTILE)])
    core = measure.pin()
    say(f"core {core}, {time.monotonic() - began:.0f} s so far")
    results = {}
    for name in names:
        say(f"{name}: answers")
        findings = truth.check(bench.nymize, name, bench.corpus(name), bench.env)
        say(f"{name}: {findings} findings, all right; speed")
        results[name] = (bench.throughput(name), bench.against_cat(name), bench.against_peers(name), findings)
    start = memory = None
    hostile = {}
    if not args.only:
        say("start-up, memory")
        start, memory = bench.start_up(), bench.memory()
        for name in HOSTILE:
            say(name)
            hostile[name] = (bench.hostile(name), bench.hostile_plain(name))
    noise = measure.noise(bench.samples)
    clock = args.clock if args.clock != "auto" else "cpu" if noise > 1.05 else "wall"
    lines = [*about(bench, clock, noise, load), "", *tables.throughput_table(results, list(bench.peers), clock, bench.size)]
    if not args.only:
        lines += ["", *tables.start_table(start, clock), "", *tables.memory_table(memory), "", *tables.hostile_table(hostile, clock)]
    print("\n".join(lines))
    if args.out:
        write(args.out, args.section, lines)
    say(f"{time.monotonic() - began:.0f} s in all")


if __name__ == "__main__":
    try:
        main()
    except (truth.Wrong, measure.Failed) as wrong:
        raise SystemExit(f"error: {wrong}")
