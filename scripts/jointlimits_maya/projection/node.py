"""Node ``jointLimitProject``, which keeps a joint inside a coupled limit while it is animated.

It is inserted between a joint's rotate channels and their drivers. It is pure Python: a farm needs
the plug-in, but needs numpy only for shapes that plain Python cannot project into.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from math import degrees, isfinite
from typing import ClassVar

from jointlimits_core.scalar.rotation import Four, Three
from jointlimits_core.shapes import scalar_joint
from jointlimits_core.shapes.scalar_joint import Project
from jointlimits_core.shapes.scalar_ranges import ScalarRanges, ranges_from_text

from ..base.open_maya import om, utils

NAME = "jointLimitProject"
# live check: node-type-id
TYPE_ID = 0x0007A6C1
"""Number from the range that Autodesk reserves for private use, 0 to 0x7ffff."""

ORDERS = ("xyz", "yzx", "zxy", "xzy", "yxz", "zyx")


class JointLimitProject(om.MPxNode):
    """Projection of rotate channels into a shape; see :data:`INPUTS` and :data:`OUTPUTS`."""

    attributes: ClassVar[dict[str, om.MObject]] = {}
    """All attributes, by long name."""
    outputs: ClassVar[tuple[om.MObject, ...]] = ()

    @classmethod
    def creator(cls) -> JointLimitProject:
        """Create the node; called by Maya."""
        return cls()

    @classmethod
    def initialize(cls) -> None:
        """Add the node's attributes; called by Maya."""
        _three_angles("inputRotate", "ir", keyable=True)
        _rotate_order("rotateOrder", "ro")
        _three_angles("jointOrient", "jo")
        _three_angles("rotateAxis", "ra")
        numeric, unit = om.MFnNumericAttribute(), om.MFnUnitAttribute()
        typed = om.MFnTypedAttribute()
        _add("enable", numeric.create("enable", "en", om.MFnNumericData.kBoolean, True))
        numeric.keyable = True
        _add("softness", unit.create("softness", "sf", om.MFnUnitAttribute.kAngle, 0.0))
        unit.keyable = True
        _add("falloff", numeric.create("falloff", "fo", om.MFnNumericData.kDouble, 1.0))
        numeric.keyable = True
        _add("shape", typed.create("shape", "shp", om.MFnData.kString))
        _add("ranges", typed.create("ranges", "rgs", om.MFnData.kString))
        _three_angles("driverRotate", "dr")
        _rotate_order("driverRotateOrder", "dro")
        _three_angles("driverJointOrient", "djo")
        _three_angles("driverRotateAxis", "dra")
        _three_angles("outputRotate", "or", writable=False)
        # New function sets for the outputs, as options apply to the latest attribute of a set.
        numeric, typed = om.MFnNumericAttribute(), om.MFnTypedAttribute()
        outside = numeric.create("outside", "out", om.MFnNumericData.kDouble, 0.0)
        numeric.writable = False
        _add("outside", outside)
        problem = typed.create("problem", "prb", om.MFnData.kString)
        typed.writable = False
        _add("problem", problem)
        for source in _with_children(INPUTS):
            for output in _with_children(OUTPUTS):
                cls.attributeAffects(cls.attributes[source], cls.attributes[output])
        cls.outputs = tuple(cls.attributes[name] for name in _with_children(OUTPUTS))

    def compute(self, plug: om.MPlug, block: om.MDataBlock) -> JointLimitProject | None:
        """Compute all outputs together; never raises, even for an invalid shape."""
        # live check: node-compute-return
        if plug.attribute() not in self.outputs:
            return None
        attributes = self.attributes
        rotate, frame = _read_rotation(lambda name: block.inputValue(attributes[name]), OWN)
        texts = (block.inputValue(attributes[name]).asString() for name in ("shape", "ranges"))
        project, ranges, problem = _limits_of(*texts)
        outside = 0.0
        if project is not None and block.inputValue(attributes["enable"]).asBool():
            if ranges is not None:
                seen = [_driver_rotation(block, place) for place in range(len(ranges.drivers))]
                project, problem = ranges.project_within(project, seen), _missing(ranges, seen)
                if problem:
                    _warn(f"{plug.name().partition('.')[0]}: {problem}")
            softness = block.inputValue(attributes["softness"]).asAngle().asRadians()
            falloff = block.inputValue(attributes["falloff"]).asDouble()
            rotate, outside = scalar_joint.projected_rotate(
                project, frame, rotate, softness, falloff
            )
        for axis, value in zip("XYZ", rotate):
            handle = block.outputValue(attributes[f"outputRotate{axis}"])
            handle.setMAngle(om.MAngle(value, om.MAngle.kRadians))
            block.setClean(attributes[f"outputRotate{axis}"])
        # Otherwise a connection to the whole compound would compute it again at every request.
        block.setClean(attributes["outputRotate"])
        block.outputValue(attributes["outside"]).setDouble(degrees(outside))
        block.setClean(attributes["outside"])
        block.outputValue(attributes["problem"]).setString(problem)
        block.setClean(attributes["problem"])
        return self


