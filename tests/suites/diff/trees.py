"""Directories: types, attributes, links, and trees of unusual shapes."""

import contextlib
import json
import os
import pathlib
import random
import subprocess
import time

import suite
from common import Skipped, as_ordinary_user, check, core, expect, findings, full, result, run


def trees(work, **files):
    """Two directories a and b with the same files."""
    for side in ("a", "b"):
        for name, content in files.items():
            path = work / side / name.replace("__", "/")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content)


@core
def test_equal_trees_are_bitwise_equal_and_counted(work):
    trees(work, one="1\n", sub__two="2\n", sub__deep__three="3\n")
    found = result(work)
    check(found["level"] == "BITWISE-EQUAL", f"they differ: {findings(found)}")
    check(found["counts"]["BITWISE-EQUAL"] == 6, f"{found['counts']}")


@core
def test_what_differs_is_named_by_its_path(work):
    trees(work, one="1\n", sub__two="2\n")
    (work / "b/sub/two").write_text("3\n")
    found = result(work)
    expect(found, "STRUCTURE-EQUAL", "sub/two: 1 of 1 lines differ")
    check(found["counts"]["BITWISE-EQUAL"] == 2, f"{found['counts']}")


def test_what_only_one_side_has_is_one_object_with_its_names(work):
    trees(work, one="1\n")
    (work / "a/gone/deep").mkdir(parents=True)
    (work / "a/gone/deep/file").write_text("x")
    (work / "b/new").write_text("x")
    found = result(work)
    expect(found, "DIFFERENT", "new: only in B")
    excerpt = expect(found, "DIFFERENT", "gone: only in A, with 2 entries below")["excerpt"]
    check(excerpt == "-gone/deep\n-gone/deep/file\n", excerpt)


def test_types_are_compared(work):
    trees(work, thing="x", link="x", dir="x")
    (work / "b/thing").unlink()
    (work / "b/thing").symlink_to("elsewhere")
    for side, target in (("a", "one"), ("b", "two")):
        (work / side / "link").unlink()
        (work / side / "link").symlink_to(target)
        os.mkfifo(work / side / "fifo")
    (work / "b/dir").unlink()
    (work / "b/dir").mkdir()
    found = result(work)
    expect(found, "DIFFERENT", "thing: type: file, symbolic link")
    expect(found, "DIFFERENT", "link: target: one, two")
    expect(found, "DIFFERENT", "dir: type: file, directory")


def test_a_mode_that_a_umask_explains_leaves_the_content_equal(work):
    trees(work, one="1\n", two="2\n")
    (work / "a/one").chmod(0o644)
    (work / "b/one").chmod(0o664)
    expect(result(work), "CONTENT-EQUAL", "one: mode: 0644, 0664", cause="umask")
    (work / "b/two").chmod(0o744)
    expect(result(work), "STRUCTURE-EQUAL", "two: mode: 0644, 0744")


def test_owners_are_compared(work):
    if as_ordinary_user():
        raise Skipped("only root can give files away")
    trees(work, one="1\n")
    os.chown(work / "b/one", 1, 2)
    expect(result(work), "CONTENT-EQUAL", "one: owner: 0:0, 1:2", cause="user or group")


def test_hard_links_are_compared(work):
    trees(work, one="1\n", two="1\n")
    (work / "a/two").unlink()
    os.link(work / "a/one", work / "a/two")
    expect(result(work), "CONTENT-EQUAL", "two: hard link to: one, none")


def test_extended_attributes_are_compared(work):
    trees(work, one="1\n")
    try:
        os.setxattr(work / "b/one", "user.note", b"hi")
    except OSError as error:
        raise Skipped(f"extended attributes: {error}")
    expect(result(work), "STRUCTURE-EQUAL", "one: extended attribute user.note: none, 6869")


@core
def test_times_are_only_compared_when_asked_for(work):
    trees(work, one="1\n")
    os.utime(work / "a/one", ns=(1, 1_000_000_001))
    check(result(work)["level"] == "BITWISE-EQUAL", "times are compared")
    expect(result(work, "a", "b", "--times"), "CONTENT-EQUAL", "one: time of change: 1970-01-01T00:00:01.000000001Z",
           cause="date or time")


def test_links_are_not_followed(work):
    trees(work, one="1\n")
    for side in ("a", "b"):
        (work / side / "loop").symlink_to(".")
        (work / side / "out").symlink_to("/")
    check(result(work)["counts"]["BITWISE-EQUAL"] == 4, "something was followed")


