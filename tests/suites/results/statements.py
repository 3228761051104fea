"""--attest and `stet attest verify`: statements about runs, and whether they are true."""

import copy
import hashlib
import json
import os
import shutil
import socket

import oci
import suite
from common import CHANGES, Room, check, check_equal, make_image, refused, succeeded, tar_of, test, tree

BUILD = ("sh", "-c", "mkdir -p out; cat in >out/copy; echo made >made; echo said; echo complained >&2; echo layer >/opt/l")


def attest(room, *options, command=BUILD, status=0, **more):
    """Runs, and gives the statement."""
    succeeded(room.run("--attest", room.top / "a.json", *options, command=command, **more), status)
    return json.loads((room.top / "a.json").read_bytes())


def verify(room, *options, **more):
    return room.stet("attest", "verify", room.top / "a.json", *options, **more)


def write(room, statement):
    (room.top / "a.json").write_text(json.dumps(statement))


def with_input(room):
    (room.work / "in").write_text("input\n")
    return room


def subjects(statement):
    return {item["name"]: item["digest"]["sha256"] for item in statement["subject"]}


def dependencies(statement):
    return {item["name"]: item["digest"]["sha256"]
            for item in statement["predicate"]["buildDefinition"]["resolvedDependencies"]}


def external(statement):
    return statement["predicate"]["buildDefinition"]["externalParameters"]


def sha256(data):
    return hashlib.sha256(data).hexdigest()


@test("core")
def statement_is_the_same_in_each_run(room):
    found = []
    for number, prefix in enumerate(([], ["taskset", "-c", "0"], ["nice", "-n", "5"])):
        directory = room.top / f"some directory {number}"
        directory.mkdir()
        (directory / "in").write_text("input\n")
        place = room.top / f"{number}.json"
        succeeded(room.run("--attest", place, command=BUILD, at=directory, prefix=prefix,
                           environment={"TZ": "Asia/Tokyo"} if number else None))
        found.append(place.read_bytes())
    check(found[0] == found[1] == found[2], "it is not")


@test("core")
def statement_is_canonical_json(room):
    attest(with_input(room), "--env", "TEXT=ü\n\t\"\\/", "--env", "A=\x1b")
    data = (room.top / "a.json").read_bytes()
    canonical = json.dumps(json.loads(data), sort_keys=True, separators=(",", ":"), ensure_ascii=False) + "\n"
    check_equal(data.decode(), canonical, "text")


@test("core")
def statement_names_what_went_in_and_what_came_out(room):
    found = attest(with_input(room), "--seed", "7", "--cpus", "2", "--env", "X=y", "--digest")
    definition, details = found["predicate"]["buildDefinition"], found["predicate"]["runDetails"]
    check_equal((found["_type"], found["predicateType"]),
                ("https://in-toto.io/Statement/v1", "https://slsa.dev/provenance/v1"), "types")
    check(":" in definition["buildType"] and ":" in details["builder"]["id"], "these must be URIs")
    version = room.stet("--version").out.decode().split()[1]
    check_equal(details["builder"]["version"], {"stet": version}, "version")
    check_equal(external(found)["command"], list(BUILD), "command")
    check("X=y" in external(found)["environment"], "the variable is missing")
    check_equal(external(found)["mounts"], [{"inside": "/build", "mode": "rw"}], "mounts")
    options = external(found)["options"]
    check_equal((options["seed"], options["cpus"], options["relax"]), ("7", "2", ""), "options")
    check_equal((external(found)["image"], list(dependencies(found))), (None, ["mount:/build"]), "dependencies")
    outputs = subjects(found)
    del outputs["result"]
    check_equal(outputs, {"stdout": sha256(b"said\n"), "stderr": sha256(b"complained\n"), "/build/made": sha256(b"made\n"),
                          "/build/out/copy": sha256(b"input\n"), "/opt/l": sha256(b"layer\n")}, "outputs")


@test("core")
def statement_has_the_digest_of_the_run_and_its_status(room):
    ended = succeeded(room.run("--digest", "--attest", room.top / "a.json", command=("sh", "-c", "exit 9")), 9)
    found = json.loads((room.top / "a.json").read_bytes())
    check(f"digest sha256:{subjects(found)['result']}\n".encode() in ended.err, "the digest is another")
    check_equal(found["predicate"]["runDetails"]["metadata"]["stet_status"], 9, "status")
    succeeded(verify(room))


@test("core")
def statement_tells_nothing_of_the_machine(room):
    attest(with_input(room))
    text = (room.top / "a.json").read_text()
    for secret in (str(room.work), str(room.top), os.environ.get("HOME", "/root/"), f'"{socket.gethostname()}"'):
        check(secret == "/root" or secret not in text, f"{secret} is in it")


