"""The cache of unpacked images: one entry per image, whoever makes it and however often."""

import hashlib
import json
import os
import shutil
import subprocess
import threading
import time

import suite
from common import (Skipped, check, check_clean, core, entries, images, leftovers, many_files, refused, running,
                    small_root, small_tar, stet, succeeds, tar_of)

MOTD = ["--", "cat", "/etc/motd"]


def sources(work):
    return list(images(work).glob("sources/*"))


@core
def test_runs_at_the_same_time_unpack_once(work):
    small_tar(work)
    many = many_files(work / "many.tar", 1000)
    subprocess.run(["tar", "-A", "-f", work / "image.tar", many], check=True)
    results = []

    def start():
        results.append(stet(suite.fresh(work.name, f"run{threading.get_ident()}"), "run", "--image",
                            work / "image.tar", *MOTD, cache=work / "cache"))

    threads = [threading.Thread(target=start) for _ in range(4)]
    for thread in threads:
        thread.start()
    made = set()
    while any(thread.is_alive() for thread in threads):
        made.update(leftovers(work))
        time.sleep(0.002)
    for ended in results:
        check(ended.status == 0 and ended.out == b"from the image\n" and not ended.err, "a run failed", ended)
    check(len(made) <= 1, f"unpacked more than once: {made}")
    check_clean(work, 1)


def test_same_content_elsewhere_is_the_same_entry(work):
    small_tar(work)
    shutil.copy(work / "image.tar", work / "copy.tar")
    first = succeeds(work, "image", "import", "image.tar")
    check(succeeds(work, "image", "import", "copy.tar") == first, "another digest")
    check_clean(work, 1)


@core
def test_changed_tar_is_another_image(work):
    root = small_root(work / "root")
    for text in ("one", "two", "six"):  # of one size, within one tick of coarse clocks
        (root / "etc" / "motd").write_text(text)
        tar_of(root, work / "image.tar")
        check(succeeds(work, "run", "--image", "image.tar", *MOTD) == text, f"does not show {text}")
    check_clean(work, 3)


def test_known_tar_is_not_read_again(work):
    small_tar(work)
    succeeds(work, "image", "import", "image.tar")
    check(not sources(work), "a file that was just changed is known by its times")
    time.sleep(3.1)
    succeeds(work, "image", "import", "image.tar")
    check(len(sources(work)) == 1, f"known: {sources(work)}")
    with open(work / "trace", "w") as trace:
        if not shutil.which("strace"):
            raise Skipped("there is no strace")
        subprocess.run(["strace", "-f", "-e", "trace=pread64,read", "-y", suite.STET, "image", "digest", "image.tar"],
                       cwd=work, env=dict(os.environ, XDG_CACHE_HOME=str(work / "cache")), stderr=trace,
                       stdout=subprocess.DEVNULL, check=True)
    check("image.tar>" not in (work / "trace").read_text(), "it was read")


def test_tar_that_changes_while_it_is_read_is_refused(work):
    many_files(work / "image.tar", 3000)
    over = threading.Event()

    def touch():
        while not over.is_set():
            os.utime(work / "image.tar")
            time.sleep(0.01)

    thread = threading.Thread(target=touch)
    thread.start()
    try:
        refused(work, "image", "import", "image.tar", saying="changed while it was read")
    finally:
        over.set()
        thread.join()
    check_clean(work)


@core
def test_names(work):
    small_tar(work)
    number = succeeds(work, "image", "import", "image.tar", "small:1").strip()
    digest = succeeds(work, "image", "digest", "small:1").strip()
    (work / "image.tar").rename(work / "moved.tar")
    check(succeeds(work, "run", "--image", "small:1", *MOTD) == "from the image\n", "not by its name")
    check(succeeds(work, "run", "--image", digest[:20], *MOTD) == "from the image\n", "not by its digest")
    check(succeeds(work, "run", "--image", number[:13], *MOTD) == "from the image\n", "not by the tar's digest")
    refused(work, "run", "--image", "small", *MOTD, saying="small")
    refused(work, "run", "--image", "sha256:abc", *MOTD, saying="sha256:abc")
    refused(work, "run", "--image", "sha256:" + "0" * 64, *MOTD, saying="not in the cache")
    for bad in ("", ".", "..", "a/b", "-x", "a b", "sha256:abc", "x" * 200):
        refused(work, "image", "import", "--", "moved.tar", bad, saying="name")
    small_root(work / "small:1")
    (work / "small:1" / "etc" / "motd").write_text("a path wins\n")
    check(succeeds(work, "run", "--image", "small:1", *MOTD) == "a path wins\n", "a path does not win")


