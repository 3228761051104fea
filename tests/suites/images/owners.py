"""Who owns the files of an image: programs and digests say the same, whatever it is kept as and whoever runs it."""

import io
import os
import pathlib
import shutil
import subprocess
import tarfile

import oci
import suite
from common import LIMIT, Failed, Skipped, check, core, environment, stet, succeeds

USER = 61234  # nobody's
PROGRAMS = ["cat", "chmod", "chown", "cp", "find", "id", "ln", "ls", "mkdir", "mv", "rm", "sed", "sh", "sha256sum",
            "sort", "stat", "tar", "touch", "truncate", "xargs"]
TYPES = {"f": tarfile.REGTYPE, "d": tarfile.DIRTYPE, "l": tarfile.SYMTYPE, "h": tarfile.LNKTYPE, "p": tarfile.FIFOTYPE}

# Name: type, mode, owner, content or target.
FILES = {
    "data": ("d", 0o755, "0:0", ""),
    "data/plain": ("f", 0o644, "33:44", "plain\n"),
    "data/more": ("f", 0o644, "33:44", "more\n"),
    "data/setuid": ("f", 0o4755, "5:6", "#!/bin/sh\n"),
    "data/setgid": ("f", 0o2711, "0:42", ""),
    "data/link": ("l", 0o777, "7:8", "plain"),
    "data/fifo": ("p", 0o622, "9:10", ""),
    "data/dir": ("d", 0o1777, "11:12", ""),
    "data/dir/in": ("f", 0o600, "13:14", "in\n"),
    "data/staff": ("d", 0o2775, "0:50", ""),
    "data/first": ("f", 0o640, "15:16", "linked\n"),
    "data/second": ("h", 0o640, "15:16", "data/first"),
    "data/third": ("h", 0o640, "15:16", "data/first"),
    "data/large": ("f", 0o444, "70000:4294967294", "x" * 100000),
    "data/closed": ("d", 0o000, "21:22", ""),
    "data/noted": ("f", 0o644, "0:1", "noted\n"),
    "srv": ("d", 0o700, "60000:60001", ""),
}
# What only the owner and root may look at: an ordinary user cannot do so in a directory that root made.
CLOSED = ["data/setgid", "data/dir/in", "data/first", "data/second", "data/third", "data/closed", "srv"]
OPEN = {name: (kind, mode | 0o055 if name in CLOSED else mode, owner, content)
        for name, (kind, mode, owner, content) in FILES.items()}
NOTES = {"data/noted": {"user.note": "of the image"}, "data/dir": {"user.note": "of a directory"}}

LOOK = r"""
ls -lnR /data /srv /bin /build
find / -xdev -exec stat -c '%n %F %u:%g %a %i %h %s %b %X %Y %Z' {} + | sort | sha256sum
find / -xdev ! -user 0 | sort
cd / && tar -c data bin | sha256sum
cat /data/plain /data/large | sha256sum
id
"""
CHANGE = r"""
cd /data
chmod 600 plain; echo x >>more; touch noted
ln more other; mv first moved; ln second fourth; chown 1:2 setuid; chown -h 3:4 link
touch staff/new; mkdir staff/dir; touch staff/dir/new; ln -s x staff/link
mv fifo pipe; mv dir renamed; truncate -s 10 large
echo y >new; chown 77:88 new; chmod 4755 new; sed -i s/noted/changed/ noted
chown 5:5 /srv; touch /srv/made; rm setgid
ls -lnR /data /srv
find /data /srv -exec stat -c '%n %F %u:%g %a %i %h %s %Y %Z' {} + | sort
"""


def write_tar(path, files):
    """A tar of these files, with a shell and the programs that it needs."""
    busybox = shutil.which("busybox")
    if not busybox:
        raise Skipped("there is no busybox")
    members = {".": ("d", 0o755, "0:0", ""), "bin": ("d", 0o755, "0:0", ""),
               "bin/busybox": ("f", 0o755, "0:0", pathlib.Path(busybox).read_bytes())}
    members.update({f"bin/{name}": ("l", 0o777, "0:0", "busybox") for name in PROGRAMS})
    members.update(files)
    with tarfile.open(path, "w", format=tarfile.PAX_FORMAT) as tar:
        for name, (kind, mode, owner, content) in members.items():
            info = tarfile.TarInfo(name)
            info.type, info.mode = TYPES[kind], mode
            info.uid, info.gid = (int(number) for number in owner.split(":"))
            info.pax_headers = {f"SCHILY.xattr.{key}": value for key, value in NOTES.get(name, {}).items()}
            data = content.encode() if isinstance(content, str) else content
            if kind in "lh":
                info.linkname = content
            elif kind == "f":
                info.size = len(data)
            tar.addfile(info, io.BytesIO(data))
    return path


