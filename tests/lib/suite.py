"""What the suites share: results, private directories, commands with a limit, cases in parallel."""

import contextlib
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import threading

import processes

# A shell starts background jobs with these ignored, and programs that inherit that behave differently.
for _number in (signal.SIGINT, signal.SIGQUIT):
    signal.signal(_number, signal.SIG_DFL)

LEVELS = ["core", "normal", "full"]
LEVEL = os.environ.get("SUITE_LEVEL", "normal")
_output = threading.Lock()


def _required(name):
    if name not in os.environ:
        sys.exit(f"{sys.argv[0]}: {name} is not set; run it through tests/run")
    return pathlib.Path(os.environ[name])


STET = _required("STET")
TMP = _required("SUITE_TMP")


def reaches(level):
    """Whether the level asked for includes what is marked with this one."""
    return LEVELS.index(LEVEL) >= LEVELS.index(level)


def ok(name):
    _say(f"ok {name}")


def not_ok(name, why, details=""):
    _say(f"not ok {name} - {why}", details)


def skip(name, reason):
    _say(f"skip {name} - {reason}")


def _say(line, details=""):
    with _output:
        print(line)
        for detail in details.splitlines():
            print(f"# {detail}")
        sys.stdout.flush()


class Ended:
    """How a command ended. `report` says what its processes did when it ran out of time."""

    def __init__(self, status, out, err, report=None):
        self.status, self.out, self.err, self.report = status, out, err, report

    @property
    def timed_out(self):
        return self.report is not None


def run(command, directory, limit, environment=None, meddle=None, extends=None):
    """Runs a command in a session of its own, for at most `limit` seconds, and as long again as often as extends(pid)
    agrees to it. Meanwhile meddle(pid, event), if there is one, does what it likes to it, until the event is set."""
    with open(directory / ".out", "w+b") as out, open(directory / ".err", "w+b") as err:
        process = subprocess.Popen([str(word) for word in command], cwd=directory,
                                   stdin=subprocess.DEVNULL, stdout=out, stderr=err,
                                   env=environment, start_new_session=True)
        report = None
        with _meddling(meddle, process.pid):
            status = _wait(process, limit, extends)
            if status is None:
                report = processes.describe(process.pid)
                status = _end(process)
        out.seek(0)
        err.seek(0)
        ended = Ended(status, out.read(), err.read(), report)
    (directory / ".out").unlink()
    (directory / ".err").unlink()
    return ended


@contextlib.contextmanager
def _meddling(meddle, pid):
    over = threading.Event()
    thread = threading.Thread(target=meddle, args=[pid, over]) if meddle else None
    if thread:
        thread.start()
    try:
        yield
    finally:
        over.set()
        if thread:
            thread.join()


def _wait(process, limit, extends):
    """Its status; None when it is not over."""
    while True:
        try:
            return process.wait(limit)
        except subprocess.TimeoutExpired:
            if not extends or not extends(process.pid):
                return None


def _end(process):
    """Asks first, so that Stet can take its container down; then ends what is left of the session."""
    process.send_signal(signal.SIGTERM)
    try:
        process.wait(10)
    except subprocess.TimeoutExpired:
        pass
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    return process.wait()


def in_parallel(work, items, count=2):
    """Calls work(item) for each item, `count` at a time."""
    waiting, lock = list(items), threading.Lock()

    def worker():
        while True:
            with lock:
                if not waiting:
                    return
                item = waiting.pop(0)
            work(item)

    threads = [threading.Thread(target=worker) for _ in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def fresh(*names):
    """An empty directory below the suite's own."""
    directory = TMP.joinpath(*names)
    if directory.exists():
        shutil.rmtree(directory)
    directory.mkdir(parents=True)
    return directory


def text(data, limit=2000):
    """Bytes for a report, cut in the middle when they are many."""
    words = data.decode(errors="backslashreplace")
    return words if len(words) <= limit else words[:limit // 2] + "\n...\n" + words[-limit // 2:]