@core
def test_list_and_inspect_tell_what_there_is(work):
    small_tar(work)
    number = succeeds(work, "image", "import", "image.tar", "small").strip()
    check(number == "sha256:" + hashlib.sha256((work / "image.tar").read_bytes()).hexdigest(), number)
    lines = succeeds(work, "image", "list").splitlines()
    check(len(lines) == 2 and "small" in lines[1] and number[7:19] in lines[1] and " tar " in lines[1], lines)
    listed = json.loads(succeeds(work, "image", "list", "--json", "-"))
    check(listed["kind"] == "image-list" and "stet" in listed and len(listed["images"]) == 1, listed)
    succeeds(work, "image", "inspect", "small", "--json", "out.json")
    inspected = json.loads((work / "out.json").read_text())
    digest = succeeds(work, "image", "digest", "small").strip()
    check(inspected["kind"] == "image" and inspected["digest"] == digest and inspected["id"] == number and inspected["names"] == ["small"]
          and inspected["type"] == "tar" and inspected["source"] == str(work / "image.tar"), inspected)
    check(inspected["files"] == len(list((work / "image.tar.root").rglob("*"))), inspected)
    text = succeeds(work, "image", "inspect", "small")
    check(digest in text and number in text, text)
    check("directory" in succeeds(work, "image", "inspect", "image.tar.root"), "a directory is not called one")


@core
def test_prune_leaves_what_has_a_name_or_is_in_use(work):
    small_tar(work, "used.tar")
    small_tar(work, "named.tar", mode="w:gz")
    small_tar(work, "old.tar", mode="w:bz2")
    endless = "echo up; while true; do sleep 1; done"
    with running(work, "run", "--image", "used.tar", "--", "sh", "-c", endless) as process:
        check(process.stdout.readline() == b"up\n", "the run does not start")
        succeeds(work, "image", "import", "named.tar", "name")
        succeeds(work, "image", "import", "old.tar")
        would = succeeds(work, "image", "prune", "--dry-run")
        check(len(entries(work)) == 3 and "would" in would, would)
        check("in use" in succeeds(work, "image", "list"), "the list does not say which is in use")
        check("0 B freed" in succeeds(work, "image", "prune", "--older", "1"), "what was used today went")
        said = succeeds(work, "image", "prune")
        check(len(entries(work)) == 2 and "in use" in said, said)
        succeeds(work, "image", "prune", "--all")
        check_clean(work, 1)
        refused(work, "image", "rm", "sha256:" + entries(work)[0], saying="in use")
        check(process.poll() is None, "the run ended")
    refused(work, "run", "--image", "name", "--", "true", saying="name")
    succeeds(work, "image", "prune")
    check_clean(work)


def test_rm_removes_an_image_with_its_last_name(work):
    small_tar(work)
    succeeds(work, "image", "import", "image.tar", "one")
    succeeds(work, "image", "import", "image.tar", "two")
    succeeds(work, "image", "rm", "one")
    check_clean(work, 1)
    refused(work, "image", "rm", "one", saying="one")
    succeeds(work, "image", "rm", "two")
    check_clean(work)
    digest = succeeds(work, "image", "import", "image.tar", "one").strip()
    succeeds(work, "image", "rm", digest)
    check_clean(work)
    check(not list(images(work).glob("refs/*")), "a name stays")


def test_check_finds_changed_files(work):
    small_tar(work)
    succeeds(work, "image", "import", "image.tar", "small")
    succeeds(work, "image", "digest", "small")
    motd = images(work) / entries(work)[0] / "root" / "etc" / "motd"
    motd.write_text("From the image\n")
    ended = stet(work, "image", "digest", "--check", "small")
    check(ended.status == 1 and b"changed" in ended.err, "not found", ended)


