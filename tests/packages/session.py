"""Packages one by one: what is known is not done again, and one can see how far it is."""

import sys
import threading
import time

import apt
import builds
import report


class Progress:
    """A line on a terminal while packages are built; a line for each that is done."""

    def __init__(self, total):
        self.total, self.done, self.start = total, 0, time.monotonic()
        self.now, self.lock, self.shows = [], threading.Lock(), sys.stderr.isatty()

    def draw(self):
        if self.shows:
            elapsed = int(time.monotonic() - self.start)
            sys.stderr.write(f"\r\033[K{self.done} of {self.total}, {elapsed // 60}:{elapsed % 60:02}: {' '.join(self.now)}")
            sys.stderr.flush()

    def begin(self, package):
        with self.lock:
            self.now.append(package)
            self.draw()

    def end(self, package, line):
        with self.lock:
            self.now.remove(package)
            self.done += 1
            if self.shows:
                sys.stderr.write("\r\033[K")
            print(line, flush=True)
            self.draw()


def do_package(package, builder, known, times, progress):
    record = known.read(package)
    is_known = record and record["result"] == builds.IDENTICAL
    if is_known and len(record.get("times", [])) >= times:
        return record
    progress.begin(package)
    try:
        record = record if is_known else builder.build(package, known.parallel)
        if times and record["result"] == builds.IDENTICAL:
            record = builder.time(record, times)
    except apt.Trouble as trouble:
        record = {"package": package, "parallel": known.parallel, "result": builds.TROUBLE, "error": str(trouble)}
    known.write(record)
    progress.end(package, report.line(record))
    return record
