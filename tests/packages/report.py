"""Results for people and programs."""

import json


def ratio(record):
    """Wall time of the first build under Stet to that of the native one; None when one of them failed."""
    native, stet = record.get("native"), record.get("stet")
    if not native or not stet or native["status"] or stet[0]["status"]:
        return None
    return stet[0]["seconds"] / native["seconds"]


def line(record):
    times = ratio(record)
    told = f"{record['package']}: {record['result']}"
    if times:
        told += f", {record['stet'][0]['seconds']:.1f} s, native {record['native']['seconds']:.1f} s, ratio {times:.2f}"
    if record.get("error"):
        told += f" ({record['error']})"
    return told


def write(work, done):
    (work / "results.json").write_text(json.dumps(done, indent=1) + "\n")
