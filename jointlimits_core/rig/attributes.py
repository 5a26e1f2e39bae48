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
"""Kind of a value: in the scene's angle unit, in its length unit, or unitless."""

XYZ = ("X", "Y", "Z")
_MAX_NUMBER = 1e30
_PLUG_PART = re.compile(r"(\w+)(?:\[(-?\d{1,9})(?::(-?\d{1,9}))?\])?\Z")


@dataclass
class Family:
    """Attributes that nodes of related types share.

    `long_names`: long names by long and short name. `kinds`: :data:`ANGLE`, :data:`LENGTH` or
    :data:`PLAIN` by long name. `children`: three long names by the long name of their compound.
    """

    long_names: dict[str, str] = field(default_factory=dict)
    kinds: dict[str, str] = field(default_factory=dict)
    children: dict[str, tuple[str, ...]] = field(default_factory=dict)


def _family(words: str, base: Family | None = None, axes: Sequence[str] = XYZ) -> Family:
    """Family extended by "long:short", "long:short:kind" or "long:short:kind:short compound".

    A name with a star stands for a compound and its children, named with an axis for the star.
    """
    base = base or Family()
    family = Family(dict(base.long_names), dict(base.kinds), dict(base.children))
    for word in words.split():
        long, short, *more = word.split(":")
        kind, whole = (*more, *(PLAIN, "")[len(more) :])
        names = [(long.replace("*", ""), whole or short.replace("*", ""))]
        if "*" in long:
            names += [(long.replace("*", axis), short.replace("*", axis.lower())) for axis in axes]
            family.children[names[0][0]] = tuple(name for name, _ in names[1:])
        for name, short_name in names:
            family.long_names[name] = family.long_names[short_name] = name
            family.kinds[name] = kind
    return family


DAG = _family(
    "translate*:t*:length rotate*:r*:angle scale*:s* rotatePivot*:rp*:length "
    "rotatePivotTranslate*:rpt*:length scalePivot*:sp*:length scalePivotTranslate*:spt*:length "
    "rotateAxis*:ra*:angle jointOrient*:jo*:angle preferredAngle*:pa*:angle inverseScale*:is* "
    "minRot*Limit:mr*l:angle:mnrl maxRot*Limit:xr*l:angle:mxrl "
    "minRot*LimitEnable:mr*e:plain:mrle maxRot*LimitEnable:xr*e:plain:xrle "
    "jointTypeX:jtx jointTypeY:jty jointTypeZ:jtz rotateOrder:ro inheritsTransform:it "
    "segmentScaleCompensate:ssc bindPose:bps offsetParentMatrix:opm message:msg worldMatrix:wm",
    _family("shear*:sh*", axes=("XY", "XZ", "YZ")),
)
CURVE = _family(
    "tangentType:tan weightedTangents:wgt keyTimeValue:ktv keyTanInType:kit keyTanOutType:kot "
    "keyTanInX:kix keyTanInY:kiy keyTanOutX:kox keyTanOutY:koy rotationInterpolation:roti "
    "preInfinity:pre postInfinity:pst input:i output:o"
)
_LAYER_BLEND = _family(
    "weightA:wa weightB:wb accumulationMode:acm rotationInterpolation:ri interpolateMode:im"
)
_TIME = _family("outTime:o enableTimewarp:etw timewarpIn:twi timewarpIn_Raw:twir")
_TIME.long_names["tw"] = "timewarpIn_Raw"  # files also use this name
_FAMILIES = {
    "pairBlend": _family(
        "inTranslate*1:it*1:length inTranslate*2:it*2:length inRotate*1:ir*1:angle "
        "inRotate*2:ir*2:angle outTranslate*:ot*:length outRotate*:or*:angle translateXMode:txm "
        "translateYMode:tym translateZMode:tzm weight:w rotInterpolation:ri rotateMode:rm"
    ),
    "jointLimitProject": _family("inputRotate*:ir*:angle outputRotate*:or*:angle"),
    "animBlendNodeAdditiveRotation": _family(
        "inputA*:ia*:angle inputB*:ib*:angle output*:o*:angle", _LAYER_BLEND
    ),
    **{
        f"animBlendNodeAdditive{ending}": _family(
            f"inputA:ia:{kind} inputB:ib:{kind} output:o:{kind}", _LAYER_BLEND
        )
        for kind, endings in ((ANGLE, "DA FA"), (LENGTH, "DL FL"), (PLAIN, " F Scale"))
        for ending in endings.split(" ")
    },
    "animLayer": _family(
        "weight:w mute:m solo:s override:ovrd passthrough:pth parentWeight:pwth parentMute:pmte "
        "outMute:omte foregroundWeight:fgwt backgroundWeight:bgwt rotationAccumulationMode:ram "
        "outRotationAccumulationMode:oram"
    ),
    "unitConversion": _family("input:i output:o conversionFactor:cf"),
    "character": _family(
        "unitlessValues:uv clipEvaluate:cer angularValues:av:angle linearValues:lv:length"
    ),
    "dagPose": _family("xformMatrix:xm worldMatrix:wm members:m parents:p world:w bindPose:bp"),
    "skinCluster": _family("bindPreMatrix:pm matrix:ma"),
    "ikHandle": _family("startJoint:hsj endEffector:hee ikBlend:ikb", DAG),
    "ikEffector": _family("handlePath:hp", DAG),
    "reference": _family("edits:ed placeHolderList:phl"),
    "script": _family("before:b"),
    "expression": Family(),
    "time": _TIME,
}


def family_of(node_type: str) -> Family:
    """Attributes of a node type; unknown types have the attributes of a transform."""
    if node_type.startswith("animCurve"):
        return CURVE
    return _FAMILIES.get(node_type, DAG)


WANTED = frozenset(
    name for family in (DAG, CURVE, *_FAMILIES.values()) for name in family.long_names
)
"""Every long and short name known in any family."""


def sensible(values: Floats) -> Booleans:
    """True for usable numbers: finite and not too large."""
    return np.asarray(np.abs(values) < _MAX_NUMBER)


def split_plug(plug: str) -> tuple[str, str]:
    """Node path and attribute of "node.attribute"; the node is "" for ".attribute"."""
    node, _, attribute = plug.partition(".")
    return node, attribute


def attribute_parts(attribute: str) -> list[tuple[str, int | None, int | None]]:
    """Names and index ranges in "a.b[2:5].c"; empty if the text does not have this form."""
    parts = []
    for piece in attribute.split("."):
        match = _PLUG_PART.match(piece)
        if match is None:
            return []
        first, last = match[2], match[3]
        start = None if first is None else int(first)
        parts.append((match[1], start, start if last is None else int(last)))
    return parts
