"""Descriptions of coupled limits and dependencies for the artist."""

from __future__ import annotations

from jointlimits_core.evaluation.dependency_text import dependency_told
from jointlimits_core.evaluation.shape_text import NO_VOLUME, range_freedom
from jointlimits_core.limits.dependency import Dependency
from jointlimits_core.limits.limit_set import JointLimit, LimitSet

from .words import counted, tr

KEPT_BY = "Enforced by checks with shapes, and by projection on the command line."


def shape_words(joint: JointLimit) -> str:
    """Description of a joint's shape and the freedom it leaves; empty without one."""
    coupled = joint.coupled
    if coupled is None:
        return ""
    if coupled.freedom <= NO_VOLUME:
        pad = f"{coupled.pad_deg:g}"
        if joint.type == "universal":
            return tr("Shape about both its axes only, with a margin of {pad}°.", pad=pad)
        return tr("Shape about its axis only, with a margin of {pad}°.", pad=pad)
    text = tr(
        "Shape ({kind} + {pad}°) allows {share} % of all rotations",
        kind=coupled.kind,
        pad=f"{coupled.pad_deg:g}",
        share=f"{100 * coupled.freedom:.2g}",
    )
    ranges = range_freedom(joint, coupled.pad_deg)
    if ranges > NO_VOLUME:
        text += tr(", {part} % of what its X/Y/Z ranges allow",
                   part=f"{100 * coupled.freedom / ranges:.0f}")  # fmt: skip
    if coupled.trimmed:
        text += "; " + counted(coupled.trimmed, "{count} sample outside", "{count} samples outside")
    return text + "."


def dependencies_of(joint: str, limits: LimitSet) -> list[Dependency]:
    """Dependencies of a joint; those that limit it come first."""
    dependencies = limits.dependencies
    own = [item for item in dependencies if item.joint == joint]
    return own + [item for item in dependencies if item.on_joint == joint and item not in own]


def dependency_line(joint: str, limits: LimitSet) -> str:
    """The first dependency of a joint, and the number of others; empty without one."""
    found = dependencies_of(joint, limits)
    if not found:
        return ""
    more = counted(len(found) - 1, " And {count} more.", " And {count} more.")
    return f"{dependency_told(limits, found[0])}." + (more if len(found) > 1 else "")


def dependency_list(joint: str, limits: LimitSet) -> str:
    """All dependencies of a joint, one per line, and what enforces them; empty without one."""
    found = [f"{dependency_told(limits, item)}." for item in dependencies_of(joint, limits)]
    return "\n".join([*found, tr(KEPT_BY)] if found else [])
