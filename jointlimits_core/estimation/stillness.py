"""Rejection of estimates without motion: a single frame, or a character that never moves."""

from __future__ import annotations

from ..errors import EstimationError
from ..limits.limit_set import LimitSet

MOST_NAMED = 3


def refuse_stillness(limit_set: LimitSet) -> None:
    """Reject an estimate in which nothing moves, since applying it would freeze the character.

    Joints that rest while others move are reported as fixed. An estimate of chosen joints only is
    accepted even if they all rest.

    Raises
    ------
    EstimationError
        For fewer than two frames, or if no joint moves.
    """
    frames = sum(clip.frames for clip in limit_set.clips)
    if limit_set.options.get("joints", "*") != "*":
        return
    if all(not joint.animated for joint in limit_set.joints.values()):
        raise EstimationError(
            f"nothing is animated: no joint of {limit_set.character} has keys or anything that "
            "drives it; choose joints that are animated, or bake the animation onto them first"
        )
    if frames < 2:
        raise EstimationError(
            f"limits cannot be told from one frame ({_frames(limit_set)}); give a range in which "
            "the character moves"
        )
    if all(joint.type == "fixed" for joint in limit_set.joints.values()):
        raise EstimationError(
            f"no joint of {limit_set.character} moves in {_frames(limit_set)}; give a range in "
            f"which it is animated{_noticed(limit_set)}"
        )


def _frames(limit_set: LimitSet) -> str:
    """Frames that were read."""
    parts = [_of_clip(clip.first_frame, clip.last_frame) for clip in limit_set.clips[:MOST_NAMED]]
    more = len(limit_set.clips) - len(parts)
    return ", ".join(parts) + (f" and {more} more clips" if more > 0 else "")


def _of_clip(first: float, last: float) -> str:
    return f"frame {first:g}" if first == last else f"frames {first:g} to {last:g}"


def _noticed(limit_set: LimitSet) -> str:
    """Findings of the reader about the range."""
    outside = [one.message for one in limit_set.findings if one.rule == "outside-keys"]
    return f" ({'; '.join(outside)})" if outside else ""
