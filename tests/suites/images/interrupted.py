"""Unpacking that is interrupted leaves nothing that a later run trusts."""

import random
import signal
import time

from common import (check, check_clean, check_signal_ends_unpacking, core, in_own_mounts, leftovers, many_files, running,
                    small_tar, succeeds)

POINTS = 30


def duration(work):
    """How long it takes to unpack image.tar."""
    started = time.monotonic()
    succeeds(work, "image", "import", "image.tar")
    seconds = time.monotonic() - started
    digest = succeeds(work, "image", "digest", "image.tar")
    succeeds(work, "image", "prune", "--all")
    return seconds, digest


def test_kill_at_any_point_leaves_nothing_that_is_trusted(work):
    many_files(work / "image.tar")
    seconds, digest = duration(work)
    chance = random.Random(5)
    killed = 0
    for point in range(POINTS):
        with running(work, "image", "import", "image.tar") as process:
            time.sleep(seconds * (point + chance.random()) / POINTS)
            process.kill()
        killed += bool(leftovers(work))
        check(succeeds(work, "image", "digest", "image.tar") == digest, f"another digest after point {point}")
        check(not leftovers(work), f"left behind: {leftovers(work)}")
        check(succeeds(work, "image", "digest", "--check", "image.tar").endswith("verified\n"), "not verified")
        succeeds(work, "image", "prune", "--all")
    check(killed >= POINTS // 4, f"only {killed} of {POINTS} were killed while they unpacked")
    check_clean(work)


def test_killed_prune_leaves_nothing_that_is_trusted(work):
    many_files(work / "image.tar")
    digest = succeeds(work, "image", "digest", "image.tar")
    for point in range(10):
        with running(work, "image", "prune") as process:
            time.sleep(0.004 * point)
            process.kill()
        check(succeeds(work, "image", "digest", "image.tar") == digest, "another digest")
        check(succeeds(work, "image", "digest", "--check", "image.tar").endswith("verified\n"), "not verified")
        check_clean(work, 1)


@core
def test_signal_ends_unpacking_without_leftovers(work):
    many_files(work / "image.tar", 3000)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        check_signal_ends_unpacking(work, "image.tar", number)


FULL = """
mount -t tmpfs -o size=20m none {cache} || exit 77
head -c 18500k /dev/zero >{cache}/ballast
"$STET" image import image.tar 2>{work}/said
echo $? >{work}/status
find {cache}/stet/images -mindepth 1 -printf '%P\n' | sort | xargs >{work}/left
rm {cache}/ballast
"$STET" image import image.tar >{work}/again
find {cache}/stet/images -maxdepth 1 -name 'tmp.*' >>{work}/left
"""


@core
def test_full_disk_leaves_nothing_behind(work):
    many_files(work / "image.tar")
    cache = work / "cache"
    cache.mkdir()
    ended = in_own_mounts(work, FULL.format(work=work, cache=cache), cache)
    check(ended.status == 0, "the script failed", ended)
    said, left = (work / "said").read_text(), (work / "left").read_text()
    check((work / "status").read_text() == "125\n", f"not refused: {said}")
    check(said.count("\n") == 1 and "No space left" in said, f"does not say it: {said}")
    check(left == "claims lock refs sources\n", f"left behind: {left}")
    check((work / "again").read_text().startswith("sha256:"), "not unpacked when there is room")


def test_few_bytes_of_a_full_disk_are_enough_to_say_so(work):
    """Whichever write fails: of files, lists, or of what is known of the image."""
    small_tar(work)
    cache = work / "cache"
    cache.mkdir()
    script = f"""mount -t tmpfs -o size=4m none {cache} || exit 77
for free in 0 1 2 3 4 5 6 8 12 16 100 490; do
  rm -rf {cache}/*
  head -c $(( (1024 - free) * 4096 )) /dev/zero >{cache}/ballast
  "$STET" image import image.tar >>{work}/said 2>&1 && echo "status 0" >>{work}/said
  find {cache} -name 'tmp.*' >>{work}/left
done; true"""
    ended = in_own_mounts(work, script, cache)
    check(ended.status == 0, "the script failed", ended)
    said = (work / "said").read_text().splitlines()
    check(len(said) >= 12 and not (work / "left").read_text(), said)
    check(all(line.startswith(("stet: ", "sha256:", "status 0")) for line in said), said)


def test_waiting_for_another_process_can_be_interrupted(work):
    many_files(work / "image.tar", 6000)
    with running(work, "image", "import", "image.tar") as first:
        while not leftovers(work) and first.poll() is None:
            time.sleep(0.002)
        first.send_signal(signal.SIGSTOP)
        with running(work, "image", "import", "image.tar") as second:
            time.sleep(0.3)
            check(second.poll() is None, "does not wait")
            second.terminate()
            check(second.wait(10) == -signal.SIGTERM, "does not end")
        first.send_signal(signal.SIGCONT)
        check(first.wait(60) == 0, "the first one fails")
    check_clean(work, 1)
