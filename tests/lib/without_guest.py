#!/usr/bin/python3
"""Runs a command in namespaces like the container's, but without the guest: what Stet is compared with.

    without_guest.py COMMAND ARG...

As root the user namespace is left out, since Stet maps all of root's ids; capabilities are cut down
to those that a container has.
"""

import fcntl
import os
import resource
import signal
import socket
import struct
import subprocess
import sys

CAPABILITIES = ("chown dac_override fowner fsetid kill setgid setuid setpcap net_bind_service net_raw "
                "sys_chroot mknod audit_write setfcap").split()
SOFT_DESCRIPTORS = 1024
SIOCGIFFLAGS, SIOCSIFFLAGS, IFF_UP = 0x8913, 0x8914, 1


def outside(command):
    namespaces = ["--mount", "--pid", "--fork", "--kill-child", "--mount-proc", "--ipc", "--uts", "--net"]
    if os.geteuid() != 0:
        namespaces = ["--user", "--map-root-user"] + namespaces
    os.execvp("unshare", ["unshare"] + namespaces + ["--", sys.executable, __file__, "--inside"] + command)


def inside(command):
    """Process 1: prepares what namespaces leave open, starts the command, reaps."""
    socket.sethostname("stet")
    raise_loopback()
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(SOFT_DESCRIPTORS, hard), hard))
    kept = ",".join(["-all"] + ["+" + name for name in CAPABILITIES])
    child = subprocess.Popen(["setpriv", "--no-new-privs", f"--bounding-set={kept}"] + command,
                             start_new_session=True)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda *_: child.kill())
    while True:
        pid, status = os.wait()
        if pid == child.pid:
            os._exit(128 + os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status))


def raise_loopback():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        request = struct.pack("16sh14x", b"lo", 0)
        flags = struct.unpack("16sh14x", fcntl.ioctl(any_socket, SIOCGIFFLAGS, request))[1]
        fcntl.ioctl(any_socket, SIOCSIFFLAGS, struct.pack("16sh14x", b"lo", flags | IFF_UP))


if __name__ == "__main__":
    if sys.argv[1] == "--inside":
        inside(sys.argv[2:])
    else:
        outside(sys.argv[1:])
