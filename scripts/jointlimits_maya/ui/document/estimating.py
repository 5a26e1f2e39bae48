"""Estimates of the document: requested, run in the background, applied as one undo step.

Everything that needs another estimate goes through :meth:`Estimating.ask`. While one is running, a
new request is merged into it, so that neither of two frames excluded in quick succession is lost.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any

from jointlimits_core.base.errors import EstimationError
from jointlimits_core.base.options import option
from jointlimits_core.base.progress import Progress, report_progress
from jointlimits_core.estimation import options as estimate_options
from jointlimits_core.estimation import pipeline
from jointlimits_core.estimation.options import EstimateOptions
from jointlimits_core.estimation.summary import CharacterSummary, merge_summaries
from jointlimits_core.limits.diff import LimitDiff, diff
from jointlimits_core.limits.exclusions import CLIP_RULE, EXCLUDED_RULES
from jointlimits_core.limits.limit_set import LimitSet
from jointlimits_core.motion.motion import Motion

from ..toolkit import qt, words
from . import files, host, jobs, skeleton_fit, worker
from .state import Exclusions, State, with_data

if TYPE_CHECKING:
    from .document import Document

MAX_KEPT = 256
"""Maximum number of cached summaries; a clip with 200 joints takes about two megabytes."""

Summaries = dict[Any, CharacterSummary]
"""Summaries by clip, by what is excluded from it, and by the options that they depend on."""


def refit(
    clips: Sequence[Motion],
    options: EstimateOptions,
    excluded: Exclusions,
    summaries: Summaries,
    progress: Progress | None = None,
) -> LimitSet:
    """Limits without edits, as estimated from the clips minus the exclusions.

    Adds missing entries to `summaries`. Raises EstimationError if nothing is left or the clips
    belong to different characters, and Cancelled if `progress` returns False.
    """
    kept = excluded.included_clips(clips)
    if not kept:
        if clips:
            raise EstimationError("every clip is excluded; include one again")
        raise EstimationError("no motion is open; open a file, or estimate from the scene")
    asked = {clip: replace(options, exclude=excluded.wishes(clip)) for clip in kept}
    if options.needs_clips:
        wishes = tuple(wish for one in asked.values() for wish in one.exclude)
        found = pipeline.estimate_pooled(kept, replace(options, exclude=wishes), progress)[0]
    else:
        parts, steps = [], len(kept) + 1
        for number, (clip, own) in enumerate(asked.items()):
            report_progress(progress, number, steps, f"measuring {clip.name}")
            key = (clip, own.exclude, options.leave_out, options.samples)
            if key not in summaries:
                summaries[key] = pipeline.summarize([clip], own)
            parts.append(summaries[key])
        report_progress(progress, len(kept), steps, "deciding types and limits")
        summary = merge_summaries(parts)
        found = pipeline.estimate_from_summary(summary, options)
        report_progress(progress, steps, steps, "done")
    left_out = [
        estimate_options.excluded_clip(clip.name, float(clip.frames[0]), float(clip.frames[-1]))
        for clip in clips
        if clip.name in excluded.clips
    ]
    wishes = tuple(wish for clip in clips for wish in excluded.wishes(clip))
    recorded = {**found.options, **replace(options, exclude=wishes).to_dict()}
    return replace(found, findings=(*found.findings, *left_out), options=recorded)


def exclusions_in(limit_set: LimitSet, clips: Sequence[Motion]) -> Exclusions:
    """Exclusions recorded in a limit set, for the clips that are open."""
    open_clips = {clip.name: clip for clip in clips}
    names, frames = set(), set()
    of_every = [item for joint in limit_set.joints.values() for item in joint.findings]
    for item in (*limit_set.findings, *of_every):
        clip = open_clips.get(item.clip or "")
        if clip is None or item.rule not in EXCLUDED_RULES:
            continue
        if item.joint is None and item.rule == CLIP_RULE:
            names.add(clip.name)
            continue
        for first, last in item.frame_ranges:
            inside = clip.frames[(clip.frames >= first) & (clip.frames <= last)].tolist()
            frames |= {(clip.name, item.joint or "", frame) for frame in inside}
    return Exclusions(frozenset(names), frozenset(frames))


@dataclass(frozen=True, eq=False)
class EstimateRequest:
    """A request to the estimator."""

    text: str
    """Entry in the Edit menu."""
    state: State
    """State to estimate: clips, options, exclusions, character and traces."""
    is_other: bool = False
    """Whether its character replaces the open one."""


@dataclass(frozen=True, eq=False)
class Preview:
    """Result of other options: limits before edits, and what differs once edits are applied."""

    request: EstimateRequest
    data: LimitSet
    changes: LimitDiff


def options_in(limit_set: LimitSet) -> EstimateOptions:
    """Options that a limit set was estimated with; unknown options are ignored.

    Exclusions are not included: the findings record them, and the window can undo them.
    """
    known: dict[str, Any] = {}
    for item in fields(EstimateOptions):
        if item.name == "exclude":
            continue
        value = limit_set.options.get(item.name, option(item.name).default)
        known[item.name] = tuple(value) if isinstance(value, list) else value
    try:
        return EstimateOptions(**known)
    except ValueError:
        return EstimateOptions()


def with_options(now: EstimateOptions, options: dict[str, Any]) -> EstimateOptions:
    """Options with some values changed; raises ValueError for an unknown name or invalid value."""
    names = {item.name for item in fields(EstimateOptions)}
    for name in options:
        if name not in names:
            raise ValueError(f"unknown option {name!r}; options are: {', '.join(sorted(names))}")
    return replace(now, **options)


def options_text(now: EstimateOptions, options: dict[str, Any]) -> str:
    """The options whose values change, as text."""
    changed = [
        f"{words.option_label(name)}: {words.option_words(name, value)}"
        for name, value in options.items()
        if getattr(now, name) != value
    ]
    return ", ".join(changed) or "Estimate"


def frames_text(frames: Sequence[float]) -> str:
    """Text for frames: "frame 12" for a single one, otherwise a count such as "3 frames"."""
    return f"frame {words.frame_number(frames[0])}" if len(frames) == 1 else f"{len(frames)} frames"


class Estimating(jobs.LongWork):
    """Estimates for a document, and previews of estimates with other options.

    `estimated` is emitted when the limits are known; see also :class:`LongWork`.
    """

    estimated = qt.Signal()

    def __init__(self, document: Document, runner: worker.Runner, previewer: worker.Runner) -> None:
        super().__init__(document, runner)
        self._previewer = previewer
        self._summaries: Summaries = {}
        self._pending: EstimateRequest | None = None
        self._open_then: tuple[Motion, ...] = ()

    def estimate(
        self,
        clips: Iterable[Motion] | None = None,
        character: host.Character | None = None,
        is_other: bool = False,
        traces: skeleton_fit.Traces | None = None,
        **options: Any,
    ) -> None:
        """Estimate from the open clips, or from the given clips, which then replace them.

        `character`: the host's character that moves in the clips; by default the open one.
        `is_other`: whether it replaces the open character, which closes once the new limits are
        known. `traces`: joint fits, if the clips' skeleton was found in loose bodies. `options`:
        fields of :class:`EstimateOptions` to change; the other fields keep their values.

        Raises DocumentError if the clips belong to a different character from the limits, and
        ValueError for an unknown option or an invalid value.
        """
        now = self._latest_request()
        if clips is not None and now.is_other:
            now = EstimateRequest("", self._document.state)  # the pending request is obsolete
        wanted = with_options(now.state.options, options)
        if is_other:
            given = tuple(clips or ())
            state = State(None, None, given, wanted, character=character, traces=traces or {})
            self.ask(EstimateRequest("Estimate", state, True))
            return
        state, limits = now.state, self._document.state.limits
        given = state.clips if clips is None else tuple(clips)
        if clips is not None and limits is not None:
            given = tuple(files.renamed_clip(clip, limits) for clip in given)
        state = replace(
            state,
            clips=given,
            options=wanted,
            excluded=state.excluded.restrict_to(clip.name for clip in given),
            character=character or state.character,
            traces=state.traces if traces is None else traces,
        )
        self.ask(replace(now, text="Estimate", state=state))

    def set_options(self, **options: Any) -> None:
        """Estimate again with changed options; do nothing if no value changes.

        Raises DocumentError if a clip that the limits come from is not open, and ValueError as
        :meth:`estimate` does.
        """
        now = self._latest_request().state.options
        wanted = with_options(now, options)
        if wanted != now:
            self._ask_again(options_text(now, options), options=wanted)

    # Excluding raises DocumentError if the clip or frame does not exist, or a clip is not open.

    def exclude_run(self, clip: str, first: float, last: float, joints: Iterable[str] = ()) -> None:
        """Exclude all frames of a clip from the first to the last, as :meth:`exclude_runs` does."""
        self.exclude_runs([(clip, first, last)], joints)

    def exclude_runs(
        self, runs: Iterable[tuple[str, float, float]], joints: Iterable[str] = ()
    ) -> None:
        """Exclude runs of frames, each given as clip, first and last frame, in one undo step.

        `joints`: joints for which they are excluded; empty for the whole body.
        """
        more = set()
        for clip, first, last in runs:
            frames = self._clip(clip).frames
            inside = frames[(frames >= first) & (frames <= last)]
            if not len(inside):
                raise files.DocumentError(f"{clip} has no frame {words.frame_number(first)}")
            more |= {(clip, float(frame)) for frame in inside}
        where = words.first_names(sorted({clip for clip, _ in more}), 2)
        text = f"Exclude {frames_text([frame for _, frame in sorted(more)])} of {where}"
        self._exclude(text, more, joints)

    def include_frames(self, clip: str) -> None:
        """Include all excluded frames of a clip again, for the whole body and for all joints."""
        excluded = self._exclusions
        chosen = sorted(frame for name, frame in excluded.every_frame if name == clip)
        text = f"Include {frames_text(chosen)} of {clip}"
        self._ask_excluding(text, excluded.include_clip(clip))

    def exclude_clip(self, clip: str, joints: Iterable[str] = ()) -> None:
        """Exclude a whole clip, for all or some joints, and estimate again."""
        names, text, frames = list(joints), f"Exclude {clip}", self._clip(clip).frames.tolist()
        if names:
            self._exclude(text, {(clip, frame) for frame in frames}, names)
        else:
            self._ask_excluding(text, self._exclusions | Exclusions(frozenset((clip,))))

    def _exclude(self, text: str, frames: set[tuple[str, float]], joints: Iterable[str]) -> None:
        """Exclude frames, for the whole body or only for some joints."""
        names = list(joints)
        text += f" for {words.first_names(names, 2)}" if names else ""
        more = frozenset((clip, name, at) for clip, at in frames for name in names or ("",))
        self._ask_excluding(text, self._exclusions | Exclusions(frames=more))

    def include_clip(self, clip: str) -> None:
        """Include an excluded clip again."""
        excluded = self._exclusions
        self._ask_excluding(f"Include {clip}", replace(excluded, clips=excluded.clips - {clip}))

    def ask(self, request: EstimateRequest) -> None:
        """Start an estimate, replacing a running one."""
        if not self.busy:
            self._open_then = self._document.clips
        self._pending = request

        def finish(found: LimitSet) -> None:
            self._push(request, found)
            self.estimated.emit()

        self._start(self._work_of(request), finish)

    def _work_of(self, request: EstimateRequest) -> Callable[[Progress], LimitSet]:
        state, summaries = request.state, self._summaries
        return lambda progress: refit(
            state.clips, state.options, state.excluded, summaries, progress
        )

    def stop(self) -> None:
        """Cancel the estimate and any preview."""
        self._previewer.cancel()
        self.cancel()

    def preview(self, done: Callable[[Preview], object], **options: Any) -> None:
        """Compute the result of changed options without changing the document.

        Calls `done` with the :class:`Preview`; takes the same options as :meth:`set_options`.
        """
        now, before = self._latest_request(), self._document.state
        self._require_clips()
        wanted = with_options(now.state.options, options)
        text = options_text(now.state.options, options)
        request = replace(now, text=text, state=replace(now.state, options=wanted))
        estimate = self._work_of(request)

        def work(progress: Progress) -> Preview:
            data = estimate(progress)
            limits = with_data(before, data).limits
            assert limits is not None
            changes = diff(before.limits or replace(limits, joints={}), limits)
            return Preview(request, data, changes)

        self._previewer.start(work, done, self.failed.emit)

    def take_preview(self, preview: Preview) -> None:
        """Apply a preview."""
        self.cancel()
        self._open_then = self._document.clips
        self._push(preview.request, preview.data)

    @property
    def _exclusions(self) -> Exclusions:
        return self._latest_request().state.excluded

    def _clip(self, name: str) -> Motion:
        for clip in self._latest_request().state.clips:
            if clip.name == name:
                return clip
        raise files.DocumentError(f"clip {name} is not open; open it first")

    def _ask_excluding(self, text: str, excluded: Exclusions) -> None:
        if excluded != self._exclusions:
            self._ask_again(text, excluded=excluded)

    def _ask_again(self, text: str, **changed: Any) -> None:
        """Estimate from the pending state, or else the open one, with some fields changed."""
        self._require_clips()
        now = self._latest_request()
        if self._pending is not None:
            text = f"{self._pending.text}, {text}"
        self.ask(replace(now, text=text, state=replace(now.state, **changed)))

    def _latest_request(self) -> EstimateRequest:
        return self._pending or EstimateRequest("", self._document.state)

    def _require_clips(self) -> None:
        """Raise DocumentError unless the clips that the limits come from are open."""
        if self._pending is not None:
            return
        absent = self._document.clips_not_open
        if absent:
            raise files.DocumentError(
                f"open the motion first: the limits come from {words.first_names(absent)}. To "
                "leave it out, press Estimate"
            )
        if not self._document.clips:
            raise files.DocumentError("no motion is open; open a file, or estimate from the scene")

    def _push(self, request: EstimateRequest, found: LimitSet) -> None:
        """Show an estimate, with the current edits applied on top."""
        if request.is_other:
            self._document.close()
        state = self._document.state
        opened_since = [clip for clip in state.clips if clip not in self._open_then]
        clips = files.joined_clips(request.state.clips, opened_since)
        now = replace(request.state, data=state.data, limits=state.limits, clips=clips)
        kept = {key: found for key, found in self._summaries.items() if key[0] in clips}
        self._summaries = kept if len(kept) <= MAX_KEPT else {}
        self._document.push(request.text, with_data(now, found))

    def _end(self) -> None:
        self._pending = None
        super()._end()
