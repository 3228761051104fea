"""The projects whose own tests are compared: where they come from, how they are built and tested, what they report."""

import dataclasses
import re
import typing
import xml.etree.ElementTree


class Failed(Exception):
    """There is nothing to compare."""


@dataclasses.dataclass
class Project:
    name: str
    packages: dict  # source package to folder
    build: str
    test: str
    results: typing.Callable  # of the tree and the log: test to result
    full: str = ""  # the whole suite, where `test` is a part
    inner: str = ""  # an archive in the package, by a pattern: what it holds is put into the folder `source`

    def __post_init__(self):
        self.full = self.full or self.test


def zlib_results(_, log):
    """Each program prints a line when it is through; infcover ends with nothing to say but its status."""
    found = {name: word for name, word in re.findall(r"\*\*\* (zlib.*?test) (OK|FAILED) \*\*\*", log)}
    found.update(("infcover", word) for word in re.findall(r"^infcover: (\d+)$", log, re.MULTILINE))
    return found


def status_results(_, log):
    """Lines `== TEST STATUS`, one for each script."""
    return dict(re.findall(r"^== (\S+) (\d+)$", log, re.MULTILINE))


SQLITE_LINE = re.compile(r"^(?:Time: .*|\.*(\S+)\.\.\. (Ok|Omitted.*)|! (\S+) expected: .*)$", re.MULTILINE)


def sqlite_results(_, log):
    """A case per line, maybe behind dots of progress; one of the same name counts once, and failed if it ever did."""
    found = {}
    for name, word, failed in SQLITE_LINE.findall(log):
        if failed:
            found[failed] = "failed"
        elif name:
            found.setdefault(name, "ok" if word == "Ok" else "omitted")
    for errors, tests in re.findall(r"^(\d+) errors out of (\d+) tests", log, re.MULTILINE):
        found["number of tests"] = tests
        found["number of errors"] = errors
    return found


def automake_results(tree, _):
    """Automake's .trs files."""
    found = {}
    for path in tree.rglob("*.trs"):
        match = re.search(r"^:test-result: (\w+)", path.read_text(errors="replace"), re.MULTILINE)
        found[str(path.relative_to(tree).with_suffix(""))] = match.group(1) if match else "nothing"
    return found


def junit_results(tree, _):
    """Of CPython's regrtest: each case with what became of it."""
    path = tree / "results.xml"
    if not path.exists():
        return {}
    found = {}
    for case in xml.etree.ElementTree.parse(path).iter("testcase"):
        kinds = [child.tag for child in case if child.tag in ("error", "failure", "skipped")]
        found[case.get("name")] = kinds[0] if kinds else "passed"
    return found


def dejagnu_results(tree, _):
    """Of GCC's gcc.sum: a test may report more than once under one name, then its results stand one after the other."""
    found = {}
    for path in tree.rglob("gcc.sum"):
        for word, name in re.findall(r"^([A-Z]+): (.*)$", path.read_text(errors="replace"), re.MULTILINE):
            found[name] = f"{found[name]}, {word}" if name in found else word
    return found


# Lua's own tests are not part of its source package; another implementation's has them. What all.lua defines for the
# scripts is defined for each, so that one that fails does not hide the others.
LUA_TESTS = """cd tests && export LUA_PATH='?;./?.lua'
for script in *.lua; do
  case $script in all.lua) prelude= ;; *) prelude='function Message(text) print(text) end' ;; esac
  ../src/lua -e "$prelude" "$script"
  echo "== $script $?"
done"""

# Files, locks, times, threads and memory, and some of SQL.
SQLITE_PART = ("select%.test insert%.test index%.test trigger%.test date%.test func%.test json%.test lock%.test wal.test "
               "shared%.test thread00%.test vacuum%.test io.test journal%.test busy%.test tempdb%.test backup.test")

# What the interpreter does with the system, and with itself.
CPYTHON_PART = ("test_os test_posix test_posixpath test_subprocess test_signal test_threading test_thread test_fcntl test_mmap "
                "test_select test_selectors test_socket test_pty test_tempfile test_shutil test_pathlib test_glob test_io "
                "test_fileio test_largefile test_time test_datetime test_calendar test_random test_hash test_dict test_set "
                "test_float test_math test_cmath test_long test_struct test_array test_json test_pickle test_marshal "
                "test_zlib test_gzip test_bz2 test_lzma test_zipfile test_tarfile test_hashlib test_uuid test_import "
                "test_importlib test_compile test_ast test_gc test_weakref test_generators test_coroutines test_asyncio "
                "test_multiprocessing_fork test_concurrent_futures test_queue test_sched test_sqlite3 test_locale test_re")

# The compiler for C alone, without its manuals, of which Debian has only a part; and quickly built: it is slow, then, but
# its tests are small.
GCC_BUILD = """export gcc_cv_prog_makeinfo_modern=no && mkdir build && cd build &&
../source/configure --quiet --disable-bootstrap --enable-languages=c --enable-checking=no --disable-multilib \\
    --disable-lto --disable-nls --disable-plugin --disable-libcc1 --disable-libatomic --disable-libgomp --disable-libitm \\
    --disable-libquadmath --disable-libsanitizer --disable-libssp --disable-libvtv \\
    CFLAGS='-O0 -g0' CXXFLAGS='-O0 -g0' &&
make -j2 --quiet all-gcc all-target-libgcc"""

# Programs that a GCC compiled wrongly once, each with eight sets of options; floating point.
GCC_PART = "execute.exp=pr5*.c ieee.exp"

ALL = {project.name: project for project in (
    Project("zlib", {"zlib": "."},
            build="./configure && make -j2 && make infcover",
            test="make test; ./infcover; echo infcover: $?",
            results=zlib_results),
    Project("lua", {"lua5.1": ".", "golang-github-yuin-gopher-lua": "other"},
            build="make -C src -j2 all MYCFLAGS=-DLUA_USE_POSIX\\ -DLUA_USE_DLOPEN MYLIBS='-Wl,-E -ldl' && "
                  "mv other/_lua5.1-tests tests && mkdir -p tests/libs/P1",
            test=LUA_TESTS,
            results=status_results),
    Project("sqlite", {"sqlite3": "."},
            build="./configure --quiet && make -j2 testfixture",
            test=f"./testfixture test/permutations.test veryquick {SQLITE_PART}",
            full="./testfixture test/permutations.test veryquick",
            results=sqlite_results),
    Project("coreutils", {"coreutils": "."},
            build="./configure --quiet --disable-nls && make -j2 --quiet",
            test="make -j2 -k check SUBDIRS=.",  # without those of gnulib
            full="make -j2 -k check",
            results=automake_results),
    Project("cpython", {"python3.11": "."},
            build="./configure --quiet && make -j2 --quiet",
            test=f"./python -m test -j2 --junit-xml results.xml --timeout 1200 {CPYTHON_PART}",
            full="./python -m test -j2 --junit-xml results.xml --timeout 1200",
            results=junit_results),
    Project("gcc", {"gcc-12": "."},
            build=GCC_BUILD,
            test=f"make -C build/gcc check-gcc RUNTESTFLAGS='{GCC_PART}'",
            full="make -C build/gcc check-gcc RUNTESTFLAGS='execute.exp ieee.exp compile.exp'",
            results=dejagnu_results,
            inner="gcc-*.tar.xz"),
)}
