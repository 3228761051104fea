"""What is run: programs and scripts of the suites, and commands in a small image."""

import fcntl
import os
import pathlib
import shutil
import tarfile

import cases
import suite

TESTS = pathlib.Path(__file__).resolve().parent.parent
FOLDERS = ["programs/sources", "programs/concurrency", "suites/determinism/cases", "suites/concurrency/cases",
           "suites/real/cases"]
IMAGE_COMMANDS = [["ls", "-la", "/"], ["sh", "-c", "for i in 1 2 3 4; do echo $i >/etc/f$i & done; wait; cat /etc/f?"],
                  ["sha256sum", "/bin/busybox"], ["sh", "-c", "find / -xdev | sort | head -40; rm /etc/motd; date"]]
PROGRAMS = ["sh", "ls", "cat", "find", "sort", "head", "sha256sum", "rm", "date"]


class Subject:
    """A command under `stet run`, with what it needs to be seen inside."""

    def __init__(self, name, command, options, is_large=False):
        self.name, self.command, self.options, self.is_large = name, command, options, is_large
        self.may_be_stopped = True
        self.may_wait_for_ever = False  # when one of its processes is killed, as it would natively

    def prepare(self):
        """Makes what is not there yet."""

    def trouble(self, ended):
        return "" if ended.status == 0 else f"ends with status {ended.status}"


class SuiteCase(Subject):
    def __init__(self, path, group, binaries):
        binaries.mkdir(parents=True, exist_ok=True)
        self.case = cases.Case(path, binaries)
        super().__init__(f"{group}/{path.stem}", self.case.command,
                         ["--mount", f"{self.case.directory}:/case:ro", *self.case.options],
                         is_large=group == "real")
        self.may_be_stopped = not self.case.note("stops", "")
        self.may_wait_for_ever = bool(self.case.note("kills", ""))

    def prepare(self):
        program = self.case.directory / self.case.name
        if not self.case.is_program or program.exists():
            return
        with open(self.case.directory / f".{self.case.name}", "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not program.exists() and not cases.build(self.case):
                raise RuntimeError(f"{self.name} does not build")

    def trouble(self, ended):
        return self.case.trouble(ended)


def of_suites(level, words, binaries):
    """The suites' cases that this level reaches, or those of them whose name contains one of the words."""
    found = []
    for folder in FOLDERS:
        group = folder.split("/")[1]
        found += [SuiteCase(path, group, binaries / group) for path in sorted((TESTS / folder).iterdir())
                  if path.suffix == ".sh" or path.suffix in (".c", ".cc") and folder.startswith("programs")]
    reached = [one for one in found if suite.LEVELS.index(one.case.level) <= suite.LEVELS.index(level)
               and not one.case.note("host", "") and not one.case.lacks()]
    return [one for one in reached if not words or any(word in one.name for word in words)]


def of_image(tar):
    return [Subject(f"image/{number}", command, ["--image", tar])
            for number, command in enumerate(IMAGE_COMMANDS)]


def make_image(path):
    """A tar with a static shell in it; False where there is none."""
    busybox = shutil.which("busybox")
    if not busybox:
        return False
    with tarfile.open(path, "w") as tar:
        for name in ("bin", "etc"):
            info = tarfile.TarInfo(name)
            info.type, info.mode = tarfile.DIRTYPE, 0o755
            tar.addfile(info)
        tar.add(busybox, "bin/busybox")
        for name in PROGRAMS:
            info = tarfile.TarInfo(f"bin/{name}")
            info.type, info.linkname = tarfile.SYMTYPE, "busybox"
            tar.addfile(info)
        tar.add("/etc/debian_version" if os.path.exists("/etc/debian_version") else "/etc/hostname", "etc/motd")
    return True
