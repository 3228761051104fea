"""The descendants of a process: who they are, and what they are doing, for reports about what does not end."""

import os
import pathlib


def describe(root):
    """One paragraph per process below `root`, children indented below their parents."""
    children = _children()
    lines = []

    def visit(pid, depth):
        lines.extend("  " * depth + line for line in _one(pid))
        for child in children.get(pid, []):
            visit(child, depth + 1)

    visit(root, 0)
    return "\n".join(lines)


def below(root):
    """Numbers of all descendants."""
    found = []
    for thread in _threads(root):
        for child in _read(thread / "children").split():
            found += [int(child), *below(child)]
    return found


def seconds_in_line(root):
    """How long those of its threads that live have waited for a processor, all together."""
    return sum(int((_read(thread / "schedstat").split() or [0, 0])[1]) / 1e9
               for pid in [root, *below(root)] for thread in _threads(pid))


def is_below(pid, root):
    while pid > 1:
        pid = _parent(pid)
        if pid == root:
            return True
    return False


def field(pid, name):
    """A field of its status; empty when it is gone."""
    return _fields(f"/proc/{pid}/status").get(name, "")


def _parent(pid):
    stat = _read(f"/proc/{pid}/stat")
    return int(stat.rpartition(")")[2].split()[1]) if stat else 0


def _threads(pid):
    try:
        return sorted(pathlib.Path(f"/proc/{pid}/task").iterdir())
    except OSError:
        return []


def _children():
    tree = {}
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            tree.setdefault(_parent(entry), []).append(int(entry))
    return tree


def _one(pid):
    command = _read(f"/proc/{pid}/cmdline").replace("\0", " ").strip()
    status = _fields(f"/proc/{pid}/status")
    yield f"{pid} {status.get('State', 'gone')} {command or status.get('Name', '')}"
    signals = " ".join(f"{key}={status[key]}" for key in ("SigPnd", "ShdPnd", "SigBlk", "SigIgn", "SigCgt")
                       if key in status)
    yield f"  {signals}"
    for thread in _threads(pid):
        stack = _read(thread / "stack").splitlines()
        where = "; ".join(line.split("] ")[-1] for line in stack[:4])
        yield f"  thread {thread.name}: wchan={_read(thread / 'wchan')} call={_read(thread / 'syscall').strip()} {where}"


def _fields(path):
    pairs = (line.split(":", 1) for line in _read(path).splitlines() if ":" in line)
    return {key: value.strip() for key, value in pairs}


def _read(path):
    try:
        with open(path, errors="replace") as file:
            return file.read()
    except OSError:
        return ""
