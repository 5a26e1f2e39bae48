"""What an estimate gave, in a sentence or two."""

from __future__ import annotations

from jointlimits_core.limits.limit_set import LimitSet

from .words import counted, option_label, tr


def outcome(limits: LimitSet, character: str) -> str:
    """How many joints have limits, and why if there are none.

    Parameters
    ----------
    character : str
        What the character is called.
    """
    limited = [
        name
        for name, joint in limits.joints.items()
        if any(limit.state != "free" for limit in joint.limits.values())
    ]
    said = counted(len(limited), "{count} joint with limits", "{count} joints with limits")
    text = tr("{name}: {said}.", name=character, said=said)
    return text if limited else f"{text} {_why_none(limits)}"


def _why_none(limits: LimitSet) -> str:
    roots = [name for name, joint in limits.joints.items() if joint.parent is None]
    if limits.options.get("limit_root") or len(roots) != len(limits.joints):
        return tr("Nothing else moved, or it turned all the way round.")
    return tr(
        "{root} is the root, which gets none unless you tick “{label}” in Options and estimate "
        "again.",
        root=", ".join(roots),
        label=option_label("limit_root"),
    )
