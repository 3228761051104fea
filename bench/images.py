"""The rows of images: unpacking one, and starting from one that is unpacked."""

import os
import pathlib
import shutil
import statistics
import subprocess
import tarfile
import time

ROOT_BYTES = 300_000_000
PLACES = ["/usr/include", "/usr/sbin", "/usr/lib/python3", "/usr/bin", "/usr/share"]


def make_root_tar(path):
    """A tar of 300 MB of this machine's own files, small and large, and a static shell."""
    if path.exists():
        return path
    taken = 0
    with tarfile.open(path.with_suffix(".new"), "w") as tar:
        tar.add(shutil.which("busybox"), "bin/busybox")
        for place in PLACES:
            for folder, _, names in os.walk(place):
                for name in names:
                    file = pathlib.Path(folder, name)
                    if taken < ROOT_BYTES and file.is_file() and not file.is_symlink():
                        tar.add(file, str(file)[1:])
                        taken += file.stat().st_size
    path.with_suffix(".new").rename(path)
    return path


class Images:
    """What both rows need."""

    def __init__(self, bench):
        self.bench = bench
        self.environment = dict(bench.environment, XDG_CACHE_HOME=str(bench.work / "image-cache"))
        self.tar = None

    def prepare(self):
        self.tar = make_root_tar(self.bench.work / "root.tar")

    def timed(self, *command):
        started = time.monotonic()
        subprocess.run([str(word) for word in command], env=self.environment, check=True, stdin=subprocess.DEVNULL,
                       stdout=subprocess.DEVNULL, cwd=self.bench.work)
        return time.monotonic() - started

    def stet(self, *words):
        return self.timed(self.bench.stet, *words)


class Unpack(Images):
    """`stet image import` against `tar x`, the best of some turns: writing to a disk is noisy."""

    name = "unpacking an image of 300 MB, against `tar x`"
    LIMIT, TURNS = 1.30, 5

    def measure(self, bench):
        self.prepare()
        directory = bench.work / "unpacked"
        native, stet = [], []
        for _ in range(self.TURNS):
            shutil.rmtree(directory, ignore_errors=True)
            directory.mkdir()
            native.append(self.timed("tar", "xf", self.tar, "-C", directory))
            shutil.rmtree(directory)
            self.stet("image", "prune", "--all")
            stet.append(self.stet("image", "import", self.tar))
        ratio = min(stet) / min(native)
        return [self.name, f"{min(native):.3f} s", f"{min(stet):.3f} s", f"{ratio:.3f}", f"<= {self.LIMIT:.2f}",
                "PASS" if ratio <= self.LIMIT else "FAIL", "", ""]


class Start(Images):
    """How much longer a start from an unpacked image takes than one without, in milliseconds."""

    name = "a start from an unpacked image, against one without: `busybox true`"
    LIMIT_MS, TURNS = 15, 50

    def measure(self, bench):
        self.prepare()
        words = ["--", "/bin/busybox", "true"]
        self.stet("run", "--image", self.tar, *words)
        self.stet("run", *words)
        without, image = [], []
        for _ in range(self.TURNS):
            without.append(self.stet("run", *words) * 1000)
            image.append(self.stet("run", "--image", self.tar, *words) * 1000)
        more = statistics.median(image) - statistics.median(without)
        return [self.name, f"{statistics.median(without):.1f} ms", f"{statistics.median(image):.1f} ms",
                f"+{more:.1f} ms", f"<= {self.LIMIT_MS} ms more", "PASS" if more <= self.LIMIT_MS else "FAIL", "", ""]
