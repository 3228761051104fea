"""What the tests of verdicts share."""

import json
import os
import pathlib
import shutil

import suite
from properties import Failed, Skipped, check, core, full  # noqa: F401

LIMIT = 120  # seconds, for any command
CASES = pathlib.Path(__file__).resolve().parent / "cases"


def verify(work, *words, environment=None):
    """`stet verify` with these words, in a directory of its own; nothing may be left of it."""
    files, temporary = work / "files", work / "temporary"
    files.mkdir(exist_ok=True)
    temporary.mkdir(exist_ok=True)
    before = tree(files)
    variables = {**os.environ, "TMPDIR": str(temporary), **(environment or {})}
    ended = suite.run([suite.STET, "verify", *words], files, LIMIT, variables)
    check(not list(temporary.iterdir()), "something is left in TMPDIR", ended)
    check(tree(files) == before, "the directory has changed", ended)
    return ended


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
