"""Single files of common formats: pairs made here, by what differs in them."""

import importlib.util
import json
import marshal
import struct
import zlib

from common import check, core, expect, findings, make, result


def bookkeeping(work, a, b, *words, cause=None):
    """Both have the same content, and what differs is told."""
    make(work, a=a, b=b)
    return expect(result(work), "CONTENT-EQUAL", *words, cause=cause)


def payload(work, a, b, level, *words, cause=None):
    make(work, a=a, b=b)
    return expect(result(work), level, *words, cause=cause)


def left_to_others(work, format, whole, damaged):
    """Damage is no error: the next format is asked."""
    make(work, a=whole, b=damaged)
    found = result(work)
    check(found["object"]["format"] != format, f"damaged, and still {format}: {findings(found)}")
    check(found["level"] in ("STRUCTURE-EQUAL", "DIFFERENT"), f"damaged, and {found['level']}")


DOCUMENT = {"name": "x", "list": [1, 2.5, {"deep": True}], "odd key": None}


@core
def test_json_in_another_order_and_layout_has_the_same_content(work):
    mixed = dict(reversed(DOCUMENT.items()))
    bookkeeping(work, json.dumps(DOCUMENT), json.dumps(mixed), "keys", cause="order of entries")
    bookkeeping(work, json.dumps(DOCUMENT), json.dumps(DOCUMENT, indent=1), "blanks")
    bookkeeping(work, '{"a": "\\u0041", "b": 1.0}', '{"a": "A", "b": 1.00}', "escapes")


def test_json_values_are_named_by_their_paths(work):
    other = json.dumps(DOCUMENT).replace("2.5", "3.5")
    payload(work, json.dumps(DOCUMENT), other, "STRUCTURE-EQUAL", "$.list[1]: 2.5, 3.5")
    other = json.dumps(DOCUMENT).replace("true", "false")
    payload(work, json.dumps(DOCUMENT), other, "STRUCTURE-EQUAL", "$.list[2].deep: true, false")
    other = json.dumps({**DOCUMENT, "odd key": 3})
    payload(work, json.dumps(DOCUMENT), other, "DIFFERENT", '$["odd key"]: null, 3')
    payload(work, '{"t": "built 2020-01-01"}', '{"t": "built 2021-07-03"}', "STRUCTURE-EQUAL", "$.t:",
            cause="date or time")


def test_json_elements_that_come_first_do_not_move_the_others(work):
    payload(work, '{"a": [1, 2, 3]}', '{"a": [1, 2, 4, 3]}', "DIFFERENT", "$.a[2]: only in B: 4")
    check(len(findings(result(work))) == 1, "more than one finding")


def test_json_that_is_none_is_text(work):
    for broken in ('{"a": 1, "a": 2}', "{no}", '{"a": 99999999999999999999999}', "[" * 5000 + "]" * 5000):
        left_to_others(work, "JSON", '{"a": 1}', broken)


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(pixels=bytes(range(48)), size=(4, 4), level=9, filter=0, extra=b"", pieces=1):
    """An RGB image; each row is filtered with "none" or "sub"."""
    width, height = size
    rows = b""
    for y in range(height):
        row = pixels[y * width * 3:(y + 1) * width * 3]
        if filter == 1:
            row = bytes((byte - (row[i - 3] if i >= 3 else 0)) & 0xff for i, byte in enumerate(row))
        rows += bytes([filter]) + row
    packed = zlib.compress(rows, level)
    step = -(-len(packed) // pieces)
    return b"".join([b"\x89PNG\r\n\x1a\n", chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)), extra,
                     *(chunk(b"IDAT", packed[at:at + step]) for at in range(0, len(packed), step)), chunk(b"IEND", b"")])


@core
def test_png_packed_otherwise_has_the_same_content(work):
    bookkeeping(work, png(), png(level=0), "pixels", cause="compression")
    bookkeeping(work, png(), png(filter=1), "pack", cause="compression")
    bookkeeping(work, png(), png(pieces=3), "3 chunks", cause="compression")


def test_png_dates_are_bookkeeping(work):
    def time(year):
        return chunk(b"tIME", struct.pack(">HBBBBB", year, 1, 2, 3, 4, 5))
    bookkeeping(work, png(extra=time(2020)), png(extra=time(2021)), "2020-01-02 03:04:05", cause="date or time")
    bookkeeping(work, png(), png(extra=time(2021)), "none, 2021", cause="date or time")
    text = b"date:create\0" b"2020-01-01"
    bookkeeping(work, png(extra=chunk(b"tEXt", text)), png(extra=chunk(b"tEXt", text.replace(b"20-", b"21-"))),
                "date:create=2020", cause="date or time")
    comments = [chunk(b"tEXt", b"Comment\0" + word) for word in (b"one", b"two")]
    payload(work, png(extra=comments[0]), png(extra=comments[1]), "STRUCTURE-EQUAL", "tEXt")


def test_png_pixels_sizes_and_colors_are_payload(work):
    payload(work, png(), png(bytes(range(1, 49)), filter=1), "STRUCTURE-EQUAL", "pixels", "48 of 48 bytes")
    payload(work, png(), png(size=(8, 2)), "DIFFERENT", "size: 4x4, 8x2")


def test_png_that_is_damaged_is_bytes(work):
    whole = png()
    for at in (20, 50, len(whole) - 10):
        left_to_others(work, "PNG", whole, whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1:])
        left_to_others(work, "PNG", whole, whole[:at])
    left_to_others(work, "PNG", whole, png(pixels=bytes(30)))


def pyc(flags=0, first=1600000000, second=10, code="x = 1", magic=None):
    header = struct.pack("<III", flags, first, second)
    return (magic or importlib.util.MAGIC_NUMBER) + header + marshal.dumps(compile(code, "x.py", "exec"))