OWN = ("inputRotate", "rotateOrder", "jointOrient", "rotateAxis")
DRIVER = ("driverRotate", "driverRotateOrder", "driverJointOrient", "driverRotateAxis")
INPUTS = (*OWN, "enable", "softness", "falloff", "shape", "ranges", *DRIVER)
"""Inputs of the node.

inputRotate: the channels to keep inside. rotateOrder, jointOrient, rotateAxis: those of the joint.
enable: if off, the input passes through. softness: angle by which a joint may leave the shape.
falloff: how fast the shape gives way, per radian. shape: compact JSON. ranges: JSON of ranges that
depend on other joints. driverRotate and so on: arrays with an element for each of these joints.
"""
OUTPUTS = ("outputRotate", "outside", "problem")
"""Outputs of the node.

outputRotate: channels, on the Euler branch nearest to the input. outside: degrees from the input to
the nearest allowed rotation, for drivers and checks. problem: an error in the shape or the ranges,
or drivers that are missing; else empty.
"""


TRIPLES = tuple(name for name in (*OWN, *DRIVER, "outputRotate") if not name.endswith("Order"))


def _with_children(names: Iterable[str]) -> Iterator[str]:
    for name in names:
        yield name
        if name in TRIPLES:
            yield from (f"{name}{axis}" for axis in "XYZ")


def _three_angles(name: str, short: str, *, keyable: bool = False, writable: bool = True) -> None:
    """Add a compound of three angles, like a joint's ``rotate``; an array of a driver's."""
    children = []
    for axis in "XYZ":
        unit = om.MFnUnitAttribute()
        leaf = unit.create(f"{name}{axis}", short + axis.lower(), om.MFnUnitAttribute.kAngle, 0.0)
        unit.keyable, unit.writable = keyable, writable
        JointLimitProject.attributes[f"{name}{axis}"] = leaf
        children.append(leaf)
    # live check: numeric-compound-of-angles
    compound = om.MFnNumericAttribute()
    made = compound.create(name, short, *children)
    compound.keyable, compound.writable = keyable, writable
    _add(name, made)


def _rotate_order(name: str, short: str) -> None:
    enum = om.MFnEnumAttribute()
    order = enum.create(name, short, 0)
    for number, word in enumerate(ORDERS):
        enum.addField(word, number)
    _add(name, order)


def _add(name: str, attribute: om.MObject) -> None:
    if name in DRIVER:
        # live check: element-goes-with-its-source
        function = om.MFnAttribute(attribute)
        function.array, function.disconnectBehavior = True, om.MFnAttribute.kDelete
    JointLimitProject.attributes[name] = attribute
    JointLimitProject.addAttribute(attribute)


def _read_rotation(
    read: Callable[[str], om.MDataHandle], names: Sequence[str]
) -> tuple[Three, scalar_joint.Orientation]:
    """Rotate channels, radians, and the orientation. `names`: :data:`OWN` or :data:`DRIVER`."""
    attributes, angles = JointLimitProject.attributes, []
    for name in (names[0], *names[2:]):
        whole = read(name)
        x, y, z = (whole.child(attributes[name + a]).asAngle().asRadians() for a in "XYZ")
        angles.append((x, y, z))
    return angles[0], scalar_joint.frame_of(read(names[1]).asShort(), *angles[1:])


def _driver_rotation(block: om.MDataBlock, place: int) -> Four | None:
    """Rotation of a driver relative to its parent; None if it is not connected."""

    def read(name: str) -> om.MDataHandle:
        array = block.inputArrayValue(JointLimitProject.attributes[name])
        array.jumpToLogicalElement(place)
        return array.inputValue()

    # live check: jump-to-a-missing-element
    try:
        rotate, frame = _read_rotation(read, DRIVER)
    except RuntimeError:
        return None
    return frame.local(rotate) if isfinite(sum(rotate)) else None


def _missing(ranges: ScalarRanges, seen: Sequence[Four | None]) -> str:
    lost = [name for (name, _), rotation in zip(ranges.drivers, seen) if rotation is None]
    return f"no rotation of {', '.join(lost)}, which its ranges depend on" if lost else ""


@lru_cache(maxsize=512)
def _limits_of(shape: str, ranges: str) -> tuple[Project | None, ScalarRanges | None, str]:
    """Projection and ranges read from their texts, or None and the error; warns once per text."""
    try:
        depending = ranges_from_text(ranges)
        if not shape:
            return (None, None, "no shape") if depending is None else (_unlimited, depending, "")
        return scalar_joint.project_from_text(shape), depending, ""
    except (ValueError, ImportError) as error:
        _warn(f"{NAME}: invalid shape, so joints are not limited: {error}")
        return None, None, str(error)


def _unlimited(rotation: Four) -> Four:
    return rotation


@lru_cache(maxsize=512)
def _warn(text: str) -> None:
    """Show a warning, once in a session."""
    if om.MGlobal.mayaState() == om.MGlobal.kInteractive:
        # Warn from the main thread, as compute may run in another one.
        utils.executeDeferred(om.MGlobal.displayWarning, text)
    else:
        om.MGlobal.displayWarning(text)
