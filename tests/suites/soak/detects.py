"""What a soak says of Stet, and of Stets that do wrong."""

import os
import pathlib
import re
import sys

import suite
from properties import Skipped, check, core

SOAK = pathlib.Path(__file__).resolve().parent.parent.parent / "soak" / "run"
CASES = ["sources/hello", "sources/exec_mkstemp", "concurrency/thread_output_order"]
LIMIT = 240


def soak(work, *words, stet=suite.STET):
    """The status and the last line of a soak, and all that it says."""
    ended = suite.run([sys.executable, SOAK, "--stet", stet, "--work", work / "soak", "--level", "core", "--patience", 2,
                       *words], work, LIMIT)
    check(not ended.timed_out, "the soak does not end", ended)
    match = re.search(r"^(\d+) runs, (\d+) kills, (\d+) failures$", ended.out.decode().splitlines()[-1])
    check(match, "no summary", ended)
    return ended, [int(number) for number in match.groups()]


def faulty(work, script):
    """A Stet that does something else as well; `$STET` is the true one."""
    path = work / "faulty-stet"
    path.write_text(f"#!/bin/bash\n{script}\n".replace("$STET", str(suite.STET)))
    path.chmod(0o755)
    return path


def finds(work, script, what, *words):
    """Every run fails for this reason, the soak goes on, and keeps what it knows."""
    ended, (runs, _, failures) = soak(work, "--seed", 4, "--runs", 3, "--jobs", 1, "--no-kills", *words, "hello",
                                      stet=faulty(work, script))
    check(ended.status == 1 and runs == 3 and failures == 3, f"{failures} failures in {runs} runs", ended)
    reports = [path.read_text() for path in (work / "soak" / "failures").glob("*/report")]
    check(len(reports) == 3 and all(what in report for report in reports), f"not for '{what}'", ended)
    check(all("again: tests/soak/run --seed 4" in report for report in reports), "no way to repeat it", ended)


@core
def test_finds_nothing_wrong_with_stet(work):
    ended, (runs, kills, failures) = soak(work, "--seed", 7, "--runs", 30, *CASES)
    check(ended.status == 0 and failures == 0, "there are failures", ended)
    check(runs == 30 and kills > 0, f"{runs} runs, {kills} kills", ended)


@core
def test_ends_in_time(work):
    ended, (runs, _, failures) = soak(work, "--seed", 8, "--minutes", 0.05, *CASES)
    check(ended.status == 0 and runs > 0 and failures == 0, "there are failures, or no runs", ended)


def test_no_case_that_this_processor_cannot_run(work):
    case = "cpu_faulting_equals_rewritten"
    ended, _ = soak(work, "--dry-run", "--runs", 5, "--seed", 1, case)
    able = "cpuid_fault" in pathlib.Path("/proc/cpuinfo").read_text().split()
    check((case in ended.out.decode()) == able, "it is not there" if able else "it is there", ended)


def test_same_seed_means_the_same_runs(work):
    first, second, other = (soak(work, "--dry-run", "--runs", 50, "--seed", seed)[0].out for seed in (1, 1, 2))
    check(first == second, "two soaks with one seed differ")
    check(first != other, "two seeds are the same")


def test_finds_another_outcome(work):
    script = 'word=$1; shift; [ "$word" != run ] || set -- --seed "$(date +%N)" "$@"; exec $STET "$word" "$@"'
    ended, (runs, _, failures) = soak(work, "--seed", 4, "--runs", 8, "--no-kills", "shuffles",
                                      stet=faulty(work, script))
    check(ended.status == 1 and failures >= 3, f"{failures} failures in {runs} runs", ended)
    check(b"not as it was first" in ended.out, "not for that reason", ended)


@core
def test_finds_processes(work):
    finds(work, 'sleep 1000 & exec $STET "$@"', "processes left")


@core
def test_finds_temporary_files(work):
    finds(work, 'touch "$TMPDIR/left"; exec $STET "$@"', "temporary files left")


def test_finds_a_stet_that_does_not_end(work):
    finds(work, "exec sleep 1000", "not over after 1 s", "--limit", 1)


def test_finds_a_stet_that_dies(work):
    finds(work, "kill -SEGV $$", "Stet died of signal 11")


def test_finds_mounts(work):
    if os.geteuid() != 0:
        raise Skipped("only root can mount")
    finds(work, 'mkdir -p /dev/shm/m; mount -t tmpfs none /dev/shm/m; exec $STET "$@"', "mounts left")


def test_finds_shared_memory(work):
    if os.geteuid() != 0:
        raise Skipped("only root has System V objects of its own to leave")
    finds(work, 'ipcmk -M 100 >/dev/null; exec $STET "$@"', "System V objects left")
