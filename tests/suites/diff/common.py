"""What the tests of comparisons share."""

import json
import os
import pathlib

import suite
from properties import Failed, Skipped, check, core, full  # noqa: F401

LIMIT = 60  # seconds, for any command
LEVELS = ["BITWISE-EQUAL", "CONTENT-EQUAL", "STRUCTURE-EQUAL", "DIFFERENT"]


def run(work, *words, environment=None):
    """`stet diff` with these words, in the directory of the test."""
    return suite.run([suite.STET, "diff", *words], work, LIMIT, environment)


def make(work, **files):
    """Files of a test, by their names: text or bytes."""
    for name, content in files.items():
        (work / name).write_bytes(content if isinstance(content, bytes) else content.encode())


def result(work, a="a", b="b", *options):
    """The document of a comparison; it must be in step with the status."""
    document = pathlib.Path(work) / ".json"
    ended = run(work, "--json", document, *options, a, b)
    check(ended.status in (0, 1) and not ended.err, f"{a} and {b} are not compared", ended)
    found = json.loads(document.read_text())
    check(found["kind"] == "diff" and found["stet"], f"the document says {found}")
    check(found["equal"] == (ended.status == 0), f"status {ended.status}, but the document says {found['equal']}")
    check(found["level"] == found["object"]["level"], "the whole and its root have different levels")
    return found


def findings(found):
    """All that was found: pairs of a path into the nest and a finding."""
    def walk(node, path):
        for finding in node.get("findings", []):
            yield " > ".join(path), finding
        for child in node.get("objects", []):
            yield from walk(child, [*path, child["name"]])
    return list(walk(found["object"], [found["object"]["name"]]))


def expect(found, level, *words, cause=None):
    """One finding has all of these words; the whole has this level."""
    check(found["level"] == level, f"the level is {found['level']}, not {level}: {findings(found)}")
    for path, finding in findings(found):
        said = f"{path}: {finding['what']}"
        if all(word in said for word in words) and (cause is None or finding["cause"] == cause):
            return finding
    raise Failed(f"no finding has {words} and the cause {cause}: {findings(found)}")


def as_ordinary_user():
    return os.geteuid() != 0
