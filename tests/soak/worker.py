"""One of the processes of a soak: makes every COUNT-th run, and writes a line of JSON about each.

It has mounts and System V objects of its own where it may (see `run`), and orphans of its runs become its children: so
whatever is there after a run was left by it.
"""

import argparse
import ctypes
import hashlib
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time
import traceback

PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36
LIMIT, LARGE_LIMIT = 300, 600  # seconds; other people may use the machine
LEAST_SECONDS = 0.05

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "lib"))


def options():
    parser = argparse.ArgumentParser()
    for name in ("seed", "stet", "level"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--work", type=pathlib.Path, required=True)
    for name in ("first", "count", "runs", "limit", "patience"):
        parser.add_argument(f"--{name}", type=int)
    parser.add_argument("--until", type=float)
    for name in ("dry-run", "no-kills"):
        parser.add_argument(f"--{name}", action="store_true")
    parser.add_argument("words", nargs="*")
    return parser.parse_args()


OPTIONS = options()
os.environ.update(STET=OPTIONS.stet, SUITE_TMP=str(OPTIONS.work), SUITE_LEVEL=OPTIONS.level)
import kinds  # noqa: E402
import outside  # noqa: E402
import plans  # noqa: E402
import processes  # noqa: E402
import remains  # noqa: E402
import stops  # noqa: E402
import subjects  # noqa: E402
import suite  # noqa: E402


class Failure(Exception):
    def __init__(self, why, ended=None):
        super().__init__(why)
        self.ended = ended


class Killed(Exception):
    """A step ended by a signal from outside, as it should."""


class Reference:
    """What came out first of a subject, by name; kept from soak to soak for the same Stet and the same subject."""

    def __init__(self, directory, subject):
        words = json.dumps([subject.name, [str(word) for word in subject.command], subject.options])
        source = getattr(subject, "case", None)
        key = hashlib.sha256((words + (source.words if source else "")).encode()).hexdigest()[:16]
        self.place = directory / f"{subject.name.replace('/', '-')}-{key}"

    def first(self, name, value):
        """The value of this name, which is this one if there was none."""
        self.place.mkdir(parents=True, exist_ok=True)
        draft = self.place / f".{os.getpid()}"
        draft.write_text(repr(value))
        try:
            os.link(draft, self.place / name)
        except FileExistsError:
            pass
        draft.unlink()
        return self.known(name)

    def known(self, name):
        path = self.place / name
        return path.read_text() if path.exists() else None


class Job:
    """A run while it is made: kinds.py says what its steps are."""

    def __init__(self, plan, worker, work, references):
        self.plan, self.subject, self.worker = plan, plan.subject, worker
        self.directory = work / "runs" / str(worker)
        # Python's own way cannot remove directories that are nested some thousand times.
        subprocess.run(["rm", "-rf", self.directory], check=True)
        self.directory.mkdir(parents=True)
        self.temporary = self.directory / "tmp"
        self.temporary.mkdir()
        self.reference = Reference(references, plan.subject)
        self.cache = {"shared": work / "cache", "fresh": self.directory / "cache",
                      "none": pathlib.Path("/dev/null")}[plan.cache]
        self.number, self.hit, self.steps = 0, None, []
        self.fresh_work()

    def fresh_work(self):
        """The directory that steps run in; its name differs from run to run, and must not matter."""
        self.work = self.directory / ("w" * (1 + 3 * ((self.plan.number + self.number) % 12)))
        subprocess.run(["rm", "-rf", self.work], check=True)
        self.work.mkdir()

    def environment(self):
        environment = dict(os.environ, TMPDIR=str(self.temporary), XDG_CACHE_HOME=str(self.cache))
        if self.plan.delays:
            environment["STET_DEBUG_DELAYS"] = str(self.plan.delays)
        return environment

    def step(self, *words, actions=()):
        """A command under the plan's conditions. Its output is kept beside the directory that it runs in."""
        command = [*outside.prefix(self.plan.condition), *words]
        self.steps.append(" ".join(str(word) for word in command))
        wrapped = ["sh", "-c", 'cd "$1" && shift && exec "$@"', "sh", self.work, *command]
        limit = OPTIONS.limit or (LARGE_LIMIT if self.subject.is_large else LIMIT)
        started = time.monotonic()
        ended = suite.run(wrapped, self.directory, limit, self.environment(), outside.meddle(actions),
                          outside.Starved(limit))
        ended.seconds = time.monotonic() - started
        hits = [action.hit for action in actions if isinstance(action, outside.Kill) and action.hit]
        self.hit = hits[0] if hits else self.hit
        if ended.timed_out and not (hits and hits[0] != "stet" and self.subject.may_wait_for_ever):
            raise Failure(f"not over after {limit} s: {self.steps[-1]}", ended)
        return ended

    def stet(self, *words):
        kill, actions = self._kill(), []
        if kill:
            actions.append(kill)
        if self.plan.stops:
            actions.append(lambda pid, over: stops.stop_and_go(pid, over, self.plan.chance))
        self.number += 1
        ended = self.step(OPTIONS.stet, *words, actions=actions)
        if kill and kill.hit:
            judge_killed(kill, ended)
        if ended.status < 0:
            raise Failure(f"Stet died of signal {-ended.status}", ended)
        return ended

    def _kill(self):
        plan = self.plan.kill
        if not plan or self.number != plan["step"]:
            return None
        usual = float(self.reference.known("seconds"))
        return outside.Kill(plan["target"], plan["signal"], plan["part"] * usual, self.plan.chance)

    def know_usual(self):
        """A run that nothing happens to, if there was none yet: how long it takes, and what comes out."""
        if not self.reference.known("seconds"):
            plan, self.plan = self.plan, self.plan.undisturbed()
            kinds.run(self)
            self.plan, self.number = plan, 0
            self.fresh_work()

    def check(self, condition, why, ended):
        if not condition:
            raise Failure(why, ended)

    def same(self, name, value, ended=None):
        first = self.reference.first(name, value)
        if name == "run":
            self.reference.first("seconds", max(LEAST_SECONDS, round(ended.seconds, 3)))
        if first != repr(value):
            raise Failure(f"{name}: not as it was first\nfirst: {first}\nnow:   {value!r}", ended)


def judge_killed(kill, ended):
    """Ends quietly when a signal from outside came too late; else the status must say what happened."""
    number = int(kill.number)
    if kill.hit == "stet":
        if ended.status in (-number, 128 + number):
            raise Killed
        return
    if not 0 <= ended.status <= 255:
        raise Failure(f"Stet died of signal {-ended.status} when {kill.hit} was killed", ended)
    raise Killed


def trouble_left(job, machine):
    """What is there that was not there before the run. Processes are ended, so that the next run is not blamed."""
    left = remains.left_processes(OPTIONS.patience)
    if left:
        yield "processes left: " + "\n".join(processes.describe(pid) for pid in left)
        for pid in left:
            with stops.held(pid, os.getpid()) as process:
                if process is not None:
                    signal.pidfd_send_signal(process, signal.SIGKILL)
        remains.left_processes(OPTIONS.patience)
    if files := remains.files_below(job.temporary):
        yield f"temporary files left: {files}"
    if job.plan.cache == "fresh" and not job.hit and (files := remains.half_made(job.cache)):
        yield f"left in the cache: {files}"
    for kind, things in machine.news().items():
        yield f"{kind} left: {things}"
    machine.before = machine.look()


def make_run(plan, worker, machine, references):
    """One run: what went wrong, if anything did, and whether it was killed."""
    job = Job(plan, worker, OPTIONS.work, references)
    troubles, ended, killed = [], None, False
    try:
        plan.subject.prepare()
        with outside.load(plan.condition):
            job.know_usual()
            plan.kind(job)
    except Killed:
        killed = True
    except Failure as failure:
        troubles, ended = [str(failure)], failure.ended
    except Exception:  # the soak goes on
        troubles = [traceback.format_exc()]
    troubles += trouble_left(job, machine)
    if troubles:
        keep(job, troubles, ended)
    return troubles, killed or bool(job.hit)


def keep(job, troubles, ended):
    """All that is known of a failure, and how to make the same run again."""
    place = OPTIONS.work / "failures" / f"{job.plan.seed}-{job.plan.number}"
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(parents=True)
    repeat = " ".join(["tests/soak/run --seed", job.plan.seed, "--level", OPTIONS.level,
                       *(["--no-kills"] if OPTIONS.no_kills else []), "--only", str(job.plan.number), *OPTIONS.words])
    lines = [job.plan.words(), f"again: {repeat}", *(f"step: {step}" for step in job.steps),
             f"hit: {job.hit}", "", *troubles]
    if ended:
        lines += ["", f"status {ended.status}", ended.report or ""]
        (place / "out").write_bytes(ended.out)
        (place / "err").write_bytes(ended.err)
    (place / "report").write_text("\n".join(lines) + "\n")
    shutil.copytree(job.directory, place / "directory", symlinks=True, copy_function=copy_plain)


def copy_plain(source, target):
    """FIFOs and sockets would hold up a copy."""
    if os.path.islink(source) or os.path.isfile(source):
        shutil.copy2(source, target, follow_symlinks=False)


def main():
    libc = ctypes.CDLL(None, use_errno=True)
    libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    libc.prctl(PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    cases = subjects.of_suites(OPTIONS.level, OPTIONS.words, OPTIONS.work / "bin")
    image = OPTIONS.work / "image.tar"
    images = subjects.of_image(str(image)) if image.exists() else []
    machine, number = remains.Machine(), OPTIONS.first
    # Another Stet may well have other digests.
    references = OPTIONS.work / "references" / hashlib.sha256(pathlib.Path(OPTIONS.stet).read_bytes()).hexdigest()[:16]
    while (not OPTIONS.runs or number < OPTIONS.runs) and time.time() < OPTIONS.until:
        plan = plans.Plan(OPTIONS.seed, number, cases, images)
        if OPTIONS.no_kills:
            plan.kill = None
        started = time.monotonic()
        troubles, killed = ([], False) if OPTIONS.dry_run else make_run(plan, OPTIONS.first % OPTIONS.count, machine, references)
        print(json.dumps({"plan": plan.words(), "killed": killed, "troubles": troubles,
                          "seconds": round(time.monotonic() - started, 2)}), flush=True)
        number += OPTIONS.count


if __name__ == "__main__":
    try:
        main()
    finally:
        for left in processes.below(os.getpid()):
            with stops.held(left, os.getpid()) as process:
                if process is not None:
                    signal.pidfd_send_signal(process, signal.SIGKILL)
