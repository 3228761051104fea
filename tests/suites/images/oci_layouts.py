"""OCI image layouts: layers, the choice of an image, its config, and tars of layouts."""

import gzip
import os
import shutil
import signal
import subprocess
import tarfile

import oci
from common import Skipped, check, check_clean, check_signal_ends_unpacking, core, many_files, refused, stet, succeeds

SHOW_FILES = "cd /data && find . | sort"


def path_of(image):
    return getattr(image, "path", image)


def shows(work, image, words, expected):
    found = succeeds(work, "run", "--image", path_of(image), *words)
    check(found == expected, f"{words} shows {found!r}, not {expected!r}")


def wrong(work, image, *words, saying):
    return refused(work, "run", "--image", path_of(image), *words, saying=saying)


def shell(*programs):
    """The files of a root that has a shell, and links to what else is needed."""
    busybox = shutil.which("busybox")
    if not busybox:
        raise Skipped("there is no busybox")
    files = {"bin": oci.directory(), "bin/busybox": oci.program(busybox)}
    files.update({f"bin/{name}": oci.symlink("busybox") for name in ("sh", *programs)})
    return files


def said(words):
    """The files of an image that can be told from others."""
    return {**shell("cat"), "said": words.encode()}


def simple(work, use=None):
    return oci.image(work / "layout", [{**shell("cat", "id", "pwd", "env", "echo"),
                                        "etc/passwd": b"root:x:0:0::/:/bin/sh\nme:x:1000:100::/:/bin/sh\n",
                                        "etc/group": b"users:x:100:\nstaff:x:50:\n"}], use)


@core
def test_oci_layers_replace_and_delete(work):
    layout = oci.Layout(work / "layout")
    lowest = {**shell("find", "sort", "cat"), "data": oci.directory(), "data/kept": b"1", "data/changed": b"1",
              "data/deleted": b"1", "data/opaque": oci.directory(), "data/opaque/gone": b"1",
              "data/tree": oci.directory(), "data/tree/a/b": b"1", "data/becomes_directory": b"1"}
    middle = {"data/changed": b"2", "data/.wh.deleted": b"", "data/.wh.tree": b"", "data/opaque/.wh..wh..opq": b"",
              "data/opaque/new": b"2", "data/.wh.becomes_directory": b"", "data/link": oci.hardlink("data/kept")}
    highest = {"data/deleted": b"3", "data/becomes_directory": oci.directory(), "data/becomes_directory/x": b"3"}
    layout.index([layout.manifest([layout.layer(lowest, "+gzip"), layout.layer(middle, "+zstd"),
                                   layout.layer(highest, "")])])
    found = [".", "./becomes_directory", "./becomes_directory/x", "./changed", "./deleted", "./kept", "./link",
             "./opaque", "./opaque/new"]
    shows(work, layout, ["sh", "-c", SHOW_FILES], "\n".join(found) + "\n")
    shows(work, layout, ["sh", "-c", "cd /data; cat kept changed deleted link"], "1231")


def test_oci_media_types_of_docker_and_gzip_in_pieces(work):
    layout = oci.Layout(work / "layout")
    data = oci.tar(shell("echo"))
    half = len(data) // 2
    pieces = gzip.compress(data[:half], 1) + gzip.compress(data[half:], 1)
    layers = [(layout.blob(oci.DOCKER_LAYER, pieces), oci.digest_of(data))]
    config = layout.blob(oci.DOCKER_CONFIG, layout.config(layers))
    manifest = layout.blob(oci.DOCKER_MANIFEST, {"schemaVersion": 2, "mediaType": oci.DOCKER_MANIFEST, "config": config,
                                                 "layers": [blob for blob, _ in layers]}, platform=oci.AMD64)
    entry = layout.blob(oci.DOCKER_LIST, {"schemaVersion": 2, "mediaType": oci.DOCKER_LIST, "manifests": [manifest]})
    layout.index([entry])
    shows(work, layout, ["echo", "docker"], "docker\n")


