"""Tables of attributes, by node type; see node_types.py for the sources."""

from __future__ import annotations

from collections.abc import Iterator
from math import radians

from tests.maya_standin.attributes import AttributeSpec, compound_xyz

A = AttributeSpec
ORDERS = ("xyz", "yzx", "zxy", "xzy", "yxz", "zyx")
AXES = "XYZ"


def _compound(
    long: str, short: str, kind: str, children: list[tuple[str, str]], default: float = 0.0
) -> AttributeSpec:
    made = tuple(A(name, nick, kind, default) for name, nick in children)
    return A(long, short, "compound", children=made)


def _of_letters(
    long: str, short: str, kind: str, letters: str, default: float = 0.0, **options: bool
) -> AttributeSpec:
    """A compound whose children end in letters: outColor has outColorR (ocr) and so on."""
    children = tuple(
        A(long + letter, short + letter.lower(), kind, default, **options) for letter in letters
    )
    return A(long, short, "compound", children=children, **options)


def _numbered(long: str, short: str, number: str, kind: str) -> AttributeSpec:
    """A compound of the kind "inRotate1", with inRotateX1 (irx1) and so on."""
    children = [(f"{long}{axis}{number}", f"{short}{axis.lower()}{number}") for axis in AXES]
    return _compound(long + number, short + number, kind, children)


def _limits(word: str, letter: str, kind: str, size: float) -> Iterator[AttributeSpec]:
    """Minimum and maximum of one channel with their switches (maya.md 1.4)."""
    for edge, first, whole in (("min", "m", "mn"), ("max", "x", "mx")):
        value = -size if edge == "min" else size
        names = [(f"{edge}{word}{axis}Limit", f"{first}{letter}{axis.lower()}l") for axis in AXES]
        yield _compound(f"{edge}{word}Limit", f"{whole}{letter}l", kind, names, value)
        names = [
            (f"{edge}{word}{axis}LimitEnable", f"{first}{letter}{axis.lower()}e") for axis in AXES
        ]
        yield _compound(f"{edge}{word}LimitEnable", f"{first}{letter}le", "bool", names)


def _damp_range(edge: str, letter: str) -> AttributeSpec:
    names = [(f"{edge}RotateDampRange{axis}", f"{letter}d{axis.lower()}") for axis in AXES]
    return _compound(f"{edge}RotateDampRange", f"{letter}dr", "angle", names)


def _matrix(long: str, short: str, array: bool = False, writable: bool = False) -> AttributeSpec:
    return A(long, short, "matrix", None, array=array, writable=writable)


NODE = (
    A("message", "msg", "message", writable=False),
    A("caching", "cch", "bool"),
    A("frozen", "fzn", "bool"),
    A("isHistoricallyInteresting", "ihi", "long", 2),
    A("nodeState", "nds", "enum"),
    A("binMembership", "bnm", "string", ""),
)

OVERRIDES = (
    A("overrideDisplayType", "ovdt", "enum", enum=("Normal", "Template", "Reference")),
    A("overrideEnabled", "ove", "bool"),
    A("overrideVisibility", "ovv", "bool", True),
    A("overrideColor", "ovc", "long"),
)

DAG_NODE = (
    A("visibility", "v", "bool", True, keyable=True),
    A("intermediateObject", "io", "bool"),
    A("template", "tmp", "bool"),
    A("lodVisibility", "lodv", "bool", True),
    A("drawOverride", "do", "compound", children=OVERRIDES),
    A("useObjectColor", "uoc", "enum"),
    A("objectColor", "oc", "short"),
    _compound(
        "wireColorRGB", "wfcc", "float", [("wireColor" + c, "wfc" + c.lower()) for c in "RGB"]
    ),
    A("instObjGroups", "iog", "typed", array=True),
    _matrix("matrix", "m"),
    _matrix("inverseMatrix", "im"),
    _matrix("worldMatrix", "wm", array=True),
    _matrix("worldInverseMatrix", "wim", array=True),
    _matrix("parentMatrix", "pm", array=True),
    _matrix("parentInverseMatrix", "pim", array=True),
)