def write_directory(path, tar):
    """The same files in a directory: for root."""
    path.mkdir(mode=0o755)
    subprocess.run(["tar", "-C", path, "--numeric-owner", "--xattrs", "--xattrs-include=user.*", "-xpf", tar],
                   check=True)
    return path


def write_layout(path, tar, files):
    """An OCI layout of two layers; the upper one has some of the files again."""
    layout = oci.Layout(path)
    again = write_tar(path / "again.tar", {name: files[name] for name in ("data", "data/plain", "data/link", "srv")})
    layout.index([layout.manifest([layout.layer(tar.read_bytes()), layout.layer(again.read_bytes())])])
    again.unlink()
    return path


def as_user(work, *words):
    """Runs stet as an ordinary user, whom nothing here belongs to."""
    home = work / "user"
    if not home.exists():
        home.mkdir()
        os.chown(home, USER, USER)
    command = ["setpriv", f"--reuid={USER}", f"--regid={USER}", "--clear-groups"]
    if subprocess.run([*command, "test", "-r", suite.STET, "-a", "-w", home], check=False).returncode != 0:
        raise Skipped(f"an ordinary user cannot reach {home}, or {suite.STET}")
    return suite.run([*command, suite.STET, *words], home, LIMIT, environment(home / "cache"))


def need_root():
    if os.geteuid() != 0:
        raise Skipped("only root can make files that belong to others, and become somebody else")


def digest_of(ended, what):
    """Of a run that went well: its digest, and what it said."""
    lines = ended.err.decode(errors="replace").splitlines()
    check(ended.status == 0 and lines and lines[-1].startswith("stet: digest sha256:"), f"{what}: no digest", ended)
    return lines[-1], ended.out.decode()


def agree(results):
    """All of these, by what they are of, are the same."""
    (first, wanted), *others = results.items()
    for what, result in others:
        if result[1] != wanted[1]:
            lines, other = wanted[1].splitlines(), result[1].splitlines()
            differing = [pair for pair in zip(lines, other) if pair[0] != pair[1]][:5]
            raise Failed(f"{what} shows something else than {first}: {differing or (len(lines), len(other))}")
        check(result[0] == wanted[0], f"{what} has another digest than {first}")


@core
def test_programs_see_the_owners_of_the_image(work):
    tar = write_tar(work / "image.tar", FILES)
    out = succeeds(work, "run", "--image", tar, "--", "sh", "-c",
                   "cd /; find data srv -exec stat -c '%u:%g %a %n' {} +").splitlines()
    wanted = [f"{owner} {mode:o} {name}" for name, (_, mode, owner, _) in FILES.items()]
    check(sorted(out) == sorted(wanted), f"{sorted(set(out) ^ set(wanted))}")
    out = succeeds(work, "run", "--image", tar, "--", "sh", "-c", "cd /data; find . -user 33 | sort; ls -lnd staff")
    check(out.startswith("./more\n./plain\ndrwxrwsr-x    1 0        50 "), out)
    out = succeeds(work, "run", "--image", tar, "--", "sh", "-c", "cd /; tar -c data srv | tar -tv | sort -k 6")
    check(" 33/44 " in out and " 70000/" in out and " 60000/60001 " in out, out)


@core
def test_owners_stay_when_files_change(work):
    tar = write_tar(work / "image.tar", FILES)
    out = succeeds(work, "run", "--image", tar, "--", "sh", "-c", """cd /data
        chmod 600 plain; echo x >>more; mv first moved; ln second fourth; mv fifo pipe; touch dir/in; chmod 700 dir
        chown 1:2 setuid; chown -h 3 link; touch staff/new; mkdir staff/dir; echo >new; chmod u+w large
        stat -c '%u:%g %a %n' plain more moved second third fourth pipe dir/in dir setuid link
        stat -c '%u:%g %a %n' staff/new staff/dir new large""")
    wanted = ["33:44 600 plain", "33:44 644 more", "15:16 640 moved", "15:16 640 second", "15:16 640 third",
              "15:16 640 fourth", "9:10 622 pipe", "13:14 600 dir/in", "11:12 700 dir", "1:2 755 setuid",
              "3:8 777 link", "0:50 644 staff/new", "0:50 2755 staff/dir", "0:0 644 new", "70000:4294967294 644 large"]
    check(out.splitlines() == wanted, f"{set(out.splitlines()) ^ set(wanted)}")


