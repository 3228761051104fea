"""The private copy of the machine's package sources."""

import apt
from properties import check, core

OLD = """# deb http://example.org/commented bookworm main
deb [arch=amd64 signed-by=/k.gpg] http://example.org/debian bookworm main contrib
deb http://example.org/security bookworm-security main
deb http://example.org/other sdk-bookworm main
deb-src http://example.org/sources bookworm main
deb http://example.org/debian trixie main
"""
NEW = """Types: deb
# a remark
URIs: http://example.org/debian
Suites: bookworm bookworm-updates trixie
Components: main
Signed-By:
 -----BEGIN-----
 .
 -----END-----

Types: deb
URIs: http://example.org/other
Suites: nodistro
Components: main

Enabled: no
Types: deb
URIs: http://example.org/off
Suites: bookworm
Components: main
"""


@core
def test_lines_of_the_release_are_copied_with_their_options(_):
    lines = list(apt.one_line_entries(OLD, "bookworm"))
    check(lines == ["[arch=amd64 signed-by=/k.gpg] http://example.org/debian bookworm main contrib",
                    "http://example.org/security bookworm-security main"], f"{lines}")


@core
def test_stanzas_of_the_release_are_copied_with_sources(_):
    entries = list(apt.deb822_entries(NEW, "bookworm"))
    check(len(entries) == 1, f"{entries}")
    entry = entries[0]
    check(entry["Types"] == "deb deb-src" and entry["Suites"] == "bookworm bookworm-updates", f"{entry}")
    check(entry["URIs"] == "http://example.org/debian" and "-----BEGIN-----\n .\n" in entry["Signed-By"], f"{entry}")
