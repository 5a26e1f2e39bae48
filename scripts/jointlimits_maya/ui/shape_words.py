"""What coupled limits and dependencies are, in words for an artist."""

from __future__ import annotations

from jointlimits_core.evaluation.dependency_text import dependency_told
from jointlimits_core.evaluation.shape_text import NO_VOLUME, range_freedom
from jointlimits_core.limits.dependency import Dependency
from jointlimits_core.limits.limit_set import JointLimit, LimitSet

from .words import counted, tr

KEPT_BY = "Checks with shapes, and motions projected on the command line, keep to these limits."


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


def dependencies_of(joint: str, limits: LimitSet) -> list[Dependency]:
    """Dependencies that a joint takes part in; those that limit it come first."""
    dependencies = limits.dependencies
    own = [item for item in dependencies if item.joint == joint]
    return own + [item for item in dependencies if item.on_joint == joint and item not in own]


def dependency_line(joint: str, limits: LimitSet) -> str:
    """The first dependency of a joint, and how many more there are; nothing without one."""
    found = dependencies_of(joint, limits)
    if not found:
        return ""
    more = counted(len(found) - 1, " And {count} more.", " And {count} more.")
    return f"{dependency_told(limits, found[0])}." + (more if len(found) > 1 else "")


def dependency_list(joint: str, limits: LimitSet) -> str:
    """All dependencies of a joint, a line each, and what keeps to them; nothing without one."""
    found = [f"{dependency_told(limits, item)}." for item in dependencies_of(joint, limits)]
    return "\n".join([*found, tr(KEPT_BY)] if found else [])
