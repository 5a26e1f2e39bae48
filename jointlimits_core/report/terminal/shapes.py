"""Coupled limits and dependencies between channels as terminal text."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...base.text import channel_letter, in_columns, number, plural, printable, rest_in_json
from ...estimation.orient_search import haar_share
from ...geometry.euler import CHANNELS
from ...limits import layers, records, vocabulary
from ...limits.limit_set import JointLimit, LimitSet

MAX_LINES = 12
"""Maximum number of lines in the terminal; the JSON has them all."""
INWARD_SHARE = 0.15
"""Ranges are described at this share of their length from each end; ends are single poses."""


def dependency_words(dependency: records.Dependency) -> str:
    """Range of the limited channel near both ends of the other channel, and its mean narrowing."""
    low, high = dependency.on_range_deg()
    own, other = channel_letter(dependency.channel), channel_letter(dependency.on_channel)
    spans = []
    for end in (low + INWARD_SHARE * (high - low), high - INWARD_SHARE * (high - low)):
        span = dependency.range_at_deg(end)
        assert span is not None  # both ends are inside the range
        spans.append(f"{number(span[0], 0)} to {number(span[1], 0)} at {other} {number(end, 0)}")
    held_out = "; from one clip"
    if dependency.held_out is not None:
        held_out = f"; holds for {100 * dependency.held_out:.0f} % of the frames of other clips"
    return (
        f"{printable(dependency.joint)} {own} depends on {printable(dependency.on_joint)} {other}: "
        f"{', '.join(spans)} degrees ({100 * dependency.gain:.0f} % less room{held_out})"
    )


def dependency_status(limit_set: LimitSet, dependency: records.Dependency) -> str:
    """Text of a dependency, with the reason if it is not applied."""
    why = layers.inactive_reason(limit_set, dependency)
    return dependency_words(dependency) + (f"; not applied: {why}" if why else "")


def dependency_lines(limit_set: LimitSet) -> list[str]:
    """Lines for a terminal; none if no channel depends on another."""
    found = limit_set.dependencies
    head = ["", "Ranges that depend on another channel (enforced by project and check --shapes):"]
    lines = [f"  {dependency_status(limit_set, item)}" for item in found[:MAX_LINES]]
    return [*head, *lines, *rest_in_json(len(found), MAX_LINES, "  ")] if found else []


MAX_FLAT_SHARE = 1e-12
"""A shape counts as flat if it allows less than this share of all rotations."""
HEADING = ("type", "shape", "freedom", "of its ranges", "samples", "outside")
SHAPE_COLUMNS = ("joint", "type", "shape", "freedom", "share_of_ranges", "samples", "outside")
"""Columns of :func:`shape_rows`."""


def shape_text(limit_set: LimitSet) -> str:
    """Text of all coupled limits, one line each.

    Freedom is the share of all rotations that a limit allows; "of its ranges" divides it by the
    share that the channel ranges allow, with the same padding.
    """
    rows: list[tuple[str, ...]] = [(limit_set.noun, *HEADING)]
    for name, joint_type, kind, freedom, share, samples, trimmed in shape_rows(limit_set):
        part = "" if share is None else f"{100 * share:.0f} %"
        whole = f"{100 * freedom:.3g} %" if freedom > MAX_FLAT_SHARE else "0"
        counts = str(samples), str(trimmed or "")
        rows.append((printable(name), joint_type, kind, whole, part, *counts))
    joints = plural(len(rows) - 1, limit_set.noun)
    lines = [f"{printable(limit_set.character)}: {joints} with a coupled limit.", ""]
    lines += in_columns(rows, right=(3, 4, 5, 6))
    for joint in limit_set.joints.values():
        missing = [finding for finding in joint.findings if finding.rule == "no-shape"]
        lines += [f"{printable(str(one.joint))}: {printable(one.message)}" for one in missing]
    return "\n".join([*lines, *dependency_lines(limit_set)])


def shape_rows(limit_set: LimitSet) -> list[tuple[Any, ...]]:
    """Rows with the columns :data:`SHAPE_COLUMNS`; the share of a flat shape is None."""
    rows = []
    for name, joint in limit_set.joints.items():
        coupled = joint.coupled
        if not coupled:
            continue
        ranges = range_freedom(joint, coupled.pad_deg)
        has_volume = coupled.freedom > MAX_FLAT_SHARE and ranges > MAX_FLAT_SHARE
        share = coupled.freedom / ranges if has_volume else None
        place = (name, vocabulary.type_words(joint), coupled.kind)
        rows.append((*place, coupled.freedom, share, coupled.samples, coupled.trimmed))
    return rows


def range_freedom(joint: JointLimit, pad_deg: float) -> float:
    """Share of all rotations, 0 to 1, that a joint's padded channel ranges allow."""
    axes = [joint.limits[channel] for channel in CHANNELS]
    low = [-180.0 if axis.min_deg is None else axis.min_deg for axis in axes]
    high = [180.0 if axis.max_deg is None else axis.max_deg for axis in axes]
    bounds = np.radians(low) - np.radians(pad_deg), np.radians(high) + np.radians(pad_deg)
    return float(haar_share(*bounds, joint.orientation.rotate_order))
