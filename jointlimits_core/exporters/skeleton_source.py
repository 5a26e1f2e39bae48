"""Joint positions for a limit set, which itself only says how joints rotate."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ..base.errors import InputError
from ..formats.asf import read_asf, skeleton_beside
from ..formats.registry import needs_skeleton, read_motion, read_takes
from ..io.input import DEFAULT_LIMITS, FilePath, ReadLimits, source_file
from ..limits.limit_set import ClipRecord, LimitSet
from ..motion.motion import Motion
from ..motion.skeleton import Skeleton
from .losses import Loss, losses_of

ADVICE = (
    "limits do not contain joint positions; give the motion they were estimated from with "
    "--motion FILE, or its skeleton with --skeleton FILE"
)

MAX_STILL_SHARE = 1e-5
"""A joint counts as still if it stays this close to its rest position, as a share of the figure's
size."""


@dataclass(frozen=True, eq=False)
class Placement:
    """A skeleton with joint positions, and its source.

    `path`: source file as shown to users, with the skeleton file of an AMC motion. `losses`: motion
    that a skeleton cannot hold.
    """

    skeleton: Skeleton
    path: str
    losses: tuple[Loss, ...] = ()


def named_skeleton(
    motion: Motion | FilePath | None, skeleton: FilePath | None, limits: ReadLimits = DEFAULT_LIMITS
) -> Placement | None:
    """Skeleton from the named files, or from a motion that has been read.

    `motion`: any readable motion. `skeleton`: ASF file of an AMC motion, if not the one next to it;
    without a motion, an ASF file or any motion. Returns None if neither is named. Raises InputError
    if a file cannot be read.
    """
    if isinstance(motion, Motion):
        return _placement(motion, motion.name)
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
    """Skeleton of the first unchanged clip among those that the limits were estimated from.

    `limits_path`: file of the limits; clips are looked for at their recorded paths and next to it.
    Raises InputError, with the next step in the message, if none is found.
    """
    without = ""
    for clip in limit_set.clips:
        for path in _places(clip, limits_path):
            try:
                if source_file(path).sha256 != clip.sha256:
                    continue
                asf, why_not = _asf_beside(path)
                without = without or why_not
                motion = read_motion(
                    path, skeleton=asf, limits=limits, controls=limit_set.of_controls
                )
                return _placement(motion, path, asf)
            except InputError:
                # An AMC without its skeleton, or an unreadable file: try the next one.
                continue
    raise InputError(limits_path, ADVICE + without)


def recorded_motions(
    limit_set: LimitSet, limits_path: FilePath, limits: ReadLimits = DEFAULT_LIMITS
) -> list[Motion]:
    """Clips that the limits were estimated from, at their recorded paths or next to the limits.

    Raises InputError for a clip that is missing or has changed.
    """
    found = []
    for clip in limit_set.clips:
        same = (p for p in _places(clip, limits_path) if source_file(p).sha256 == clip.sha256)
        path = next(same, None)
        if path is None:
            raise InputError(
                limits_path,
                f"clip {clip.name!r} is not in this folder or next to the limits, or has changed; "
                "run the command in the clips' folder, or estimate again",
            )
        skeleton, controls = _asf_beside(path)[0], limit_set.of_controls
        takes = read_takes(path, skeleton, limits=limits, controls=controls)
        found.append(next((take for take in takes if take.name == clip.name), takes[0]))
    return found


def _asf_beside(motion: FilePath) -> tuple[str | None, str]:
    """Skeleton next to an AMC motion, chosen as for manifests, and the reason if there is none."""
    path = Path(motion)
    if not needs_skeleton(path):
        return None, ""
    try:
        return os.fspath(path.parent / skeleton_beside(path)), ""
    except (ValueError, OSError) as error:
        return None, f" ({path.name!a} exists, but {error})"


def _placement(motion: Motion, path: FilePath, asf: FilePath | None = None) -> Placement:
    """Joint positions of a motion; a loss lists the joints, except roots, that move away."""
    words = (
        "the motion translates the joint relative to its parent, or scales it; the joint is "
        "written at its rest position"
    )
    bones = motion.skeleton
    extent = float(np.abs(np.ptp(bones.rest_world_matrices()[:, :3, 3], axis=0)).max())
    moves = [(at, values - bones.offsets[at], extent) for at, values in motion.translations.items()]
    moves += [(at, values - bones.scales[at], 1.0) for at, values in motion.scales.items()]
    moves += [(at, values - values[:1], extent) for at, values in motion.between.items()]
    moving = {at for at, by, size in moves if np.abs(by).max() > MAX_STILL_SHARE * size}
    names = [bones.names[joint] for joint in sorted(moving) if not bones.is_root(joint)]
    losses = tuple(losses_of({"moving-joint": words}, {"moving-joint": names}))
    shown = os.fspath(path) if asf is None else f"{os.fspath(path)} with {os.fspath(asf)}"
    return Placement(bones, shown, losses)


def _places(clip: ClipRecord, limits_path: FilePath) -> Iterator[str]:
    """Regular files that may be the clip; opening anything else could block."""
    if clip.file is None or clip.sha256 is None or "\0" in clip.file:
        return
    beside = Path(limits_path).parent / Path(clip.file).name
    for path in dict.fromkeys((clip.file, os.fspath(beside))):
        if os.path.isfile(path):
            yield path
