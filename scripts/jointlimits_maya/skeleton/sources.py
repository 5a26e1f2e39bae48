"""Choice of the tracked transforms for a skeleton, and their samples in world space."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from maya import cmds

from jointlimits_core.base.progress import Progress
from jointlimits_core.geometry.arrays import Floats
from jointlimits_core.skeleton_fit.tracks import BodyTracks

from ..base.host import SceneError
from ..base.open_maya import om
from ..read.drivers import Drivers, Samples
from ..read.motion import scene_name
from ..scene import joints, preserve
from ..scene.plugs import Attributes, source_of
from ..scene.time import TimeChoice, frames_per_second
from .quality import is_built

TRACKS = joints.Wording(
    "is not a transform",
    "give the names of the tracked locators, groups or joints",
    "select the tracked locators, groups or joints, or a group above them",
)
_KINDS = ["transform", "joint"]
"""Node types that can be tracked; constraints and IK handles are transforms, but cannot be."""


def tracked_transforms(names: Sequence[str] = ()) -> list[om.MDagPath]:
    """Transforms to track, each once, in the order given.

    `names`: a transform that nothing moves stands for the moving transforms below it, if any.
    Default: the selection. Raises SceneError if a node does not exist or is not a transform, or if
    nothing is selected.
    """
    tops = joints.named_transforms(names, TRACKS) if names else joints.selected_transforms(TRACKS)
    tops = [str(top) for top in cmds.ls(tops, long=True, exactType=_KINDS) or ()]
    if not tops:
        raise SceneError(f"constraints and IK handles are not tracks; {TRACKS.what_to_do()}")
    solved = Drivers().solved
    found: dict[str, om.MDagPath] = {}
    for top in tops:
        path = om.MDagPath.getAPathTo(joints.node_of(top))
        below = []
        above = om.MDagPath(path)
        while above.length() > 1 and not _is_driven(above, solved):
            above.pop()
        if not _is_driven(above, solved):  # nothing drives the node or its parents
            inside = cmds.ls(top, dagObjects=True, long=True, exactType=_KINDS) or ()
            every = (om.MDagPath.getAPathTo(joints.node_of(name)) for name in inside if name != top)
            below = [one for one in every if _is_driven(one, solved)]
        for one in below or [path]:
            found.setdefault(str(one.fullPathName()), one)
    return list(found.values())


def separate_built(sources: Sequence[om.MDagPath]) -> tuple[list[om.MDagPath], list[om.MDagPath]]:
    """Separate tracks from joints that were built from tracks and move with them.

    Raises SceneError if there are only built joints.
    """
    built = [path for path in sources if is_built(path.node())]
    tracks = [path for path in sources if not is_built(path.node())]
    if not tracks:
        names = source_names(built)
        what = "is a joint" if len(names) == 1 else f"and {len(names) - 1} more are joints"
        raise SceneError(
            f"{names[0]!r} {what} of a skeleton that was built from tracks; {TRACKS.what_to_do()}"
        )
    return tracks, built


def source_names(sources: Sequence[om.MDagPath]) -> list[str]:
    """Names of sources: short name with namespace, or full path if several share that name."""
    paths = [str(path.fullPathName()) for path in sources]
    short = [joints.short_name(path) for path in paths]
    return [path if short.count(name) > 1 else name for path, name in zip(paths, short)]


def _is_driven(path: om.MDagPath, solved: dict[str, str]) -> bool:
    node = Attributes(path.node())
    channels = (plug for compound in ("translate", "rotate") for plug in node.plugs(compound))
    plugs = (*channels, node.plug("offsetParentMatrix"))
    return str(path.fullPathName()) in solved or any(source_of(plug) for plug in plugs)


M_PER_CM = 0.01
"""Metres per centimetre, Maya's internal unit of length."""
MAX_SHEAR_COSINE = 1e-4
"""Largest cosine between two axes of a transform that count as orthogonal."""
MAX_STILL_CM, MAX_STILL_AXIS = 1e-4, 1e-6
"""A transform whose position and axes change less than this is still."""


