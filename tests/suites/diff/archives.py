"""Compressed files and archives: members by name, what headers say of them, and what is only packing."""

import gzip
import io
import lzma
import os
import random
import shutil
import struct
import subprocess
import tarfile
import zipfile
import zlib

from common import Skipped, check, core, expect, findings, full, make, result, run

TEXT = "".join(f"line {i} of some text\n" for i in range(2000)).encode()
TIME = 1700000000


def tool(work, *words, give=None, **options):
    """What a program writes to standard output."""
    if not shutil.which(words[0]):
        raise Skipped(f"{words[0]} is not here")
    done = subprocess.run([str(word) for word in words], cwd=work, input=give, capture_output=True, timeout=60,
                          **options)
    check(done.returncode == 0, f"{words}: {done.stderr.decode()}")
    return done.stdout


def only(found, *words, level, cause=None):
    """The one finding that there is."""
    expect(found, level, *words, cause=cause)
    check(len(findings(found)) == 1, f"there is more: {findings(found)}")


# Compressions.

def gzipped(data=TEXT, time=0, name=b"", level=9, comment=b"", extra=b""):
    flags = (8 if name else 0) | (16 if comment else 0) | (4 if extra else 0)
    packer = zlib.compressobj(level, zlib.DEFLATED, -15)
    return (struct.pack("<2sBBIBB", b"\x1f\x8b", 8, flags, time, 2 if level == 9 else 0, 3)
            + (struct.pack("<H", len(extra)) + extra if extra else b"")
            + (name + b"\0" if name else b"") + (comment + b"\0" if comment else b"")
            + packer.compress(data) + packer.flush() + struct.pack("<II", zlib.crc32(data), len(data)))


@core
def test_gzip_time_is_bookkeeping(work):
    make(work, a=gzipped(time=TIME), b=gzipped(time=TIME + 5))
    only(result(work), "header time: 2023-11-14T22:13:20Z, 2023-11-14T22:13:25Z", level="CONTENT-EQUAL",
         cause="gzip header time")


def test_gzip_name_comment_and_extra_field_are_told(work):
    make(work, a=gzipped(name=b"one", comment=b"x", extra=b"abcd"), b=gzipped(name=b"two", extra=b"abc"))
    found = result(work)
    for words in ("header name: one, two", "header comment: x, none", "header extra field: 4, 3 bytes"):
        expect(found, "CONTENT-EQUAL", words)


def test_gzip_of_another_level_has_equal_content(work):
    make(work, a=gzipped(level=1), b=gzipped(level=9))
    found = result(work)
    expect(found, "CONTENT-EQUAL", "compressed in another way", cause="compression")
    expect(found, "CONTENT-EQUAL", "header level flags: 0, 2", cause="compression")


def test_gzip_cut_into_other_members_has_equal_content(work):
    make(work, a=gzipped() + gzipped(), b=gzipped(TEXT + TEXT))
    expect(result(work), "CONTENT-EQUAL", "members: 2, 1", cause="compression")


def test_gzip_of_a_later_member_is_told_with_its_number(work):
    make(work, a=gzipped() + gzipped(time=1), b=gzipped() + gzipped(time=2))
    only(result(work), "member 2: header time", level="CONTENT-EQUAL", cause="gzip header time")


@core
def test_gzip_payload_is_compared_by_its_name_without_the_suffix(work):
    make(work, **{"x.txt.gz": gzipped(time=1), "y.txt.gz": gzipped(TEXT.replace(b"line 7 ", b"LINE 7 "), time=2)})
    found = result(work, "x.txt.gz", "y.txt.gz")
    expect(found, "STRUCTURE-EQUAL", "> x.txt: 1 of 2000 lines differ")
    expect(found, "STRUCTURE-EQUAL", "header time")


def test_gzip_with_bytes_behind_the_end(work):
    make(work, a=gzipped() + b"\0" * 10, b=gzipped() + b"\0" * 20)
    only(result(work), "padding at the end: 10, 20 bytes", level="CONTENT-EQUAL")
    make(work, a=gzipped() + b"one", b=gzipped() + b"two")
    expect(result(work), "STRUCTURE-EQUAL", "behind the end")


