"""What a run could leave behind: processes, mounts, files, System V objects; and whether the machine's stock shrinks."""

import os
import pathlib
import time

import processes

SHARED = "/dev/shm"
HALF_MADE = ("new-", "tmp.")  # names in the cache of what is being made


def reap():
    """Takes leave of what has ended: orphans are given to this process (PR_SET_CHILD_SUBREAPER)."""
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        pass


def left_processes(patience):
    """Who is still there after so many seconds: after a kill, the kernel takes its time on a busy machine."""
    deadline = time.monotonic() + patience
    while True:
        reap()
        below = processes.below(os.getpid())
        if not below or time.monotonic() > deadline:
            return below
        time.sleep(0.05)


class Machine:
    """The state in which every run must leave the machine, as far as it is this process's alone."""

    def __init__(self):
        self.before = self.look()

    def look(self):
        mounts = pathlib.Path("/proc/self/mountinfo").read_text().splitlines()
        return {"mounts": set(mounts) if os.geteuid() == 0 else set(),
                "files": set(_own_files()), "System V objects": set(_own_objects())}

    def news(self):
        """What is there now that was not there before, by kind."""
        now = self.look()
        found = {kind: sorted(now[kind] - self.before[kind]) for kind in now}
        return {kind: things for kind, things in found.items() if things}


def _own_files():
    for entry in os.scandir(SHARED):
        try:
            if entry.stat(follow_symlinks=False).st_uid == os.geteuid():
                yield entry.path
        except FileNotFoundError:
            continue


def _own_objects():
    """Of the IPC namespace: the worker's own, where it may have one; else only this user's."""
    for kind in ("shm", "sem", "msg"):
        lines = pathlib.Path(f"/proc/sysvipc/{kind}").read_text().splitlines()
        owner = lines[0].split().index("uid")
        yield from (f"{kind} {line}" for line in lines[1:] if int(line.split()[owner]) == os.geteuid())


def files_below(directory):
    return sorted(str(path.relative_to(directory)) for path in directory.rglob("*"))


def half_made(cache):
    """Names in a cache of what was not completed."""
    return [str(path.relative_to(cache)) for path in cache.rglob("*")
            if path.name.startswith(HALF_MADE) and "root" not in path.parts]


class Stock:
    """What the whole machine has in use. Others use it as well, so only what stays in use after the end counts."""

    MIB = 1 << 20
    BOUNDS = {"Shmem": 256 * MIB, "SUnreclaim": 512 * MIB, "KernelStack": 64 * MIB, "PageTables": 256 * MIB,
              "Percpu": 256 * MIB, "open files": 20000}
    PATIENCE, INTERVAL = 120, 2  # seconds

    def __init__(self):
        self.first = self.most = self.last = self.sample()

    def sample(self):
        with open("/proc/meminfo") as file:
            pairs = (line.split(":") for line in file)
            values = {name: int(rest.split()[0]) * 1024 for name, rest in pairs}
        values["open files"] = int(pathlib.Path("/proc/sys/fs/file-nr").read_text().split()[0])
        return {name: values[name] for name in [*self.BOUNDS, "MemAvailable"]}

    def look(self):
        self.last = self.sample()
        self.most = {name: max(self.most[name], value) for name, value in self.last.items()}

    def rises(self):
        """After the end: what does not come down to where it was, given some time."""
        deadline = time.monotonic() + self.PATIENCE
        while True:
            self.look()
            risen = [f"{name} rose from {self.first[name]} to {self.last[name]}, and stays there"
                     for name, bound in self.BOUNDS.items() if self.last[name] > self.first[name] + bound]
            if not risen or time.monotonic() > deadline:
                return risen
            time.sleep(self.INTERVAL)

    def summary(self):
        return ", ".join(f"{name} {_short(self.first[name])} -> {_short(self.last[name])} "
                         f"(at most {_short(self.most[name])})" for name in self.first)


def _short(number):
    return f"{number / (1 << 20):.0f}M" if number >= 1 << 20 else str(number)
