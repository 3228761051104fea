"""Source packages by this machine's own archives, in a configuration of apt that is private to the tests.

The host's entries for its release are copied, with `deb-src` beside `deb`; lists, caches and states are below one
directory, and nothing of the host changes.
"""

import os
import pathlib
import re
import subprocess

HOST = pathlib.Path("/etc/apt")
CONFIGURATION = """\
Dir::Etc::sourcelist "{top}/sources.list";
Dir::Etc::sourceparts "{top}/sources.list.d";
Dir::State "{top}/state";
Dir::State::status "/dev/null";
Dir::Cache "{top}/cache";
Debug::NoLocking "1";
APT::Sandbox::User "";
Acquire::Retries "3";
"""


class Trouble(Exception):
    """apt cannot do what is asked for."""


def release():
    words = dict(line.split("=", 1) for line in pathlib.Path("/etc/os-release").read_text().splitlines() if "=" in line)
    return words.get("VERSION_CODENAME", "").strip('"')


def is_of(suite, codename):
    """Is it the release itself, or one beside it, such as its security updates?"""
    return suite == codename or suite.startswith(codename + "-")


def one_line_entries(text, codename):
    """Of sources.list(5)'s first form: `deb [OPTIONS] URI SUITE COMPONENT...`."""
    for line in text.splitlines():
        match = re.match(r"\s*deb\s+((?:\[[^]]*\]\s+)?\S+\s+(\S+).*)$", line)
        if match and is_of(match.group(2), codename):
            yield match.group(1)


def stanzas(text):
    """Of its second form: fields, a blank line between entries. Comments are left out."""
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    for block in re.split(r"\n\s*\n", "\n".join(lines)):
        fields = re.findall(r"^([\w-]+):[ \t]*(.*(?:\n[ \t].*)*)", block, re.MULTILINE)
        if fields:
            yield dict(fields)


def deb822_entries(text, codename):
    for fields in stanzas(text):
        suites = [suite for suite in fields.get("Suites", "").split() if is_of(suite, codename)]
        if "deb" in fields.get("Types", "").split() and suites and fields.get("Enabled", "yes") != "no":
            yield dict(fields, Types="deb deb-src", Suites=" ".join(suites))


def read_host(codename):
    """The host's entries as the texts of two files."""
    lines, entries = [], []
    for path in [HOST / "sources.list", *sorted(HOST.glob("sources.list.d/*"))]:
        if path.suffix == ".list" and path.exists():
            lines += one_line_entries(path.read_text(), codename)
        elif path.suffix == ".sources":
            entries += deb822_entries(path.read_text(), codename)
    if not lines and not entries:
        raise Trouble(f"this machine's apt has no archive of {codename or 'its release'}")
    return ("".join(f"deb {line}\ndeb-src {line}\n" for line in lines),
            "\n".join("".join(f"{name}: {value}\n" for name, value in entry.items()) for entry in entries))


class Apt:
    def __init__(self, top):
        self.top = top
        self.environment = dict(os.environ, APT_CONFIG=str(top / "apt.conf"), LC_ALL="C")

    def prepare(self):
        """Writes the configuration, and fetches lists when there are none."""
        if (self.top / "ready").exists():
            return
        for name in ("sources.list.d", "state/lists/partial", "cache/archives/partial"):
            (self.top / name).mkdir(parents=True, exist_ok=True)
        old, new = read_host(release())
        (self.top / "sources.list").write_text(old)
        (self.top / "sources.list.d/host.sources").write_text(new)
        (self.top / "apt.conf").write_text(CONFIGURATION.format(top=self.top))
        self.run(["update"], self.top)
        (self.top / "ready").touch()

    def run(self, words, directory):
        got = subprocess.run(["apt-get", "-q", *words], cwd=directory, env=self.environment, stdin=subprocess.DEVNULL,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        if got.returncode != 0:
            errors = [line for line in got.stdout.splitlines() if line.startswith("E: ")]
            raise Trouble(f"apt-get {' '.join(words)}: {(errors or ['failed'])[0]}")

    def source(self, package, directory):
        """The .dsc of a package, whose parts are then beside it."""
        if not list(directory.glob("*.dsc")):
            directory.mkdir(parents=True, exist_ok=True)
            self.run(["source", "--download-only", "--only-source", package], directory)
        return next(directory.glob("*.dsc"))
