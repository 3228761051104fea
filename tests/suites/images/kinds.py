"""What an image can be."""

import contextlib
import os
import pty
import shutil
import subprocess

import suite
from common import (Skipped, check, check_clean, core, entries, environment, made_up_tar, many_files, refused, small_root,
                    small_tar, stet, succeeds)

LOOK = ["--", "sh", "-c", "cat /etc/motd; stat -c %a:%u:%g /secret; ls /"]
SEEN = "from the image\n640:0:0\nbin\nbuild\ndev\netc\nproc\nsecret\nsys\n"


@core
def test_image_is_a_directory_or_a_tar(work):
    root = small_root(work / "root")
    check(succeeds(work, "run", "--image", root, *LOOK) == SEEN, "a directory shows something else")
    subprocess.run(["tar", "-C", root, "--owner=0", "--group=0", "-cf", work / "image.tar", "."], check=True)
    check(succeeds(work, "run", "--image", "image.tar", *LOOK) == SEEN, "a tar shows something else")
    check_clean(work, 1)
    check(succeeds(work, "run", "--image", "image.tar", *LOOK) == SEEN, "the same tar again shows something else")
    check_clean(work, 1)


@core
def test_image_is_never_changed(work):
    small_tar(work)
    succeeds(work, "image", "digest", "image.tar")
    for _ in range(2):
        succeeds(work, "run", "--image", "image.tar", "--", "sh", "-c",
                 "cat /etc/motd; echo x >/etc/motd; rm -r /etc; echo y >/bin/new; rm /bin/ls")
    check(succeeds(work, "run", "--image", "image.tar", "--", "cat", "/etc/motd") == "from the image\n", "changed")
    check(succeeds(work, "image", "digest", "--check", "image.tar").endswith(" verified\n"), "not verified")


@core
def test_image_without_a_name_for_localhost_gets_one(work):
    root = small_root(work / "root")
    look = ["--save", work / "saved", "--", "sh", "-c", "cat /etc/hosts /etc/hostname; cat /etc/resolv.conf; stat -c %y /etc"]
    before = sorted((root / "etc").iterdir())
    seen = succeeds(work, "run", "--hostname", "here", "--image", root, *look)
    check("127.0.0.1\tlocalhost here\n" in seen and "\nhere\n" in seen, f"not found: {seen}")
    check(not list((work / "saved").rglob("*")), "the run is said to have made them")
    check(sorted((root / "etc").iterdir()) == before, "the image was changed")
    (root / "etc/hosts").write_text("127.0.0.1 mine\n")
    check(succeeds(work, "run", "--image", root, "--", "cat", "/etc/hosts") == "127.0.0.1 mine\n", "the image's own is hidden")
    shutil.rmtree(root / "etc")
    (root / "etc").symlink_to(work)
    succeeds(work, "run", "--image", root, "--", "true")
    check(not (work / "hosts").exists(), "a link was followed")


def test_tar_in_every_compression(work):
    small_tar(work)
    tools = {"gz": "gzip", "bz2": "bzip2", "xz": "xz", "zst": "zstd", "lz4": "lz4"}
    missing = [tool for tool in tools.values() if not shutil.which(tool)]
    digest = succeeds(work, "image", "digest", "image.tar")
    for suffix, tool in tools.items():
        if tool in missing:
            continue
        with open(work / f"image.{suffix}", "wb") as out:
            subprocess.run([tool, "-c", work / "image.tar"], stdout=out, check=True)
        check(succeeds(work, "image", "digest", f"image.{suffix}") == digest, f"{tool}: another digest")
    check_clean(work, 1 + len(tools) - len(missing))
    if missing:
        raise Skipped(f"there is no {' '.join(missing)}")


@core
def test_what_is_no_image_is_refused(work):
    (work / "empty").write_bytes(b"")
    (work / "text").write_text("this is not a tar\n" * 100)
    (work / "zeros").write_bytes(bytes(700))
    os.mkfifo(work / "fifo")
    for name in ("empty", "text", "fifo", "missing", "/dev/null", "/dev/zero", "no/such/file", "empty/file"):
        for words in (["run", "--image", name, "--", "true"], ["image", "import", name], ["image", "digest", name],
                      ["image", "inspect", name]):
            refused(work, *words, saying=name)
    check_clean(work)


@core
def test_unreadable_image_is_refused(work):
    if os.geteuid() == 0:
        raise Skipped("root can read everything")
    small_tar(work)
    (work / "image.tar").chmod(0)
    refused(work, "run", "--image", "image.tar", "--", "true", saying="Permission denied")
    (work / "dir").mkdir(mode=0)
    refused(work, "run", "--image", "dir", "--", "true", saying="Permission denied")


def test_limit_is_kept_by_new_and_by_known_images(work):
    many_files(work / "image.tar", 300, 10000)
    refused(work, "run", "--image-limit", "1M", "--image", "image.tar", "--", "true", saying="--image-limit")
    check_clean(work)
    succeeds(work, "image", "import", "--image-limit", "10M", "image.tar")
    refused(work, "run", "--image-limit", "1M", "--image", "image.tar", "--", "true", saying="--image-limit")
    for bad in ("", "x", "-1", "1Q", "99999999999T"):
        refused(work, "run", f"--image-limit={bad}", "--image", "image.tar", "--", "true", saying="--image-limit")


def test_directory_cannot_be_imported(work):
    small_root(work / "root")
    refused(work, "image", "import", "root", saying="directory")


def test_tag_needs_an_oci_image(work):
    made_up_tar(work / "image.tar")
    small_root(work / "root")
    refused(work, "run", "--image", "image.tar:latest", "--", "true", saying="tag")
    refused(work, "run", "--image", "root:latest", "--", "true", saying="tag")
    check(not entries(work), "an entry was made")


def on_terminal(work, *words):
    """What stet says to a terminal."""
    master, slave = pty.openpty()
    process = subprocess.Popen([suite.STET, *words], cwd=work, stdin=subprocess.DEVNULL, stderr=slave,
                               stdout=subprocess.DEVNULL, env=environment(work / "cache"))
    os.close(slave)
    said = b""
    with contextlib.suppress(OSError):
        while part := os.read(master, 4096):
            said += part
    os.close(master)
    check(process.wait(60) == 0, f"does not end with 0: {said}")
    return said


def test_terminal_shows_how_far_unpacking_is(work):
    many_files(work / "im\x1bage.tar", 40000, 200)  # more than a quick machine unpacks before the first line is due
    said = on_terminal(work, "image", "import", "im\x1bage.tar")
    check(b"unpacking im?age.tar: " in said and b" %, " in said and b" s\x1b[K" in said, said)
    check(said.endswith(b"\r\x1b[K"), "the line stays")
    succeeds(work, "image", "prune")
    check(on_terminal(work, "image", "import", "-q", "im\x1bage.tar") == b"", "-q does not silence it")


def test_nothing_is_said_when_standard_error_is_no_terminal(work):
    many_files(work / "image.tar")
    ended = stet(work, "image", "import", "image.tar")
    check(ended.status == 0 and not ended.err, "something was said", ended)
