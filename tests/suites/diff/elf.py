"""ELF files: what compilers, linkers and strip make of one source under other conditions."""

import random
import shutil
import struct
import subprocess

from common import LIMIT, Failed, Skipped, check, core, expect, findings, result, run

SOURCE = """
#include <stdio.h>
static int helper(int x) { return x * 3 + 1; }
int twice(int x) { return %(twice)s; }
%(more)s
int main(void)
{
	printf("%(said)s\\n");
	return helper(twice(%(constant)d));
}
"""
DEFAULTS = {"twice": "2 * x", "more": "", "said": "hello", "constant": 4}


def tool(work, *words):
    ended = subprocess.run([str(word) for word in words], cwd=work, capture_output=True, timeout=LIMIT, check=False)
    if ended.returncode:
        raise Failed(f"{words}: {ended.stderr.decode()}")


def build(work, name, *options, where=".", **changes):
    """A program, as NAME in the directory of the test, compiled in WHERE."""
    if not shutil.which("gcc"):
        raise Skipped("there is no gcc")
    place = work / where
    place.mkdir(exist_ok=True)
    (place / "program.c").write_text(SOURCE % {**DEFAULTS, **changes})
    tool(place, "gcc", "-O1", *options, "program.c", "-o", work / name)


def names(found):
    """The sections that differ."""
    return {child["name"] for child in found["object"].get("objects", [])}


@core
def test_elf_changed_function_is_named_and_shown(work):
    build(work, "a")
    build(work, "b", twice="2 * x + 7 * x * x")
    found = result(work)
    check(found["object"]["format"] == "ELF", f"compared as {found['object']['format']}")
    shown = expect(found, "DIFFERENT", " > .text: ", "functions that differ", "twice (")
    check("-lea eax, [rdi+rdi*1]" in shown["excerpt"] and "+imul" in shown["excerpt"], shown["excerpt"])
    expect(found, "DIFFERENT", "another size")
    expect(found, "DIFFERENT", "only in distances to what moved", "_start")


def test_elf_several_functions_are_shown_each_under_its_name(work):
    numbers = {"a": (1, 2, 3, 4, 5, 6), "b": (1, 7, 8, 9, 10, 11)}
    for name in "ab":
        more = "\n".join(f"int number{i}(void) {{ return {number}; }}" for i, number in enumerate(numbers[name]))
        build(work, name, "-O0", more=more)
    found = result(work)
    shown = expect(found, "STRUCTURE-EQUAL", " > .text: ", "functions that differ, 5 in all: number1 (")
    check(shown["excerpt"].startswith("number1:\n") and "+mov eax, 0x07" in shown["excerpt"], shown["excerpt"])
    shown = expect(found, "STRUCTURE-EQUAL", " > .text: function number4 differs")
    check(shown["excerpt"].startswith("number4:\n") and "+mov eax, 0x0A" in shown["excerpt"], shown["excerpt"])
    said = [finding["what"] for _, finding in findings(found)]
    check("function number5 differs" not in said, f"{said}")


@core
def test_elf_changed_constant_is_equal_in_structure(work):
    build(work, "a", "-O0")
    build(work, "b", "-O0", constant=9)
    found = result(work)
    shown = expect(found, "STRUCTURE-EQUAL", " > .text: ", "functions that differ, 1 in all: main (")
    lines = shown["excerpt"].splitlines()
    check("-mov edi, 0x04" in lines and "+mov edi, 0x09" in lines, shown["excerpt"])
    expect(found, "STRUCTURE-EQUAL", "build-id", cause="build id: follows from other differences")
    check(names(found) == {".text", ".note.gnu.build-id"}, f"{names(found)} differ")


@core
def test_elf_build_id_alone_leaves_the_content_equal(work):
    for name, number in (("a", "0x1234567812345678"), ("b", "0xabcdefabcdefabcd")):
        build(work, name, f"-Wl,--build-id={number}")
    found = result(work)
    shown = expect(found, "CONTENT-EQUAL", ".note.gnu.build-id", cause="build id: follows from other differences")
    check("+GNU build id: abcdefabcdefabcd" in shown["excerpt"], shown["excerpt"])


