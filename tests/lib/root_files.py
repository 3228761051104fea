"""ROOT files, made from nothing: records of any payload, packed in any way, one behind the other."""

import lzma
import struct
import zlib

BEGIN = 100
NOON = (2016 - 1995) << 26 | 2 << 22 | 17 << 17 | 12 << 12


def text(value):
    value = value.encode()
    return (bytes([len(value)]) if len(value) < 255 else struct.pack(">Bi", 255, len(value))) + value


def blocks(payload, method, size=0xffffff):
    """As ROOT packs: blocks with 9 bytes in front."""
    tag, pack = {"zlib": (b"ZL\x08", zlib.compress), "old": (b"CS\x08", lambda part: zlib.compress(part)[2:-4]),
                 "xz": (b"XZ\x00", lambda part: lzma.compress(part, preset=0))}[method]
    packed = b""
    for start in range(0, len(payload), size):
        part = payload[start:start + size]
        block = pack(part)
        packed += tag + len(block).to_bytes(3, "little") + len(part).to_bytes(3, "little") + block
    return packed


class RootFile:
    """Records are added; write() puts lists and header where they belong. `wide` makes it one that may be larger than
    2 GB. Payloads may be bytes, or (bytes packed, size unpacked)."""

    def __init__(self, name="file.root", wide=False, time=NOON, compression=1, uuid=bytes(16)):
        self.name, self.wide, self.time, self.compression, self.uuid = name, wide, time, compression, uuid
        self.parts, self.at, self.keys, self.free = [], BEGIN, [], []
        data = text(name) + text("") + self.directory_data(BEGIN, 0)
        self.add("TFile", name, "", data, listed=False, directory=0)

    def seek(self, value):
        return struct.pack(">q" if self.wide else ">i", value)

    def directory_data(self, at, keys_at):
        return (struct.pack(">hIIii", 1005 if self.wide else 5, self.time, self.time, 0, 0)
                + self.seek(at) + self.seek(0) + self.seek(keys_at) + struct.pack(">h", 1) + self.uuid)

    def key(self, kind, name, title, cycle, directory, packed, unpacked, extra=b"", time=None):
        texts = text(kind) + text(name) + text(title) + extra
        length = 18 + (16 if self.wide else 8) + len(texts)
        return (struct.pack(">ihiIhh", length + packed, 1004 if self.wide else 4, unpacked,
                            self.time if time is None else time, length, cycle)
                + self.seek(self.at) + self.seek(directory) + texts)

    def add(self, kind, name, title, payload, cycle=1, listed=True, directory=BEGIN, extra=b"", time=None):
        packed, unpacked = payload if isinstance(payload, tuple) else (payload, len(payload))
        key = self.key(kind, name, title, cycle, directory, len(packed), unpacked, extra, time)
        if listed:
            self.keys.append(key)
        at = self.at
        self.parts += [key, packed]
        self.at += len(key) + len(packed)
        return at

    def add_gap(self, size):
        self.parts.append(struct.pack(">i", -size) + bytes(size - 4))
        self.at += size

    def finish(self):
        """The parts of the whole file."""
        keys_at = self.add("TFile", self.name, "", struct.pack(">i", len(self.keys)) + b"".join(self.keys),
                           listed=False)
        version = struct.pack(">h", 1001 if self.wide else 1)
        free_at = self.add("TFile", self.name, "", listed=False, payload=b"".join(
            version + self.seek(first) + self.seek(last) for first, last in [*self.free, (0, 0)]))
        self.parts[1] = text(self.name) + text("") + self.directory_data(BEGIN, keys_at)
        header = (b"root" + struct.pack(">ii", 1062000 if self.wide else 62000, BEGIN) + self.seek(self.at)
                  + self.seek(free_at) + struct.pack(">iiiBi", 0, 1, 0, 8 if self.wide else 4, self.compression)
                  + self.seek(0) + struct.pack(">ih", 0, 1) + self.uuid)
        return [header.ljust(BEGIN, b"\0"), *self.parts]

    def write(self, path):
        with open(path, "wb") as out:
            out.writelines(self.finish())
        return path
