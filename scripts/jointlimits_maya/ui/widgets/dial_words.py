"""Words on the angle dial."""

from __future__ import annotations

from ..geometry.dial import DialState
from ..words import degrees, one_end, tr


def dial_words() -> str:
    """What a dial is, for somebody who sees one for the first time."""
    return tr(
        "The turn about one axis as a circle: zero is on the right, anticlockwise is more. Spikes "
        "outside are the motion, longer where it was more often. The thick arc is the range that "
        "is allowed, the dotted one what never happened, the pale ends how far more motion may "
        "take a bound. The diamond is the rest pose, the needle the current pose. A dashed arc "
        "inside is what the motion says where somebody decided otherwise.\n"
        "Drag the handles − and +: they snap to where the motion ends, with Alt they do not. "
        "Arrow keys or the wheel move the chosen one by a degree, with Shift by a tenth; Space "
        "chooses the other. A double click or Enter shows the frame that a bound comes from."
    )


def state_words(state: DialState) -> str:
    """What a dial shows, for screen readers."""
    if state.range is None:
        words = one_end(state.state, state.low, state.high) or tr("no limit")
    else:
        low, high = (degrees(end) for end in state.range)
        words = tr("{low} to {high}", low=low, high=high)
        if state.state == "locked":
            words = tr("locked, {range}", range=words)
    if state.ghost is not None:
        low, high = (degrees(end) for end in state.ghost)
        words += "; " + tr("the motion says {low} to {high}", low=low, high=high)
    if state.rest is not None:
        words += "; " + tr("rest pose {angle}", angle=degrees(state.rest))
    if state.pose is not None:
        words += "; " + tr("current pose {angle}", angle=degrees(state.pose))
        if state.outside(state.pose) > 0.05:
            words += ", " + tr("{by} outside", by=degrees(state.outside(state.pose)))
    return words
