"""Following the list of what to look at first, from top to bottom, until nothing is left on it.

At each step the first line is settled by its own step: by the command printed below it, as the
command line reads it, or by the button of the window. Half A is the half that everything was chosen
on; :mod:`benchmarks.faults` has both.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import re
import shlex
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from jointlimits_core.base.errors import EstimationError
from jointlimits_core.base.findings import Finding
from jointlimits_core.base.text import all_findings
from jointlimits_core.cli.estimate import estimate_options
from jointlimits_core.cli.main import main, parser
from jointlimits_core.cli.output import UsageError
from jointlimits_core.estimation.options import CLIP_RULE, FRAMES_RULE
from jointlimits_core.estimation.pipeline import estimate
from jointlimits_core.formats.registry import read_motion
from jointlimits_core.importers.declared import carried_edits
from jointlimits_core.limits.layers import with_edits
from jointlimits_core.limits.limit_set import LimitSet, read_limit_set, write_limit_set
from jointlimits_core.limits.review_entries import ODD_HINGE, SUGGESTIONS, ReviewEntry, review
from jointlimits_core.motion.motion import Motion
from jointlimits_core.report.terminal.limits import review_lines

from . import faults
from .figures import Figure, SkippedError, benchmark, shared
from .window import open_qt

MAX_STEPS = 60
"""Number of steps after which a list counts as one that does not end."""
MEDIAN_STEPS, WORST_STEPS = 3, 12
MEDIAN_LOST, WORST_LOST = 1.0, 10.0
"""Targets, in steps and in per cent of a joint's frames."""
QUICK_CLIPS, PLANTED = 5, 2
"""Clips of a half in the quick form; faults of each kind that are planted."""
KNOWN = (
    ("round3/lossless/01_03.amc", "cmu_asfamc/01/01.asf"),
    ("round3/bvh/NewCaptures10_000.bvh", None),
    ("round3/bvh/biobuddy_fullbody_model.bvh", None),
)
"""Clips whose lists destroyed data, with their skeletons."""
ANY_WIDTH = 100_000
_MARK = re.compile(r" +(\d+\.|-) ")
_STEP = re.compile(r"^ +.*?: ((?:--|jointlimits ).*)$")


@benchmark
def half_a(quick: bool) -> Iterator[Figure]:
    """Clips of half A, unchanged."""
    yield from _both_ways(_clips("A", quick), "half A")


@benchmark
def half_b(quick: bool) -> Iterator[Figure]:
    """Clips of half B, unchanged."""
    yield from _both_ways(_clips("B", quick), "half B")


@benchmark
def known(quick: bool) -> Iterator[Figure]:
    """Clips whose lists once left half of the data, or none of the advice that was printed."""
    some = KNOWN[: 1 if quick else None]
    pairs = [(shared(f"data/mocap/{a}"), b and shared(f"data/mocap/{b}")) for a, b in some]
    yield from _both_ways([read_motion(a, skeleton=b) for a, b in pairs], "known")


@benchmark
def planted(quick: bool) -> Iterator[Figure]:
    """Clips of half A with a fault of each kind."""
    groups, clips = faults.clips_of("A"), []
    for number, kind in enumerate(faults.KINDS[:: 6 if quick else 1]):
        random = np.random.default_rng([65, number, 3])
        drawn = faults.drawn(groups, kind, random, 1 if quick else PLANTED)
        clips += [faulty[0] for _, faulty in drawn]
    yield from _both_ways(clips, "planted")