def test_links_given_as_arguments_are_followed(work):
    trees(work, one="1\n")
    (work / "link").symlink_to("a")
    check(result(work, "link", "b")["counts"]["BITWISE-EQUAL"] == 2, "the link was compared")


def test_what_cannot_be_read_is_told_and_the_rest_compared(work):
    if not as_ordinary_user():
        raise Skipped("root can read everything")
    trees(work, locked="1\n", open="1\n", sub__file="x")
    (work / "a/locked").chmod(0)
    (work / "b/sub").chmod(0)
    (work / "b/open").write_text("2\n")
    try:
        found = result(work)
        expect(found, "DIFFERENT", "locked: cannot be read in A: Permission denied")
        expect(found, "DIFFERENT", "sub: cannot be read in B: Permission denied")
        expect(found, "DIFFERENT", "open: 1 of 1 lines differ")
    finally:
        (work / "b/sub").chmod(0o755)


test_what_cannot_be_read_is_told_and_the_rest_compared.level = "core"


def make_deep(root, levels, leaf):
    root.mkdir()
    at = os.open(root, os.O_RDONLY)
    for _ in range(levels):
        os.mkdir("d" * 50, dir_fd=at)
        below = os.open("d" * 50, os.O_RDONLY, dir_fd=at)
        os.close(at)
        at = below
    file = os.open("leaf", os.O_CREAT | os.O_WRONLY, dir_fd=at)
    os.write(file, leaf)
    os.close(file)
    os.close(at)


def test_trees_deeper_than_paths_may_be_are_compared(work):
    make_deep(work / "a", 1200, b"one\n")
    make_deep(work / "b", 1200, b"two\n")
    (work / "c").mkdir()
    expect(result(work), "STRUCTURE-EQUAL", "d/leaf: 1 of 1 lines differ")
    expect(result(work, "a", "c"), "DIFFERENT", "only in A, with 1200 entries below")
    subprocess.run(["rm", "-r", work / "a", work / "b"], check=True)


def test_many_entries_are_matched_whatever_their_order(work):
    names = [f"file-{i}" for i in range(20000)]
    for side, order in (("a", names), ("b", list(reversed(names)))):
        (work / side).mkdir()
        for name in order:
            (work / side / name).touch()
    (work / "b/file-77").write_text("x")
    found = result(work)
    expect(found, "DIFFERENT", "file-77: A is empty, B has 1 bytes")
    check(found["counts"]["BITWISE-EQUAL"] == 19999, f"{found['counts']}")


@full
def test_a_million_entries_are_compared_in_little_memory(work):
    """Half of them in one directory."""
    for side in ("a", "b"):
        for directory in ("flat", *(f"nested/{i}" for i in range(1000))):
            (work / side / directory).mkdir(parents=True)
        names = [f"flat/{i}" for i in range(500_000)] + [f"nested/{i % 1000}/{i}" for i in range(500_000)]
        subprocess.run(["xargs", "touch"], cwd=work / side, input="\n".join(names), text=True, check=True)
    (work / "b/flat/77777").write_text("x")
    ended = suite.run(["sh", "-c", f"ulimit -v 400000; exec {suite.STET} diff --json json a b"], work, 600)
    check(ended.status == 1, "there is no report", ended)
    found = json.loads((work / "json").read_text())
    expect(found, "DIFFERENT", "flat/77777: A is empty, B has 1 bytes")
    check(found["counts"]["BITWISE-EQUAL"] == 999_999 + 1002, f"{found['counts']}")
    subprocess.run(["rm", "-r", work / "a", work / "b"], check=True)


@full
def test_equal_trees_of_10_gb_are_compared_at_the_speed_of_reading_them(work):
    if os.statvfs(work).f_bavail * os.statvfs(work).f_frsize < 24 << 30:
        raise Skipped("less than 24 GB are free")
    make_large(work / "a")
    subprocess.run(["cp", "-a", "--reflink=never", work / "a", work / "b"], check=True)
    os.sync()
    reading, comparing = [], []
    for _ in range(2):
        reading.append(seconds(["sh", "-c", f"find {work}/a {work}/b -type f -exec cat {{}} + > /dev/null"]))
        comparing.append(seconds([suite.STET, "diff", "-q", work / "a", work / "b"]))
    subprocess.run(["rm", "-r", work / "a", work / "b"], check=True)
    check(min(comparing) < 1.25 * min(reading), f"reading takes {reading} s, comparing {comparing} s")


