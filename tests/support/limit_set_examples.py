"""A small character with one joint of each type, its motion and its limits, made by hand."""

from __future__ import annotations

import dataclasses
import json

import numpy as np

from jointlimits_core.base.findings import Finding
from jointlimits_core.geometry.euler import quaternion_from_euler
from jointlimits_core.limits.limit_set import (
    AxisLimit,
    AxisSource,
    BoundSource,
    ClipRecord,
    Evidence,
    Hinge,
    JointLimit,
    LimitSet,
    Orientation,
    RestPose,
    Universal,
)
from jointlimits_core.motion.motion import Motion

NAMES = ("root", "knee", "ankle", "hip", "tail")
CHANNELS = ("rotateX", "rotateY", "rotateZ")
FREE = AxisLimit("free")


def span(low, high, clip="walk"):
    sources = [BoundSource("observed", clip, 3.0, value, 2) for value in (low, high)]
    return AxisLimit("limited", low, high, 360.0 - (high - low), AxisSource(*sources))


def lock(value=0.0):
    return AxisLimit("locked", value, value, 360.0)


def evidence(residuals, runner_up, sure="clear"):
    types = ("fixed", "hinge", "universal", "ball")
    return Evidence(dict(zip(types, residuals)), runner_up, 1.5, (30.0, 4.0, 0.5), 0.2, 200, sure)


def joint(kind, axes, parent="root", **fields):
    """A joint limit with everything that is not asked for left plain."""
    pose = RestPose((0.0, 0.0, 0.0), True, 0.0)
    given = {
        "evidence": evidence((30.0, 4.0, 0.3, 0.0), "universal"),
        "orientation": Orientation("xyz", (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)),
        "limits": dict(zip(CHANNELS, axes)),
        "rest": pose,
        "remedies": {"nearest-pose": pose, "middle": pose, "circular-mean": None},
        "preferred_deg": (0.0, 0.0, 0.0),
        **fields,
    }
    return JointLimit(type=kind, parent=parent, **given)


def limit_set(**changes):
    hinge = Hinge((1.0, 0.0, 0.0), (1.0, 0.0, 0.0), "rotateX", 0.0, 0.0, 140.0)
    universal = Universal((0.0, 0.0, 1.0), (1.0, 0.0, 0.0))
    flip = Finding("euler-flip", "changes branch", "hip", "walk", ((7.0, 9.0), (12.0, 12.0)))
    joints = {
        "root": joint("ball", (FREE, FREE, FREE), parent=None),
        "knee": joint(
            "hinge",
            (span(0.0, 140.0), lock(), lock()),
            hinge=hinge,
            evidence=evidence((40.0, 0.3, None, None), "universal", "close"),
        ),
        "ankle": joint(
            "universal", (span(-20.0, 40.0), lock(), span(-10.0, 10.0)), universal=universal
        ),
        "hip": joint(
            "ball",
            (span(-30.0, 90.0), span(-20.0, 20.0), span(150.0, 210.0)),
            rest=RestPose((0.0, 0.0, 100.0), False, 50.0),
            findings=(flip,),
        ),
        "tail": joint(
            "fixed", (lock(), lock(), lock(7.1)), evidence=evidence((0,) * 4, None, "no motion")
        ),
    }
    clip = ClipRecord("walk", "walk.bvh", "ab" * 32, 200, 1.0, 200.0, 30.0)
    made = LimitSet("person", joints, (clip,), "bind", options={"pad_deg": 0.0, "joints": ["*"]})
    return dataclasses.replace(made, **changes)


def rotate_deg(frames=200):
    """Rotate channels of :func:`motion`, (frames, joints, 3); the hip's Z crosses 180 degrees."""
    t = np.linspace(0.0, 2.0 * np.pi, frames)
    angles = np.zeros((frames, len(NAMES), 3))
    angles[:, 0] = np.stack([20 * np.sin(t), 170 * np.sin(2 * t), 5 * np.cos(t)], axis=-1)
    angles[:, 1, 0] = 70.0 - 70.0 * np.cos(t)
    angles[:, 2, 0] = 10.0 + 30.0 * np.sin(t)
    angles[:, 2, 2] = 10.0 * np.cos(3.0 * t)
    angles[:, 3] = np.stack(
        [30 + 60 * np.sin(t), 20 * np.cos(2 * t), 180 + 30 * np.sin(3 * t)], axis=-1
    )
    angles[:, 4, 2] = 7.1
    return angles


def motion(name="walk", frames=200, names=NAMES):
    """The clip that the limits of :func:`limit_set` belong to, frames 1, 2, 3, ..."""
    quaternions = quaternion_from_euler(np.radians(rotate_deg(frames)))
    return Motion.from_quaternions(
        names, (-1, 0, 1, 0, 0), quaternions, 30.0, frames=np.arange(1.0, frames + 1), name=name
    )


def with_value(path, value):
    """JSON of the example with another value at a path, or without it if that is None."""
    data = holder = json.loads(limit_set().to_json())
    for key in path[:-1]:
        holder = holder[key]
    holder[path[-1]] = value
    if value is None:
        del holder[path[-1]]
    return json.dumps(data)