@core
def test_pyc_headers_are_bookkeeping(work):
    bookkeeping(work, pyc(), pyc(first=1600000001), "2020-09-13 12:26:40", cause="date or time")
    bookkeeping(work, pyc(), pyc(second=11), "size of the source: 10, 11")
    bookkeeping(work, pyc(flags=1), pyc(flags=1, second=3), "hash of the source", cause="checksum: follows from other differences")
    bookkeeping(work, pyc(), pyc(flags=3), "known by: time and size, hash")


def test_pyc_code_is_payload(work):
    payload(work, pyc(), pyc(first=1, code="x = 2"), "STRUCTURE-EQUAL", "code")
    other = struct.pack("<H", 3499) + b"\r\n"
    payload(work, pyc(), pyc(magic=other), "DIFFERENT", "magic number", cause="version")
    left_to_others(work, "pyc", pyc(), pyc()[:16])
    left_to_others(work, "pyc", pyc(), pyc(flags=9))


HEADER = "Project-Id-Version: x\nPOT-Creation-Date: 2020-01-01 10:00+0000\n"
MESSAGES = {"": HEADER, "one": "eins", "two": "zwei"}


def mo(messages=MESSAGES, order="<", gap=0):
    """The catalogue; its strings follow the tables, behind a gap."""
    tables = 28
    at = tables + 16 * len(messages) + gap
    words = {0: [], 1: []}
    strings = b""
    for side in (0, 1):
        for pair in sorted(messages.items()):
            text = pair[side].encode()
            words[side] += [len(text), at + len(strings)]
            strings += text + b"\0"
    head = [0x950412de, 0, len(messages), tables, tables + 8 * len(messages), 0, 0, *words[0], *words[1]]
    return struct.pack(f"{order}{len(head)}I", *head) + bytes(gap) + strings


@core
def test_mo_dates_and_layout_are_bookkeeping(work):
    later = {**MESSAGES, "": HEADER.replace("2020", "2021")}
    bookkeeping(work, mo(), mo(later), "POT-Creation-Date", "2021", cause="date or time")
    bookkeeping(work, mo(), mo(order=">"), "little-endian, big-endian")
    bookkeeping(work, mo(), mo(gap=64), "the same messages")


def test_mo_messages_are_payload(work):
    payload(work, mo(), mo({**MESSAGES, "two": "drei"}), "STRUCTURE-EQUAL", '"two"', "1 line")
    payload(work, mo(), mo({**MESSAGES, "three": "drei"}), "DIFFERENT", '"three": only in B')
    payload(work, mo({"a\0as": "b"}), mo({"a\0at": "b"}), "STRUCTURE-EQUAL", "plural: as, at")
    payload(work, mo(), mo({**MESSAGES, "": HEADER.replace("x", "y")}), "STRUCTURE-EQUAL", "header")


def test_mo_that_is_damaged_is_bytes(work):
    whole = mo()
    for size in (28, 40, len(whole) - 1):
        left_to_others(work, "gettext .mo", whole, whole[:size])
    left_to_others(work, "gettext .mo", whole, whole[:8] + b"\xff" * 4 + whole[12:])


CONSTANTS = ["T", "java/lang/Object", "f", "()V", "Code", "hello", "SourceFile", "T.java"]


def java_class(order=CONSTANTS, text="hello", source="T.java", extra=()):
    """class T { static void f() { "hello"; } }, its constants in some order."""
    pool, numbers = [], {}

    def add(key, data):
        pool.append(data)
        numbers[key] = struct.pack(">H", len(pool))

    for word in [*order, *extra]:
        shown = {"hello": text, "T.java": source}.get(word, word).encode()
        add(word, struct.pack(">BH", 1, len(shown)) + shown)
    for key, tag, word in [("this", 7, "T"), ("super", 7, "java/lang/Object"), ("string", 8, "hello")]:
        add(key, bytes([tag]) + numbers[word])
    code = b"\x12" + numbers["string"][1:] + b"\x57\xb1"  # ldc, pop, return
    code = struct.pack(">HHI", 1, 0, len(code)) + code + bytes(4)
    method = struct.pack(">H", 8) + numbers["f"] + numbers["()V"] + b"\0\1" + numbers["Code"]
    return b"".join([b"\xca\xfe\xba\xbe", struct.pack(">HHH", 0, 61, len(pool) + 1), *pool, struct.pack(">H", 0x20),
                     numbers["this"], numbers["super"], bytes(4), b"\0\1", method, struct.pack(">I", len(code)), code,
                     b"\0\1", numbers["SourceFile"], struct.pack(">I", 2), numbers["T.java"]])


@core
def test_class_constants_in_another_order_have_the_same_content(work):
    bookkeeping(work, java_class(), java_class(CONSTANTS[::-1]), "constants", cause="order of entries")
    bookkeeping(work, java_class(), java_class(extra=["unused"]), "constants: 12, 13")


def test_class_code_and_attributes_are_payload(work):
    found = payload(work, java_class(), java_class(CONSTANTS[::-1], text="hullo"), "STRUCTURE-EQUAL", "method f:()V Code")
    check("+   0 ldc String hullo" in found["excerpt"], f"the excerpt is {found['excerpt']}")
    payload(work, java_class(), java_class(source="U.java"), "STRUCTURE-EQUAL", "SourceFile")


def test_class_that_is_damaged_is_bytes(work):
    whole = java_class()
    for size in (12, 40, len(whole) - 1):
        left_to_others(work, "Java class", whole, whole[:size])
    left_to_others(work, "Java class", whole, whole + b"x")