@test("core")
def image_is_named_by_its_digest(room):
    succeeded(room.in_image(CHANGES, "--attest", room.top / "a.json"))
    found = json.loads((room.top / "a.json").read_bytes())
    digest = dependencies(found)["image"]
    check_equal(external(found)["image"], f"sha256:{digest}", "image")
    other = make_image(room.top / "other")
    (other / "etc/keep").write_text("other\n")
    succeeded(room.run("--image", other, "--attest", room.top / "b.json", command=("/bin/sh", "-c", CHANGES)))
    check(dependencies(json.loads((room.top / "b.json").read_bytes()))["image"] != digest, "another has the same digest")


@test("core")
def statement_does_not_depend_on_how_the_image_was_packed(room):
    (room.top / "image.tar").write_bytes(tar_of(Room.image))
    layout = oci.Layout(room.top / "layout")
    layout.index([layout.manifest([layout.layer(tar_of(Room.image))])])
    found = []
    for image in (Room.image, room.top / "image.tar", layout.path):
        succeeded(room.run("--image", image, "--attest", room.top / "a.json", command=("/bin/sh", "-c", CHANGES)))
        found.append((room.top / "a.json").read_bytes())
    check(found[0] == found[1] == found[2], "it does")


@test("core")
def image_is_found_in_the_cache_by_its_digest(room):
    other = make_image(room.top / "other")
    (other / "etc/keep").write_text(str(room.top))
    (room.top / "image.tar").write_bytes(tar_of(other))
    cache = {"XDG_CACHE_HOME": str(room.top / "cache")}
    succeeded(room.run("--image", room.top / "image.tar", "--attest", room.top / "a.json",
                       command=("/bin/sh", "-c", CHANGES), environment=cache))
    succeeded(verify(room, environment=cache))
    refused(verify(room), "--image sha256:")


@test("core")
def saved_layers_are_outputs(room):
    place = room.top / "some.tar.gz"
    succeeded(room.in_image(CHANGES, "--save", place, "--attest", room.top / "a.json"))
    found = json.loads((room.top / "a.json").read_bytes())
    check_equal(subjects(found)["layer.tar.gz"], sha256(place.read_bytes()), "digest")
    succeeded(verify(room, "--image", Room.image))


@test("core")
def downloads_are_named_and_brought_again(room):
    (room.top / "data").write_text("data\n")
    fetch = f"file://{room.top}/data#sha256={sha256(b'data' + bytes([10]))}:/tmp/data"
    found = attest(room, "--fetch", fetch, command=("cat", "/tmp/data"))
    check_equal(dependencies(found)["fetch:/tmp/data"], sha256(b"data\n"), "digest")
    check(str(room.top) not in (room.top / "a.json").read_text(), "the place on the host is in it")
    succeeded(verify(room, "--fetch", fetch))
    refused(verify(room), "--fetch")


@test("core")
def a_true_statement_is_found_so_and_nothing_changes(room):
    attest(with_input(room))
    before = tree(room.work)
    ended = succeeded(verify(room))
    check(ended.out.startswith(b"same: 6 of 6"), suite.text(ended.out))
    check(b"this machine" in ended.out, "it does not say that the image is this machine's files")
    check_equal((ended.err, tree(room.work)), (b"", before), "errors and files")


@test("core")
def statements_in_the_directory_itself_can_be_checked(room):
    with_input(room)
    for _ in range(2):
        shutil.rmtree(room.work / "out", ignore_errors=True)
        (room.work / "made").unlink(missing_ok=True)
        succeeded(room.run("--attest", "a.json", command=BUILD))
        succeeded(room.stet("attest", "verify", "a.json"))


