"""The stand-in's attributes beside those that a live Maya printed of itself.

`maya-mock-completion` on the package index holds, for 25 node types, every attribute of a live Maya
with type, unit and default. Its wheel is read as data and never imported: it has a package `maya`.
CI downloads it; by hand:

    pip download --no-deps --dest ENVIRONMENT/maya-attributes maya-mock-completion==0.2.0
"""

from __future__ import annotations

import ast
import sys
import zipfile
from functools import cache
from pathlib import Path

import pytest

from tests.maya_standin.node_types import TYPES

FOLDER = Path(sys.prefix) / "maya-attributes"
TABLE = "mmc_output/attribute_properties.py"
NUMERIC = {1: "bool", 4: "short", 7: "long", 11: "float", 14: "double"}
TYPED = {4: "string", 5: "matrix"}
KINDS = {
    "kDoubleAngleAttribute": "angle",
    "kDoubleLinearAttribute": "distance",
    "kEnumAttribute": "enum",
    "kMessageAttribute": "message",
    "kMatrixAttribute": "matrix",
    "kUnitAttribute": "time",
}
COMPOUND = ("kCompoundAttribute", "kAttribute")


@cache
def published_attributes():
    wheels = sorted(FOLDER.glob("maya_mock_completion-*.whl"))
    if not wheels:
        pytest.skip(f"maya-mock-completion is not in {FOLDER}; see the head of this file")
    with zipfile.ZipFile(wheels[-1]) as wheel:
        tree = ast.parse(wheel.read(TABLE))
    return ast.literal_eval(tree.body[0].value)


def kind_of(entry):
    """Kind of an attribute in the words of the stand-in; None where it has no word for it."""
    name = entry["type_str"]
    if name.startswith(COMPOUND):
        return "compound"
    if name == "kNumericAttribute":
        return NUMERIC.get(entry["numeric_type"])
    if name == "kTypedAttribute":
        return TYPED.get(entry["typed_type"])
    return KINDS.get(name)


def specs_of(kind):
    """Attributes of a node type with their children, by long name."""
    waiting, found = list(TYPES[kind].attributes.top.values()), {}
    while waiting:
        spec = waiting.pop()
        found[spec.long] = spec
        waiting.extend(spec.children)
    return found


def differences(kind):
    for name, spec in sorted(specs_of(kind).items()):
        entry = published_attributes()[kind].get(name)
        if entry is None:
            continue
        if spec.short != entry["short_name"]:
            yield name, "short name", spec.short, entry["short_name"]
        if spec.kind != "typed" and kind_of(entry) not in (None, spec.kind):
            yield name, "kind", spec.kind, kind_of(entry)
        if spec.array != entry["is_array"]:
            yield name, "array", spec.array, entry["is_array"]
        default = entry.get("default_value")
        number = isinstance(default, (int, float)) and not spec.children
        if number and spec.kind != "matrix" and abs(spec.initial() - default) > 1e-12:
            yield name, "default", spec.default, default
        children = [child.long for child in spec.children]
        known = [child for child in entry.get("children", ()) if child in children]
        if spec.children and children != known:
            yield name, "children", children, known


@pytest.mark.thorough
@pytest.mark.parametrize(
    "kind", ["transform", "joint", "decomposeMatrix", "multMatrix", "clamp", "condition"]
)
def test_attributes_are_those_of_a_live_maya(kind):
    assert len(set(specs_of(kind)) & set(published_attributes()[kind])) > 6
    assert not list(differences(kind))


@pytest.mark.thorough
def test_the_range_of_damping_is_an_angle():
    entry = published_attributes()["joint"]["minRotateDampRangeX"]
    assert (entry["type_str"], entry["unit_type"]) == ("kDoubleAngleAttribute", 1)
    assert kind_of(published_attributes()["joint"]["minRotateDampStrengthX"]) == "double"
