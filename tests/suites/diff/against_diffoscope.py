"""The same pairs for diffoscope: every member that it finds to differ is found, in a tenth of its time.

The pairs are artefacts of the projects that the suite of verify has, each built twice natively under other conditions:
path, user, home, host name, time zone, umask, number of CPUs, time; and with a `find` and a `sort` that order
names as another file system or another locale would.
"""

import json
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import time

from common import Skipped, check, full, result
from suite import STET

CASES = pathlib.Path(__file__).resolve().parents[1] / "verify" / "cases"
PACKED = ("date-header", "file-macro", "tar-meta", "uname-host")  # artefacts of these are also packed together
LEAST_PAIRS = 20
TIMES = 3  # the median of so many counts, for us; diffoscope takes seconds, and runs once

# How diffoscope names what is no member: its tools and views.
VIEWS = ("readelf ", "objdump ", "objcopy ", "strings ", "stat ", "getfacl ", "lsattr ", "line order",
         "filetype from file(1)", "nm ", "xxd ", "hexdump ")
# Listings have a line a member, which ends with a time and the name.
LISTINGS = ("file list", "zipinfo ")
LISTED = re.compile(r" \d\d:\d\d(?::\d\d(?:\.\d+)?)? (.+)$")

CONDITIONS = {
    "one": {"host": "alpha", "umask": "022", "cpus": [], "USER": "alice", "HOME": "/root", "TZ": "UTC"},
    "second/longer-path": {"host": "omega", "umask": "002", "cpus": ["taskset", "-c", "0"], "USER": "bob",
                           "HOME": "/nonexistent", "TZ": "Asia/Tokyo"},
}
WRAPPERS = {"find": "/usr/bin/find \"$@\" | LC_ALL=C /usr/bin/sort -r\n",
            "sort": "[ \"$LC_ALL\" = C ] || set -- -f \"$@\"\nexec /usr/bin/sort \"$@\"\n"}


def build(case, place, conditions, wrappers):
    shutil.copytree(case, place)
    for name in ("fix.sh", "artifacts.txt"):
        (place / name).unlink()
    path = "/usr/sbin:/usr/bin:/sbin:/bin"
    environment = {"PATH": f"{wrappers}:{path}" if wrappers else path, "LOGNAME": conditions["USER"]}
    environment |= {name: conditions[name] for name in ("USER", "HOME", "TZ")}
    script = f"hostname {conditions['host']}; umask {conditions['umask']}; exec sh ./build.sh"
    own = [] if os.geteuid() == 0 else ["--map-root-user"]
    built = subprocess.run(["unshare", "--uts", *own, *conditions["cpus"], "sh", "-c", script], cwd=place,
                           env=environment, capture_output=True, timeout=120)
    check(built.returncode == 0, f"{case.name} is not built: {built.stderr.decode()}")


def wrap(work):
    for name, script in WRAPPERS.items():
        (work / "bin" / name).parent.mkdir(exist_ok=True)
        (work / "bin" / name).write_text(f"#!/bin/sh\n{script}")
        (work / "bin" / name).chmod(0o755)
    return work / "bin"


def built_twice(work, case, wrappers):
    places = [work / case.name / name for name in CONDITIONS]
    for place, conditions in zip(places, CONDITIONS.values()):
        build(case, place, conditions, wrappers if place != places[0] else None)
        time.sleep(2.1)  # times of DOS have steps of two seconds
    return places


def packed(places, names):
    """What was built, as a Debian package and as a zip archive."""
    for place in places:
        root = place / "root"
        (root / "DEBIAN").mkdir(parents=True)
        (root / "DEBIAN" / "control").write_text("Package: x\nVersion: 1\nArchitecture: all\n"
                                                 "Maintainer: a <a@example.org>\nDescription: x\n")
        for name in names:
            shutil.copy2(place / name, root)
        for words in (["dpkg-deb", "-b", "root", "all.deb"], ["zip", "-q", "all.zip", *names]):
            subprocess.run(words, cwd=place, check=True, capture_output=True)
    return ["all.deb", "all.zip"]


def pairs(work):
    wrappers = wrap(work)
    for case in sorted(path for path in CASES.iterdir() if path.is_dir()):
        places = built_twice(work, case, wrappers)
        names = (case / "artifacts.txt").read_text().split()
        if case.name in PACKED:
            names += packed(places, names)
        for name in names:
            files = [place / name for place in places]
            if files[0].read_bytes() != files[1].read_bytes():
                yield f"{case.name}/{name}", files


