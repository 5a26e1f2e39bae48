"""The rest pose that the open scene has: stored with the skin, at a frame, or as it stands."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import maya.api.OpenMaya as om
import numpy as np
from maya import cmds

from jointlimits_core.arrays import Floats
from jointlimits_core.maya_rig.pose_record import (
    NO_RECORDS,
    BindRecords,
    DagPose,
    PoseRecord,
    best_records,
    inverted,
)

from .attributes import Attributes, matrix_of
from .drivers import node_of
from .errors import SceneError
from .hierarchy import JointPlace
from .names import node_name

STORED = ("dagPose", "bindPose", "bindPreMatrix")
"""What is stored when a skin is bound, the best first."""

SOURCES = ("stored", *STORED, "frame", "current")
"""Where the rest pose may come from; "stored" is the best of the three, joint by joint."""


@dataclass(frozen=True)
class RestChoice:
    """Which pose is at rest.

    Parameters
    ----------
    source : str
        One of :data:`SOURCES`. Joints of which nothing is stored rest as they are at the first
        frame that is looked at.
    frame : float, optional
        For the source "frame".

    Raises
    ------
    SceneError
        If these make no sense.
    """

    source: str = "stored"
    frame: float | None = None

    def __post_init__(self) -> None:
        if self.source not in SOURCES:
            raise SceneError(f"{self.source!r} is no rest pose; give one of {list(SOURCES)}")
        if (self.source == "frame") != (self.frame is not None):
            raise SceneError("a frame belongs to the rest pose 'frame', and to no other")
        if self.frame is not None and not np.isfinite(self.frame):
            raise SceneError(f"there is no frame {self.frame}; give a number")

    def records(self, places: Sequence[JointPlace]) -> list[BindRecords]:
        """What is stored of every joint, as far as it is asked for."""
        if self.source not in ("stored", *STORED):
            return [NO_RECORDS] * len(places)
        records = bind_records(places)
        return records if self.source == "stored" else [_only(r, self.source) for r in records]


def _only(records: BindRecords, source: str) -> BindRecords:
    if source == "dagPose":
        return replace(records, worlds={})
    worlds = {name: world for name, world in records.worlds.items() if name == source}
    return BindRecords(None, worlds)


def bind_records(places: Sequence[JointPlace]) -> list[BindRecords]:
    """What is stored of every joint: in dagPoses, in bindPose, and in the skins."""
    records = best_records(_dag_poses(), {place.path for place in places})
    skinned = _bind_pre_matrices()
    found = []
    for place in places:
        worlds = {}
        bind = _bind_pose_of(place.node)
        if bind is not None:
            worlds["bindPose"] = bind
        world = inverted(skinned[place.path]) if place.path in skinned else None
        if world is not None:
            worlds["bindPreMatrix"] = world
        found.append(BindRecords(records.get(place.path), worlds))
    return found


def _bind_pose_of(joint: Attributes) -> Floats | None:
    """World matrix that a joint keeps itself; None if it was never stored.

    Then Maya has no data for it, or the identity.
    """
    # live check: bind-pose-never-stored
    try:
        matrix = matrix_of(joint.plug("bindPose"))
    except RuntimeError:
        return None
    return None if np.array_equal(matrix, np.eye(4)) else matrix


def _dag_poses() -> Iterator[DagPose]:
    """The dagPose nodes with their members, by full paths."""
    for name in cmds.ls(type="dagPose") or ():
        pose = Attributes(node_of(name))
        members = {
            index: node_name(source.node()) for index, source in _sources(pose.plug("members"))
        }
        above = _members_above(pose, members)
        there = set(pose.plug("xformMatrix").getExistingArrayAttributeIndices())
        worlds = pose.plug("worldMatrix")
        have_world = set(worlds.getExistingArrayAttributeIndices())
        found: list[tuple[str, PoseRecord | None]] = []
        for index, member in members.items():
            record = None
            if index in there:
                # live check: dag-pose-xform-as-matrix
                local = matrix_of(pose.plug("xformMatrix").elementByLogicalIndex(index))
                world = matrix_of(worlds.elementByLogicalIndex(index))
                record = PoseRecord(
                    local.T.ravel(), world if index in have_world else None, above.get(index)
                )
            found.append((member, record))
        yield DagPose(pose.is_on("bindPose"), found)


def _members_above(pose: Attributes, members: dict[int, str]) -> dict[int, str]:
    """Members above members: ``pose.members[j]`` is connected to ``pose.parents[i]``."""
    whole = pose.plug("members")
    return {
        index: members[source.logicalIndex()]
        for index, source in _sources(pose.plug("parents"))
        if source.isElement and source.array() == whole and source.logicalIndex() in members
    }


def _bind_pre_matrices() -> dict[str, Floats]:
    """Inverse world matrices at binding, by joint; the first skin that has one."""
    found: dict[str, Floats] = {}
    for name in cmds.ls(type="skinCluster") or ():
        skin = Attributes(node_of(name))
        stored = skin.plug("bindPreMatrix")
        there = set(stored.getExistingArrayAttributeIndices())
        for index, source in _sources(skin.plug("matrix")):
            joint = node_name(source.node())
            if index in there and joint not in found:
                found[joint] = matrix_of(stored.elementByLogicalIndex(index))
    return found


def _sources(array: om.MPlug) -> Iterator[tuple[int, om.MPlug]]:
    """Indices of an array's connected elements, and what is connected."""
    for index in array.getExistingArrayAttributeIndices():
        element = array.elementByLogicalIndex(index)
        if element.isDestination:
            yield int(index), element.source()
