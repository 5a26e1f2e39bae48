"""Attributes known to the reader, by node type: long names, short names and units.

Sources: Autodesk's node reference (joint, transform, animCurve, pairBlend, animLayer, dagPose,
skinCluster, unitConversion, animBlendNode...). Everything else in a scene is skipped unread.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from ..geometry.arrays import Booleans, Floats

ANGLE, LENGTH, PLAIN = "angle", "length", "plain"
"""Unit of a value: the scene's unit of angle, of length, or none."""

XYZ = ("X", "Y", "Z")
_BEYOND_MEASURE = 1e30
_PLUG_PART = re.compile(r"(\w+)(?:\[(-?\d{1,9})(?::(-?\d{1,9}))?\])?\Z")


@dataclass
class Family:
    """Attributes that nodes of related types share.

    `long_names`: by long and by short name. `kinds`: :data:`ANGLE`, :data:`LENGTH` or :data:`PLAIN`
    by long name. `children`: long names of the three children of a compound, by its long name.
    """

    long_names: dict[str, str] = field(default_factory=dict)
    kinds: dict[str, str] = field(default_factory=dict)
    children: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def add(self, long: str, short: str, kind: str = PLAIN) -> None:
        """Register a single attribute."""
        self.long_names[long] = self.long_names[short] = long
        self.kinds[long] = kind

    def add_xyz(
        self, long: str, short: str, kind: str, pattern: str = "{}", tail: str = ""
    ) -> None:
        """Register a compound and its children X, Y and Z.

        `pattern`: short name of a child; `tail`: end of all long names, "1" of "inRotate1" and
        "inRotateX1".
        """
        stem = long.removesuffix(tail)
        children = [(f"{stem}{axis}{tail}", pattern.format(axis.lower())) for axis in XYZ]
        self.add_children(long, short, kind, children)

    def add_children(
        self, long: str, short: str, kind: str, children: Sequence[tuple[str, str]]
    ) -> None:
        """Register a compound and its children."""
        for name, short_name in ((long, short), *children):
            self.add(name, short_name, kind)
        self.children[long] = tuple(name for name, _ in children)


def _dag() -> Family:
    dag = Family()
    for long, short, kind in (
        ("translate", "t", LENGTH),
        ("rotate", "r", ANGLE),
        ("scale", "s", PLAIN),
        ("rotatePivot", "rp", LENGTH),
        ("rotatePivotTranslate", "rpt", LENGTH),
        ("scalePivot", "sp", LENGTH),
        ("scalePivotTranslate", "spt", LENGTH),
        ("rotateAxis", "ra", ANGLE),
        ("jointOrient", "jo", ANGLE),
        ("inverseScale", "is", PLAIN),
        ("preferredAngle", "pa", ANGLE),
    ):
        dag.add_xyz(long, short, kind, short + "{}")
    shear = [(f"shear{pair}", f"sh{pair.lower()}") for pair in ("XY", "XZ", "YZ")]
    dag.add_children("shear", "sh", PLAIN, shear)
    for edge, letter in (("min", "m"), ("max", "x")):
        children = [(f"{edge}Rot{axis}Limit", f"{letter}r{axis.lower()}l") for axis in XYZ]
        dag.add_children(f"{edge}RotLimit", f"m{'n' if edge == 'min' else 'x'}rl", ANGLE, children)
        children = [(f"{edge}Rot{axis}LimitEnable", f"{letter}r{axis.lower()}e") for axis in XYZ]
        dag.add_children(f"{edge}RotLimitEnable", f"{letter}rle", PLAIN, children)
    for axis in XYZ:
        dag.add(f"jointType{axis}", f"jt{axis.lower()}")
    return _simple(
        "rotateOrder:ro inheritsTransform:it segmentScaleCompensate:ssc bindPose:bps "
        "offsetParentMatrix:opm message:msg worldMatrix:wm",
        dag,
    )


def _pair_blend() -> Family:
    blend = Family()
    for number in "12":
        blend.add_xyz(f"inTranslate{number}", f"it{number}", LENGTH, "it{}" + number, number)
        blend.add_xyz(f"inRotate{number}", f"ir{number}", ANGLE, "ir{}" + number, number)
    blend.add_xyz("outTranslate", "ot", LENGTH, "ot{}")
    blend.add_xyz("outRotate", "or", ANGLE, "or{}")
    for axis in XYZ:
        blend.add(f"translate{axis}Mode", f"t{axis.lower()}m")
    return _simple("weight:w rotInterpolation:ri rotateMode:rm", blend)


