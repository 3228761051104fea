"""What the machine does while something runs: loads, little memory, processes stopped, kills."""

import contextlib
import os
import signal
import subprocess
import sys
import threading

import loads
import processes
import stops

MOST_MEMORY = 1 << 30
SPIN = ["sh", "-c", "while :; do :; done"]
FILL = [sys.executable, "-c", "import sys, time\nblock = bytearray(int(sys.argv[1]))\n"
        "while True:\n for i in range(0, len(block), 4096): block[i] = i & 255\n time.sleep(0.01)"]
ENDING = [signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT]


def free_memory():
    with open("/proc/meminfo") as file:
        return next(int(line.split()[1]) * 1024 for line in file if line.startswith("MemAvailable"))


def _helpers(condition):
    if condition == "all cores busy":
        return [SPIN] * len(os.sched_getaffinity(0))
    if condition == "one busy core":
        return [["taskset", "-c", str(loads.CORE), *SPIN]]
    if condition == "little memory":
        return [[*FILL, str(min(MOST_MEMORY, free_memory() // 8))]]
    return []


CONDITIONS = ["idle", "all cores busy", "one core", "one busy core", "little memory"]


def prefix(condition):
    """What goes before a command: it executes the rest, so that the process is the command's own."""
    return ["taskset", "-c", str(loads.CORE)] if condition in ("one core", "one busy core") else []


@contextlib.contextmanager
def load(condition):
    helpers = [subprocess.Popen(command) for command in _helpers(condition)]
    try:
        yield
    finally:
        for helper in helpers:
            helper.kill()
            helper.wait()


class Starved:
    """Whether a process and those below it did not come to their end because others had the processors: then no limit
    says anything. For a while only."""

    MOST_TIMES, SHARE = 20, 0.5

    def __init__(self, limit):
        self.limit, self.times, self.before = limit, 0, 0

    def __call__(self, pid):
        now = processes.seconds_in_line(pid)
        waited, self.before, self.times = now - self.before, now, self.times + 1
        return waited > self.SHARE * self.limit and self.times < self.MOST_TIMES


class Kill:
    """A signal to Stet, or to a process below it, some time after the start."""

    def __init__(self, target, number, moment, chance):
        self.target, self.number, self.moment, self.chance = target, number, moment, chance
        self.hit = None  # who got it: `stet`, or its number inside

    def __call__(self, pid, over):
        if over.wait(self.moment):
            return
        inside = [one for one in processes.below(pid) if place_inside(one)] if self.target == "inside" else []
        victim = self.chance.choice(inside) if inside else pid
        with stops.held(victim, pid) as process, contextlib.suppress(ProcessLookupError):
            if process is not None:
                who = "stet" if victim == pid else place_inside(victim)
                signal.pidfd_send_signal(process, self.number)
                self.hit = who


def place_inside(pid):
    """init, command or process, by its number in the container; empty, if it is in none: then it is Stet's own."""
    numbers = processes.field(pid, "NSpid").split()
    if len(numbers) < 2:
        return ""
    return {"1": "init", "2": "command"}.get(numbers[-1], "process")


def meddle(actions):
    """One function for several that act on a process at the same time."""
    if not actions:
        return None

    def all_of_them(pid, over):
        threads = [threading.Thread(target=action, args=[pid, over]) for action in actions]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    return all_of_them