@core
def test_names_of_a_linked_file_have_one_number(work):
    tar = write_tar(work / "image.tar", FILES)
    out = succeeds(work, "run", "--image", tar, "--", "sh", "-c", """cd /data
        stat -c %i plain; ln plain other; stat -c %i plain other; mv plain gone; stat -c %i other gone
        echo >next; mv next gone; stat -c '%i %h' other""").splitlines()
    check(len(set(out[:5])) == 1 and out[5] == f"{out[0]} 1", out)


def compare(work, script):
    """The same from every kind of image, for root and for an ordinary user."""
    need_root()
    tar = write_tar(work / "image.tar", OPEN)
    images = {"a tar": tar, "OCI": write_layout(work / "layout", tar, OPEN),
              "a directory": write_directory(work / "directory", tar)}
    results = {}
    for kind, image in images.items():
        words = ["run", "--digest", "--image", image, "--", "sh", "-c", script]
        results[f"{kind} for root"] = digest_of(stet(work, *words), kind)
        results[f"{kind} for a user"] = digest_of(as_user(work, *words), kind)
    agree(results)


def test_all_kinds_look_the_same_to_everybody(work):
    compare(work, LOOK)


def test_changes_are_the_same_for_everybody(work):
    compare(work, CHANGE)


def test_tar_with_closed_files_is_open_to_its_user(work):
    need_root()
    tar = write_tar(work / "image.tar", FILES)
    words = ["run", "--digest", "--image", tar, "--", "sh", "-c", LOOK + CHANGE]
    agree({"root": digest_of(stet(work, *words), "root"), "a user": digest_of(as_user(work, *words), "a user")})


def test_what_a_user_may_not_read_of_a_directory_is_listed_and_refused(work):
    need_root()
    root = write_directory(work / "directory", write_tar(work / "image.tar", FILES))
    words = ["run", "--image", root, "--", "sh", "-c", "cd /data; ls -ln; ls closed"]
    mine, others = stet(work, *words), as_user(work, *words)
    check(mine.out == others.out, "the listing is another one", others)
    check(mine.status == 0 and b"'closed': Permission denied" in others.err, "not refused", others)
    (root / "data" / "dir").chmod(0o744)  # its names may be read, and nothing else
    ended = as_user(work, *words[:4], "ls", "-l", "/data/dir")
    check(b"/data/dir/in: Permission denied" in ended.err, "names cannot be read", ended)
    (root / "data" / "dir").chmod(0o755)
    for name, command in (("first", "cat first"), ("dir/in", "echo x >dir/in"), ("setgid", "cp setgid /build")):
        ended = as_user(work, "run", "--image", root, "--", "sh", "-c", f"cd /data; {command}")
        check(ended.status != 0 and b"ermission denied" in ended.err, f"{name} is not refused", ended)


def test_user_s_own_files_are_root_s(work):
    need_root()
    root = write_directory(work / "directory", write_tar(work / "image.tar", {"mine": ("f", 0o600, f"{USER}:7", ""),
                                                                              "ours": ("f", 0o660, f"7:{USER}", "")}))
    ended = as_user(work, "run", "--image", root, "--", "stat", "-c", "%u:%g", "/mine", "/ours")
    check(ended.out == b"0:7\n7:0\n", "shown otherwise", ended)


def test_saved_files_have_the_owners_that_programs_saw(work):
    need_root()
    tar = write_tar(work / "image.tar", FILES)
    succeeds(work, "run", "--image", tar, "--save", "saved", "--", "sh", "-c",
             "cd /data; echo x >>plain; touch staff/new; chown 1:2 more; mv first moved; echo >new")
    owners = {name: os.lstat(work / "saved" / "data" / name) for name in ("plain", "staff/new", "more", "moved", "new")}
    check({name: f"{status.st_uid}:{status.st_gid}" for name, status in owners.items()} ==
          {"plain": "33:44", "staff/new": "0:50", "more": "1:2", "moved": "15:16", "new": "0:0"}, owners)


def test_private_copies_belong_to_root(work):
    need_root()
    tar = write_tar(work / "image.tar", FILES)
    (work / "copy").mkdir()
    (work / "copy" / "file").write_text("")
    for path in (work / "copy", work / "copy" / "file"):
        os.chown(path, 3, 4)
    out = succeeds(work, "run", "--image", tar, "--mount", f"{work}/copy:/data:copy", "--mount",
                   f"{work}/copy/file:/single:copy", "--", "stat", "-c", "%u:%g", "/data", "/data/file", "/single")
    check(out == "0:0\n0:0\n0:0\n", out)
