"""Tars that are broken, or meant to break something: one line, 125, and nothing left or written elsewhere."""

import gzip
import io
import os
import random
import shutil
import subprocess
import tarfile
import zlib

from common import (Skipped, check, check_clean, core, made_up_tar, member, refused, small_tar, succeeds)

PLACES = 20


def directory(name):
    return member(name, type=tarfile.DIRTYPE, mode=0o755)


def symlink(name, target):
    return member(name, type=tarfile.SYMTYPE, linkname=str(target))


def hardlink(name, target):
    return member(name, type=tarfile.LNKTYPE, linkname=str(target))


def device(name, kind=tarfile.CHRTYPE):
    return member(name, type=kind, devmajor=1, devminor=3)


def refuse(work, name, *members, saying=""):
    """Each way in refuses it, and leaves nothing."""
    made_up_tar(work / f"{name}.tar", *members)
    refused(work, "run", "--image", f"{name}.tar", "--", "true", saying=saying)
    refused(work, "image", "import", f"{name}.tar", saying=f"{name}.tar")
    check_clean(work)


@core
def test_names_that_lead_out_are_refused(work):
    outside = work / "outside"
    outside.mkdir()
    (outside / "old").write_text("old")
    file = member("x", b"new")
    refuse(work, "up", file, member("../new", b"new"))
    refuse(work, "upper", member("a/../../new", b"new"))
    refuse(work, "absolute", member(str(outside / "new"), b"new"))
    refuse(work, "link", symlink("out", outside), member("out/new", b"new"))
    refuse(work, "relative", symlink("out", "../" * 20 + str(outside)[1:]), member("out/new", b"new"))
    refuse(work, "chain", symlink("a", outside), symlink("b", "a"), member("b/new", b"new"))
    refuse(work, "dir", symlink("out", outside), directory("out/new"))
    refuse(work, "hard", hardlink("mine", outside / "old"))
    refuse(work, "hardup", hardlink("mine", "../../../../old"))
    refuse(work, "hardlink", symlink("out", outside), hardlink("mine", "out/old"))
    refuse(work, "hardwrite", symlink("out", outside / "old"), hardlink("x", "out"), member("x/y", b"new"))
    check(sorted(os.listdir(outside)) == ["old"] and (outside / "old").read_text() == "old", "something got out")


@core
def test_devices_are_refused_but_for_those_in_dev(work):
    refuse(work, "device", device("null"))
    refuse(work, "block", device("etc/disk", tarfile.BLKTYPE))
    made_up_tar(work / "dev.tar", directory("dev"), device("dev/null"), member("file", b"x"))
    succeeds(work, "image", "import", "dev.tar")


@core
def test_link_over_a_file_does_not_write_through(work):
    """The last one of a name counts, as for tar; what a link pointed to stays."""
    victim = work / "victim"
    victim.write_text("old")
    made_up_tar(work / "image.tar", symlink("file", victim), member("file", b"new"))
    succeeds(work, "image", "import", "image.tar")
    check(victim.read_text() == "old", "written through the link")


@core
def test_truncated_tar_is_refused(work):
    whole = small_tar(work).read_bytes()
    packed = gzip.compress(whole, 1)
    end = len(whole.rstrip(b"\0"))
    chance = random.Random(7)
    for data, suffix, most in ((whole, "tar", end), (packed, "tgz", len(packed) - 1)):
        places = [1, 100, 511, 512, 513, 1024, most // 512 * 512, most - 1]
        places += [chance.randrange(1, most) for _ in range(PLACES - len(places))]
        for place in places:
            (work / "cut").write_bytes(data[:place])
            refused(work, "image", "import", "cut", saying="cut")
    check_clean(work)


def test_damaged_headers_are_refused(work):
    """No byte of the headers makes Stet crash, or leave anything."""
    whole = bytearray(small_tar(work).read_bytes()[:40 << 10])
    chance = random.Random(11)
    for _ in range(40):
        data = bytearray(whole)
        for _ in range(chance.randrange(1, 8)):
            data[chance.randrange(512)] = chance.randrange(256)
        (work / "bent").write_bytes(data)
        refused(work, "image", "import", "bent")
    check_clean(work)


@core
def test_huge_sparse_file_is_refused(work):
    """A file of 1 TB that the tar has no data for."""
    with tarfile.open(work / "sparse.tar", "w", format=tarfile.PAX_FORMAT) as tar:
        info = tarfile.TarInfo("huge")
        info.pax_headers = {"GNU.sparse.major": "1", "GNU.sparse.minor": "0", "GNU.sparse.name": "huge",
                            "GNU.sparse.realsize": str(1 << 40)}
        data = b"1\n1099511627776\n0\n".ljust(512, b"\0")
        info.size = len(data)
        tar.addfile(info, io.BytesIO(data))
    refused(work, "image", "import", "sparse.tar", saying="--image-limit")
    check_clean(work)


def bomb(path, compressor, size=1 << 30):
    """A tar with a file of zeros, compressed."""
    info = tarfile.TarInfo("zeros")
    info.size = size
    with open(path, "wb") as out, subprocess.Popen(compressor, stdin=subprocess.PIPE, stdout=out) as process:
        process.stdin.write(info.tobuf(tarfile.GNU_FORMAT))
        for _ in range(size >> 20):
            process.stdin.write(bytes(1 << 20))
        process.stdin.write(bytes(1024))
        process.stdin.close()


def test_bomb_is_refused_by_the_limit(work):
    missing = []
    for tool in (["gzip", "-1"], ["zstd", "-q", "-1"], ["xz", "-0"], ["bzip2", "-1"]):
        if not shutil.which(tool[0]):
            missing.append(tool[0])
            continue
        bomb(work / f"bomb.{tool[0]}", tool, 1 << (30 if tool[0] in ("gzip", "zstd") else 27))
        refused(work, "run", "--image-limit", "50M", "--image", f"bomb.{tool[0]}", "--", "true",
                saying="--image-limit", limit=20)
        check_clean(work)
    if missing:
        raise Skipped(f"there is no {' '.join(missing)}")


def test_bomb_without_files_is_refused_by_the_limit(work):
    """Zeros behind the end, and a header that goes on for ever."""
    packer = zlib.compressobj(1, wbits=31)
    with open(work / "zeros.gz", "wb") as out:
        for _ in range(512):
            out.write(packer.compress(bytes(1 << 20)))
        out.write(packer.flush())
    refused(work, "image", "import", "--image-limit", "20M", "zeros.gz", limit=20)
    info = tarfile.TarInfo("././@LongLink")
    info.type, info.size = tarfile.GNUTYPE_LONGNAME, 1 << 30
    packer = zlib.compressobj(1, wbits=31)
    with open(work / "name.gz", "wb") as out:
        out.write(packer.compress(info.tobuf(tarfile.GNU_FORMAT)))
        for _ in range(1024):
            out.write(packer.compress(b"a" * (1 << 20)))
        out.write(packer.flush())
    refused(work, "image", "import", "name.gz", limit=20)
    check_clean(work)


@core
def test_many_and_deep_directories_can_be_removed_again(work):
    """What could be unpacked can be pruned, and what could not is removed."""
    deep = "/".join(["d"] * 1200)
    made_up_tar(work / "deep.tar", directory(deep), member(f"{deep}/file", b"x"), directory("closed/inner"),
                member("closed", type=tarfile.DIRTYPE, mode=0))
    succeeds(work, "image", "import", "deep.tar")
    succeeds(work, "image", "prune")
    check_clean(work)
    refuse(work, "deeper", directory("/".join(["d"] * 3000)), member("../x"))
