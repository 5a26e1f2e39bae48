"""Fit of a joint to its sources, as keyed attributes of the joint.

Plain numbers, whatever the scene's units; the attribute names give the unit.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import maya.api.OpenMaya as om
import numpy as np

from jointlimits_core.arrays import Floats
from jointlimits_core.bodies.body_fit import BodyFit
from jointlimits_core.bodies.residuals import joint_gaps
from jointlimits_core.bodies.slip import BodySlip

from .all_keys import AllKeys, add_curve
from .curve_values import KeyList
from .drivers import CurveOverTime, Drivers
from .plugs import find_plug
from .scene_edit import SceneEdit
from .skeleton_chain import Chain
from .skeleton_results import JointQuality

RESIDUAL, SLIP, SLIP_ANGLE = "residualMillimeters", "slipMillimeters", "slipDegrees"
ATTRIBUTES = {RESIDUAL: "rmm", SLIP: "smm", SLIP_ANGLE: "sdg"}
"""Long and short names."""
MILLIMETERS = 1000.0


def put_quality(edit: SceneEdit, chain: Chain, fit: BodyFit) -> None:
    """Add the keyed attributes of a chain's joints to an edit.

    Parameters
    ----------
    chain : Chain
        Created by the same edit; its motion's joints have the names of the bodies.
    """
    frames = fit.tracks.frames
    for joint, body in enumerate(chain.motion.joint_names):
        edit.modify(partial(_add, chain, joint), when_reached=True)
        if chain.parents[joint] >= 0:
            gaps = gaps_mm(fit, body)
            seen = np.isfinite(gaps)
            _key(edit, chain, joint, RESIDUAL, AllKeys(frames[seen], gaps[seen]))
        slips = [slip for slip in fit.slips if slip.body == body]
        if slips:
            times, lengths, angles = _steps(float(frames[0]), slips)
            _key(edit, chain, joint, SLIP, AllKeys(times, lengths, stepped=True))
            _key(edit, chain, joint, SLIP_ANGLE, AllKeys(times, angles, stepped=True))


def gaps_mm(fit: BodyFit, body: str) -> Floats:
    """Gap of the joint between a body and its parent, shape (frames,), millimetres.

    NaN for frames that the fit did not use: their gap says nothing about the joint.
    """
    joint = fit.joint(body)
    gaps = joint_gaps(
        fit.tracks,
        np.array([joint.child]),
        np.array([joint.parent]),
        joint.centre_in_child[None],
        joint.centre_in_parent[None],
    )
    lengths = MILLIMETERS * np.linalg.norm(gaps[0], axis=1)
    return np.where(fit.used[joint.child] & fit.used[joint.parent], lengths, np.nan)


def is_built(node: om.MObject) -> bool:
    """Whether a node is a joint that was built from tracks."""
    return bool(om.MFnDependencyNode(node).hasAttribute(RESIDUAL))


def quality_of(joint: om.MObject) -> JointQuality | None:
    """Fit of a joint, from its attributes; None without them."""
    if not is_built(joint):
        return None
    gaps, lengths, angles = (_keys(joint, name) for name in ATTRIBUTES)
    slips = () if lengths is None else _slips(lengths, angles)
    if gaps is None:
        return JointQuality(np.zeros(0), np.zeros(0), slips)
    return JointQuality(gaps.frames, gaps.values, slips)


def _add(chain: Chain, joint: int, modifier: om.MDGModifier) -> None:
    for long, short in ATTRIBUTES.items():
        number = om.MFnNumericAttribute()
        attribute = number.create(long, short, om.MFnNumericData.kDouble, 0.0)
        number.keyable = True
        modifier.addAttribute(chain.made[joint], attribute)


def _key(edit: SceneEdit, chain: Chain, joint: int, attribute: str, keys: AllKeys) -> None:
    plug = partial(chain.plug, joint, attribute)
    add_curve(edit, plug, "animCurveTU", f"{chain.names[joint]}_{attribute}", keys)


def _steps(first: float, slips: Sequence[BodySlip]) -> tuple[Floats, Floats, Floats]:
    """Frames, millimetres and degrees: zero at first, and from each slip on its size."""
    known = [slip.angle_deg if np.isfinite(slip.angle_deg) else 0.0 for slip in slips]
    lengths = [MILLIMETERS * slip.distance_m for slip in slips]
    times = [first, *(slip.frame for slip in slips)]
    return np.array(times), np.array([0.0, *lengths]), np.array([0.0, *known])


def _keys(joint: om.MObject, attribute: str) -> KeyList | None:
    curve = Drivers(solved={}).of(find_plug(joint, attribute))
    return KeyList.of(curve) if isinstance(curve, CurveOverTime) else None


def _slips(lengths: KeyList, angles: KeyList | None) -> tuple[tuple[float, float, float], ...]:
    turned = np.zeros(len(lengths.frames)) if angles is None else angles.at(lengths.frames)
    rows = zip(lengths.frames.tolist(), lengths.values.tolist(), turned.tolist())
    return tuple(rows)[1:]
