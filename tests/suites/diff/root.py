"""ROOT files: real pairs, and made ones."""

import os
import pathlib
import random
import re
import subprocess
import time

import suite
from common import Skipped, check, core, expect, findings, full, result, run
from root_files import BEGIN, NOON, RootFile, blocks

REAL = pathlib.Path(__file__).resolve().parent / "root-files"
HOLE = 5 << 30
COLUMNS = ["objects", "ignored", "not equal", "structure equal", "content equal", "bitwise equal"]

# The whole's level, and the table of ROOT_diff.
PAIRS = {
    ("rootdiff-fx1", "rootdiff-fx2"): ("CONTENT-EQUAL", 13, 6, 0, 0, 7, 0),
    ("rootdiff-r1", "rootdiff-r2"): ("STRUCTURE-EQUAL", 13, 6, 0, 4, 3, 0),
    ("rootdiff-t1", "rootdiff-t2"): ("STRUCTURE-EQUAL", 16, 6, 0, 2, 8, 0),
    ("uproot-issue-60a", "uproot-issue-60b"): ("CONTENT-EQUAL", 6, 4, 0, 0, 2, 0),
    ("uproot-sample-6.20.04-zlib", "uproot-sample-6.20.04-lz4"): ("CONTENT-EQUAL", 416, 4, 0, 0, 412, 0),
    ("uproot-issue-60a", "string-example"): ("DIFFERENT", 9, 4, 5, 0, 0, 0),
}


def table(found):
    shown = [finding["excerpt"] for _, finding in findings(found) if "by level" in finding["what"]]
    check(len(shown) == 1, f"{len(shown)} tables")
    return dict(re.fullmatch(r"(.*?) +(\d+)", line).groups() for line in shown[0].splitlines())


def expect_table(found, level, *numbers):
    check(found["level"] == level, f"{found['level']}, not {level}: {findings(found)}")
    wanted = {column: str(number) for column, number in zip(COLUMNS, numbers, strict=True)}
    check(table(found) == wanted, f"{table(found)}, not {wanted}")


def real(name):
    return REAL / f"{name}.root"


@core
def test_root_pairs_have_the_tables_of_root_diff(work):
    for (a, b), expected in PAIRS.items():
        expect_table(result(work, real(a), real(b)), *expected)


def test_root_counts_in_the_document_are_those_of_the_table(work):
    found = result(work, real("rootdiff-r1"), real("rootdiff-r2"))
    counts = found["counts"]
    # The file itself is an object of the document, too.
    check(counts == {"BITWISE-EQUAL": 0, "CONTENT-EQUAL": 3, "STRUCTURE-EQUAL": 4 + 1, "DIFFERENT": 0, "ignored": 6},
          f"the counts are {counts}")


def test_root_bookkeeping_is_reported_as_ignored(work):
    found = result(work, real("rootdiff-fx1"), real("rootdiff-fx2"))
    ignored = {child["name"] for child in found["object"]["objects"] if child.get("ignored")}
    check(ignored == {"TFile", "KeysList", "example/KeysList", "StreamerInfo", "FreeSegments",
                      "example;1 (TDirectory)"}, f"ignored are {ignored}")


@core
def test_root_report_shows_the_table(work):
    ended = run(work, "--level", "content", real("rootdiff-fx1"), real("rootdiff-fx2"))
    shown = [line.split() for line in ended.out.decode().splitlines() if line.startswith("    ")]
    check(ended.status == 0 and ["content", "equal", "7"] in shown, "no table", ended)


def test_root_trees_know_the_order_of_their_baskets(work):
    found = result(work, real("rootdiff-t1"), real("rootdiff-t2"))
    expect(found, "STRUCTURE-EQUAL", "example/tree;1 (TTree)", "baskets in another order", cause="order of entries")


def test_root_trees_in_other_compression_are_equal_in_content(work):
    found = result(work, real("uproot-sample-6.20.04-zlib"), real("uproot-sample-6.20.04-lz4"))
    expect(found, "CONTENT-EQUAL", "sample;1 (TTree)", "packed sizes of its baskets", cause="compression")


def made(order, payload=lambda name: name * 1000, method=None, **options):
    file = RootFile(**options)
    for name in order:
        content = payload(name).encode()
        file.add("TObjString", name, "", (blocks(content, method, 400), len(content)) if method else content)
    return file