def rewrite_boot(entry):
    """As if the machine had been started again since."""
    head, _, rest = (entry / "info").read_text().partition("\n")
    known = json.loads(rest)
    known["boot"] = "00000000-0000-0000-0000-000000000000"
    text = json.dumps(known)
    check(hashlib.sha256(rest.encode()).hexdigest() == head, "info has another form now")
    (entry / "info").write_text(hashlib.sha256(text.encode()).hexdigest() + "\n" + text)


def test_entry_is_checked_after_a_restart_of_the_machine(work):
    small_tar(work)
    succeeds(work, "image", "import", "image.tar", "small")
    succeeds(work, "image", "digest", "small")
    entry = images(work) / entries(work)[0]
    inode = entry.stat().st_ino
    rewrite_boot(entry)
    check(succeeds(work, "run", "--image", "small", *MOTD) == "from the image\n", "whole files are not used")
    check(entry.stat().st_ino == inode, "whole files were unpacked again")
    rewrite_boot(entry)
    (entry / "root" / "etc" / "motd").write_bytes(b"")  # it did not get to the disk
    refused(work, "run", "--image", "small", *MOTD, saying="not in the cache")
    check_clean(work)
    check(succeeds(work, "run", "--image", "image.tar", *MOTD) == "from the image\n", "not unpacked again")


def test_damaged_entry_is_made_again(work):
    small_tar(work)
    for damage in (lambda entry: (entry / "info").write_text("{}"), lambda entry: (entry / "info").unlink(),
                   lambda entry: (entry / "lock").unlink(), lambda entry: os.truncate(entry / "info", 100)):
        succeeds(work, "image", "import", "image.tar")
        damage(images(work) / entries(work)[0])
        check(succeeds(work, "run", "--image", "image.tar", *MOTD) == "from the image\n", "does not run")
        check_clean(work, 1)
        damage(images(work) / entries(work)[0])
        succeeds(work, "image", "prune")
        check_clean(work)


@core
def test_cache_that_cannot_be_written_is_named(work):
    if os.geteuid() == 0:
        cache = work / "file"
        cache.write_text("")
    else:
        cache = work / "closed"
        cache.mkdir(mode=0o500)
    small_tar(work)
    ended = suite.run([suite.STET, "run", "--image", "image.tar", "--", "true"], work, 60,
                      dict(os.environ, XDG_CACHE_HOME=str(cache)))
    check(ended.status == 125 and ended.err.count(b"\n") == 1 and b"XDG_CACHE_HOME" in ended.err, "not named", ended)


def test_cache_of_another_user_is_refused(work):
    if os.geteuid() != 0:
        raise Skipped("only root can give files away")
    small_tar(work)
    succeeds(work, "image", "import", "image.tar")
    os.chown(images(work), 65534, 65534)
    refused(work, "run", "--image", "image.tar", "--", "true", saying="XDG_CACHE_HOME")
    refused(work, "image", "list", saying="another user")


@core
def test_cache_is_for_its_owner_only(work):
    small_tar(work)
    succeeds(work, "image", "import", "image.tar")
    check(images(work).stat().st_mode & 0o777 == 0o700, "others can look into it")


@core
def test_usage_of_image(work):
    check("prune" in succeeds(work, "image", "--help"), "no help")
    for name in ("list", "inspect", "import", "digest", "prune", "rm"):
        check("usage: stet image " + name in succeeds(work, "image", name, "--help"), f"{name} has no help")
    refused(work, "image", saying="--help")
    refused(work, "image", "nonsense", saying="nonsense")
    refused(work, "image", "list", "more", saying="more")
    refused(work, "image", "list", "--nonsense", saying="--nonsense")
    refused(work, "image", "import", saying="usage")
    refused(work, "image", "prune", "--older", "x", saying="--older")
    refused(work, "image", "list", "--json", "no/such/file", saying="no/such/file")