def test_oci_sha512_is_checked_too(work):
    layout = oci.Layout(work / "layout")
    data = oci.tar(shell("echo"))
    layer = layout.blob(oci.LAYER, data, "sha512")
    config = layout.blob(oci.CONFIG, layout.config([(layer, oci.digest_of(data, "sha512"))]), "sha512")
    layout.index([layout.blob(oci.MANIFEST, {"schemaVersion": 2, "config": config, "layers": [layer]}, "sha512")])
    layout.blob_path(layer["digest"]).write_bytes(data[:-1] + b"x")
    wrong(work, layout, "echo", "512", saying="another digest")
    check_clean(work)
    layout.blob_path(layer["digest"]).write_bytes(data)
    shows(work, layout, ["echo", "512"], "512\n")


@core
def test_oci_config_says_what_runs(work):
    layout = simple(work, {"Entrypoint": ["echo", "entry"], "Cmd": ["command"], "WorkingDir": "/made/here",
                           "Env": ["PATH=/bin", "LANG=de_DE.UTF-8", "OWN=1"], "User": "me:staff"})
    shows(work, layout, [], "entry command\n")
    shows(work, layout, ["echo", "other"], "other\n")
    shows(work, layout, ["pwd"], "/made/here\n")
    shows(work, layout, ["-C", "/", "pwd"], "/\n")
    shows(work, layout, ["sh", "-c", "id -u; id -g"], "1000\n50\n")
    shows(work, layout, ["--user", "7", "sh", "-c", "id -u; id -g"], "7\n0\n")
    shows(work, layout, ["-e", "OWN=2", "sh", "-c", "echo $PATH $LANG $OWN $TZ $HOME"], "/bin de_DE.UTF-8 2 UTC /\n")


def test_oci_user_may_be_a_number_or_a_name(work):
    for number, (user, expected) in enumerate({"me": "1000\n100\n", "1000": "1000\n100\n", "8": "8\n0\n",
                                               "0:users": "0\n100\n"}.items()):
        inner = work / str(number)
        inner.mkdir()
        shows(inner, simple(inner, {"User": user}), ["sh", "-c", "id -u; id -g"], expected)


def test_oci_user_that_is_not_there_is_an_error(work):
    layout = simple(work, {"User": "nobody"})
    wrong(work, layout, "id", saying="no user nobody")
    shows(work, layout, ["--user", "0", "id", "-u"], "0\n")


@core
def test_oci_without_a_command_is_an_error(work):
    wrong(work, simple(work), saying="stet: no command")


def test_oci_working_directory_stays_inside(work):
    shows(work, simple(work, {"WorkingDir": "/../../../stet-made/../stet-here"}), ["pwd"], "/stet-here\n")
    check(not os.path.exists("/stet-here") and not os.path.exists("/stet-made"), "it was made outside")


@core
def test_oci_images_are_chosen_by_platform_and_tag(work):
    layout = oci.Layout(work / "with:colon")

    def image(name, **more):
        return layout.manifest([layout.layer(said(name))], **more)

    many = layout.nested([image("arm", platform=oci.ARM64), image("attestation", platform=oci.UNKNOWN),
                          image("amd", platform=oci.AMD64)], **oci.tagged("many"))
    layout.index([many])
    shows(work, layout, ["cat", "/said"], "amd")
    layout.index([many, image("one", **oci.tagged("example.org/one:1"))])
    line = wrong(work, layout, "cat", "/said", saying="many, example.org/one:1")
    check("TAG" in line, f"it is not said how to choose: {line}")
    shows(work, f"{layout.path}:many", ["cat", "/said"], "amd")
    shows(work, f"{layout.path}:example.org/one:1", ["cat", "/said"], "one")
    wrong(work, f"{layout.path}:none", "cat", "/said", saying="no image with tag none")


