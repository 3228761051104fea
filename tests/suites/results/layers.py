"""--save FILE.tar: the changes of a run as a layer of an image."""

import gzip
import io
import json
import os
import pathlib
import shutil
import signal
import subprocess
import tarfile
import tempfile
import time

import oci
import suite
from common import (CHANGES, EPOCH, LISTING, Failed, Room, Skipped, check, check_equal, make_image, refused, succeeded,
                    tar_of, test)

OPAQUE = ".wh..wh..opq"


def save(room, name="out.tar", script=CHANGES, **more):
    succeeded(room.in_image(script, "--save", room.top / name, **more))
    return (room.top / name).read_bytes()


def entries(data):
    with tarfile.open(fileobj=io.BytesIO(data)) as archive:
        return {member.name: member for member in archive}


def apply(data, root):
    """A layer on top of a directory, as the OCI image specification has it."""
    with tarfile.open(fileobj=io.BytesIO(data)) as archive:
        members = archive.getmembers()
        for member in members:
            place, name = (root / member.name).parent, pathlib.Path(member.name).name
            if name == OPAQUE:
                shutil.rmtree(place)
                place.mkdir()
            elif name.startswith(".wh."):
                remove(place / name[len(".wh."):])
        for member in members:
            if not pathlib.Path(member.name).name.startswith(".wh."):
                put(archive, member, root)
        for member in reversed(members):
            if member.isdir():
                (root / member.name).chmod(member.mode)


def remove(path):
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    elif path.is_symlink() or path.exists():
        path.unlink()


def put(archive, member, root):
    path = root / member.name
    if member.isdir():
        if path.is_symlink() or not path.is_dir():
            remove(path)
            path.mkdir()
        return
    remove(path)
    if member.isfifo():
        os.mkfifo(path)
    elif member.issym():
        path.symlink_to(member.linkname)
        return
    elif member.islnk():
        os.link(root / member.linkname, path)
        return
    else:
        path.write_bytes(archive.extractfile(member).read())
    if os.geteuid() == 0:
        os.chown(path, member.uid, member.gid)
    path.chmod(member.mode)


@test("core")
def tar_is_the_same_in_each_run(room):
    elsewhere = room.top / "another directory"
    elsewhere.mkdir()
    for suffix in ("tar", "tar.gz", "tar.zst"):
        first = save(room, f"1.{suffix}")
        second = save(room, f"2.{suffix}", prefix=["taskset", "-c", "0"], at=elsewhere)
        third = save(room, f"3.{suffix}", prefix=["nice", "-n", "5"], environment={"TZ": "Asia/Tokyo", "LC_ALL": "C"})
        check(first == second == third, f".{suffix} differs")


@test("core")
def compressed_tars_hold_the_plain_one(room):
    plain = save(room)
    for suffix, program in (("tar.gz", "gzip"), ("tar.zst", "zstd")):
        packed = save(room, f"out.{suffix}")
        unpacked = subprocess.run([program, "-dc"], input=packed, stdout=subprocess.PIPE, check=True).stdout
        check(unpacked == plain, f".{suffix} holds something else")
    check_equal(save(room, "out.tar.gz")[4:8], bytes(4), "time in the header of gzip")


@test("core")
def entries_are_sorted_and_each_directory_comes_before_its_files(room):
    names = list(entries(save(room)))
    check_equal(names, sorted(names, key=os.fsencode), "order")
    for name in names:
        parent = os.path.dirname(name)
        check(not parent or parent in names[:names.index(name)], f"nothing leads to {name}")


@test("core")
def entries_say_what_programs_saw(room):
    ended = room.in_image(CHANGES + "; chown 7:8 /opt/x/link /opt/two; touch -d '2001-02-03 04:05:06' /opt/x-y/z;"
                          " cd /; for f in opt/two opt/x opt/x-y/z opt/x/fifo etc/change usr/share/deep; do"
                          " stat -c '%n %a %u %g %Y %s' $f; done", "--save", room.top / "out.tar")
    found = entries((room.top / "out.tar").read_bytes())
    for line in succeeded(ended).out.decode().splitlines():
        name, *seen = line.split()
        member = found[name]
        size = member.size if member.isfile() else int(seen[4]) if member.isdir() else 0
        check_equal([f"{member.mode:o}", str(member.uid), str(member.gid), str(member.mtime), str(size)], seen, name)
        check_equal((member.uname, member.gname), ("", ""), "names of owners")


