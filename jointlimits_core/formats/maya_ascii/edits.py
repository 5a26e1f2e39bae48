"""Edits to a scene's bytes, in the style of the file, that are written to a copy."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from ...base.errors import MayaAsciiError
from ...io.output import atomic_output
from ...rig import attributes, limit_plan
from .statements import LimitAssignment, axes_of

_WIDE_OPEN = {limit_plan.MINIMUM: -360.0, limit_plan.MAXIMUM: 360.0}
_SWITCH_OF = {limit_plan.MINIMUM: limit_plan.MINIMUM_ON, limit_plan.MAXIMUM: limit_plan.MAXIMUM_ON}
_REST_OF_LINE = re.compile(rb"[ \t]*(//[^\r\n]*)?(?=\r|\n)")


@dataclass(frozen=True, order=True)
class Edit:
    """New bytes for a range of a file. `start`, `end`: byte offsets, equal for an insertion."""

    start: int
    end: int
    text: bytes


def write_edited(data: bytes, target: str, edits: Iterable[Edit]) -> None:
    """Write a file's bytes with some ranges replaced, completely or not at all.

    `edits`: in any order; insertions at the same place keep the given order. Raises MayaAsciiError
    if the target cannot be written, and ValueError if ranges overlap.
    """
    ordered = sorted(edits, key=lambda edit: (edit.start, edit.end))
    for earlier, later in zip(ordered, ordered[1:]):
        if later.start < earlier.end:
            raise ValueError(f"edits overlap at byte {later.start}")
    rest, place = memoryview(data), 0
    try:
        with atomic_output(target) as stream:
            for edit in ordered:
                stream.write(rest[place : edit.start])
                stream.write(edit.text)
                place = edit.end
            stream.write(rest[place:])
    except OSError as problem:
        reason = problem.strerror or str(problem)
        message = f"cannot be written ({reason}); choose another path"
        raise MayaAsciiError(target, message) from None


@dataclass(frozen=True)
class Placement:
    """New values and the location to write them to.

    `axis`: None for the compound. `values`: degrees, or 0 and 1 for switches. `place`: existing
    values to replace; None to add a statement.
    """

    triple: limit_plan.Triple
    axis: int | None
    values: tuple[float, ...]
    place: LimitAssignment | None = None


def placements(
    plan: limit_plan.JointPlan,
    states: limit_plan.PlugStates,
    own: Sequence[LimitAssignment],
    degrees_per_unit: float,
) -> Iterator[Placement]:
    """Locations for the values of a plan: existing assignments if there are any, or new statements.

    `states`: current states. `own`: assignments that may be edited, in units of `degrees_per_unit`.
    """
    for triple in limit_plan.TRIPLES:
        wanted = plan.wanted[triple]
        if wanted != [None] * 3:
            places = [one for one in own if one.triple == triple and one.values]
            yield from _placements_of(triple, wanted, states, places, degrees_per_unit)


def _placements_of(
    triple: limit_plan.Triple,
    wanted: Sequence[float | None],
    states: limit_plan.PlugStates,
    places: Sequence[LimitAssignment],
    degrees_per_unit: float,
) -> list[Placement]:
    # Value of each axis: the wanted one, or else the current one, or else one without effect.
    state, final = states[triple], []
    switch = states[_SWITCH_OF[triple]].values if triple in _SWITCH_OF else [1.0] * 3
    for axis, asked in enumerate(wanted):
        default = triple.default if switch[axis] == 1.0 else _WIDE_OPEN[triple]
        value = state.values[axis] if asked is None else asked
        final.append(default if value is None or not math.isfinite(value) else value)
    scale = degrees_per_unit if triple.is_angle else 1.0
    found: list[Placement] = []
    covered: set[int] = set()
    for one in places:
        axes = axes_of(one.axis)
        covered.update(axes)
        values = tuple(final[axis] for axis in axes)
        now = [value * scale for value in one.values]
        same = len(now) == len(values) and all(
            abs(a - b) <= limit_plan.SAME_DEG or wanted[axis] is None
            for a, b, axis in zip(now, values, axes)
        )
        if not same:
            found.append(Placement(triple, one.axis, values, one))
    missing = [axis for axis in range(3) if wanted[axis] is not None and axis not in covered]
    free = all(state.obstacle(axis) is None for axis in range(3))
    if missing and triple.is_angle and free and not places:
        return [*found, Placement(triple, None, tuple(final))]
    return found + [Placement(triple, axis, (final[axis],)) for axis in missing]


def number_text(value: float) -> str:
    """Shortest text that reads back as the same number, without a trailing ".0"."""
    text = repr(float(value) + 0.0)
    return text[:-2] if text.endswith(".0") else text


@dataclass(frozen=True)
class Pen:
    """Formatter of statements in the style of a file. `buffer`: bytes of the file."""

    buffer: bytes
    short_names: bool

    def name(self, node_type: str, long: str) -> str:
        """Name of an attribute, long or short, whichever the file uses."""
        if not self.short_names:
            return long
        names = attributes.family_of(node_type).long_names
        return next((name for name, whole in names.items() if whole == long != name), long)

    def newline(self, place: int) -> bytes:
        """Line end that the file uses after an offset, or else before it."""
        after = self.buffer.find(b"\n", place)
        after = after if after >= 0 else self.buffer.rfind(b"\n", 0, place)
        if after < 0:
            return b"\r" if self.buffer.find(b"\r") >= 0 else b"\n"
        return b"\r\n" if self.buffer[after - 1 : after] == b"\r" else b"\n"

    def insert_lines(self, place: int, lines: Sequence[str]) -> Edit:
        """Insert lines after the line on which a statement ends."""
        rest = _REST_OF_LINE.match(self.buffer, place)
        there = rest.end() if rest else place
        text = "".join("\n" + line for line in lines).encode("utf-8", "surrogateescape")
        return Edit(there, there, text.replace(b"\n", self.newline(place)))
