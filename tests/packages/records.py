"""What is known of packages: a file for each, by the number of parallel jobs and the build of Stet that it is about."""

import hashlib
import json
import os


def build_id(stet):
    """Of the program itself: another build may give other results."""
    return hashlib.sha256(stet.read_bytes()).hexdigest()[:16]


class Records:
    def __init__(self, directory, build, parallel):
        self.directory, self.build, self.parallel = directory, build, parallel
        directory.mkdir(parents=True, exist_ok=True)

    def all(self):
        """Those of this build: pairs of a number of jobs and its records, by name."""
        groups = {}
        for path in sorted(self.directory.glob("*.json")):
            record = json.loads(path.read_text())
            if record["build"] == self.build:
                groups.setdefault(record["parallel"], []).append(record)
        return sorted(groups.items())

    def path(self, package):
        return self.directory / f"{package}-{self.parallel}.json"

    def read(self, package):
        """The record, or None when there is none of this build."""
        try:
            record = json.loads(self.path(package).read_text())
        except FileNotFoundError:
            return None
        return record if record["build"] == self.build else None

    def write(self, record):
        path = self.path(record["package"])
        text = json.dumps(dict(record, build=self.build), indent=1)
        new = path.with_suffix(".new")
        new.write_text(text + "\n")
        os.replace(new, path)