@test("core")
def hard_links_name_the_first_of_them(room):
    found = entries(save(room))
    check(found["opt/two"].isfile(), "the first is no file")
    check(found["opt/x/one"].islnk(), "the second is no link")
    check_equal(found["opt/x/one"].linkname, "opt/two", "link")
    check_equal(found["opt/x/link"].linkname, "../one", "target of the symbolic link")
    check(found["opt/x/fifo"].isfifo(), "the FIFO is none")


@test("core")
def deletions_are_whiteouts(room):
    found = entries(save(room))
    markers = sorted(name for name in found if "/.wh." in name)
    check_equal(markers, ["etc/.wh.gone", f"etc/replaced/{OPAQUE}"], "markers")
    check(all(found[name].size == 0 and found[name].isreg() for name in markers), "a marker is no empty file")
    check(found["etc/tree"].isfile(), "a file in place of a directory is missing")
    check("etc/keep" not in found, "what was not changed is there")


@test("core")
def layer_on_its_image_gives_the_final_state(room):
    ended = succeeded(room.in_image(CHANGES + "\n" + LISTING, "--save", room.top / "out.tar"))
    copy = make_image(room.top / "copy")
    apply((room.top / "out.tar").read_bytes(), copy)
    again = succeeded(room.run("--image", copy, command=("/bin/sh", "-c", LISTING)))
    check(b"./opt/x-y/z" in ended.out, "the listing lists nothing")
    if again.out != ended.out:
        raise Failed("it does not\n" + suite.text(ended.out) + "---\n" + suite.text(again.out))


@test("core")
def layer_is_taken_by_the_reader_of_images(room):
    ended = succeeded(room.in_image(CHANGES + "; chown 5:6 /opt/x-y/z; stat -c %u:%g /opt/x-y/z\n" + LISTING, "--save",
                                    room.top / "out.tar.gz"))
    layout = oci.Layout(room.top / "layout")
    packed = (room.top / "out.tar.gz").read_bytes()
    layers = [layout.layer(tar_of(Room.image)),
              (layout.blob(oci.LAYER + "+gzip", packed), oci.digest_of(gzip.decompress(packed)))]
    layout.index([layout.manifest(layers)])
    again = succeeded(room.run("--image", layout.path, command=("/bin/sh", "-c", "stat -c %u:%g /opt/x-y/z\n" + LISTING)))
    check(ended.out.startswith(b"5:6\n"), "the owner was not set")
    if again.out != ended.out:
        raise Failed("the state is another\n" + suite.text(ended.out) + "---\n" + suite.text(again.out))