@test("core")
def image_mounts_input_and_variables_are_given_again(room):
    for name in ("ro", "rw", "copy"):
        (room.work / name).mkdir()
        (room.work / name).chmod(0o777)
        (room.work / name / "file").write_text(name)
        (room.work / name / "file").chmod(0o666)
    (room.work / "stdin").write_text("read\n")
    mounts = ["--mount", "ro:/in/ro", "--mount", "rw:/in/rw", "--mount", "copy:/in/copy", "--mount", "stdin:/in/one"]
    options = [*mounts[:1], "ro:/in/ro:ro", *mounts[2:4], "--mount", "copy:/in/copy:copy", "--mount", "stdin:/in/one:ro",
               "--stdin", "stdin", "--user", "5:6", "--hostname", "other", "--epoch", "2001-02-03T04:05:06.5Z", "--time",
               "warp:0.5", "--memory", "1G", "--kernel", "6.1.0", "--net", "none", "--timers", "instant", "--cpu", "x86-64",
               "-C", "/etc"]
    script = "cat; cat /in/*/file /in/one; id; env; pwd; echo new >/in/rw/new; echo more >>/in/copy/file; stat -c %Y /in/rw/new"
    succeeded(room.in_image(script, "--attest", room.top / "a.json", *options))
    succeeded(verify(room, "--image", Room.image, *mounts, "--stdin", "stdin"))
    refused(verify(room, *mounts, "--stdin", "stdin"), "--image")
    refused(verify(room, "--image", Room.image, *mounts), "--stdin")
    refused(verify(room, "--image", Room.image, *mounts[2:], "--stdin", "stdin"), "--mount", "/in/ro")
    refused(verify(room, "--image", Room.image, *mounts, "--mount", ".:/more", "--stdin", "stdin"), "/more")


@test("core")
def outputs_that_differ_are_named(room):
    statement = attest(with_input(room))
    for name in ("result", "stdout", "/build/made", "/opt/l"):
        changed = copy.deepcopy(statement)
        item = next(item for item in changed["subject"] if item["name"] == name)
        item["digest"]["sha256"] = sha256(b"something else")
        write(room, changed)
        lines = succeeded(verify(room), 1).out.decode().splitlines()
        check_equal(len(lines), 2, f"lines of {lines}")
        check(lines[0].startswith(f"{name}: ") and sha256(b"something else") in lines[0], lines[0])
        check(lines[1].startswith("different: 5 of 6"), lines[1])


@test("core")
def outputs_that_are_missing_or_new_are_named(room):
    statement = attest(with_input(room))
    less, more = copy.deepcopy(statement), copy.deepcopy(statement)
    del less["subject"][-1]
    more["subject"].append({"name": "/opt/more", "digest": {"sha256": sha256(b"")}})
    write(room, less)
    check(b"/opt/l: nothing is stated" in succeeded(verify(room), 1).out, "what is new is not named")
    write(room, more)
    check(b"nothing was found" in succeeded(verify(room), 1).out, "what is missing is not named")


@test("core")
def another_command_gives_another_result(room):
    statement = attest(with_input(room))
    external(statement)["command"] = ["sh", "-c", "echo something else"]
    write(room, statement)
    check(b"/build/made: " in succeeded(verify(room), 1).out, "not all is named")


@test("core")
def another_status_is_a_difference(room):
    statement = attest(with_input(room))
    statement["predicate"]["runDetails"]["metadata"]["stet_status"] = 4
    write(room, statement)
    check(b"status: 4 is stated, 0 was found" in succeeded(verify(room), 1).out, "it is not named")


@test("core")
def inputs_are_checked_before_anything_runs(room):
    attest(with_input(room))
    (room.work / "in").write_text("changed\n")
    refused(verify(room), "mount:/build", "before the run")
    (room.work / "in").write_text("input\n")
    (room.work / "other").write_text("")
    refused(verify(room), "mount:/build")
    (room.work / "other").unlink()
    succeeded(verify(room))


@test("core")
def outcome_can_be_json(room):
    statement = attest(with_input(room))
    same = json.loads(succeeded(verify(room, "--json", "-")).out)
    check_equal((same["kind"], same["same"], same["differences"]), ("attest", True, []), "outcome")
    statement["subject"][1]["digest"]["sha256"] = sha256(b"x")
    write(room, statement)
    succeeded(verify(room, "--json", room.top / "out.json", "-q"), 1)
    other = json.loads((room.top / "out.json").read_bytes())
    check_equal((other["same"], other["differences"]),
                (False, [{"name": "stdout", "stated": sha256(b"x"), "found": sha256(b"said\n")}]), "outcome")


@test("core")
def names_of_any_bytes_survive(room):
    script = b"import os, sys; open(b'/build/\\xff\\n \\\\', 'w').write('x'); print(ascii(sys.argv[1]), os.environb[b'V'])"
    found = attest(room, "--env", os.fsdecode(b"V=\xfe\\x"), command=("python3", "-c", os.fsdecode(script), os.fsdecode(b"\xfd\x1b\\")))
    check("bytes:/build/\\377\n \\134" in subjects(found), "the name is missing")
    succeeded(verify(room))


@test("core")
def another_version_is_named(room):
    statement = attest(with_input(room))
    statement["predicate"]["runDetails"]["builder"]["version"]["stet"] = "0.0.1"
    write(room, statement)
    check(b"written by stet 0.0.1" in succeeded(verify(room)).err, "it is not")


