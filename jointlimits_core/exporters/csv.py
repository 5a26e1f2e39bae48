"""Limits as a spreadsheet table: a row for each channel of each joint."""

from __future__ import annotations

from ..io.csv import csv_text
from ..limits.limit_set import JointLimit, LimitSet
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
    rows = [
        (limit_set.character, name, *_cells(joint, position, channel))
        for name, joint in limit_set.joints.items()
        for position, channel in enumerate(joint.limits)
    ]
    losses = common_losses(limit_set, "a table")
    kept = only_in_json(limit_set, (SOURCES, TYPES, PREFERRED))
    return Exported(csv_text(COLUMNS, rows), (*losses, *kept))


def _cells(joint: JointLimit, position: int, channel: str) -> list[object]:
    """Cells of a channel, from the third column on."""
    limit, frame, is_rotate = joint.limits[channel], joint.orientation, channel.startswith("rotate")
    low, high = limit.min_deg, limit.max_deg
    cells: list[object] = [joint.parent, joint.type, joint.evidence.sure, joint.animated]
    cells += [channel, limit.state, low, high, None if low is None or high is None else high - low]
    for pose in (joint.rest.rotate_deg, joint.preferred_deg):
        cells.append(pose[position] if is_rotate else None)
    cells += [frame.rotate_order, *frame.joint_orient_deg, *frame.rotate_axis_deg]
    for bound in (limit.source.min, limit.source.max):
        cells += [getattr(bound, field, None) for field in ("kind", "grade", "clip", "frame")]
    return cells
