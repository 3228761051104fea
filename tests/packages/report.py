"""Results for people and programs: lines, a table in Markdown, a plot, and a document in JSON."""

import datetime
import json
import os
import pathlib
import platform
import re
import statistics

import builds
import figures
import plot

WORST = 5
BEGIN, END = "<!-- begin: written by tests/packages/run --doc -->", "<!-- end -->"
ORDER = [builds.IDENTICAL, builds.DIFFERS, builds.NOT_UNDER_STET, builds.NOT_NATIVELY, builds.TROUBLE]


def line(record):
    """What a person wants to hear when a package is done."""
    told = f"{record['package']}: {record['result']}"
    if figures.timed(record):
        stet, native = figures.times(record)
        told += f", {stet:.1f} s, native {native:.1f} s, ratio {stet / native:.2f}"
    if record.get("error"):
        told += f" ({record['error']})"
    return told


def machine():
    """In words that name no host."""
    models = re.findall(r"^model name\s*: (.*)$", pathlib.Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    kernel = ".".join(platform.release().split(".")[:2])
    return {"cpu": models[0] if models else platform.machine(), "cpus": os.cpu_count(), "kernel": f"Linux {kernel}"}


def table(head, rows, words=1):
    """The first columns are of words, the others of numbers."""
    marks = ["---"] * words + ["--:"] * (len(head) - words)
    return [f"| {' | '.join(row)} |" for row in (head, marks, *rows)]


def summary(records):
    counts = [(sum(record["result"] == result for record in records), result) for result in ORDER]
    return f"{len(records)} packages: " + ", ".join(f"{number} {result}" for number, result in counts if number) + "."


def package_rows(records):
    for record in records:
        row = [record["package"], record["result"]]
        stats = record.get("stats") or {}
        if figures.timed(record):
            under_stet, native = figures.times(record)
            row += [f"{native:.1f}", f"{under_stet:.1f}", f"{under_stet / native:.2f}",
                    f"{figures.ratio(record, 'cpu_seconds'):.2f}", f"{figures.count(stats, 'system_calls'):,}",
                    f"{figures.calls_per_second(record):,.0f}", f"{stats['system_calls']['fast_percent']:.2f}",
                    f"{stats['processes']:,}"]
        else:
            row += [""] * 8
        yield row


def package_table(records):
    return table(["package", "result", "native, s", "Stet, s", "ratio", "of CPU time", "system calls", "per second", "fast path, %",
                  "processes"], package_rows(records), words=2)


def distribution_rows(records):
    for name, of in (("wall time", "seconds"), ("CPU time", "cpu_seconds")):
        spread = figures.distribution([figures.ratio(record, of) for record in records])
        yield [name, *(f"{number:.2f}" for number in spread.values())]


def worst_rows(records):
    for record in sorted(records, key=figures.ratio, reverse=True)[:WORST]:
        seconds = figures.times(record)[1]
        yield [record["package"], f"{figures.ratio(record):.2f}", f"{figures.ratio(record, 'cpu_seconds'):.2f}",
               f"{figures.calls_per_second(record):,.0f}", f"{record['stats']['processes'] / seconds:,.0f}",
               f"{record['stats']['threads'] / seconds:,.0f}"]


def relation(records):
    """Pearson's correlation; None where there are too few for it to mean anything."""
    if len(records) < 3:
        return None
    return statistics.correlation([figures.calls_per_second(record) for record in records],
                                  [figures.ratio(record) for record in records])


def group_sections(parallel, records):
    """All that there is to say of builds with so many jobs."""
    done = [record for record in records if figures.timed(record)]
    lines = [f"### `parallel={parallel}`", "", summary(records), "", *package_table(records), ""]
    if not done:
        return lines
    correlation = relation(done)
    lines += ["The ratio of times:", "",
              *table(["", *figures.distribution([1.0])], distribution_rows(done)), ""]
    if correlation is not None:
        lines += [f"Correlation of the ratio with system calls per second: {correlation:.2f}.", ""]
    lines += ["The worst:", "", *table(["package", "ratio", "of CPU time", "system calls per second", "processes per second",
                                       "threads per second"], worst_rows(done)), "",
              "Events of a build:", "",
              *table(["events", "mean", "most"], ([name, f"{mean:,.1f}", f"{most:,.0f}"]
                                                 for name, mean, most in figures.mean_events(done))), ""]
    return lines


def section(groups, about):
    lines = [f"{about['date']}, {about['machine']['cpu']}, {about['machine']['cpus']} CPUs, {about['machine']['kernel']}, "
             f"Stet {about['stet']}.", ""]
    for parallel, records in groups:
        lines += group_sections(parallel, records)
    return lines


def points(groups):
    for parallel, records in groups:
        for record in filter(figures.timed, records):
            yield (figures.calls_per_second(record), figures.ratio(record), record["package"], "one" if parallel == 1 else "two")


def replace_section(path, lines):
    text = path.read_text()
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    path.write_text("\n".join([before + BEGIN, "", *lines, END]) + after)


def write(work, groups, version, doc=None):
    """`groups` are pairs of a number of jobs and its records. Into the working directory, and, if asked, into a page."""
    about = {"kind": "packages", "stet": version, "date": datetime.date.today().isoformat(), "machine": machine()}
    records = [record for _, group in groups for record in group]
    (work / "results.json").write_text(json.dumps(dict(about, packages=records), indent=1) + "\n")
    lines = section(groups, about)
    (work / "results.md").write_text("\n".join(lines) + "\n")
    marks = list(points(groups))
    places = [work / "results.svg"]
    if doc:
        replace_section(doc, ["![](packages.svg)", "", *lines])
        places.append(doc.parent / "packages.svg")
    for place in places if marks else []:
        place.write_text(plot.draw(marks))
