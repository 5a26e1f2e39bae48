"""Index of characters: rows as a page and as a table, whatever their names are."""

from __future__ import annotations

import csv
import io

from jointlimits_core.batch.library import COLUMNS, FORMAT, TABLE
from jointlimits_core.io.csv import csv_text
from jointlimits_core.report.html.library_page import MAX_ROWS, LibraryRow, library_page
from tests.support.page_streams import Page, content_of, pieces, words_of

BONES = "M10.0 10.0L20.0 20.0"
ANNA = LibraryRow("anna", "ok", 3, 21, 2, 4, "anna.limits.html", "anna.limits.json", "", BONES)
BOB = LibraryRow("bob", "ok", 1, 20, 0, 0, "", "bob.limits.json", "")
LOST = LibraryRow("lost", "failed", None, None, 0, 0, "", "", "lost.bvh: cut short")


def page(*rows):
    return library_page(rows, "2 ok, 1 failed, 0 missing.", FORMAT, TABLE)


def row(text):
    (found,) = content_of(text)[1]["in"][0]["rows"]
    return found


def test_a_row_has_a_picture_numbers_and_a_link_to_the_page():
    found = row(page(ANNA))
    (link,), (picture,) = pieces(found, "a"), pieces(found, "bones")
    assert link == {"is": "a", "in": "anna", "href": "./anna.limits.html"}
    assert picture["d"] == BONES
    assert [words_of(cell) for cell in found["cells"][1:]] == ["anna", "ok", "2", "3", "21"]
    assert found["data-kinds"] == "look"
    assert Page(page(ANNA)).rows[1] == ["anna", "ok", "2", "3", "21", ""]


def test_without_a_page_the_link_is_to_the_limit_set():
    found = row(page(BOB))
    assert pieces(found, "a")[0]["href"] == "./bob.limits.json"
    assert not pieces(found, "bones")


def test_a_character_without_limits_says_why():
    found = row(page(LOST))
    assert words_of(found["cells"][1]) == "lost lost.bvh: cut short"
    assert found["cells"][2] == "failed"
    assert not pieces(found, "a")
    assert found["data-kinds"] == "failed"


def test_the_filter_has_what_the_counts_have():
    lost = [LOST._replace(character=name, status=name) for name in ("skipped", "failed")]
    (listed,) = pieces(content_of(page(ANNA, *lost))[1], "table")
    assert [kind for kind, _ in listed["find"]["kinds"]] == ["", "look", "failed", "skipped"]


def test_names_are_text_and_cannot_lead_elsewhere():
    evil = '<script>alert("x")</script>'
    text = page(BOB._replace(character=evil, limits="javascript:alert(1)", bones='"><b>'))
    assert evil not in text
    assert "<b>" not in text
    assert pieces(row(text), "a")[0]["href"] == "./javascript%3Aalert%281%29"


def test_a_long_library_says_where_the_rest_is():
    text = page(*[BOB] * (MAX_ROWS + 20))
    assert text.count("bob.limits.json") == MAX_ROWS
    assert "20 more in library.csv." in text
    assert "more in" not in page(ANNA, BOB, LOST)


def test_the_table_has_a_row_for_each():
    text = csv_text(COLUMNS, [row[:-1] for row in (ANNA, BOB, LOST._replace(character="=1+1"))])
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [row["character"] for row in rows] == ["anna", "bob", "'=1+1"]
    assert [row["to_look_at"] for row in rows] == ["2", "0", "0"]
    assert [row["suggestions"] for row in rows] == ["4", "0", "0"]
    assert rows[2]["clips"] == ""
    assert rows[2]["message"] == "lost.bvh: cut short"
