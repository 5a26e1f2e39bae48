"""Functions of the package: read, estimate, fit, check, diff, merge, export, apply.

Motions and limit sets are given as objects or as file paths. Options are keywords with the names
and defaults in the option table.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any, Literal, TypedDict, Union

from .base import errors, text
from .base.options import option, with_current_names
from .base.progress import Progress
from .estimation import coupled, pipeline
from .estimation.options import EstimateKeywords, EstimateOptions
from .evaluation.baseline import Baseline, read_baseline, reject_same_names
from .evaluation.check_result import CheckedClip, CheckResult
from .evaluation.gate import Gate
from .evaluation.violations import violations
from .exporters import formats, losses, skeleton_source
from .formats.maya_ascii.writer import WriteReport, apply_limit_set, reject_target
from .formats.registry import read_motion, read_takes
from .importers.declared import in_common_orientations
from .importers.read import read_limits
from .io.input import FilePath
from .limits.diff import LimitDiff
from .limits.diff import diff as limit_diff
from .limits.limit_set import LimitSet
from .limits.merge import merge as limit_merge
from .motion.motion import Motion
from .motion.screening.rules import Screenings
from .motion.skeleton import Skeleton
from .people import human_check
from .people.human_check import HumanCheck
from .people.people import People
from .people.people_file import SHIPPED_WORD, people_named
from .shapes import validation

if TYPE_CHECKING:
    from typing_extensions import Unpack

MotionSource = Union[Motion, FilePath]
"""A motion, or the path of a motion file."""
LimitSource = Union[LimitSet, FilePath]
"""A limit set, or the path of a file with limits."""


class FitKeywords(EstimateKeywords, total=False):
    """Options of a fit as keywords, for type checkers."""

    shape_pad_deg: float
    shape_coordinates: Literal["rotation-vector", "swing-twist"]


class ExportKeywords(TypedDict, total=False):
    """Options of an export as keywords, for type checkers."""

    locked: Literal["hold", "range"]
    joints_as: Literal["channels", "ball", "hinge", "both"]
    root_joint: Literal["free", "hinges", "fixed"]
    meters_per_unit: float
    replace: bool
    lock_unmoved: bool
    may_move: bool
    enable_driven: bool


read = read_motion


def estimate(
    motions: MotionSource | Iterable[MotionSource],
    options: EstimateOptions | None = None,
    progress: Progress | None = None,
    *,
    skeleton: Skeleton | FilePath | None = None,
    controls: bool = False,
    **keywords: Unpack[EstimateKeywords],
) -> LimitSet:
    """Estimate joint types and joint limits of one character.

    Parameters
    ----------
    motions : Motion, path, or iterable of these
        All clips of the character; they are pooled.
    options : EstimateOptions, optional
        Options, which keywords override: ``estimate("walk.bvh", pad_deg=2.0)``.
    progress : callable, optional
        Called with (done, total, label); returning False cancels.
    skeleton : Skeleton or path, optional
        Skeleton of AMC files; by default the file beside them.
    controls : bool, optional
        Measure the controls of Maya scenes in place of their joints.

    Raises
    ------
    InputError
        If a file cannot be read.
    EstimationError
        If there are no clips, clips of different characters, no matching joint, or no usable frame.
    TypeError, ValueError
        For an unknown option or an invalid value; the message names it.
    """
    clips = _motions(motions, skeleton, controls)
    return pipeline.estimate(
        clips, _override_options(options or EstimateOptions(), dict(keywords)), progress
    )


def fit(
    motions: MotionSource | Iterable[MotionSource],
    shape: validation.ShapeName = "hull",
    options: EstimateOptions | None = None,
    progress: Progress | None = None,
    *,
    skeleton: Skeleton | FilePath | None = None,
    controls: bool = False,
    **keywords: Unpack[FitKeywords],
) -> LimitSet:
    """Estimate limits, and fit a shape to the rotations of every joint.

    `shape`: "hull", "wrap", "obb", ... as in ``jointlimits fit --help``. `keywords`: options of the
    estimate, ``shape_pad_deg`` and ``shape_coordinates``. Other parameters and errors are as for
    :func:`estimate`.
    """
    clips = _motions(motions, skeleton, controls)
    names = ("shape_pad_deg", "shape_coordinates")
    given: dict[str, Any] = dict(keywords)
    shapes = {name: given.pop(name, option(name).default) for name in names}
    asked = _override_options(options or EstimateOptions(), given)
    seen = Screenings()
    limit_set, _ = pipeline.estimate_pooled(clips, asked, progress, screenings=seen)
    values = {**shapes, "shape": shape}
    return coupled.with_requested_shapes(limit_set, clips, values, asked, progress, seen)


def check(
    limits: LimitSource,
    motions: MotionSource | Iterable[MotionSource],
    *,
    tolerance_deg: float | str = 0.1,
    branch: Literal["main", "keys", "circle"] = "main",
    shapes: bool = False,
    for_frames: int | str = 1,
    allow_percent: float | str = 0.0,
    ignore: str = "",
    baseline: Baseline | FilePath | None = None,
    skeleton: Skeleton | FilePath | None = None,
) -> CheckResult:
    """Find the frames in which motions exceed the limits.

    ``result.passed`` says whether all frames are inside; ``result.clips`` has the violations in
    each motion. `branch`: compare on the limits' Euler branch ("main"), with the keys as they are
    ("keys"), or on the circle ("circle"). `shapes`: also check coupled limits. `for_frames`: count
    only runs of at least this many frames. `allow_percent`: share of the frames that may be
    outside. `ignore`: joints that are not checked. `baseline`: what was outside before, see
    ``write_baseline``. Numbers may be text with values by joint ("5,l*=20") and for one limit
    ("LeftKnee.X.min=1"). Raises InputError, EstimationError, and ValueError for a wrong option.
    """
    limit_set = _limits(limits)
    if baseline is not None and not isinstance(baseline, Baseline):
        baseline = read_baseline(_path(baseline, "baseline"), limit_set)
    gate = Gate.from_values(limit_set, tolerance_deg, for_frames, allow_percent, ignore, baseline)
    clips = []
    for clip in _motions(motions, skeleton, limit_set.of_controls):
        found = violations(limit_set, clip, gate.tolerance, branch, shapes)
        clips.append(CheckedClip.judge(clip.name, found, gate))
    if baseline is not None:
        reject_same_names(clip.file for clip in clips)
    shown = limit_set.character if isinstance(limits, LimitSet) else os.fspath(limits)
    return CheckResult(shown, limit_set.character, gate, tuple(clips), limit_set.noun)


def check_people(
    motions: MotionSource | Iterable[MotionSource],
    people: People | FilePath = SHIPPED_WORD,
    *,
    tolerance_deg: float = human_check.TOLERANCE_DEG,
    skeleton: Skeleton | FilePath | None = None,
) -> list[HumanCheck]:
    """Compare the poses in one character's motions with those of people; one result per motion.

    `people`: people, or a people file; by default, those included with the program.
    Raises InputError, and EstimationError for a skeleton that is not one human figure.
    """
    clips = _motions(motions, skeleton)
    known = people if isinstance(people, People) else people_named(_path(people, "people"))
    return [human_check.check_people(clip, known, tolerance_deg, clips) for clip in clips]


def diff(first: LimitSource, second: LimitSource, tolerance_deg: float = 1e-6) -> LimitDiff:
    """Differences between two limit sets; ``result.equal`` is true if there are none.

    `tolerance_deg`: largest difference between angles that count as equal. Raises InputError.
    """
    a, b = in_common_orientations([_limits(first, "first"), _limits(second, "second")])
    return limit_diff(a, b, tolerance_deg)


def merge(
    limits: Sequence[LimitSource],
    how: Literal["union", "people", "intersection", "layers"] = "union",
    *,
    edits_win: bool = False,
) -> LimitSet:
    """Merge limit sets of one character; the first set is the base and provides the name.

    "people" extends each limit as far as at least two sets reach. Unions and intersections include
    the sets' edits. Edits that contradict the result are dropped and listed in its findings; with
    `edits_win` they are kept. Raises InputError, and ValueError for fewer than two sets or for sets
    that do not match.
    """
    if isinstance(limits, (LimitSet, str, os.PathLike)) or not isinstance(limits, Sequence):
        raise TypeError(f"limits must be a list of at least two limit sets, not {limits!r}")
    if len(limits) < 2:
        raise ValueError(f"limits must be at least two limit sets, not {len(limits)}")
    base, *others = in_common_orientations([_limits(one) for one in limits])
    return limit_merge(base, others, how, edits_win)


def export(
    limits: LimitSource,
    out: FilePath,
    to: str | None = None,
    *,
    motion: MotionSource | None = None,
    skeleton: FilePath | None = None,
    **keywords: Unpack[ExportKeywords],
) -> tuple[losses.Loss, ...]:
    """Write limits for another program, and return the losses: data that its format cannot hold.

    Parameters
    ----------
    limits : LimitSet or path
    out : path
        File to write.
    to : str, optional
        Format: "usd", "csv", ...; by default the format with the extension of `out`.
    motion : Motion or path, optional
        Motion that provides joint positions; by default a clip that the limits were measured from.
    skeleton : path, optional
        ASF file of an AMC motion; by default the file beside it.
    **keywords
        Options of ``jointlimits export``.

    Raises
    ------
    InputError, ExportError
        If a file cannot be read, or if the format cannot hold such limits at all.
    ValueError
        For an unknown format or option, or an invalid value.
    """
    form = formats.format_for(to, _path(out, "out"))
    limit_set = _limits(limits)
    if limit_set.mode == "paper" and not form.holds_paper_mode:
        raise errors.ExportError(
            "paper-mode limits are ZYZ angles; estimate in standard mode to export"
        )
    asked = formats.export_options_of(keywords, formats.ending_of(out))
    if motion is not None and not isinstance(motion, Motion):
        _path(motion, "motion", "a motion or a path")
    if skeleton is not None:
        _path(skeleton, "skeleton")
    placed = skeleton_source.named_skeleton(motion, skeleton)
    if placed is None and form.needs_skeleton:
        placed = skeleton_source.recorded_skeleton(
            limit_set, "." if isinstance(limits, LimitSet) else limits
        )
    exported = form.export(limit_set, placed.skeleton if placed else None, asked)
    if placed and form.needs_skeleton:
        exported = replace(exported, losses=(*exported.losses, *placed.losses))
    exported.write(out)
    return tuple(exported.losses)


def apply(
    limits: LimitSource,
    scene: FilePath,
    out: FilePath,
    *,
    replace: bool = False,
    lock_unmoved: bool = False,
    may_move: bool = False,
    enable_driven: bool = False,
    filter_keys: bool = False,
) -> WriteReport:
    """Write limits into a copy of a Maya ASCII scene, in which all other bytes stay the same.

    Channels whose limits would change a pose get no limits and are listed in ``report.left_off``.
    `replace`: also replace limits that joints already have. `lock_unmoved`: lock joints without
    animation. `may_move`: turn limits on even if they change poses (``report.moved``).
    `enable_driven`: also turn on limits of joints that follow a control (``report.following``).
    `filter_keys`: bring rotate keys on several Euler branches or turns to one branch; frames
    between runs of keys change and are listed in ``report.filtered``. Raises InputError.
    """
    limit_set, scene, out = _limits(limits), _path(scene, "scene"), _path(out, "out")
    if not isinstance(limits, LimitSet) and not os.path.isdir(out):
        reject_target(out, [os.fspath(limits)], "the limits file")
    asked: dict[str, Any] = {"replace": replace, "lock_unmoved": lock_unmoved, "may_move": may_move}
    asked.update(enable_driven=enable_driven, filter_keys=filter_keys)
    return apply_limit_set(limit_set, scene, out, **asked)


def _motions(
    given: MotionSource | Iterable[MotionSource],
    skeleton: Skeleton | FilePath | None,
    controls: bool = False,
) -> list[Motion]:
    """Motions, read if they are paths."""
    several = [given] if isinstance(given, (Motion, str, os.PathLike)) else given
    clips: list[Motion] = []
    is_usable = isinstance(several, Iterable) and not isinstance(several, LimitSet)
    for one in several if is_usable else [None]:
        if not isinstance(one, (Motion, str, os.PathLike)):
            raise TypeError(f"motions must hold motions or paths, not {given!r}")
        clips += [one] if isinstance(one, Motion) else read_takes(one, skeleton, controls=controls)
    return clips


def _limits(given: LimitSource, name: str = "limits") -> LimitSet:
    """Limit set, read if it is a path; TypeError with the argument's name for anything else."""
    if isinstance(given, LimitSet):
        return given
    return read_limits(_path(given, name, "a limit set or a path"))


def _path(given: FilePath, name: str, expected: str = "a path") -> str:
    """The path as text; TypeError with the argument's name for anything else."""
    if not isinstance(given, (str, os.PathLike)):
        raise TypeError(f"{name} must be {expected}, not {given!r}")
    return os.fspath(given)


def _override_options(options: EstimateOptions, keywords: dict[str, Any]) -> EstimateOptions:
    """Options, with some values replaced by keywords; TypeError for an unknown keyword."""
    known = [item.name for item in fields(EstimateOptions)]
    keywords = with_current_names(keywords)
    for name in keywords:
        if name not in known:
            words = text.suggestion(name, known) or f"; options are {', '.join(known)}"
            raise TypeError(f"no option {name!r}{words}")
    return replace(options, **keywords)
