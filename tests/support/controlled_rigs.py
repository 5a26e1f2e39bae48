"""Rigs whose arm a control drives in 24 ways, with the control's limits or the reason for none."""

from __future__ import annotations

from typing import NamedTuple

from tests.support.driven_rigs import DRIVEN_KEY, SOLVED, chain, control, keyed, keys, node, orient
from tests.support.maya_scenes import connect, curve

SWING = (-20.0, 60.0)
X, Y = [(1, -25), (9, 30), (17, -10), (24, 15)], [(1, 12), (6, -18), (15, 20), (24, -15)]
Z = [(1, -40), (12, 35), (24, 5)]
FROM_KEYS = "measure the control from its own keys: estimateJointLimits -controls"


class Rig(NamedTuple):
    """A rig. `control`: its name, if limits are carried over; `reason`: words of the refusal.

    `limits`: ranges of the control's channels that follow from its keys. A ball joint has none:
    `before`, `after` are then the constants, as Euler angles in degrees, and `order` the control's.
    """

    body: str
    control: str = ""
    limits: dict | None = None
    before: tuple = (0, 0, 0)
    after: tuple = (0, 0, 0)
    order: str = "xyz"
    reason: str = ""


def triple(name, *values):
    return f'\tsetAttr ".{name}" -type "double3" {" ".join(map(str, values))};\n'


def parent(target, joint="arm"):
    """A parent constraint as Maya makes it."""
    links = (("t", "tg[0].tt"), ("r", "tg[0].tr"), ("ro", "tg[0].tro"), ("pm", "tg[0].tpm"))
    own = (("pim", "cpim"), ("ro", "cro"), ("jo", "cjo"))
    return (
        node("parentConstraint", "pc", joint)
        + "".join(connect(f"{target}.{a}", f"pc.{b}") for a, b in links)
        + "".join(connect(f"{joint}.{a}", f"pc.{b}") for a, b in own)
        + "".join(connect(f"pc.cr{axis}", f"{joint}.r{axis}") for axis in "xyz")
    )


def second_target(name, target):
    links = (("r", "tg[1].tr"), ("ro", "tg[1].tro"), ("pm", "tg[1].tpm"))
    return "".join(connect(f"{target}.{a}", f"{name}.{b}") for a, b in links)


def chosen_first(name):
    return f'\tsetAttr "{name}.tg[0].tw" 1;\n\tsetAttr "{name}.tg[1].tw" 0;\n'


