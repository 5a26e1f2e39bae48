"""One joint of the list, as plain data to show, sort and filter; a whole estimate in a sentence."""

from __future__ import annotations

import html
from dataclasses import dataclass
from functools import cached_property

from jointlimits_core.base.findings import Finding
from jointlimits_core.base.text import NO_NOTES, channel_letter, place_words, printable, shortened
from jointlimits_core.geometry.euler import CHANNELS
from jointlimits_core.limits import vocabulary
from jointlimits_core.limits.limit_set import JointLimit, LimitSet
from jointlimits_core.limits.ranges import span_of
from jointlimits_core.limits.review_entries import Review
from jointlimits_core.skeleton_fit.doubts import RULE as DOUBTFUL

from ..plots.dial_layout import ChannelState
from ..toolkit.words import option_label

MOST_FINDINGS, LONGEST_FINDING = 6, 200
GRAVE = frozenset({DOUBTFUL, "slip", "no-relative-motion"})
"""Rules of findings that question the joint itself, not only its limits."""
DATA = "data"
"""Layer of a joint without edits or prior."""


@dataclass(frozen=True, eq=False)
class JointLine:
    """One joint: limits in force, and the same without the artist's edits."""

    name: str
    limit: JointLimit
    data: JointLimit
    outside_deg: float = 0.0
    """Degrees by which the scene's pose is outside; 0 inside, and without a pose."""
    has_edits: bool = False
    """Whether the artist edited it, if only with a note."""
    widest_deg: float | None = None
    """Widest range of the joint by anatomy."""

    @property
    def kind(self) -> str:
        """Type of the joint."""
        return self.limit.type

    @property
    def is_close(self) -> bool:
        """Whether the type is a close decision."""
        return self.limit.evidence.sure == "close" and self.kind == self.data.type

    @cached_property
    def findings(self) -> tuple[Finding, ...]:
        """Findings about the joint; that it has no animation is a count, and seen from its type."""
        return tuple(item for item in self.limit.findings if item.rule != "never-moves")

    @property
    def is_doubtful(self) -> bool:
        """Whether the joint's position or parent is doubtful."""
        return any(item.rule in GRAVE for item in self.findings)

    @cached_property
    def lanes(self) -> tuple[ChannelState, ...]:
        """Range of every channel, with the measured range where an artist edited it.

        Empty for a joint that does not turn: the publication's angles would span the circle.
        """
        lanes = []
        for channel, axis in () if self._has_no_range else self.limit.limits.items():
            span, before = span_of(axis), span_of(self.data.limits[channel])
            state, is_moved = axis.state, before is not None
            low, high = (axis.min_deg, axis.max_deg) if span is None else span
            if span is None and (state == "free" or low is high is None):
                state, low, high = "free", None, None
            elif span is not None and before is not None:
                is_moved = max(abs(a - b) for a, b in zip(span, before)) > 1e-6
            bands = () if span is None else vocabulary.band_stretches(axis, self.widest_deg)
            ghost, letter = before if is_moved else None, channel_letter(channel)
            lanes.append(ChannelState(letter, state, low, high, ghost=ghost, bands=bands))
        return tuple(lanes)

    @cached_property
    def grade(self) -> str:
        """Weakest grade among the limits measured from motion; "" without any."""
        return next((word for word in self._marks if word in vocabulary.GRADE_NAMES), "")

    @cached_property
    def layers(self) -> tuple[str, ...]:
        """Layers that the limits come from, lowest first."""
        named = set(self._marks) | ({"artist"} if self.has_edits else set())
        found = tuple(word for word in vocabulary.LAYERS if word in named)
        return (DATA, *found) if self.grade or not found else found

    @cached_property
    def width_deg(self) -> float:
        """Sum of all ranges; a free channel counts as a full turn."""
        if self._has_no_range:
            return 0.0
        spans = [span_of(axis) for axis in self.limit.limits.values()]
        return sum(360.0 if span is None else span[1] - span[0] for span in spans)

    @property
    def _has_no_range(self) -> bool:
        return self.kind == "fixed" and not set(self.limit.limits) <= set(CHANNELS)

    @cached_property
    def _marks(self) -> tuple[str, ...]:
        return vocabulary.grade_marks(self.limit)

    # --- text -----------------------------------------------------------------------------------

    def type_text(self) -> str:
        """Type with its axis, and a question mark for a close decision."""
        hinge, words = self.limit.hinge, self.kind
        if hinge is not None and self.kind == "hinge":
            words += f" {channel_letter(hinge.channel)}"
        return f"{words}?" if self.is_close else words

    def range_text(self) -> str:
        """All ranges in one line."""
        return vocabulary.ranges_text(self.limit)

    def layer_text(self) -> str:
        """Layers that the limits come from, as text."""
        return " and ".join("motion" if layer == DATA else layer for layer in self.layers)

    @cached_property
    def top_layer_text(self) -> str:
        """Layers above the motion, as text; the motion itself where there are none."""
        return (
            ", ".join(layer for layer in self.layers if layer in vocabulary.LAYERS)
            or self.layer_text()
        )

    def grade_text(self) -> str:
        """Grade of the limits, as text."""
        return vocabulary.mark_name(self.grade)

    def tip(self) -> str:
        """Summary in a few lines, as rich text for a tool tip."""
        lines = [f"<b>{_safe(self.name)}</b>: {_safe(self.type_text())}"]
        if self.outside_deg > 0.0:
            lines.append(f"The pose is {vocabulary.degrees(self.outside_deg)} outside.")
        lines += [_safe(part) for part in self.range_text().split(", ")]
        if self.is_close:
            runner = self.limit.evidence.runner_up or ""
            lines.append(f"The type is close; runner-up: {_safe(runner)}.")
        lines.append(f"From: {self.layer_text()}")
        return "<br>".join(lines)

    def findings_tip(self) -> str:
        """The findings as rich text for a tool tip."""
        if not self.findings:
            return NO_NOTES
        items = []
        for item in self.findings[:MOST_FINDINGS]:
            place = place_words(item)
            text = shortened(printable(item.message), LONGEST_FINDING)
            items.append(f"&bull; {_safe(f'{text} ({place})' if place else text)}")
        rest = len(self.findings) - MOST_FINDINGS
        if rest > 0:
            items.append(f"and {rest:,} more")
        return "<br>".join(items)


def _safe(text: str) -> str:
    """Escape text for rich text."""
    return html.escape(printable(text), quote=False)


def outcome(limits: LimitSet, found: Review, character: str) -> str:
    """Result of an estimate of a named character, with its review; if none, the reason."""
    if any(
        axis.state != "free" for joint in limits.joints.values() for axis in joint.limits.values()
    ):
        return f"{character}: {found.sentence()}."
    why = "Nothing else moved, or it turned through a full circle."
    roots = [name for name, joint in limits.joints.items() if joint.is_root]
    if not limits.options.get("limit_root") and len(roots) == len(limits.joints):
        why = (
            f"{', '.join(roots)} is the root, which gets none unless you tick "
            f"“{option_label('limit_root')}” in Options and estimate again."
        )
    return f"{character}: 0 joints with limits. {why}"
