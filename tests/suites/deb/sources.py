"""Small source packages, made from a few texts."""

import hashlib
import io
import tarfile

CONTROL = """Source: {name}
Section: misc
Priority: optional
Maintainer: A. Tester <tester@example.org>
Build-Depends: {needs}
Standards-Version: 4.6.2
Rules-Requires-Root: no

Package: {name}
Architecture: any
Description: something small
 For tests.
"""
CHANGELOG = """{name} ({version}) unstable; urgency=low

  * First.

 -- A. Tester <tester@example.org>  Sat, 01 Jan 2022 12:00:00 +0000
"""
RULES = """#!/usr/bin/make -f
%:
build build-arch build-indep:
	{commands}
clean:
	rm -rf debian/{name} debian/files made
binary binary-arch: build
	mkdir -p debian/{name}/DEBIAN debian/{name}/usr/share/{name}
	cp made debian/{name}/usr/share/{name}/
	dpkg-gencontrol -p{name} -Pdebian/{name}
	dpkg-deb --root-owner-group --build debian/{name} ..
"""
DSC = """Format: 3.0 (native)
Source: {name}
Binary: {name}
Architecture: any
Version: {version}
Maintainer: A. Tester <tester@example.org>
Standards-Version: 4.6.2
Build-Depends: {needs}
Package-List:
 {name} deb misc optional arch=any
Checksums-Sha256:
 {sha256} {size} {part}
Files:
 {md5} {size} {part}
"""


def archive(files):
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w:gz") as tar:
        for path, text in files.items():
            info = tarfile.TarInfo(path)
            info.size, info.mode, info.mtime = len(text), 0o755 if path.endswith("rules") else 0o644, 1600000000
            tar.addfile(info, io.BytesIO(text.encode()))
    return data.getvalue()


def make(directory, name="small", version="1:1.0", needs="make", commands="date >made", rules=RULES):
    """Writes NAME_VERSION.dsc and what belongs to it; answers the path of the .dsc."""
    short = version.split(":")[-1]
    facts = {"name": name, "version": version, "needs": needs, "commands": commands, "part": f"{name}_{short}.tar.gz"}
    top = f"{name}-{short}"
    data = archive({f"{top}/debian/control": CONTROL.format(**facts), f"{top}/debian/changelog": CHANGELOG.format(**facts),
                    f"{top}/debian/rules": rules.format(**facts), f"{top}/debian/source/format": "3.0 (native)\n"})
    (directory / facts["part"]).write_bytes(data)
    facts.update(size=len(data), sha256=hashlib.sha256(data).hexdigest(), md5=hashlib.md5(data).hexdigest())
    dsc = directory / f"{name}_{short}.dsc"
    dsc.write_text(DSC.format(**facts))
    return dsc
