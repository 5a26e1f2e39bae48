"""Names of joints, clips, characters and files that would act on a terminal or in a page."""

from __future__ import annotations

import html.parser
import json
import re

import pytest

from jointlimits_core.base.text import printable
from jointlimits_core.batch.motion_files import main as batch
from jointlimits_core.cli.main import main
from tests.support.batch_manifests import bvh_text, write_manifest

KNEE = "\x1b[2Jk<script>alert(1)</script>&\u202e\"'`$(id)$x\x07"
CLIP = "w<img src=x onerror=alert(2)>"
BAD = re.compile(r"<(script>alert|img src=x)")


@pytest.fixture
def clip(tmp_path):
    """A motion whose joint and whose file have names that nobody should have."""
    path = tmp_path / f"{CLIP}.bvh"
    path.write_text(bvh_text(80, 200).replace("knee", KNEE), encoding="utf-8")
    return path


@pytest.fixture
def limits(tmp_path, clip):
    assert main(["estimate", str(clip), "--character", KNEE, "--out", str(tmp_path / "o")]) == 0
    (path,) = (tmp_path / "o").glob("*.limits.json")
    return path


class Page(html.parser.HTMLParser):
    """Finds what a page would run: scripts and handlers that came from names."""

    def __init__(self, text):
        super().__init__()
        self.wrong = []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        names = [name for name, _ in attributes]
        self.wrong += [(tag, name) for name in names if name.startswith("on")]
        if tag == "img" and ("src", "x") in attributes:
            self.wrong.append((tag, attributes))


def is_safe(text):
    """Lines that are printable, whatever the names were."""
    return all(printable(line) == line for line in text.split("\n"))


def runs(capfd, *arguments, code=0):
    capfd.readouterr()
    assert main([str(word) for word in arguments]) == code
    captured = capfd.readouterr()
    assert is_safe(captured.out), captured.out
    assert is_safe(captured.err.replace("\r", "\n").replace("\x1b[K", "")), captured.err
    return captured.out


def check_page(path):
    text = path.read_text(encoding="utf-8")
    assert "k&lt;script&gt;" in text
    assert not BAD.search(text)
    assert not Page(text).wrong
    assert is_safe(text)


def test_tables_and_texts_are_only_text(tmp_path, clip, limits, capfd):
    table = runs(capfd, "show", limits)
    assert r"\x1b[2Jk<script>" in table
    runs(capfd, "estimate", clip, "--out", tmp_path / "p")
    runs(capfd, "check", limits, clip)
    runs(capfd, "diff", limits, limits)
    runs(capfd, "merge", limits, limits, "--out", tmp_path / "m.limits.json")
    capfd.readouterr()


@pytest.mark.thorough
def test_pages_have_no_markup_of_names(tmp_path, clip, limits, capfd):
    runs(capfd, "estimate", clip, "--character", KNEE, "--report", "--out", tmp_path / "p")
    (page,) = (tmp_path / "p").glob("*.html")
    check_page(page)
    tight = json.loads(limits.read_text())
    for joint in tight["joints"].values():
        for axis in joint["limits"].values():
            if axis["state"] == "limited":
                axis["max_deg"] = axis["min_deg"] + 1.0
    limits.write_text(json.dumps(tight))
    runs(capfd, "check", limits, clip, "--report", tmp_path / "check.html", code=1)
    check_page(tmp_path / "check.html")


@pytest.mark.parametrize("kind", ["mjcf", "python", "csv", "rom"])
def test_exports_hold_names_as_names(tmp_path, clip, limits, capfd, kind):
    endings = {"mjcf": "xml", "python": "py", "csv": "csv", "rom": "bvh"}
    out = tmp_path / f"made.{endings[kind]}"
    runs(capfd, "export", limits, "--motion", clip, "--to", kind, "--out", out)
    text = out.read_text(encoding="utf-8")
    assert "\x1b" not in text
    assert "\u202e" not in text
    if kind == "python":
        compile(text, str(out), "exec")


@pytest.mark.thorough
def test_a_library_page_has_no_markup_of_names(tmp_path, clip, capfd):
    entries = [{"name": f"<script>alert({n})</script>", "clips": [clip.name]} for n in range(2)]
    manifest = write_manifest(tmp_path, entries)
    out = tmp_path / "out"
    code = batch(["--manifest", str(manifest), "--out", str(out)])
    captured = capfd.readouterr()
    assert code == 0, captured.err
    assert is_safe(captured.out + captured.err)
    text = (out / "library.html").read_text(encoding="utf-8")
    assert not BAD.search(text)
    assert not Page(text).wrong
    assert all(path.parent == out for path in out.glob("*.limits.json"))


@pytest.mark.parametrize(
    "arguments",
    [
        ["estimate", "\x1b[2Jno.bvh"],
        ["show", "\x1b[2Jno.json"],
        ["export", "\x1b[2Jno.json", "--to", "csv", "--out", "x.csv"],
        ["\x1b[2J"],
        ["manifest", "\x1b[2Jno"],
        ["batch", "--manifest", "\x1b[2Jno", "--out", "o"],
    ],
)
def test_names_on_the_command_line_are_shown_as_text(arguments, capfd):
    assert main(arguments) in (1, 2)
    assert "\x1b" not in capfd.readouterr().err
