"""Every way in which an OCI layout can be wrong is told in one line, with nothing left in the cache."""

import gzip
import json
import os
import tarfile

import oci
from common import Failed, check, check_clean, core, refused

LARGE = 100 << 20

# Ways to damage a layout of one image with one layer, and a part of what is said about it.
DAMAGES = {}


def damage(part):
    def add(function):
        DAMAGES[function.__name__] = (function, part)
        return function
    return add


class Parts:
    """A sound layout, by its parts; put() makes it one again after changes."""

    def __init__(self, path):
        self.layout = oci.Layout(path)
        self.data = oci.tar({"file": b"x" * 5000, "sub/file": b"y"})
        self.layer = self.layout.blob(oci.LAYER + "+gzip", gzip.compress(self.data, mtime=0))
        self.config = self.layout.config([(self.layer, oci.digest_of(self.data))], {"Cmd": ["/file"]})
        self.manifest = {"schemaVersion": 2, "mediaType": oci.MANIFEST, "layers": [self.layer]}
        self.index = {"schemaVersion": 2}
        self.put()

    def put(self):
        if isinstance(self.config, dict):
            self.manifest["config"] = self.layout.blob(oci.CONFIG, self.config)
        self.entry = self.layout.blob(oci.MANIFEST, self.manifest)
        self.index["manifests"] = [self.entry]
        self.layout.write("index.json", self.index)

    def write_index(self, data):
        self.layout.write("index.json", data)

    def blob(self, descriptor):
        return self.layout.blob_path(descriptor["digest"])

    def set_layer(self, data, media=oci.LAYER, diff=None):
        self.layer = self.layout.blob(media, data)
        self.manifest["layers"] = [self.layer]
        self.config["rootfs"]["diff_ids"] = [diff or oci.digest_of(data)]
        self.put()


@damage("index.json: it is missing")
def index_missing(parts):
    (parts.layout.path / "index.json").unlink()


@damage("oci-layout: it is missing")
def layout_file_missing(parts):
    (parts.layout.path / "oci-layout").unlink()


@damage("version 3.0")
def layout_version(parts):
    parts.layout.write("oci-layout", {"imageLayoutVersion": "3.0"})


@damage("more than 4 MiB")
def index_of_100_mb(parts):
    os.truncate(parts.layout.path / "index.json", LARGE)


@damage("more than 4 MiB")
def manifest_of_100_mb(parts):
    os.truncate(parts.blob(parts.entry), LARGE)
    parts.write_index({"schemaVersion": 2, "manifests": [dict(parts.entry, size=LARGE)]})


@damage("depth")
def index_nested_deeply(parts):
    parts.write_index(b'{"a":' * 100000 + b"1" + b"}" * 100000)


@damage("bad JSON")
def index_not_utf8(parts):
    parts.write_index(b'{"schemaVersion": 2, "manifests": [], "\xff\xfe": 1}')


@damage("bad JSON")
def index_cut(parts):
    path = parts.layout.path / "index.json"
    path.write_bytes(path.read_bytes()[:-5])


@damage("must be a list")
def manifests_of_wrong_type(parts):
    parts.write_index({"schemaVersion": 2, "manifests": "none"})


@damage("names no image")
def index_empty(parts):
    parts.write_index({"schemaVersion": 2, "manifests": []})


@damage("not a plain file")
def index_a_fifo(parts):
    path = parts.layout.path / "index.json"
    path.unlink()
    os.mkfifo(path)


@damage("another digest")
def index_cyclic(parts):
    """The digest of what contains it cannot be known: a cycle is a lie about a digest."""
    path = parts.layout.path / "blobs" / "sha256" / ("1" * 64)
    entry = {"mediaType": oci.INDEX, "digest": "sha256:" + "1" * 64, "size": 0}
    entry["size"] = len(json.dumps({"schemaVersion": 2, "manifests": [dict(entry, size=333)]}))
    path.write_text(json.dumps({"schemaVersion": 2, "manifests": [entry]}))
    parts.write_index({"schemaVersion": 2, "manifests": [entry]})


@damage("index in an index")
def index_too_deep(parts):
    entry = parts.entry
    for _ in range(9):
        entry = parts.layout.nested([entry])
    parts.write_index({"schemaVersion": 2, "manifests": [entry]})


@damage("more than 1000 documents")
def index_too_wide(parts):
    entry = parts.entry
    for _ in range(6):
        entry = parts.layout.nested([entry] * 20)
    parts.write_index({"schemaVersion": 2, "manifests": [entry]})


@damage("linux/arm64")
def image_for_another_machine(parts):
    parts.write_index({"schemaVersion": 2, "manifests": [dict(parts.entry, platform=oci.ARM64)]})


@damage("media type text/plain")
def manifest_of_unknown_type(parts):
    parts.write_index({"schemaVersion": 2, "manifests": [dict(parts.entry, mediaType="text/plain")]})


@damage("must be sha256:")
def digest_with_dots(parts):
    parts.write_index({"schemaVersion": 2, "manifests": [dict(parts.entry, digest="sha256:../../../../etc/passwd")]})


@damage("must be sha256:")
def digest_in_upper_case(parts):
    parts.write_index({"schemaVersion": 2, "manifests": [dict(parts.entry, digest="sha256:" + "A" * 64)]})


