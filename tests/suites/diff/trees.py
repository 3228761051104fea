"""Directories: types, attributes, links, and trees of unusual shapes."""

import os
import pathlib
import subprocess

import suite
from common import Skipped, as_ordinary_user, check, core, expect, findings, result, run


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