def test_elf_compilers_leave_the_content_equal(work):
    build(work, "a")
    (work / "comment").write_bytes(b"GCC: (Debian 99.2.0-14) 99.2.0\0")
    tool(work, "objcopy", "--update-section", ".comment=comment", "a", "b")
    expect(result(work), "CONTENT-EQUAL", " > .comment: ", cause="version")


def test_elf_debug_link_leaves_the_content_equal(work):
    build(work, "program")
    for name in "ab":
        (work / "program.debug").write_text(name)
        tool(work, "objcopy", "--add-gnu-debuglink=program.debug", "program", name)
    found = result(work)
    expect(found, "CONTENT-EQUAL", ".gnu_debuglink", "checksum", cause="checksum: follows from other differences")
    check(names(found) == {".gnu_debuglink"}, f"{names(found)} differ")


def test_elf_build_path_is_recognised_in_debug_info(work):
    for packing in ("none", "zlib"):
        for name in "ab":
            build(work, name, "-g", f"-gz={packing}", where=f"place-{name}")
        found = result(work)
        expect(found, "STRUCTURE-EQUAL", " > .debug_line_str: ", "1 of ", cause="build path")
        expect(found, "STRUCTURE-EQUAL", " > .debug_", "directory of units, 1 in all", cause="build path")


def test_elf_units_tell_their_directories_and_producers(work):
    for version in (2, 4, 5):
        for packing in ("none", "zlib"):
            options = ["-g", f"-gdwarf-{version}", f"-gz={packing}"]
            build(work, "a", *options, where="place-a")
            build(work, "b", *options, "-fno-inline", where="another-place-b")
            found = result(work)
            shown = expect(found, "DIFFERENT", " > .debug_info: ", "directory of units, 1 in all", "program.c", cause="build path")
            check("/place-a, /" in shown["what"] and shown["what"].endswith("/another-place-b"), shown["what"])
            shown = expect(found, "DIFFERENT", " > .debug_info: ", "producer of units, 1 in all")
            check("-fno-inline" in shown["what"].rpartition(", ")[2], shown["what"])


def test_elf_units_of_object_files_are_relocated(work):
    for compiler, version in (("gcc", 4), ("gcc", 5), ("clang", 5)):
        if not shutil.which(compiler):
            raise Skipped(f"there is no {compiler}")
        for name, more in (("a", "struct old { long size; } *one;"), ("b", "struct newer { long size, more; } *one;")):
            (work / "program.c").write_text(SOURCE % {**DEFAULTS, "more": more})
            tool(work, compiler, "-g", f"-gdwarf-{version}", "-c", "program.c", "-o", name)
        shown = expect(result(work), "DIFFERENT", " > .debug_info > program.c: ", "added")
        for line in ("-structure_type: name old, ", "+structure_type: name newer, ", "+member: name more, "):
            check(line in shown["excerpt"].replace("+ ", "+").replace("- ", "-").replace("+ ", "+"), shown["excerpt"])


def test_elf_entries_are_named_and_line_tables_read(work):
    build(work, "a", "-g")
    build(work, "b", "-g", more="int extra(long number) { return number; }")
    found = result(work)
    shown = expect(found, "DIFFERENT", " > .debug_info > program.c: ", "added")
    added = [line for line in shown["excerpt"].splitlines() if line.startswith("+") and " number" in line]
    check(added and "formal_parameter: name number, " in added[0] and "type long int" in added[0], shown["excerpt"])
    shown = expect(found, "DIFFERENT", " > .debug_line > program.c: ", "added")
    check("+ +0x4 file 1 line 5 column 24" in shown["excerpt"], shown["excerpt"])


def test_elf_units_that_only_moved_are_one_finding(work):
    for name in "ab":
        for number in range(3):
            (work / f"part{number}.c").write_text(f"int part{number}(int x) {{ return x + {number}; }}\n")
        (work / "main.c").write_text(f"int main(void) {{ return {'1' if name == 'a' else 'main() * main() + 2'}; }}\n")
        tool(work, "gcc", "-g", "main.c", *(f"part{number}.c" for number in range(3)), "-o", name)
    found = result(work)
    expect(found, "DIFFERENT", " > .debug_info: ", "units that differ only in addresses, or in places of other entries: 3")
    expect(found, "DIFFERENT", " > .debug_line: ", "tables that differ only in addresses: 3")
    expect(found, "DIFFERENT", " > .debug_info > main.c: ")
    check(not any("> part" in path for path, _ in findings(found)), f"{findings(found)}")