TRANSFORM = (
    compound_xyz("translate", "t", "distance", keyable=True),
    compound_xyz("rotate", "r", "angle", keyable=True),
    compound_xyz("scale", "s", "double", 1.0, keyable=True),
    _compound(
        "shear", "sh", "double", [("shear" + p, "sh" + p.lower()) for p in ("XY", "XZ", "YZ")]
    ),
    A("rotateOrder", "ro", "enum", 0, enum=ORDERS),
    compound_xyz("rotateAxis", "ra", "angle"),
    compound_xyz("rotatePivot", "rp", "distance"),
    compound_xyz("rotatePivotTranslate", "rpt", "distance"),
    compound_xyz("scalePivot", "sp", "distance"),
    compound_xyz("scalePivotTranslate", "spt", "distance"),
    *_limits("Trans", "t", "distance", 1.0),
    *_limits("Rot", "r", "angle", radians(45.0)),
    *_limits("Scale", "s", "double", 1.0),
    A("inheritsTransform", "it", "bool", True),
    _matrix("offsetParentMatrix", "opm", writable=True),
    _matrix("xformMatrix", "xm"),
    A("displayLocalAxis", "dla", "bool"),
    A("displayHandle", "dh", "bool"),
    A("displayRotatePivot", "drp", "bool"),
    A("displayScalePivot", "dsp", "bool"),
    A("dynamics", "dyn", "bool"),
)

JOINT = (
    A("jointType", "jt", "string", ""),
    A("jointTypeX", "jtx", "bool", True),
    A("jointTypeY", "jty", "bool", True),
    A("jointTypeZ", "jtz", "bool", True),
    A("dofMask", "dm", "long", 2021227011, writable=False),
    compound_xyz("jointOrient", "jo", "angle"),
    A("jointOrientType", "jot", "string", ""),
    A("segmentScaleCompensate", "ssc", "bool", True),
    compound_xyz("inverseScale", "is", "double", 1.0),
    compound_xyz("stiffness", "st", "double"),
    compound_xyz("preferredAngle", "pa", "angle"),
    _damp_range("min", "n"),
    compound_xyz("minRotateDampStrength", "nst", "double"),
    _damp_range("max", "x"),
    compound_xyz("maxRotateDampStrength", "xst", "double"),
    _matrix("bindPose", "bps", writable=True),
    A("drawStyle", "ds", "enum", 0, enum=("Bone", "Multi-child as Box", "None", "Joint")),
    A("side", "sd", "enum", 0, enum=("Center", "Left", "Right", "None")),
    A("type", "typ", "enum", 0),
    A("otherType", "otp", "string", ""),
    A("drawLabel", "dl", "bool"),
    A("radius", "radi", "double", 1.0),
    A("hikNodeID", "hni", "long", -1),
    A("hikFkJoint", "hfk", "message"),
)


def anim_curves() -> Iterator[tuple[str, tuple[AttributeSpec, ...]]]:
    """Curves over time (T) and over a value (U), by what comes out (maya.md 8)."""
    outputs = {"A": "angle", "L": "distance", "U": "double", "T": "time"}
    for source in "TU":
        for letter, kind in outputs.items():
            yield (
                f"animCurve{source}{letter}",
                (
                    A("input", "i", "time" if source == "T" else "double"),
                    A("output", "o", kind, writable=False),
                    *CURVE,
                ),
            )


CURVE = (
    A("tangentType", "tan", "enum", 18),
    A("weightedTangents", "wgt", "bool", True),
    A("keyTimeValue", "ktv", "typed", array=True),
    A("keyTanInType", "kit", "enum", array=True),
    A("keyTanOutType", "kot", "enum", array=True),
    A("keyTanInX", "kix", "double", array=True),
    A("keyTanInY", "kiy", "double", array=True),
    A("keyTanOutX", "kox", "double", array=True),
    A("keyTanOutY", "koy", "double", array=True),
    A("keyTanLocked", "ktl", "bool", array=True),
    A("keyWeightLocked", "kwl", "bool", array=True),
    A("keyBreakdown", "kbd", "bool", array=True),
    A("rotationInterpolation", "roti", "enum", 1),
    A("apply", "a", "double", writable=False),
    A("preInfinity", "pre", "enum", 0),
    A("postInfinity", "pst", "enum", 0),
)


