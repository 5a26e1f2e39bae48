"""A limit set written into a copy of a Maya ASCII scene."""

from __future__ import annotations

import os
from collections.abc import Mapping

from ...joint_frame import CHANNELS
from ...limits.limit_set import JointLimit, LimitSet
from .writer import JointChange, WriteReport, write_joint_attributes


def apply_limit_set(
    limit_set: LimitSet,
    scene_path: str | os.PathLike[str],
    out_path: str | os.PathLike[str],
    *,
    replace: bool = False,
    lock_unmoved: bool = False,
) -> WriteReport:
    """Write joint limits, degrees of freedom and preferred angles into a copy of a scene.

    Parameters
    ----------
    limit_set : LimitSet
        Of the standard mode.
    scene_path, out_path : path-like
    replace : bool
        Replace limits that joints already have.
    lock_unmoved : bool
        Also write joints that nothing in the source animates.

    Returns
    -------
    WriteReport

    Raises
    ------
    MayaAsciiError
        As :func:`~jointlimits_core.formats.maya_ascii.writer.write_joint_attributes`.
    ValueError
        For a limit set of the paper's mode.
    """
    if limit_set.mode == "paper":
        raise ValueError("limits of the paper's mode are on ZYZ angles, not on rotate channels")
    changes = changes_from_limit_set(limit_set, lock_unmoved)
    return write_joint_attributes(scene_path, out_path, changes, replace=replace)


def changes_from_limit_set(limit_set: LimitSet, lock_unmoved: bool) -> Mapping[str, JointChange]:
    """Changes of every joint that has at least one limited or locked channel."""
    return {
        name: _change(joint)
        for name, joint in limit_set.joints.items()
        if (joint.animated or lock_unmoved)
        and any(joint.limits[channel].state != "free" for channel in CHANNELS)
    }


def _change(joint: JointLimit) -> JointChange:
    return JointChange(
        limits_deg={
            channel: (joint.limits[channel].min_deg, joint.limits[channel].max_deg)
            for channel in CHANNELS
        },
        joint_type={
            f"jointType{channel[-1]}": joint.limits[channel].state != "locked"
            for channel in CHANNELS
        },
        preferred_angle_deg=joint.preferred_deg,
    )
