"""The page of --html: what it says, that it is whole, safe and always the same, and how it looks."""

import gzip
import html.parser
import io
import os
import re
import shutil
import signal
import struct
import subprocess
import tarfile
import zlib

from common import LIMIT, Failed, Skipped, check, core, full, make, result, run

VOID = {"meta", "input", "br", "hr", "img", "link"}
HOSTILE = "<script>alert(1)<\\script>&\"' x=\u202e\x1b[31m"


class Page(html.parser.HTMLParser):
    """A page whose elements are well nested; as a list of objects, and of all elements with their attributes."""

    def __init__(self, path):
        super().__init__(convert_charrefs=True)
        self.bytes = path.read_bytes()
        self.source = self.bytes.decode("utf-8")
        self.open, self.elements, self.objects, self.way, self.all_text = [], [], [], [], []
        self.feed(self.source)
        self.close()
        check(not self.open, f"these are not closed: {self.open}")

    def handle_starttag(self, tag, attrs):
        attributes = dict(attrs)
        check(len(attributes) == len(attrs), f"<{tag}> has an attribute twice")
        self.elements.append((tag, attributes))
        if tag not in VOID:
            self.open.append((tag, attributes.get("class", "")))
        if attributes.get("class") == "object":
            self.objects.append({"level": attributes["data-level"], "own": "", "depth": len(self.way)})
            self.way.append(self.objects[-1])

    def handle_endtag(self, tag):
        check(self.open and self.open[-1][0] == tag, f"</{tag}> ends {self.open[-1:]}")
        if self.open.pop() == ("details", "object"):
            self.way.pop()

    def handle_data(self, data):
        if self.open and self.open[-1][0] in ("style", "script"):
            return
        self.all_text.append(data)
        if not self.way:
            return
        self.way[-1]["own"] += data
        if self.open[-1][1] == "name":
            self.way[-1]["name"] = data

    @property
    def text(self):
        return "".join(self.all_text)

    def object(self, name):
        for found in self.objects:
            if found["name"] == name:
                return found
        raise Failed(f"there is no object {name}, but {[found['name'] for found in self.objects]}")


def page(work, *options, a="a", b="b"):
    ended = run(work, "--html", "page.html", *options, a, b)
    check(ended.status in (0, 1) and not ended.err, "there is no page", ended)
    return Page(work / "page.html")


