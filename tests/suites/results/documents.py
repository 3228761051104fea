"""--json: the result of a run for programs."""

import hashlib
import json
import os

import suite
from common import CHANGES, check, check_equal, refused, succeeded, test


def result(room, *options, status=0, **more):
    ended = succeeded(room.run("--json", room.top / "run.json", *options, **more), status)
    return json.loads((room.top / "run.json").read_bytes()), ended


def version():
    return suite.run([suite.STET, "--version"], suite.TMP, 10).out.decode().split()[1]


def sha256(data):
    return hashlib.sha256(data).hexdigest()


@test("core")
def document_says_how_the_run_ended(room):
    found, ended = result(room, "--digest", status=3, command=("sh", "-c", "echo out; echo err >&2; exit 3"))
    check_equal((found["stet"], found["kind"]), (version(), "run"), "version and kind")
    check_equal((found["status"], found["timed_out"], found["refused"]), (3, False, None), "end")
    check(f"digest {found['digest']}\n".encode() in ended.err, "the digest is another one")
    check_equal(found["stdout"], {"size": 4, "sha256": sha256(b"out\n")}, "output")
    check_equal(found["stderr"], {"size": 4, "sha256": sha256(b"err\n")}, "errors")
    check(0 <= found["milliseconds"] < 60000, "duration")


@test("core")
def document_lists_files_and_what_was_done_to_them(room):
    (room.work / "kept").write_text("kept")
    (room.work / "changed").write_text("before")
    found, _ = result(room, command=("sh", "-c", "echo new >made; echo more >>changed; ln -s made link; echo x >/tmp/x"))
    files = {item["path"]: item for item in found["files"]}
    check_equal({path: files[path]["change"] for path in files},
                {"/build/changed": "changed", "/build/kept": "none", "/build/link": "made", "/build/made": "made",
                 "/tmp/x": "made"}, "changes")
    check_equal(files["/build/made"]["sha256"], sha256(b"new\n"), "content")
    check_equal((files["/build/made"]["type"], files["/build/made"]["mode"]), ("file", "0644"), "type and mode")
    check_equal((files["/build/link"]["type"], files["/build/link"]["target"]), ("symlink", "made"), "link")


@test("core")
def what_is_not_known_to_be_changed_is_called_so(room):
    (room.work / "changed").write_text("before")
    found, _ = result(room, "--relax", "mtime", "--attest", room.top / "a.json", command=("sh", "-c", "echo >>changed"))
    check_equal([(item["path"], item["change"]) for item in found["files"]], [("/build/changed", "unknown")], "changes")
    subjects = json.loads((room.top / "a.json").read_bytes())["subject"]
    check("/build/changed" in [item["name"] for item in subjects], "it is no output")


@test("core")
def names_that_are_no_text_are_escaped(room):
    script = "open(b'\\xff\\x01 \\\\', 'w'); open('\\u00fc \\\\', 'w'); open('bytes:', 'w')"
    found, _ = result(room, command=("python3", "-c", script))
    check_equal([item["path"] for item in found["files"]],
                ["/build/bytes:", "/build/ü \\", "bytes:/build/\\377\\001 \\134"], "names")


@test("core")
def a_run_that_was_ended_has_no_digest(room):
    found, _ = result(room, "--time", "host", "--timeout", "0.3", status=124, command=("sleep", "600"))
    check_equal((found["status"], found["timed_out"], found["digest"]), (124, True, None), "end")
    check("--timeout" in found["no_digest"], found["no_digest"])


@test("core")
def failures_of_stet_are_documented(room):
    for options, status, word in ((["--image", "/none"], 125, "/none"), (["--stdin", "/none"], 125, "/none"),
                                  ([], 127, "/nothing")):
        found, _ = result(room, *options, status=status, command=("/nothing",))
        check_equal((found["kind"], found["status"]), ("run", status), "kind and status")
        check(word in found["error"], found["error"])


@test("core")
def standard_output_belongs_to_the_command(room):
    refused(room.run("--json", "-", command=("touch", "ran")), "--json", "standard output")
    refused(room.run("--json", "none/run.json", command=("touch", "ran")), "--json", "none/run.json")
    check_equal(os.listdir(room.work), [], "files")


@test("core")
def a_document_can_go_to_a_pipe(room):
    ended = succeeded(room.run("--json", "/dev/stderr", command=("echo", "hi")))
    check_equal((ended.out, json.loads(ended.err)["kind"]), (b"hi\n", "run"), "output and document")


@test("core")
def documents_in_the_mounted_directory_are_no_result(room):
    first, _ = result(room, "--attest", "a.json", "--log", "log", command=("true",))
    again, _ = result(room, "--attest", "a.json", "--log", "log", command=("true",))
    check_equal(first["files"], [], "files")
    check_equal(again["digest"], first["digest"], "digest")


@test("core")
def what_was_refused_is_told(room):
    found, _ = result(room, command=("python3", "-c", "import ctypes; ctypes.CDLL(None).syscall(321, 0, 0, 0)"))
    check("bpf" in found["refused"], found["refused"])


@test("core")
def listing_of_changes_in_an_image(room):
    succeeded(room.in_image(CHANGES, "--json", room.top / "run.json"))
    found = json.loads((room.top / "run.json").read_bytes())
    changes = {item["path"]: item["change"] for item in found["files"]}
    check_equal((changes["/etc/change"], changes["/etc/gone"], changes["/opt/two"]), ("changed", "deleted", "made"),
                "changes")
