"""The command: options, statuses, reports."""

import json
import os
import re

import suite
from common import LIMIT, check, core, make, result, run

PAIRS = {
    "equal": ("same\n", "same\n", {"bits": 0, "content": 0, "structure": 0}),
    "content": ("same\n", "\ufeffsame\n", {"bits": 1, "content": 0, "structure": 0}),
    "structure": ("one\n", "two\n", {"bits": 1, "content": 1, "structure": 0}),
    "different": ("one\n", "one\ntwo\n", {"bits": 1, "content": 1, "structure": 1}),
}


@core
def test_the_status_says_whether_they_are_equal_at_the_level(work):
    for a, b, statuses in PAIRS.values():
        make(work, a=a, b=b)
        for level, status in statuses.items():
            ended = run(work, "--level", level, "a", "b")
            check(ended.status == status, f"at the level {level}", ended)
        check(run(work, "a", "b").status == statuses["bits"], "the default is not bits")


@core
def test_the_verdict_is_the_last_line(work):
    for a, b, level in (("x", "x", "BITWISE-EQUAL"), ("x\n", "x\ny\n", "DIFFERENT")):
        make(work, a=a, b=b)
        last = run(work, "a", "b").out.decode().splitlines()[-1]
        check(last.startswith(f"a and b: {level}, 1 object"), last)


@core
def test_trouble_is_one_line_and_125(work):
    make(work, a="x", b="y")
    os.mkfifo(work / "fifo")
    for words, said in (
            (["a", "missing"], "cannot compare missing: No such file or directory"),
            (["fifo", "a"], "cannot compare fifo: it is a FIFO"),
            (["a", "/dev/null"], "it is a device"),
            (["a"], "two things are needed"),
            (["a", "b", "c"], "'c' is too much"),
            (["--level", "bit", "a", "b"], "must be structure, content or bits"),
            (["--color", "red", "a", "b"], "must be auto, always or never"),
            (["--memory-limit", "x", "a", "b"], "--memory-limit"),
            (["--json", "/nowhere/x", "a", "b"], "--json: cannot write /nowhere/x"),
            (["--json", ".", "a", "b"], "--json: cannot write .: Is a directory")):
        ended = run(work, *words)
        lines = ended.err.decode().splitlines()
        check(ended.status == 125 and len(lines) == 1, f"{words}", ended)
        check(lines[0].startswith("stet: ") and said in lines[0], f"{words}", ended)


def test_a_file_and_a_directory_are_different(work):
    make(work, a="x")
    (work / "b").mkdir()
    ended = run(work, "a", "b")
    check(ended.status == 1 and b"A is a file, B is a directory" in ended.out, "a wrong report", ended)


@core
def test_quiet_says_nothing(work):
    make(work, a="x", b="y")
    ended = run(work, "-q", "a", "b")
    check(ended.status == 1 and not ended.out and not ended.err, "it speaks", ended)


def test_options_may_stand_behind(work):
    make(work, a="one\n", b="two\n")
    check(run(work, "a", "b", "--level", "structure").status == 0, "the option was not seen")
    make(work, **{"-x": "one\n"})
    check(run(work, "--", "-x", "a").status == 0, "words behind -- are taken for options")


def test_json_on_standard_output_is_all_of_it(work):
    make(work, a="x", b="y")
    ended = run(work, "--json", "-", "a", "b")
    document = json.loads(ended.out)
    check(document["kind"] == "diff" and document["a"] == "a" and document["asked"] == "bits", str(document))


def test_documents_that_cannot_be_written_leave_the_old_ones(work):
    make(work, a="x" * 2000, b="y" * 2000)
    for option in ("--json", "--html"):
        make(work, old="the old one")
        # Beyond 512 bytes of a file, writing fails with EFBIG.
        full = "trap '' XFSZ; ulimit -f 1; exec \"$0\" diff \"$@\""
        ended = suite.run(["sh", "-c", full, suite.STET, option, "old", "a", "b"], work, LIMIT)
        lines = ended.err.decode().splitlines()
        check(ended.status == 125 and len(lines) == 1 and "cannot write" in lines[0], "a document too large", ended)
        check((work / "old").read_text() == "the old one", f"{option}: nothing is left of the old one")
        check(sorted(os.listdir(work)) == ["a", "b", "old"], f"{os.listdir(work)} is left")
        check(run(work, option, "old", "a", "b").status == 1, "it is not written")
        check("the old one" not in (work / "old").read_text(), f"{option}: the old one is still there")


def test_json_leaves_the_report_out_unless_it_is_wanted(work):
    make(work, a="x", b="y")
    check(not run(work, "--json", "j", "a", "b").out, "the report is printed")
    check(b"STRUCTURE-EQUAL" in run(work, "--json", "j", "--text", "a", "b").out, "the report is not printed")


def test_what_is_ignored_counts_for_nothing(work):
    for side in ("a", "b"):
        (work / side / "build/deep").mkdir(parents=True)
        (work / side / "build/deep/x.o").write_text(side)
        (work / side / "x.log").write_text(side)
    check(result(work)["level"] == "STRUCTURE-EQUAL", "nothing differs")
    for patterns in (["build", "*.log"], ["build/deep/x.o", "x.log"], ["x.o", "x.*"], ["deep", "x.log"]):
        options = [word for pattern in patterns for word in ("--ignore", pattern)]
        found = result(work, "a", "b", *options)
        check(found["level"] == "BITWISE-EQUAL" and found["counts"]["ignored"] >= 2, f"{patterns}: {found}")


def test_colours_are_for_terminals(work):
    make(work, a="x", b="y")
    check(b"\033[" not in run(work, "a", "b").out, "a file gets colours")
    check(b"\033[31m-x\033[0m" in run(work, "--color", "always", "a", "b").out, "there are no colours")
    environment = {**os.environ, "NO_COLOR": "1"}
    check(b"\033[" not in run(work, "a", "b", environment=environment).out, "NO_COLOR is not honoured")


def test_what_is_folded_is_counted_and_shown_in_full(work):
    make(work, a="".join(f"a{i}\n" for i in range(50)), b="".join(f"b{i}\n" for i in range(50)))
    folded, full = run(work, "a", "b").out.decode(), run(work, "--full", "a", "b").out.decode()
    check(re.search(r"^    \.\.\. \d+ more lines$", folded, re.MULTILINE), folded)
    check("+b49" in full and "more lines" not in full, full)


def test_control_characters_of_excerpts_do_not_reach_the_terminal(work):
    lines = "just text\n" * 20
    make(work, a=lines + "x\033]0;title\007\n", b=lines + "y\033]0;title\007\n")
    out = run(work, "a", "b").out
    check(b"\033" not in out and b"\007" not in out and rb"x\033]0;title\007" in out, out.decode())


def test_help_tells_the_levels(work):
    ended = run(work, "--help")
    check(ended.status == 0 and b"CONTENT-EQUAL" in ended.out and b"--ignore" in ended.out, "no help", ended)
