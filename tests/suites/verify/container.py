"""In the container, no condition makes a difference; what a command does is judged, and nothing is left."""

import os
import pathlib
import signal
import subprocess
import time

import suite
from common import check, core, different, document, expect, reproducible, verify

SOURCES = "date; date +%N; echo $$ $PPID; hostname; id; env | sort; umask; nproc; uname -a; ls -lai; pwd; cat /proc/uptime"


@core
def test_conditions_outside_do_not_matter(work):
    ended = reproducible(work, "--", "sh", "-c", SOURCES)
    expect(ended, 0, "2 runs", "digest sha256:", "s each", "times native")


def test_native_run_that_takes_too_long_is_ended(work):
    ended = verify(work, "--timeout", 2, "--", "sleep", 3600)
    expect(ended, 0, "REPRODUCIBLE", "natively more than 2 s")


def test_several_runs_are_compared(work):
    expect(reproducible(work, "--runs", "4", "--", "sh", "-c", SOURCES), 0, "4 runs")


@core
def test_what_is_left_native_is_found(work):
    ended = different(work, "--relax", "time,threads", "--", "date", "+%N")
    check("stdout" in suite.text(ended.out), "the report does not name the output", ended)


def test_files_are_compared(work):
    (work / "files").mkdir()
    (work / "files" / "seen").write_text("here\n")
    ended = different(work, "--entropy", "host", "--", "sh", "-c", "head -c 8 /dev/urandom > x; cat seen")
    check("files/x" in suite.text(ended.out), "the report does not name the file", ended)


def test_files_outside_are_compared(work):
    ended = different(work, "--entropy", "host", "--", "sh", "-c", "head -c 8 /dev/urandom > /opt/x")
    check("opt/x" in suite.text(ended.out), "the report does not name the file", ended)
    check(not os.path.exists("/opt/x"), "the file is on the host")


@core
def test_a_failure_that_is_always_the_same_is_reproducible(work):
    expect(reproducible(work, "--", "sh", "-c", "echo no >&2; exit 3"), 0, "status 3 in each")


def test_failures_that_differ_are_not_reproducible(work):
    ended = different(work, "--entropy", "host", "--", "sh", "-c",
                      "exit $(od -An -N1 -tu1 /dev/urandom | awk '{print 1 + $1 % 200}')")
    expect(ended, 1, "ended with status")


def test_daemons_are_not_left_behind(work):
    name = f"4242{os.getpid() % 1000:03}"
    reproducible(work, "--", "sh", "-c", f"(setsid sleep {name} &) ; echo started")
    found = subprocess.run(["pgrep", "-fx", f"sleep {name}"], capture_output=True).stdout
    check(not found, "the daemon still runs")


def test_a_command_that_is_not_there_is_an_error(work):
    expect(verify(work, "--", "/no/such/command"), 125, "/no/such/command")


def test_a_timeout_is_an_error(work):
    expect(verify(work, "--timeout", "1", "--relax", "time", "--", "sleep", "50"), 125, "--timeout")


def test_each_run_reads_the_same_input(work):
    (work / "files").mkdir()
    (work / "files" / "in").write_text("a line\n")
    ended = suite.run(["sh", "-c", f"{suite.STET} verify --keep ../kept --stdin - -- cat < in"], work / "files", 60,
                      dict(os.environ))
    expect(ended, 0, "REPRODUCIBLE")
    for number in (1, 2):
        check((work / f"kept/run-{number}/stdout").read_text() == "a line\n", f"run {number} read something else")


def test_results_are_kept(work):
    reproducible(work, "--keep", work / "kept", "--", "sh", "-c", "echo out; echo err >&2; echo file > x; exit 2")
    for number in (1, 2):
        run = work / f"kept/run-{number}"
        found = [(run / name).read_text() for name in ("status", "stdout", "stderr", "files/x")]
        check(found == ["2\n", "out\n", "err\n", "file\n"], f"run {number} gave {found}")
    check(sorted(path.name for path in (work / "kept").iterdir()) == ["run-1", "run-2"], "something else is kept")
    expect(verify(work, "--keep", work / "kept", "--", "true"), 125, "not empty")


