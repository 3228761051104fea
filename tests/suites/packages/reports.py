"""Tables, and what --stats says."""

import re
import xml.etree.ElementTree

import builds
import figures
import plot
import report
import suite
from properties import check, core


@core
def test_statistics_are_read_as_stet_prints_them(work):
    ended = suite.run([suite.STET, "run", "--stats", "--", "sh", "-c", "ls / | sort"], work, 60)
    stats = builds.read_stats(ended.err.decode())
    check(stats["processes"] == 3 and stats["programs"] == 3, f"{stats}", ended)
    calls = stats["system_calls"]
    check(calls["by_name"]["openat"] > 3 and sum(calls["by_name"].values()) == calls["count"], f"{calls}", ended)
    check(stats["waits_for_others"] > 0 and figures.by_name(stats, "cpuid") > 0, f"{stats}", ended)


def record(name, stet, native):
    return {"package": name, "result": builds.IDENTICAL, "parallel": 1, "stet": [{"status": 0, "seconds": stet, "cpu_seconds": stet}],
            "native": {"status": 0, "seconds": native, "cpu_seconds": native},
            "stats": {"system_calls": {"count": 1000, "fast_percent": 100.0, "by_name": {}}, "processes": 5, "threads": 0}}


@core
def test_ratios_are_of_medians(_):
    timed = record("a", 8.0, 1.0)
    check(figures.ratio(timed) == 8.0, f"{figures.ratio(timed)}")
    timed["times"] = [{"stet": {"seconds": stet}, "native": {"seconds": native}} for stet, native in ((3, 2), (9, 1), (3, 2))]
    check(figures.ratio(timed) == 1.5, f"{figures.ratio(timed)}")
    spread = figures.distribution([1.0, 2.0, 3.0, 4.0, 10.0])
    check((spread["mean"], spread["median"], spread["most"]) == (4.0, 3.0, 10.0), f"{spread}")


@core
def test_a_page_gets_the_tables_once(work):
    page = work / "page.md"
    page.write_text(f"before\n{report.BEGIN}\nold\n{report.END}\nafter\n")
    groups = [(1, [record("quick", 2.2, 2.0), record("slow", 3.0, 2.0), dict(record("broken", 1, 1), stet=[], result=builds.DIFFERS)])]
    for _ in range(2):
        report.write(work, groups, "1.0", page)
    text = page.read_text()
    check(text.startswith("before\n") and text.endswith("\nafter\n") and "old" not in text, text)
    check(text.count("3 packages: 2 identical, 1 differs.") == 1, text)
    check(re.search(r"\| slow \| identical \| 2.0 \| 3.0 \| 1.50 \|", text), text)
    check(text.index("| slow | 1.50") < text.index("| quick | 1.10"), "the worst is not first")
    marks = xml.etree.ElementTree.parse(work / "packages.svg").findall(".//{*}circle")
    check(len(marks) == 2, f"{len(marks)} marks")


@core
def test_a_plot_has_its_marks_in_place(_):
    axes = plot.Axes([(100, 1.0, "a", "one"), (10000, 1.3, "b", "one")])
    check(axes.x(100) == plot.LEFT and axes.x(10000) == plot.WIDTH - plot.RIGHT, "horizontal")
    check(axes.x(1000) == (axes.x(100) + axes.x(10000)) / 2, "not logarithmic")
    check(axes.y(1.0) > axes.y(1.3), "upside down")
