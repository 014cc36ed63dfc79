"""The tables of docs/benchmarks.md: ratios first, each beside its goal."""
import measure

MIB = 1 << 20

# Corpus -> at least so many times as fast as rg on 64 MiB, at least so much of cat's speed on 512 MiB.
GOALS = {
    "clean": (4.0, 0.40), "prose": (3.5, 0.25), "code": (3.2, 0.25), "json": (1.8, 0.15),
    "logs": (0.6, 0.06), "dense": (0.18, 0.02), "digits": (0.5, 0.04),
}
GOAL_START_MS, GOAL_MEMORY_MIB, GOAL_HOSTILE_MBS = 3.0, 16, 50


def speed(runs, size, clock):
    return "–" if not runs else three(size / measure.MB / measure.seconds(runs, clock))


def three(value):
    """Three digits that count."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}" if value >= 0.1 else f"{value:.3f}"


def held(value, goal, least=True):
    """The goal, and whether it is reached."""
    reached = value >= goal if least else value <= goal
    sign = "≥" if least else "≤"
    return f"{sign} {goal:g} {'yes' if reached else '**no**'}"


def row(*cells):
    return "| " + " | ".join(map(str, cells)) + " |"


def header(*cells):
    return [row(*cells), row(*["---"] * len(cells))]


def times(runs, size, other, clock):
    """How many times as fast as `other` runs; both may have been given another size."""
    others, other_size = other
    if not others:
        return "–"
    return three(measure.seconds(others, clock) / other_size / (measure.seconds(runs, clock) / size))


def throughput_table(results, peers, clock, mib):
    lines = header("corpus", "/ rg", "goal", f"/ cat, {8 * mib} MiB", "goal", "/ plain regex", *[f"/ {peer}" for peer in peers], "findings")
    speeds = header("MB/s", "nymize", "cat", "rg", "plain regex", *peers)
    for name, (side, big, of_peers, findings) in results.items():
        ours, size = side["nymize"]
        by_rg = measure.ratio(ours, side["rg"][0], clock)
        by_cat = measure.ratio(big["nymize"], big["cat"], clock)
        by_plain = "–" if not side["plain"][0] else three(measure.ratio(ours, side["plain"][0], clock))
        by_peers = [times(ours, size, of_peers[peer], clock) for peer in peers]
        goal_rg, goal_cat = GOALS[name]
        lines.append(row(name, three(by_rg), held(by_rg, goal_rg), three(by_cat), held(by_cat, goal_cat), by_plain, *by_peers, f"{findings:,}"))
        of_all = [side["nymize"], side["cat"], side["rg"], side["plain"], *[of_peers[peer] for peer in peers]]
        speeds.append(row(name, *[speed(runs, length, clock) for runs, length in of_all]))
    return [*lines, "", *speeds]


def start_table(runs, clock):
    lines = header("a text of 60 bytes", "ms", "more than cat, ms", "goal")
    base = measure.seconds(runs["cat"], clock) * 1000
    for name, of_one in runs.items():
        if of_one:
            ms = measure.seconds(of_one, clock) * 1000
            goal = held(ms - base, GOAL_START_MS, least=False) if name == "nymize" else ""
            lines.append(row(name, f"{ms:.2f}", f"{ms - base:.2f}", goal))
    return lines


def memory_table(results):
    lines = header("peak memory", "MiB", "goal", "read, MiB")
    for shape, result in results.items():
        if result is None:
            return ["Peak memory: /usr/bin/time is not there."]
        peak, fed = result
        lines.append(row(shape, f"{peak:.1f}", held(peak, GOAL_MEMORY_MIB, least=False), f"{fed:,.0f}"))
    return lines


def hostile_table(results, clock):
    lines = header("hostile input", "MB/s", "goal", "MiB", "plain regex on 256 KiB, MB/s")
    for name, ((runs, size), plain) in results.items():
        value = size / measure.MB / measure.seconds(runs, clock) if runs else 0
        other = three(0.262144 / getattr(plain, clock)) if plain else "more than 5 s"
        lines.append(row(f"`{name}`", three(value) if runs else "–", held(value, GOAL_HOSTILE_MBS), f"{size / MIB:.0f}", other))
    return lines
