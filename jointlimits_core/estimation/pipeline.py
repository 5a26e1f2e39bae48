"""Estimation pipeline: screen, pool, decide types, measure ranges, check the rest pose."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from ..base.errors import EstimationError, NoMotionError, OptionText
from ..base.findings import IN_MAYA, KEYED_CONTROLS, UNRESOLVED_DRIVER, Finding, drivers_of_joints
from ..base.progress import Progress, report_progress
from ..base.text import names_words, plural
from ..geometry.arrays import Booleans
from ..geometry.circle import spanned_interval
from ..limits import layers, prior_layer, priors, symmetry
from ..limits.limit_set import AxisLimit, Evidence, JointLimit, LimitSet
from ..motion.motion import Motion, rename_joints, resample
from ..motion.reorient import reoriented_motion
from ..motion.screening.rules import Screenings, screen
from ..motion.screening.screened import Screened, change_parts
from ..motion.skeleton import Skeleton
from ..people.people import People
from ..people.people_file import people_named
from . import excursions, rest_pose, starter
from .clip_summary import EVEN_FRAMES, clip_summary, with_turns_seen
from .joint_type import TYPES
from .joints import estimate_joints
from .moment import moment_from_second
from .options import (
    MAX_SAMPLES,
    EstimateOptions,
    included_clips,
    matching_names,
    with_exclusions,
    without_clips,
)
from .summary import CharacterSummary, Samples, merge_summaries, samples_of

MAX_NAMED_CLIPS, MAX_NAMED_DRIVERS = 3, 4
"""Maximum numbers of clips and of joint drivers that a message lists."""
KEPT_POSES = (
    "limits in the suggested orientations use the kept poses of a summary; for long clips they may "
    "be a degree or two too narrow; use the clips themselves for exact limits"
)
NO_SUMMARIES = OptionText("summaries and ", "people", " do not go together; give the clips")
OWN_ORIENTATION = (
    "controls keep their own orientation: no other is suggested, and limits are on their channels"
)


def estimate(
    motions: Motion | Sequence[Motion],
    options: EstimateOptions | None = None,
    progress: Progress | None = None,
) -> LimitSet:
    """Estimate joint types and joint limits of one character.

    `motions`: one clip, or several clips of the same character, which are pooled. `progress`:
    called with (done, total, label) after each clip; returning False cancels. Raises
    EstimationError if there are no clips, clips of different characters, no matching joint, or no
    usable frame, and Cancelled if `progress` returned False.
    """
    clips = [motions] if isinstance(motions, Motion) else list(motions)
    return estimate_pooled(clips, options or EstimateOptions(), progress)[0]


def estimate_pooled(
    clips: Sequence[Motion],
    options: EstimateOptions,
    progress: Progress | None = None,
    known: Iterable[CharacterSummary] = (),
    screenings: Screenings | None = None,
) -> tuple[LimitSet, CharacterSummary]:
    """Limits from clips and known summaries, and the merged summary; errors as in `estimate`.

    `known`: may be an iterator; its summaries are merged as they arrive. `screenings`: collects the
    screened clips, for fitting shapes. The summary never includes the poses of other people, so it
    is empty for a rig without motion.
    """
    if options.people == "off" or known:
        return _estimate_clips(clips, options, progress, known, screenings)
    return estimate_with_people(clips, people_named(options.people), options, progress)


def estimate_with_people(
    clips: Sequence[Motion],
    people: People,
    options: EstimateOptions,
    progress: Progress | None = None,
) -> tuple[LimitSet, CharacterSummary]:
    """Limits of a rig from people and from its own clips, and the summary of these clips.

    Joints that neither get limits from people nor move have no limits; findings say why. Raises
    NotHumanError for a rig that is not one human figure.
    """
    rig = starter.RigOfPeople.from_clips(clips, people)
    (measured, asked), seen = rig.clips_and_options(options), Screenings()
    shown = clips
    if options.rest in ("first", "mean"):
        included = included_clips(clips, options.exclude, rig.poses.joint_names)
        shown = [clip for clip, _ in included] or clips
    found, both = _estimate_clips(measured, asked, progress, (), seen, shown)
    # In the summary of both, poses of people would replace some of the clips' own.
    own = summarize(rig.own, asked, progress, (), seen) if rig.own else both._replace(clips=())
    return rig.relabel(found, options), own


def _estimate_clips(
    clips: Sequence[Motion],
    options: EstimateOptions,
    progress: Progress | None,
    known: Iterable[CharacterSummary] = (),
    screenings: Screenings | None = None,
    shown: Sequence[Motion] = (),
) -> tuple[LimitSet, CharacterSummary]:
    """Limits from clips and known summaries alone, and the merged summary.

    `shown`: clips to take the rest pose from, if not from all.
    """
    summary = summarize(clips, options, progress, known, screenings)
    clips, shown = (
        [rename_joints(clip, summary.skeleton.names) for clip in some] for some in (clips, shown)
    )
    rest = rest_of_frame(shown or clips, options, summary.skeleton)
    if shown and options.rest in ("first", "mean"):
        rest = _rest_of_clips(shown, options, summary.skeleton)
    may_turn = len(clips) > 0 and not summary.skeleton.of_controls
    if options.orientation == "advised" and options.mode == "standard" and may_turn and not known:
        return _in_advised_orientations(clips, summary, options, rest, progress), summary
    return estimate_from_summary(summary, options, rest), summary


def _in_advised_orientations(
    clips: Sequence[Motion],
    summary: CharacterSummary,
    options: EstimateOptions,
    rest: rest_pose.Rest | None,
    progress: Progress | None,
) -> LimitSet:
    """Limits in the suggested orientations, from every frame of the clips."""
    plain = replace(options, orientation="own", joints="*", symmetry="off", prior="off")
    first = estimate_from_summary(summary, replace(plain, advise=True), rest).joints
    advice = {name: joint.advice for name, joint in first.items() if joint.advice is not None}
    turned = summarize([reoriented_motion(clip, advice) for clip in clips], options, progress)
    own = replace(options, orientation="own", advise=False)
    found = estimate_from_summary(turned, own, rest)
    joints = {}
    for name, joint in found.joints.items():
        advised = advice.get(name)
        kind = "advised" if advised and advised.changes else joint.orientation.kind
        orientation = replace(joint.orientation, kind=kind)
        joints[name] = replace(joint, advice=advised, orientation=orientation)
    return replace(found, joints=joints, options=options.to_dict())


def summarize(
    clips: Sequence[Motion],
    options: EstimateOptions | None = None,
    progress: Progress | None = None,
    known: Iterable[CharacterSummary] = (),
    screenings: Screenings | None = None,
    names: Iterable[str] = (),
) -> CharacterSummary:
    """Summary of clips, screened and sampled as the options say, merged with known summaries.

    `known`, `screenings`: as for :func:`estimate_pooled`. `names`: those of clips that are
    summarized separately, to which exclusions may refer.
    """
    options = options or EstimateOptions()
    for clip in clips:
        if len(clip.skeleton) == 0:
            raise EstimationError(f"clip {clip.name!r} has no joints")
    names = {*names, *(clip.name for clip in clips)}
    # The paper's covariance needs every frame.
    every_pose = options.mode == "paper"
    even = max([MAX_SAMPLES, *(c.frame_count for c in clips)]) if every_pose else EVEN_FRAMES

    def summaries() -> Iterator[CharacterSummary]:
        yield from known
        for number, given in enumerate(clips):
            part = _clip_progress(progress, number, len(clips))
            clip, excluded = with_exclusions(given, options.exclude, names)
            asked = starter.options_for(clip, options)
            screened = _screen_clip(clip, excluded, asked, part, screenings)
            found = starter.with_poses_held(clip_summary(screened, clip, even, part))
            report_progress(progress, number + 1, len(clips), f"screened {clip.name}")
            yield CharacterSummary(clip.skeleton, (found,))

    return merge_summaries(summaries(), every_pose)


def _screen_clip(
    clip: Motion,
    excluded: Booleans,
    options: EstimateOptions,
    progress: Progress,
    screenings: Screenings | None,
) -> Screened:
    """Clip after screening, with the frames that the options ask for."""
    look = screen if screenings is None else screenings.screen
    found = look(clip, leave_out=options.leave_out, progress=progress, excluded=excluded)
    found = with_turns_seen(found)
    return found if options.samples == "all" else _resample(found, int(options.samples))


def _resample(screened: Screened, count: int) -> Screened:
    """Clip with `count` evenly spaced frames, interpolated."""
    apart = change_parts(screened.apart, lambda part: _resample(part, count))
    motion = resample(replace(screened.motion, rotates=screened.rotates), count)
    rotates = motion.rotates
    assert rotates is not None
    if screened.motion.rotates is None:
        motion = replace(motion, rotates=None)
    span = spanned_interval(rotates)
    return screened._replace(motion=motion, rotates=rotates, span=span, held=None, apart=apart)


def _clip_progress(progress: Progress | None, number: int, count: int) -> Progress:
    """Progress within a clip, counted in clips; frequent calls allow cancelling at any time."""

    def part(_done: int, _total: int, label: str) -> bool:
        report_progress(progress, number, count, label)
        return True

    return part


def estimate_from_summary(
    summary: CharacterSummary,
    options: EstimateOptions | None = None,
    rest: rest_pose.Rest | None = None,
) -> LimitSet:
    """Estimate joint types and joint limits from clip summaries.

    `rest`: a rest pose (local rotations, shape (joints, 4)) and its source; by default the rest
    pose that the options name. Raises EstimationError if no joint matches, or if the options need
    every frame and the summaries lack some.
    """
    options = options or EstimateOptions()
    if options.people != "off":
        raise EstimationError(NO_SUMMARIES)
    lacks_frames = any(clip.count > len(clip.frames) for clip in summary.clips)
    if options.mode == "paper" and lacks_frames:
        raise EstimationError(
            "the paper mode needs every frame, which a summary does not have; give the clips"
        )
    summary, findings = without_clips(summary, options.exclude)
    samples = samples_of(summary)
    wanted = matching_names(samples.skeleton.names, options.joints)
    noticed = [*findings, *(finding for clip in summary.clips for finding in clip.findings)]
    if samples.skeleton.of_controls and (options.advise or options.orientation == "advised"):
        options = replace(options, advise=False, orientation="own")
        noticed.append(Finding("own-orientation", OWN_ORIENTATION))
    noticed += _placing_controls(samples.skeleton, wanted, options)
    if options.orientation == "advised" and samples.frames > len(samples.frame_of):
        noticed.append(Finding("kept-poses", KEPT_POSES))
        # A clip without kept poses says nothing about other orientations.
        posed = tuple(clip for clip in summary.clips if len(clip.frames))
        samples = samples_of(summary._replace(clips=posed))
    joints, found, rest_source = _measure(samples, wanted, noticed, options, rest)
    for names, part in _parts_of_joints(summary, wanted):
        found = [item for item in found if item.joint not in names]
        about = [item for item in noticed if item.joint in names]
        if part is None:
            joints.update({name: _not_measured(joints[name]) for name in names})
        else:
            # A joint keeps its place in the hierarchy.
            part = replace(part, skeleton=samples.skeleton)
            own, about, _ = _measure(part, wanted, about, options, rest)
            joints.update({name: own[name] for name in names})
        found += [item for item in about if item.joint in names]
    limit_set = _limit_set(samples, options, joints, rest_source, found)
    if options.mode != "paper" and options.symmetry != "off":
        limit_set = symmetry.with_symmetry(limit_set, summary.skeleton, options.symmetry)
    if options.mode != "paper" and options.prior != "off":
        prior = priors.matched_prior(list(joints))
        limit_set = prior_layer.with_prior(limit_set, prior, options.prior)
    taken = options.type_edits(samples.skeleton.names)
    edits = [edit for name, edit in taken.items() if name in joints]
    return layers.with_edits(limit_set, edits) if edits else limit_set


def _placing_controls(
    skeleton: Skeleton, wanted: Sequence[str], options: EstimateOptions
) -> Iterator[Finding]:
    """Finding about controls that get no limits because they place the character."""
    if not skeleton.of_controls or options.limit_root or options.mode == "paper":
        return
    names = [skeleton.names[row] for row in sorted(skeleton.placing_joints)]
    placing = [name for name in names if name in wanted]
    if placing:
        text = f"{names_words(placing, noun='control')} place the character and get no limits"
        yield Finding("placing-controls", text)


def _measure(
    samples: Samples,
    wanted: Sequence[str],
    noticed: list[Finding],
    options: EstimateOptions,
    rest: rest_pose.Rest | None,
) -> tuple[dict[str, JointLimit], list[Finding], str]:
    """Limits of the wanted joints, completed findings, and the source of the rest pose."""
    method = estimate_joints
    if options.mode == "paper":
        from .as_printed import estimate_joints_as_printed as method  # rarely used
    # The character's noise floor needs all joints, even if only a few are requested.
    every, rest_source = method(samples, options, rest)
    joints = {name: every[name] for name in wanted}
    if options.mode == "standard" and options.orientation == "own":
        noticed = excursions.with_limits_of_all(noticed, samples, joints)
        noticed += excursions.backwards_findings(samples, joints)
    return joints, noticed, rest_source


def _parts_of_joints(
    summary: CharacterSummary, wanted: Sequence[str]
) -> Iterator[tuple[list[str], Samples | None]]:
    """Groups of joints with identical exclusions, and their samples; None if none remain."""
    alike: dict[tuple[int, ...], list[str]] = {}
    for name in wanted:
        if any(name in clip.apart for clip in summary.clips):
            key = tuple(id(clip.apart.get(name, clip)) for clip in summary.clips)
            alike.setdefault(key, []).append(name)
    for names in alike.values():
        parts = [part for clip in summary.clips if (part := clip.of_joint(names[0])) is not None]
        yield names, samples_of(summary._replace(clips=tuple(parts))) if parts else None


def _not_measured(joint: JointLimit) -> JointLimit:
    """Joint without usable motion: a ball joint without limits."""
    rest = replace(joint.rest, feasible=True, outside_deg=0.0)
    return replace(
        joint,
        type="ball",
        evidence=Evidence(dict.fromkeys(TYPES), None, 0.0, (0.0, 0.0, 0.0), 0.0, 0, "no motion"),
        limits={channel: AxisLimit("free") for channel in joint.limits},
        rest=rest,
        remedies=dict.fromkeys(joint.remedies, rest),
        preferred_deg=rest.rotate_deg,
        hinge=None,
        candidate=None,
        universal=None,
        advice=None,
        findings=(),
    )


def rest_of_frame(
    clips: Sequence[Motion], options: EstimateOptions, skeleton: Skeleton
) -> rest_pose.Rest | None:
    """Rest pose from the frame that the options name, in the skeleton's order, or None.

    Frames that screening excludes are allowed: an inserted T-pose is a good rest pose. Raises
    EstimationError if no clip has the frame.
    """
    if not options.rest.startswith("frame:") or not clips:
        return None
    frame = options.rest_frame()
    # Sorted, so that the order of the clips never matters.
    ordered = sorted(clips, key=lambda one: (one.name, one.source.sha256 if one.source else ""))
    for clip in ordered:
        found = np.flatnonzero(np.abs(clip.frames - frame) < 1e-9)
        if found.size:
            order = [clip.skeleton.index(name) for name in skeleton.names]
            rotations = clip.rotations[order, :, found[0]]
            if not np.isfinite(rotations).all():
                raise EstimationError(
                    f"frame {frame:g} of {clip.name} has non-finite values; take the rest pose "
                    "from another frame"
                )
            return rotations, f"frame {frame:g} of {clip.name}"
    ranges = ", ".join(f"{c.frames[0]:g} to {c.frames[-1]:g}" for c in clips[:4])
    raise EstimationError(
        f"no clip has frame {frame:g}, requested for the rest pose; available frames: {ranges}"
    )


def _rest_of_clips(
    clips: Sequence[Motion], options: EstimateOptions, skeleton: Skeleton
) -> rest_pose.Rest:
    """First or mean pose of these clips, with joints in the skeleton's order."""
    samples = samples_of(summarize(clips, options))
    moment = moment_from_second(np.sum([clip.second for clip in samples.clips], axis=0))
    rotations, source = rest_pose.rest_rotations(samples, moment, options, None)
    return rotations[[samples.skeleton.index(name) for name in skeleton.names]], source


