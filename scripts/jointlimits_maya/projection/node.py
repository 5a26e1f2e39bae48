"""Node ``jointLimitProject``, which keeps a joint inside a coupled limit while it is animated.

It is inserted between a joint's rotate channels and their drivers. It is pure Python: a farm needs
the plug-in, but needs numpy only for shapes that plain Python cannot project into.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from math import degrees
from typing import ClassVar

from jointlimits_core.scalar.rotation import Three
from jointlimits_core.shapes import scalar_joint

from ..base.open_maya import om, utils

NAME = "jointLimitProject"
# live check: node-type-id
TYPE_ID = 0x0007A6C1
"""From the range that Autodesk reserves for private use, 0 to 0x7ffff."""

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
        enum = om.MFnEnumAttribute()
        order = enum.create("rotateOrder", "ro", 0)
        for number, word in enumerate(ORDERS):
            enum.addField(word, number)
        _add("rotateOrder", order)
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
        rotate = _angles(block, "inputRotate")
        project, problem = _shape_of(block.inputValue(attributes["shape"]).asString())
        outside = 0.0
        if project is not None and block.inputValue(attributes["enable"]).asBool():
            order = block.inputValue(attributes["rotateOrder"]).asShort()
            frame = scalar_joint.frame_of(
                order, _angles(block, "jointOrient"), _angles(block, "rotateAxis")
            )
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


INPUTS = (
    *("inputRotate", "rotateOrder", "jointOrient", "rotateAxis"),
    *("enable", "softness", "falloff", "shape"),
)
"""Inputs of the node.

inputRotate: the channels to keep inside. rotateOrder, jointOrient, rotateAxis: those of the joint.
enable: if off, the input passes through. softness: angle by which a joint may leave the shape.
falloff: how fast the shape gives way, per radian. shape: compact JSON.
"""
OUTPUTS = ("outputRotate", "outside", "problem")
"""Outputs of the node.

outputRotate: channels, on the Euler branch nearest to the input. outside: degrees from the input to
the nearest allowed rotation, for drivers and checks. problem: the error in the shape, else empty.
"""


TRIPLES = ("inputRotate", "jointOrient", "rotateAxis", "outputRotate")


def _with_children(names: Iterable[str]) -> Iterator[str]:
    for name in names:
        yield name
        if name in TRIPLES:
            yield from (f"{name}{axis}" for axis in "XYZ")


def _three_angles(name: str, short: str, *, keyable: bool = False, writable: bool = True) -> None:
    """Add a compound of three angles, like a joint's ``rotate``."""
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


def _add(name: str, attribute: om.MObject) -> None:
    JointLimitProject.attributes[name] = attribute
    JointLimitProject.addAttribute(attribute)


def _angles(block: om.MDataBlock, name: str) -> Three:
    """Values of a compound of three angles, radians."""
    attributes = JointLimitProject.attributes
    x, y, z = (block.inputValue(attributes[name + axis]).asAngle().asRadians() for axis in "XYZ")
    return (x, y, z)


@lru_cache(maxsize=512)
def _shape_of(text: str) -> tuple[scalar_joint.Project | None, str]:
    """Projection for a shape's text, or None and the error; warns once per text."""
    if not text:
        return None, "no shape"
    try:
        return scalar_joint.project_from_text(text), ""
    except (ValueError, ImportError) as error:
        warning = f"{NAME}: invalid shape, so joints are not limited: {error}"
        if om.MGlobal.mayaState() == om.MGlobal.kInteractive:
            # Warn from the main thread, as compute may run in another one.
            utils.executeDeferred(om.MGlobal.displayWarning, warning)
        else:
            om.MGlobal.displayWarning(warning)
        return None, str(error)