def test_results_can_be_kept_below_the_current_directory(work):
    (work / "files").mkdir()
    ended = suite.run([suite.STET, "verify", "--keep", "kept", "--", "ls"], work / "files", 60, dict(os.environ))
    expect(ended, 0, "REPRODUCIBLE")
    check((work / "files/kept/run-1/stdout").read_text() == "", "the command sees what is kept")


def test_mounts_are_copied(work):
    (work / "other").mkdir()
    (work / "other" / "x").write_text("before\n")
    reproducible(work, "--mount", f"{work}/other:/other", "--", "sh", "-c", "cat /other/x; echo after > /other/x")
    check((work / "other" / "x").read_text() == "before\n", "the mount was written to")


def test_links_stay_links(work):
    (work / "files").mkdir()
    (work / "files" / "a").write_text("one\n")
    os.link(work / "files" / "a", work / "files" / "b")
    os.symlink("a", work / "files" / "c")
    reproducible(work, "--keep", work / "kept", "--", "sh", "-c", "echo two >> a; readlink c; cat b")
    check((work / "kept/run-2/stdout").read_text() == "a\none\ntwo\n", "the copy has other links")


def test_the_document_tells_all(work):
    reproducible(work, "--json", work / "json", "--", "true")
    found = document(work / "json")
    check(found["reproducible"] and len(found["runs"]) == 2 and found["ratio"] > 0, f"it says {found}")
    check(found["runs"][0]["digest"] == found["runs"][1]["digest"], f"it says {found}")
    different(work, "--json", work / "json", "--relax", "time,threads", "--", "date", "+%N")
    found = document(work / "json")
    check(not found["reproducible"] and found["difference"]["objects"], f"it says {found}")


def test_the_page_shows_what_differs(work):
    different(work, "--html", work / "page", "--relax", "time,threads", "--", "date", "+%N")
    page = (work / "page").read_text()
    for word in ("stdout", '<span class="badge different">NOT REPRODUCIBLE</span>', "<h1>stet verify date +%N</h1>",
                 "in the container", "status 0, "):
        check(word in page, f"the page does not say {word}")
    ended = reproducible(work, "--html", work / "page", "--", "echo", "<b>", "&amp;")
    page = (work / "page").read_text()
    digest = suite.text(ended.err).split("digest ")[1].split(",")[0]
    for word in ("BITWISE-EQUAL", "<title>REPRODUCIBLE: stet verify echo &lt;b&gt; &amp;amp;</title>", "times native",
                 "Nothing differs."):
        check(word in page, f"the page does not say {word}")
    check(page.count(digest) == 2, f"{digest} is not that of both runs")


@core
def test_bad_options_are_one_clear_line(work):
    for words, said in [(["--runs", "1", "--", "true"], "--runs"), (["--vary", "weather", "--", "true"], "among time"),
                        (["--vary", "", "--", "true"], "--vary"), (["--bisect", "--", "true"], "needs --native"),
                        (["--native", "--vary", "none", "--", "true"], "--vary"), ([], "usage: stet verify"),
                        (["--save", "x", "--", "true"], "--save"), (["--keep", "/proc/x", "--", "true"], "--keep")]:
        ended = verify(work, *words)
        expect(ended, 125, said)
        check(suite.text(ended.err).count("\n") == 1, "there is more than one line", ended)


def test_quiet_says_nothing(work):
    for words, status in [(["true"], 0), (["--relax", "time,threads", "date", "+%N"], 1)]:
        ended = verify(work, "-q", *words)
        check((ended.status, ended.out, ended.err) == (status, b"", b""), "it says something", ended)


def test_a_signal_leaves_nothing(work):
    for number in (signal.SIGINT, signal.SIGTERM):
        temporary = pathlib.Path(work) / f"temporary-{number}"
        temporary.mkdir()
        process = subprocess.Popen([suite.STET, "verify", "--relax", "time", "--", "sleep", "56789"], cwd=work,
                                   env={**os.environ, "TMPDIR": str(temporary)}, stderr=subprocess.DEVNULL)
        while not list(temporary.glob("*/run-1/stdout")):
            time.sleep(0.05)
        time.sleep(0.5)
        process.send_signal(number)
        status = process.wait(30)
        check(status == -number, f"the status is {status} after signal {number}")
        check(not list(temporary.iterdir()), "something is left in TMPDIR")
