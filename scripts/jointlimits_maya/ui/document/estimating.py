"""Estimates of the document: requested, run in the background, applied as one undo step.

Everything that needs another estimate goes through :meth:`Estimating.ask`. While one is running, a
new request is merged into it, so that two frames excluded in quick succession both are.

Requests to the estimator.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import (
    dataclass,
    field,
    fields,
    replace,
)
from typing import TYPE_CHECKING, Any

from jointlimits_core.base import Progress, option
from jointlimits_core.estimation import EstimateOptions
from jointlimits_core.limits import LimitDiff, LimitSet
from jointlimits_core.limits.diff import diff
from jointlimits_core.motion import Motion

from ..toolkit import frame_number, option_label, option_words
from .estimate_cache import Summaries, refitted
from .files import DocumentError, fitted, joined_clips
from .host import Character
from .jobs import LongWork
from .skeleton_fit import Traces
from .state import Exclusions, State, with_data
from .worker import Runner

if TYPE_CHECKING:
    from .document import Document


@dataclass(frozen=True, eq=False)
class EstimateRequest:
    """A request to the estimator.

    Parameters
    ----------
    text : str
        Entry in the Edit menu.
    character : Character, optional
        Character of the host that it is about.
    is_other : bool
        Whether that character replaces the one that is open.
    traces : Traces
        Fit of joints that were found in loose bodies.
    """

    text: str
    clips: tuple[Motion, ...]
    options: EstimateOptions
    excluded: Exclusions
    character: Character | None = None
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

    asked: EstimateRequest
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


def with_options(now: EstimateRequest, options: dict[str, Any]) -> EstimateOptions:
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
    return ", ".join(changed) or "Estimate"


def clip_named(now: EstimateRequest, name: str) -> Motion:
    """Clip of this name; raises DocumentError if it is not open."""
    for clip in now.clips:
        if clip.name == name:
            return clip
    raise DocumentError(f"clip {name} is not open; open it first")


def frames_of(clip: Motion, frames: Iterable[float]) -> tuple[float, ...]:
    """Frame numbers of a clip; raises DocumentError for a frame that it does not have."""
    there = {float(frame) for frame in clip.frames}
    chosen = tuple(float(frame) for frame in frames)
    for frame in chosen:
        if frame not in there:
            place = frame_number(frame)
            raise DocumentError(f"{clip.name} has no frame {place}")
    return chosen


def frames_text(frames: Sequence[float]) -> str:
    """One frame number, or a count of frames."""
    if len(frames) == 1:
        return f"frame {frame_number(frames[0])}"
    return f"{len(frames)} frames"


def with_given_names(before: LimitSet | None, found: LimitSet) -> LimitSet:
    """Estimated limits with the character and purpose that the user gave before."""
    if before is None:
        return found
    return replace(found, character=before.character, purpose=before.purpose)


def preview_of(state: State, asked: EstimateRequest, found: LimitSet) -> Preview:
    """Changes that an estimate would make."""
    data = with_given_names(state.data, found)
    limits = with_data(state, data).limits
    assert limits is not None
    before = state.limits or replace(limits, joints={})
    return Preview(asked, data, limits, diff(before, limits))


__all__ = ["EstimateRequest", "Estimating", "Preview"]


class Estimating(LongWork):
    """Estimates of a document.

    Parameters
    ----------
    runner, previewer : Runner
        Run an estimate, and a preview.
    """

    def __init__(self, document: Document, runner: Runner, previewer: Runner) -> None:
        super().__init__(document, runner)
        self._previewer = previewer
        self._summaries = Summaries()
        self._wanted: EstimateRequest | None = None
        self._open_then: tuple[Motion, ...] = ()

    def estimate(
        self,
        clips: Iterable[Motion] | None = None,
        character: Character | None = None,
        is_other: bool = False,
        traces: Traces | None = None,
        **options: Any,
    ) -> None:
        """Estimate from given clips in place of the open ones, or from the open ones.

        Parameters
        ----------
        clips : iterable of Motion, optional
        character : Character, optional
            Character of the host that the clips are of; by default the open one.
        is_other : bool
            Whether that is another character: once its limits are there, the open one is closed
            completely, so that nothing of it gets into them.
        traces : Traces, optional
            Of clips whose skeleton was found in loose bodies.
        **options
            Fields of :class:`EstimateOptions`; the others stay as they are.

        Raises
        ------
        DocumentError
            If the clips are of another character than the limits.
        ValueError
            For an unknown option or an invalid value.
        """
        now = self._now()
        if clips is not None and now.is_other:
            now = self.open_now()  # the requested one is not wanted any more
        wanted = with_options(now, options)
        if is_other:
            given = tuple(clips or ())
            self.ask(
                EstimateRequest(
                    "Estimate", given, wanted, Exclusions(), character, True, traces or {}
                )
            )
            return
        taken = now.clips if clips is None else self._fitted(clips)
        excluded = now.excluded.among(clip.name for clip in taken)
        known = now.traces if traces is None else traces
        self.ask(replace(now, text="Estimate", clips=taken, options=wanted, excluded=excluded,
                         character=character or now.character, traces=known))  # fmt: skip

    def set_options(self, **options: Any) -> None:
        """Estimate again with other options; do nothing if they are the same.

        Raises
        ------
        DocumentError
            If a clip that the limits come from is not open.
        ValueError
            As :meth:`estimate`.
        """
        now = self._now()
        wanted = with_options(now, options)
        if wanted != now.options:
            self._ask_again(replace(now, text=options_text(now.options, options), options=wanted))

    def exclude_frames(self, clip: str, frames: Iterable[float]) -> None:
        """Exclude frames of a clip, and estimate again.

        Raises
        ------
        DocumentError
            If the clip or frame does not exist, or not all clips are open.
        """
        chosen = frames_of(clip_named(self._now(), clip), frames)
        text = f"Exclude {frames_text(chosen)} of {clip}"
        excluded = self._now().excluded
        more = excluded.frames | {(clip, frame) for frame in chosen}
        self._ask_excluding(text, replace(excluded, frames=more))

    def include_frames(self, clip: str, frames: Iterable[float] | None = None) -> None:
        """Include excluded frames of a clip again, or all of them."""
        excluded = self._now().excluded
        chosen = excluded.frames_of(clip) if frames is None else tuple(frames)
        text = f"Include {frames_text(chosen)} of {clip}"
        less = excluded.frames - {(clip, frame) for frame in chosen}
        self._ask_excluding(text, replace(excluded, frames=less))

    def exclude_clip(self, clip: str) -> None:
        """Exclude a whole clip, and estimate again.

        Raises
        ------
        DocumentError
            If the clip does not exist, or not all clips are open.
        """
        clip_named(self._now(), clip)
        excluded = self._now().excluded
        text = f"Exclude {clip}"
        self._ask_excluding(text, replace(excluded, clips=excluded.clips | {clip}))

    def include_clip(self, clip: str) -> None:
        """Include an excluded clip again."""
        excluded = self._now().excluded
        text = f"Include {clip}"
        self._ask_excluding(text, replace(excluded, clips=excluded.clips - {clip}))

    def ask(self, asked: EstimateRequest) -> None:
        """Estimate; a running estimate is replaced."""
        if not self.busy:
            self._open_then = self._document.clips
        self._wanted = asked
        summaries = self._summaries

        def work(progress: Progress) -> LimitSet:
            return refitted(asked.clips, asked.options, asked.excluded, summaries, progress)

        self._start(work, lambda found: self._push(asked, found))

    def stop(self) -> None:
        """Cancel the estimate and any preview."""
        self._previewer.cancel()
        self.cancel()

    def preview(self, done: Callable[[Preview], object], **options: Any) -> None:
        """Compute the result of other options without changing anything.

        Parameters
        ----------
        done : callable
            Called with the :class:`Preview`.
        **options
            As :meth:`set_options`.
        """
        now = self._now()
        self._require_clips()
        wanted = with_options(now, options)
        asked = replace(now, text=options_text(now.options, options), options=wanted)
        state, summaries = self._document.state, self._summaries

        def work(progress: Progress) -> Preview:
            found = refitted(asked.clips, asked.options, asked.excluded, summaries, progress)
            return preview_of(state, asked, found)

        self._previewer.start(work, done, self.failed.emit, lambda *_: None)

    def take(self, preview: Preview) -> None:
        """Apply a preview."""
        self.cancel()
        self._open_then = self._document.clips
        self._push(preview.asked, preview.data)

    def _ask_excluding(self, text: str, excluded: Exclusions) -> None:
        now = self._now()
        if excluded != now.excluded:
            self._ask_again(replace(now, text=text, excluded=excluded))

    def _ask_again(self, asked: EstimateRequest) -> None:
        self._require_clips()
        if self._wanted is not None:
            asked = replace(asked, text=f"{self._wanted.text}, {asked.text}")
        self.ask(asked)

    def _now(self) -> EstimateRequest:
        """The pending request, otherwise what is open."""
        return self._wanted or self.open_now()

    def open_now(self) -> EstimateRequest:
        """What is open, as a request."""
        state = self._document.state
        now = EstimateRequest("", state.clips, state.options, state.excluded, state.character)
        return replace(now, traces=state.traces)

    def _require_clips(self) -> None:
        """Refuse to estimate again without the clips that the limits come from."""
        if self._wanted is not None:
            return
        absent = self._document.clips_not_open
        if absent:
            names = ", ".join(absent[:4]) + (", ..." if len(absent) > 4 else "")
            text = (
                "open the motion first: the limits come from {names}. To do without it, press "
                "Estimate"
            )
            raise DocumentError(text.format(names=names))
        if not self._document.clips:
            raise DocumentError("no motion is open: open one, or estimate from the scene")

    def _fitted(self, clips: Iterable[Motion]) -> tuple[Motion, ...]:
        limits = self._document.state.limits
        given = tuple(clips)
        return given if limits is None else tuple(fitted(clip, limits) for clip in given)

    def _push(self, asked: EstimateRequest, found: LimitSet) -> None:
        """Put the data under the current edits."""
        if asked.is_other:
            self._document.close()
        state = self._document.state
        data = with_given_names(state.data, found)
        opened_since = [clip for clip in state.clips if clip not in self._open_then]
        clips = joined_clips(asked.clips, opened_since)
        now = replace(
            state,
            clips=clips,
            excluded=asked.excluded,
            character=asked.character,
            traces=asked.traces,
        )
        new = with_data(now, data)
        self._summaries.forget_all_but(clips)
        self._document.push(asked.text, replace(new, options=asked.options))

    def _end(self) -> None:
        self._wanted = None
        super()._end()
