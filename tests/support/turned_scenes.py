"""Scenes whose knee turns in other ways than by its rotate channels, or only seems to."""

from __future__ import annotations

from typing import NamedTuple

from tests.support.maya_scenes import connect, curve

SWING = ((1, 5), (30, 65), (60, 5))
STEP_FRAMES = 5
"""Code of stepped tangents."""


class Case(NamedTuple):
    """A scene.

    `rule`: of the finding about the knee, None if nothing is wrong with it; `words`: in its
    message; `limits`: range of the knee's rotateX, None for no limits on any channel, "still" for
    locks that are only written on request.
    """

    body: str
    rule: str | None = None
    words: str = ""
    limits: object = "still"


def key(plug, keys=SWING, kind="animCurveTA", **more):
    """A curve on a plug."""
    name = plug.replace(".", "_")
    return curve(name, keys, kind, **more) + connect(f"{name}.o", plug)


def leg(*, knee="", below="hips", between="", above=""):
    """Hips, knee and foot, of which the foot turns."""
    root = ' -p "world"' if above else ""
    return (
        f'{above}createNode joint -n "hips"{root};\n{between}'
        f'createNode joint -n "knee" -p "{below}";\n\tsetAttr ".t" 0 -40 0;\n{knee}'
        'createNode joint -n "foot" -p "knee";\n\tsetAttr ".t" 0 -40 0;\n'
        + key("foot.rx", ((1, 0), (20, 20), (40, -20), (60, 0)))
    )


def group(name, parent="hips"):
    """A transform below another node."""
    return f'createNode transform -n "{name}" -p "{parent}";\n'


OFF = leg(between=group("off"), below="off")
TWO = leg(between=group("off") + group("more", "off"), below="more")
CONTROL = 'createNode transform -n "ctrl";\n'
COMPOSED = 'createNode composeMatrix -n "cm";\n' + connect("cm.omat", "knee.opm")
BESIDES, ORIENTATION = "turned-besides", "moving-orientation"
WORLD = 'createNode transform -n "world";\n'
DRIVEN = curve("sdk", ((0, 0), (90, 60)), "animCurveUA") + connect("sdk.o", "off.rx")
DRIVEN += connect("ctrl.tx", "sdk.i")
ENUM = {"kind": "animCurveTU", "tangent": STEP_FRAMES}
TURNED_BACK = tuple((time, -value) for time, value in SWING)

CASES = {
    "opm-composed": Case(leg() + COMPOSED + key("cm.irx"), BESIDES, "'cm'", None),
    "opm-of-control": Case(
        leg() + CONTROL + key("ctrl.rx") + connect("ctrl.m", "knee.opm"),
        BESIDES,
        "'ctrl' (transform) through its offsetParentMatrix",
        None,
    ),
    "opm-only-moves": Case(leg() + COMPOSED + key("cm.itx", kind="animCurveTL")),
    "opm-control-only-moves": Case(
        leg() + CONTROL + key("ctrl.tx", kind="animCurveTL") + connect("ctrl.m", "knee.opm")
    ),
    "opm-of-still-control": Case(leg() + CONTROL + connect("ctrl.m", "knee.opm")),
    "opm-stored": Case(
        leg(knee='\tsetAttr ".opm" -type "matrix" 0 1 0 0 -1 0 0 0 0 0 1 0 0 0 0 1;\n')
    ),
    "opm-of-group": Case(
        OFF + CONTROL + key("ctrl.rx") + connect("ctrl.m", "off.opm"), BESIDES, "'off'", None
    ),
    "group": Case(OFF + key("off.ry"), BESIDES, "60.0 degrees", None),
    "two-groups": Case(
        TWO + key("off.ry") + key("more.rz", ((1, 0), (60, 30))), BESIDES, "'more'", None
    ),
    "two-groups-that-cancel": Case(TWO + key("off.ry") + key("more.ry", TURNED_BACK)),
    "group-only-moves": Case(OFF + key("off.tx", kind="animCurveTL")),
    "group-with-flat-keys": Case(OFF + key("off.rx", ((1, 30), (60, 30)))),
    "group-after-the-keys": Case(OFF + key("off.rx", ((100, 0), (120, 50))), BESIDES, "", None),
    "group-above-the-root": Case(leg(above=WORLD) + key("world.ry")),
    "group-rotate-axis": Case(OFF + key("off.rax"), BESIDES, "'off'", None),
    "group-rotate-order": Case(
        OFF.replace('"off" -p "hips";\n', '"off" -p "hips";\n\tsetAttr ".r" 30 40 50;\n')
        + key("off.ro", ((1, 0), (31, 5)), **ENUM),
        BESIDES,
        "'off'",
        None,
    ),
    "driven-key": Case(
        OFF + CONTROL + key("ctrl.tx", ((1, 0), (60, 90)), "animCurveTL") + DRIVEN,
        BESIDES,
        "'off'",
        None,
    ),
    "driven-key-at-rest": Case(OFF + CONTROL + DRIVEN),
    "joint-orient": Case(leg() + key("knee.joy"), ORIENTATION, "jointOrientY", None),
    "rotate-axis": Case(leg() + key("knee.rax"), ORIENTATION, "rotateAxisX", None),
    "inherits": Case(
        leg() + key("knee.it", ((1, 1), (31, 0)), **ENUM), ORIENTATION, "inheritsTransform", None
    ),
    "bad-order": Case(
        leg(knee='\tsetAttr ".ro" 7;\n') + key("knee.rx"), ORIENTATION, "expected 0 to 5", None
    ),
    "bad-order-keyed": Case(
        leg() + key("knee.rx") + key("knee.ro", ((1, 0), (31, 9)), **ENUM),
        ORIENTATION,
        "rotateOrder is 9",
        None,
    ),
    "joint-orient-and-channels": Case(
        leg() + key("knee.joy") + key("knee.rx"), ORIENTATION, "'knee_joy'", None
    ),
    "order": Case(
        leg() + key("knee.rx") + key("knee.ro", ((1, 0), (31, 5)), **ENUM),
        "changing-rotate-order",
        "order xyz",
        (5.0, 65.0),
    ),
    "order-from-control": Case(
        leg() + CONTROL + key("knee.rx") + connect("ctrl.ro", "knee.ro"), limits=(5.0, 65.0)
    ),
    "group-and-hardly-the-channels": Case(
        OFF + key("off.ry") + key("knee.rx", ((1, 0), (30, 0.3), (60, 0))), BESIDES, "", None
    ),
    "group-and-channels": Case(
        OFF + key("off.ry") + key("knee.rx", ((1, 0), (30, 8), (60, 0))),
        BESIDES,
        "60.0 degrees",
        (0.0, 8.0),
    ),
}