def _limit_set(
    samples: Samples,
    options: EstimateOptions,
    joints: dict[str, JointLimit],
    rest_source: str,
    findings: Sequence[Finding],
) -> LimitSet:
    for name, joint in joints.items():
        own = tuple(finding for finding in findings if finding.joint == name)
        if own:
            joints[name] = replace(joint, findings=own + joint.findings)
    controls = {"controls": True} if samples.skeleton.of_controls else {}
    return LimitSet(
        character=samples.skeleton.name or samples.clips[0].clip.name,
        joints=joints,
        clips=tuple(clip.clip for clip in samples.clips),
        rest_source=rest_source,
        mode=options.mode,
        options={**options.to_dict(), **controls},
        findings=tuple(finding for finding in findings if finding.joint is None),
    )


def reject_still_estimate(limit_set: LimitSet) -> None:
    """Reject an estimate in which nothing moves, because applying it would freeze the character.

    An estimate for chosen joints, or from other people, is accepted even if nothing moves. Raises
    EstimationError.
    """
    from_people = limit_set.options.get("people", "off") != "off"
    if from_people or limit_set.options.get("joints", "*") != "*":
        return
    if all(not joint.animated for joint in limit_set.joints.values()):
        raise _nothing_animated(limit_set)
    if sum(clip.frames for clip in limit_set.clips) < 2:
        raise EstimationError(
            f"limits cannot be measured from one frame ({_frames(limit_set)}); "
            "give a range in which the character moves"
        )
    if all(joint.type == "fixed" for joint in limit_set.joints.values()):
        # The file reader's findings about frames.
        rules = ("outside-keys", "frame-count")
        noticed = {one.message: one.rule for one in limit_set.findings if one.rule in rules}
        about = f" ({'; '.join(noticed)})" if noticed else ""
        where = f"no {limit_set.noun} of {limit_set.character} moves in {_frames(limit_set)}{about}"
        if "frame-count" in noticed.values():
            raise EstimationError(f"{where}; it looks truncated: copy or export it again")
        raise NoMotionError(f"{where}; give a range in which it is animated")


