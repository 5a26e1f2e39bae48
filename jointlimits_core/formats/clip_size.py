"""Whether a clip has more frames and joints than may be asked for."""

from __future__ import annotations

from .read_limits import ReadLimits

FEWEST_CHANNELS = 60
"""Of few joints a frame counts as so many numbers: some memory is needed for every frame."""


def too_many_frames(frames: int, joints: int, limits: ReadLimits) -> str:
    """Say that a clip has more frames than are read; empty if it has not."""
    if frames * max(3 * joints, FEWEST_CHANNELS) <= limits.max_clip_numbers:
        return ""
    refusal = limits.refusal("max_clip_numbers", "channels in all frames together")
    return f"has {refusal}"
