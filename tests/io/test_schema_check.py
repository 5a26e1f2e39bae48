"""Our own schema check: messages that name the place, and agreement with a full implementation."""

from __future__ import annotations

import copy
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jointlimits_core.io.json import problems
from jointlimits_core.limits.document import limit_set_schema
from tests.support.limit_set_examples import limit_set

SCHEMA = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "A shelf",
    "type": "object",
    "required": ["version", "books"],
    "additionalProperties": False,
    "properties": {
        "version": {"const": 1},
        "books": {"type": "array", "items": {"$ref": "#/$defs/book"}, "minItems": 1, "maxItems": 3},
        "rooms": {"type": "object", "additionalProperties": {"type": ["string", "null"]}},
        "anything": {"type": "object"},
    },
    "$defs": {
        "book": {
            "type": "object",
            "required": ["title"],
            "properties": {
                "title": {"type": "string"},
                "pages": {"type": "integer", "minimum": 1, "maximum": 9000},
                "weight": {"type": "number"},
                "cover": {"enum": ["soft", "hard", None]},
                "read": {"type": "boolean"},
            },
        }
    },
}


def shelf(**changes):
    return {"version": 1, "books": [{"title": "Joints", "pages": 90}], **changes}


def book(**fields):
    return shelf(books=[{"title": "", **fields}])


@pytest.mark.parametrize(
    "data",
    [
        shelf(),
        shelf(rooms={"a": "x", "b": None}, anything={"x": [1, {}]}),
        book(weight=1, cover=None, read=True, other=3),
        shelf(books=[{"title": "", "weight": 1.5, "cover": "soft"}] * 3),
    ],
)
def test_fine(data):
    assert list(problems(data, SCHEMA)) == []


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ([], "document: expected object, found an array"),
        (3, "document: expected object, found 3"),
        ({"books": [{"title": ""}]}, "document: 'version' is missing"),
        (shelf(version=2), "version: expected 1, found 2"),
        (shelf(version=True), "version: expected 1, found True"),
        (shelf(version="1"), "version: expected 1, found '1'"),
        (shelf(colour=1), "colour: unknown field"),
        (shelf(books=[]), "books: expected 1 to 3 items, found 0"),
        (shelf(books={}), "books: expected array, found an object"),
        (shelf(books=[{"title": ""}, {}]), "books[1]: 'title' is missing"),
        (book(title=3), "books[0].title: expected string, found 3"),
        (book(pages=0), "books[0].pages: must be at least 1, not 0"),
        (book(pages=9001), "books[0].pages: must be at most 9000, not 9001"),
        (book(pages=1.5), "books[0].pages: expected integer, found 1.5"),
        (book(pages=True), "books[0].pages: expected integer, found True"),
        (book(weight=False), "books[0].weight: expected number, found False"),
        (book(read=1), "books[0].read: expected boolean, found 1"),
        (book(cover="torn"), "books[0].cover: must be one of soft, hard, None, not 'torn'"),
        (shelf(rooms={"a.b": 3}), "rooms.a.b: expected string or null, found 3"),
        (shelf(version="x" * 500), "version: expected 1, found '" + "x" * 36 + "..."),
    ],
)
def test_wrong(data, message):
    assert list(problems(data, SCHEMA)) == [message]


def test_all_problems_in_the_order_of_the_document():
    data = {"books": [{"title": 1, "pages": 0}], "rooms": {"a": 1}, "more": 1}
    found = [line.split(":")[0] for line in problems(data, SCHEMA)]
    assert found == ["document", "books[0].title", "books[0].pages", "rooms.a", "more"]


@pytest.mark.parametrize("word", ["pattern", "oneOf", "multipleOf", "if"])
def test_a_schema_is_never_checked_only_in_part(word):
    schema = copy.deepcopy(SCHEMA)
    schema["$defs"]["book"]["properties"]["title"][word] = 1
    with pytest.raises(ValueError, match=word):
        list(problems(shelf(), schema))


@pytest.mark.thorough
def test_a_value_nested_without_end_is_not_shown():
    deep: list = []
    for _ in range(100_000):
        deep = [deep]
    assert list(problems(shelf(version=deep), SCHEMA)) == ["version: expected 1, found an array"]
    found = list(problems(shelf(books=[{"title": deep}]), SCHEMA))
    assert found == ["books[0].title: expected string, found an array"]
    while deep:  # so that it is not taken apart by recursion
        deep = deep.pop()


def places(data, at=()):
    """Path of every value in the document."""
    yield at
    if isinstance(data, (dict, list)):
        for key, value in data.items() if isinstance(data, dict) else enumerate(data):
            yield from places(value, (*at, key))


DOCUMENT = json.loads(limit_set().to_json())
PLACES = list(places(DOCUMENT))
VALUES = st.sampled_from([None, True, 0, -1, 1, 2.5, "", "hinge", "free", [], [0, 0, 0], ["a"], {}])


@pytest.mark.thorough
@settings(max_examples=300)
@given(st.sampled_from(PLACES), VALUES, st.sampled_from(["replace", "remove", "add"]))
def test_as_a_full_implementation_does(place, value, action):
    jsonschema = pytest.importorskip("jsonschema")
    data = change_data(DOCUMENT, place, value, action)
    validator = jsonschema.Draft202012Validator(limit_set_schema())
    theirs = {error_place(error) for error in validator.iter_errors(data)}
    ours = {line.split(":")[0] for line in problems(data, limit_set_schema())}
    # Of a key that is not known they name the object, we the key.
    for place in theirs:
        assert any(is_in(line, place) for line in ours)
    for line in ours:
        assert any(is_in(line, place) for place in theirs)


def is_in(place, outer):
    return outer == "document" or place == outer or place.startswith((outer + ".", outer + "["))


def change_data(data, place, value, action):
    data = copy.deepcopy(data)
    if not place:
        return value if action == "replace" else data
    holder = data
    for key in place[:-1]:
        holder = holder[key]
    if action == "remove":
        del holder[place[-1]]
    elif action == "add" and isinstance(holder, dict):
        holder["something else"] = value
    else:
        holder[place[-1]] = value
    return data


def error_place(error):
    text = ""
    for key in error.absolute_path:
        text += f"[{key}]" if isinstance(key, int) else f".{key}" if text else str(key)
    return text or "document"


def test_the_schema_is_itself_valid():
    jsonschema = pytest.importorskip("jsonschema")
    jsonschema.Draft202012Validator.check_schema(limit_set_schema())
    assert list(problems(DOCUMENT, limit_set_schema())) == []
