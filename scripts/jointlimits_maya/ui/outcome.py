"""Result of an estimate in one or two sentences."""

from __future__ import annotations

from jointlimits_core.limits.limit_set import LimitSet

from .words import counted, option_label, tr


def outcome(limits: LimitSet, character: str) -> str:
    """Number of joints with limits; if there are none, the reason.

    Parameters
    ----------
    character : str
        Name of the character.
    """
    limited = [
        name
        for name, joint in limits.joints.items()
        if any(limit.state != "free" for limit in joint.limits.values())
    ]
    count = counted(len(limited), "{count} joint with limits", "{count} joints with limits")
    text = tr("{name}: {count}.", name=character, count=count)
    return text if limited else f"{text} {_why_none(limits)}"


def _why_none(limits: LimitSet) -> str:
    roots = [name for name, joint in limits.joints.items() if joint.parent is None]
    if limits.options.get("limit_root") or len(roots) != len(limits.joints):
        return tr("Nothing else moved, or it turned through a full circle.")
    return tr(
        "{root} is the root, which gets none unless you tick “{label}” in Options and estimate "
        "again.",
        root=", ".join(roots),
        label=option_label("limit_root"),
    )
