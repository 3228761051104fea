"""Programs and scripts that come out differently natively, and must not under Stet: what suites of them share.

A case is a program, NAME.c or NAME.cc, or a script, NAME.sh. Its comments may say:

- "Does not differ natively", or "Does not run natively", and why;
- `options: ...`: what `stet run` is given;
- `flags: ...`: what the compiler is given;
- `status: N`: how it ends under Stet, if not with 0;
- `says: ...`: a regular expression for standard error under Stet;
- `shows: ...`: one for a line of standard output; there may be several;
- `stops: ...`: why none of its processes may be stopped from outside;
- `kills: ...`: why it may wait for ever when one of its processes is killed from outside;
- `needs: ...`: a flag of /proc/cpuinfo without which it is skipped;
- `host: ...`: which files of the machine decide its outcome: then it is not in the soak;
- `level: normal`: not in the ordinary user's round; `level: full`: not in `make test`.

NAME.expect is its standard output, where it is the same on every machine.
"""

import difflib
import itertools
import pathlib
import re
import shlex
import subprocess

import suite

LIMIT = 60
REPORT_LINES = 40
PLAINLY = 'exec "$@"'


class Case:
    def __init__(self, path, binaries):
        self.name, self.path = path.stem, path
        self.words = path.read_text()
        self.is_program = path.suffix != ".sh"
        self.command = [f"/case/{self.name}"] if self.is_program else ["bash", f"/case/{path.name}"]
        self.directory = binaries if self.is_program else path.parent
        self.differs = not re.search(r"Does not (differ|run)[\s*#]+natively", self.words)
        self.options = shlex.split(self.note("options", ""))
        self.level = self.note("level", "core")
        self.status = int(self.note("status", "0"))
        self.says = self.note("says", "")
        expected = path.with_suffix(".expect")
        self.expected = expected.read_bytes() if expected.exists() else None

    def lacks(self):
        """What it needs and this machine's processors do not have; an empty string when they have it."""
        flag = self.note("needs", "")
        if not flag or re.search(rf"^flags\s*:.*\b{flag}\b", pathlib.Path("/proc/cpuinfo").read_text(), re.MULTILINE):
            return ""
        return flag

    def note(self, name, default):
        return next(iter(self.notes(name)), default)

    def notes(self, name):
        found = re.finditer(rf"^[^\w\n]*{name}: (.*?)[ \t]*(\*/)?$", self.words, re.MULTILINE)
        return [match.group(1) for match in found]

    def run(self, side, shell, command, **how):
        """In an empty directory: what the harness itself writes lies beside it."""
        directory = suite.fresh(self.name, side)
        (directory / "work").mkdir()
        return suite.run(["bash", "-c", "cd work; " + shell, "bash", *command], directory, LIMIT, **how)

    def native(self, number, shell=PLAINLY):
        command = [str(self.directory / word.removeprefix("/case/")) if word.startswith("/case/") else word
                   for word in self.command]
        return self.run(f"native{number}", shell, command)

    def under_stet(self, number, shell, *options, **how):
        command = [suite.STET, "run", "--digest", "--mount", f"{self.directory}:/case:ro", *self.options, *options, "--",
                   *self.command]
        # Names of different lengths, so that a path that leaks changes the layout too.
        return self.run("s" * (1 + 3 * (number % 12)), shell, command, **how)

    def trouble(self, ended):
        """What is wrong with one run under Stet by itself, or an empty string."""
        if self.expected is not None and ended.out != self.expected:
            return "is not as expected"
        if ended.status != self.status:
            return f"ends with status {ended.status}"
        if not re.search(self.says, suite.text(ended.err)):
            return "does not say what it should"
        for pattern in self.notes("shows"):
            if not re.search(pattern, ended.out.decode(errors="replace"), re.MULTILINE):
                return f"does not show {pattern}"
        if self.status != 125 and b"stet: digest sha256:" not in ended.err:
            return "has no digest"
        return ""


def outcome(ended):
    return ended.out, ended.err, ended.status


def show(label, ended):
    return f"--- {label}: status {ended.status}\n{suite.text(ended.out)}{suite.text(ended.err)}"


def difference(labels, sides):
    lines = [f"{label}: status {ended.status}\n" for label, ended in zip(labels, sides)]
    for name in ("out", "err"):
        a, b = (getattr(ended, name).decode(errors="backslashreplace").splitlines() for ended in sides)
        found = difflib.unified_diff(a, b, f"standard {name} {labels[0]}", labels[1], lineterm="", n=1)
        lines += (line + "\n" for line in itertools.islice(found, REPORT_LINES))
    return "".join(lines)


def same_each_time(case, runs):
    """Whether all runs, pairs of a label and a function that runs the case, come out as one; else says how not."""
    first = None
    for label, run in runs:
        ended = run()
        if ended.timed_out:
            suite.not_ok(case.name, f"{label}: not over after {LIMIT} s", show(label, ended) + ended.report)
            return False
        if first is None:
            first, first_label = ended, label
            trouble = case.trouble(ended)
            if trouble:
                expected = "" if case.expected is None else f"--- expected\n{suite.text(case.expected)}"
                suite.not_ok(case.name, trouble, show(label, ended) + expected)
                return False
        elif outcome(ended) != outcome(first):
            suite.not_ok(case.name, f"comes out differently {label}",
                         difference((first_label, label), (first, ended)))
            return False
    return True


def differs_natively(case, shells):
    """Whether two native runs differ, of as many as there are shell commands to run it by."""
    first = None
    for number, shell in enumerate(shells):
        ended = outcome(case.native(number, shell))
        if first is None:
            first = ended
        elif ended != first:
            return True
    return False


def judge(case, runs, natively=None):
    """One case: the same under Stet whatever happens, and natively not, if that is asked."""
    if not same_each_time(case, runs):
        return
    if natively is not None and case.differs and not differs_natively(case, natively):
        suite.not_ok(case.name, "does not differ natively, so it shows nothing")
        return
    suite.ok(case.name)
    subprocess.run(["rm", "-rf", suite.TMP / case.name], check=False)


def build(case):
    compiler = ["g++", "-std=c++17"] if case.path.suffix == ".cc" else ["gcc"]
    command = [*compiler, "-O1", "-Wall", "-Wextra", "-D_GNU_SOURCE", "-pthread", *shlex.split(case.note("flags", "")),
               "-o", case.directory / case.name, case.path, "-lm", "-ldl", "-lrt"]
    built = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if built.returncode != 0:
        suite.not_ok(case.name, "does not build", built.stdout)
    return built.returncode == 0


def run_all(sources, scripts, wanted, test):
    """Builds and tests the cases of two directories: those named, or those that the level reaches."""
    binaries = suite.TMP / "binaries"
    binaries.mkdir(parents=True, exist_ok=True)
    paths = sorted([*sources.glob("*.c"), *sources.glob("*.cc")]) + sorted(scripts.glob("*.sh"))
    cases = [Case(path, binaries) for path in paths]

    def chosen(case):
        return any(word in case.name for word in wanted) if wanted else suite.reaches(case.level)

    def build_and_test(case):
        lacking = case.lacks()
        if lacking:
            suite.skip(case.name, f"this processor has no {lacking}")
        elif not case.is_program or build(case):
            test(case)

    suite.in_parallel(build_and_test, [case for case in cases if chosen(case)])