def make_large(root):
    """10 GB in files of all sizes, without holes or anything that could be shared."""
    rng = random.Random(1)
    for count, size in ((1, 3_000_000_000), (8, 500_000_000), (2000, 1_250_000), (20_000, 25_000)):
        for i in range(count):
            path = root / str(size) / str(i % 100) / str(i)
            path.parent.mkdir(parents=True, exist_ok=True)
            with open(path, "wb") as file:
                for left in range(size, 0, -1 << 20):
                    file.write(rng.randbytes(min(left, 1 << 20)))


def seconds(command):
    started = time.monotonic()
    ended = subprocess.run([str(word) for word in command], check=False)
    check(ended.returncode == 0, f"{command[0]} ended with {ended.returncode}")
    return time.monotonic() - started


def change_all_the_time(work):
    """Files and directories come, go, grow, shrink and become something else, until the event is set."""
    def change(pid, over):
        rng = random.Random(4)
        while not over.is_set():
            path = work / rng.choice("ab") / str(rng.randrange(20)) / str(rng.randrange(20))
            with contextlib.suppress(OSError):
                rng.choice([path.unlink, lambda: path.write_bytes(rng.randbytes(rng.randrange(100_000))),
                            lambda: os.truncate(path, rng.randrange(50_000)), path.mkdir, path.rmdir,
                            lambda: path.symlink_to("x"), lambda: path.parent.rename(path.parent.with_name("other")),
                            lambda: path.parent.with_name("other").rename(path.parent), lambda: path.chmod(0)])()
    return change


def test_trees_that_change_meanwhile_have_a_report_or_a_clear_line(work):
    rng = random.Random(5)
    for side in ("a", "b"):
        for i in range(20):
            (work / side / str(i)).mkdir(parents=True)
            for j in range(20):
                (work / side / str(i) / str(j)).write_bytes(rng.randbytes(50_000))
    for _ in range(20):
        ended = suite.run([suite.STET, "diff", "a", "b"], work, 60, None, change_all_the_time(work))
        check(ended.status in (1, 125), "it did not end well", ended)
        if ended.status == 125:
            lines = ended.err.decode().splitlines()
            check(len(lines) == 1 and "while it was compared" in lines[0], "it does not say why", ended)


def test_loops_of_links_and_of_paths_end(work):
    """Links to each other, to themselves, upwards, and hard links across: none is a way that is walked."""
    for side in ("a", "b"):
        top = work / side
        (top / "x/y").mkdir(parents=True)
        for name, target in (("x/up", ".."), ("x/y/top", "../.."), ("one", "two"), ("two", "one"), ("self", "self"),
                             ("other", f"../{'b' if side == 'a' else 'a'}")):
            (top / name).symlink_to(target)
        (top / "file").write_text("1\n")
        os.link(top / "file", top / "x/y/file")
    found = result(work, "a", "b", "--level", "structure")
    check({path for path, _ in findings(found)} == {". > other"}, f"{findings(found)}")
    ended = run(work, "a/one", "b")
    check(ended.status == 125 and b"Too many levels of symbolic links" in ended.err, "a loop is no trouble", ended)


@core
def test_results_of_runs_are_compared(work):
    for side, word in (("a", "one"), ("b", "two")):
        ended = suite.run([suite.STET, "run", "--save", work / side, "--", "sh", "-c",
                           f"echo {word} > /srv/file; rm -f /etc/motd"], work, 60)
        if ended.status:
            raise Skipped(f"stet run: {suite.text(ended.err)}")
    finding = expect(result(work), "STRUCTURE-EQUAL", "srv/file: 1 of 1 lines differ")
    check("-one\n+two\n" in finding["excerpt"], str(finding))


def test_names_of_all_kinds_are_printed_harmlessly(work):
    for name in (b"new\nline", b"esc\x1b[31m", b"latin-\xe9", "right-\u202eleft".encode()):
        for side in (b"a", b"b"):
            path = pathlib.Path(os.fsdecode(os.path.join(os.fsencode(work), side, name)))
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(side)
    ended = run(work, "a", "b")
    shown = ended.out.decode()
    check(r"new\012line" in shown and r"esc\033[31m" in shown and r"latin-\351" in shown, "names are missing", ended)
    check("\x1b" not in shown and "\u202e" not in shown, "control characters are printed", ended)
    found = result(work)
    check({child["name"] for child in found["object"]["objects"]} >= {"new\nline", r"bytes:latin-\351"}, str(found))