def anim_blends() -> Iterator[tuple[str, tuple[AttributeSpec, ...]]]:
    """What animation layers put between curves and channels."""
    kinds = {"": "double", "DA": "angle", "DL": "distance", "F": "double", "Scale": "double"}
    for suffix, kind in kinds.items():
        sides = (A(long, short, kind) for long, short in (("inputA", "ia"), ("inputB", "ib")))
        output = A("output", "o", kind, writable=False)
        yield f"animBlendNodeAdditive{suffix}", (*sides, output, *BLEND_WEIGHTS)
    yield (
        "animBlendNodeAdditiveRotation",
        (
            compound_xyz("inputA", "ia", "angle"),
            compound_xyz("inputB", "ib", "angle"),
            compound_xyz("output", "o", "angle", writable=False),
            A("rotateOrder", "ro", "enum", 0, enum=ORDERS),
            A("rotationInterpolation", "ri", "enum", 0),
            *BLEND_WEIGHTS,
        ),
    )


BLEND_WEIGHTS = (
    A("weightA", "wa", "double", 1.0),
    A("weightB", "wb", "double", 1.0),
    A("accumulationMode", "acm", "enum", 0),
    A("interpolateMode", "im", "enum", 0),
)

OBJECT_SET = (
    A("dagSetMembers", "dsm", "typed", array=True),
    A("dnSetMembers", "dnsm", "typed", array=True),
    A("memberWireframeColor", "mwc", "short", -1),
    A("annotation", "an", "string", ""),
    A("verticesOnlySet", "vo", "bool"),
    A("groupNodes", "gn", "message", array=True),
    A("usedBy", "ub", "message", array=True),
    A("partition", "pa", "message"),
)

GEOMETRY = (A("inputGeometry", "ig", "typed"), A("groupId", "gi", "long"))

