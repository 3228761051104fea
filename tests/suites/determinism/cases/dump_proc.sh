#!/bin/bash
# Every file of /proc that can be read has one content, and /proc one list of files.
set -eu
/usr/bin/python3 - <<'P'
import hashlib, os, signal

# Endless, as big as the memory, or waiting for news.
LEFT_OUT = {"/proc/kcore", "/proc/kmsg", "/proc/kpagecount", "/proc/kpageflags", "/proc/kpagecgroup",
            "/proc/sysrq-trigger", "/proc/self/mem", "/proc/self/pagemap"}


def content(path):
    try:
        with open(path, "rb", buffering=0) as file:
            data = file.read(100000)
        return hashlib.sha256(data).hexdigest()[:16] + f" {len(data)}"
    except OSError as error:
        return error.strerror


def dump(directory):
    for entry in sorted(os.listdir(directory)):
        path = f"{directory}/{entry}"
        if path in LEFT_OUT or directory == "/proc" and entry.isdigit():
            continue
        if os.path.islink(path):
            print(path, "->", os.readlink(path))
        elif os.path.isdir(path):
            dump(path)
        else:
            print(path, content(path), flush=True)


signal.alarm(100)
dump("/proc")
for directory in ("/proc/self/fd", "/proc/self/fdinfo", "/proc/self/net", "/proc/self/task"):
    print(directory, os.listdir(directory))
for directory in ("/proc/self", f"/proc/self/task/{os.getpid()}", "/proc/1"):
    for name in sorted(os.listdir(directory)):
        path = f"{directory}/{name}"
        if "/proc/self/" + name not in LEFT_OUT and os.path.isfile(path):
            print(path, content(path), flush=True)
P
