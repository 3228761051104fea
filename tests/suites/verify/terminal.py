"""On a terminal: colours, unless nobody wants them, and a line that says how far it is."""

import os
import pty
import re

import suite
from common import check, core, verify

COLOR = re.compile(rb"\x1b\[[0-9;]*m")
DIFFERS = ["--native", "--vary", "host", "--", "uname", "-n"]


def on_terminal(work, *words, **variables):
    """What a terminal gets, and the status."""
    files, temporary = work / "files", work / "temporary"
    for directory in (files, temporary):
        directory.mkdir(exist_ok=True)
    environment = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
    environment |= {"TERM": "xterm", "TMPDIR": str(temporary), **variables}
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(files)
        os.execve(suite.STET, [str(suite.STET), "verify", *words], environment)
    shown = b""
    try:
        while piece := os.read(terminal, 65536):
            shown += piece
    except OSError:  # the other end is closed
        pass
    _, status = os.waitpid(pid, 0)
    os.close(terminal)
    return shown, os.waitstatus_to_exitcode(status)


@core
def test_a_terminal_gets_colours(work):
    shown, status = on_terminal(work, *DIFFERS)
    check(status == 1, f"the status is {status}: {shown}")
    for word in (b"\x1b[31m-stet", b"\x1b[32m+another-host", b"\x1b[1;31mNOT REPRODUCIBLE"):
        check(word in shown, f"there is no {word}: {shown}")
    shown, _ = on_terminal(work, "--", "true")
    check(b"\x1b[1;32mREPRODUCIBLE" in shown, f"{shown}")


@core
def test_who_wants_no_colours_gets_none(work):
    for variables in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
        shown, status = on_terminal(work, *DIFFERS, **variables)
        check(status == 1 and b"NOT REPRODUCIBLE" in shown, f"{variables}: {shown}")
        check(not COLOR.search(shown), f"{variables}: {shown}")
    ended = verify(work, *DIFFERS)
    check(not COLOR.search(ended.out + ended.err), "a file gets colours", ended)


def test_a_line_says_which_run_it_is_and_how_long_it_takes(work):
    shown, status = on_terminal(work, "--runs", "3", "--relax", "time", "--", "sleep", "1")
    check(status == 0, f"the status is {status}: {shown}")
    for number in (1, 2, 3):
        times = [float(time) for time in re.findall(rb"\rstet: run %d of 3: ([0-9.]+) s\x1b\[K" % number, shown)]
        check(times and times == sorted(times) and times[-1] > 0.5, f"run {number}: {times}")
    check(b"\r\x1b[K" in shown.split(b"REPRODUCIBLE")[0], f"the line is not taken away: {shown}")
    shown, _ = on_terminal(work, "-q", "--relax", "time", "--", "sleep", "1")
    check(shown == b"", f"-q is not quiet: {shown}")
