"""What the page says of limits of several channels together."""

from __future__ import annotations

from ..evaluation.dependency_text import dependency_told
from ..limits.limit_set import JointLimit, LimitSet
from .markup import Html, element

FLAT = "flat"
"""Kind of the shapes of hinges and universal joints, which have no volume to tell."""


def coupled_words(limit: JointLimit) -> str:
    """Say what the net in the cloud is; nothing for a joint without a shape that has a volume."""
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
            "Found in the motion: while one channel has some value, another goes less far than its "
            f"range. These are limits, {pads} beyond what is said here: check --shapes tells which "
            "frames leave them, project brings a motion inside. Maya’s own limits cannot say them.",
        ),
        element("ul", *(element("li", dependency_told(limit_set, item), ".") for item in found)),
    )