MATRICES = (
    node("multMatrix", "mm")
    + node("decomposeMatrix", "dm")
    + connect("ctl.wm", "mm.i[0]")
    + connect("arm.pim", "mm.i[1]")
    + connect("mm.o", "dm.imat")
    + connect("dm.or", "arm.r")
)
GROUP = node("transform", "off", "", triple("r", 20, 30, 40))
HINGE = {"control": "ctl", "limits": {"rotateZ": SWING}}
BALL = keys("ctl", x=X, y=Y, z=Z)
OPM = '\tsetAttr ".opm" -type "matrix" 0 1 0 0 -1 0 0 0 0 0 1 0 0 0 0 1;\n'
BLENDED = (
    control("ik")
    + control()
    + keyed("ctl")
    + node("pairBlend", "mix")
    + connect("ctl.r", "mix.ir1")
    + connect("ik.r", "mix.ir2")
    + '\tsetAttr "mix.w" 0;\n'
    + connect("mix.or", "arm.r")
)
RIGS = {
    "orient constraint": Rig(chain() + control() + keyed("ctl") + orient("ctl"), **HINGE),
    "parent constraint": Rig(chain() + control() + keyed("ctl") + parent("ctl"), **HINGE),
    "direct connection": Rig(
        chain() + control() + keyed("ctl") + connect("ctl.r", "arm.r"), **HINGE
    ),
    "matrix nodes": Rig(chain() + control() + keyed("ctl") + MATRICES, **HINGE),
    "offsetParentMatrix of the control": Rig(
        chain() + control(more=OPM) + keyed("ctl") + orient("ctl"), **HINGE
    ),
    "offsetParentMatrix of the joint": Rig(
        chain() + control() + keyed("ctl") + connect("ctl.m", "arm.opm"),
        reason="ctl (transform) turns it through its offsetParentMatrix",
    ),
    "IK": Rig(
        chain(triple("r", 0, 0, 20) + triple("pa", 0, 0, 20)) + node("ikHandle", "ik") + SOLVED,
        reason="IK (ik) rotates arm",
    ),
    "FK/IK blend": Rig(chain() + BLENDED, reason="a blend or switch, mix (pairBlend), drives it"),
    "several targets": Rig(
        chain()
        + control("ik")
        + control()
        + keyed("ctl")
        + orient("ctl")
        + second_target("oc", "ik")
        + chosen_first("oc"),
        reason="oc (orientConstraint) with 2 targets drives it",
    ),
    "space switch": Rig(
        chain()
        + control("body")
        + control("world")
        + node("transform", "space")
        + control(parent="space")
        + keyed("ctl")
        + orient("body", "space", "spc").replace("space.jo", "space.ra")
        + second_target("spc", "world")
        + chosen_first("spc")
        + orient("ctl"),
        reason="spc (orientConstraint) with 2 targets switches the space of ctl, at space",
    ),
    "mirrored behaviour": Rig(
        chain(triple("jo", 180, 0, 0))
        + node("transform", "off", "", triple("r", 0, 180, 0))
        + control(parent="off")
        + keyed("ctl")
        + orient("ctl"),
        **HINGE,
    ),
    "offset group": Rig(
        chain() + GROUP + control(parent="off") + keyed("ctl") + orient("ctl"), **HINGE
    ),
    "another rotate order": Rig(
        chain('\tsetAttr ".ro" 2;\n')
        + control(more='\tsetAttr ".ro" 5;\n')
        + keyed("ctl")
        + connect("ctl.r", "arm.r"),
        **HINGE,
    ),
    "rotateAxis": Rig(
        chain() + control(more=triple("ra", 0, 0, 30)) + keyed("ctl") + orient("ctl"), **HINGE
    ),
    "jointOrient": Rig(
        chain(triple("jo", 10, 20, 30)) + control() + keyed("ctl") + connect("ctl.r", "arm.r"),
        **HINGE,
    ),
    "scaled group": Rig(
        chain()
        + node("transform", "off", "", triple("r", 0, 90, 0) + triple("s", 2, 2, 2))
        + control(parent="off")
        + keyed("ctl")
        + orient("ctl"),
        **HINGE,
    ),
    "namespace": Rig(
        chain() + control("rig:ctl") + keyed("rig:ctl") + orient("rig:ctl"),
        control="rig:ctl",
        limits={"rotateZ": SWING},
    ),
    "a control for each channel": Rig(
        chain()
        + control("one")
        + control("two")
        + keys("one", x=X)
        + keys("two", z=Z)
        + connect("one.rx", "arm.rx")
        + connect("two.rz", "arm.rz"),
        reason="the rotation between it and one changes by up to",
    ),
    "expression": Rig(
        chain()
        + control()
        + keyed("ctl")
        + node("expression", "exp", "", '\tsetAttr ".e" -type "string" "arm.rz = ctl.rz";\n')
        + connect("ctl.rz", "exp.in[0]")
        + connect("exp.out[0]", "arm.rz"),
        reason="an expression, exp (expression), drives it",
    ),
    "driven keys": Rig(
        chain()
        + control()
        + curve("ctl_ty", [(1, 0), (24, 1)], "animCurveTL")
        + connect("ctl_ty.o", "ctl.ty")
        + DRIVEN_KEY
        + connect("ctl.ty", "sdk.i")
        + connect("sdk.o", "arm.rz"),
        reason="driven keys, sdk (animCurveUA), drives it",
    ),
    "half of the turn": Rig(
        chain()
        + control()
        + keyed("ctl")
        + node("multiplyDivide", "md", "", triple("i2", 0.5, 0.5, 0.5).replace("double", "float"))
        + connect("ctl.rz", "md.i1z")
        + connect("md.oz", "arm.rz"),
        reason="the rotation between it and ctl changes by up to 20 degrees in the clip",
    ),
    "a ball in another order": Rig(
        chain() + GROUP + control(parent="off", more='\tsetAttr ".ro" 2;\n') + BALL + orient("ctl"),
        control="ctl",
        before=(20, 30, 40),
        order="zxy",
    ),
    "a ball with the same axes": Rig(
        chain() + control() + BALL + connect("ctl.r", "arm.r"),
        control="ctl",
        limits={"rotateX": (-25, 30), "rotateY": (-18, 20), "rotateZ": (-40, 35)},
    ),
    "a universal joint": Rig(
        chain() + control() + keys("ctl", y=Y, z=Z) + orient("ctl"),
        control="ctl",
        limits={"rotateY": (-18, 20), "rotateZ": (-40, 35)},
    ),
}