def _clips(half: str, quick: bool) -> list[Motion]:
    every = [clip for some in faults.clips_of(half).values() for clip in some]
    return every[:: -(-len(every) // QUICK_CLIPS)] if quick else every


@dataclass
class _Course:
    """Effects of following one list."""

    clip: str
    steps: int = 0
    ends: bool = False
    refused: list[str] = field(default_factory=list)
    added: list[str] = field(default_factory=list)
    """Lines about frames in which nothing was wrong at first."""
    lost: dict[str, float] = field(default_factory=dict)
    """Percentage of frames lost by each joint that lost any."""


_Settle = Callable[[ReviewEntry], LimitSet]
"""Settles the first entry; raises :class:`_RefusedError` where this is refused."""


class _RefusedError(Exception):
    """A step that cannot be taken."""


def _both_ways(clips: Sequence[Motion], name: str) -> Iterator[Figure]:
    yield from _figures([_follow(*_by_commands(clip)) for clip in clips], f"{name}, commands")
    try:
        open_qt()
    except SkippedError as reason:
        yield Figure(f"{name}, buttons: {reason}", 0.0, "lists")
        return
    with tempfile.TemporaryDirectory() as folder:
        courses = [_follow(*_by_buttons(clip, Path(folder))) for clip in clips]
    yield from _figures(courses, f"{name}, buttons")


def _follow(clip: Motion, limits: LimitSet, settle: _Settle) -> _Course:
    """Settle the first line until none is left."""
    course, first = _Course(clip.name), limits
    shown = _lines(limits)
    while shown and course.steps < MAX_STEPS:
        course.steps += 1
        before = {(one.kind, one.place, one.frame_ranges) for one in shown}
        try:
            limits = settle(shown[0])
        except _RefusedError as reason:
            course.refused.append(str(reason))
            break
        shown = _lines(limits)
        new = [one for one in shown if (one.kind, one.place, one.frame_ranges) not in before]
        course.added += [one.text for one in new if _was_healthy(first, one)]
    course.ends = not shown
    course.lost = _lost(clip, limits)
    return course


def _lines(limits: LimitSet) -> tuple[ReviewEntry, ...]:
    """Entries to look at first, then suggestions."""
    shown = review(limits)
    return *shown.entries, *shown.suggestions


def _was_healthy(first: LimitSet, entry: ReviewEntry) -> bool:
    """Whether the first estimate noticed nothing about an entry's joint in any of its frames."""
    if not entry.frame_ranges or entry.kind in (
        *SUGGESTIONS,
        ODD_HINGE,
    ):  # no fault of these frames
        return False
    noticed: list[Finding | ReviewEntry] = [*all_findings(first), *review(first).entries]
    about = [
        item for item in noticed if not item.joint or item.joint == entry.joint or not entry.joint
    ]
    return not any(
        a <= last and b >= start
        for item in about
        for a, b in item.frame_ranges
        for start, last in entry.frame_ranges
    )


def _lost(clip: Motion, limits: LimitSet) -> dict[str, float]:
    """Per cent of a clip's frames that its joints lost by exclusions; whole joints have 100."""
    chosen: dict[str, Any] = {}
    for item in all_findings(limits):
        if item.rule in (FRAMES_RULE, CLIP_RULE):
            for name in [item.joint] if item.joint else clip.joint_names:
                where = chosen.setdefault(name, np.zeros(clip.frame_count, dtype=bool))
                where |= _inside(clip, item)
    return {name: 100.0 * float(where.mean()) for name, where in chosen.items()}


def _inside(clip: Motion, item: Finding) -> Any:
    ranges = item.frame_ranges or ((-np.inf, np.inf),)
    return np.any([(clip.frames >= a) & (clip.frames <= b) for a, b in ranges], axis=0)


def _figures(courses: Sequence[_Course], name: str) -> Iterator[Figure]:
    """Figures of several lists."""
    endless = [one.clip for one in courses if not one.ends]
    yield Figure(
        f"lists that end, {name}",
        1.0 - len(endless) / max(len(courses), 1),
        *("share", 1.0, _words(f"{len(courses)} clips", endless), True),
    )
    steps = [one.steps for one in courses if one.steps] or [0]
    worst = max(courses, key=lambda one: one.steps).clip
    yield Figure(f"steps, median, {name}", float(np.median(steps)), "steps", MEDIAN_STEPS)
    yield Figure(f"steps, worst, {name}", max(steps), "steps", WORST_STEPS, worst)
    lost = [(share, f"{one.clip} {joint}") for one in courses for joint, share in one.lost.items()]
    parts = [one for one in lost if one[0] < 100.0]
    shares = [share for share, _ in parts] or [0.0]
    whole = _words(f"{len(parts)} joints, and {len(lost) - len(parts)} whole", ())
    yield Figure(f"frames lost, median, {name}", np.median(shares), "%", MEDIAN_LOST, whole)
    yield Figure(
        f"frames lost, worst, {name}", max(shares), "%", WORST_LOST, max(parts)[1] if parts else ""
    )
    added = [f"{one.clip}: {text}" for one in courses for text in one.added]
    yield Figure(
        f"new lines about healthy frames, {name}", len(added), "lines", 0, _words("", added)
    )
    refused = [f"{one.clip}: {text}" for one in courses for text in one.refused]
    yield Figure(f"steps refused, {name}", len(refused), "steps", 0, _words("", refused))


def _words(start: str, items: Iterable[str]) -> str:
    return "; ".join(one for one in (start, *list(items)[:4]) if one)


# By the command line


def _by_commands(clip: Motion) -> tuple[Motion, LimitSet, _Settle]:
    """First limits of a clip, and a function that follows what is printed below the first line."""
    flags: list[str] = []
    edited = [_estimated(clip, [])]

    def settle(entry: ReviewEntry) -> LimitSet:
        step = _first_step(edited[0])
        words = shlex.split(step)
        try:
            if words[:2] == ["jointlimits", "edit"]:
                edited[0] = _edited(edited[0], words[1:])
            elif words and words[0].startswith("--"):
                flags.extend(words)
                found = _estimated(clip, flags)
                edited[0] = with_edits(found, carried_edits(edited[0], found))
            else:
                raise _RefusedError(f"no command: {entry.text}")
        except (UsageError, EstimationError, SystemExit, ValueError) as error:
            raise _RefusedError(f"{step}: {error}") from None
        return edited[0]

    return clip, edited[0], settle


def _first_step(limits: LimitSet) -> str:
    """Command that is printed below the first line of the list; empty without one."""
    marked = 0
    for line in review_lines(review(limits), ANY_WIDTH):
        marked += _MARK.match(line) is not None
        if marked > 1:
            break
        found = _STEP.match(line)
        if found:
            return found[1]
    return ""


def _estimated(clip: Motion, flags: Sequence[str]) -> LimitSet:
    words = ["estimate", "clip.bvh", *flags]
    return estimate(clip, estimate_options(parser(words).parse_args(words)))


def _edited(limits: LimitSet, words: Sequence[str]) -> LimitSet:
    """Limits after ``jointlimits edit``, with the file's name in place of LIMITS.json."""
    with tempfile.TemporaryDirectory() as folder:
        given, out = Path(folder, "given.json"), Path(folder, "out.json")
        write_limit_set(limits, given)
        names = {"LIMITS.json": str(given), "NEW.json": str(out)}
        words = [names.get(word, word) for word in words]
        with (
            contextlib.redirect_stdout(io.StringIO()),
            contextlib.redirect_stderr(io.StringIO()) as errors,
        ):
            code = main(words)
        if code:
            raise _RefusedError(f"{' '.join(words)}: {errors.getvalue().strip()}")
        return read_limit_set(out)


# By the window


def _by_buttons(clip: Motion, folder: Path) -> tuple[Motion, LimitSet, _Settle]:
    """First limits of a clip in a window, and a function that presses the button of a line."""
    alone = importlib.import_module("jointlimits_maya.ui.host.standalone")
    windows = importlib.import_module("jointlimits_maya.ui.window")
    runners = importlib.import_module("jointlimits_maya.ui.document.worker")
    window = windows.Window(alone.StandaloneHost(folder), make_runner=runners.ImmediateRunner)
    window.document.add_clips([clip])
    window.scene.estimate()

    def settle(entry: ReviewEntry) -> LimitSet:
        panel, before = window.parts.review, window.document.undo_stack.count()
        # Settled lines stay, and there is a heading above the suggestions.
        rows = [panel.list.item(row) for row in range(panel.list.count())]
        panel.list.setCurrentItem(next(row for row in rows if row.toolTip() == f"{entry.text}."))
        panel.settle.click()
        if window.document.undo_stack.count() == before:
            raise _RefusedError(f"{panel.settle.text()}: {window.messages.text.text()}")
        limits: LimitSet = window.document.limits
        return limits

    return clip, window.document.limits, settle
