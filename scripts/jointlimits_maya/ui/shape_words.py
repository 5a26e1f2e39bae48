"""What coupled limits and dependencies are, in words for an artist."""

from __future__ import annotations

from collections.abc import Sequence

from jointlimits_core.evaluation.dependency_text import dependency_words
from jointlimits_core.evaluation.shape_text import NO_VOLUME, range_freedom
from jointlimits_core.limits.dependency import Dependency
from jointlimits_core.limits.limit_set import JointLimit

from .words import counted, tr


def shape_words(joint: JointLimit) -> str:
    """Say what a joint's shape is and how much freedom it gives; nothing without one."""
    coupled = joint.coupled
    if coupled is None:
        return ""
    if coupled.freedom <= NO_VOLUME:
        pad = f"{coupled.pad_deg:g}"
        if joint.type == "universal":
            return tr("Shape: about both its axes only, {pad}° beyond the poses.", pad=pad)
        return tr("Shape: about its axis only, {pad}° beyond the poses.", pad=pad)
    said = tr(
        "Shape: {kind}, {pad}° beyond the poses; {share} % of all rotations",
        kind=coupled.kind,
        pad=f"{coupled.pad_deg:g}",
        share=f"{100 * coupled.freedom:.2g}",
    )
    ranges = range_freedom(joint, coupled.pad_deg)
    if ranges > NO_VOLUME:
        said += tr(", {part} % of its ranges",
                   part=f"{100 * coupled.freedom / ranges:.0f}")  # fmt: skip
    if coupled.trimmed:
        said += "; " + counted(coupled.trimmed, "{count} sample outside", "{count} samples outside")
    return said + "."


def dependencies_of(joint: str, dependencies: Sequence[Dependency]) -> list[Dependency]:
    """Dependencies that a joint takes part in; those that limit it come first."""
    own = [item for item in dependencies if item.joint == joint]
    return own + [item for item in dependencies if item.on_joint == joint and item not in own]


def dependency_line(joint: str, dependencies: Sequence[Dependency]) -> str:
    """The first dependency of a joint, and how many more there are; nothing without one."""
    found = dependencies_of(joint, dependencies)
    if not found:
        return ""
    more = counted(len(found) - 1, " And {count} more.", " And {count} more.")
    return f"{dependency_words(found[0])}." + (more if len(found) > 1 else "")


def dependency_list(joint: str, dependencies: Sequence[Dependency]) -> str:
    """All dependencies of a joint, a line each."""
    return "\n".join(f"{dependency_words(item)}." for item in dependencies_of(joint, dependencies))
