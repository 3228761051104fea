"""HDF5 files, as h5py writes them: what they hold is compared, however it is stored."""

import random

from common import Skipped, check, expect, findings, make, result, run

try:
    import h5py
    import numpy
except ImportError:
    h5py = None

SIGNATURE = b"\x89HDF\r\n\x1a\n"


def write(work, name, value=2.5, title="run", names=("one", "two"), kind="<f8", **storage):
    """A file with what the format has: groups, datasets, links, attributes, odd types."""
    if h5py is None:
        raise Skipped("there is no h5py for this Python")
    with h5py.File(work / name, "w") as file:
        group = file.create_group("group")
        for dataset in names:
            group.create_dataset(dataset, data=numpy.arange(600, dtype=kind).reshape(20, 30), **storage)
        group["one"][4, 5] = value
        group["one"].attrs["units"] = "m"
        file.attrs["title"] = title
        file.create_dataset("texts", data=["a", "bc", "def"], dtype=h5py.string_dtype())
        file.create_dataset("reference", data=group.ref, dtype=h5py.ref_dtype)
        pairs = numpy.dtype([("small", "i1"), ("large", "f8")], align=True)
        file.create_dataset("pairs", data=numpy.array([(1, 2.5), (2, 3.5)], dtype=pairs))
        lists = numpy.empty(2, dtype=object)
        lists[:] = [numpy.array([1, 2]), numpy.array([3, 4, 5])]
        file.create_dataset("lists", data=lists, dtype=h5py.vlen_dtype("i4"))
        file.create_dataset("nothing", data=h5py.Empty("f4"))
        file["soft"] = h5py.SoftLink("/group/one")
        file["elsewhere"] = h5py.ExternalLink("/etc/passwd", "/x")
        file["same"] = group["one"]
        group["loop"] = file["/"]


def test_hdf5_stored_otherwise_has_the_same_content(work):
    write(work, "a")
    write(work, "b", names=("two", "one"), compression="gzip", chunks=(7, 11))
    found = result(work)
    check(found["object"]["format"] == "HDF5", f"compared as {found['object']['format']}")
    expect(found, "CONTENT-EQUAL", "/group/one: filters: none, deflate", cause="compression")
    expect(found, "CONTENT-EQUAL", "/group/one: layout: contiguous, chunks of [7, 11]")
    write(work, "b", names=("two", "one"))
    expect(result(work), "CONTENT-EQUAL", "a: the same objects")


def test_hdf5_values_attributes_and_types_are_payload(work):
    write(work, "a")
    write(work, "b", value=7.25)
    found = result(work)
    expect(found, "STRUCTURE-EQUAL", "a > /group/one: first value that differs: [125] 2.5, [125] 7.25")
    paths = {path for path, _ in findings(found)}
    check(paths == {"a > /group/one"}, f"{paths} differ")
    write(work, "b", title="walk")
    shown = expect(result(work), "STRUCTURE-EQUAL", "a > /@title: ", "1 of 1 lines")
    check("+walk" in shown["excerpt"], shown["excerpt"])
    write(work, "b", kind="<f4")
    expect(result(work), "DIFFERENT", "a > /group/two: type: float64, float32")
    write(work, "b", names=("one", "two", "three"))
    expect(result(work), "DIFFERENT", "a > /group/three: only in B")
    write(work, "b")
    with h5py.File(work / "b", "a") as file:
        file["lists"][1] = numpy.array([3, 4, 6])
        file["texts"][2] = "deg"
        del file["soft"]
        file["soft"] = h5py.SoftLink("/group/two")
    found = result(work)
    paths = {path for path, _ in findings(found)}
    check(paths == {"a > /lists", "a > /texts", "a > /soft"}, f"{paths} differ")


def test_hdf5_datasets_are_read_in_pieces(work):
    """One that is larger than what is held of it at a time, cut in the second dimension."""
    for name, last in (("a", 1), ("b", 2)):
        write(work, name)
        with h5py.File(work / name, "a") as file:
            large = numpy.zeros((1, 5000, 1000), dtype="f4")
            large[0, -1, -1] = last
            file["large"] = large
    found = result(work)
    expect(found, "STRUCTURE-EQUAL", "/large: first value that differs: [4999999] 1, [4999999] 2")
    expect(found, "STRUCTURE-EQUAL", "/large: ", " of 20000000 bytes differ")


def test_hdf5_files_that_others_name_are_not_opened(work):
    write(work, "a")
    (work / "secret").write_bytes(b"not for the report" + bytes(6))
    for name, file_name in (("a", "secret"), ("b", "nowhere!")):
        write(work, name)
        with h5py.File(work / name, "a") as file:
            file.create_dataset("outside", (3,), dtype="f8", external=[(str(work / file_name), 0, 24)])
    ended = run(work, "--full", "a", "b")
    check(ended.status == 1 and not ended.err, "not compared", ended)
    check(b"not for the report" not in ended.out, "a file that was not given is in the report", ended)
    expect(result(work), "STRUCTURE-EQUAL", "libhdf5 cannot read all of 1 objects")


def test_hdf5_that_is_damaged_is_bytes(work):
    make(work, a=SIGNATURE + bytes(100), b=SIGNATURE + bytes(99) + b"x")
    found = result(work)
    check(found["object"]["format"] == "bytes", f"compared as {found['object']['format']}")
    expect(found, "STRUCTURE-EQUAL", "not looked into: libhdf5 ")
    write(work, "a")
    whole = (work / "a").read_bytes()
    places = random.Random(6)
    for turn in range(25):
        changed = bytearray(whole)
        for at in places.sample(range(len(whole)), 20):
            changed[at] = places.randrange(256)
        (work / "b").write_bytes(changed)
        ended = run(work, "-q", "a", "b")
        check(ended.status == 1 and not ended.err, f"damage in turn {turn}", ended)
