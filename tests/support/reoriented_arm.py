"""An arm of three joints with keys, and orientations that its joints may get."""

from __future__ import annotations

import numpy as np

from jointlimits_core.geometry.euler import ROTATE_ORDERS
from jointlimits_core.geometry.quaternion import normalize
from jointlimits_core.motion.reorient import OrientAdvice, degrees_of
from tests.support.house_files import ROOT
from tests.support.maya_scenes import connect, curve

EXAMPLE = ROOT / "examples" / "humanoid_rom.ma"
TURNED = OrientAdvice("R", "zxy", (20.0, -50.0, 70.0), (35.0, 10.0, -15.0))

ARM = (
    'createNode transform -n "rig";\n'
    'createNode joint -n "upper" -p "rig";\n'
    '\trename -uid "1";\n'
    '\tsetAttr ".t" -type "double3" 1 2 3 ;\n'
    '\tsetAttr ".jo" -type "double3" 10 20 30 ; // as it was\n'
    '\tsetAttr ".bps" -type "matrix" 1 0 0 0 0 1 0 0\n\t\t 0 0 1 0 1 2 3 1;\n'
    '\tsetAttr ".radi" 0.5;\n'
    'createNode joint -n "lower" -p "upper";\n'
    '\trename -uid "2";\n'
    '\tsetAttr ".t" -type "double3" 10 0 0 ;\n'
    '\tsetAttr ".mnrl" -type "double3" -360 -360 -360 ;\n'
    '\tsetAttr ".mxrl" -type "double3" 360 360 360 ;\n'
    'createNode joint -n "hand" -p "lower";\n'
    '\tsetAttr ".t" -type "double3" 8 0 1 ;\n'
    'createNode transform -n "prop" -p "lower";\n'
    '\tsetAttr ".r" -type "double3" 5 6 7 ;\n'
    '\tsetAttr ".ro" 2;\n'
    '\tsetAttr ".rp" -type "double3" 1 0 2 ;\n'
    '\tsetAttr ".sp" -type "double3" 1 0 2 ;\n'
)
ARM_KEYS = (
    curve("lower_rotateX", [(1, 0), (7, 60), (12, -20)], tangent=18)
    + '\tsetAttr -s 3 ".kit[0:2]"  18 18 18;\n\tsetAttr -s 3 ".kot[0:2]"\n\t\t 18 18 18;\n'
    + curve("lower_rotateZ", [(3, 0), (9.5, 40)], tangent=2)
    + curve("prop_translateX", [(2, 0), (6, 4)], kind="animCurveTL", tangent=18)
    + 'select -ne :time1;\n\tsetAttr ".o" 1;\n'
)
ARM_LINKS = (
    connect("upper.s", "lower.is")
    + connect("lower_rotateX.o", "lower.rx")
    + connect("lower_rotateZ.o", "lower.rz")
    + connect("prop_translateX.o", "prop.tx")
    + "// End of scene\n"
)


def random_advice(names, seed, mode="R"):
    """Any frames and orders at all: not advice that makes sense, but nothing may move."""
    random = np.random.default_rng(seed)
    return {
        name: OrientAdvice(
            "R",
            ROTATE_ORDERS[random.integers(6)],
            degrees_of(normalize(random.normal(size=4))),
            degrees_of(normalize(random.normal(size=4))),
        ).in_mode(mode)
        for name in names
    }
