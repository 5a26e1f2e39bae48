"""Requests to the estimator."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any

from jointlimits_core.estimation.options import EstimateOptions
from jointlimits_core.limits.diff import LimitDiff, diff
from jointlimits_core.limits.limit_set import LimitSet
from jointlimits_core.motion import Motion
from jointlimits_core.option_table import option

from .files import DocumentError
from .host import Character
from .state import Ignored, State, with_data
from .traces import Traces
from .words import frame_number, option_label, option_words, tr


@dataclass(frozen=True, eq=False)
class Asked:
    """A request to the estimator.

    Parameters
    ----------
    text : str
        Entry in the Edit menu.
    whom : Character, optional
        Character of the host that it is about.
    is_other : bool
        Whether that character replaces the one that is open.
    traces : Traces
        Fit of joints that were found in loose bodies.
    """

    text: str
    clips: tuple[Motion, ...]
    options: EstimateOptions
    ignored: Ignored
    whom: Character | None = None
    is_other: bool = False
    traces: Traces = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Preview:
    """Result of an estimate with other options.

    Parameters
    ----------
    data : LimitSet
        Without the artist's edits.
    limits : LimitSet
        With the artist's edits.
    changes : LimitDiff
        From the limits in force to `limits`.
    """

    asked: Asked
    data: LimitSet
    limits: LimitSet
    changes: LimitDiff


def options_in(limit_set: LimitSet) -> EstimateOptions:
    """Options that a limit set was made with, without those that this program does not know."""
    known: dict[str, Any] = {}
    for item in fields(EstimateOptions):
        value = limit_set.options.get(item.name, option(item.name).default)
        known[item.name] = tuple(value) if isinstance(value, list) else value
    try:
        return EstimateOptions(**known)
    except ValueError:
        return EstimateOptions()


def with_options(now: Asked, options: dict[str, Any]) -> EstimateOptions:
    """Options with some of them changed.

    Raises
    ------
    ValueError
        For an unknown option or an invalid value.
    """
    names = {item.name for item in fields(EstimateOptions)}
    for name in options:
        if name not in names:
            raise ValueError(f"unknown option {name!r}; options are: {', '.join(sorted(names))}")
    return replace(now.options, **options)


def options_text(now: EstimateOptions, options: dict[str, Any]) -> str:
    """The options whose values change, as text."""
    changed = [
        f"{option_label(name)}: {option_words(name, value)}"
        for name, value in options.items()
        if getattr(now, name) != value
    ]
    return ", ".join(changed) or tr("Estimate")


def clip_called(now: Asked, name: str) -> Motion:
    """Clip of this name; raises DocumentError if it is not open."""
    for clip in now.clips:
        if clip.name == name:
            return clip
    raise DocumentError(tr("clip {clip} is not open; open it first", clip=name))


def frames_of(clip: Motion, frames: Iterable[float]) -> tuple[float, ...]:
    """Frame numbers of a clip; raises DocumentError for a frame that it does not have."""
    there = {float(frame) for frame in clip.frames}
    chosen = tuple(float(frame) for frame in frames)
    for frame in chosen:
        if frame not in there:
            place = frame_number(frame)
            raise DocumentError(tr("{clip} has no frame {frame}", clip=clip.name, frame=place))
    return chosen


def frames_text(frames: Sequence[float]) -> str:
    """One frame number, or a count of frames."""
    if len(frames) == 1:
        return tr("frame {frame}", frame=frame_number(frames[0]))
    return tr("{count} frames", count=len(frames))


def called_as(before: LimitSet | None, found: LimitSet) -> LimitSet:
    """Estimated limits with the character and purpose that the user gave before."""
    if before is None:
        return found
    return replace(found, character=before.character, purpose=before.purpose)


def preview_of(state: State, asked: Asked, found: LimitSet) -> Preview:
    """Changes that an estimate would make."""
    data = called_as(state.data, found)
    limits = with_data(state, data).limits
    assert limits is not None
    before = state.limits or replace(limits, joints={})
    return Preview(asked, data, limits, diff(before, limits))
