"""Makes OCI image layouts for tests: good ones, and any that are not."""

import gzip
import hashlib
import io
import json
import pathlib
import subprocess
import tarfile

INDEX = "application/vnd.oci.image.index.v1+json"
MANIFEST = "application/vnd.oci.image.manifest.v1+json"
CONFIG = "application/vnd.oci.image.config.v1+json"
LAYER = "application/vnd.oci.image.layer.v1.tar"
DOCKER_LIST = "application/vnd.docker.distribution.manifest.list.v2+json"
DOCKER_MANIFEST = "application/vnd.docker.distribution.manifest.v2+json"
DOCKER_CONFIG = "application/vnd.docker.container.image.v1+json"
DOCKER_LAYER = "application/vnd.docker.image.rootfs.diff.tar.gzip"
TAG = "org.opencontainers.image.ref.name"
AMD64 = {"os": "linux", "architecture": "amd64"}
ARM64 = {"os": "linux", "architecture": "arm64", "variant": "v8"}
UNKNOWN = {"os": "unknown", "architecture": "unknown"}
EPOCH = 744847200


class Entry:
    """A file of a layer: by default a plain one."""

    def __init__(self, data=b"", mode=0o644, kind=tarfile.REGTYPE, link="", uid=0, gid=0):
        self.data, self.mode, self.kind, self.link, self.uid, self.gid = data, mode, kind, link, uid, gid


def program(path):
    return Entry(pathlib.Path(path).read_bytes(), 0o755)


def directory(mode=0o755, **more):
    return Entry(mode=mode, kind=tarfile.DIRTYPE, **more)


def symlink(target):
    return Entry(kind=tarfile.SYMTYPE, link=target, mode=0o777)


def hardlink(target):
    return Entry(kind=tarfile.LNKTYPE, link=target)


def tar(files):
    """The bytes of a tar. `files` maps paths to entries, or to bytes for plain files."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for path, entry in files.items():
            entry = Entry(entry) if isinstance(entry, bytes) else entry
            info = tarfile.TarInfo(path)
            info.size, info.mode, info.type, info.linkname = len(entry.data), entry.mode, entry.kind, entry.link
            info.uid, info.gid, info.mtime = entry.uid, entry.gid, EPOCH
            archive.addfile(info, io.BytesIO(entry.data))
    return out.getvalue()


def zstd(data):
    return subprocess.run(["zstd", "-q", "-c"], input=data, stdout=subprocess.PIPE, check=True).stdout


COMPRESSIONS = {"": lambda data: data, "+gzip": lambda data: gzip.compress(data, 1, mtime=0), "+zstd": zstd}


def digest_of(data, algorithm="sha256"):
    return f"{algorithm}:{hashlib.new(algorithm, data).hexdigest()}"


class Layout:
    """A layout in a new directory. Descriptors are dictionaries, to be changed at will."""

    def __init__(self, path):
        self.path = pathlib.Path(path)
        (self.path / "blobs" / "sha256").mkdir(parents=True)
        self.write("oci-layout", {"imageLayoutVersion": "1.0.0"})

    def write(self, name, document):
        data = document if isinstance(document, bytes) else json.dumps(document).encode()
        (self.path / name).write_bytes(data)
        return data

    def blob_path(self, digest):
        return self.path / "blobs" / digest.replace(":", "/")

    def blob(self, media, document, algorithm="sha256", **more):
        """Adds a blob, bytes or a document; returns its descriptor."""
        data = document if isinstance(document, bytes) else json.dumps(document).encode()
        digest = digest_of(data, algorithm)
        self.blob_path(digest).parent.mkdir(exist_ok=True)
        self.blob_path(digest).write_bytes(data)
        return {"mediaType": media, "digest": digest, "size": len(data), **more}

    def layer(self, files, compression="+gzip", media=None):
        """Adds a layer: of files, or of bytes. Returns its descriptor and the digest of its tar."""
        data = files if isinstance(files, bytes) else tar(files)
        compressed = COMPRESSIONS[compression](data)
        return self.blob(media or LAYER + compression, compressed), digest_of(data)

    def config(self, layers, use=None, **more):
        rootfs = {"type": "layers", "diff_ids": [diff for _, diff in layers]}
        return {**AMD64, "config": use or {}, "rootfs": rootfs, **more}

    def manifest(self, layers, use=None, **more):
        """Adds an image of layers; returns the descriptor of its manifest. `use` is what it says of how to run it."""
        config = self.blob(CONFIG, self.config(layers, use))
        document = {"schemaVersion": 2, "mediaType": MANIFEST, "config": config, "layers": [blob for blob, _ in layers]}
        return self.blob(MANIFEST, document, **more)

    def nested(self, entries, **more):
        return self.blob(INDEX, {"schemaVersion": 2, "mediaType": INDEX, "manifests": entries}, **more)

    def index(self, entries):
        self.write("index.json", {"schemaVersion": 2, "manifests": entries})


def tagged(name):
    return {"annotations": {TAG: name}}


def image(path, layers, use=None):
    """A layout with one image; `layers` are dictionaries of files."""
    layout = Layout(path)
    layout.index([layout.manifest([layout.layer(files) for files in layers], use)])
    return layout
