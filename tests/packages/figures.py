"""Numbers of a record, and of many."""

import statistics

# The rows of Table 2 of the DetTrace paper, and what Stet has of the kind: events of an average build.
EVENTS = [
    ("system calls", lambda stats: count(stats, "system_calls")),
    ("processes", lambda stats: stats.get("processes", 0)),
    ("threads", lambda stats: stats.get("threads", 0)),
    ("programs", lambda stats: stats.get("programs", 0)),
    ("signals", lambda stats: stats.get("signals", 0)),
    ("`rdtsc`", lambda stats: by_name(stats, "rdtsc") + by_name(stats, "rdtscp")),
    ("`cpuid`", lambda stats: by_name(stats, "cpuid")),
    ("`rdrand`, `rdseed`", lambda stats: by_name(stats, "rdrand") + by_name(stats, "rdseed")),
    ("waits for what others do", lambda stats: stats.get("waits_for_others", 0)),
    ("waits for a turn", lambda stats: stats.get("waits_for_turn", 0)),
    ("retries of reads and writes", lambda stats: stats.get("retries", 0)),
    ("runs started again", lambda stats: stats.get("restarts", 0)),
]


def count(stats, kind):
    return stats.get(kind, {}).get("count", 0)


def by_name(stats, name):
    return stats.get("replaced_instructions", {}).get("by_name", {}).get(name, 0)


def timed(record):
    """Did both the native build and the first one under Stet come to their end?"""
    native, stet = record.get("native"), record.get("stet")
    return bool(native and stet and not native["status"] and not stet[0]["status"])


def times(record, of="seconds"):
    """Under Stet and natively: medians of the builds that were made for it, else of the ones there are."""
    pairs = record.get("times") or [{"stet": record["stet"][0], "native": record["native"]}]
    return tuple(statistics.median(pair[side][of] for pair in pairs) for side in ("stet", "native"))


def ratio(record, of="seconds"):
    stet, native = times(record, of)
    return stet / native


def calls_per_second(record):
    """Of the native build: system calls are counted under Stet, where they are the same."""
    return count(record["stats"], "system_calls") / times(record)[1]


def distribution(numbers):
    """Mean, and five points of the order."""
    numbers = sorted(numbers)
    quarters = statistics.quantiles(numbers, n=4, method="inclusive") if len(numbers) > 1 else numbers * 3
    return {"mean": statistics.mean(numbers), "least": numbers[0], "first quarter": quarters[0], "median": quarters[1],
            "third quarter": quarters[2], "most": numbers[-1]}


def mean_events(records):
    """Of an average build, and of the one that has most: name, mean, most."""
    for name, number in EVENTS:
        numbers = [number(record["stats"]) for record in records]
        yield name, statistics.mean(numbers), max(numbers)
