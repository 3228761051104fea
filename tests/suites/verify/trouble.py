"""Commands that misbehave: a verdict or one clear line, and nothing left behind."""

import os
import subprocess

import suite
from common import Skipped, check, core, different, expect, reproducible, verify

FORTUNE = "$(od -An -N1 -tu1 /dev/urandom | awk '{print 1 + $1 % 200}')"
WAYS = ([], ["--parallel"])


def small_disk(work, options):
    """A command that runs another one with a file system of this size as TMPDIR, and says what is left there."""
    own = ["unshare", "--mount"] if os.geteuid() == 0 else ["unshare", "--user", "--map-root-user", "--mount"]
    if subprocess.run([*own, "mount", "-t", "tmpfs", "none", "/mnt"], stderr=subprocess.DEVNULL).returncode:
        raise Skipped("no mounts, not even in a namespace")
    place = work / "small"
    place.mkdir(exist_ok=True)
    script = f"""mount -t tmpfs -o {options} none {place} || exit 77
        TMPDIR={place} "$@"; status=$?
        [ -z "$(ls -A {place})" ] || ls -lR {place} >&2
        grep -ls {place}/ /proc/[0-9]*/mountinfo >&2
        exit $status"""
    return [*own, "sh", "-c", script, "sh"]


def is_one_line(ended, *words):
    expect(ended, 125, *words)
    lines = suite.text(ended.err).splitlines()
    check(len(lines) == 1 and lines[0].startswith("stet: run "), "there is more than one line", ended)


@core
def test_a_full_disk_is_one_clear_line(work):
    room = "; set TMPDIR to a place with more room"
    for script in ("head -c 20000000 /dev/zero > x; echo $?", "head -c 20000000 /dev/zero",
                   "head -c 20000000 /dev/zero > /opt/x", "head -c 20000000 /dev/zero >&2"):
        for way in WAYS:
            ended = verify(work, *way, "--", "sh", "-c", script, inside=small_disk(work, "size=4m"))
            is_one_line(ended, "No space left on device", room)
    ended = verify(work, "--", "sh", "-c", "for i in $(seq 500); do : > $i; done",
                   inside=small_disk(work, "size=4m,nr_inodes=100"))
    is_one_line(ended, "No space left on device", room)


def test_no_room_for_copies_is_one_clear_line(work):
    (work / "files").mkdir()
    for size, run in ((8_000_000, 1), (3_000_000, 2)):
        (work / "files" / "large").write_bytes(os.urandom(size))
        for way in WAYS:
            ended = verify(work, *way, "--", "true", inside=small_disk(work, "size=4m"))
            is_one_line(ended, f"run {run} of 2: cannot copy", "large: No space left on device")


def test_a_full_disk_of_keep_leaves_nothing_there(work):
    place = work / "small"
    ended = verify(work, "--keep", place, "--", "head", "-c", "20000000", "/dev/zero",
                   inside=small_disk(work, "size=4m"))
    is_one_line(ended, "No space left on device; let --keep name a place")


def test_commands_that_fail_have_a_verdict(work):
    for way in WAYS:
        for native in ([], ["--native"]):
            expect(reproducible(work, *way, *native, "--", "sh", "-c", "exit 7"), 0, "status 7 in each")
            expect(reproducible(work, *way, *native, "--", "sh", "-c", "kill -9 $$"), 0, "status 137 in each")
        ended = different(work, *way, "--entropy", "host", "--", "sh", "-c", f"exit {FORTUNE}")
        expect(ended, 1, "run 1 ended with status")
        ended = different(work, *way, "--native", "--vary", "random", "--", "sh", "-c", f"exit {FORTUNE}")
        expect(ended, 1, "run 1 ended with status")
        ended = different(work, *way, "--native", "--vary", "umask", "--", "sh", "-c", "[ $(umask) = 0022 ] || kill $$")
        expect(ended, 1, "run 1 ended with status 0, run 2 with status 143")


@core
def test_what_is_written_outside_stays_in_the_container(work):
    names = [f"/{place}/stet-verify-{os.getpid()}" for place in ("opt", "tmp", "var/tmp", "dev/shm", "root")]
    script = f"for name in {' '.join(names)}; do echo text > $name && cat $name || echo no; done"
    for native in ([], ["--native", "--vary", "-user"]):
        reproducible(work, *native, "--", "sh", "-c", script)
        for name in names:
            check(not os.path.lexists(name), f"{name} is on the host")
    ended = verify(work, "--", "sh", "-c", "echo x > /proc/sys/kernel/hostname; rm -rf /etc/passwd; echo y > /etc/hosts")
    expect(ended, 0, "REPRODUCIBLE")
    check(os.path.exists("/etc/passwd"), "the host has lost a file")


def test_daemons_end_with_their_run(work):
    script = """import os, signal, sys, time
for number in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM): signal.signal(number, signal.SIG_IGN)
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        while True: time.sleep(1)
    os._exit(0)
print("started")
"""
    (work / "files").mkdir()
    (work / "files" / "daemon.py").write_text(script)
    for way in WAYS:
        for native in ([], ["--native"], ["--relax", "time"]):
            reproducible(work, *way, *native, "--", "python3", "daemon.py")
