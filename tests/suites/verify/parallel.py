"""Runs at the same time: the same report as one after the other, and nothing left of any of them."""

import contextlib
import os
import signal
import subprocess
import time

import suite
from common import check, core, different, document, expect, nothing_is_left, runners, verify


def without_times(found):
    return {**found, "runs": [{**run, "seconds": 0} for run in found["runs"]], "ratio": None}


@core
def test_the_report_is_that_of_runs_one_after_the_other(work):
    for name, words in [("same", ["--runs", "3", "--", "sh", "-c", "date; ls -i; echo x > file"]),
                        ("host", ["--native", "--vary", "host,time", "--epoch", "@9", "--runs", "4", "--", "sh", "-c",
                                  "uname -n; date > file"])]:
        ended, documents = [], []
        for parallel in ([], ["--parallel"]):
            own = work / f"{name}{len(parallel)}"
            own.mkdir()
            ended.append(verify(own, "--json", own / "json", *parallel, *words))
            documents.append(without_times(document(own / "json")))
        check(ended[0].status == ended[1].status and ended[0].out == ended[1].out, "the reports differ", ended[1])
        check(documents[0] == documents[1], f"the documents differ: {documents}")


def test_the_first_that_differs_is_told(work):
    ended = different(work, "--parallel", "--runs", "5", "--entropy", "host", "--keep", work / "kept", "--", "sh", "-c",
                      "od -An -N8 -tx1 /dev/urandom")
    expect(ended, 1, "run 2 of 5 differs")
    check(sorted(path.name for path in (work / "kept").iterdir()) == ["run-1", "run-2"], "something else is kept")


def test_the_error_of_a_run_ends_the_others(work):
    ended = verify(work, "--parallel", "--runs", "3", "--", "/no/such/command")
    expect(ended, 125, "run 1 of 3: cannot run /no/such/command")
    check(suite.text(ended.err).count("\n") == 1, "there is more than one line", ended)


def test_one_input_is_for_all(work):
    (work / "files").mkdir()
    (work / "files" / "in").write_text("a line\n")
    ended = suite.run(["sh", "-c", f"{suite.STET} verify --parallel --keep ../kept --stdin - -- cat < in"],
                      work / "files", 60, dict(os.environ))
    expect(ended, 0, "REPRODUCIBLE")
    for number in (1, 2):
        check((work / f"kept/run-{number}/stdout").read_text() == "a line\n", f"run {number} read something else")


def sleepers(seconds):
    found = subprocess.run(["pgrep", "-fx", f"sleep {seconds}"], capture_output=True, text=True).stdout
    return [int(pid) for pid in found.split()]


@contextlib.contextmanager
def two_sleepers(work, seconds, temporary):
    """Two runs that sleep at the same time."""
    temporary.mkdir()
    process = subprocess.Popen([suite.STET, "verify", "--parallel", "--relax", "time", "--", "sleep", seconds],
                               cwd=work, env={**os.environ, "TMPDIR": str(temporary)}, stderr=subprocess.DEVNULL)
    try:
        end = time.monotonic() + 60
        while len(sleepers(seconds)) < 2:
            check(time.monotonic() < end and process.poll() is None, "there are never two runs at the same time")
            time.sleep(0.05)
        yield process
    finally:
        process.kill()
        process.wait()


@core
def test_runs_have_cpus_of_their_own(work):
    seconds = f"6{os.getpid():09}"
    with two_sleepers(work, seconds, work / "temporary"):
        one, two = (os.sched_getaffinity(pid) for pid in sleepers(seconds))
        if len(os.sched_getaffinity(0)) >= 2:
            check(one and two and not one & two, f"both run on {one & two}")
        else:
            check(one == two == os.sched_getaffinity(0), f"they run on {one} and {two}")


def test_a_kill_leaves_nothing_of_any_run(work):
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL):
        seconds, temporary = f"7{os.getpid():09}", work / f"temporary-{number}"
        with two_sleepers(work, seconds, temporary) as process:
            process.send_signal(number)
            status = process.wait(30)
            check(status == -number, f"the status is {status} after signal {number}")
            end = time.monotonic() + (20 if number == signal.SIGKILL else 0)
            while time.monotonic() < end and (runners(temporary) or list(temporary.iterdir())):
                time.sleep(0.05)
            nothing_is_left(temporary)
            check(not sleepers(seconds), "a command still runs")