PLAIN_NODES: dict[str, tuple[AttributeSpec, ...]] = {
    "time": (
        A("outTime", "o", "time"),
        A("unwarpedTime", "uwt", "time"),
        A("enableTimewarp", "etw", "bool"),
        A("timewarpIn_Raw", "tw", "time"),
    ),
    "unitConversion": (
        A("input", "i", "double"),
        A("output", "o", "double", writable=False),
        A("conversionFactor", "cf", "double", 1.0),
    ),
    "pairBlend": (
        _numbered("inTranslate", "it", "1", "distance"),
        _numbered("inTranslate", "it", "2", "distance"),
        _numbered("inRotate", "ir", "1", "angle"),
        _numbered("inRotate", "ir", "2", "angle"),
        A("weight", "w", "double", 1.0),
        A("rotInterpolation", "ri", "enum", 0, enum=("Euler Angle", "Quaternion")),
        *(A(f"translate{axis}Mode", f"t{axis.lower()}m", "enum") for axis in AXES),
        A("rotateMode", "rm", "enum", 0),
        compound_xyz("outTranslate", "ot", "distance", writable=False),
        compound_xyz("outRotate", "or", "angle", writable=False),
    ),
    "dagPose": (
        _matrix("xformMatrix", "xm", array=True, writable=True),
        _matrix("worldMatrix", "wm", array=True, writable=True),
        A("members", "m", "message", array=True),
        A("parents", "p", "message", array=True),
        A("global", "g", "bool", array=True),
        A("world", "w", "message"),
        A("bindPose", "bp", "bool"),
    ),
    "skinCluster": (
        _matrix("matrix", "ma", array=True, writable=True),
        _matrix("bindPreMatrix", "pm", array=True, writable=True),
        _matrix("geomMatrix", "gm", writable=True),
        A("bindPose", "bp", "message"),
        A("lockWeights", "lw", "bool", array=True),
        A("influenceColor", "ifcl", "typed", array=True),
        A(
            "weightList",
            "wl",
            "compound",
            children=(A("weights", "w", "double", array=True),),
            array=True,
        ),
        A("input", "ip", "compound", children=GEOMETRY, array=True),
        A("dropoff", "dpf", "double", 4.0, array=True),
        A("useComponentsMatrix", "ucm", "bool"),
        A("bindMethod", "bm", "enum"),
        A("outputGeometry", "og", "typed", array=True, writable=False),
        A("skinningMethod", "skm", "enum", 0),
        A("maxInfluences", "mi", "long", 2),
        A("maintainMaxInfluences", "mmi", "bool"),
        A("normalizeWeights", "nw", "enum", 1),
        A("envelope", "en", "float", 1.0),
    ),
    "reference": (
        A("edits", "ed", "typed"),
        A("placeHolderList", "phl", "double", array=True),
        A("fileNames", "fn", "string", array=True),
        A("associatedNode", "asn", "message", array=True),
        A("sharedReference", "shn", "message"),
    ),
    "network": (),
    "expression": (
        A("expression", "e", "string", ""),
        A("internalExpression", "ixp", "string", ""),
        A("input", "in", "double", array=True),
        A("output", "out", "double", array=True, writable=False),
        A("time", "tim", "time"),
        A("object", "obm", "message"),
        A("animated", "ani", "long", 1),
    ),
    "script": (
        A("before", "b", "string", ""),
        A("after", "a", "string", ""),
        A("scriptType", "st", "enum", 0),
        A("sourceType", "stp", "enum", 0),
        A("ignoreReferenceEdits", "ire", "bool"),
    ),
    "decomposeMatrix": (
        _matrix("inputMatrix", "imat", writable=True),
        A("inputRotateOrder", "ro", "enum", 0, enum=ORDERS),
        compound_xyz("outputTranslate", "ot", "distance", writable=False),
        compound_xyz("outputRotate", "or", "angle", writable=False),
        compound_xyz("outputScale", "os", "double", writable=False),
        _of_letters("outputQuat", "oq", "double", "XYZW", writable=False),
    ),
    "composeMatrix": (
        compound_xyz("inputTranslate", "it", "distance"),
        compound_xyz("inputRotate", "ir", "angle"),
        A("inputRotateOrder", "ro", "enum", 0, enum=ORDERS),
        compound_xyz("inputScale", "is", "double", 1.0),
        _compound(
            "inputShear", "ish", "double", [(f"inputShear{a}", f"ish{a.lower()}") for a in AXES]
        ),
        A(
            "inputQuat",
            "iq",
            "compound",
            children=(
                *(A(f"inputQuat{axis}", f"iqw{axis.lower()}", "double") for axis in AXES),
                A("inputQuatW", "iqw", "double", 1.0),
            ),
        ),
        A("useEulerRotation", "uer", "bool", True),
        _matrix("outputMatrix", "omat"),
    ),
    "vectorProduct": (
        A("operation", "op", "enum", 1),
        compound_xyz("input1", "i1", "float"),
        compound_xyz("input2", "i2", "float"),
        _matrix("matrix", "m", writable=True),
        compound_xyz("output", "o", "float", writable=False),
        A("normalizeOutput", "no", "bool"),
    ),
    "clamp": (
        _of_letters("min", "mn", "float", "RGB"),
        _of_letters("max", "mx", "float", "RGB"),
        _of_letters("input", "ip", "float", "RGB"),
        _of_letters("output", "op", "float", "RGB", writable=False),
    ),
    "condition": (
        A("operation", "op", "enum", 0),
        A("firstTerm", "ft", "float"),
        A("secondTerm", "st", "float"),
        _of_letters("colorIfTrue", "ct", "float", "RGB"),
        _of_letters("colorIfFalse", "cf", "float", "RGB", 1.0),
        _of_letters("outColor", "oc", "float", "RGB", writable=False),
    ),
    "plusMinusAverage": (
        A("operation", "op", "enum", 1),
        A(
            "input3D",
            "i3",
            "compound",
            children=tuple(A(f"input3D{axis}", f"i3{axis}", "float") for axis in "xyz"),
            array=True,
        ),
        A(
            "output3D",
            "o3",
            "compound",
            children=tuple(A(f"output3D{a}", f"o3{a}", "float", writable=False) for a in "xyz"),
            writable=False,
        ),
    ),
    "multMatrix": (_matrix("matrixIn", "i", array=True, writable=True), _matrix("matrixSum", "o")),
    "multiplyDivide": (
        A("operation", "op", "enum", 1, enum=("No operation", "Multiply", "Divide", "Power")),
        compound_xyz("input1", "i1", "float"),
        compound_xyz("input2", "i2", "float", 1.0),
        compound_xyz("output", "o", "float", writable=False),
    ),
}

