"""Single files of common formats: pairs made here, by what differs in them."""

import hashlib
import importlib.util
import json
import marshal
import pathlib
import sqlite3
import struct
import tempfile
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


def system_mo(translation):
    """A catalogue of one message that depends on the system: "%<PRIu64> files"."""
    pieces = [b"%", b" files\0", *translation]
    text, name = b"".join(pieces), b"PRIu64\0"
    at = 48 + 8 + 8 + 2 * 20
    words = [0x950412de, 1, 0, 28, 28, 0, 0, 1, 48, 1, 56, 60, len(name), at + len(text), 64, 84]
    for place, (first, second) in ((at, pieces[:2]), (at + 8, pieces[2:])):
        words += [place, len(first), 0, len(second), 0xffffffff]
    return struct.pack(f"<{len(words)}I", *words) + text + name


def test_mo_messages_that_depend_on_the_system_are_payload(work):
    german, other = (system_mo((b"%", word)) for word in (b" Dateien\0", b" Ordner!\0"))
    payload(work, german, other, "STRUCTURE-EQUAL", "'%<PRIu64> files'")
    left_to_others(work, "gettext .mo", german, other[:-20])


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


def pdf(date="D:20200101", content=b"BT (hello) Tj ET", level=9, ident="ab", pad="", order=(1, 2, 3)):
    packed = zlib.compress(content, level)
    objects = {1: b"<</Type /Catalog /Contents 2 0 R>>",
               2: f"<</Length {len(packed)} /Filter /FlateDecode>>\nstream\n".encode() + packed + b"\nendstream",
               3: f"<</CreationDate ({date}) /Title (a \\(b)>>".encode()}
    out, places = b"%PDF-1.4\n" + pad.encode(), []
    for number in order:
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, objects[number])
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    return out + f"xref\n1 3\n{table}trailer\n<</Root 1 0 R /ID [<{ident}><{ident}>]>>\nstartxref\n{len(out)}\n%%EOF\n".encode()


@core
def test_pdf_dates_ids_and_packing_are_bookkeeping(work):
    bookkeeping(work, pdf(), pdf("D:20210202"), "object 3 0", "CreationDate: (D:20200101), (D:20210202)", cause="date or time")
    bookkeeping(work, pdf(), pdf(ident="cd"), "trailer: ID", "[<cd><cd>]", cause="random number, address or name")
    bookkeeping(work, pdf(), pdf(level=0), "packed", cause="compression")
    bookkeeping(work, pdf(), pdf(pad="\n" * 9), "where they are")
    bookkeeping(work, pdf(), pdf(order=(3, 1, 2)), "another order", cause="order of entries")


def test_pdf_objects_and_streams_are_payload(work):
    payload(work, pdf(), pdf(content=b"BT (hullo) Tj ET", level=0), "STRUCTURE-EQUAL", "object 2 0 stream")
    payload(work, pdf(), pdf().replace(b"Title (a", b"Title (c"), "STRUCTURE-EQUAL", "object 3 0")
    payload(work, pdf(), pdf(order=(1, 2)), "DIFFERENT", "object 3 0: only in A")


def test_pdf_that_is_damaged_is_bytes(work):
    left_to_others(work, "PDF", pdf(), pdf()[:120])
    left_to_others(work, "PDF", pdf(), b"%PDF-1.4\n")


def segment(marker, data):
    return struct.pack(">BBH", 0xff, marker, len(data) + 2) + data


def jpeg(date=b"2020:01:01 10:00:00", scan=b"\x01\xff\x00\x02", size=(3, 2), order="<", comment=b"x"):
    """An Exif segment with one date in the first directory, and one in that of Exif."""
    mark = b"II*\0" if order == "<" else b"MM\0*"
    first = struct.pack(order + "HHHIIHHIII", 2, 0x132, 2, 20, 60, 0x8769, 4, 1, 38, 0)
    second = struct.pack(order + "HHHIII", 1, 0x9003, 2, 20, 60, 0)
    exif = (mark + struct.pack(order + "I", 8) + first + second).ljust(60, b"\0") + date + b"\0"
    frame = struct.pack(">BHHB", 8, *size, 1) + b"\1\x11\0"
    return b"".join([b"\xff\xd8", segment(0xe1, b"Exif\0\0" + exif), segment(0xfe, comment), segment(0xc0, frame),
                     segment(0xda, b"\1\1\0\0\x3f\0"), scan, b"\xff\xd9"])