@test("core")
def long_and_strange_names_and_values_are_kept(room):
    script = ("import os\n"
              "os.mkdir('/tmp/' + 'd' * 120); open('/tmp/' + 'd' * 120 + '/' + 'f' * 200, 'w').close()\n"
              "open('/tmp/\\u00fc', 'w').close(); open(b'/tmp/\\xff' + b'x' * 120, 'w').close()\n"
              "open('/tmp/a\\nb', 'w').close(); os.symlink('t' * 300, '/tmp/link')\n"
              "open('/tmp/big', 'w').close(); os.chown('/tmp/big', 3000000, 4000000000)\n"
              "os.utime('/tmp/big', (0, -5))\n"
              "open('/tmp/far', 'w').close(); os.utime('/tmp/far', (9e9, 9e9))\n")
    data = b""
    for name in ("1.tar", "2.tar"):
        succeeded(room.run("--save", room.top / name, command=("python3", "-c", script)))
        check(data in (b"", (room.top / name).read_bytes()), "the second tar differs")
        data = (room.top / name).read_bytes()
    found = entries(data)
    check(f"tmp/{'d' * 120}/{'f' * 200}" in found, "long name")
    check("tmp/ü" in found and "tmp/a\nb" in found, "UTF-8, newline")
    check(os.fsdecode(b"tmp/\xff" + b"x" * 120) in found, "other bytes")
    check_equal(found["tmp/link"].linkname, "t" * 300, "target")
    check_equal((found["tmp/big"].uid, found["tmp/big"].gid), (3000000, 4000000000), "large ids")
    check_equal((found["tmp/big"].mtime, found["tmp/far"].mtime), (-5, 9e9), "times before 1970 and after 2242")
    listed = subprocess.run(["tar", "tf", room.top / "1.tar"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                            check=True).stdout
    check_equal(len(listed.splitlines()), len(found), "entries that GNU tar finds")


@test("core")
def attributes_are_kept_in_tars_and_trees(room):
    script = "import os; open('/tmp/f', 'w'); os.mkdir('/tmp/d'); os.setxattr('/tmp/d', 'user.b', b'of d')\n" \
             "os.setxattr('/tmp/f', 'user.z', b'\\0\\n='); os.setxattr('/tmp/f', 'user.a', b'')"
    succeeded(room.run("--save", room.top / "out.tar", command=("python3", "-c", script)))
    succeeded(room.run("--save", room.top / "tree", command=("python3", "-c", script)))
    found = entries((room.top / "out.tar").read_bytes())
    check_equal(found["tmp/f"].pax_headers, {"SCHILY.xattr.user.a": "", "SCHILY.xattr.user.z": "\0\n="}, "of the file")
    check_equal(found["tmp/d"].pax_headers, {"SCHILY.xattr.user.b": "of d"}, "of the directory")
    try:
        check_equal(os.getxattr(room.top / "tree/tmp/f", "user.z"), b"\0\n=", "of the file in the tree")
    except OSError as why:
        raise Skipped(f"no attributes here: {why}") from None
    check_equal(os.getxattr(room.top / "tree/tmp/d", "user.b"), b"of d", "of the directory in the tree")


@test("core")
def sockets_are_left_out(room):
    script = "import socket; socket.socket(socket.AF_UNIX).bind('/tmp/s'); open('/tmp/f', 'w')"
    succeeded(room.run("--save", room.top / "out.tar", command=("python3", "-c", script)))
    check_equal(list(entries((room.top / "out.tar").read_bytes())), ["tmp", "tmp/f"], "entries")


@test("core")
def times_are_logical_and_whole(room):
    script = "import os; open('/tmp/a', 'w'); open('/tmp/b', 'w'); os.utime('/tmp/b', ns=(0, 5999999999))"
    succeeded(room.run("--save", room.top / "out.tar", command=("python3", "-c", script)))
    found = entries((room.top / "out.tar").read_bytes())
    check_equal(found["tmp/a"].mtime, EPOCH, "time of a new file")
    check_equal(found["tmp/b"].mtime, 5, "time that was set")


@test("core")
def a_run_that_changes_nothing_has_an_empty_layer(room):
    check_equal(save(room, script="cat /etc/keep"), bytes(1024), "tar")


@test("core")
def names_that_mean_deletions_are_an_error(room):
    target = room.top / "out.tar"
    refused(room.in_image("echo >/etc/.wh.keep", "--save", target), "/etc/.wh.keep", "--save DIR")
    check(not target.exists(), "there is a tar")
    succeeded(room.in_image("echo >/etc/.wh.keep", "--save", room.top / "tree"))


@test("core")
def what_is_there_stays_until_the_tar_is_complete(room):
    target = room.top / "out.tar"
    target.write_text("before")
    ended = succeeded(room.in_image("sleep 600", "--save", target, "--time", "host", "--timeout", "0.3"), 124)
    check(b"nothing is saved" in ended.err, f"Stet does not say so: {suite.text(ended.err)}")
    check_equal(target.read_text(), "before", "content after a run that was ended")
    save(room)
    check("etc/change" in entries(target.read_bytes()), "it was not replaced")
    check_equal(sorted(os.listdir(room.top)), ["out.tar", "work"], "files")


@test("core")
def a_place_that_cannot_be_written_is_an_error_before_the_start(room):
    (room.work / "dir.tar").mkdir()
    for name, word in (("dir.tar", "Is a directory"), ("none/x.tar", "No such file"), ("/proc/x.tar", "cannot write")):
        refused(room.run("--save", name, command=("touch", "ran")), "--save", word)
    check_equal(os.listdir(room.work), ["dir.tar"], "files")


@test("core")
def a_full_disk_is_an_error(room):
    (room.work / "full.tar").symlink_to("/dev/full")
    refused(room.in_image(CHANGES, "--save", "full.tar"), "cannot write the tar", "No space left")


@test("core")
def a_tar_in_the_mounted_directory_is_not_seen(room):
    first = succeeded(room.run("--digest", "--save", "out.tar", command=("ls",)))
    again = succeeded(room.run("--digest", command=("true",)))
    check_equal(first.out, b"", "what the run sees")
    (room.work / "out.tar").unlink()
    check(succeeded(room.run("--digest", command=("ls",))).err == first.err, "the digest is another")
    check(again.err != b"", "no digest")


@test("core")
def tar_and_digest_say_the_same(room):
    options = ["--save", room.top / "out.tar", "--json", room.top / "run.json"]
    succeeded(room.in_image(CHANGES + "; chown 7:8 /opt/two", *options))
    listed = {item["path"]: item for item in json.loads((room.top / "run.json").read_text())["files"]}
    found = entries((room.top / "out.tar").read_bytes())
    for path, item in listed.items():
        member = found.get(path[1:])
        if item["change"] == "deleted":
            name = pathlib.Path(path[1:])
            check(str(name.parent / f".wh.{name.name}") in found or member, f"{path} is not gone")
            continue
        check(member is not None, f"{path} is missing")
        check_equal((f"{member.mode:04o}", member.uid, member.gid), (item["mode"], item["uid"], item["gid"]), path)
    check("/opt/two" in listed, "nothing is listed")


def end(process):
    process.send_signal(signal.SIGKILL)
    process.wait()


@test("core")
def a_killed_run_leaves_no_tar(room):
    command = [suite.STET, "run", "--time", "host", "--save", room.top / "out.tar", "--", "sh", "-c",
               "echo >/tmp/x; touch started; sleep 100"]
    with subprocess.Popen(command, cwd=room.work, stdin=subprocess.DEVNULL) as process:
        deadline = time.monotonic() + LIMIT_OF_START
        while not (room.work / "started").exists() and time.monotonic() < deadline:
            time.sleep(0.02)
        end(process)
    check((room.work / "started").exists(), "it did not start")
    check_equal(os.listdir(room.top), ["work"], "files")


LIMIT_OF_START = 30


def as_nobody(directory):
    """What makes a command an ordinary user's."""
    os.chown(directory, 65534, 65534)
    return ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "env", f"HOME={directory}",
            f"XDG_CACHE_HOME={directory}/cache"]


