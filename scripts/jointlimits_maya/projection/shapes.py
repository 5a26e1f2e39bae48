"""Coupled limits for joints, from a limit set, a file, or shapes by joint name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Union

from jointlimits_core.limits.layers import active_shapes
from jointlimits_core.motion.name_matching import matched_joints
from jointlimits_core.rig.limit_plan import Skipped
from jointlimits_core.shapes.scalar_joint import Project, compact_text, project_from_text

from ..base.open_maya import om
from ..limits.api import limits_of_each
from ..read.limits import LimitSource
from ..scene.joints import joint_names

ShapeSource = Union[LimitSource, Mapping[str, Any]]
"""A limit set with coupled limits, a file or JSON text of one, or a mapping from joint names to
shapes of the core or their plain data."""


@dataclass(frozen=True, eq=False)
class Shaped:
    """A joint and the shape to keep it inside. `shape`: as from a shape's ``to_dict``."""

    name: str
    path: om.MDagPath
    shape: Mapping[str, Any]

    def projection(self) -> Project | Skipped:
        """Projection into the shape, or the reason why the shape is invalid."""
        try:
            return project_from_text(compact_text(self.shape))
        except (ValueError, ImportError) as error:
            return Skipped(self.name, "", f"invalid shape: {error}", "fit the limits again")


def shaped_joints(
    source: ShapeSource | None, joints: Sequence[om.MDagPath]
) -> tuple[list[Shaped], tuple[Skipped, ...]]:
    """Joints that have a coupled limit.

    `source`: None means the latest estimate. `shaped`: in the order of `joints`. `skipped`: shapes
    without a matching joint, and characters without an estimate. Raises the same errors as
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
        # Only the parts that a projection needs.
        shapes = {
            name: {"kind": one.kind, "coordinates": one.coordinates, "region": one.region}
            for name, one in active_shapes(limit_set).items()
        }
        found, missing = _match_shapes(shapes, group)
        shaped += found
        skipped = (*skipped, *missing)
    return shaped, skipped


def _match_shapes(
    shapes: Mapping[str, Mapping[str, Any]], joints: Sequence[om.MDagPath]
) -> tuple[list[Shaped], tuple[Skipped, ...]]:
    names = joint_names(joints)
    places = matched_joints(shapes, names)
    shaped = [Shaped(names[at], joints[at], shapes[name]) for name, at in places.items()]
    missing = [name for name in shapes if name not in places]
    advice = "add it, or a group above it, to the selection"
    skipped = [Skipped(name, "", "not selected", advice) for name in missing]
    return sorted(shaped, key=lambda one: names.index(one.name)), tuple(skipped)
