"""The table of Maya calls in docs/maya.md beside the code that makes them."""

from __future__ import annotations

import re

import pytest

from tests.support.house_files import ROOT

CODE = re.compile(r"`([^`]+)`")
NEGATED = re.compile(r"never `[^`]+`")
AXIS = re.compile(r"X(?=Limit|$)")
ROOTS = ("scripts/jointlimits_maya", "")
PROMISED = (
    *("estimateJointLimits", "minRotXLimit", "maxRotXLimitEnable", "jointTypeX", "jointOrient"),
    *("preferredAngleX", "MDGContextGuard", "MDGContext", "setIgnoreReferenceEdits", "undoInfo"),
    *("shelfLayout", "maya.standalone.initialize", "matrixNodes", "keyframe"),
)


def rows():
    """Purpose, calls, and files of every row."""
    page = (ROOT / "docs" / "maya.md").read_text(encoding="utf-8")
    section = page.partition("## Maya calls in the code")[2].partition("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("| ")]
    cells = [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines]
    assert cells[0] == ["purpose", "Maya call", "where in the code"]
    return [(asked, calls(what, asked), CODE.findall(where)) for asked, what, where in cells[1:]]


def calls(what, asked):
    """Names of code in a cell, arguments left out."""
    spans = CODE.findall(asked) + CODE.findall(NEGATED.sub("", what))
    return [span.partition("(")[0] for span in spans]


def text_of(name):
    found = [ROOT / folder / name for folder in ROOTS if (ROOT / folder / name).is_file()]
    assert found, f"docs/maya.md names {name}, which is not there"
    return found[0].read_text(encoding="utf-8")


def is_made(call, text):
    """Whether code names a call: a command by `cmds.`, a method or attribute by its last word."""
    if call.startswith(("cmds.", "maya.")):
        names = (call, f'"{call.rpartition(".")[2]}"')
    else:
        last = call.rpartition(".")[2]
        names = (last, AXIS.sub("{}", last))
    return any(re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) for name in names)


@pytest.mark.parametrize("row", rows(), ids=lambda row: row[1][0] if row[1] else row[0])
def test_every_call_is_in_a_file_that_the_row_names(row):
    asked, made, files = row
    texts = [text_of(name) for name in files]
    assert made, asked
    assert texts, asked
    missing = [call for call in made if not any(is_made(call, text) for text in texts)]
    assert not missing, f"{missing} not in {files}"
    idle = [name for name, text in zip(files, texts) if not any(is_made(c, text) for c in made)]
    assert not idle, f"{idle} make none of {made}"


def test_the_table_has_what_was_promised():
    listed = " ".join(call for _, made, _ in rows() for call in made)
    assert not [name for name in PROMISED if name not in listed]
    assert len(rows()) >= 20


def test_a_wrong_name_is_seen():
    text = text_of("read/evaluation.py")
    assert is_made("MDGContextGuard", text)
    assert not is_made("MDGContextGuards", text)
    assert not is_made("cmds.bakeResults", text)
