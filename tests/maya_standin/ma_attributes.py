"""setAttr and addAttr of scene files."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from tests.maya_standin.attributes import AttributeSpec
from tests.maya_standin.errors import NotModelledError
from tests.maya_standin.ma_curves import array_name
from tests.maya_standin.ma_statements import Word, flag_table, flags_of, quote
from tests.maya_standin.ma_values import UnreadableValueError, leaves, number, single
from tests.maya_standin.nodes import Node
from tests.maya_standin.words import pairs_of

if TYPE_CHECKING:
    from tests.maya_standin.ma_reader import FileReader

SET = flag_table(
    "size s 1, lock l 1, keyable k 1, channelBox cb 1, alteredValue av 0, type typ 1, "
    "caching ca 1, capacityHint ch 1, clamp c 0"
)
ADD = flag_table(
    "longName ln 1, shortName sn 1, niceName nn 1, attributeType at 1, dataType dt 1, "
    "cachedInternally ci 1, keyable k 1, hidden h 1, multi m 0, indexMatters im 1, "
    "defaultValue dv 1, minValue min 1, maxValue max 1, softMinValue smn 1, "
    "softMaxValue smx 1, enumName en 1, parent p 1, numberOfChildren nc 1, storable s 1, "
    "readable r 1, writable w 1, usedAsColor uac 0, usedAsFilename uaf 0, usedAsProxy uap 0, "
    "internalSet is 1, disconnectBehaviour dcb 1, hasMinValue hnv 1, category ct 1, "
    "proxy pxy 1"
)
_RANGE = re.compile(r"\[(\d+):(\d+)\]")
_KINDS = pairs_of(
    "double:double float:float doubleAngle:angle floatAngle:angle doubleLinear:distance "
    "floatLinear:distance time:time bool:bool enum:enum long:long short:short byte:short "
    "char:short message:message matrix:matrix fltMatrix:matrix string:string "
    "compound:compound"
)
#: Of attribute types that are three or two numbers of one kind: file name to kind of a child.
_VECTORS = {"double3", "float3", "long3", "short3", "double2", "float2", "long2", "short2"}


def modelled_kind(node: Node, attribute: str) -> str | None:
    """The one spelling of an attribute; None for one that is not modelled."""
    try:
        return node.path_of(attribute)
    except NotModelledError:
        return None


def set_attribute(reader: FileReader, words: tuple[Word, ...]) -> tuple[str, ...]:
    """One setAttr of the current node; what is not modelled is kept as text.

    Gives the paths whose values were set.
    """
    given = flags_of(words, SET)
    if reader.node is None or not given.rest:
        reader.problem("setAttr: nothing is selected")
        return ()
    node, text = reader.node, given.rest[0].text
    if not text.startswith("."):
        owner, _, text = text.partition(".")
        found = reader.find(owner)
        if found is None:
            reader.problem(f"setAttr: No object matches name: {owner}")
            return ()
        node = found
    attribute, values = text.lstrip("."), given.rest[1:]
    if node in reader.curves and array_name(attribute):
        reader.curves[node].take(attribute, values)
        if given.is_on("lock"):
            node.locked.add(node.path_of(array_name(attribute) or "") or attribute)
        return ()
    if node.type == "reference" and attribute in ("ed", "edits"):
        reader.records[node] = values
        return ()
    touched = _take(reader, node, attribute, given, values)
    if touched is None:
        flags = " ".join(_spelled(word) for word in words if word is not given.rest[0])
        # Flags alone, behind a value of the same attribute, are a second entry.
        key = attribute if values or attribute not in node.raw else attribute + " "
        node.raw[key] = flags
    return touched or ()


def _spelled(word: Word) -> str:
    return quote(word.text) if word.quoted else word.text


def _take(
    reader: FileReader, node: Node, attribute: str, given: object, values: Sequence[Word]
) -> tuple[str, ...] | None:
    """Take in a modelled attribute; None if it is none, or the words are no values of it."""
    span = _RANGE.search(attribute)
    first = _RANGE.sub(lambda match: f"[{match[1]}]", attribute)
    path = modelled_kind(node, first)
    if path is None:
        return None
    try:
        found = _values(reader, node, path, span, values)
    except (UnreadableValueError, ValueError, TypeError):
        return None
    if node.type == "time" and node.is_default and "outTime" in found:
        # The current time is the scene's, not a value of its time node.
        reader.scene.time = found.pop("outTime")
    node.values.update(found)
    _take_flags(node, path, given)
    return tuple(found)


def _take_flags(node: Node, path: str, given) -> None:
    for name, table in (("keyable", node.keyable), ("channelBox", node.channel_box)):
        if name in given.flags:
            table[path] = given.is_on(name)
    if "lock" in given.flags:
        (node.locked.add if given.is_on("lock") else node.locked.discard)(path)


def _values(
    reader: FileReader, node: Node, path: str, span: re.Match | None, values: Sequence[Word]
) -> dict[str, object]:
    """Values by path."""
    if not values:
        return {}
    spec = node.spec(path)
    if spec.array and not node.is_element(path):
        raise UnreadableValueError(f"{spec.long} is an array")
    if spec.kind in ("message", "typed"):
        raise UnreadableValueError(f"{spec.long} is not modelled")
    if span is None:
        return _element(reader, path, spec, values)
    first, last = int(span[1]), int(span[2])
    count = len(values) // (last - first + 1)
    found: dict[str, object] = {}
    for place in range(last - first + 1):
        here = path.replace(f"[{first}]", f"[{first + place}]", 1)
        found.update(_element(reader, here, spec, values[place * count : (place + 1) * count]))
    return found


def _element(
    reader: FileReader, path: str, spec: AttributeSpec, values: Sequence[Word]
) -> dict[str, object]:
    if not spec.children:
        return {path: single(spec, values, reader.units)}
    parts = list(leaves(spec))
    if len(parts) != len(values):
        raise UnreadableValueError(f"{len(values)} values for {spec.long}")
    above, dot, _ = path.rpartition(".")
    stem = path + "." if path.endswith("]") else above + dot
    return {
        stem + child: single(leaf, [word], reader.units)
        for (child, leaf), word in zip(parts, values)
    }


def add_attribute(reader: FileReader, words: tuple[Word, ...]) -> None:
    """One addAttr of the current node; its own words are kept for writing."""
    given = flags_of(words, ADD)
    node = reader.node
    long = given.text("longName") or given.text("shortName")
    if node is None or not long:
        reader.problem("addAttr: nothing is selected")
        return
    short = given.text("shortName", long)
    kind = given.text("attributeType") or given.text("dataType") or "double"
    node.raw["+" + long] = " ".join(_spelled(word) for word in words)
    if long in node.node_type.attributes.chains or long in node.dynamic:
        return
    spec = AttributeSpec(
        long,
        short,
        "compound" if kind in _VECTORS and not given.text("dataType") else _kind(kind),
        default=_default(reader, given, kind),
        array=given.is_on("multi"),
        keyable=given.is_on("keyable"),
        enum=tuple(given.text("enumName").rstrip(":").split(":")) if kind == "enum" else (),
        hidden=given.is_on("hidden"),
    )
    parent = given.text("parent")
    if parent and parent in node.dynamic:
        _add_child(node, parent, spec)
    else:
        node.add_spec(spec)


def _kind(name: str) -> str:
    return _KINDS.get(name, "typed")


def _default(reader: FileReader, given, kind: str) -> object:
    """Defaults are in the units of the file."""
    if "defaultValue" not in given.flags:
        return 0.0
    return reader.units.inside(_kind(kind), number(given.flags["defaultValue"][0]))


def _add_child(node: Node, parent: str, spec: AttributeSpec) -> None:
    """Put an attribute into a compound that was added before it."""
    whole = node.dynamic[parent]
    node.drop_spec(parent)
    node.add_spec(replace(whole, children=(*whole.children, spec)))
