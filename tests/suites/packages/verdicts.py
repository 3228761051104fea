"""What comes of a package, by what Stet and the native build do: a program in Stet's place tells the one, the other is set."""

import json
import pathlib

import builds
import records
import session
from properties import check, core

STET = """#!/usr/bin/python3
import json, pathlib, sys
if sys.argv[1] == "diff":
    sys.exit(print("how they differ") or 1)
document = json.loads(pathlib.Path({document!r}).read_text())
words = sys.argv[1:]
results = pathlib.Path(words[words.index("--output") + 1], "first")
results.mkdir(parents=True)
(results / "a.deb").write_text(document.pop("content", ""))
pathlib.Path(words[words.index("--json") + 1]).write_text(json.dumps(document))
sys.exit("stet: 7 system calls, 100.00 % by the fast path")
"""
BUILT = {"status": 0, "seconds": 2.0, "cpu_seconds": 1.0}
GOOD = {"version": "1", "status": 0, "error": None, "reproducible": True, "differences": [], "builds": [BUILT, BUILT], "image": "/",
        "layer": None}
OTHER = dict(GOOD, status=1, reproducible=False, differences=[{"name": "a.deb", "how": "differs"}])
FAILED = dict(GOOD, status=2, error="the first build failed", reproducible=None, builds=[dict(BUILT, status=2)])
NOT_INSTALLED = dict(FAILED, builds=[], layer="/nowhere/at/all")
NO_DEPENDENCIES = dict(FAILED, builds=[])


class Apt:
    """One package, which is always there."""

    environment = {"PATH": "/usr/bin:/bin"}

    @staticmethod
    def source(_, directory):
        directory.mkdir(parents=True, exist_ok=True)
        dsc = directory / "small_1.dsc"
        dsc.touch()
        return dsc


class Builder(builds.Builder):
    """Counts what it does; natively the build ends with `native_status`."""

    def __init__(self, work):
        self.document = work / "document.json"
        stet = work / "stet"
        stet.write_text(STET.format(document=str(self.document)))
        stet.chmod(0o755)
        super().__init__(stet, work, Apt, "image.tar", 60)
        self.native_status, self.built = 0, 0

    def says(self, document):
        self.document.write_text(json.dumps(document))

    def build(self, package, parallel):
        self.built += 1
        return super().build(package, parallel)

    def native(self, *_):
        return dict(BUILT, status=self.native_status)


class Silent:
    def begin(self, *_):
        pass

    def end(self, *_):
        pass


def result(work, document, native_status=0):
    builder = Builder(work)
    builder.says(document)
    builder.native_status = native_status
    return builder.build("small", 1)


@core
def test_results_are_told_apart(work):
    for i, (document, native_status, expected) in enumerate([
            (GOOD, 0, builds.IDENTICAL), (OTHER, 0, builds.DIFFERS), (FAILED, 0, builds.NOT_UNDER_STET),
            (FAILED, 2, builds.NOT_NATIVELY), (GOOD, 2, builds.NOT_NATIVELY), (NOT_INSTALLED, 0, builds.NOT_UNDER_STET),
            (NO_DEPENDENCIES, 0, builds.TROUBLE)]):
        place = work / str(i)
        place.mkdir()
        found = result(place, document, native_status)["result"]
        check(found == expected, f"{document}, natively {native_status}: {found}, not {expected}")


@core
def test_how_results_differ_is_kept(work):
    record = result(work, OTHER)
    check(record["differences"] == ["a.deb"], f"{record}")
    told = pathlib.Path(work, "packages/small/stet-1/difference").read_text()
    check(told == "how they differ\n", told)


@core
def test_what_is_known_is_not_done_again(work):
    builder = Builder(work)

    def do(build, times=0):
        return session.do_package("small", builder, records.Records(work / "records", build, 1), times, Silent())["result"]

    builder.says(FAILED)
    check(do("one") == builds.NOT_UNDER_STET, "it did not fail")
    builder.says(GOOD)
    check(do("one") == builds.IDENTICAL and builder.built == 2, "what failed is not tried again")
    check(do("one") == builds.IDENTICAL and builder.built == 2, "what is known is done again")
    check(do("another") == builds.IDENTICAL and builder.built == 3, "another build of Stet is not tried")
    check(do("another", times=2) == builds.IDENTICAL and builder.built == 3, "times need another comparison")
    record = records.Records(work / "records", "another", 1).read("small")
    check(len(record["times"]) == 2, f"{record}")


@core
def test_what_is_timed_is_compared_as_well(work):
    builder = Builder(work)
    known = records.Records(work / "records", "one", 1)
    builder.says(GOOD)
    session.do_package("small", builder, known, 0, Silent())
    builder.says(dict(GOOD, content="something else"))
    found = session.do_package("small", builder, known, 1, Silent())
    check(found["result"] == builds.DIFFERS and found["differences"] == ["a.deb"], f"{found}")
