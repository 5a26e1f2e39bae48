"""Joints of the files that a scene references, by their names in the scene."""

from __future__ import annotations

import os
from dataclasses import dataclass
from itertools import islice

from ...errors import MayaAsciiError
from ..read_limits import DEFAULT_LIMITS, ReadLimits
from .limit_plugs import Assignment, Plug
from .reference_edits import EditRecord
from .references import (
    OUTSIDE,
    NamedReference,
    find_reference,
    is_maya_ascii,
    lies_below,
    readable_reference,
)
from .scene_index import FileReference, SceneIndex, index_scene

#: So many references are followed in all, and so many nodes of one name.
_MOST = 4096


@dataclass(frozen=True)
class ReferencedJoint:
    """A joint of a referenced file.

    Parameters
    ----------
    path : str
        Full path in the scene.
    node : str
        Its reference node.
    holder : str
        The reference node of the scene itself in whose record edits belong.
    said : list of (list of Assignment, degrees per unit)
        What the file says, and then the records of all scenes around it, the outermost last.
    connected : list of Plug
        In any of them.
    """

    path: str
    node: str
    holder: str
    said: list[tuple[list[Assignment], float]]
    connected: list[Plug]


@dataclass(frozen=True)
class _Level:
    """A scene, and one reference in it."""

    scene: SceneIndex
    reference: FileReference


@dataclass(frozen=True)
class _File:
    """A referenced file, and the scenes around it from the innermost to the outermost."""

    index: SceneIndex
    levels: tuple[_Level, ...]

    @property
    def prefix(self) -> str:
        """What the names of its nodes begin with in the outermost scene."""
        return _prefix(self.levels)


def _prefix(levels: tuple[_Level, ...]) -> str:
    return "".join(level.reference.prefix for level in reversed(levels))


class ReferencedJoints:
    """All joints of all files that a scene references, directly or not.

    Attributes
    ----------
    missing : list of (prefix, reason)
        References whose files cannot be read, and what the names of their nodes begin with.
    references : list of NamedReference
        All of them, those that lead nowhere included.
    """

    def __init__(self, scene: SceneIndex, limits: ReadLimits = DEFAULT_LIMITS) -> None:
        self.missing: list[tuple[str, str]] = []
        self.references: list[NamedReference] = []
        self._limits = limits
        self._files: list[_File] = []
        self._indices: dict[str, SceneIndex] = {}
        self._records: dict[tuple[str, str], EditRecord | None] = {}
        pending: list[tuple[_Level, ...]] = [(_Level(scene, one),) for one in scene.references]
        for _ in range(_MOST):
            if not pending:
                break
            pending += self._follow(pending.pop())

    @property
    def files(self) -> list[str]:
        """Files that were read."""
        return list(self._indices)

    def record(self, scene: SceneIndex, node: str) -> EditRecord | None:
        """Record of edits of a reference node; None if it has none.

        Raises
        ------
        MayaAsciiError
            If it is not made as records are.
        """
        key = scene.path, node
        if key not in self._records:
            found = scene.reference_nodes.get(node)
            statement = None if found is None else found.record
            self._records[key] = None if statement is None else EditRecord(statement)
        return self._records[key]

    def named(self, name: str) -> list[ReferencedJoint]:
        """Joints that a name, or the end of a path, may mean."""
        short, end = name.rpartition("|")[2], "|" + name.lstrip("|")
        known = [
            self._joint(file, node)
            for file in self._files
            if short.startswith(file.prefix)
            for node in islice(file.index.nodes_named(short[len(file.prefix) :]), _MOST)
            if node in file.index.joints
        ]
        exact = [joint for joint in known if joint.path == end]
        return exact or [joint for joint in known if joint.path.endswith(end)]

    def reason_missing(self, name: str) -> str | None:
        """Why the file that may hold a joint of this name cannot be read; None if none may."""
        short = name.rpartition("|")[2]
        return next((why for prefix, why in self.missing if short.startswith(prefix)), None)

    def _joint(self, file: _File, node: int) -> ReferencedJoint:
        """Follow a joint from its file outwards through every scene that may have changed it."""
        path, unit = file.index.path_of(node), file.index.degrees_per_unit
        said = [(file.index.joints[node].assignments, unit)]
        connected = list(file.index.plugs_connected_of(path))
        for level in file.levels:
            path = path.replace("|", "|" + level.reference.prefix)
            record = self.record(level.scene, level.reference.node)
            if record is not None:
                path = record.path_now(path)
                said.append((record.assignments_to(path), level.scene.degrees_per_unit))
                connected += record.plugs_connected_of(path)
            connected += level.scene.plugs_connected_of(path)
        own_node = _prefix(file.levels[1:]) + file.levels[0].reference.node
        return ReferencedJoint(path, own_node, file.levels[-1].reference.node, said, connected)

    def _follow(self, levels: tuple[_Level, ...]) -> list[tuple[_Level, ...]]:
        """Take in one file; gives the references in it."""
        stored, scene = levels[0].reference.path, levels[0].scene.path
        place = readable_reference(scene, stored, self._limits.references_below)
        self.references.append(NamedReference(scene, stored, place))
        try:
            index = self._index(place or find_reference(scene, stored), stored, levels)
        except MayaAsciiError as error:
            self.missing.append((_prefix(levels), str(error)))
            return []
        self._files.append(_File(index, levels))
        return [(_Level(index, reference), *levels) for reference in index.references]

    def _index(self, place: str | None, stored: str, levels: tuple[_Level, ...]) -> SceneIndex:
        if place is None:
            raise MayaAsciiError(stored, "this referenced file does not exist")
        if not is_maya_ascii(stored):
            raise MayaAsciiError(place, "this referenced file is not Maya ASCII (.ma)")
        below = self._limits.references_below
        if below is not None and not lies_below(place, below):
            raise MayaAsciiError(stored, f"this referenced file {OUTSIDE}")
        around = [os.path.realpath(level.scene.path) for level in levels]
        if os.path.realpath(place) in around:
            raise MayaAsciiError(place, "this file references itself")
        if len(levels) > self._limits.max_reference_depth:
            depth = self._limits.refusal("max_reference_depth", "references")
            raise MayaAsciiError(place, f"this referenced file is nested in {depth}")
        if place not in self._indices:
            self._indices[place] = index_scene(place, self._limits)
        return self._indices[place]
