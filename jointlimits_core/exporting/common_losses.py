"""Losses common to all formats: what only the JSON of a limit set holds."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from ..limits.in_force import shapes_in_force
from ..limits.limit_set import LimitSet
from ..wording import ON_CHANNEL_DEG
from .loss import Loss, losses_of


def common_losses(
    limit_set: LimitSet,
    place: str,
    joints: Iterable[str] | None = None,
    on_own_axis: Collection[str] = (),
) -> tuple[Loss, ...]:
    """Losses of a format that only has a range per rotate channel.

    Parameters
    ----------
    place : str
        Format name that starts a sentence: "MJCF", "a table".
    joints : iterable of str, optional
        Joints written; all by default.
    on_own_axis : collection of str
        Hinges written with their own axis.
    """
    kept = list(limit_set.joints) if joints is None else list(joints)
    shapes = shapes_in_force(limit_set)
    others = [name for name in kept if name not in on_own_axis]
    tilted = [name for name in others if _is_tilted_hinge(limit_set, name)]
    depending = {item.joint for item in limit_set.dependencies}
    return losses_of(
        [
            (
                "coupled-limit",
                f"{place} has no coupled limits; the range of each channel was written, which "
                "allows more",
                [name for name in kept if name in shapes],
            ),
            (
                "dependency",
                f"{place} has no ranges that depend on another channel; each range was written "
                "for any value of the other channel",
                [name for name in kept if name in depending],
            ),
            (
                "tilted-hinge",
                "the joint turns about an axis that is none of its channels; the ranges of the "
                "channels were written, not the range about the axis (estimate with --frame "
                "advised to turn about a single channel)",
                tilted,
            ),
        ]
    )


def _is_tilted_hinge(limit_set: LimitSet, name: str) -> bool:
    hinge = limit_set.joints[name].hinge
    return hinge is not None and abs(hinge.off_channel_deg) >= ON_CHANNEL_DEG
