"""Times whole processes side by side: spawned alike, in turn, on one core, each with its own accounting."""
import dataclasses
import os
import select
import shutil
import signal
import statistics
import subprocess
import threading
import time

MB = 1_000_000


@dataclasses.dataclass
class Run:
    """One process from its start to its end: seconds by the clock, and of processor time."""

    wall: float
    cpu: float


def pin():
    """Puts this process, and so all that it starts, on one core; says which, or None."""
    if not hasattr(os, "sched_setaffinity"):
        return None
    core = min(os.sched_getaffinity(0))
    os.sched_setaffinity(0, {core})
    return core


class Failed(Exception):
    """A process that did not end well, or not in time."""


def once(command, path, env=None, limit=600.0, accepted=(0,)):
    """Runs `command` with `path` as its input and its output thrown away."""
    program = shutil.which(command[0])
    if program is None:
        raise Failed(f"{command[0]} is not there")
    actions = [
        (os.POSIX_SPAWN_OPEN, 0, path, os.O_RDONLY, 0),
        (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
        (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0),
    ]
    start = time.perf_counter()
    pid = os.posix_spawn(program, command, env or os.environ, file_actions=actions)
    handle = os.pidfd_open(pid)
    poll = select.poll()
    poll.register(handle, select.POLLIN)
    late = not poll.poll(limit * 1000)
    if late:
        signal.pidfd_send_signal(handle, signal.SIGKILL)
    _, status, usage = os.wait4(pid, 0)
    wall = time.perf_counter() - start
    os.close(handle)
    name = os.path.basename(command[0])
    if late:
        raise Failed(f"{name}: more than {limit:.0f} s")
    if os.waitstatus_to_exitcode(status) not in accepted:
        raise Failed(f"{name}: exit status {os.waitstatus_to_exitcode(status)}")
    return Run(wall, usage.ru_utime + usage.ru_stime)


def in_turn(tasks, rounds, limit=600.0, budget=60.0):
    """`tasks` is name -> (command, path, env, accepted). A round not counted, then `rounds` that are, or as many as fit
    into `budget` seconds, at least one: name -> runs. A task that fails is left out from then on, and its runs are None.
    """
    runs = {name: [] for name in tasks}
    began = time.monotonic()
    for count in range(rounds + 1):
        taken = (time.monotonic() - began) / max(count, 1)
        if count > 1 and taken * (count + 1) > budget:
            break
        for name, (command, path, env, accepted) in tasks.items():
            if runs[name] is None:
                continue
            try:
                run = once(command, path, env, limit, accepted)
            except Failed as failed:
                print(f"    {failed}", flush=True)
                runs[name] = None
                continue
            if count:
                runs[name].append(run)
    return runs


def seconds(runs, clock):
    return statistics.median(getattr(run, clock) for run in runs)


def ratio(runs, others, clock):
    """How often `runs` goes into `others`: the median of the quotients round by round."""
    pairs = zip(others, runs)
    return statistics.median(getattr(other, clock) / getattr(run, clock) for other, run in pairs)


def noise(all_runs):
    """Clock time for processor time: 1.0 on a machine that does nothing else."""
    quotients = [run.wall / run.cpu for runs in all_runs for run in runs if run.cpu > 0.02]
    return statistics.median(quotients) if quotients else 1.0


def peak_memory(command, path, size, env, budget):
    """Peak resident MiB of `command`, fed with `path` again and again until it has had `size` bytes or
    `budget` seconds are over; and how many MiB it was fed. None where /usr/bin/time is not there."""
    timer = "/usr/bin/time"
    if not os.path.exists(timer):
        return None
    child = subprocess.Popen(
        [timer, "-f", "%M", *command], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=env
    )
    said = []
    listener = threading.Thread(target=lambda: said.append(child.stderr.read()))
    listener.start()
    fed, end = 0, time.monotonic() + budget
    with open(path, "rb") as file:
        while fed < size and time.monotonic() < end:
            piece = file.read(min(1 << 20, size - fed))
            if not piece:
                file.seek(0)
                continue
            child.stdin.write(piece)
            fed += len(piece)
    child.stdin.close()
    if child.wait() != 0:
        raise Failed(f"{command[0]}: exit status {child.returncode}")
    listener.join()
    return int(said[0].split()[-1]) / 1024, fed / (1 << 20)
