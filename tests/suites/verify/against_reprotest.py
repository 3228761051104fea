"""The same projects for reprotest: the same verdicts, in half of its time.

Five of the cases, as they are and mended by their fix.sh. Reprotest varies all that it can vary without sudo, and
compares artefacts only; `stet verify --native` varies the same, and gets a command that leaves nothing but these.
"""

import os
import shutil
import statistics
import subprocess
import time

import suite
from common import CASES, Skipped, check, full

PROJECTS = ["date-header", "file-macro", "find-order", "tar-meta", "uname-host"]
NAMES = "environment,build_path,user_group,home,locales,exec_path,timezone,time,umask,kernel,num_cpus,fileordering," \
        "domain_host,aslr"
TIMES = 3  # the median of so many counts
LIMIT = 300
BUILD = "sh ./build.sh"


def project(work, name, mended):
    place = work / f"{name}{'-mended' if mended else ''}"
    shutil.copytree(CASES / name, place)
    if mended:
        subprocess.run(["sh", "fix.sh"], cwd=place, check=True)
    for name in ("fix.sh", "artifacts.txt"):
        (place / name).unlink()
    return place


def artefacts(name):
    return (CASES / name / "artifacts.txt").read_text().split()


def reprotest(name, *options):
    return ["reprotest", *options, "-c", BUILD, ".", " ".join(artefacts(name))]


def stet(name):
    others = " ".join(f"! -name {artefact}" for artefact in artefacts(name))
    command = f"{BUILD} > /dev/null 2>&1; status=$?; find . -type f {others} -delete; exit $status"
    return [suite.STET, "verify", "--native", "--vary", NAMES, "--", "sh", "-c", command]


def timed(command, place, work):
    environment = {**os.environ, "TMPDIR": str(work)}
    started = time.monotonic()
    ended = suite.run(command, place, LIMIT, environment)
    check(ended.status in (0, 1), f"{command[0]} has no verdict", ended)
    return ended.status == 0, time.monotonic() - started


def row(work, name, mended):
    """Verdicts and medians of the three ways, which take turns."""
    place = project(work, name, mended)
    ways = [reprotest(name), reprotest(name, "--no-diffoscope"), stet(name)]
    measured = [[timed(way, place, work) for way in ways] for _ in range(1 if mended else TIMES)]
    verdicts = {verdict for turn in measured for verdict, _ in turn}
    check(verdicts == {mended}, f"{place.name}: the verdicts are {[[v for v, _ in turn] for turn in measured]}")
    return [statistics.median(turn[way][1] for turn in measured) for way in range(len(ways))]


@full
def test_verdicts_are_those_of_reprotest_in_half_of_its_time(work):
    for needed in ("reprotest", "disorderfs", "faketime", "diffoscope"):
        if not shutil.which(needed):
            raise Skipped(f"{needed} is not here")
    if not os.access("/dev/fuse", os.W_OK):
        raise Skipped("/dev/fuse cannot be used, without which reprotest cannot vary the order of files")
    slow = []
    print("# | project | verdict of both | reprotest | with `diff` | stet | ratio |\n# |---|---|---|---|---|---|---|")
    for name in PROJECTS:
        for mended in (False, True):
            theirs, plain, ours = row(work, name, mended)
            print(f"# | {name}{', mended' if mended else ''} | {'' if mended else 'not '}reproducible | {theirs:.1f} s |"
                  f" {plain:.1f} s | {ours:.1f} s | {theirs / ours:.1f} |")
            if ours > theirs / 2:
                slow.append(f"{name}: {ours:.1f} s, {theirs:.1f} s")
    check(not slow, f"more than half of the time: {slow}")
