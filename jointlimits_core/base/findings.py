"""Findings: warnings and notes about a source, and their counts per rule.

A character's one-line summary lists only findings that need action: frames, references, joints or
values that were lost, excluded, or read differently from Maya. Properties of the motion or the rig
are reported with the character itself.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from .text import plural, printable

ROUTINE_RULES = (
    *("frame-rate-assumed", "kept-poses", "prior-widened", "script-node"),
    *("translation-ignored", "unresolved-placement"),
)
"""Rules that apply to nearly every file of a format, follow from options, or affect no limit."""

UNREPORTED_RULES = frozenset(
    (
        *ROUTINE_RULES,
        # Properties of the motion or the rig, mostly per joint.
        *("asymmetry", "bends-backwards", "driven", "excursion", "frozen", "frozen-start"),
        *("gimbal", "never-moves", "order-useless", "outlier"),
        *("part-of-a-character", "prior-beyond", "prior-far-inside", "rest-off-hinge", "unlimited"),
        "turned-above",
    )
)
"""Rules that are counted but not listed. All other rules are listed, so new rules are noticed."""

UNRESOLVED_DRIVER = "unresolved-driver"
"""Rule for joints whose rotation cannot be computed from their keys."""
TURNED_BESIDES = "turned-besides"
"""Rule for joints that are also turned by something other than their rotate channels: limits on the
channels restrict only part of the rotation."""
MOVING_ORIENTATION = "moving-orientation"
"""Rule for joints whose rotate order or orientation changes or is invalid: limits would mean
something different in every frame."""
UNEXPLAINED = (UNRESOLVED_DRIVER, TURNED_BESIDES, MOVING_ORIENTATION)
"""Rules for joints whose rotation does not follow from their rotate channels alone."""
DRIVEN, FOLLOWS_CONTROL = "driven", "follows-control"
"""Rules for joints that a node drives; the second applies if the node follows a control."""

KEYED_CONTROLS = "keyed-controls"
"""Rule for a scene whose controls have rotate keys, while its joints have none."""

IN_MAYA = "let Maya evaluate and measure the rig (mayapy -m jointlimits_maya.batch)"
"""Advice about a rotation that only Maya can evaluate."""
MAX_RULES = 5
"""Maximum number of rules named on a line."""


def rule_counts(findings: Iterable[Finding]) -> dict[str, int]:
    """Number of findings per rule, sorted by rule."""
    return dict(sorted(Counter(finding.rule for finding in findings).items()))


def reported_counts(counts: Mapping[str, int]) -> dict[str, int]:
    """Counts of the listed rules."""
    return {rule: count for rule, count in counts.items() if rule not in UNREPORTED_RULES}


def reported_words(counts: Mapping[str, int]) -> str:
    """Summary of a character's findings on one line: "4 findings: frame-count, spike (3)".

    `counts`: number of findings per rule. Returns "" if no listed rule has findings.
    """
    shown = reported_counts(counts)
    if not shown:
        return ""
    names = [printable(rule) + (f" ({n})" if n > 1 else "") for rule, n in shown.items()]
    more = f" and {plural(len(names) - MAX_RULES, 'more rule')}" if len(names) > MAX_RULES else ""
    return f"{plural(sum(shown.values()), 'finding')}: {', '.join(names[:MAX_RULES])}{more}"


@dataclass(frozen=True)
class JointDriver:
    """Node that drives the rotation of a joint."""

    name: str
    kind: str
    """Type of the node, such as "orientConstraint"."""
    control: str = ""
    """Transform that an animator moves, and that the joint follows through the node; or the node;
    empty if there is none. A reference that is not loaded counts as a control."""

    def words(self) -> str:
        """Control and node, such as "hand_ctl, by aim (orientConstraint)"."""
        node = f"{self.name} ({self.kind})"
        if not self.control:
            return node
        return self.control if self.control == self.name else f"{self.control}, by {node}"

    def clause(self) -> str:
        """Clause that names the node and the control, for use in a finding."""
        is_control = self.control == self.name
        text = f"driven by {'the control ' * is_control}{self.name!r} ({self.kind})"
        follows = self.control and not is_control
        return f"{text}, which follows the control {self.control!r}" if follows else text


@dataclass(frozen=True)
class Finding:
    """One warning or note about a source."""

    rule: str
    """Rule that raised the finding, for example "inserted-pose"."""
    message: str
    """Observation and its consequence, in one sentence."""
    joint: str | None = None
    """Joint concerned; None for the whole clip."""
    clip: str | None = None
    """Clip concerned."""
    frame_ranges: tuple[tuple[float, float], ...] = ()
    """Ranges of the source's frame numbers, each (first, last), both included."""
    left_out: bool = False
    """True if these frames were excluded from the estimate."""
    channel: str | None = None
    """Rotate channel concerned; None for a whole joint."""
    side: str | None = None
    """Limit of that channel, "min" or "max", that these frames set or would set."""
    degrees: float | None = None
    """Value of that limit."""
    instead_deg: float | None = None
    """Value that the limit would have if these frames were treated the other way: included where
    they are excluded, and vice versa."""
    driver: JointDriver | None = None
    """Node that drives the joint; left out of files if there is none."""

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON; optional fields are included only if they are set."""
        data = {
            "rule": self.rule,
            "message": self.message,
            "joint": self.joint,
            "clip": self.clip,
            "frame_ranges": [list(pair) for pair in self.frame_ranges],
            "left_out": self.left_out,
        }
        names = ("channel", "side", "degrees", "instead_deg")
        more: dict[str, Any] = {name: getattr(self, name) for name in names}
        more["driver"] = None if self.driver is None else asdict(self.driver)
        return {**data, **{name: value for name, value in more.items() if value is not None}}

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Finding:
        """Inverse of :meth:`to_dict`; older files lack the last fields."""
        ranges = tuple((float(first), float(last)) for first, last in data["frame_ranges"])
        driver = JointDriver(**data["driver"]) if data.get("driver") else None
        return cls(**{**data, "frame_ranges": ranges, "driver": driver})


def drivers_of_joints(findings: Iterable[Finding]) -> dict[str, list[str]]:
    """Drivers of each joint, such as "ikHandle1 (ikHandle)"."""
    drivers: dict[str, list[str]] = {}
    for finding in findings:
        if finding.rule not in UNEXPLAINED or finding.joint is None:
            continue
        found = re.search(r"by ['\"](.*?)['\"] \(([^)]*)\)", finding.message)
        pair = found.groups() if found else None
        if finding.driver is not None:
            pair = finding.driver.name, finding.driver.kind
        if pair is not None:
            named = drivers.setdefault(finding.joint, [])
            words = f"{pair[0]} ({pair[1]})"
            named += [] if words in named else [words]
    return drivers
