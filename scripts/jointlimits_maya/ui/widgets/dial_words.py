"""Texts of the angle dial."""

from __future__ import annotations

from ..geometry.dial import DialState
from ..words import degrees, one_end, tr


def dial_words() -> str:
    """Explanation of a dial for new users."""
    return tr(
        "The rotation about one axis as a circle: zero at the right, anticlockwise positive. "
        "Spikes show the motion, longer where it was more often. The thick arc is the allowed "
        "range, the dotted one was never reached, and the pale ends show how far more motion may "
        "move a limit. The diamond is the rest pose, the needle the current pose. A dashed inner "
        "arc is the measured range where it was edited.\n"
        "Drag the handles − and +: they snap to the ends of the motion, unless Alt is held. "
        "Arrow keys or the wheel move the selected handle by a degree, with Shift by a tenth; "
        "Space selects the other one. A double click or Enter goes to the frame that a limit "
        "comes from."
    )


def state_words(state: DialState) -> str:
    """Content of a dial, for screen readers."""
    if state.range is None:
        words = one_end(state.state, state.low, state.high) or tr("no limit")
    else:
        low, high = (degrees(end) for end in state.range)
        words = tr("{low} to {high}", low=low, high=high)
        if state.state == "locked":
            words = tr("locked, {range}", range=words)
    if state.ghost is not None:
        low, high = (degrees(end) for end in state.ghost)
        words += "; " + tr("measured {low} to {high}", low=low, high=high)
    if state.rest is not None:
        words += "; " + tr("rest pose {angle}", angle=degrees(state.rest))
    if state.pose is not None:
        words += "; " + tr("current pose {angle}", angle=degrees(state.pose))
        if state.outside(state.pose) > 0.05:
            words += ", " + tr("{by} outside", by=degrees(state.outside(state.pose)))
    return words