@test("normal")
def root_and_a_user_get_the_same(room):
    if os.geteuid() != 0:
        raise Skipped("needs root")
    with tempfile.TemporaryDirectory() as name:
        top = pathlib.Path(name)
        top.chmod(0o755)
        shutil.copy(suite.STET, top / "stet")
        image = make_image(top / "image")
        os.chown(image / "etc/keep", 12, 34)
        script = CHANGES + "; chown 5:6 /opt/x; mv /etc/keep /opt/kept"
        for who, prefix in (("root", []), ("user", as_nobody(top))):
            command = [*prefix, top / "stet", "run", "--digest", "--image", image, "--save", top / f"{who}.tar",
                       "--attest", top / f"{who}.json", "--", "/bin/sh", "-c", script]
            ended = succeeded(suite.run(command, room.work, 60))
            check(b"digest sha256:" in ended.err, "no digest")
        for suffix in ("tar", "json"):
            one, other = (top / f"{who}.{suffix}" for who in ("root", "user"))
            check(one.read_bytes() == other.read_bytes(), f"the .{suffix} is another")
        check_equal((entries((top / "user.tar").read_bytes())["opt/kept"].uid), 12, "owner of the image's file")


@test("full")
def a_hundred_thousand_files(room):
    script = ("import os\nfor d in range(100):\n os.mkdir(f'/opt/{d}')\n"
              " for f in range(1000):\n  open(f'/opt/{d}/{f}', 'w').close()\n  f % 10 or os.link(f'/opt/{d}/{f}', f'/opt/{d}/l{f}')")
    command = [suite.STET, "run", "--save", room.top / "out.tar", "--attest", room.top / "a.json", "--", "python3", "-c", script]
    ended = suite.run(command, room.work, 600)
    succeeded(ended)
    check_equal(len(entries((room.top / "out.tar").read_bytes())), 110101, "entries")