def test_elf_damaged_debug_info_is_bytes(work):
    """Units that cannot be read, or that refer to nothing, end in bytes and not in trouble."""
    build(work, "a", "-g", "-c")
    for section, content in ((".debug_abbrev", b"\xff" * 40), (".debug_info", b"\xff" * 60), (".debug_line", bytes(30)),
                             (".debug_info", b"\x08\0\0\0\x05\0\x01\x08\xff\xff\xff\xff")):
        (work / "content").write_bytes(content)
        tool(work, "objcopy", "--remove-relocations", section, "--update-section", f"{section}=content", "a", "b")
        found = result(work)
        check(section in names(found), f"{names(found)} differ, without {section}")


def test_elf_debug_info_is_compared_unpacked(work):
    build(work, "a", "-g", "-gz=none")
    tool(work, "objcopy", "--compress-debug-sections=zlib", "a", "b")
    found = result(work)
    expect(found, "CONTENT-EQUAL", " > .debug_info: ", "packed by: nothing, zlib", cause="compression")


@core
def test_elf_date_is_recognised(work):
    build(work, "a", said="built Nov 15 2026 10:11:12")
    build(work, "b", said="built Nov 16 2026 10:11:13")
    expect(result(work), "STRUCTURE-EQUAL", " > .rodata: ", "texts in it", cause="date or time")


def test_elf_symbols_are_compared_by_name(work):
    build(work, "a")
    build(work, "b", more="int extra(int x) { return x ^ 5; }")
    shown = expect(result(work), "DIFFERENT", " > .symtab: ", "only in A: 0, only in B: 1")
    check("+function extra, " in shown["excerpt"], shown["excerpt"])
    expect(result(work), "DIFFERENT", " > .text: ", "functions only in B, 1 in all: extra (")
    expect(result(work), "DIFFERENT", " > .symtab: ", "only moved to other addresses")


def test_elf_random_parts_of_names_are_recognised(work):
    for name, suffix in (("a", "x8f3Kq1z"), ("b", "Q7d0wMa2")):
        build(work, name, more=f"int module_{suffix}(void) {{ return 1; }}")
    shown = expect(result(work), "DIFFERENT", ".symtab", "random", cause="random number, address or name")
    check("-function module_x8f3Kq1z" in shown["excerpt"], shown["excerpt"])


@core
def test_elf_stripped_program_is_told_as_such(work):
    build(work, "a")
    tool(work, "strip", "-o", "b", "a")
    found = result(work)
    expect(found, "DIFFERENT", "B is stripped, A is not")
    expect(found, "DIFFERENT", " > .symtab: only in A")
    check(names(found) == {".symtab", ".strtab", ".shstrtab"}, f"{names(found)} differ")


def test_elf_objects_show_relocations(work):
    build(work, "a", "-c")
    build(work, "b", "-c", more="extern int other(int); int more(int x) { return other(x) + 1; }")
    shown = expect(result(work), "DIFFERENT", " > .rela.text: ", "added")
    check("PLT32 other + 0x" in shown["excerpt"], shown["excerpt"])


def test_elf_needed_libraries_are_named(work):
    build(work, "a", "-Wl,--no-as-needed")
    build(work, "b", "-Wl,--no-as-needed", "-lm")
    shown = expect(result(work), "DIFFERENT", " > .dynamic: ", "lines")
    check("+NEEDED libm.so.6" in shown["excerpt"], shown["excerpt"])


