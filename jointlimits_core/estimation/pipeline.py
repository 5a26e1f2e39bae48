"""Estimation pipeline: screen, pool, decide types, measure ranges, check the rest pose."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from ..base import (
    EstimationError,
    Finding,
    NoMotionError,
    Progress,
    drivers_of_joints,
    plural,
    report_progress,
)
from ..geometry import TURN, Floats, conjugate, multiply, quaternion_from_axis_angle, rotated
from ..limits import (
    MAX_ANGLE_DEG,
    AxisLimit,
    AxisSource,
    BoundSource,
    Evidence,
    Frame,
    JointLimit,
    LimitSet,
    RestPose,
    angle_range_problems,
    matched_prior,
    symmetrized,
    with_edits,
    with_prior,
)
from ..motion import Motion, Screened, Skeleton, reoriented_motion, resampled, screen
from .clip_summary import EVEN, clip_summary
from .excursions import excursion_findings, with_limits_of_all
from .joints import estimate_joints
from .moment import moment_from_rotations
from .options import (
    MOST_SAMPLES,
    EstimateOptions,
    excluded_frames,
    matching_names,
    without_clips,
    without_ranges,
)
from .rest_pose import Rest, rest_rotations
from .summary import CharacterSummary, Samples, merged, samples_of

EIGENVALUE_THRESHOLD = 0.05
GIMBAL_THRESHOLD = 1e-3
ANGLES = ("phi", "psi", "theta")


def estimate_joints_as_printed(
    samples: Samples, options: EstimateOptions, rest: Rest | None = None
) -> tuple[Callable[[], dict[str, JointLimit]], str]:
    """Estimate every joint with the printed equations.

    Returns a function that gives the joints, and `rest_source`. Types are only "fixed", "hinge" and
    "ball"; limits are on "theta" for a hinge, on the ZYZ angles "phi", "psi", "theta" else.
    """
    moment = moment_from_rotations(samples.rotations)
    pose, source = rest_rotations(samples, moment, options, rest)
    joints = {}
    for row, name in enumerate(samples.skeleton.names):
        q = _non_negative(samples.rotations[row].T)
        joints[name] = _joint(samples, row, q, _non_negative(pose[row]))
    return lambda: joints, source


def _non_negative(q: Floats) -> Floats:
    return np.where(q[..., 3:] < 0.0, -q, q)


def covariance_eigenvalues(q: Floats) -> Floats:
    """Eigenvalues of the covariance of the vector parts (equations 4 to 7), smallest first."""
    centred = q[:, :3] - q[:, :3].mean(axis=0)
    return np.asarray(np.linalg.eigvalsh(centred.T @ centred))


def zyz_as_printed(q: Floats) -> Floats:
    """ZYZ angles by the arc cosine and the threshold of the appendix, shape (..., 3).

    The arc cosine's argument is kept in [-1, 1]; as printed it is NaN where rounding leaves it.
    """
    u = rotated(q, np.array([0.0, 0.0, 1.0]))
    psi = np.arccos(np.clip(u[..., 2], -1.0, 1.0))  # (28)
    phi = np.arctan2(u[..., 1], u[..., 0])  # (30)
    w = rotated(q, np.array([1.0, 0.0, 0.0]))  # (31)
    locked = psi < GIMBAL_THRESHOLD
    phi = np.where(locked, np.arctan2(w[..., 1], w[..., 0]), phi)  # (32)
    psi = np.where(locked, 0.0, psi)
    turn_z = quaternion_from_axis_angle([0.0, 0.0, 1.0], phi)
    turn_y = quaternion_from_axis_angle([0.0, 1.0, 0.0], psi)
    rest = multiply(conjugate(multiply(turn_z, turn_y)), q)  # (33), (35)
    theta = np.where(locked, 0.0, 2.0 * np.arctan2(rest[..., 2], rest[..., 3]))  # (36)
    return np.stack([phi, psi, theta], axis=-1)


def interval_as_printed(angles: Floats) -> tuple[float, float]:
    """Contiguous interval by equations 16 to 19, strict comparisons as printed."""
    ordered = np.sort(angles)
    following = np.roll(ordered, -1)
    gaps = np.where(following > ordered, following - ordered, following + TURN - ordered)  # (16)
    widest = int(np.argmax(gaps))  # (17)
    low, high = float(following[widest]), float(ordered[widest])  # (18)
    while not low < high:  # (19)
        high += TURN
    return low, high


def is_feasible_as_printed(angle: float, low: float, high: float) -> tuple[bool, float]:
    """Bind pose test of equations 20 and 21: strict, and only ever adding full turns."""
    while not low < angle:
        angle += TURN
    return angle <= high, angle


def _joint(samples: Samples, row: int, q: Floats, rest: Floats) -> JointLimit:
    eigenvalues = covariance_eigenvalues(q)
    dimensions = int(np.sum(eigenvalues > EIGENVALUE_THRESHOLD))
    joint_type = ("fixed", "hinge", "ball", "ball")[dimensions]
    if joint_type == "hinge":
        names: tuple[str, ...] = ("theta",)
        angles = 2.0 * np.arctan2(q[:, 3:], np.linalg.norm(q[:, :3], axis=1, keepdims=True))  # (12)
        bind = 2.0 * np.arctan2(rest[3:], np.linalg.norm(rest[:3]))  # (11)
    else:
        names, angles, bind = ANGLES, zyz_as_printed(q), zyz_as_printed(rest)
    ranges = [interval_as_printed(column) for column in angles.T]
    limits = {
        name: _limit(samples, column, *bounds)
        for name, column, bounds in zip(names, angles.T, ranges)
    }
    pose, others = _rest(bind, angles, ranges)
    preferred = [pose] if pose.feasible else [other for other in others.values() if other]
    return JointLimit(
        type=joint_type,
        parent=samples.skeleton.parent_name(samples.skeleton.names[row]),
        evidence=_evidence(eigenvalues, dimensions, len(q)),
        frame=Frame(samples.skeleton.rotate_orders[row], (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)),
        limits=limits,
        rest=pose,
        remedies=others,
        preferred_deg=preferred[0].rotate_deg,
    )


def _evidence(eigenvalues: Floats, dimensions: int, count: int) -> Evidence:
    x, y, z = (
        float(v) for v in np.degrees(2.0 * np.sqrt(np.maximum(eigenvalues[::-1], 0.0) / count))
    )
    nearest = float(np.min(np.abs(eigenvalues - EIGENVALUE_THRESHOLD)))
    return Evidence(
        residual_deg={"fixed": None, "hinge": None, "universal": None, "ball": None},
        runner_up=None,
        margin_deg=float(np.degrees(2.0 * np.sqrt(nearest / count))),
        spread_deg=(x, y, z),
        noise_deg=0.0,
        samples=count,
        sure="no motion" if dimensions == 0 else "close",
    )


def _limit(samples: Samples, angles: Floats, low: float, high: float) -> AxisLimit:
    sources = []
    for bound in (low, high):
        off = np.abs(np.mod(angles - bound + np.pi, TURN) - np.pi)
        at = int(np.argmin(off))
        clip = samples.clips[int(samples.clip_of[at])].clip.name
        frame, value = float(samples.frame_of[at]), float(np.degrees(angles[at]))
        sources.append(BoundSource("observed", clip, frame, value, 1))
    gap = float(np.degrees(TURN - (high - low)))
    return AxisLimit(
        "limited", float(np.degrees(low)), float(np.degrees(high)), gap, AxisSource(*sources)
    )


def _rest(
    bind: Floats, angles: Floats, ranges: list[tuple[float, float]]
) -> tuple[RestPose, dict[str, RestPose | None]]:
    tests = [is_feasible_as_printed(float(a), *bounds) for a, bounds in zip(bind, ranges)]
    outside = max(max(angle - bounds[1], 0.0) for (_, angle), bounds in zip(tests, ranges))
    pose = _pose([angle for _, angle in tests], all(ok for ok, _ in tests))
    middle = [0.5 * (low + high) for low, high in ranges]  # (22)
    x, y = np.cos(angles).mean(axis=0), np.sin(angles).mean(axis=0)  # (23)
    mean = list(np.arctan2(y, x))  # (24)
    nearest = angles[np.argmin(np.sum((angles - bind) ** 2, axis=1))]
    others: dict[str, RestPose | None] = {
        "nearest-pose": _pose(list(nearest), True),
        "middle": _pose(middle, True),
        # "The mean angle would be feasible", says the paper.
        "circular-mean": _pose(mean, True),
    }
    return replace(pose, outside_deg=float(np.degrees(outside))), others


def _pose(angles: list[float], feasible: bool) -> RestPose:
    x, y, z = ([0.0, 0.0] if len(angles) == 1 else []) + [float(np.degrees(a)) for a in angles]
    return RestPose((x, y, z), feasible, 0.0)


MOST_NAMED = 3
"""Clips listed in a message."""
MOST_DRIVERS = 4
"""Drivers of joints listed in a message."""
KEPT_POSES = (
    "limits in the suggested orientations use the kept poses of a summary; for long clips they may "
    "be a degree or two too narrow; use the clips themselves for exact limits"
)


def estimate(
    motions: Motion | Sequence[Motion],
    options: EstimateOptions | None = None,
    progress: Progress | None = None,
) -> LimitSet:
    """Estimate joint types and joint limits of one character.

    `motions`, Motion or sequence of Motion: one clip or several of the same character; they are
    pooled. `progress`: called with (done, total, label) after each clip; returning False cancels.
    Raises EstimationError for no clips, clips of different characters, no matching joint, or no
    usable frame. Raises Cancelled if `progress` returned False.
    """
    clips = [motions] if isinstance(motions, Motion) else list(motions)
    return estimate_pooled(clips, options or EstimateOptions(), progress)[0]


def estimate_pooled(
    clips: Sequence[Motion],
    options: EstimateOptions,
    progress: Progress | None = None,
    known: Sequence[CharacterSummary] = (),
) -> tuple[LimitSet, CharacterSummary]:
    """Estimate from clips and summaries, and return the summary of all.

    `known`, sequence of CharacterSummary: summaries of clips of the same character that need not be
    read again. Raises EstimationError, Cancelled as :func:`estimate`. Returns `limit_set` and
    `summary`.
    """
    summary = summarize(clips, options, progress, known)
    rest = rest_of_frame(clips, options, summary.skeleton)
    if options.frame == "advised" and options.mode == "standard" and not known:
        return _in_advised_orientations(clips, summary, options, rest, progress), summary
    return estimate_from_summary(summary, options, rest), summary


def _in_advised_orientations(
    clips: Sequence[Motion],
    summary: CharacterSummary,
    options: EstimateOptions,
    rest: Rest | None,
    progress: Progress | None,
) -> LimitSet:
    """Limits in the suggested orientations, from every frame of the clips."""
    plain = replace(options, frame="own", joints="*", symmetry="off", prior="off")
    first = _estimated(summary, replace(plain, advise=True), rest).joints
    advice = {name: joint.advice for name, joint in first.items() if joint.advice is not None}
    turned = summarize([reoriented_motion(clip, advice) for clip in clips], options, progress)
    own = replace(options, frame="own", advise=False)
    found = estimate_from_summary(turned, own, rest)
    joints = {
        name: replace(joint, advice=advice[name], frame=replace(joint.frame, kind="advised"))
        if advice[name].changes
        else replace(joint, advice=advice[name])
        for name, joint in found.joints.items()
    }
    return replace(found, joints=joints, options=options.to_dict())


def summarize(
    clips: Sequence[Motion],
    options: EstimateOptions | None = None,
    progress: Progress | None = None,
    known: Sequence[CharacterSummary] = (),
) -> CharacterSummary:
    """Summarize clips, and merge them with known summaries.

    `options`: screening and sampling apply now; the others apply to the estimate. `known`, sequence
    of CharacterSummary: summaries of clips of the same character that need not be read again.
    Raises EstimationError, Cancelled as :func:`estimate`.
    """
    options = options or EstimateOptions()
    if not clips and not known:
        raise EstimationError("no motion to estimate limits from; add at least one clip")
    for clip in clips:
        if len(clip.skeleton) == 0:
            raise EstimationError(f"clip {clip.name!r} has no joints")
    even = EVEN
    if options.mode == "paper":
        # Enough to keep every frame, for the paper's covariance.
        even = max([MOST_SAMPLES, *(clip.frame_count for clip in clips)])
    summaries = list(known)
    excluded, _ = excluded_frames(options.exclude)
    clips = [without_ranges(clip, excluded) for clip in clips]
    for number, clip in enumerate(clips):
        summaries.append(_summary_of(clip, options, even, _within(progress, number, len(clips))))
        report_progress(progress, number + 1, len(clips), f"screened {clip.name}")
    return merged(summaries)


def _layered(data: LimitSet, skeleton: Skeleton, options: EstimateOptions) -> LimitSet:
    """Add symmetry and published ranges to the measured limits."""
    if options.mode == "paper":
        return data
    limit_set = data
    if options.symmetry != "off":
        limit_set = symmetrized(limit_set, skeleton, options.symmetry)
    if options.prior != "off":
        limit_set = with_prior(limit_set, matched_prior(list(limit_set.joints)), options.prior)
    return limit_set


def _within(progress: Progress | None, number: int, count: int) -> Progress:
    """Progress within a clip, counted in clips, so that work can be stopped often."""

    def part(_done: int, _total: int, label: str) -> bool:
        report_progress(progress, number, count, label)
        return True

    return part


def _summary_of(
    clip: Motion, options: EstimateOptions, even: int, progress: Progress
) -> CharacterSummary:
    screened = screen(clip, options.skip_rules, options.leave_out, progress)
    screened = _sampled(screened, options)
    return CharacterSummary(clip.skeleton, (clip_summary(screened, clip, even, progress),))


def estimate_from_summary(
    summary: CharacterSummary, options: EstimateOptions | None = None, rest: Rest | None = None
) -> LimitSet:
    """Estimate joint types and joint limits from the summaries of clips.

    `rest` holds the local rotations of a rest pose, shape (joints, 4), and its source; by default
    as the options say. Raises EstimationError if no joint matches, or the summary does not hold
    every frame and the rest pose or the paper's mode needs that.
    """
    limit_set = _estimated(summary, options or EstimateOptions(), rest)
    wrong = next(angle_range_problems(limit_set), None) if _turns_far(summary) else None
    if wrong is not None:
        raise EstimationError(f"{wrong}; look for faulty keys")
    return limit_set


def _turns_far(summary: CharacterSummary) -> bool:
    """Whether angles may be beyond the range of a document, which is half again as far as keys."""
    furthest = np.radians(MAX_ANGLE_DEG / 1.5)
    return any(not np.abs(clip.rotates).max(initial=0.0) < furthest for clip in summary.clips)


def _estimated(summary: CharacterSummary, options: EstimateOptions, rest: Rest | None) -> LimitSet:
    if options.mode == "paper" and any(clip.count > len(clip.frames) for clip in summary.clips):
        raise EstimationError(
            "the paper mode needs every frame, which a summary does not have; give the clips"
        )
    summary, findings = without_clips(summary, options.exclude)
    samples = samples_of(summary)
    wanted = matching_names(samples.skeleton.names, options.joints)
    method = estimate_joints_as_printed if options.mode == "paper" else estimate_joints
    # All joints are estimated, even if few are requested, for the noise floor of the character.
    make, rest_source = method(samples, options, rest)

    def records() -> LimitSet:
        every = make()
        joints = {name: every[name] for name in wanted}
        noticed = _noticed_of(summary, samples, options, joints, findings)
        data = _limit_set(samples, options, joints, rest_source, noticed)
        limit_set = _layered(data, summary.skeleton, options)
        taken = options.type_edits(samples.skeleton.names)
        edits = [edit for name, edit in taken.items() if name in joints]
        return with_edits(limit_set, edits) if edits else limit_set

    return LimitSet.later(records)


def _noticed_of(
    summary: CharacterSummary,
    samples: Samples,
    options: EstimateOptions,
    joints: dict[str, JointLimit],
    findings: Sequence[Finding],
) -> list[Finding]:
    """Findings of clips and of the limits, after those that are known."""
    findings = [*findings, *(finding for clip in summary.clips for finding in clip.findings)]
    if options.frame == "advised" and any(clip.count > len(clip.frames) for clip in summary.clips):
        findings.append(Finding("kept-poses", KEPT_POSES))
    if options.mode == "standard" and options.frame == "own":
        findings = with_limits_of_all(findings, samples, joints)
        findings += excursion_findings(samples, joints)
    return findings


def rest_of_frame(
    clips: Sequence[Motion], options: EstimateOptions, skeleton: Skeleton
) -> Rest | None:
    """Rest pose of the frame chosen in the options, if any.

    Frames excluded by screening are allowed: an inserted T-pose is a fine rest pose. `clips`,
    sequence of Motion: as they were read. `skeleton`: skeleton whose joint order the pose gets.
    None without clips too: summaries do not hold every frame. Raises EstimationError if no clip
    has the frame.
    """
    if not options.rest.startswith("frame:") or not clips:
        return None
    frame = options.rest_frame()
    # Sorted, so that the order of the clips never matters.
    for clip in sorted(
        clips, key=lambda clip: (clip.name, clip.source.sha256 if clip.source else "")
    ):
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


def _sampled(clip: Screened, options: EstimateOptions) -> Screened:
    """Requested samples of a screened clip."""
    if options.samples == "all":
        return clip
    even = resampled(replace(clip.motion, rotates=clip.rotates), int(options.samples))
    assert even.rotates is not None
    own = None if clip.motion.rotates is None else even.rotates
    return Screened(replace(even, rotates=own), even.rotates, clip.findings)


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
    return LimitSet(
        character=samples.skeleton.name or samples.clips[0].clip.name,
        joints=joints,
        clips=tuple(clip.clip for clip in samples.clips),
        rest_source=rest_source,
        mode=options.mode,
        options=options.to_dict(),
        findings=tuple(finding for finding in findings if finding.joint is None),
    )


def reject_still_estimate(limit_set: LimitSet) -> None:
    """Reject an estimate in which nothing moves, since applying it would freeze the character.

    Joints that rest while others move are reported as fixed. An estimate of chosen joints only is
    accepted even if they all rest. Raises EstimationError for fewer than two frames, or if no joint
    moves.
    """
    frames = sum(clip.frames for clip in limit_set.clips)
    if limit_set.options.get("joints", "*") != "*":
        return
    if all(not joint.animated for joint in limit_set.joints.values()):
        raise _nothing_animated(limit_set)
    if frames < 2:
        raise EstimationError(
            f"limits cannot be measured from one frame ({_frames(limit_set)}); "
            "give a range in which the character moves"
        )
    if all(joint.type == "fixed" for joint in limit_set.joints.values()):
        cut = any(one.rule == "frame-count" for one in limit_set.findings)
        raise (EstimationError if cut else NoMotionError)(
            f"no joint of {limit_set.character} moves in {_frames(limit_set)}"
            f"{_noticed(limit_set)}; {_mend(limit_set)}"
        )


def _nothing_animated(limit_set: LimitSet) -> EstimationError:
    """Refusal that names the drivers of the joints, if there are any."""
    findings = [item for joint in limit_set.joints.values() for item in joint.findings]
    drivers = drivers_of_joints(findings)
    if not drivers:
        return NoMotionError(
            f"nothing is animated: no joint of {limit_set.character} has keys or anything that "
            "drives it; choose joints that are animated, or bake the animation onto them first"
        )
    named = list(dict.fromkeys(name for names in drivers.values() for name in names))
    shown, more = ", ".join(named[:MOST_DRIVERS]), len(named) - MOST_DRIVERS
    are = "is" if len(drivers) == 1 else "are"
    return EstimationError(
        f"no joint of {limit_set.character} has keys of its own: {plural(len(drivers), 'joint')} "
        f"{are} driven by {shown}{f' and {more} more' if more > 0 else ''}; bake them to keys "
        "first (Edit > Keys > Bake Simulation)"
    )


def _frames(limit_set: LimitSet) -> str:
    """Frames that were read."""
    parts = [_of_clip(clip.first_frame, clip.last_frame) for clip in limit_set.clips[:MOST_NAMED]]
    more = len(limit_set.clips) - len(parts)
    return ", ".join(parts) + (f" and {more} more clips" if more > 0 else "")


def _of_clip(first: float, last: float) -> str:
    return f"frame {first:g}" if first == last else f"frames {first:g} to {last:g}"


def _mend(limit_set: LimitSet) -> str:
    """Copy the file where frames are missing, else choose other frames."""
    if any(one.rule == "frame-count" for one in limit_set.findings):
        return "it looks truncated: copy or export it again"
    return "give a range in which it is animated"


def _noticed(limit_set: LimitSet) -> str:
    """Findings of the reader about the frames that there are."""
    rules = ("outside-keys", "frame-count")
    outside = [one.message for one in limit_set.findings if one.rule in rules]
    return f" ({'; '.join(outside)})" if outside else ""
