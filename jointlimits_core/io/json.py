"""Strict JSON from untrusted files: reading within the budget, parsing, checking with a schema.

Only files that this program wrote are replaced; they are recognised by their format.

Schemas may have the keywords type, const, enum, required, properties, additionalProperties, items,
minItems, maxItems, minimum, maximum and local ``$ref``. Any other keyword raises an error, so no
schema is ever applied only in part. (Maya has no package for schemas; the tests use one to validate
the schemas.)
"""

from __future__ import annotations

import codecs
import contextlib
import json
import math
import os
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from ..base.errors import FOLDER_AS_FILE, InputError
from ..base.text import plural, suggestion
from .input import DEFAULT_LIMITS, FilePath, ReadLimits, read_start


def json_text(
    path: FilePath,
    error: type[InputError],
    advice: str,
    limits: ReadLimits = DEFAULT_LIMITS,
    too_large: str = "",
) -> str:
    """Read a JSON file as text.

    `error`: exception type. `advice`: what to do if it is not a text file, such as "name a limits
    file". `limits`: `max_json_bytes` applies. `too_large`: further advice if the file is too large,
    such as "; make several". Raises an `error` if the file is missing, a directory, a device, a
    pipe, too large, or not text.
    """
    most = limits.max_json_bytes
    data, size = read_start(path, most + 1, error, advice, whole=True)
    if size > most:
        message = limits.refusal("max_json_bytes", "bytes", size, "has")
        raise error(path, message.surround(after=too_large))
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        is_utf16 = data[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
        words = "saved as UTF-16; save it as UTF-8" if is_utf16 else f"not a text file; {advice}"
        raise error(path, words) from None


_TYPES: dict[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "number": (int, float),
    "integer": (int,),
    "boolean": (bool,),
    "null": (type(None),),
}
_KNOWN = {
    *("$schema", "title", "description", "$defs", "$ref", "type", "const", "enum", "required"),
    *("properties", "additionalProperties", "items", "minItems", "maxItems", "minimum", "maximum"),
}


def value_words(value: Any) -> str:
    """Short form of a value for messages."""
    if isinstance(value, (dict, list)):
        # The value's text can be very long or deeply nested.
        return "an object" if isinstance(value, dict) else "an array"
    text = repr(value[:40] if isinstance(value, str) else value)
    return text if len(text) <= 40 else text[:37] + "..."


def problems(
    value: Any, rule: Any, root: Mapping[str, Any] | None = None, place: str = ""
) -> Iterator[str]:
    """Violations of a schema as ``location: problem``, in document order.

    `value`: result of ``json.loads``. `rule`: a JSON Schema with supported keywords only. `root`,
    `place`: if `value` is part of a document, the whole schema and the place of the part. Raises
    ValueError if the schema uses an unsupported keyword.
    """
    root = rule if root is None else root
    unknown = set(rule) - _KNOWN
    if unknown:
        raise ValueError(f"unsupported schema keywords: {', '.join(sorted(unknown))}")
    where = place or "document"
    if "$ref" in rule:
        yield from problems(value, root["$defs"][rule["$ref"].rsplit("/", 1)[1]], root, place)
    # In Python, True == 1.
    if "const" in rule and (value != rule["const"] or isinstance(value, bool)):
        yield f"{where}: expected {rule['const']!r}, found {value_words(value)}"
    if "enum" in rule and value not in rule["enum"]:
        allowed = ", ".join(str(item) for item in rule["enum"])
        yield f"{where}: must be one of {allowed}, not {value_words(value)}"
    names = rule.get("type", [])
    names = [names] if isinstance(names, str) else names
    # In Python, a bool is an int.
    given = [name for name in _TYPES if isinstance(value, _TYPES[name])]
    given = ["boolean"] if "boolean" in given else given
    if names and not set(names) & set(given):
        is_word = names == ["array"] and "string" in given
        advice = f"; write [{json.dumps(value)}]" if is_word else ""
        yield f"{where}: expected {' or '.join(names)}, found {value_words(value)}{advice}"
        return
    if "minimum" in rule and isinstance(value, (int, float)) and value < rule["minimum"]:
        yield f"{where}: must be at least {rule['minimum']}, not {value}"
    if "maximum" in rule and isinstance(value, (int, float)) and value > rule["maximum"]:
        yield f"{where}: must be at most {rule['maximum']}, not {value}"
    if isinstance(value, dict):
        yield from _check_object(value, rule, root, place)
    elif isinstance(value, list):
        low, high = rule.get("minItems", 0), rule.get("maxItems")
        if len(value) < low or (high is not None and len(value) > high):
            wanted = f"at least {plural(low, 'item')}" if high is None else f"{low} to {high} items"
            wanted = f"{low} items" if low == high else wanted
            yield f"{where}: expected {wanted}, found {len(value)}"
        if "items" in rule:
            for index, item in enumerate(value):
                yield from problems(item, rule["items"], root, f"{place}[{index}]")


def _check_object(value: Any, rule: Any, root: Any, place: str) -> Iterator[str]:
    for name in rule.get("required", ()):
        if name not in value:
            yield f"{place or 'document'}: {name!r} is missing"
    properties, other = rule.get("properties", {}), rule.get("additionalProperties", True)
    for name, item in value.items():
        inside = f"{place}.{name}" if place else name
        if name in properties:
            yield from problems(item, properties[name], root, inside)
        elif other is False:
            yield f"{inside}: unknown field{suggestion(name, properties)}"
        elif other is not True:
            yield from problems(item, other, root, inside)


MAX_DIGITS = 300
"""Maximum number of digits in a whole number, so that a float can hold it."""


def parsed_json(text: str, name: str, error: type[InputError], what: str) -> Any:
    """Parse JSON text.

    `name`: name of the document in errors. `error`: exception type. `what`: expected document, such
    as "limit set". Raises an `error` for text that is not JSON (with line and column), numbers that
    overflow a float, duplicate names in an object, and excessive nesting.
    """

    def reject_number(word: str) -> Any:
        shown = word if len(word) <= 20 else word[:17] + "..."
        raise error(name, f"{shown} is not a valid number in a {what}")

    def reject_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) != len(pairs):
            counts = Counter(key for key, _ in pairs)
            raise error(name, f"duplicate name {counts.most_common(1)[0][0]!r} in one object")
        return found

    try:
        return json.loads(
            text,
            parse_constant=reject_number,
            parse_int=lambda word: int(word) if len(word) <= MAX_DIGITS else reject_number(word),
            parse_float=lambda word: (
                float(word) if math.isfinite(float(word)) else reject_number(word)
            ),
            object_pairs_hook=reject_duplicates,
        )
    except json.JSONDecodeError as wrong:
        reason = _syntax_advice(text, wrong.pos) or "correct the file or give another one"
        message = f"not valid JSON; expected a {what}; {reason}"
        # The text may end within a string, a number or a word.
        rest = text[wrong.pos : wrong.pos + 9].strip()
        words = ("null", "true", "false", "-", ".", "e-", "e+")
        inside = wrong.msg != "Extra data" and any(word.startswith(rest) for word in words)
        if inside or wrong.msg.startswith("Unterminated"):
            message = f"the {what} is incomplete; copy or create it again"
        raise error(name, message, wrong.lineno, wrong.colno) from None
    except RecursionError:
        raise error(name, f"nested too deeply for a {what}") from None