def test_root_records_are_matched_in_any_order(work):
    names = [f"object{number}" for number in range(100)]
    made(names).write(work / "a")
    random.Random(1).shuffle(names)
    made(names).write(work / "b")
    found = result(work)
    expect_table(found, "CONTENT-EQUAL", 103, 3, 0, 0, 0, 100)
    expect(found, "CONTENT-EQUAL", "another order", cause="order of entries")


@core
def test_root_payloads_are_compared_unpacked(work):
    made("xyz").write(work / "a")
    for method in ("zlib", "old", "xz"):
        made("xyz", method=method, compression=101).write(work / "b")
        found = result(work)
        expect_table(found, "CONTENT-EQUAL", 6, 3, 0, 0, 3, 0)
        expect(found, "CONTENT-EQUAL", "x;1", "packed differently", cause="compression")
    made("xyz", lambda name: "q" * 1000, method="zlib").write(work / "b")
    expect_table(result(work), "STRUCTURE-EQUAL", 6, 3, 0, 3, 0, 0)


def test_root_files_beyond_2_gb_are_read(work):
    def write(path, payload, when):
        file = RootFile(wide=True, time=when)
        file.add("TObjString", "before", "", b"before")
        hole, file.at = file.at, file.at + HOLE
        file.free.append((hole, hole + HOLE - 1))
        file.add("TObjString", "behind", "", payload)
        parts = file.finish()
        with open(path, "wb") as out:
            # header, TFile, "before", then the hole, as ROOT marks one that is longer than a number can tell
            out.writelines(parts[:5])
            out.write((-2000000000 & 0xffffffff).to_bytes(4, "big"))
            out.seek(hole + HOLE)
            out.writelines(parts[5:])

    for path, payload, when in (("a", b"behind", NOON), ("b", b"BEHIND", NOON + 1)):
        write(work / path, payload, when)
    found = result(work)
    check(not [1 for _, finding in findings(found) if "damaged" in finding["what"]], f"damage: {findings(found)}")
    expect_table(found, "STRUCTURE-EQUAL", 5, 3, 0, 1, 1, 0)


def test_root_files_that_are_cut_off_are_told(work):
    whole = real("rootdiff-fx1").read_bytes()
    (work / "a").write_bytes(whole)
    for size in range(400, len(whole), 997):
        (work / "b").write_bytes(whole[:size])
        expect(result(work), "DIFFERENT", "damaged record at", "of B")
    (work / "b").write_bytes(whole[:BEGIN + 20])
    check(result(work)["object"]["format"] == "bytes", "a file without its first record is still a ROOT file")


def test_root_bytes_that_differ_are_never_bitwise_equal(work):
    whole = bytearray(real("uproot-issue-60a").read_bytes())
    (work / "a").write_bytes(whole)
    for at in random.Random(2).sample(range(len(whole)), 60):
        changed = bytearray(whole)
        changed[at] ^= 0xff
        (work / "b").write_bytes(changed)
        check(result(work)["level"] != "BITWISE-EQUAL", f"a difference at {at} was not seen")


def write_large(path, size, when):
    """A payload that does not pack, in records as large as ROOT's baskets, again and again."""
    payload = random.Random(3).randbytes(32000)
    file = RootFile(wide=True, time=when)
    for number in range(size // len(payload)):
        file.add("TBasket", f"branch{number % 50}", "tree", payload, cycle=number // 50 % 30000, listed=False)
    file.write(path)


def seconds(command):
    best = float("inf")
    for _ in range(3):
        start = time.monotonic()
        subprocess.run([str(word) for word in command], stdout=subprocess.DEVNULL, check=False)
        best = min(best, time.monotonic() - start)
    return best


@full
def test_root_files_of_1_gb_are_compared_faster_than_sha256sum(work):
    if os.statvfs(work).f_bavail * os.statvfs(work).f_frsize < 4 << 30:
        raise Skipped("less than 4 GB are free")
    write_large(work / "a", 1 << 30, NOON)
    write_large(work / "b", 1 << 30, NOON)
    write_large(work / "later", 1 << 30, NOON + 1)
    hashed = seconds(["sha256sum", work / "a", work / "b"])
    for other, options in (("b", []), ("later", ["--level", "content"])):
        check(run(work, *options, "a", other).status == 0, f"a and {other} are not equal")
        taken = seconds([suite.STET, "diff", *options, work / "a", work / other])
        check(taken < hashed, f"a and {other} take {taken:.2f} s, sha256sum {hashed:.2f} s")