def _nothing_animated(limit_set: LimitSet) -> EstimationError:
    """Error for a character without keys; it names what drives the joints, if anything does."""
    findings = [item for joint in limit_set.joints.values() for item in joint.findings]
    drivers, noun = drivers_of_joints(findings), limit_set.noun
    for item in limit_set.findings:
        if item.rule == KEYED_CONTROLS:
            return EstimationError(
                OptionText(f"{item.message}: measure them with ", "controls", "")
            )
    if not drivers:
        text = (
            f"nothing is animated: no {noun} of {limit_set.character} has keys or anything that "
            f"drives it; choose {noun}s that are animated, or bake the animation onto them first"
        )
        advice = " gives a human rig limits without motion"
        return NoMotionError(OptionText(f"{text}; ", "people", advice))
    named = list(dict.fromkeys(name for names in drivers.values() for name in names))
    shown, more = ", ".join(named[:MAX_NAMED_DRIVERS]), len(named) - MAX_NAMED_DRIVERS
    are = "is" if len(drivers) == 1 else "are"
    step = f"; bake them to keys first (Edit > Keys > Bake Simulation), or {IN_MAYA}"
    if all(item.rule != UNRESOLVED_DRIVER for item in findings):
        step = (
            ", not through rotate channels, so baking these changes nothing; orient-constrain a "
            "copy of the skeleton to it, bake the copy, and estimate that"
        )
    return EstimationError(
        f"no {noun} of {limit_set.character} has keys of its own: {plural(len(drivers), noun)} "
        f"{are} driven by {shown}{f' and {more} more' if more > 0 else ''}{step}"
    )


def _frames(limit_set: LimitSet) -> str:
    """Frame ranges of the clips, as text."""
    parts = []
    for clip in limit_set.clips[:MAX_NAMED_CLIPS]:
        first, last = clip.first_frame, clip.last_frame
        parts.append(f"frame {first:g}" if first == last else f"frames {first:g} to {last:g}")
    more = len(limit_set.clips) - len(parts)
    return ", ".join(parts) + (f" and {more} more clips" if more > 0 else "")