@dataclass(frozen=True, eq=False)
class SceneTracks:
    """Transforms of the scene as unconnected bodies.

    `tracks`: one body per source, in metres. `scales`, shape (bodies, 3): mean world-space scale of
    each source along its own axes.
    """

    sources: tuple[om.MDagPath, ...]
    tracks: BodyTracks
    scales: Floats


def tracks_from_scene(
    sources: Sequence[om.MDagPath], time: TimeChoice, progress: Progress | None = None
) -> SceneTracks:
    """Sample transforms in world space, without changing the scene.

    `time`: frames are one step apart, from the first key of the nodes that move the sources. Raises
    SceneError if there is only one source, no source moves or rotates, or the axes of a source are
    mirrored, flattened or sheared, and Cancelled if `progress` returned False.
    """
    names = source_names(sources)
    with preserve.scene_untouched():
        behind = Drivers()
        drivers = [behind.driver_of_place(path) for path in sources]
        keys = behind.key_frames(drivers)
        if not time.keys_only:
            # Evenly spaced frames: keys between them add nothing, and slips are reported by time.
            time, keys = TimeChoice("ranges", time.bounds(keys), time.step), np.zeros(0)
        samples = Samples(time.frames(keys, len(sources), driven=True).frames)
        samples.evaluate(drivers, progress, "reading the tracks")
    worlds = np.stack([samples.values_of(driver) for driver in drivers], axis=1)
    _check_that_tracks_move(worlds, names, samples.frames)
    scales = _scales(worlds[..., :3, :3], names, samples.frames)
    worlds[..., :3, :3] /= scales[..., None, :]
    if float(np.ptp(worlds[..., :3, :3], axis=0).max()) <= MAX_STILL_AXIS:
        raise SceneError(
            "these transforms move but never rotate, so they are markers, not rigid bodies; import "
            "the rigid bodies of your capture system, or run `jointlimits skeleton` on the capture "
            "file, which builds bodies from markers"
        )
    tracks = BodyTracks.from_matrices(
        names,
        worlds,
        frames_per_second() / time.step,
        meters_per_unit=M_PER_CM,
        name=scene_name(),
        frames=samples.frames,
    )
    return SceneTracks(tuple(sources), tracks, scales.mean(axis=0))


def _check_that_tracks_move(worlds: Floats, names: Sequence[str], frames: Floats) -> None:
    """Raise SceneError if no transform moves, or only one is given.

    `worlds`, shape (frames, bodies, 4, 4).
    """
    moved = np.ptp(worlds, axis=0)
    if not (moved[..., :3, 3].max() > MAX_STILL_CM or moved[..., :3, :3].max() > MAX_STILL_AXIS):
        is_one = len(names) == 1
        what = f"{names[0]!r} does not move" if is_one else "none of these transforms moves"
        raise SceneError(
            f"{what} from frame {frames[0]:g} to {frames[-1]:g}; choose transforms that are "
            "animated, or other frames (timeRange)"
        )
    if len(names) < 2:
        raise SceneError(
            f"{names[0]!r} is the only track, but a joint needs two; {TRACKS.what_to_do()}"
        )


def _scales(axes: Floats, names: Sequence[str], frames: Floats) -> Floats:
    """Axis lengths, shape (frames, bodies, 3); SceneError unless axes are a scaled rotation."""
    lengths = np.linalg.norm(axes, axis=-2)
    flat = lengths.min(axis=-1) < 1e-9
    unit = axes / np.where(flat[..., None], 1.0, lengths)[..., None, :]
    corners = np.abs(np.swapaxes(unit, -1, -2) @ unit - np.eye(3)).max(axis=(-2, -1))
    for wrong, what in (
        (flat, "is scaled to nothing"),
        (np.linalg.det(unit) < 0.0, "is mirrored by a negative scale"),
        (corners > MAX_SHEAR_COSINE, "is sheared, by its own shear or by a scale above it"),
    ):
        if wrong.any():
            frame, body = np.argwhere(wrong)[0]
            raise SceneError(
                f"{what} at frame {frames[frame]:g}, so its rotation cannot be read; remove the "
                "scale from it and the groups above it, or leave this object out",
                names[body],
            )
    return np.asarray(lengths)
