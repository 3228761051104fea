"""Plain files: text by lines, bytes with resynchronisation."""

import os
import random
import struct

from common import check, core, expect, findings, make, result, run

LINES = [f"line {i}\n" for i in range(100)]


def text(changes):
    return "".join(changes.get(i, line) for i, line in enumerate(LINES))


@core
def test_equal_files_are_bitwise_equal(work):
    make(work, a=b"same\0bytes" * 100000, b=b"same\0bytes" * 100000)
    check(result(work)["level"] == "BITWISE-EQUAL", "equal files differ")


@core
def test_a_changed_line_is_shown_with_its_number(work):
    make(work, a=text({}), b=text({50: "other\n"}))
    finding = expect(result(work), "STRUCTURE-EQUAL", "1 of 100 lines differ, the first is line 51")
    check("-line 50\n+other\n" in finding["excerpt"] and "@@ -48,7 +48,7 @@" in finding["excerpt"], str(finding))


def test_added_and_removed_lines_make_texts_different(work):
    make(work, a=text({}), b=text({10: "", 20: "line 20\nnew\n"}))
    expect(result(work), "DIFFERENT", "1 are removed, 1 added", "the first at line 11")


def test_causes_are_told_apart(work):
    make(work, a=text({3: "Built Jan  1 2024 10:00:00\n", 7: "in /build/one/src/x.c\n"}),
         b=text({3: "Built Feb 12 2024 11:00:00\n", 7: "in /home/me/src/x.c\n"}))
    found = result(work)
    expect(found, "STRUCTURE-EQUAL", "1 of 100", "line 4", cause="date or time")
    expect(found, "STRUCTURE-EQUAL", "1 of 100", "line 8", cause="build path")


def test_time_zones_without_a_name_are_part_of_a_date(work):
    make(work, a=text({3: "packed on Sun Nov 15 22:11:30 UTC 2026\n"}),
         b=text({3: "packed on Sun Dec 19 11:09:41 +0545 2027\n"}))
    expect(result(work), "STRUCTURE-EQUAL", "1 of 100", "line 4", cause="date or time")


def test_the_same_lines_in_another_order_are_said_to_be_that(work):
    make(work, a="".join(LINES), b="".join(reversed(LINES)))
    expect(result(work), "STRUCTURE-EQUAL", "the same 100 lines in another order", cause="order of entries")


def test_lines_sorted_by_another_locale_are_recognised(work):
    make(work, a="Banana\nZebra\napple\nzoo\n", b="apple\nBanana\nZebra\nzoo\n")
    expect(result(work), "STRUCTURE-EQUAL", "in another order", cause="locale")


def test_ends_of_lines_are_told_in_words(work):
    make(work, a="".join(LINES), b="".join(LINES).replace("\n", "\r\n"))
    found = result(work)
    expect(found, "STRUCTURE-EQUAL", "ends of lines: LF, CRLF")
    check(len(findings(found)) == 1, f"there is more: {findings(found)}")


def test_a_missing_newline_at_the_end_is_told(work):
    make(work, a="".join(LINES), b="".join(LINES)[:-1])
    found = result(work)
    expect(found, "STRUCTURE-EQUAL", "only A has a newline at the end")
    check(len(findings(found)) == 1, f"there is more: {findings(found)}")


def test_the_same_text_in_another_encoding_has_equal_content(work):
    words = "Grüße, 世界\n" * 20
    for encoding in ("utf-16-le", "utf-16-be"):
        mark = "\ufeff".encode(encoding)
        make(work, a=words, b=mark + words.encode(encoding))
        expect(result(work), "CONTENT-EQUAL", "encoding: UTF-8, UTF-16")
    make(work, a="Grüße\n" * 20, b=("Grüße\n" * 20).encode("latin-1"))
    expect(result(work), "CONTENT-EQUAL", "encoding: UTF-8, ISO 8859")
    make(work, a=words, b="\ufeff" + words)
    expect(result(work), "CONTENT-EQUAL", "byte order mark")


def test_other_text_in_another_encoding_is_compared(work):
    make(work, a="Grüße\neins\n", b="Grüße\nzwei\n".encode("utf-16"))
    finding = expect(result(work), "STRUCTURE-EQUAL", "1 of 2 lines differ")
    check("-eins\n+zwei\n" in finding["excerpt"], str(finding))


def test_long_lines_are_cut_around_what_differs(work):
    make(work, a="x" * 100000 + "HERE" + "y" * 100000, b="x" * 100000 + "THERE" + "y" * 100000)
    excerpt = expect(result(work), "STRUCTURE-EQUAL", "1 of 1 lines differ")["excerpt"]
    check("HERE" in excerpt and "THERE" in excerpt and len(excerpt) < 1000, excerpt)