def make_package(path, content, time):
    """A text in a tar in a gzip."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as tar:
        member = tarfile.TarInfo("usr/bin/x")
        member.size = len(content)
        tar.addfile(member, io.BytesIO(content.encode()))
    path.write_bytes(gzip.compress(packed.getvalue(), mtime=time))


def make_trees(work):
    """Two directories with an object of each level, in a nest too."""
    for side in ("a", "b"):
        (work / side).mkdir()
        one = side == "a"
        make(work / side, same="same\n", text=f"Built Jan  {1 if one else 2} 2024 10:00:00\n",
             encoded="Grüße\n" if one else "\ufeffGrüße\n", longer="one\n" if one else "one\ntwo\n")
        make_package(work / side / "package.tar.gz", f"echo {side}\n", 1 if one else 2)


@core
def test_a_page_has_the_verdict_and_what_the_text_says(work):
    make_trees(work)
    said, found = page(work), result(work)
    for level, count in found["counts"].items():
        check(level == "ignored" or f"{level}{count}" in said.text, f"the count of {level} is missing")
    check(re.search(r"a and b\s+DIFFERENT 7 objects compared", said.text), f"no verdict: {said.text[:300]}")
    for name, level, words in (("text", "structure", ["1 of 1 lines differ", "likely cause: date or time"]),
                               ("encoded", "content", ["byte order mark"]), ("longer", "different", ["1 added"]),
                               ("usr/bin/x", "structure", ["package.tar.gz > usr/bin/x", "-echo a\n+echo b\n"])):
        shown = said.object(name)
        check(shown["level"] == level, f"{name}: {shown}")
        for word in [*words, {"different": "DIFFERENT"}.get(level, f"{level.upper()}-EQUAL")]:
            check(word in shown["own"], f"{name} does not say {word}: {shown}")
    check(said.object("usr/bin/x")["depth"] == 1 and len(said.objects) == 5, str(said.objects))


@core
def test_a_page_needs_nothing_else(work):
    make_trees(work)
    said = page(work)
    for tag, attributes in said.elements:
        check(tag not in ("link", "img", "iframe", "object", "embed", "base", "a"), f"there is a <{tag}>")
        for name in ("src", "href", "action", "srcset", "style", "data", "formaction"):
            check(name not in attributes, f"<{tag}> has {name}")
        check(not any(name.startswith("on") for name in attributes), f"<{tag}> has a handler: {attributes}")
    for word in ("://", "url(", "@import", "fetch(", "XMLHttpRequest", "innerHTML", "eval("):
        check(word not in said.source, f"the page has {word}")
    check("default-src 'none'" in said.source, "the page may load something")


@core
def test_a_page_takes_nothing_for_markup(work):
    for side in ("a", "b"):
        (work / side).mkdir()
        (work / side / HOSTILE).write_text(f"<b onclick='x'>{side}</b>&amp;</pre><script>alert(2)</script>\n" * 20)
        with open(os.fsencode(work / side) + b"/bad\xff\xfe\n<b>", "wb") as file:
            file.write(b"\xff\xfe\xfd" + side.encode() + b"\n")
    said = page(work)
    check(sum(tag == "script" for tag, _ in said.elements) == 1, "there is a second script")
    check(not any(tag == "b" for tag, _ in said.elements), "text of a file became an element")
    check(not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e]", said.source), "there are control characters")
    shown = said.object("<script>alert(1)<\\script>&\"' x=\\342\\200\\256\\033[31m")
    check("-<b onclick='x'>a</b>&amp;</pre><script>alert(2)</script>\n" in shown["own"], str(shown))
    said.object("bad\\377\\376\\012<b>")


@core
def test_names_of_both_sides_are_escaped(work):
    make(work, **{"<i>": "x", "b": "y"})
    said = page(work, a="<i>")
    check("<i>" not in said.source and "&lt;i&gt; and b</h1>" in said.source, said.source[:400])


@core
def test_a_page_is_always_the_same(work):
    make_trees(work)
    check(len({page(work).bytes for _ in range(3)}) == 1, "it differs")


def test_the_page_of_equal_things_says_so(work):
    make(work, a="x", b="x")
    said = page(work)
    check("Nothing differs." in said.text and "BITWISE-EQUAL 1 object compared" in said.text and not said.objects,
          said.text)


def test_what_is_ignored_is_only_counted(work):
    make_trees(work)
    said = page(work, "--ignore", "text")
    check(re.search(r"ignored1", said.text) and all(shown["name"] != "text" for shown in said.objects), said.text)


def test_a_page_folds_what_the_report_folds(work):
    for side in ("a", "b"):
        (work / side).mkdir()
        for i in range(1100):
            (work / side / f"{i:04}").write_text(side)
        (work / side / "0000").write_text("".join(f"{side} {i}\n" for i in range(100)))
    said = page(work)
    check(len(said.objects) == 1000 and "... 100 more objects; --full shows all" in said.text,
          f"{len(said.objects)} objects")
    lines = sum(tag in ("del", "ins") for tag, _ in said.elements)
    said = page(work, "--full")
    check(len(said.objects) == 1100 and "more objects" not in said.text, f"{len(said.objects)} objects")
    all_lines = sum(tag in ("del", "ins") for tag, _ in said.elements)
    check(lines < 2100 and all_lines >= 2398, f"{lines} lines, {all_lines} with --full")


@core
def test_a_page_that_cannot_be_written_is_trouble(work):
    make(work, a="x", b="y")
    for name, why in (("/nowhere/page", "No such file"), (".", "Is a directory"), ("/dev/full", "No space left"),
                      ("", "must be a file")):
        ended = run(work, "--html", name, "a", "b")
        lines = ended.err.decode().splitlines()
        check(ended.status == 125 and len(lines) == 1 and why in lines[0] and not ended.out, f"--html {name}", ended)
    ended = run(work, "--html", "-", "--json", "-", "a", "b")
    check(ended.status == 125 and b"only one can be standard output" in ended.err, "both go to one place", ended)


@core
def test_a_page_gets_its_name_when_it_is_complete(work):
    make(work, a="x", b="y", page="old")
    ended = run(work, "--html", "page", "a", "missing")
    check(ended.status == 125 and (work / "page").read_text() == "old", "a failed comparison took the old page", ended)
    check(run(work, "--html", "page", "a", "b").status == 1, "it is not written")
    check((work / "page").read_bytes().startswith(b"<!DOCTYPE html>"), "the old page is still there")
    check(sorted(os.listdir(work)) == ["a", "b", "page"], f"something is left: {os.listdir(work)}")


def test_a_page_on_standard_output_is_all_of_it(work):
    make(work, a="x", b="y")
    ended = run(work, "--html", "-", "--text", "a", "b")
    check(ended.status == 1 and ended.out == page(work).bytes, "it is not the page", ended)
    ended = run(work, "--html", "page.html", "--text", "a", "b")
    check(b"a and b: STRUCTURE-EQUAL" in ended.out, "--text is not heard", ended)


def chromium(work, *words):
    """A real browser, without anything that could reach beyond the page."""
    program = shutil.which("chromium")
    if not program:
        raise Skipped("chromium is not installed")
    command = [program, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
               f"--user-data-dir={work}/profile", *words, f"file://{work}/page.html"]
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               start_new_session=True, env={**os.environ, "HOME": str(work)})
    try:
        out, err = process.communicate(timeout=LIMIT)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        raise Failed("the browser does not end") from None
    check(process.returncode == 0, f"the browser ended with {process.returncode}: {err.decode()}")
    return out.decode()


def pixels(path):
    """Width, height and rows of a PNG of 8 bits for each of three or four colours."""
    data, at, packed = path.read_bytes(), 8, b""
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at:at + 8])
        if kind == b"IHDR":
            width, height, bits, color = struct.unpack(">IIBB", data[at + 8:at + 18])
        if kind == b"IDAT":
            packed += data[at + 8:at + 8 + size]
        at += size + 12
    check(bits == 8 and color in (2, 6), "another kind of PNG")
    step = 3 if color == 2 else 4
    return width, height, list(_unfiltered(zlib.decompress(packed), width * step, step)), step


def _unfiltered(raw, length, step):
    above = bytearray(length)
    for start in range(0, len(raw), length + 1):
        kind, row = raw[start], bytearray(raw[start + 1:start + 1 + length])
        for i in range(length):
            left, up = row[i - step] if i >= step else 0, above[i]
            corner = above[i - step] if i >= step else 0
            paeth = min((abs(up - corner), 0, left), (abs(left - corner), 1, up),
                        (abs(left + up - 2 * corner), 2, corner))[2]
            row[i] = (row[i] + (0, left, up, (left + up) // 2, paeth)[kind]) & 255
        yield row
        above = row


def colors(path):
    """How often a picture has each colour."""
    width, height, rows, step = pixels(path)
    counts = {}
    for row in rows:
        for i in range(0, len(row), step):
            color = tuple(row[i:i + 3])
            counts[color] = counts.get(color, 0) + 1
    return width, height, counts


@full
def test_a_browser_shows_the_page_at_any_width_and_in_the_dark(work):
    make_trees(work)
    page(work)
    for width, words, ground in ((1200, [], (251, 251, 252)), (500, [], (251, 251, 252)),
                                 (1200, ["--blink-settings=preferredColorScheme=0"], (15, 19, 24))):
        chromium(work, f"--screenshot={work}/picture.png", f"--window-size={width},900", *words)
        shown, _, counts = colors(work / "picture.png")
        check(shown == width, f"the picture has a width of {shown}")
        for what, color in (("ground", ground), ("removed lines", (61, 26, 30) if words else (255, 235, 233)),
                            ("added lines", (18, 51, 31) if words else (227, 248, 232))):
            check(counts.get(color, 0) > 1000, f"at {width} {words} there is no colour of the {what}")


def filtered(work, script):
    """Names of the objects that a browser shows after the script, and what the page says of their number."""
    document = work / "page.html"
    plain = document.read_text()
    document.write_text(plain.replace("</body>", f"<script>{script}</script></body>"))
    source = chromium(work, "--dump-dom")
    document.write_text(plain)
    shown = re.findall(r'<details class="object[^"]*"([^>]*)>\s*<summary><span class="name">([^<]*)', source)
    names = [name for attributes, name in shown if "hidden" not in attributes]
    return names, re.search("<output>(.*?)</output>", source)[1], source


@full
def test_filters_show_what_they_are_asked_for(work):
    make_trees(work)
    page(work)
    tools = "const t = document.getElementById('tools'), s = t.querySelector('[type=search]');"
    change = "t.dispatchEvent(new Event('input'));"
    names, said, _ = filtered(work, "")
    check(names == ["encoded", "longer", "package.tar.gz", "usr/bin/x", "text"] and said == "5 of 5 shown",
          f"{names} {said}")
    for value, wanted in (("echo B", ["package.tar.gz", "usr/bin/x"]), ("date or time", ["text"]), ("nowhere", [])):
        names, said, _ = filtered(work, f"{tools} s.value = '{value}'; {change}")
        check(names == wanted, f"{value}: {names} {said}")
    names, said, _ = filtered(work, f"{tools} for (const b of t.querySelectorAll('[type=checkbox]')) "
                                    f"b.checked = b.value === 'content'; {change}")
    check(names == ["encoded"] and said == "1 of 5 shown", f"of equal content: {names} {said}")
    _, _, source = filtered(work, "document.getElementById('fold').click()")
    check(not re.search(r"<details[^>]* open", source), "something is still open")
    _, _, source = filtered(work, "document.getElementById('fold').click(); document.getElementById('unfold').click()")
    check(len(re.findall(r"<details[^>]* open", source)) == 5, "something is still folded")
