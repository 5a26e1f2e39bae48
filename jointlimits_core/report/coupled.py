"""Report text on limits that couple several channels."""

from __future__ import annotations

from ..evaluation.dependency_text import dependency_told
from ..limits.limit_set import JointLimit, LimitSet
from .markup import Html, element

FLAT = "flat"
"""Kind of the shapes of hinges and universal joints, which have no volume."""


def coupled_words(limit: JointLimit) -> str:
    """Caption for the net in the cloud; empty for a joint whose shape has no volume."""
    coupled = limit.coupled
    if coupled is None or coupled.kind == FLAT:
        return ""
    return (
        f"The net is its coupled limit ({coupled.kind}, {coupled.pad_deg:g}° beyond the samples): "
        f"{100 * coupled.freedom:.2g} % of all rotations. "
    )


def dependencies_section(limit_set: LimitSet) -> Html | None:
    """Ranges that depend on another channel; None where there are none."""
    found = limit_set.dependencies
    if not found:
        return None
    pads = " or ".join(f"{pad:g}°" for pad in sorted({item.pad_deg for item in found}))
    return element(
        "section",
        element("h2", "Channels that limit each other"),
        element(
            "p",
            "Found in the motion: at some values of one channel, another turns less far than its "
            f"range. These are limits, {pads} wider than listed here: check --shapes reports "
            "frames outside them, project brings a motion inside. Maya’s own limits cannot "
            "express them.",
        ),
        element("ul", *(element("li", dependency_told(limit_set, item), ".") for item in found)),
    )