@test("core")
def what_is_left_native_is_stated(room):
    found = attest(room, "--relax", "time,pid", "--time", "host", command=("sh", "-c", "date +%N; echo $$"))
    check_equal(external(found)["options"]["relax"], "time,pid", "what is native")
    ended = succeeded(verify(room), 1)
    check(b"left native: time,pid" in ended.out, suite.text(ended.out))


@test("core")
def recorded_randomness_can_be_replayed(room):
    found = attest(room, "--entropy", f"record:{room.top}/entropy", command=("sh", "-c", "head -c 8 /dev/urandom | od -x"))
    check_equal(external(found)["options"]["entropy"], "record", "entropy")
    refused(verify(room), "--entropy replay:FILE")
    ended = verify(room, "--entropy", f"replay:{room.top}/entropy")
    succeeded(ended)


@test("core")
def a_run_without_a_result_has_no_statement(room):
    place = room.top / "a.json"
    place.write_text("before")
    ended = room.run("--attest", place, "--time", "host", "--timeout", "0.3", command=("sleep", "600"))
    check(b"no attestation: " in succeeded(ended, 124).err, suite.text(ended.err))
    succeeded(room.run("--attest", place, command=("/nothing",)), 127)
    check_equal((place.read_text(), sorted(os.listdir(room.top))), ("before", ["a.json", "work"]), "files")


@test("core")
def input_without_a_digest_is_refused(room):
    refused(room.run("--attest", room.top / "a.json", "--stdin", "-", command=("touch", "ran")), "--stdin FILE")
    refused(room.run("--attest", room.top / "a.json", "--stdin", "/dev/zero", command=("touch", "ran")), "/dev/zero")
    refused(room.run("--attest", "none/a.json", command=("touch", "ran")), "none/a.json")
    check_equal((os.listdir(room.work), os.listdir(room.top)), ([], ["work"]), "files")


def parts(json_value, path=()):
    """Each place in a document that has a name."""
    if isinstance(json_value, dict):
        for key, value in json_value.items():
            yield (*path, key)
            yield from parts(value, (*path, key))


def without(document, path):
    changed = copy.deepcopy(document)
    place = changed
    for key in path[:-1]:
        place = place[key]
    return changed, place, path[-1]


@test("core")
def statements_that_lack_something_are_refused(room):
    statement = attest(with_input(room), command=("sh", "-c", "touch /build/ran; rm /build/ran"))
    for path in parts(statement):
        if path[-1] == "id":  # who wrote it is not believed anyway
            continue
        changed, place, key = without(statement, path)
        del place[key]
        write(room, changed)
        refused(verify(room), "a.json")
        place[key] = 1.5
        write(room, changed)
        refused(verify(room), "a.json")


@test("core")
def malformed_statements_are_refused(room):
    statement = attest(with_input(room))
    text = json.dumps(statement)
    place = room.top / "a.json"
    deep = "[" * 100000 + "]" * 100000
    for data in ("", " ", "{}", "[]", "null", "1", text[:-1], text[:len(text) // 2], text + "x", deep, "\0" + text,
                 text.replace('"sh"', '"s\\u0000h"', 1), text.replace('"_type"', '"_type": 1, "_type"'),
                 text.replace(', "subject"', ', "subject": [], "subject"'), text.replace('"/build"', '"build"'),
                 text.replace('"rw"', '"rwx"'), text.replace('"sha256": "', '"sha256": "z'), text.replace('"cpus"', '"cups"'),
                 text.replace('"loopback"', '"internet"'), text.replace('"PATH=', '"=')):
        place.write_text(data)
        refused(verify(room), "a.json")
    place.write_bytes(b"\xff\xfe" + text.encode())
    refused(verify(room), "a.json")
    place.unlink()
    refused(verify(room), "a.json", "No such file")
    place.mkdir()
    refused(verify(room), "a.json")


@test("core")
def usage_is_one_line(room):
    for words in ((), ("sign",), ("verify",), ("verify", "--nothing", "x"), ("verify", "a", "b")):
        refused(room.stet("attest", *words))
    check(b"--image" in succeeded(room.stet("attest", "verify", "--help")).out, "no help")


@test("core")
def nothing_is_left_behind(room):
    temporary = room.top / "tmp"
    temporary.mkdir()
    attest(with_input(room))
    succeeded(verify(room, environment={"TMPDIR": str(temporary)}))
    statement = json.loads((room.top / "a.json").read_bytes())
    external(statement)["options"]["cpus"] = "none"
    write(room, statement)
    refused(verify(room, environment={"TMPDIR": str(temporary)}), "--cpus")
    check_equal(os.listdir(temporary), [], "files")
