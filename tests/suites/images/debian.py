"""A Debian system as an image: made by one command, and the same for everybody."""

import pathlib
import shutil
import subprocess

import owners
import suite
from common import Skipped, check, full, stet, succeeds

# Beside the program that is tested, or in the checkout.
SCRIPTS = [suite.STET.parent / "debian-image", pathlib.Path(__file__).resolve().parents[3] / "scripts" / "debian-image"]
FETCHING = 600  # seconds, for packages from wherever they come
LOAD = r"""exec 2>&1
cat /etc/debian_version; dpkg -l | tail -3
perl -e 'print join(":", (stat "/etc/shadow")[2, 4, 5]), "\n", (getpwnam("games"))[2], "\n"'
adduser --disabled-password --gecos "" tester; echo tester:secret | chpasswd
addgroup --system things; adduser tester things; id tester; ls -lan /home /home/tester /etc/shadow
dpkg-divert --add --rename --divert /bin/true.real /bin/true; ls -ln /bin/true.real
mkdir -p /p/DEBIAN /p/usr/bin /p/var/games; echo hi >/p/usr/bin/hello
printf 'Package: hello\nVersion: 1\nArchitecture: all\nMaintainer: x <x@x>\nDescription: x\n' >/p/DEBIAN/control
chown 5:60 /p/var/games; chmod 2775 /p/var/games
dpkg-deb -b /p /p.deb; dpkg -i /p.deb; ls -lnd /var/games; dpkg -P hello
tar -c --numeric-owner -C / etc usr/bin var home | sha256sum
find / -xdev -printf "%p %u %g %m %y %i %n %s %b %T@ %C@\n" | sort | sha256sum
ls -lnR /etc /usr /var | sha256sum
"""


def make_image(work):
    """By the script that people use; its messages go into a file."""
    if not shutil.which("mmdebstrap"):
        raise Skipped("there is no mmdebstrap")
    script = next(path for path in SCRIPTS if path.exists())
    with open(work / "log", "wb") as log:
        ended = subprocess.run([script, work / "debian.tar"], stdout=log, stderr=log, timeout=FETCHING, check=False)
    if ended.returncode != 0:
        said = (work / "log").read_text(errors="replace").strip().splitlines()
        raise Skipped(f"no packages to be had: {said[-1] if said else 'mmdebstrap failed'}")
    return work / "debian.tar"


@full
def test_debian_is_the_same_for_root_and_user(work):
    owners.need_root()
    image = make_image(work)
    version = succeeds(work, "run", "--image", image, "--", "cat", "/etc/debian_version", limit=FETCHING)
    own = pathlib.Path("/etc/debian_version").read_text()  # point releases may differ
    check(version.split(".")[0].strip() == own.split(".")[0].strip(), f"another release: {version}")
    words = ["run", "--digest", "--image", image, "--", "sh", "-c", LOAD]
    root = owners.digest_of(stet(work, *words, limit=FETCHING), "root")
    check("uid=1000(tester)" in root[1] and "drwxrwsr-x 1 5 60" in root[1], root[1])
    user = owners.digest_of(owners.as_user(work, *words), "a user")
    owners.agree({"root": root, "a user": user})
