"""Check plain data against a JSON Schema, with messages that name the place in the document.

Only the words that our own schemas use are known: type, const, enum, required, properties,
additionalProperties, items, minItems, maxItems, minimum, maximum and local ``$ref``. An unknown
word is an error, so a schema can never be checked only in part. (At run time inside Maya there is
no package for this; in the tests the schemas are checked with one.)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

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
    *("$schema", "title", "$defs", "$ref", "type", "const", "enum", "required", "properties"),
    *("additionalProperties", "items", "minItems", "maxItems", "minimum", "maximum"),
}


def problems(data: Any, schema: Mapping[str, Any]) -> Iterator[str]:
    """Yield what is wrong, each as ``place: what``, in document order.

    Parameters
    ----------
    data : object
        What ``json.loads`` gives.
    schema : mapping
        A JSON Schema that uses only the known words.

    Yields
    ------
    str

    Raises
    ------
    ValueError
        If the schema itself uses a word that is not known here.
    """
    yield from _check(data, schema, schema, "")


def _is_type(value: Any, name: str) -> bool:
    if isinstance(value, bool):
        return name == "boolean"
    return isinstance(value, _TYPES[name])


def shown(value: Any) -> str:
    """Name a value in a message, shortly."""
    if isinstance(value, (dict, list)):
        # Not its text: that can be endless or nested without end.
        return "an object" if isinstance(value, dict) else "an array"
    text = repr(value[:40] if isinstance(value, str) else value)
    return text if len(text) <= 40 else text[:37] + "..."


def _check(value: Any, rule: Any, root: Mapping[str, Any], place: str) -> Iterator[str]:
    unknown = set(rule) - _KNOWN
    if unknown:
        raise ValueError(f"schema words not known here: {', '.join(sorted(unknown))}")
    where = place or "document"
    if "$ref" in rule:
        yield from _check(value, root["$defs"][rule["$ref"].rsplit("/", 1)[1]], root, place)
    # To Python, true is 1.
    if "const" in rule and (value != rule["const"] or isinstance(value, bool)):
        yield f"{where}: expected {rule['const']!r}, found {shown(value)}"
    if "enum" in rule and value not in rule["enum"]:
        allowed = ", ".join(str(item) for item in rule["enum"])
        yield f"{where}: {shown(value)} is not one of {allowed}"
    names = rule.get("type", [])
    names = [names] if isinstance(names, str) else names
    if names and not any(_is_type(value, name) for name in names):
        yield f"{where}: expected {' or '.join(names)}, found {shown(value)}"
        return
    if "minimum" in rule and isinstance(value, (int, float)) and value < rule["minimum"]:
        yield f"{where}: {value} is below {rule['minimum']}"
    if "maximum" in rule and isinstance(value, (int, float)) and value > rule["maximum"]:
        yield f"{where}: {value} is above {rule['maximum']}"
    if isinstance(value, dict):
        yield from _check_object(value, rule, root, place)
    elif isinstance(value, list):
        yield from _check_array(value, rule, root, place)


def _check_object(value: Any, rule: Any, root: Any, place: str) -> Iterator[str]:
    for name in rule.get("required", ()):
        if name not in value:
            yield f"{place or 'document'}: {name!r} is missing"
    properties, other = rule.get("properties", {}), rule.get("additionalProperties", True)
    for name, item in value.items():
        inside = f"{place}.{name}" if place else name
        if name in properties:
            yield from _check(item, properties[name], root, inside)
        elif other is False:
            yield f"{inside}: not known here"
        elif other is not True:
            yield from _check(item, other, root, inside)


def _check_array(value: Any, rule: Any, root: Any, place: str) -> Iterator[str]:
    low, high = rule.get("minItems", 0), rule.get("maxItems")
    if len(value) < low or (high is not None and len(value) > high):
        wanted = f"{low}" if low == high else f"{low} to {high or 'any number of'}"
        yield f"{place or 'document'}: expected {wanted} items, found {len(value)}"
    if "items" in rule:
        for index, item in enumerate(value):
            yield from _check(item, rule["items"], root, f"{place}[{index}]")