@core
def test_jpeg_dates_are_bookkeeping(work):
    for order in "<>":
        bookkeeping(work, jpeg(order=order), jpeg(b"2021:02:02 20:20:20", order=order), "APP1 Exif", "taken: 2020:01:01",
                    cause="date or time")


def test_jpeg_segments_and_scans_are_payload(work):
    payload(work, jpeg(), jpeg(scan=b"\x01\xff\x00\x03"), "STRUCTURE-EQUAL", "scan")
    payload(work, jpeg(), jpeg(size=(2, 3)), "DIFFERENT", "size: 2x3, 3x2")
    payload(work, jpeg(), jpeg(comment=b"y"), "STRUCTURE-EQUAL", "COM")


def test_jpeg_that_is_damaged_is_bytes(work):
    whole = jpeg()
    for size in (10, 120, len(whole) - 2):
        left_to_others(work, "JPEG", whole, whole[:size])


def sqlite(*statements, page=1024):
    with tempfile.TemporaryDirectory() as place:
        path = pathlib.Path(place) / "x"
        connection = sqlite3.connect(path, isolation_level=None)
        for statement in (f"PRAGMA page_size={page}", *statements):
            connection.execute(statement)
        connection.close()
        return path.read_bytes()


TABLE = "CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT, number REAL)"
WORDS = "CREATE TABLE words (word TEXT PRIMARY KEY, data BLOB) WITHOUT ROWID"


def rows(count=300, name="name", size=1):
    """More than fit on a page; some, if they are large, on pages of their own."""
    return [f"INSERT INTO t VALUES ({i}, '{name} {i}{'x' * (size if i % 50 == 0 else 1)}', {i / 8})" for i in range(count)]


def words(count=200):
    return [f"INSERT INTO words VALUES ('word {i}', x'{i:08x}')" for i in range(count)]


def sqlite_pair():
    return sqlite(TABLE, WORDS, *rows(40, size=900), *words(40), page=512), sqlite(WORDS, TABLE, *rows(41), page=512)


@core
def test_sqlite_files_of_the_same_rows_have_the_same_content(work):
    whole = sqlite(TABLE, WORDS, *rows(size=5000), *words())
    again = sqlite(TABLE, WORDS, *rows(size=5000), *words(), "DELETE FROM t WHERE id = 7", rows()[7])
    bookkeeping(work, whole, again, "header", "change counter")
    other = sqlite(WORDS, TABLE, *words()[::-1], *rows(size=5000)[::-1], page=4096)
    bookkeeping(work, whole, other, "page size: 1024, 4096")
    bookkeeping(work, whole, other, cause="order of entries")


def test_sqlite_rows_and_schema_are_payload(work):
    changed = rows(size=5000)
    changed[50] = changed[50].replace("6.25", "6.5")
    found = payload(work, sqlite(TABLE, *rows(size=5000)), sqlite(TABLE, *changed), "STRUCTURE-EQUAL", "rows of table t")
    check("6.5\n" in found["excerpt"] and "6.25\n" in found["excerpt"], f"the excerpt is {found['excerpt'][-200:]}")
    payload(work, sqlite(TABLE, *rows(9)), sqlite(TABLE, *rows(10)), "DIFFERENT", "rows of table t")
    payload(work, sqlite(TABLE, WORDS, *words()), sqlite(TABLE, WORDS, *words()[1:]), "DIFFERENT", "rows of table words")
    payload(work, sqlite(TABLE), sqlite(TABLE.replace("REAL", "INT")), "DIFFERENT", "table t: SQL")
    payload(work, sqlite(TABLE), sqlite(TABLE, WORDS), "DIFFERENT", "table words: only in B")


def test_sqlite_that_is_damaged_is_bytes(work):
    whole = sqlite(TABLE, *rows())
    left_to_others(work, "SQLite", whole, whole[:3000])
    left_to_others(work, "SQLite", whole, whole[:16] + b"\3\3" + whole[18:])
    left_to_others(work, "SQLite", whole, whole[:1024] + b"\xff" * 1024 + whole[2048:])


XML = """<?xml version="1.0"?>
<list kind="a" size="2"><!-- all --><item>one</item><item><![CDATA[a<b]]></item></list>
"""
XML_MIXED = """<?xml version='1.0' encoding='utf-8'?>
<list size='2' kind='a'>
  <!-- all -->
  <item>one</item>
  <item>a&lt;b</item>
</list>
"""


@core
def test_xml_in_another_layout_has_the_same_content(work):
    bookkeeping(work, XML, XML_MIXED, "the same elements")
    bookkeeping(work, XML, XML.encode("utf-16"), "encoding")


