"""What the tests of images share."""

import contextlib
import io
import os
import shutil
import subprocess
import tarfile
import time

import suite
from properties import Failed, Skipped, check, core, full  # noqa: F401

LIMIT = 60  # seconds, for any command
PROGRAMS = ["sh", "ls", "cat", "true", "stat", "id", "rm", "sleep", "find", "sha256sum"]


def environment(cache):
    return dict(os.environ, XDG_CACHE_HOME=str(cache))


def stet(work, *words, cache=None, limit=LIMIT, meddle=None):
    """Runs stet in `work`, with a cache of images of its own."""
    cache = cache or work / "cache"
    cache.mkdir(exist_ok=True)
    return suite.run([suite.STET, *words], work, limit, environment(cache), meddle)


def succeeds(work, *words, **more):
    """Its standard output."""
    ended = stet(work, *words, **more)
    check(ended.status == 0, f"{' '.join(str(word) for word in words)} does not end with 0", ended)
    return ended.out.decode()


def refused(work, *words, saying="", **more):
    """Ends with 125, one line on standard error, and nothing else."""
    ended = stet(work, *words, **more)
    lines = ended.err.decode(errors="replace").splitlines()
    what = " ".join(str(word) for word in words)
    check(ended.status == 125, f"{what}: not refused", ended)
    check(len(lines) == 1 and lines[0].startswith("stet: ") and not ended.out, f"{what}: not one line", ended)
    check(saying in lines[0], f"{what}: does not say {saying!r}", ended)
    return lines[0]


def images(work):
    return work / "cache" / "stet" / "images"


def entries(work):
    """The entries of the cache, by name."""
    return sorted(path.name for path in images(work).glob("*") if len(path.name) == 64)


def leftovers(work):
    return sorted(path.name for path in images(work).glob("tmp.*"))


def check_clean(work, count=0):
    """The cache has so many entries, and nothing half-made."""
    check(not leftovers(work), f"left behind: {leftovers(work)}")
    check(len(entries(work)) == count, f"entries: {entries(work)}, expected {count}")
    claims = [path.name for path in images(work).glob("claims/*")]
    check(not claims, f"claims left behind: {claims}")


def small_root(path):
    """A root file system of a static shell and a few files."""
    busybox = shutil.which("busybox")
    if not busybox:
        raise Skipped("there is no busybox")
    (path / "bin").mkdir(parents=True)
    shutil.copy(busybox, path / "bin" / "busybox")
    for name in PROGRAMS:
        (path / "bin" / name).symlink_to("busybox")
    (path / "etc").mkdir()
    (path / "etc" / "motd").write_text("from the image\n")
    os.link(path / "etc" / "motd", path / "etc" / "issue")
    (path / "secret").write_text("for some\n")
    (path / "secret").chmod(0o640)
    return path


def small_tar(work, name="image.tar", **more):
    """A tar of small_root()."""
    return tar_of(small_root(work / f"{name}.root"), work / name, **more)


def tar_of(root, path, mode="w"):
    with tarfile.open(path, mode) as tar:
        tar.add(root, ".")
    return path


def member(name, data=b"", **more):
    """A member of a made-up tar, with its data."""
    info = tarfile.TarInfo(name)
    info.size = len(data)
    for key, value in more.items():
        setattr(info, key, value)
    return info, data


def made_up_tar(path, *members):
    with tarfile.open(path, "w", format=tarfile.GNU_FORMAT) as tar:
        for info, data in members:
            tar.addfile(info, io.BytesIO(data))
    return path


def many_files(path, count=1500, size=2000):
    """A tar of many files, so that unpacking takes its time."""
    with tarfile.open(path, "w") as tar:
        for number in range(count):
            if number % 50 == 0:
                info = tarfile.TarInfo(f"d{number // 50}")
                info.type, info.mode = tarfile.DIRTYPE, 0o755
                tar.addfile(info)
            info, data = member(f"d{number // 50}/f{number}", os.urandom(size))
            tar.addfile(info, io.BytesIO(data))
    return path


@contextlib.contextmanager
def running(work, *words):
    """A stet in the background, which has ended at the end."""
    process = subprocess.Popen([str(suite.STET), *(str(word) for word in words)], cwd=work,
                               env=environment(work / "cache"), stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
        yield process
    finally:
        if process.poll() is None:
            process.kill()
        process.communicate()


def check_signal_ends_unpacking(work, image, number):
    """An import that gets the signal while it unpacks dies of it; where the machine is busy that may take some tries."""
    for _ in range(20):
        with running(work, "image", "import", image) as process:
            while not leftovers(work) and process.poll() is None:
                time.sleep(0.002)
            process.send_signal(number)
            status = process.wait(30)
            said = process.stderr.read()
        if status != 0:
            break
        succeeds(work, "image", "prune", "--all")  # it was over before
    check(status == -number, f"{image}, signal {number}: ends with {status}: {said}")
    check_clean(work)


def in_own_mounts(work, script, cache):
    """Runs a shell script that may mount, in a namespace of its own."""
    command = ["unshare", "-m"] if os.geteuid() == 0 else ["unshare", "-Urm"]
    if subprocess.run([*command, "mount", "-t", "tmpfs", "none", "/mnt"], stderr=subprocess.DEVNULL,
                      check=False).returncode != 0:
        raise Skipped("no mounts, not even in a namespace")
    variables = dict(environment(cache), STET=str(suite.STET))
    return suite.run([*command, "sh", "-c", script], work, LIMIT, variables)
