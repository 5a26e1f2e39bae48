"""Where the joints of a limit set are: limits say how joints turn, not where they stand."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ..errors import InputError
from ..formats.asf import read_asf
from ..formats.read import read_motion
from ..formats.read_limits import DEFAULT_LIMITS, ReadLimits
from ..formats.source import FilePath, source_file
from ..limits.limit_set import ClipRecord, LimitSet
from ..motion import Motion
from ..motion_batch.one_skeleton import skeleton_beside
from ..skeleton import Skeleton
from .loss import Loss, losses_of

ADVICE = (
    "limits do not say where the joints are; name the motion they were estimated from with "
    "--motion FILE, or its skeleton with --skeleton FILE"
)

STILL = 1e-5
"""Joints that are nearer to where they rest, as a share of the figure, do not move."""


@dataclass(frozen=True, eq=False)
class Placement:
    """Where joints are.

    Parameters
    ----------
    path : str
        The file that says so; of an AMC motion with its skeleton, for people.
    losses : tuple of Loss
        What a skeleton cannot hold of a motion.
    """

    skeleton: Skeleton
    path: str
    losses: tuple[Loss, ...] = ()


def named_skeleton(
    motion: FilePath | None, skeleton: FilePath | None, limits: ReadLimits = DEFAULT_LIMITS
) -> Placement | None:
    """Skeleton of the files that were named.

    Parameters
    ----------
    motion : path-like or str, optional
        Any motion that can be read.
    skeleton : path-like or str, optional
        The ASF file of an AMC motion, if not the one beside it; without a motion, an ASF file or
        any motion.

    Returns
    -------
    Placement, or None if neither is named

    Raises
    ------
    InputError
    """
    if motion is not None:
        asf = skeleton or _asf_beside(motion)[0]
        return _placement(read_motion(motion, skeleton=asf, limits=limits), motion, asf)
    if skeleton is None:
        return None
    if os.fspath(skeleton).lower().endswith(".asf"):
        return Placement(read_asf(skeleton, limits), os.fspath(skeleton))
    return _placement(read_motion(skeleton, limits=limits), skeleton)


def recorded_skeleton(
    limit_set: LimitSet, limits_path: FilePath, limits: ReadLimits = DEFAULT_LIMITS
) -> Placement:
    """Skeleton of a clip that the limits were estimated from, if it is still there, unchanged.

    Parameters
    ----------
    limits_path : path-like or str
        The file of the limits: clips are looked for where they were, and beside it.

    Raises
    ------
    InputError
        If there is none: with what to do.
    """
    without = ""
    for clip in limit_set.clips:
        for path in _places(clip, limits_path):
            try:
                if source_file(path).sha256 != clip.sha256:
                    continue
                asf, why_not = _asf_beside(path)
                without = without or why_not
                return _placement(read_motion(path, skeleton=asf, limits=limits), path, asf)
            except InputError:
                # An AMC without its skeleton, or a file that is not for us to read: the next one.
                continue
    raise InputError(limits_path, ADVICE + without)


def _asf_beside(motion: FilePath) -> tuple[str | None, str]:
    """The skeleton beside an AMC motion, as manifests find it, or why there is none."""
    path = Path(motion)
    if path.suffix.lower() != ".amc":
        return None, ""
    try:
        return os.fspath(path.parent / skeleton_beside(path)), ""
    except (ValueError, OSError) as error:
        return None, f" ({path.name!a} is there, but {error})"


def _placement(motion: Motion, path: FilePath, asf: FilePath | None = None) -> Placement:
    words = (
        "the motion moves the joint relative to its parent, or scales it; it is written where the "
        "rest pose has it"
    )
    moving = [motion.joint_names[joint] for joint in _moving(motion)]
    losses = losses_of([("moving-joint", words, moving)])
    shown = os.fspath(path) if asf is None else f"{os.fspath(path)} with {os.fspath(asf)}"
    return Placement(motion.skeleton, shown, losses)


def _moving(motion: Motion) -> list[int]:
    """Joints that are anywhere but where they rest, in any frame; a root may be."""
    bones = motion.skeleton
    extent = float(np.abs(np.ptp(bones.rest_world_matrices()[:, :3, 3], axis=0)).max())
    rests = ((motion.translations, bones.offsets, extent), (motion.scales, bones.scales, 1.0))
    found = set()
    for channels, rest, size in rests:
        for joint, values in channels.items():
            if np.abs(values - rest[joint]).max() > STILL * size and not bones.is_root(joint):
                found.add(joint)
    for joint, values in motion.between.items():
        if np.abs(values - values[:1]).max() > STILL * extent and not bones.is_root(joint):
            found.add(joint)
    return sorted(found)


def _places(clip: ClipRecord, limits_path: FilePath) -> Iterator[str]:
    """Regular files that may be the clip; anything else could block whoever opens it."""
    if clip.file is None or clip.sha256 is None or "\0" in clip.file:
        return
    beside = Path(limits_path).parent / Path(clip.file).name
    for path in dict.fromkeys((clip.file, os.fspath(beside))):
        if os.path.isfile(path):
            yield path