@core
def test_differing_bytes_are_counted_and_shown(work):
    content = bytes(range(256)) * 16
    other = bytearray(content)
    for at in (0x10, 0x12, 0x800):
        other[at] ^= 0xff
    make(work, a=content, b=bytes(other))
    finding = expect(result(work), "STRUCTURE-EQUAL", "3 of 4096 bytes differ, the first at 0x10")
    check("-00000010   10 11 12" in finding["excerpt"] and "+00000010   ef 11 ed" in finding["excerpt"], str(finding))


def test_what_is_inserted_is_not_a_difference_of_all_that_follows(work):
    content = random.Random(1).randbytes(100000)
    make(work, a=content, b=content[:5000] + b"\0new" + content[5000:])
    expect(result(work), "DIFFERENT", "4 bytes are inserted at 0x1388; of the rest all 100000 are equal")
    expect(result(work, "b", "a"), "DIFFERENT", "4 bytes are removed at 0x1388")
    make(work, b=content[:5000] + b"\0new" + content[5000:50000] + content[50004:])
    expect(result(work), "STRUCTURE-EQUAL", "2 places differ, 4 bytes of 100000 against 4 of 100000")


def test_more_bytes_at_the_end_are_told(work):
    make(work, a=b"\0\1\2", b=b"\0\1\2\3\4", c=b"")
    expect(result(work), "DIFFERENT", "B has 2 more bytes at the end, from 0x3")
    expect(result(work, "b", "c"), "DIFFERENT", "B is empty, A has 5 bytes")


def test_a_path_in_bytes_is_recognised(work):
    padding = bytes(range(256))
    make(work, a=padding + b"\0/build/one/src/x.c\0" + padding, b=padding + b"\0/build/two/src/x.c\0" + padding)
    expect(result(work), "STRUCTURE-EQUAL", "bytes differ", cause="build path")


def test_a_sparse_file_of_gigabytes_is_compared_in_time(work):
    for name in ("a", "b"):
        with open(work / name, "wb") as file:
            file.truncate(3 << 30)
            file.seek(2 << 30)
            file.write(name.encode())
    expect(result(work), "STRUCTURE-EQUAL", "1 of 3221225472 bytes differ, the first at 0x80000000")


def test_text_of_many_different_lines_ends_in_time(work):
    rng = random.Random(2)
    for name in ("a", "b"):
        make(work, **{name: "".join(f"w{rng.randrange(2000)}\n" for _ in range(100000))})
    expect(result(work), "DIFFERENT", "lines")


def test_random_pairs_end_with_the_same_report_each_time(work):
    """Whatever the bytes are, there is a report, and it is always the same."""
    rng = random.Random(3)
    for _ in range(30):
        base = bytearray(rng.choice([rng.randbytes(500), b"some text\n" * 50, b"\xff\xfe" + b"t\0e\0" * 100]))
        other = bytearray(base)
        for _ in range(rng.randrange(1, 10)):
            at = rng.randrange(len(other))
            other[at:at + rng.randrange(3)] = rng.randbytes(rng.randrange(4))
        make(work, a=bytes(base), b=bytes(other))
        first, again = run(work, "a", "b"), run(work, "a", "b")
        check(first.status == (0 if base == other else 1), "a wrong status", first)
        check(first.out == again.out, "another report", again)


def test_a_file_that_shrinks_meanwhile_is_no_crash(work):
    """The file is cut by a process that waits for the first bytes to be read."""
    size = 1 << 30
    for name in ("a", "b"):
        with open(work / name, "wb") as file:
            file.truncate(size)
    with open(work / "b", "r+b") as file:
        file.seek(size - 1)
        file.write(b"x")
    def cut(pid, over):
        import time
        time.sleep(0.05)
        os.truncate(work / "b", 4096)
    import suite
    ended = suite.run([suite.STET, "diff", "a", "b"], work, 60, None, cut)
    check(ended.status in (1, 125), "it did not end well", ended)
    if ended.status == 125:
        check(b"changed while it was compared" in ended.err, "it does not say why", ended)


def test_bytes_that_only_look_like_text_have_no_cause(work):
    floats = random.Random(3)
    values = [floats.uniform(-1000, 1000) for _ in range(4000)]
    for seed in range(20):
        other = random.Random(seed)
        make(work, a=struct.pack("<4000d", *values),
             b=struct.pack("<4000d", *(value * (1 + other.random() / 1e6) for value in values)))
        cause = expect(result(work), "STRUCTURE-EQUAL", "bytes")["cause"]
        check(cause is None, f"numbers differ by their {cause}")


def test_short_text_in_bytes_has_no_cause(work):
    make(work, a=b"\0\1x@ab\0\1" * 50, b=b"\0\1x@cd\0\1" * 50)
    check(expect(result(work), "STRUCTURE-EQUAL", "bytes differ")["cause"] is None, "four letters have a cause")
