"""Check of a clip's size against the input budget."""

from __future__ import annotations

from .read_limits import ReadLimits

FEWEST_CHANNELS = 60
"""Fewest numbers counted per frame, as every frame needs some memory."""


def too_many_frames(frames: int, joints: int, limits: ReadLimits) -> str:
    """Message if a clip has too many frames; empty if it has not."""
    if frames * max(3 * joints, FEWEST_CHANNELS) <= limits.max_clip_numbers:
        return ""
    refusal = limits.refusal("max_clip_numbers", "channels in all frames together")
    return f"has {refusal}"