SETS = (
    (
        "animLayer",
        (
            A("weight", "w", "double", 1.0, keyable=True),
            A("mute", "m", "bool"),
            A("solo", "s", "bool"),
            A("lock", "lck", "bool"),
            A("override", "ovrd", "bool"),
            A("passthrough", "pth", "bool", True),
            A("preferred", "pfd", "bool"),
            A("parentWeight", "pwth", "double", 1.0),
            A("parentMute", "pmte", "bool"),
            A("siblingSolo", "ssl", "bool"),
            A("parentLayer", "pl", "message"),
            A("childrenLayers", "cdl", "message", array=True),
            A("dagMembers", "dmb", "typed", array=True),
            A("blendNodes", "bnds", "message", array=True),
            A("animCurves", "acv", "message", array=True),
            A("rotationAccumulationMode", "ram", "enum", 0),
            A("scaleAccumulationMode", "sam", "enum", 1),
            A("foregroundWeight", "fgwt", "double", 1.0, writable=False),
            A("backgroundWeight", "bgwt", "double", 1.0, writable=False),
            A("outMute", "omte", "bool", writable=False),
        ),
    ),
    (
        "character",
        (
            A("angularValues", "av", "angle", array=True),
            A("linearValues", "lv", "distance", array=True),
            A("unitlessValues", "uv", "double", array=True),
            A("timeValues", "tv", "time", array=True),
            A("clipIndexMap", "cim", "long", array=True),
            A("referenceMapping", "rma", "long", array=True),
            A("animationMapping", "ama", "long", array=True),
        ),
    ),
)

SHAPES: tuple[tuple[str, tuple[AttributeSpec, ...]], ...] = tuple(
    (name, ()) for name in ("mesh", "nurbsCurve", "locator", "camera")
)

IK = (
    (
        "ikHandle",
        (
            A("startJoint", "hsj", "message"),
            A("endEffector", "hee", "message"),
            A("ikSolver", "hsv", "message"),
            A("ikBlend", "ikb", "double", 1.0, keyable=True),
            A("ikFkManipulation", "ifk", "bool"),
            A("solverEnable", "hse", "bool", True),
            A("stickiness", "hsk", "enum", 0),
            A("snapEnable", "hsn", "bool", True),
            A("priority", "hpr", "short", 1),
            A("weight", "hw", "double", 1.0),
            A("poWeight", "hpw", "double", 1.0),
            compound_xyz("poleVector", "pv", "distance"),
            A("twist", "twi", "angle", keyable=True),
            A("roll", "rol", "angle"),
        ),
    ),
    ("ikEffector", (A("handlePath", "hp", "message", array=True), A("hideDisplay", "hd", "bool"))),
)

_TARGET = (
    compound_xyz("targetTranslate", "tt", "distance"),
    compound_xyz("targetRotatePivot", "trp", "distance"),
    compound_xyz("targetRotateTranslate", "trt", "distance"),
    compound_xyz("targetRotate", "tr", "angle"),
    A("targetRotateOrder", "tro", "enum", 0, enum=ORDERS),
    compound_xyz("targetJointOrient", "tjo", "angle"),
    compound_xyz("targetScale", "ts", "double", 1.0),
    compound_xyz("targetInverseScale", "tis", "double", 1.0),
    A("targetScaleCompensate", "tsc", "bool"),
    A("targetRotateCached", "tcr", "angle"),
    _matrix("targetParentMatrix", "tpm", writable=True),
    A("targetWeight", "tw", "double", 1.0),
    compound_xyz("targetOffsetTranslate", "tot", "distance"),
    compound_xyz("targetOffsetRotate", "tor", "angle"),
)
_CONSTRAINED = (
    A("target", "tg", "compound", children=_TARGET, array=True),
    _matrix("constraintParentInverseMatrix", "cpim", writable=True),
    A("constraintRotateOrder", "cro", "enum", 0, enum=ORDERS),
    compound_xyz("constraintJointOrient", "cjo", "angle"),
    compound_xyz("constraintRotatePivot", "crp", "distance"),
    compound_xyz("constraintRotateTranslate", "crt", "distance"),
    compound_xyz("constraintTranslate", "ct", "distance", writable=False),
    compound_xyz("constraintRotate", "cr", "angle", writable=False),
    compound_xyz("lastTargetRotate", "lr", "angle"),
    compound_xyz("restRotate", "rsrr", "angle"),
    compound_xyz("restTranslate", "rst", "distance"),
    A("interpType", "int", "enum", 1),
    A("enableRestPosition", "erp", "bool", True),
)
CONSTRAINTS = (
    ("orientConstraint", (*_CONSTRAINED, compound_xyz("offset", "o", "angle"))),
    ("pointConstraint", (*_CONSTRAINED, compound_xyz("offset", "o", "distance"))),
    ("parentConstraint", _CONSTRAINED),
)
