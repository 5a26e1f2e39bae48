"""Exclusions: frames or clips that the user leaves out, for the whole body or for single joints.

They are written ``CLIP[:FRAMES][@JOINTS]``, such as ``walk``, ``walk:120-160``, ``walk:7@lthumb``
or ``walk@lthumb+lwrist``. Names may contain any of these characters: a name that exists is taken as
a whole.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from fnmatch import fnmatchcase
from shlex import quote
from typing import TYPE_CHECKING, NamedTuple

from ..base.errors import OptionError
from ..base.text import listed_parts

if TYPE_CHECKING:
    from .limit_set import JointLimit

FRAMES_RULE, CLIP_RULE = EXCLUDED_RULES = "ignored-frames", "ignored-clip"
"""Rules for findings about frames and clips excluded for a joint or for the whole body."""
_FRAMES = re.compile(r"(.+):(-?\d+(?:\.\d+)?)(?:-(-?\d+(?:\.\d+)?))?", re.DOTALL)


class Exclusion(NamedTuple):
    """One exclusion."""

    clip: str
    first: float | None = None
    """First frame; None for the whole clip."""
    last: float | None = None
    joints: tuple[str, ...] = ()
    """Names or shell-style patterns; empty for the whole body."""

    @property
    def is_whole_clip(self) -> bool:
        """Whether the clip is left out for the whole body."""
        return self.first is None and not self.joints


def read_exclusions(
    wishes: Iterable[str], clips: Collection[str] = (), joints: Collection[str] = ()
) -> list[Exclusion]:
    """Read comma-separated lists of exclusions.

    `clips`, `joints`: names that exist. Raises OptionError for a range that ends before it begins.
    """

    def is_joint(part: str) -> bool:
        return part in joints or any(fnmatchcase(name, part) for name in joints)

    def is_known(found: Exclusion) -> bool:
        return found.clip in clips and all(map(is_joint, found.joints))

    def readings(wish: str) -> Iterator[Exclusion]:
        """All possible meanings; without known names, the first one applies."""
        for at in reversed([at for at, character in enumerate(wish) if character == "@"]):
            names = tuple(listed_parts(wish[at + 1 :], joints.__contains__, "+"))
            if names:
                yield from (one._replace(joints=names) for one in _in_clip(wish[:at]))
        yield from _in_clip(wish)

    def is_whole(wish: str) -> bool:
        return any(map(is_known, readings(wish)))

    found = []
    for wish in (part for text in wishes for part in listed_parts(text, is_whole)):
        every = list(readings(wish))
        known = list(filter(is_known, every)) or [one for one in every if one.clip in clips]
        one = known[-1] if known else every[0]
        if one.first is not None and one.last is not None and one.last < one.first:
            raise OptionError("exclude", f"must have frames in ascending order, not {wish!r}")
        found.append(one)
    return found


def _in_clip(text: str) -> Iterator[Exclusion]:
    """Meanings of a text: frames of a clip, if it ends in frames, then a clip of this name."""
    found = _FRAMES.fullmatch(text)
    if found is not None:
        first = float(found[2])
        yield Exclusion(found[1], first, first if found[3] is None else float(found[3]))
    if text:
        yield Exclusion(text)


def exclusion(
    clip: str, first: float | None = None, last: float | None = None, joints: Sequence[str] = ()
) -> str:
    """Text of an exclusion; if no frames, of a whole clip; if no joints, for the whole body.

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
    """Command-line option, quoted for a shell; `frames`: clip, first and last frame per range."""
    return f"--exclude {quote(','.join(exclusion(*run, joints) for run in frames))}"


def is_left_out(joint: JointLimit) -> bool:
    """Whether all clips are left out for a joint, so that nothing is known about its limits."""
    return not joint.evidence.samples and any(item.rule == CLIP_RULE for item in joint.findings)
