"""Questions to the estimator, in the words of the window."""

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
    """One question to the estimator.

    Parameters
    ----------
    text : str
        For the Edit menu.
    whom : Character, optional
        Of the host, that it is about.
    is_other : bool
        Whether that is another character than the one that is open, which is to give way.
    traces : Traces
        What is known of joints that were found in loose bodies.
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
    """What an estimate with other options would say.

    Parameters
    ----------
    data : LimitSet
        Without edits.
    limits : LimitSet
        With the artist's.
    changes : LimitDiff
        From what is in force to `limits`.
    """

    asked: Asked
    data: LimitSet
    limits: LimitSet
    changes: LimitDiff


def options_in(limit_set: LimitSet) -> EstimateOptions:
    """Options that a limit set was made with; those that this program does not know are dropped."""
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
        For an option that there is not, or a value that it may not have.
    """
    names = {item.name for item in fields(EstimateOptions)}
    for name in options:
        if name not in names:
            raise ValueError(f"no option {name!r}; there is: {', '.join(sorted(names))}")
    return replace(now.options, **options)


def options_text(now: EstimateOptions, options: dict[str, Any]) -> str:
    """Those of some options that are others than now, in words."""
    said = [
        f"{option_label(name)}: {option_words(name, value)}"
        for name, value in options.items()
        if getattr(now, name) != value
    ]
    return ", ".join(said) or tr("Estimate")


def clip_called(now: Asked, name: str) -> Motion:
    """The clip of a name.

    Raises
    ------
    DocumentError
        If there is none.
    """
    for clip in now.clips:
        if clip.name == name:
            return clip
    raise DocumentError(tr("The clip {clip} is not open; open it first", clip=name))


def frames_of(clip: Motion, frames: Iterable[float]) -> tuple[float, ...]:
    """Numbers of frames of a clip.

    Raises
    ------
    DocumentError
        For a frame that it does not have.
    """
    there = {float(frame) for frame in clip.frames}
    chosen = tuple(float(frame) for frame in frames)
    for frame in chosen:
        if frame not in there:
            place = frame_number(frame)
            raise DocumentError(tr("{clip} has no frame {frame}", clip=clip.name, frame=place))
    return chosen


def frames_text(frames: Sequence[float]) -> str:
    """Which frame, or how many."""
    if len(frames) == 1:
        return tr("frame {frame}", frame=frame_number(frames[0]))
    return tr("{count} frames", count=len(frames))


def called_as(before: LimitSet | None, found: LimitSet) -> LimitSet:
    """Limits with the names that somebody gave to the character and the set."""
    if before is None:
        return found
    return replace(found, character=before.character, purpose=before.purpose)


def preview_of(state: State, asked: Asked, found: LimitSet) -> Preview:
    """What an estimate would change."""
    data = called_as(state.data, found)
    limits = with_data(state, data).limits
    assert limits is not None
    before = state.limits or replace(limits, joints={})
    return Preview(asked, data, limits, diff(before, limits))
