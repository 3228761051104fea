"""One package: built under Stet twice and natively once, in the same files, and what came of it."""

import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

import running

HERE = pathlib.Path(__file__).resolve().parent
GRACE = 60  # seconds that Stet has beyond its own --timeout for each of its containers
STAGES = 4  # containers of `stet deb`: installation, unpacking, two builds

IDENTICAL, DIFFERS = "identical", "differs"
NOT_UNDER_STET, NOT_NATIVELY = "does not build under Stet", "does not build natively"
TROUBLE = "could not be tried"


def digests(directory):
    """Of all files in it, by name, but the statement: that tells how often the package was built."""
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in directory.glob("*")
            if not path.name.endswith(".intoto.json")}


def read_stats(text):
    """What --stats says, of the first of the containers in `text`."""
    stats, kind = {}, None
    for line in text.splitlines():
        if match := re.match(r"stet: (\d+) (system calls|replaced instructions), ([\d.]+) % by the fast path", line):
            kind = match.group(2).replace(" ", "_")
            if kind in stats:
                break
            stats[kind] = {"count": int(match.group(1)), "fast_percent": float(match.group(3)), "by_name": {}}
        elif match := re.match(r"stet: +(\d+) (\S+) +[\d.]+ % fast", line):
            stats[kind]["by_name"][match.group(2)] = int(match.group(1))
        elif re.match(r"stet: \d+ processes, ", line):
            stats.update((name, int(number)) for number, name in re.findall(r"(\d+) (\w+)", line))
        elif match := re.match(r"stet: (\d+) waits for what others do, (\d+) for a turn, (\d+) retries", line):
            stats.update(zip(("waits_for_others", "waits_for_turn", "retries"), map(int, match.groups())))
        elif match := re.match(r"stet: restarts (\d+)", line):
            stats["restarts"] = int(match.group(1))
    return stats


class Builder:
    """Builds packages in directories of their own: WORK/packages/NAME."""

    def __init__(self, stet, work, apt, image, limit):
        self.stet, self.work, self.apt, self.image, self.limit = stet, work, apt, image, limit
        self.running = running.Running()
        self.environment = dict(apt.environment, XDG_CACHE_HOME=str(work / "cache"))

    def place(self, package):
        return self.work / "packages" / package

    def stet_deb(self, package, dsc, parallel, *options):
        """Runs it, and answers the document that it wrote; an `error` in it says what went wrong."""
        place = self.place(package)
        document, results = place / "stet.json", place / f"stet-{parallel}"
        shutil.rmtree(results, ignore_errors=True)
        document.unlink(missing_ok=True)
        command = [self.stet, "deb", dsc, "--image", self.image, "--output", results, "--json", document, "--keep",
                   results, "--stats", "--quiet", "--timeout", str(self.limit), "--jobs", str(parallel), *options]
        said = place / f"stet-{parallel}.stderr"
        with open(said, "w", encoding="utf-8") as errors:
            status = self.running.run(command, STAGES * (self.limit + GRACE), env=self.environment, cwd=place,
                                      stdout=subprocess.DEVNULL, stderr=errors)
        if not document.exists():
            last = said.read_text(errors="replace").strip().splitlines()[-1:] or ["it said nothing"]
            return {"status": status, "error": last[0], "builds": [], "differences": [], "reproducible": None,
                    "layer": None, "image": None}, ""
        return json.loads(document.read_text()), said.read_text(errors="replace")

    def native(self, package, dsc, image, layer, parallel):
        """Status and times of a native build; the log is PLACE/native-N.log."""
        place = self.place(package)
        source, scratch, report = place / "native-source", place / "scratch", place / "native.json"
        results = place / f"native-{parallel}"
        for directory in (source, scratch, results):
            shutil.rmtree(directory, ignore_errors=True)
            directory.mkdir()
        for part in dsc.parent.iterdir():
            os.link(part, source / part.name)
        dsc_link = source / "package.dsc"
        dsc_link.symlink_to(dsc.name)
        report.unlink(missing_ok=True)
        tree = dsc.stem.replace("_", "-", 1)
        with open(place / f"native-{parallel}.log", "w", encoding="utf-8") as log:
            status = self.running.run([sys.executable, HERE / "native.py", image, layer or "", source, results, tree, scratch,
                                       report], self.limit, env=dict(os.environ, DEB_BUILD_OPTIONS=f"parallel={parallel}"),
                                      stdout=log, stderr=subprocess.STDOUT)
        shutil.rmtree(source)
        scratch.rmdir()
        if not report.exists():
            return {"status": status, "seconds": None, "cpu_seconds": None}
        return json.loads(report.read_text())

    def diff(self, package, parallel):
        """Why two builds differ, as `stet diff` sees it."""
        results = self.place(package) / f"stet-{parallel}"
        with open(results / "difference", "w", encoding="utf-8") as report:
            self.running.run([self.stet, "diff", results / "first", results / "second"], self.limit, env=self.environment,
                             stdout=report, stderr=subprocess.STDOUT)

    def verdict(self, document):
        """By Stet alone: None when it does not build there, which may not be Stet's fault."""
        if document["reproducible"] is None:
            return None
        return IDENTICAL if document["reproducible"] else DIFFERS

    def build(self, package, parallel):
        """The record of a package."""
        dsc = self.apt.source(package, self.place(package) / "source")
        document, said = self.stet_deb(package, dsc, parallel)
        record = {"package": package, "version": document.get("version"), "parallel": parallel, "result": self.verdict(document),
                  "stet": document["builds"], "stats": read_stats(said), "error": document["error"],
                  "differences": [difference["name"] for difference in document["differences"]]}
        layer = document["layer"]
        if not document["image"] or (not layer and not document["builds"]):
            return dict(record, result=TROUBLE)
        if layer and not pathlib.Path(layer).exists():
            return dict(record, result=NOT_UNDER_STET)
        record["native"] = self.native(package, dsc, document["image"], layer, parallel)
        if record["native"]["status"] != 0:
            record["result"] = NOT_NATIVELY
        elif record["result"] is None:
            record["result"] = NOT_UNDER_STET
        if record["result"] == DIFFERS:
            self.diff(package, parallel)
        if record["result"] == IDENTICAL:
            record["files"] = digests(self.place(package) / f"stet-{parallel}/first")
        return record

    def time(self, record, count):
        """Adds times of so many builds on each side, in turn: what both look up in caches is there. What fails now, or gives
        something else than before, is not identical after all."""
        package, parallel = record["package"], record["parallel"]
        dsc = self.apt.source(package, self.place(package) / "source")
        times = []
        for _ in range(count):
            document, _ = self.stet_deb(package, dsc, parallel, "--once")
            if document["error"]:
                return dict(record, result=NOT_UNDER_STET, error=document["error"])
            files = digests(self.place(package) / f"stet-{parallel}/first")
            if files != record.setdefault("files", files):
                return dict(record, result=DIFFERS, differences=sorted(dict(files.items() ^ record["files"].items())))
            native = self.native(package, dsc, document["image"], document["layer"], parallel)
            if native["status"]:
                return dict(record, result=NOT_NATIVELY)
            times.append({"stet": document["builds"][0], "native": native})
        return dict(record, times=times)
