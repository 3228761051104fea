"""With --native, a command's own faults show, and --bisect names the condition that shows them."""

import subprocess

import suite
from common import CASES, Skipped, case, check, core, different, document, expect, full, reproducible, verify

# What --bisect must name first.
CAUSES = {"date-header": "time", "gzip-mtime": "time", "file-macro": "path", "find-order": "order",
          "uname-host": "host", "mktemp-leak": "random", "perl-hash": "random", "py-set": "random", "tar-meta": "time"}
BUILD = ["sh", "./build.sh"]


def make_locale(place):
    """A locale of another order than C's; this machine need not have any installed."""
    made = subprocess.run(["localedef", "-i", "et_EE", "-f", "UTF-8", str(place / "et_EE.UTF-8")], capture_output=True)
    return made.returncode == 0


def first_cause(ended):
    lines = [line for line in suite.text(ended.err).splitlines() if line.startswith("stet: differs with: ")]
    check(lines, "no cause is named", ended)
    return lines[0].split()[3]


def test_every_case_is_reproducible_in_the_container(work):
    for path in sorted(CASES.iterdir()):
        own = work / path.name
        own.mkdir()
        case(own, path.name)
        reproducible(own, *BUILD)


def test_bisect_names_the_cause(work):
    for name, cause in CAUSES.items():
        own = work / name
        own.mkdir()
        case(own, name)
        ended = different(own, "--native", "--bisect", *BUILD)
        check(first_cause(ended) == cause, f"{name} differs with {first_cause(ended)}, not {cause}", ended)


def test_bisect_names_the_locale(work):
    locales = work / "locales"
    locales.mkdir()
    if not make_locale(locales):
        raise Skipped("localedef has no sources of et_EE (package locales)")
    case(work, "locale-sort")
    ended = different(work, "--native", "--bisect", "--mount", f"{locales}:{locales}:ro", *BUILD,
                      environment={"LOCPATH": str(locales)})
    check(first_cause(ended) == "locale", "another cause is named", ended)


@full
def test_parallel_work_is_found(work):
    case(work, "ar-race")
    check(first_cause(different(work, "--native", "--bisect", *BUILD)) == "parallel", "another cause is named")


def test_mended_cases_are_reproducible(work):
    for name, *vary in [("uname-host",), ("file-macro", "--vary", "-parallel"), ("py-set",)]:
        own = work / name
        own.mkdir()
        case(own, name)
        subprocess.run(["sh", "fix.sh"], cwd=own / "files", check=True)
        ended = reproducible(own, "--native", *vary, "--", "sh", "-c", "sh ./build.sh > /dev/null")
        expect(ended, 0, "2 runs")


@core
def test_each_condition_can_be_seen(work):
    for name, command in [("time", "date +%Y"), ("random", "od -An -N8 -tx1 /dev/urandom"), ("path", "pwd"),
                          ("order", "ls -U /etc"), ("locale", "echo $LC_ALL"), ("host", "uname -n"),
                          ("aslr", "head -1 /proc/self/maps"), ("user", "id -u"), ("umask", "umask"),
                          ("timezone", "date +%Z"), ("environment", "env"), ("home", "echo $HOME"),
                          ("exec_path", "echo $PATH"), ("kernel", "uname -r"), ("cpus", "nproc"),
                          ("machine", "cat /proc/meminfo"), ("pid", "echo $$"), ("inode", "touch x; stat -c %i x"),
                          ("host", "cat /proc/sys/kernel/domainname"), ("user", "id -g"), ("user", "echo $USER")]:
        ended = verify(work, "--native", "--vary", name, "--", "sh", "-c", command)
        check(ended.status == 1 and "stdout" in suite.text(ended.out), f"{name} does not show in the output", ended)


@core
def test_what_does_not_vary_makes_no_difference(work):
    """All that others show, while only the load varies."""
    reproducible(work, "--native", "--vary", "load", "--", "sh", "-c",
                 "date; od -An -N8 -tx1 /dev/urandom; pwd; ls -U /etc; env; uname -a; head -1 /proc/self/maps; id; umask;"
                 "nproc; cat /proc/meminfo; echo $$; touch x; stat -c %i x")


def test_names_of_reprotest_are_known(work):
    names = "environment,build_path,user_group,home,locales,exec_path,timezone,time,umask,kernel,num_cpus,fileordering," \
            "domain_host,aslr"
    different(work, "--native", "--vary", names, "--", "date")
    reproducible(work, "--native", "--vary", "-time,-timezone,-locales", "--", "date")


@core
def test_a_clean_command_is_reproducible(work):
    reproducible(work, "--native", "--", "sh", "-c", "mkdir -p a/b; echo text > a/b/c; chmod 755 a/b/c; echo done")


def test_sets_of_conditions_are_found(work):
    ended = different(work, "--native", "--bisect", "--json", work / "json", "--", "sh", "-c",
                      '[ "$(uname -n)" = stet ] || [ "$(umask)" = 0022 ] || echo both')
    found = document(work / "json")["differs_with"]
    check(sorted(found[0]) == ["host", "umask"] and len(found) == 1, f"it finds {found}", ended)
