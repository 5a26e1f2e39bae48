"""Exclusions: frames or clips that the user leaves out, for the whole body or for single joints.

They are written ``CLIP[:FRAMES][@JOINTS]``, such as ``walk``, ``walk:120-160``, ``walk:7@lthumb``
or ``walk@lthumb+lwrist``. A name that exists is taken as a whole, whatever characters it has.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from shlex import quote


def exclusion(
    clip: str, first: float | None = None, last: float | None = None, joints: Sequence[str] = ()
) -> str:
    """Text of an exclusion; without frames it is about the whole clip, without joints about all.

    `first`, `last`: frames of the clip; whole ones are written as whole numbers, others with all
    their digits, so that the text means exactly these frames.
    """
    text = clip
    if first is not None:
        text += f":{first:.15g}" if last in (None, first) else f":{first:.15g}-{last:.15g}"
    return text + (f"@{'+'.join(joints)}" if joints else "")


def exclude_flag(
    frames: Iterable[tuple[str, float | None, float | None]], joints: Sequence[str] = ()
) -> str:
    """Flag of a command, quoted for a shell; `frames`: clip, first and last frame of each range."""
    return f"--exclude {quote(','.join(exclusion(*run, joints) for run in frames))}"