def _syntax_advice(text: str, at: int) -> str:
    """Advice about syntax that is valid in scripts but not in JSON; empty for other errors."""
    before, after = text[:at].rstrip()[-1:], text[at:].lstrip()
    if after.startswith(("//", "#", "/*")):
        return "JSON has no comments: remove this one"
    if after.startswith("'"):
        return "put names and strings in double quotes"
    if re.match(r"(,\s*)?[]}]", after) and "," in (before, after[:1]):
        return "remove the comma before the closing bracket"
    return ""


PAGE_MARK = '<meta name="generator" content="{}">'
"""Format marker of an HTML page, like "format" in a JSON document."""
HEAD_BYTES = 4096
"""Number of bytes at the start of a page that are searched for the marker."""


def check_replaceable(path: str | os.PathLike[str], form: str, what: str, advice: str) -> None:
    """Reject an output path at which there is a file that this program did not write.

    `path`: a page if ``.html``, a table if ``.csv``, else JSON. `form`: format to be written, such
    as ``jointlimits.manifest``, or the first line of a table. `what`: name of the format in
    messages, such as "manifest". `advice`: what to do instead. Raises InputError for a file of
    another origin or beyond the size limit for JSON, a folder, a device or a broken link.
    """
    place = Path(path)
    if not os.path.lexists(place):
        return
    if place.is_dir():
        raise InputError(path, FOLDER_AS_FILE)
    if not place.exists():
        target = ascii(os.readlink(place))[1:-1]
        raise InputError(path, f"this is a link to {target}, which does not exist; {advice}")
    if not place.is_file():
        found = "a pipe, socket or device"
        raise InputError(path, f"expected a file, found {found}; left unchanged; {advice}")
    ours = False
    with contextlib.suppress(InputError):
        if place.suffix.lower() in (".html", ".csv"):
            start = read_start(path, HEAD_BYTES, InputError)[0]
            mark = PAGE_MARK.format(form).encode()
            is_page = place.suffix.lower() == ".html"
            ours = mark in start if is_page else start.startswith(form.encode())
        else:
            text = json_text(path, InputError, "")
            document = parsed_json(text, str(path), InputError, "document")
            ours = isinstance(document, dict) and document.get("format") == form
    if not ours:
        raise InputError(path, f"already exists and is not a {what}; left unchanged; {advice}")