def test_damaged_gzip_is_compared_as_bytes(work):
    whole = gzipped()
    for damaged in (whole[:-4] + b"abcd", whole[:len(whole) // 2], whole[:50] + b"\xff" * 50 + whole[100:]):
        make(work, a=whole, b=damaged)
        found = result(work)
        check(found["object"]["format"] == "bytes", f"it is {found['object']['format']}")


def test_every_compression_tells_the_payload(work):
    other = TEXT.replace(b"line 7 ", b"LINE 7 ")
    ways = {"xz": ["xz", "-c"], "lzma": ["xz", "--format=lzma", "-c"], "bz2": ["bzip2", "-c"], "zst": ["zstd", "-qc"],
            "lz4": ["lz4", "-c"], "legacy.lz4": ["lz4", "-lc"], "lz": ["lzip", "-c"]}
    for suffix, words in ways.items():
        if not shutil.which(words[0]):
            continue
        names = [f"{side}.txt.{suffix}" for side in "ab"]
        make(work, **{name: tool(work, *words, give=data) for name, data in zip(names, (TEXT, other))})
        found = result(work, *names)
        expect(found, "STRUCTURE-EQUAL", f"> {names[0].removesuffix('.' + suffix.split('.')[-1])}: 1 of 2000 lines")


def test_every_compression_of_another_level_has_equal_content(work):
    ways = [(["xz", "-0c"], ["xz", "-9c", "--check=sha256"], "checksum: CRC64, SHA-256"),
            (["xz", "--format=lzma", "-0c"], ["xz", "--format=lzma", "-9c"], "dictionary: 262144, 67108864 bytes"),
            (["bzip2", "-1c"], ["bzip2", "-9c"], "block size: 1, 9"),
            (["zstd", "-q1c"], ["zstd", "-q19c", "--no-check"], "checksum: yes, no"),
            (["lz4", "-1c"], ["lz4", "-9c", "--no-frame-crc"], "checksum: yes, no"),
            (["lz4", "-1c"], ["lz4", "-lc"], "kind: usual, legacy")]
    for one, two, words in ways:
        make(work, a=tool(work, *one, give=5 * TEXT), b=tool(work, *two, give=5 * TEXT))
        found = result(work)
        expect(found, "CONTENT-EQUAL", words, cause="compression")
        expect(found, "CONTENT-EQUAL", "compressed in another way", cause="compression")


def test_concatenated_streams_have_equal_content(work):
    half = len(TEXT) // 2
    for words in (["xz", "-c"], ["bzip2", "-c"], ["zstd", "-qc"], ["lz4", "-c"]):
        parts = [tool(work, *words, give=data) for data in (TEXT[:half], TEXT[half:])]
        gap = b"\0" * 8 if words[0] == "xz" else b""
        make(work, a=gap.join(parts), b=tool(work, *words, give=TEXT))
        found = result(work)
        expect(found, "CONTENT-EQUAL", "s: 2, 1", cause="compression")


def test_frames_that_readers_skip_are_bookkeeping(work):
    for words in (["zstd", "-qc"], ["lz4", "-c"]):
        packed = tool(work, *words, give=TEXT)
        make(work, a=struct.pack("<II", 0x184D2A51, 4) + b"abcd" + packed,
             b=struct.pack("<II", 0x184D2A51, 4) + b"efgh" + packed)
        only(result(work), "readers skip", level="CONTENT-EQUAL")


# Tars.

def tar(entries, form=tarfile.GNU_FORMAT, **options):
    """Of pairs: a name or TarInfo, and bytes."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=form, **options) as archive:
        for entry, data in entries:
            if isinstance(entry, str):
                entry = info(entry)
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))
    return out.getvalue()


def info(name, **fields):
    entry = tarfile.TarInfo(name)
    entry.mtime = TIME
    for field, value in fields.items():
        setattr(entry, field, value)
    return entry


@core
def test_tar_facts_have_their_levels_and_causes(work):
    cases = [({"mtime": TIME + 1}, "time of change: 2023-11-14T22:13:20Z, 2023-11-14T22:13:21Z", "CONTENT-EQUAL",
              "date or time"),
             ({"uid": 1000, "uname": "me"}, "user: 0, 1000 me", "CONTENT-EQUAL", "user or group"),
             ({"gid": 1000}, "group: 0, 1000", "CONTENT-EQUAL", "user or group"),
             ({"mode": 0o664}, "mode: 0644, 0664", "CONTENT-EQUAL", "umask"),
             ({"mode": 0o744}, "mode: 0644, 0744", "STRUCTURE-EQUAL", None)]
    for fields, words, level, cause in cases:
        make(work, **{"a.tar": tar([("x", b"1")]), "b.tar": tar([(info("x", **fields), b"1")])})
        only(result(work, "a.tar", "b.tar"), f"a.tar > x: {words}", level=level, cause=cause)


def test_tar_links_and_devices(work):
    link = {"type": tarfile.SYMTYPE, "linkname": "/build/one"}
    make(work, a=tar([(info("l", **link), b"")]), b=tar([(info("l", **link | {"linkname": "/build/two"}), b"")]))
    only(result(work), "target: /build/one, /build/two", level="STRUCTURE-EQUAL")
    hard = {"type": tarfile.LNKTYPE, "linkname": "x"}
    make(work, a=tar([("x", b"1"), ("y", b"1"), (info("h", **hard), b"")]),
         b=tar([("x", b"1"), ("y", b"1"), (info("h", **hard | {"linkname": "y"}), b"")]))
    only(result(work), "target: x, y", level="STRUCTURE-EQUAL")
    device = {"type": tarfile.CHRTYPE, "devmajor": 1, "devminor": 3}
    make(work, a=tar([(info("d", **device), b"")]), b=tar([(info("d", **device | {"devminor": 5}), b"")]))
    only(result(work), "device: 1:3, 1:5", level="STRUCTURE-EQUAL")
    make(work, a=tar([(info("d", type=tarfile.DIRTYPE), b"")]), b=tar([("d", b"")]))
    expect(result(work), "DIFFERENT", "type: directory, file")


@core
def test_tar_order_of_members_is_bookkeeping(work):
    members = [(f"m{i}", b"%d" % i) for i in range(5)]
    make(work, a=tar(members), b=tar(reversed(members)))
    only(result(work), "another order", level="CONTENT-EQUAL", cause="order of entries")


def test_tar_members_of_one_side_only(work):
    make(work, a=tar([("x", b"1"), ("only", b"2")]), b=tar([("x", b"1")]))
    only(result(work), "a > only: only in A", level="DIFFERENT")


def test_tar_members_of_one_name_are_matched_in_their_order(work):
    make(work, a=tar([("x", b"1"), ("x", b"2")]), b=tar([("x", b"1"), ("x", b"3")]))
    found = result(work)
    check(found["counts"]["STRUCTURE-EQUAL"] == 2 and found["counts"]["BITWISE-EQUAL"] == 1, str(found["counts"]))


def test_tar_padding_at_the_end_is_bookkeeping(work):
    plain = tar([("x", b"1")]).rstrip(b"\0")
    blocks = plain + b"\0" * (-len(plain) % 512)
    make(work, a=blocks + b"\0" * 1024, b=blocks + b"\0" * 9216)
    only(result(work), "padding at the end: 1024, 9216 bytes", level="CONTENT-EQUAL")
    make(work, a=blocks + b"\0" * 1024 + b"one", b=blocks + b"\0" * 1024 + b"two")
    expect(result(work), "STRUCTURE-EQUAL", "behind the end")


def test_tar_form_of_headers_is_bookkeeping(work):
    name = "a/" + "long" * 60
    make(work, a=tar([(name, b"1"), ("s", b"2")]), b=tar([(name, b"1"), ("s", b"2")], tarfile.PAX_FORMAT))
    found = result(work)
    expect(found, "CONTENT-EQUAL", f"> {name}: form of the header: GNU", "pax")
    expect(found, "CONTENT-EQUAL", "> s: form of the header: GNU", "ustar")


def test_tar_checksums_of_signed_bytes_are_taken(work):
    def signed(data):
        whole = bytearray(tar([("x\xff\xfe".encode("latin-1").decode("utf-8", "surrogateescape"), data)]))
        whole[148:156] = b" " * 8
        total = sum(byte - 256 if byte > 127 else byte for byte in whole[:512])
        whole[148:156] = b"%06o\0 " % total
        return bytes(whole)
    make(work, a=signed(b"1"), b=signed(b"2"))
    expect(result(work), "STRUCTURE-EQUAL", "x\\377\\376: 1 of 1")


def test_tar_names_in_prefixes_are_put_together(work):
    name = "some/quite/long/path/" * 6 + "x"
    make(work, a=tar([(name, b"1")], tarfile.USTAR_FORMAT), b=tar([(name, b"2")], tarfile.USTAR_FORMAT))
    expect(result(work), "STRUCTURE-EQUAL", f"a > {name}: 1 of 1")


def test_tar_records_of_pax(work):
    def one(**headers):
        return tar([(info("x", pax_headers=headers), b"1")], tarfile.PAX_FORMAT)
    make(work, a=one(**{"SCHILY.xattr.user.k": "v"}), b=one(**{"SCHILY.xattr.user.k": "w"}))
    only(result(work), "attributes: SCHILY.xattr.user.k=v, SCHILY.xattr.user.k=w", level="STRUCTURE-EQUAL")
    make(work, a=one(comment="v"), b=one(comment="w"))
    only(result(work), "comment: comment=v, comment=w", level="CONTENT-EQUAL")
    make(work, a=one(mtime="1700000000.5"), b=one(mtime="1700000000.25"))
    only(result(work), "time of change: 2023-11-14T22:13:20.5Z, 2023-11-14T22:13:20.25Z", level="CONTENT-EQUAL",
         cause="date or time")
    make(work, a=one(atime="5.0"), b=one(atime="6.0"))
    only(result(work), "times: atime=5.0, atime=6.0", level="CONTENT-EQUAL", cause="date or time")


def test_tar_headers_for_all_that_follow(work):
    make(work, a=tar([("x", b"1")], tarfile.PAX_FORMAT, pax_headers={"comment": "1234"}),
         b=tar([("x", b"1")], tarfile.PAX_FORMAT, pax_headers={"comment": "5678"}))
    only(result(work), "pax_global_header: comment: comment=1234, comment=5678", level="CONTENT-EQUAL")


def test_tar_holes_are_filled(work):
    with open(work / "s", "wb") as file:
        for at in (5000, 700000, 2000000):
            file.seek(at)
            file.write(b"data")
        file.truncate(3000000)
    plain = tool(work, "tar", "c", "--format=gnu", "s")
    make(work, a=plain)
    for words in (["--format=gnu"], *(["--format=posix", f"--sparse-version={v}", "--pax-option=delete=?time"]
                                      for v in ("0.0", "0.1", "1.0"))):
        make(work, b=tool(work, "tar", "cS", *words, "s"))
        check((work / "b").stat().st_size < 100000, "tar leaves no holes out")
        only(result(work), "s: holes: stored, left out", level="CONTENT-EQUAL")
    with open(work / "s", "r+b") as file:
        file.seek(700000)
        file.write(b"DATA")
    os.utime(work / "s", (TIME, TIME))
    make(work, b=tool(work, "tar", "cS", "--format=gnu", "s"))
    expect(result(work), "STRUCTURE-EQUAL", "4 of 3000000 bytes differ")


def test_damaged_tar_is_compared_as_bytes(work):
    whole = tar([("x", TEXT), ("y", b"1")])
    for at, what in ((512 + len(TEXT) + -len(TEXT) % 512 + 148, b"77777"), (124, b"77777777777")):
        make(work, a=whole, b=whole[:at] + what + whole[at + len(what):])
        check(result(work)["object"]["format"] == "bytes", "a damaged tar is one still")


@core
def test_nests_are_told_by_their_path(work):
    def nest(text):
        inner = tar([("./usr/share/doc/x.gz", gzipped(text))])
        return tar([("inner.tar.xz", lzma.compress(inner))])
    make(work, **{"a.tar.gz": gzipped(nest(b"one\n")), "b.tar.gz": gzipped(nest(b"two\n"))})
    expect(result(work, "a.tar.gz", "b.tar.gz"), "STRUCTURE-EQUAL",
           "a.tar.gz > inner.tar.xz > ./usr/share/doc/x.gz > x: 1 of 1 lines")


# cpio, ar, Debian packages, RPM.

def tree(work, name, files):
    for path, data in files.items():
        (work / name / path).parent.mkdir(parents=True, exist_ok=True)
        (work / name / path).write_bytes(data)
        os.utime(work / name / path, (TIME, TIME))
        os.chmod(work / name / path, 0o644)
    return work / name


def cpio(directory, form, names):
    return tool(directory, "cpio", "-o", "-H", form, "--quiet", give="\n".join(names).encode())


def test_cpio_of_all_forms(work):
    one, two = tree(work, "1", {"x": b"1", "y": b"2"}), tree(work, "2", {"x": b"3", "y": b"2"})
    for form in ("newc", "crc", "odc", "bin"):
        make(work, a=cpio(one, form, ["x", "y"]), b=cpio(two, form, ["y", "x"]))
        found = result(work)
        expect(found, "STRUCTURE-EQUAL", "a > x: 1 of 1")
        expect(found, "STRUCTURE-EQUAL", "another order", cause="order of entries")
        expect(found, "STRUCTURE-EQUAL", "a > y: inode number")


def test_cpio_in_another_form_has_equal_content(work):
    one = tree(work, "1", {"x": b"1"})
    make(work, a=cpio(one, "newc", ["x"]), b=cpio(one, "odc", ["x"]))
    expect(result(work), "CONTENT-EQUAL", "form of the header: newc, odc")


def test_cpio_hard_links_have_their_bytes_wherever_they_are(work):
    one = tree(work, "1", {"x": TEXT})
    os.link(one / "x", one / "h")
    make(work, a=cpio(one, "newc", ["x", "h"]), b=cpio(one, "newc", ["h", "x"]))
    only(result(work), "another order", level="CONTENT-EQUAL", cause="order of entries")


def test_cpio_and_what_follows_it(work):
    """As in an initial RAM disk."""
    one, two = tree(work, "1", {"x": b"1\n"}), tree(work, "2", {"x": b"2\n"})
    first = cpio(one, "newc", ["x"])
    make(work, a=first + gzipped(cpio(one, "newc", ["x"])), b=first + gzipped(cpio(two, "newc", ["x"])))
    expect(result(work), "STRUCTURE-EQUAL", "a > behind the end > x: 1 of 1 lines")


def ar(members):
    out = b"!<arch>\n"
    for name, data, fields in members:
        fields = {"time": 0, "user": 0, "group": 0, "mode": 0o644} | fields
        out += b"%-16s%-12d%-6d%-6d%-8o%-10d`\n" % (name, fields["time"], fields["user"], fields["group"],
                                                    fields["mode"], len(data))
        out += data + b"\n" * (len(data) % 2)
    return out


def test_ar_facts(work):
    cases = [({"time": TIME}, "x: time of change: 1970-01-01T00:00:00Z, 2023-11-14T22:13:20Z", "date or time"),
             ({"user": 5}, "x: user: 0, 5", "user or group"), ({"mode": 0o664}, "x: mode: 0644, 0664", "umask")]
    for fields, words, cause in cases:
        make(work, a=ar([(b"x/", b"1", {})]), b=ar([(b"x/", b"1", fields)]))
        only(result(work), words, level="CONTENT-EQUAL", cause=cause)


def test_ar_long_names_of_gnu_and_bsd(work):
    def gnu(data):
        return ar([(b"//", b"a_name_that_is_too_long.o/\n", {}), (b"/0", data, {})])

    def bsd(data):
        return ar([(b"#1/24", b"a_name_that_is_too_long\0" + data, {})])
    make(work, a=gnu(b"1"), b=gnu(b"2"))
    expect(result(work), "STRUCTURE-EQUAL", "a > a_name_that_is_too_long.o: 1 of 1")
    make(work, a=bsd(b"1"), b=bsd(b"2"))
    expect(result(work), "STRUCTURE-EQUAL", "a > a_name_that_is_too_long: 1 of 1")


def deb(work, name, text):
    root = tree(work, name, {"DEBIAN/control": b"Package: x\nVersion: 1\nArchitecture: all\n"
                             b"Maintainer: a <a@example.org>\nDescription: x\n", "usr/bin/x": text})
    tool(work, "dpkg-deb", "--root-owner-group", "-b", root, f"{name}.deb",
         env=os.environ | {"SOURCE_DATE_EPOCH": str(TIME)})


def test_debian_packages_are_told_by_their_path(work):
    deb(work, "a", b"one\n")
    deb(work, "b", b"two\n")
    found = result(work, "a.deb", "b.deb")
    expect(found, "STRUCTURE-EQUAL", "a.deb > data.tar.xz > ./usr/bin/x: 1 of 1 lines")
    check(found["object"]["format"] == "Debian package", found["object"]["format"])


def rpm(tags, payload):
    def header(tags):
        index, store = b"", b""
        for number, value in tags.items():
            kind, data = (4, struct.pack(">I", value)) if isinstance(value, int) else (6, value.encode() + b"\0")
            store += b"\0" * (-len(store) % 4 if kind == 4 else 0)
            index += struct.pack(">IIII", number, kind, len(store), 1)
            store += data
        return b"\x8e\xad\xe8\x01" + b"\0" * 4 + struct.pack(">II", len(tags), len(store)) + index + store
    signature = header({269: f"{zlib.crc32(header(tags)):08x}"})
    return b"\xed\xab\xee\xdb\3\0" + b"\0" * 90 + signature + b"\0" * (-(96 + len(signature)) % 8) + header(tags) + payload


def test_rpm_tags_and_payload(work):
    one, two = tree(work, "1", {"x": b"1\n"}), tree(work, "2", {"x": b"2\n"})
    make(work, a=rpm({1000: "name", 1006: TIME, 1007: "alpha"}, gzipped(cpio(one, "newc", ["x"]))),
         b=rpm({1000: "name", 1006: TIME + 1, 1007: "omega"}, gzipped(cpio(two, "newc", ["x"]))))
    found = result(work)
    expect(found, "STRUCTURE-EQUAL", "a > payload > x: 1 of 1 lines")
    expect(found, "STRUCTURE-EQUAL", "header: BUILDTIME: value: 1700000000, 1700000001", cause="date or time")
    expect(found, "STRUCTURE-EQUAL", "header: BUILDHOST: value: alpha, omega", cause="host name")
    expect(found, "STRUCTURE-EQUAL", "signature: SHA1HEADER")


# zip archives.

def zipped(entries, comment=b"", before=b"", method=zipfile.ZIP_DEFLATED, level=None):
    """Of pairs: a name or ZipInfo, and bytes."""
    out = io.BytesIO(before)
    with zipfile.ZipFile(out, "a" if before else "w", method, compresslevel=level) as archive:
        for entry, data in entries:
            if isinstance(entry, str):
                entry = zip_info(entry, compress_type=method)
            archive.writestr(entry, data, compresslevel=level)
        archive.comment = comment
    return out.getvalue()


def zip_info(name, **fields):
    entry = zipfile.ZipInfo(name, fields.pop("date_time", (2020, 2, 2, 2, 2, 2)))
    entry.external_attr = 0o100644 << 16
    entry.compress_type = zipfile.ZIP_DEFLATED
    for field, value in fields.items():
        setattr(entry, field, value)
    return entry


@core
def test_zip_facts_have_their_levels_and_causes(work):
    cases = [({"date_time": (2020, 2, 2, 2, 2, 4)}, "time of change: 2020-02-02T02:02:02, 2020-02-02T02:02:04",
              "CONTENT-EQUAL", "date or time"),
             ({"external_attr": 0o100664 << 16}, "mode: 0644, 0664", "CONTENT-EQUAL", "umask"),
             ({"external_attr": 0o100755 << 16}, "mode: 0644, 0755", "STRUCTURE-EQUAL", None),
             ({"comment": b"hello"}, "comment: none, hello", "CONTENT-EQUAL", None),
             ({"create_version": 63}, "version that made it: 20, 63", "CONTENT-EQUAL", "version"),
             ({"extra": struct.pack("<HHBI", 0x5455, 5, 1, TIME)}, "time of change in seconds: none, 2023-11-14T22:13:20Z",
              "CONTENT-EQUAL", "date or time"),
             ({"extra": struct.pack("<HH4s", 0xCAFE, 4, b"abcd")}, "extra fields: none, ", "CONTENT-EQUAL", None),
             ({"extra": struct.pack("<HH4s", 0x1234, 4, b"abcd")}, "unknown extra fields: none", "STRUCTURE-EQUAL",
              None)]
    for fields, words, level, cause in cases:
        make(work, a=zipped([(zip_info("x"), b"1")]), b=zipped([(zip_info("x", **fields), b"1")]))
        expect(result(work), level, f"a > x: {words}", cause=cause)


def test_zip_methods_and_levels_are_bookkeeping(work):
    stored = zipped([("x", TEXT)], method=zipfile.ZIP_STORED)
    for method, name in ((zipfile.ZIP_DEFLATED, "deflate"), (zipfile.ZIP_BZIP2, "bzip2")):
        make(work, a=stored, b=zipped([("x", TEXT)], method=method))
        expect(result(work), "CONTENT-EQUAL", f"method: stored, {name}", cause="compression")
        make(work, a=stored, b=zipped([("x", TEXT.replace(b"line 7 ", b"LINE 7 "))], method=method))
        expect(result(work), "STRUCTURE-EQUAL", "a > x: 1 of 2000 lines")
    make(work, a=zipped([("x", TEXT)], level=1), b=zipped([("x", TEXT)], level=9))
    only(result(work), "x: compressed bytes", level="CONTENT-EQUAL", cause="compression")


def test_zip_order_comment_and_what_is_before(work):
    entries = [("x", b"1"), ("y", b"2")]
    make(work, a=zipped(entries), b=zipped(reversed(entries)))
    only(result(work), "another order", level="CONTENT-EQUAL", cause="order of entries")
    make(work, a=zipped(entries), b=zipped(entries, comment=b"hello"))
    only(result(work), "comment: none, hello", level="CONTENT-EQUAL")
    make(work, a=zipped(entries, before=b"#!/usr/bin/python3\n"), b=zipped(entries, before=b"#!/usr/bin/python4\n"))
    only(result(work), "before the first member: 1 of 1 lines", level="STRUCTURE-EQUAL")


def test_zip_by_other_names(work):
    for suffix, kind in ((".jar", "jar"), (".whl", "wheel"), (".docx", "Office Open XML"), (".odt", "OpenDocument")):
        make(work, **{f"a{suffix}": zipped([("x", b"1")]), f"b{suffix}": zipped([("x", b"2")])})
        found = result(work, f"a{suffix}", f"b{suffix}")
        check(found["object"]["format"] == kind, f"{suffix} is {found['object']['format']}")


def test_zip64(work):
    def large(data):
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w") as archive, archive.open(zip_info("x"), "w", force_zip64=True) as member:
            member.write(data)
        plain = out.getvalue()
        end = plain.rindex(b"PK\5\6")
        count, size, offset = struct.unpack("<10xHII", plain[end:end + 20])
        record = struct.pack("<4sQHHIIQQQQ", b"PK\6\6", 44, 45, 45, 0, 0, count, count, size, offset)
        locator = struct.pack("<4sIQI", b"PK\6\7", 0, end, 1)
        return plain[:end] + record + locator + struct.pack("<4sHHHHIIH", b"PK\5\6", 0, 0, 0xFFFF, 0xFFFF, 0xFFFFFFFF,
                                                            0xFFFFFFFF, 0)
    make(work, a=large(b"1\n"), b=large(b"2\n"))
    found = result(work)
    expect(found, "STRUCTURE-EQUAL", "a > x: 1 of 1 lines")


def test_zip_that_is_encrypted_or_on_several_disks_is_compared_as_bytes(work):
    plain = bytearray(zipped([("x", b"1")]))
    central, end = plain.index(b"PK\1\2"), plain.index(b"PK\5\6")
    for at, value in ((central + 8, 1), (end + 4, 1)):
        changed = bytearray(plain)
        changed[at] = value
        make(work, a=bytes(plain), b=bytes(changed))
        check(result(work)["object"]["format"] == "bytes", "it is looked into")


def test_zip_member_that_is_damaged_is_compared_as_it_is(work):
    plain = bytearray(zipped([("x", TEXT), ("y", b"1")]))
    changed = bytearray(plain)
    changed[200:220] = b"\xff" * 20
    make(work, a=bytes(plain), b=bytes(changed))
    expect(result(work), "DIFFERENT", "a > x: not looked into: it is damaged")


def test_7zip_and_iso9660(work):
    for form in ("7zip", "iso9660"):
        for side, text in (("a", b"one\n"), ("b", b"two\n")):
            tree(work, side, {"d/x": text, "d/y": TEXT})
            make(work, **{f"{side}.{form}": tool(work, "bsdtar", "-cf", "-", "--format", form, "-C", side, "d")})
        found = result(work, f"a.{form}", f"b.{form}")
        expect(found, "STRUCTURE-EQUAL", "> d/x: 1 of 1 lines")
        check(found["object"]["format"] != "bytes", "it is not looked into")
    for level in "19":
        make(work, **{level: tool(work, "bsdtar", "-cf", "-", "--format", "7zip", "--options",
                                  f"7zip:compression-level={level}", "-C", "a", "d")})
    only(result(work, "1", "9"), "compressed in another way", level="CONTENT-EQUAL", cause="compression")


# Limits.

def test_bombs_are_stopped_by_the_limit_with_words(work):
    bomb = b"\0" * 50_000_000
    make(work, a=gzipped(bomb, level=1), b=gzipped(bomb + b"1", level=1))
    found = result(work, "a", "b", "--memory-limit", "20M")
    expect(found, "DIFFERENT", "not looked into", "--memory-limit")
    make(work, a=zipped([("x", bomb), ("y", b"1\n")]), b=zipped([("x", bomb + b"1"), ("y", b"2\n")]))
    found = result(work, "a", "b", "--memory-limit", "20M")
    expect(found, "DIFFERENT", "a > x: not looked into", "--memory-limit")
    expect(found, "DIFFERENT", "a > y: 1 of 1 lines")


def test_nests_of_many_levels_end_with_words(work):
    a, b = b"one\n", b"two\n"
    for _ in range(40):
        a, b = gzip.compress(a, mtime=0), gzip.compress(b, mtime=0)
    make(work, a=a, b=b)
    found = result(work)
    check(any("--depth" in finding["what"] for _, finding in findings(found)), f"no word of it: {findings(found)}")


def test_zip_whose_members_share_their_bytes_is_compared_as_bytes(work):
    def sharing(data, count):
        plain = zipped([("x", data)])
        central, end = plain.index(b"PK\1\2"), plain.index(b"PK\5\6")
        row = plain[central:end]
        return plain[:central] + row * count + struct.pack("<4sHHHHIIH", b"PK\5\6", 0, 0, count, count,
                                                           len(row) * count, central, 0)
    noise = random.Random(0).randbytes(100000)
    make(work, a=sharing(noise, 50), b=sharing(noise[::-1], 50))
    check(result(work)["object"]["format"] == "bytes", "it is looked into")


@full
def test_a_million_members(work):
    def many(last):
        out = io.BytesIO()
        with tarfile.open(fileobj=out, mode="w") as archive:
            for i in range(1_000_000):
                archive.addfile(info(f"dir{i % 1000}/file{i}"))
        return out.getvalue()[:-10240].rstrip(b"\0") + b"\0" * last
    make(work, a=many(2048), b=many(4096))
    ended = run(work, "a", "b")
    check(ended.status == 1 and b"1000001 objects" in ended.out, "a million members are not compared", ended)
