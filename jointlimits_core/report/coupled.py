"""What the page says of limits of several channels together."""

from __future__ import annotations

from ..evaluation.dependency_text import dependency_words
from ..limits.dependency import Dependency
from ..limits.limit_set import JointLimit
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


def dependencies_section(dependencies: tuple[Dependency, ...]) -> Html | None:
    """Ranges that depend on another channel; None where there are none."""
    if not dependencies:
        return None
    return element(
        "section",
        element("h2", "Channels that limit each other"),
        element(
            "p",
            "Found in the motion: while one channel has some value, another goes less far than its "
            "range. In Maya’s limits this cannot be said; it is here to be known.",
        ),
        element("ul", *(element("li", dependency_words(item), ".") for item in dependencies)),
    )