def archive_of(layout, path, mode, prefix="./", names=("blobs", "index.json", "oci-layout")):
    """A tar of a layout, as people make them."""
    with tarfile.open(path, mode) as archive:
        for name in names:
            archive.add(layout.path / name, prefix + name)
    return path


@core
def test_oci_tars_of_layouts(work):
    layout = simple(work, {"Cmd": ["echo", "from", "a", "tar"]})
    (layout.path / "manifest.json").write_text("[]")
    for number, (mode, prefix, names) in enumerate([
            ("w", "./", ["."]), ("w:gz", "", ["oci-layout", "index.json", "blobs"]),
            ("w:xz", "", ["manifest.json", "index.json", "blobs", "oci-layout"])]):
        path = archive_of(layout, work / f"{number}.tar", mode, prefix, names)
        shows(work, path, [], "from a tar\n")
        shows(work, path, [], "from a tar\n")
    check_clean(work, 1)


def test_oci_tars_of_damaged_layouts(work):
    layout = simple(work)
    blob = next((layout.path / "blobs" / "sha256").iterdir())
    whole = blob.read_bytes()
    path = archive_of(layout, work / "cut.tar", "w")
    path.write_bytes(path.read_bytes()[:-20000])
    wrong(work, path, "echo", saying="cut.tar")
    blob.write_bytes(whole[:-1])
    wrong(work, archive_of(layout, work / "short.tar", "w"), "echo", saying=blob.name)
    blob.unlink()
    blob.symlink_to("/etc/passwd")
    wrong(work, archive_of(layout, work / "link.tar", "w"), "echo", saying="not a plain file")
    check_clean(work)


def test_signal_ends_unpacking_of_oci_layers(work):
    layout = oci.Layout(work / "layout")
    layout.index([layout.manifest([layout.layer(many_files(work / "layer.tar", 3000).read_bytes())])])
    archive_of(layout, work / "layout.tar", "w")
    for image in ("layout", "layout.tar"):
        check_signal_ends_unpacking(work, image, signal.SIGTERM)


def test_directory_tar_and_oci_layout_have_one_digest(work):
    files = {**shell("cat", "ls"), "etc": oci.directory(), "etc/motd": b"hello\n", "tmp": oci.directory(0o1777)}
    (work / "root.tar").write_bytes(oci.tar(files))
    with tarfile.open(work / "root.tar") as archive:
        archive.extractall(work / "root")
    oci.image(work / "layout", [files])
    found = []
    for image in ("root", "root.tar", "layout"):
        ended = stet(work, "run", "--digest", "--image", work / image, "sh", "-c",
                     "ls -ln / /etc; cat /etc/motd; echo x >/tmp/y")
        check(ended.status == 0 and b"digest" in ended.err, f"{image} has no digest", ended)
        found.append(ended.out + ended.err)
    check(found[0] == found[1] == found[2], f"they differ: {found}")


def test_oci_layouts_of_skopeo(work):
    if not shutil.which("skopeo"):
        raise Skipped("there is no skopeo")
    layout = simple(work, {"Cmd": ["echo", "copied"], "Env": ["PATH=/bin"]})
    variables = dict(os.environ, TMPDIR=str(work), HOME=str(work))
    for number, (kind, options) in enumerate([
            ("oci", []), ("oci", ["--dest-compress-format", "zstd", "--dest-compress"]), ("oci-archive", [])]):
        path = work / f"copy{number}"
        copied = subprocess.run(["skopeo", "--insecure-policy", "copy", "-q", *options, f"oci:{layout.path}",
                                 f"{kind}:{path}:some/name:tag"], env=variables, stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT, check=False)
        check(copied.returncode == 0, f"skopeo: {copied.stdout}")
        shows(work, path, [], "copied\n")
        shows(work, f"{path}:some/name:tag", ["echo", kind], f"{kind}\n")
