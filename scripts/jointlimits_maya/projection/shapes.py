"""Coupled limits for joints, from a limit set, a file, or shapes by joint name."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Union

from jointlimits_core.ik.dependent_ranges import ranges_data
from jointlimits_core.limits.layers import CIRCULAR, active_shapes, inactive_reason
from jointlimits_core.limits.limit_set import LimitSet
from jointlimits_core.limits.records import Dependency
from jointlimits_core.motion.name_matching import matched_joints
from jointlimits_core.rig.limit_plan import Skipped
from jointlimits_core.shapes.coupled_limit import CoupledLimit
from jointlimits_core.shapes.scalar_joint import Project, compact_text, project_from_text

from ..base.open_maya import om
from ..limits.api import limits_of_each
from ..read.limits import LimitSource
from ..read.upstream import Upstream, solved_joints, starts_from
from ..scene.joints import all_joints, joint_names, short_name

ShapeSource = Union[LimitSource, Mapping[str, Any]]
"""A limit set with coupled limits, a file or JSON text of one, or a mapping from joint names to
shapes of the core or their plain data."""


@dataclass(frozen=True, eq=False)
class Shaped:
    """A joint and what to keep it inside.

    `shape`: as from a shape's ``to_dict``; None if there are only ranges. `known_as`: name in the
    limits. `ranges`: JSON of ranges that depend on other joints, or "". `drivers`: these joints.
    """

    name: str
    path: om.MDagPath
    shape: Mapping[str, Any] | None
    known_as: str
    ranges: str = ""
    drivers: Sequence[om.MDagPath] = ()

    def projection(self) -> Project | Skipped:
        """Projection into the shape, or the reason why the shape is invalid."""
        if self.shape is None and self.ranges:
            return lambda rotation: rotation
        try:
            return project_from_text(compact_text(self.shape))
        except (ValueError, ImportError) as error:
            return Skipped(self.name, "", f"invalid shape: {error}", "fit the limits again")


def shaped_joints(
    source: ShapeSource | None, joints: Sequence[om.MDagPath]
) -> tuple[list[Shaped], tuple[Skipped, ...]]:
    """Joints that have a coupled limit.

    `source`: None means the latest estimate. `shaped`: joints that others depend on come first.
    `skipped`: shapes without a matching joint, ranges whose driver cannot be read, and characters
    without an estimate. Raises the same errors as
    :func:`~jointlimits_maya.read.limits.limit_set_from`.
    """
    if isinstance(source, Mapping):
        # A value that is not a shape is rejected later, like any invalid shape.
        given = {
            name: shape.to_dict() if hasattr(shape, "to_dict") else shape
            for name, shape in source.items()
        }
        return _match_shapes(given, joints)
    parts, skipped = limits_of_each(source, joints)
    shaped: list[Shaped] = []
    for limit_set, group in parts:
        active, held = active_shapes(limit_set), limit_set.dependencies
        depending = [one for one in held if inactive_reason(limit_set, one) in (None, CIRCULAR)]
        shapes = {
            name: _plain_shape(active[name]) if name in active else None
            for name in limit_set.joints
            if name in active or any(item.joint == name for item in depending)
        }
        found, missing = _match_shapes(shapes, group)
        refused: list[Skipped] = []
        ranges = _Ranges(limit_set, group, found)
        for one in found:
            own = [item for item in depending if item.joint == one.known_as]
            one = ranges.added_to(one, own, refused) if own else one
            shaped += [one] if one.shape is not None or one.ranges else []
        skipped = (*skipped, *missing, *refused)
    return shaped, skipped


def _match_shapes(
    shapes: Mapping[str, Mapping[str, Any] | None], joints: Sequence[om.MDagPath]
) -> tuple[list[Shaped], tuple[Skipped, ...]]:
    names = joint_names(joints)
    places = matched_joints(shapes, names)
    shaped = [Shaped(names[at], joints[at], shapes[name], name) for name, at in places.items()]
    missing = [name for name in shapes if name not in places]
    known, taken = set(map(_bare, shapes)), set(places.values())
    twins = [name for at, name in enumerate(names) if at not in taken and _bare(name) in known]
    why = "the selection has several of this name", "select one character at a time"
    skipped = [Skipped(name, "", *why) for name in twins]
    why = "not selected", "add it, or a group above it, to the selection"
    found = set(map(_bare, twins))
    skipped += [Skipped(one, "", *why) for one in missing if _bare(one) not in found]
    return shaped, tuple(skipped)


def _bare(name: str) -> str:
    """Name without the path and namespaces."""
    return re.split(r"[|:]", name)[-1]


def _plain_shape(limit: CoupledLimit) -> Mapping[str, Any]:
    """Parts of a coupled limit that a projection needs."""
    return {"kind": limit.kind, "coordinates": limit.coordinates, "region": limit.region}


class _Ranges:
    """Ranges of a limit set that depend on other joints.

    `joints`: those that the limit set is meant for, of which those in `shaped` have a coupled
    limit. The others are near them: below the highest node where no other joint could be meant, or
    where their name is ambiguous there, below a lower one.
    """

    def __init__(
        self, limit_set: LimitSet, joints: Sequence[om.MDagPath], shaped: Sequence[Shaped]
    ) -> None:
        self._paths: dict[str, om.MDagPath] = {}
        own = {one.known_as: str(one.path.fullPathName()) for one in shaped}
        wanted = {item.on_joint for item in limit_set.dependencies}
        for depth in range(1, 1 + max((path.count("|") for path in own.values()), default=0)):
            places = {_place(path, depth) for path in joints}
            near = [path for path in all_joints() if _place(path, depth) in places]
            found = matched_joints(limit_set.joints, joint_names(near))
            if own.items() <= {n: str(near[at].fullPathName()) for n, at in found.items()}.items():
                self._paths = {**{name: near[at] for name, at in found.items()}, **self._paths}
            if wanted <= self._paths.keys():
                break
        self._limit_set, self._upstream = limit_set, Upstream(solved_joints())
        self._read: dict[str, list[om.MDagPath]] = {}

    def added_to(
        self, one: Shaped, depending: Sequence[Dependency], refused: list[Skipped]
    ) -> Shaped:
        """A joint with those of its dependent ranges that can be enforced.

        `depending`: its dependencies. `refused`: collects those that cannot be enforced.
        """
        kept, path = [], str(one.path.fullPathName())
        for item in depending:
            on, why = self._paths.get(item.on_joint), "was not found in this character"
            if on is not None:
                is_circular = item.on_joint != item.joint and self._reads(on, path)
                is_circular |= inactive_reason(self._limit_set, item) is not None
                why = "depends on this joint itself" if is_circular else ""
            if why:
                text = f"its range depends on {item.on_joint}, which {why}"
                advice = "choose that joint too; " * (on is None) + "it is limited without it"
                refused.append(Skipped(one.name, item.channel, text, advice))
            else:
                kept.append(item)
        if not kept:
            return one
        data = ranges_data(self._limit_set, kept)
        self._read[path] = [self._paths[name] for name, _ in data["drivers"]]
        return replace(one, ranges=compact_text(data), drivers=self._read[path])

    def _reads(self, driver: om.MDagPath, joint: str) -> bool:
        """Whether a joint is upstream of a driver, in the scene or through ranges added so far."""
        todo, seen = [driver], set()
        while todo:
            starts = starts_from(todo.pop().node(), self._upstream.solved)
            for name, _ in self._upstream.nodes_above(starts):
                if name not in seen:
                    seen.add(name)
                    todo += self._read.get(name, ())
        return joint in seen


def _place(path: om.MDagPath, depth: int) -> tuple[str, str]:
    """Topmost nodes above a joint, `depth` of them, and the joint's namespace."""
    full = str(path.fullPathName())
    return "|".join(full.split("|")[: depth + 1]), short_name(full).rpartition(":")[0]
