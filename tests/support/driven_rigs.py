"""Small rigs whose arm is driven in every usual way, as text of scenes, with what drives it."""

from __future__ import annotations

import pytest

from jointlimits_core.base.findings import JointDriver
from tests.support.maya_scenes import connect, curve, slider

SWING = [(1, -20), (24, 60)]


def chain(arm=""):
    """A hip, an arm with these attributes and a hand, in a scene of 24 frames."""
    return (
        'createNode joint -n "hip";\ncreateNode joint -n "arm" -p "hip";\n'
        f'\tsetAttr ".t" -type "double3" 4 0 0;\n{arm}'
        'createNode joint -n "hand" -p "arm";\n\tsetAttr ".t" -type "double3" 3 0 0;\n'
    ) + slider(1, 24)


CHAIN = chain() + curve("hip_x", [(1, 0), (24, 30)]) + connect("hip_x.o", "hip.rx")
LOCKED = "".join(f'\tsetAttr -l on ".{channel}";\n' for channel in ("r", "t"))


def node(kind, name, parent="", more=""):
    """A node, with attributes."""
    below = f' -p "{parent}"' if parent else ""
    return f'createNode {kind} -n "{name}"{below};\n{more}'


def keys(name, **channels):
    """Keys on rotate channels of a node: (frame, degrees) by axis."""
    return "".join(
        curve(f"{name.replace(':', '_')}_{axis}", each)
        + connect(f"{name.replace(':', '_')}_{axis}.o", f"{name}.r{axis}")
        for axis, each in channels.items()
    )


def keyed(name, swing=SWING):
    """Keys on rotateZ of a node."""
    return keys(name, z=swing)


def orient(target, joint="arm", name="oc", channels="xyz"):
    """An orient constraint as Maya makes it."""
    links = (("r", "tg[0].tr"), ("ro", "tg[0].tro"), ("pm", "tg[0].tpm"))
    own = (("pim", "cpim"), ("ro", "cro"), ("jo", "cjo"))
    return (
        node("orientConstraint", name, joint)
        + "".join(connect(f"{target}.{a}", f"{name}.{b}") for a, b in links)
        + "".join(connect(f"{joint}.{a}", f"{name}.{b}") for a, b in own)
        + "".join(connect(f"{name}.cr{axis}", f"{joint}.r{axis}") for axis in channels)
    )


def control(name="ctl", parent="", more=""):
    """A transform with a curve shape."""
    return node("transform", name, parent, more) + node("nurbsCurve", f"{name}Shape", name)


SOLVED = (
    node("ikEffector", "eff", "arm") + connect("hip.msg", "ik.hsj") + connect("eff.hp", "ik.hee")
)
DRIVEN_KEY = (
    'createNode animCurveUA -n "sdk";\n\tsetAttr ".tan" 2;\n\tsetAttr ".wgt" no;\n'
    '\tsetAttr -s 2 ".ktv[0:1]"  0 0 1 40;\n'
)
OC = ("oc", "orientConstraint")

RIGS = {
    "keys": (keyed("arm"), None),
    "nothing": ("", None),
    "a keyed control": (node("transform", "ctl") + keyed("ctl") + orient("ctl"), (*OC, "ctl")),
    "an unkeyed control": (node("transform", "ctl") + orient("ctl"), (*OC, "ctl")),
    "a control in a namespace": (control("rig:ctl") + orient("rig:ctl"), (*OC, "rig:ctl")),
    "a locked control with a shape": (control(more=LOCKED) + orient("ctl"), (*OC, "ctl")),
    "a locked group": (node("transform", "grp", "", LOCKED) + orient("grp"), OC),
    "a group below a control": (
        control() + node("transform", "grp", "ctl") + orient("grp"),
        (*OC, "ctl"),
    ),
    "a joint with a shape": (
        node("joint", "fk") + node("nurbsCurve", "fkShape", "fk") + orient("fk"),
        (*OC, "fk"),
    ),
    "a recorded joint": (node("joint", "mocap") + keyed("mocap") + orient("mocap"), OC),
    "a recorded joint below a control": (
        control() + node("joint", "mocap", "ctl") + keyed("mocap") + orient("mocap"),
        OC,
    ),
    "a still joint of a recording": (
        control()
        + node("joint", "mocap", "ctl")
        + keyed("mocap")
        + node("joint", "finger", "mocap")
        + orient("finger"),
        OC,
    ),
    "a joint that follows a control": (
        control() + node("joint", "fk") + orient("ctl", "fk", "fkc") + orient("fk"),
        (*OC, "ctl"),
    ),
    "a copied control": (
        node("transform", "ctl") + keyed("ctl") + connect("ctl.r", "arm.r"),
        ("ctl", "transform", "ctl"),
    ),
    "a copied joint": (
        node("joint", "mocap") + keyed("mocap") + connect("mocap.r", "arm.r"),
        ("mocap", "joint"),
    ),
    "a driven key": (
        control() + DRIVEN_KEY + connect("ctl.ty", "sdk.i") + connect("sdk.o", "arm.rz"),
        ("sdk", "animCurveUA", "ctl"),
    ),
    "an IK handle": (node("ikHandle", "ik") + SOLVED, ("ik", "ikHandle", "ik")),
    "an IK handle below a control": (
        control() + node("ikHandle", "ik", "ctl") + SOLVED,
        ("ik", "ikHandle", "ctl"),
    ),
    "an IK handle below a recorded joint": (
        node("joint", "mocap") + keyed("mocap") + node("ikHandle", "ik", "mocap") + SOLVED,
        ("ik", "ikHandle"),
    ),
    "a joint that another handle turns": (
        node("joint", "upper")
        + node("joint", "lower", "upper")
        + node("ikHandle", "ik")
        + SOLVED.replace('"arm"', '"lower"').replace("hip.", "upper.")
        + orient("lower"),
        (*OC, "ik"),
    ),
    "a switch": (
        control("fk")
        + control("ik")
        + node("blendColors", "switch")
        + connect("fk.r", "switch.c1")
        + connect("ik.r", "switch.c2")
        + connect("switch.op", "arm.r"),
        ("switch", "blendColors", "fk"),
    ),
    "a pair blend of keys and a control": (
        control()
        + node("pairBlend", "mix")
        + curve("own", SWING)
        + connect("own.o", "mix.irz1")
        + orient("ctl", channels="")
        + connect("oc.crz", "mix.irz2")
        + connect("mix.orz", "arm.rz"),
        (*OC, "ctl"),
    ),
    "a loop": (
        node("multiplyDivide", "a")
        + node("multiplyDivide", "b")
        + connect("a.o", "b.i1")
        + connect("b.o", "a.i1")
        + connect("a.ox", "arm.rx"),
        ("a", "multiplyDivide"),
    ),
}
"""Body of the scene and name, type and control of what drives the arm, by description."""

QUICK = "a keyed control", "a recorded joint", "a switch", "an IK handle below a control", "a loop"
"""Rigs of every outcome, which the quick set tries too."""


def some_quick(names):
    """Names as parameters; those that are not in QUICK are thorough."""
    more = pytest.mark.thorough
    return [name if name in QUICK else pytest.param(name, marks=more) for name in names]


def rig(name):
    """Body of a rig, and the driver of its arm or None."""
    body, driver = RIGS[name]
    return CHAIN + body, None if driver is None else JointDriver(*driver)
