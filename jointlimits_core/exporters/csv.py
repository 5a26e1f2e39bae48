"""Limits as a spreadsheet table: a row for each channel of each joint."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ..io.csv import csv_text
from ..limits.limit_set import AxisLimit, BoundSource, JointLimit, LimitSet
from ..motion.skeleton import Skeleton
from .formats import ExportOptions
from .losses import PREFERRED, SOURCES, TYPES, Exported, common_losses, only_in_json

COLUMNS = (
    *("character", "joint", "parent", "type", "sure", "animated", "channel", "state"),
    *("min_deg", "max_deg", "span_deg", "rest_deg", "preferred_deg", "rotate_order"),
    *("joint_orient_x_deg", "joint_orient_y_deg", "joint_orient_z_deg"),
    *("rotate_axis_x_deg", "rotate_axis_y_deg", "rotate_axis_z_deg"),
    *("min_kind", "min_grade", "min_clip", "min_frame"),
    *("max_kind", "max_grade", "max_clip", "max_frame"),
)


def export(limit_set: LimitSet, skeleton: Skeleton | None, options: ExportOptions) -> Exported:
    """Write limits as a table."""
    rows = (
        _row(limit_set.character, name, joint, position, channel, limit)
        for name, joint in limit_set.joints.items()
        for position, (channel, limit) in enumerate(joint.limits.items())
    )
    text = csv_text(COLUMNS, (map(row.get, COLUMNS) for row in rows))
    kept = SOURCES, TYPES, PREFERRED
    losses = *common_losses(limit_set, "a table"), *only_in_json(limit_set, kept)
    return Exported(text, losses)


def _row(
    character: str, name: str, joint: JointLimit, position: int, channel: str, limit: AxisLimit
) -> Mapping[str, object]:
    is_rotate = channel.startswith("rotate")
    bounds = (limit.min_deg, limit.max_deg)
    row: dict[str, object] = {
        "character": character,
        "joint": name,
        "parent": joint.parent,
        "type": joint.type,
        "sure": joint.evidence.sure,
        "animated": joint.animated,
        "channel": channel,
        "state": limit.state,
        "min_deg": limit.min_deg,
        "max_deg": limit.max_deg,
        "span_deg": None if None in bounds else limit.max_deg - limit.min_deg,  # type: ignore[operator]
        "rest_deg": joint.rest.rotate_deg[position] if is_rotate else None,
        "preferred_deg": joint.preferred_deg[position] if is_rotate else None,
        "rotate_order": joint.frame.rotate_order,
    }
    for kind in ("joint_orient", "rotate_axis"):
        for axis, angle in zip("xyz", getattr(joint.frame, f"{kind}_deg")):
            row[f"{kind}_{axis}_deg"] = angle
    row.update(_bound("min", limit.source.min))
    row.update(_bound("max", limit.source.max))
    return row


def _bound(side: str, bound: BoundSource | None) -> Iterator[tuple[str, object]]:
    if bound is not None:
        for field in ("kind", "grade", "clip", "frame"):
            yield f"{side}_{field}", getattr(bound, field)