def swapped(wide, big):
    """An object with one section, made here, of any class and byte order."""
    def file(text):
        order = ">" if big else "<"
        word = "Q" if wide else "I"
        size, header = (64, 64) if wide else (52, 40)
        strings = b"\0.shstrtab\0.data\0"
        data = [b"", strings, text]
        at, rows, body = size, b"", b""
        for number, (name, kind) in enumerate(((0, 0), (1, 3), (11, 1))):
            rows += struct.pack(f"{order}II4{word}II2{word}", name, kind, 0, 0, at, len(data[number]), 0, 0, 1, 0)
            at += len(data[number])
            body += data[number]
        ident = b"\x7fELF" + bytes([2 if wide else 1, 2 if big else 1, 1]) + bytes(9)
        return ident + struct.pack(f"{order}HHI3{word}I6H", 1, 20, 1, 0, 0, at, 0, size, 0, 0, header, 3, 1) + body + rows
    return file


def test_elf_classes_and_byte_orders_are_read(work):
    for wide in (False, True):
        for big in (False, True):
            file = swapped(wide, big)
            (work / "a").write_bytes(file(b"\1 built 2026-11-15 here \2"))
            (work / "b").write_bytes(file(b"\1 built 2026-11-16 here \2"))
            found = result(work)
            check(names(found) == {".data"}, f"{names(found)} differ")
            expect(found, "STRUCTURE-EQUAL", " > .data: ", cause="date or time")
    (work / "a").write_bytes(swapped(False, True)(b"\1same\2"))
    (work / "b").write_bytes(swapped(True, False)(b"\1same\2"))
    expect(result(work), "DIFFERENT", "byte order: big-endian, little-endian")


def test_elf_bytes_behind_the_sections_are_compared(work):
    file = swapped(True, False)(b"\1same\2")
    (work / "a").write_bytes(file + b"one\1")
    (work / "b").write_bytes(file + b"two\1")
    expect(result(work), "STRUCTURE-EQUAL", "outside of sections")
    (work / "a").write_bytes(file)
    (work / "b").write_bytes(file + bytes(8))
    expect(result(work), "CONTENT-EQUAL", "padding")


@core
def test_elf_damaged_files_are_bytes(work):
    whole = swapped(True, False)(b"\1same\2")
    (work / "a").write_bytes(whole)
    (work / "b").write_bytes(whole[:-1])
    check(result(work)["object"]["format"] == "bytes", "a file that is cut off is still ELF")
    changed = bytearray(whole)
    changed[40:48] = b"\xff" * 8
    (work / "b").write_bytes(changed)
    check(result(work)["object"]["format"] == "bytes", "a table that is nowhere is still one")


def test_elf_bytes_that_differ_are_never_bitwise_equal(work):
    build(work, "a", "-g", "-c")
    whole = (work / "a").read_bytes()
    for at in random.Random(4).sample(range(len(whole)), 60):
        changed = bytearray(whole)
        changed[at] ^= 0xff
        (work / "b").write_bytes(changed)
        ended = run(work, "-q", "a", "b")
        check(ended.status == 1 and not ended.err, f"a difference at {at} was not seen", ended)


def library(work, name, options, *members):
    (work / name).unlink(missing_ok=True)
    tool(work, "ar", options, name, *members)


def test_elf_libraries_with_other_times_are_equal_in_content(work):
    build(work, "one.o", "-c")
    library(work, "a", "rcsD", "one.o")
    library(work, "b", "rcsU", "one.o")
    expect(result(work), "CONTENT-EQUAL", " > one.o: ", "time", cause="date or time")


def test_elf_libraries_name_member_section_and_function(work):
    for name, constant in (("a", 1), ("b", 2)):
        build(work, "one.o", "-c", "-O0", constant=constant)
        library(work, name, "rcsD", "one.o")
    expect(result(work), "STRUCTURE-EQUAL", "a > one.o > .text: ", "main (")


def test_elf_indexes_of_libraries_are_readable(work):
    build(work, "one.o", "-c")
    build(work, "two.o", "-c", more="int extra(int x) { return x; }")
    library(work, "a", "rcsD", "one.o")
    library(work, "b", "rcsD", "two.o")
    shown = expect(result(work), "DIFFERENT", "a > /: ", "lines")
    check("+extra in member 1" in shown["excerpt"], shown["excerpt"])
    for name, size in (("a", 2), ("b", 4)):
        (work / "0.txt").write_text("x" * size)
        library(work, name, "rcsD", "0.txt", "one.o")
    expect(result(work), "STRUCTURE-EQUAL", "a > /: ", "the same symbols of the same members")
