"""An arm to project: shapes of boxes, a keyed shoulder, and what is read of it."""

from __future__ import annotations

import math

import numpy as np

from jointlimits_core.geometry.quaternion import normalize
from jointlimits_core.shapes.charts import RotationVectors, SwingTwist
from jointlimits_core.shapes.region import Box, OrientedBox
from jointlimits_core.shapes.shape import CoupledShape

SHOULDER = "arm|shoulder"
FRAMES = (1, 10, 20, 30, 40)
KEYS = {
    "rotateX": (0.0, 30.0, 80.0, -60.0, 5.0),
    "rotateY": (0.0, -20.0, 40.0, 30.0, -5.0),
    "rotateZ": (10.0, 70.0, -50.0, 20.0, 0.0),
}


def shapes(seed=3):
    """Boxes of every form that has plain nodes, by name; off centre and turned."""
    rng = np.random.default_rng(seed)
    centre = normalize(np.array([0.1, -0.2, 0.15, 1.0]))
    axis = rng.normal(size=3)
    axis /= np.linalg.norm(axis)
    axes = np.linalg.qr(rng.normal(size=(3, 3)))[0]
    low, high = np.array([-0.4, -0.3, -0.5]), np.array([0.5, 0.35, 0.2])
    return {
        "box": CoupledShape(RotationVectors(centre), Box(low, high)),
        "obb": CoupledShape(RotationVectors(centre), OrientedBox(axes, low, high)),
        "mirrored obb": CoupledShape(RotationVectors(centre), OrientedBox(-axes, low, high)),
        "swing and twist": CoupledShape(SwingTwist(centre, axis), Box(low, high)),
    }


def arm(cmds, order="zxy"):
    """A shoulder with a frame of its own and an elbow, below a group; the shoulder's name."""
    cmds.createNode("transform", name="arm")
    cmds.createNode("joint", name="shoulder", parent="arm")
    cmds.createNode("joint", name="elbow", parent=SHOULDER)
    orders = ("xyz", "yzx", "zxy", "xzy", "yxz", "zyx")
    cmds.setAttr("shoulder.rotateOrder", orders.index(order))
    cmds.setAttr("shoulder.jointOrient", 20.0, -35.0, 50.0, type="double3")
    cmds.setAttr("shoulder.rotateAxis", 5.0, 12.0, -8.0, type="double3")
    cmds.select(clear=True)
    return "shoulder"


def keyed_arm(cmds, order="zxy"):
    name = arm(cmds, order)
    for channel, values in KEYS.items():
        for frame, value in zip(FRAMES, values):
            cmds.setKeyframe(name, attribute=channel, time=frame, value=value)
    return name


def rotate_of(cmds, name="shoulder", frame=None):
    """Rotate channels in radians."""
    more = {} if frame is None else {"time": frame}
    return [math.radians(cmds.getAttr(f"{name}.rotate{axis}", **more)) for axis in "XYZ"]