def _layer_blend(kind: str, compound: bool) -> Family:
    blend = Family()
    for long, short in (("inputA", "ia"), ("inputB", "ib"), ("output", "o")):
        if compound:
            blend.add_xyz(long, short, kind, short + "{}")
        else:
            blend.add(long, short, kind)
    return _simple(
        "weightA:wa weightB:wb accumulationMode:acm rotationInterpolation:ri interpolateMode:im",
        blend,
    )


def _simple(names: str, base: Family | None = None) -> Family:
    """Family of plain attributes, "long:short" each, beside those of another family."""
    base = base or Family()
    family = Family(dict(base.long_names), dict(base.kinds), dict(base.children))
    for name in names.split():
        family.add(*name.split(":"))
    return family


DAG = _dag()
CURVE = _simple(
    "tangentType:tan weightedTangents:wgt keyTimeValue:ktv keyTanInType:kit keyTanOutType:kot "
    "keyTanInX:kix keyTanInY:kiy keyTanOutX:kox keyTanOutY:koy rotationInterpolation:roti "
    "preInfinity:pre postInfinity:pst input:i output:o"
)
_PROJECTION = Family()
_PROJECTION.add_xyz("inputRotate", "ir", ANGLE, "ir{}")
_PROJECTION.add_xyz("outputRotate", "or", ANGLE, "or{}")
_CHARACTER = _simple("unitlessValues:uv clipEvaluate:cer")
_CHARACTER.add("angularValues", "av", ANGLE)
_CHARACTER.add("linearValues", "lv", LENGTH)
_TIME = _simple("outTime:o enableTimewarp:etw timewarpIn:twi timewarpIn_Raw:twir")
_TIME.long_names["tw"] = "timewarpIn_Raw"  # files have this name, too
_FAMILIES = {
    "pairBlend": _pair_blend(),
    "jointLimitProject": _PROJECTION,
    "animBlendNodeAdditiveRotation": _layer_blend(ANGLE, compound=True),
    **{
        f"animBlendNodeAdditive{ending}": _layer_blend(kind, compound=False)
        for kind, endings in ((ANGLE, "DA FA"), (LENGTH, "DL FL"), (PLAIN, " F Scale"))
        for ending in endings.split(" ")
    },
    "animLayer": _simple(
        "weight:w mute:m solo:s override:ovrd passthrough:pth parentWeight:pwth parentMute:pmte "
        "outMute:omte foregroundWeight:fgwt backgroundWeight:bgwt rotationAccumulationMode:ram "
        "outRotationAccumulationMode:oram"
    ),
    "unitConversion": _simple("input:i output:o conversionFactor:cf"),
    "character": _CHARACTER,
    "dagPose": _simple("xformMatrix:xm worldMatrix:wm members:m parents:p world:w bindPose:bp"),
    "skinCluster": _simple("bindPreMatrix:pm matrix:ma"),
    "ikHandle": _simple("startJoint:hsj endEffector:hee ikBlend:ikb", DAG),
    "ikEffector": _simple("handlePath:hp", DAG),
    "reference": _simple("edits:ed placeHolderList:phl"),
    "script": _simple("before:b"),
    "expression": Family(),
    "time": _TIME,
}


def family_of(node_type: str) -> Family:
    """Attributes of a node type; those of a transform for unknown types."""
    if node_type.startswith("animCurve"):
        return CURVE
    return _FAMILIES.get(node_type, DAG)


WANTED = frozenset(
    name for family in (DAG, CURVE, *_FAMILIES.values()) for name in family.long_names
)
"""Every long and short name known in any family."""


def sensible(values: Floats) -> Booleans:
    """True for numbers that can be computed with: finite, and not too large."""
    return np.asarray(np.abs(values) < _BEYOND_MEASURE)


def split_plug(plug: str) -> tuple[str, str]:
    """Node path and attribute of "node.attribute"; the node is "" for ".attribute"."""
    node, _, attribute = plug.partition(".")
    return node, attribute


def attribute_parts(attribute: str) -> list[tuple[str, int | None, int | None]]:
    """Names and index ranges of "a.b[2:5].c"; empty if it is not of that form."""
    parts = []
    for piece in attribute.split("."):
        match = _PLUG_PART.match(piece)
        if match is None:
            return []
        first, last = match[2], match[3]
        start = None if first is None else int(first)
        parts.append((match[1], start, start if last is None else int(last)))
    return parts