@damage("must be sha256:")
def digest_of_another_kind(parts):
    parts.write_index({"schemaVersion": 2, "manifests": [dict(parts.entry, digest="md5:" + "0" * 32)]})


@damage("bytes, and its descriptor says")
def manifest_of_another_size(parts):
    parts.write_index({"schemaVersion": 2, "manifests": [dict(parts.entry, size=parts.entry["size"] - 1)]})


@damage("must not be negative")
def manifest_of_negative_size(parts):
    parts.write_index({"schemaVersion": 2, "manifests": [dict(parts.entry, size=-1)]})


@damage("it is missing")
def manifest_missing(parts):
    parts.blob(parts.entry).unlink()


@damage("symbolic link")
def manifest_a_link(parts):
    path = parts.blob(parts.entry)
    path.rename(parts.layout.path / "elsewhere")
    path.symlink_to(parts.layout.path / "elsewhere")


@damage("no image to run")
def config_of_unknown_type(parts):
    config = parts.layout.blob("application/vnd.example", {})
    manifest = parts.layout.blob(oci.MANIFEST, {**parts.manifest, "config": config})
    parts.write_index({"schemaVersion": 2, "manifests": [manifest]})


@damage('"rootfs" is missing')
def config_without_layers(parts):
    del parts.config["rootfs"]
    parts.put()


@damage("has 2 entries, and the manifest has 1 layers")
def config_with_other_layers(parts):
    parts.config["rootfs"]["diff_ids"] *= 2
    parts.put()


@damage('"Env" must be a list')
def config_with_other_types(parts):
    parts.config["config"]["Env"] = {"A": "1"}
    parts.put()


@damage("more than 4096")
def config_with_too_many_words(parts):
    parts.config["config"]["Cmd"] = ["x"] * 5000
    parts.put()


@damage("another digest")
def config_changed(parts):
    path = parts.blob(parts.manifest["config"])
    path.write_bytes(path.read_bytes().replace(b"/file", b"/fire"))


@damage("unknown media type")
def layer_of_unknown_type(parts):
    parts.layer["mediaType"] = "application/vnd.example.layer"
    parts.put()


@damage("encrypted")
def layer_encrypted(parts):
    parts.layer["mediaType"] += "+encrypted"
    parts.put()


@damage("501 layers")
def layers_too_many(parts):
    parts.manifest["layers"] = [parts.layer] * 501
    parts.put()


@damage("it is missing")
def layer_missing(parts):
    parts.blob(parts.layer).unlink()


@damage("bytes, and its descriptor says")
def layer_cut(parts):
    path = parts.blob(parts.layer)
    path.write_bytes(path.read_bytes()[:-1])


@damage("another digest")
def layer_changed(parts):
    path = parts.blob(parts.layer)
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


@damage("another digest")
def layer_changed_behind_its_end(parts):
    data = gzip.compress(parts.data, mtime=0)
    parts.set_layer(data + b"some", oci.LAYER + "+gzip", oci.digest_of(parts.data))
    parts.blob(parts.layer).write_bytes(data + b"none")


@damage("of the config")
def layer_of_another_tar(parts):
    parts.set_layer(gzip.compress(oci.tar({"other": b""})), oci.LAYER + "+gzip", oci.digest_of(parts.data))


@damage("layer sha256:")
def layer_no_tar(parts):
    parts.set_layer(b"this is no tar" * 100)


@damage("layer sha256:")
def layer_tar_cut(parts):
    parts.set_layer(oci.tar({"file": b"x" * 100000})[:5000])


@damage("layer sha256:")
def layer_gzip_cut(parts):
    parts.set_layer(gzip.compress(parts.data, mtime=0)[:-30], oci.LAYER + "+gzip", oci.digest_of(parts.data))


@damage("layer sha256:")
def layer_leads_out(parts):
    parts.set_layer(oci.tar({"../out": b"x"}))


@damage("layer sha256:")
def layer_link_leads_out(parts):
    parts.set_layer(oci.tar({"link": oci.hardlink("../../etc/passwd")}))


@damage("--image-limit")
def layer_a_bomb(parts):
    info = tarfile.TarInfo("zeros")
    info.size = 40 << 30
    parts.set_layer(gzip.compress(info.tobuf() + bytes(1 << 20), mtime=0), oci.LAYER + "+gzip", "sha256:" + "0" * 64)


@damage("not a plain file")
def layer_a_fifo(parts):
    path = parts.blob(parts.layer)
    path.unlink()
    os.mkfifo(path)


@core
def test_damaged_oci_layouts_are_told_in_one_line(work):
    problems = []
    for name, (function, part) in DAMAGES.items():
        inner = work / name
        inner.mkdir()
        parts = Parts(inner / "layout")
        function(parts)
        try:
            line = refused(inner, "run", "--image", parts.layout.path, "/file", saying=part)
            check(str(parts.layout.path) in line, f"the image is not named: {line}")
            check_clean(inner)
        except Failed as why:
            problems.append(f"{name}: {why}")
    check(not problems, "\n".join([f"{len(problems)} of {len(DAMAGES)}", *problems]))