def listed(view):
    """Names of members whose lines differ in a listing; none, and True, when only the order of the lines does."""
    lines = {sign: [line[1:] for line in view.splitlines() if line[:1] == sign] for sign in "-+"}
    names = {LISTED.search(line)[1].split(" -> ")[0].split(" link to ")[0]
             for line in set(lines["-"]) ^ set(lines["+"]) if LISTED.search(line)}
    return names, bool(view) and sorted(lines["-"]) == sorted(lines["+"])


def diffoscope_members(a, b):
    """Paths of members that differ, as lists of names, also those that only listings tell; archives whose order
    differs; and the seconds it took."""
    start = time.monotonic()
    done = subprocess.run(["diffoscope", "--json", "-", "--no-progress", a, b], capture_output=True, timeout=300)
    took = time.monotonic() - start
    check(done.returncode == 1, f"diffoscope: {done.returncode} {done.stderr.decode()}")
    found, ordered = [], []

    def walk(node, path):
        for child in node.get("details") or []:
            names = {child["source1"], child["source2"]}
            if child["source1"].startswith(LISTINGS):
                members, order = listed(child["unified_diff"] or "")
                found.extend([*path, member] for member in sorted(members))
                if order:
                    ordered.append(path)
            elif child["source1"].startswith(VIEWS):
                walk(child, path)
            else:
                found.extend([*path, name] for name in sorted(names))
                walk(child, [*path, child["source1"]])
    walk(json.loads(done.stdout), [])
    unique = [list(path) for path in dict.fromkeys(tuple(path) for path in found)]
    return unique, ordered, took


def stet_members(work, a, b):
    """The same of ours."""
    took = []
    for _ in range(TIMES):
        start = time.monotonic()
        subprocess.run([STET, "diff", "-q", a, b], stdout=subprocess.DEVNULL, timeout=60)
        took.append(time.monotonic() - start)
    found, ordered = [], []

    def walk(node, path):
        if any(finding["cause"] == "order of entries" for finding in node.get("findings", [])):
            ordered.append(path)
        for child in node.get("objects", []):
            found.append([*path, child["name"]])
            walk(child, [*path, child["name"]])
    walk(result(work, a, b)["object"], [])
    return found, ordered, statistics.median(took)


def without_packing(path):
    """An archive that is packed as a whole is one object here, and two for diffoscope."""
    names = [name.removeprefix("./").rstrip("/") or "." for name in path]
    return [name for i, name in enumerate(names)
            if not (name.endswith((".tar", ".cpio")) and (i == 0 or names[i - 1].startswith(f"{name}.")))]


def is_found(path, ours):
    wanted = without_packing(path)
    return any(without_packing(other)[:len(wanted)] == wanted for other in ours)


def lost(theirs, ours):
    """What they have and we do not; an archive that is packed as a whole is found when anything in it is."""
    members = [path for path in theirs[0] if not is_found(path, ours[0])]
    orders = [[*path, "(order)"] for path in theirs[1]
              if without_packing(path) not in [without_packing(other) for other in ours[1]]]
    return members + orders


@full
def test_finds_every_member_that_diffoscope_finds_in_a_tenth_of_its_time(work):
    for needed in ("diffoscope", "dpkg-deb", "zip"):
        if not shutil.which(needed):
            raise Skipped(f"{needed} is not here")
    rows, missed = [], []
    for name, (a, b) in pairs(work):
        *theirs, their_time = diffoscope_members(a, b)
        *ours, our_time = stet_members(work, a, b)
        not_ours = lost(theirs, ours)
        count = sum(map(len, theirs))
        missed += [f"{name}: {' > '.join(path)}" for path in not_ours]
        rows.append((name, count, count - len(not_ours), their_time, our_time))
    print("# | pair | members by diffoscope | of these by stet | diffoscope | stet | ratio |\n# |---|---|---|---|---|---|")
    for name, count, both, their_time, our_time in rows:
        print(f"# | {name} | {count} | {both} | {their_time:.2f} s | {1000 * our_time:.1f} ms |"
              f" {their_time / our_time:.0f} |")
    check(not missed, f"not found: {missed}")
    check(len(rows) >= LEAST_PAIRS, f"only {len(rows)} pairs differ")
    slow = [row for row in rows if row[4] > row[3] / 10]
    check(not slow, f"slower than a tenth: {slow}")
