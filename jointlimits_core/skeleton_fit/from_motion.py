"""Joints of a motion as loose bodies, for tests and solved sources."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..base import EstimationError, Finding
from ..geometry import Floats, quaternion_from_matrix
from ..motion import Motion
from .tracks import BodyTracks


def bodies_from_motion(
    motion: Motion,
    joints: Sequence[str] | None = None,
    *,
    meters_per_unit: float | None = None,
) -> BodyTracks:
    """World positions and rotations of joints, as body tracks.

    Tracks are in metres, with scale removed from the rotations. Raises KeyError, ValueError for an
    unknown joint, listing the known ones. Raises EstimationError naming the joint, if scale mirrors
    or flattens its axes.

    Parameters
    ----------
    joints : sequence of str, optional
        Joints that become bodies; by default all.
    meters_per_unit : float, optional
        By default the skeleton's unit, or else 0.01 (Maya's centimetres) with a finding.
    """
    names = motion.joint_names if joints is None else tuple(joints)
    chosen = [motion.skeleton.index(name) for name in names]
    world = motion.all_world_matrices()[:, chosen]
    findings = motion.findings
    scale = meters_per_unit or motion.skeleton.meters_per_unit
    if scale is None:
        scale = 0.01
        message = "The file does not state its unit of length; centimetres are assumed."
        findings = (*findings, Finding("unit-not-given", message, clip=motion.name))
    return BodyTracks(
        names,
        np.ascontiguousarray(np.moveaxis(world[..., :3, 3], 0, 1)) * scale,
        np.ascontiguousarray(np.moveaxis(_without_scale(world, names), 0, 2)),
        motion.frame_rate,
        name=motion.name,
        frames=motion.frames,
        source=motion.source,
        findings=findings,
        # BVH, AMC and Maya scenes have Y up unless told otherwise by the caller.
        up="y",
    )


def _without_scale(world: Floats, names: Sequence[str]) -> Floats:
    """Rotations of world matrices, (frames, joints, 4)."""
    turns = world[..., :3, :3]
    handed = np.linalg.det(turns)
    if not (handed > 0.0).all():
        joint = names[int(np.argwhere(~(handed > 0.0))[0, 1])]
        raise EstimationError(f"axes of joint {joint!r} are mirrored or flattened by its scale")
    return quaternion_from_matrix(turns / np.linalg.norm(turns, axis=-2, keepdims=True))