def test_xml_elements_attributes_and_text_are_payload(work):
    for old, new, level in (("one", "two", "STRUCTURE-EQUAL"), ('size="2"', 'size="3"', "STRUCTURE-EQUAL"),
                            ("<item>one", "<item> one", "STRUCTURE-EQUAL"), ("<item>one</item>", "", "DIFFERENT"),
                            ("all", "some", "STRUCTURE-EQUAL"), ("one", "<b/>", "DIFFERENT")):
        found = payload(work, XML, XML_MIXED.replace('"', "'").replace(old.replace('"', "'"), new), level, "line")
        check(found["excerpt"], f"no excerpt for {new}")
    payload(work, XML.replace("one", " "), XML.replace("one", "  "), "STRUCTURE-EQUAL", "line")


def test_xml_blanks_that_can_be_seen_are_payload(work):
    for page in ("<?xml version='1.0'?><html><b>a</b> <i>b</i></html>",
                 "<?xml version='1.0'?><x xml:space='preserve'><b>a</b> <i>b</i></x>"):
        payload(work, page, page.replace("> <", "><"), "DIFFERENT", "line")


def test_xml_that_is_damaged_or_has_entities_is_text(work):
    left_to_others(work, "XML", XML, XML.replace("</list>", ""))
    laughs = "".join(f'<!ENTITY l{i + 1} "{f"&l{i};" * 10}">' for i in range(20))
    left_to_others(work, "XML", XML, f"<?xml version='1.0'?><!DOCTYPE x [<!ENTITY l0 'ha'>{laughs}]><x>&l20;</x>")


def pack_entry(kind, data, level=6, base=b""):
    """An object of a pack: kinds 1 to 4 are whole, 6 and 7 deltas on a base."""
    size, head = len(data), []
    byte = kind << 4 | size & 15
    size >>= 4
    while size:
        head.append(byte | 0x80)
        byte, size = size & 0x7f, size >> 7
    return bytes([*head, byte]) + base + zlib.compress(data, level)


def pack(*entries):
    body = struct.pack(">4sII", b"PACK", 2, len(entries)) + b"".join(entries)
    return body + hashlib.sha1(body).digest()


LINE, OTHER = b"hello, world\n" * 9, b"another one\n"
LONGER = LINE + b"more\n"
# Copy all of LINE from the base, then insert.
DELTA = bytes([len(LINE), len(LONGER), 0x90, len(LINE), 5]) + b"more\n"
WHOLE = [pack_entry(3, LINE), pack_entry(3, LONGER), pack_entry(2, b"")]


def pack_pair():
    line = hashlib.sha1(b"blob %d\0" % len(LINE) + LINE).digest()
    return (pack(pack_entry(3, LINE), pack_entry(6, DELTA, base=bytes([len(pack_entry(3, LINE))])), pack_entry(2, b"")),
            pack(pack_entry(7, DELTA, base=line), pack_entry(2, b""), pack_entry(3, LINE, 0)))


@core
def test_git_pack_of_the_same_objects_has_the_same_content(work):
    by_place, by_id = pack_pair()
    bookkeeping(work, pack(*WHOLE), pack(*WHOLE[::-1]), "another order", cause="order of entries")
    bookkeeping(work, pack(*WHOLE), by_place, "the same objects", cause="compression")
    bookkeeping(work, pack(*WHOLE), by_id, "another order", cause="order of entries")


def test_git_pack_objects_are_told_by_their_ids(work):
    other = hashlib.sha1(b"blob %d\0" % len(OTHER) + OTHER).hexdigest()
    payload(work, pack(*WHOLE), pack(*WHOLE[1:], pack_entry(3, OTHER)), "DIFFERENT", f"{other}: only in B")
    payload(work, pack(*WHOLE), pack(*WHOLE[1:], pack_entry(4, LINE)), "DIFFERENT", "only in A")


def test_git_pack_that_is_damaged_or_lacks_a_base_is_bytes(work):
    whole = pack(*WHOLE)
    left_to_others(work, "git pack", whole, whole[:-1])
    left_to_others(work, "git pack", whole, whole[:20] + bytes([whole[20] ^ 1]) + whole[21:])
    left_to_others(work, "git pack", whole, pack(pack_entry(7, DELTA, base=bytes(20))))
    left_to_others(work, "git pack", whole, pack(pack_entry(6, DELTA, base=b"\x0c")))
