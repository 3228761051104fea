#!/usr/bin/python3
"""Builds a source package in the files that `stet deb` builds it in, without Stet: what it is compared with.

    native.py IMAGE LAYER SOURCE RESULTS TREE SCRATCH REPORT

LAYER, which may be "", lies over IMAGE, and a tmpfs over both; SOURCE has package.dsc and its parts. SCRATCH is an empty
directory. The log goes to standard output; REPORT becomes a JSON file with status and times. It is root
in namespaces of its own, with all that root can do there; nothing is left behind.
"""

import json
import os
import pathlib
import resource
import signal
import socket
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "lib"))
import without_guest  # noqa: E402

ENVIRONMENT = {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root", "USER": "root",
               "LOGNAME": "root", "SHELL": "/bin/sh", "LANG": "C.UTF-8", "TZ": "UTC"}
# The same steps as `stet deb`'s.
BUILD = """exec 2>&1
cd /build
dpkg-source --no-check --no-copy -x /run/stet/input/package.dsc "$1"
cd "$1"
dpkg-buildpackage -us -uc -b
while read -r name rest; do cp "../$name" /run/stet/results; done <debian/files
cp ../*.changes /run/stet/results
"""
# As in the container, where the image has none.
FILES = {"etc/hostname": "stet\n", "etc/hosts": "127.0.0.1\tlocalhost stet\n::1\tlocalhost ip6-localhost ip6-loopback\n"}
DEVICES = ("null", "zero", "full", "random", "urandom", "tty")


def mount(*words):
    subprocess.run(["mount", *map(str, words)], check=True)


def make_root(scratch, image, layer, source, results):
    """In a tmpfs, which goes away with the namespace."""
    mount("--make-rprivate", "/")
    mount("-t", "tmpfs", "-o", "mode=755", "tmpfs", scratch)
    root = scratch / "root"
    for name in ("root", "upper", "work"):
        (scratch / name).mkdir()
    lower = f"{layer}:{image}" if layer else image
    mount("-t", "overlay", "-o", f"userxattr,lowerdir={lower},upperdir={scratch}/upper,workdir={scratch}/work", "overlay", root)
    mount("-t", "proc", "proc", root / "proc")
    make_devices(root / "dev")
    for name, directory, mode in (("input", source, "ro"), ("results", results, "rw")):
        (root / "run/stet" / name).mkdir(parents=True)
        mount("--bind", "-o", mode, directory, root / "run/stet" / name)
    (root / "build").mkdir(exist_ok=True)
    for name, text in FILES.items():
        if not (root / name).exists():
            (root / name).write_text(text)
    return root


def make_devices(directory):
    mount("-t", "tmpfs", "-o", "mode=755", "tmpfs", directory)
    for name in DEVICES:
        (directory / name).touch()
        mount("--bind", f"/dev/{name}", directory / name)
    for name, kind, options in (("pts", "devpts", "newinstance,ptmxmode=0666,mode=620"), ("shm", "tmpfs", "mode=1777")):
        (directory / name).mkdir()
        mount("-t", kind, "-o", options, kind, directory / name)
    for name, target in (("ptmx", "pts/ptmx"), ("fd", "/proc/self/fd"), ("stdin", "fd/0"), ("stdout", "fd/1"), ("stderr", "fd/2")):
        (directory / name).symlink_to(target)


def outside(arguments):
    namespaces = ["--mount", "--pid", "--fork", "--kill-child", "--ipc", "--uts", "--net"]
    os.execvp("unshare", ["unshare", *namespaces, "--", sys.executable, __file__, "--inside", *arguments])


def inside(image, layer, source, results, tree, scratch, report):
    """Process 1 of the namespace: prepares it, builds, reaps."""
    root = make_root(pathlib.Path(scratch), image, layer, source, results)
    socket.sethostname("stet")
    without_guest.raise_loopback()
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(without_guest.SOFT_DESCRIPTORS, hard), hard))
    os.umask(0o022)
    options = {name: os.environ[name] for name in ("DEB_BUILD_OPTIONS",) if name in os.environ}
    start = time.monotonic()
    child = subprocess.Popen(["chroot", root, "/bin/sh", "-euc", BUILD, "sh", tree], env=dict(ENVIRONMENT, **options),
                             stdin=subprocess.DEVNULL, start_new_session=True)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda *_: child.kill())
    while True:
        pid, status, usage = os.wait4(-1, 0)
        if pid == child.pid:
            break
    status = 128 + os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)
    pathlib.Path(report).write_text(json.dumps({"status": status, "seconds": time.monotonic() - start,
                                                "cpu_seconds": usage.ru_utime + usage.ru_stime}))
    os._exit(status)


if __name__ == "__main__":
    if sys.argv[1] == "--inside":
        inside(*sys.argv[2:])
    else:
        outside(sys.argv[1:])
