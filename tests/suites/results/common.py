"""What the tests of results share: an image, rooms to run in, and how they are run."""

import io
import os
import pathlib
import shutil
import stat
import sys
import tarfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent.parent / "lib"))
import suite  # noqa: E402

LIMIT = 60
EPOCH = 744847200
TESTS = []
APPLETS = "sh cat chmod chown cp echo env find id ln ls md5sum mkdir mkfifo mv rm sleep sort stat touch xargs".split()
# What programs see of all files: a program that prints it may run in the container, or on a copy of its files.
LISTING = ("cd / && find . \\( -path ./proc -o -path ./sys -o -path ./dev -o -path ./build \\) -prune -o -print"
           " | sort | while read -r f; do stat -c '%n|%F|%a|%s|%h|%N' \"$f\";"
           " [ -f \"$f\" ] && ! [ -L \"$f\" ] && md5sum \"$f\"; done; true")


class Failed(Exception):
    pass


class Skipped(Exception):
    pass


def test(level):
    def add(function):
        TESTS.append((level, function))
        return function
    return add


def check(condition, why):
    if not condition:
        raise Failed(why)


def check_equal(found, expected, what):
    if found != expected:
        raise Failed(f"{what}: {found!r} instead of {expected!r}")


def make_image(path):
    """A small root with busybox, and files to be changed."""
    (path / "bin").mkdir(parents=True)
    shutil.copy("/bin/busybox", path / "bin" / "busybox")
    for applet in APPLETS:
        (path / "bin" / applet).symlink_to("busybox")
    for name, text in {"etc/keep": "keep", "etc/change": "old", "etc/gone": "gone", "etc/tree/below/file": "below",
                       "etc/replaced/old": "old", "etc/file_to_directory": "file", "usr/share/deep/a/b": "b"}.items():
        (path / name).parent.mkdir(parents=True, exist_ok=True)
        (path / name).write_text(text + "\n")
    # Whoever unpacks it has his own mask.
    for entry in path.rglob("*"):
        if not entry.is_symlink():
            entry.chmod(0o755 if entry.is_dir() or entry.parent.name == "bin" else 0o644)
    path.chmod(0o755)
    return path


def tar_of(path):
    """The bytes of a tar of a directory, all of it root's."""
    def rootly(member):
        member.uid = member.gid = 0
        member.uname = member.gname = ""
        return member

    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.PAX_FORMAT) as archive:
        archive.add(path, ".", filter=rootly)
    return out.getvalue()


# Changes of each kind, in the image above.
CHANGES = ("umask 022; echo new >>/etc/change; rm /etc/gone; rm -r /etc/tree; echo file >/etc/tree;"
           " rm -r /etc/replaced; mkdir /etc/replaced; echo new >/etc/replaced/new; rm /etc/file_to_directory;"
           " mkdir /etc/file_to_directory; echo in >/etc/file_to_directory/in; mkdir -p /opt/x; echo one >/opt/x/one;"
           " ln /opt/x/one /opt/two; ln -s ../one /opt/x/link; mkfifo /opt/x/fifo; chmod 4751 /opt/x/one;"
           " mkdir /opt/x-y; echo z >/opt/x-y/z; echo deep >/usr/share/deep/a/new")


class Room:
    """A directory to run in, and the image."""

    image = None

    def __init__(self, name):
        self.top = suite.fresh("rooms", name)
        self.work = self.top / "work"
        self.work.mkdir()
        if Room.image is None:
            if not os.access("/bin/busybox", os.X_OK):
                raise Skipped("busybox-static is not installed")
            Room.image = make_image(suite.fresh("image") / "root")

    def stet(self, *words, at=None, prefix=(), environment=None):
        return suite.run([*prefix, suite.STET, *words], at or self.work, LIMIT,
                         dict(os.environ, **environment) if environment else None)

    def run(self, *options, command=("true",), **more):
        return self.stet("run", *options, "--", *command, **more)

    def in_image(self, script, *options, **more):
        return self.run("--image", Room.image, *options, command=("/bin/sh", "-c", script), **more)


def succeeded(ended, status=0):
    if ended.timed_out:
        raise Failed(f"not over after {LIMIT} s: {ended.report}")
    if ended.status != status:
        raise Failed(f"status {ended.status} instead of {status}: {suite.text(ended.err)}")
    return ended


def refused(ended, *words):
    """One line on standard error, with these words in it, and status 125."""
    succeeded(ended, 125)
    lines = ended.err.decode(errors="replace").splitlines()
    check_equal(len(lines), 1, f"lines of {lines}")
    for word in words:
        check(word in lines[0], f"'{word}' is not in: {lines[0]}")
    return ended


def tree(path):
    """All that lies below a directory, with what must not change."""
    found = {}
    for entry in sorted(path.rglob("*")):
        status = entry.lstat()
        content = entry.read_bytes() if stat.S_ISREG(status.st_mode) else None
        found[str(entry.relative_to(path))] = (status.st_mode, status.st_mtime_ns, status.st_ino, content)
    return found


def run_all(words):
    """Those whose names contain one of the words, or all."""
    for level, function in TESTS:
        name = function.__name__
        if not suite.reaches(level) or (words and not any(word in name for word in words)):
            continue
        try:
            function(Room(name))
        except Skipped as reason:
            suite.skip(name, reason)
        except Failed as why:
            first, *rest = str(why).splitlines()
            suite.not_ok(name, first, "\n".join(rest))
        else:
            suite.ok(name)
