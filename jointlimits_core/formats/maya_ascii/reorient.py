"""Re-orienting of joints in a copy of a Maya ASCII scene, without moving anything.

:mod:`.frame_plan` finds the changes; this module writes them as text. All other bytes stay the
same.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np

from ...applying.joint_plan import Skipped
from ...errors import MayaAsciiError
from ...limits.frame_advice import FrameAdvice
from ...unique_names import FreeNames
from ..read_limits import DEFAULT_LIMITS, ReadLimits
from .edits import Edit
from .frame_plan import Change, FramePlan, FramePlanner, OrderChange, TripleChange
from .hierarchy import joint_places
from .lexer import Buffer, mapped
from .new_keys import NewKeys
from .node_places import ScenePlaces, scene_places
from .rebake import KeyText
from .reorient_checks import Checks
from .scene import Scene
from .scene_reader import read_scene
from .text_surroundings import TextSurroundings
from .value_edits import Pen
from .writer import write_joint_attributes


@dataclass(frozen=True)
class ReorientReport:
    """Joints re-oriented, and joints skipped.

    Parameters
    ----------
    mode : str
        "R" or "C".
    joints : mapping of joint name to tuple of str
        Long names of the attributes that changed on the re-oriented joints.
    compensated : mapping of node name to tuple of str
        The same of nodes below them that were turned back (mode C).
    keys : mapping of joint name to int
        Keys that each of the joint's new rotation curves has.
    unchanged : tuple of str
        Joints that already have the advised orientation, or are advised to keep theirs.
    skipped : tuple of Skipped
        Joints not changed, with the reason.
    """

    out_path: str
    mode: str
    joints: Mapping[str, tuple[str, ...]]
    compensated: Mapping[str, tuple[str, ...]]
    keys: Mapping[str, int]
    unchanged: tuple[str, ...]
    skipped: tuple[Skipped, ...]


@dataclass
class Reorientation:
    """A change of frames that is worked out but not written.

    Parameters
    ----------
    edits : list of Edit
        Of the scene's bytes.
    joints, compensated, keys, unchanged, skipped
        As in :class:`ReorientReport`.
    file_state : tuple of int
        Size and time of the scene when it was read.
    """

    scene_path: str
    mode: str
    edits: list[Edit] = field(default_factory=list)
    joints: dict[str, tuple[str, ...]] = field(default_factory=dict)
    compensated: dict[str, tuple[str, ...]] = field(default_factory=dict)
    keys: dict[str, int] = field(default_factory=dict)
    unchanged: list[str] = field(default_factory=list)
    skipped: list[Skipped] = field(default_factory=list)
    file_state: tuple[int, int] = (0, 0)

    def check_unchanged(self) -> None:
        """See that the scene is still the file that the edits are for.

        Raises
        ------
        MayaAsciiError
            If it was written to in the meantime.
        """
        if _state_of(self.scene_path) != self.file_state:
            message = "the scene changed while it was read; try again"
            raise MayaAsciiError(self.scene_path, message)

    def report(self, out_path: str) -> ReorientReport:
        """Give the report of a copy that was written."""
        return ReorientReport(
            out_path,
            self.mode,
            self.joints,
            self.compensated,
            self.keys,
            tuple(self.unchanged),
            tuple(self.skipped),
        )


def reorient_scene(
    scene_path: str | os.PathLike[str],
    out_path: str | os.PathLike[str],
    advice: Mapping[str, FrameAdvice],
    mode: str,
) -> ReorientReport:
    """Write a copy of a scene in which the advised joints have their advised frames.

    The world pose of everything is the same at every whole frame and at every old key.

    Parameters
    ----------
    scene_path, out_path : path-like
    advice : mapping of joint name to FrameAdvice
    mode : str
        "R" to use rotateAxis, "C" to keep it zero and compensate what hangs on the joint.

    Raises
    ------
    MayaAsciiError
        If the scene cannot be read, or the copy not be written.
    ValueError
        For a mode that is not known.
    """
    plan = plan_reorientation(scene_path, advice, mode)
    plan.check_unchanged()
    report = write_joint_attributes(scene_path, out_path, {}, further=plan.edits)
    return plan.report(report.out_path)


def plan_reorientation(
    scene_path: str | os.PathLike[str],
    advice: Mapping[str, FrameAdvice],
    mode: str,
    *,
    replaces_limits: bool = False,
    branches_deg: Mapping[str, tuple[float, float, float]] | None = None,
    limits: ReadLimits = DEFAULT_LIMITS,
) -> Reorientation:
    """Work out what has to be written.

    Parameters
    ----------
    scene_path : path-like
    advice : mapping of joint name to FrameAdvice
    mode : str
        "R" or "C".
    replaces_limits : bool
        True if limits in the new frames are written, too; joints that have limits already are
        left otherwise.
    branches_deg : mapping of joint name to (x, y, z), optional
        The keys go to the branch whose medians are nearest to these; to zero by default.
    """
    if mode not in ("R", "C"):
        raise ValueError(f"mode must be R or C, not {mode!r}")
    wanted = {name: one.in_mode(mode) for name, one in advice.items()}
    plan = Reorientation(os.fspath(scene_path), mode, file_state=_state_of(scene_path))
    scene = read_scene(scene_path, limits)
    places = scene_places(scene)
    planner = FramePlanner(scene, Checks(scene, TextSurroundings(scene, places)))
    nodes = {place.name: place.node for place in joint_places(scene)}
    for name, one in wanted.items():
        node, branch = nodes.get(name) or nodes.get("|" + name), (branches_deg or {}).get(name)
        planner.take(name, node, one, branch=branch, replaces_limits=replaces_limits)
    found = planner.finish()
    with mapped(scene.path) as buffer:
        plan.edits += _Text(scene, places, buffer).edits(found)
    plan.joints, plan.compensated = found.joints, found.compensated
    plan.unchanged, plan.skipped = found.unchanged, found.skipped
    plan.keys = {name: len(keys.times) for name, keys in found.keys.items()}
    return plan


def _state_of(path: str | os.PathLike[str]) -> tuple[int, int]:
    """Size and time of a file; zeros where there is none, which reading will report."""
    try:
        found = os.stat(path)
    except OSError:
        return 0, 0
    return found.st_size, found.st_mtime_ns


class _Text:
    """Changes as edits of the text."""

    def __init__(self, scene: Scene, places: ScenePlaces, buffer: Buffer) -> None:
        self.scene, self.places = scene, places
        self.pen = Pen(buffer, places.short_names)
        self._names = FreeNames((node.name for node in scene.nodes), "{}{}", first=1)

    def edits(self, plan: FramePlan) -> Iterator[Edit]:
        """Edits of everything that changes."""
        for change in plan.changes:
            yield from self._edits(change)

    def _edits(self, change: Change) -> list[Edit]:
        if isinstance(change, NewKeys):
            return KeyText(change).edits(self.scene, self.places, self.pen, self._names)
        node, block = change.node, self.places.nodes.get(change.node)
        if block is None:
            # Poses that are stored in referenced files stay as they are.
            return []
        if isinstance(change, TripleChange):
            values = np.degrees(change.angles) * (np.radians(1.0) / self.scene.units.radians)
            needed = np.ones(3, dtype=bool)
            return self.pen.triple(node.node_type, block, change.compound, values, needed)
        if isinstance(change, OrderChange):
            return self.pen.scalar(node.node_type, block, "rotateOrder", change.number)
        name, index = change.attribute, change.index
        return self.pen.matrix(node.node_type, block, name, index, change.values)
