"""What the tests of verdicts share."""

import contextlib
import json
import os
import pathlib
import shutil

import suite
from properties import Failed, Skipped, check, core, full  # noqa: F401

LIMIT = 120  # seconds, for any command
CASES = pathlib.Path(__file__).resolve().parent / "cases"


def verify(work, *words, environment=None, inside=()):
    """`stet verify` with these words, in a directory of its own; nothing may be left of it. `inside` is a command that
    runs it."""
    files, temporary = work / "files", work / "temporary"
    files.mkdir(exist_ok=True)
    temporary.mkdir(exist_ok=True)
    before = tree(files)
    variables = {**os.environ, "TMPDIR": str(temporary), **(environment or {})}
    ended = suite.run([*inside, suite.STET, "verify", *words], files, LIMIT, variables)
    nothing_is_left(temporary, ended)
    check(tree(files) == before, "the directory has changed", ended)
    return ended


def nothing_is_left(temporary, ended=None):
    """Of runs whose copies were in this directory: no files, no mounts, no processes that see them."""
    check(not list(temporary.iterdir()), "something is left in TMPDIR", ended)
    check(not runners(temporary), f"processes are left: {runners(temporary)}", ended)
    mounts = pathlib.Path("/proc/self/mountinfo").read_text()
    check(str(temporary) not in mounts, "something is still mounted", ended)


def runners(temporary):
    """Processes that have a copy in this directory mounted, or as their TMPDIR."""
    found, word = [], os.fsencode(temporary)
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if int(process.name) == os.getpid():
                continue
            if word in (process / "mountinfo").read_bytes() or word in (process / "environ").read_bytes():
                found.append((process / "cmdline").read_bytes().replace(b"\0", b" ").decode())
    return found


def tree(top):
    """Names, modes and contents of all files."""
    return {str(path.relative_to(top)): (path.lstat().st_mode, path.read_bytes() if path.is_file() else b"")
            for path in sorted(top.rglob("*"))}


def expect(ended, status, *words):
    check(ended.status == status, f"the status is {ended.status}, not {status}", ended)
    for word in words:
        check(word in suite.text(ended.err), f"it does not say '{word}'", ended)


def reproducible(work, *words):
    ended = verify(work, *words)
    expect(ended, 0, "stet: REPRODUCIBLE: ")
    return ended


def different(work, *words, environment=None):
    ended = verify(work, *words, environment=environment)
    expect(ended, 1, "stet: NOT REPRODUCIBLE: ")
    return ended


def case(work, name):
    """The files of a case, for the command to run on."""
    shutil.copytree(CASES / name, work / "files")


def document(path):
    found = json.loads(pathlib.Path(path).read_text())
    check(found["kind"] == "verify" and found["stet"], f"the document says {found}")
    return found
