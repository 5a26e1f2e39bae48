"""Standard estimate of joint types and limits: both phases of the paper, with corrections."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..base.findings import MOVING_ORIENTATION, UNEXPLAINED, Finding
from ..geometry import arrays, circle, euler
from ..limits import limit_set
from ..motion import mirror, motion, reorient
from ..motion.screening.rules import MIN_SAMPLES
from ..motion.skeleton import Skeleton
from . import bounds, branches, clip_summary, joint_type, rest_pose, summary
from .hinges import best_hinges, hinge_candidates, lost_to_locks, off_hinge_angles, triple
from .moment import Moment, moment_from_second
from .options import EstimateOptions
from .orient_advice import MIN_WIDE_RAD, advise_joints, better_order

MAX_OFF_HINGE_RAD = np.radians(1.0)
"""A rest pose further than this from the hinge gets a finding."""


def orient_advice(
    samples: summary.Samples,
    types: Sequence[str],
    rests: arrays.Floats,
    found: Mapping[int, limit_set.Hinge | limit_set.Universal],
) -> list[reorient.OrientAdvice]:
    """Orientation and rotate-order advice for every joint; `found`: axes by joint index."""
    skeleton = samples.skeleton
    # Distance from every joint to its most distant descendant, in the rest pose.
    places, reaches = skeleton.rest_world_matrices()[:, :3, 3], np.zeros(len(skeleton))
    for joint in range(len(skeleton)):
        for above in skeleton.ancestors(joint)[1:]:
            distance = float(np.linalg.norm(places[joint] - places[above]))
            reaches[above] = max(reaches[above], distance)
    axes = {row: (joint.axis_parent, joint.axis_child) for row, joint in found.items()}
    rows = range(len(skeleton))
    return advise_joints(
        samples.rotations,
        types,
        [_orientation(skeleton, row) for row in rows],
        rests,
        [axes.get(row) for row in rows],
        rotates=samples.rotates,
        reaches=reaches.tolist(),
    )


def _orientation(skeleton: Skeleton, row: int) -> reorient.JointOrientation:
    orient, axis = skeleton.joint_orients[row], skeleton.rotate_axes[row]
    return reorient.JointOrientation(orient, axis, skeleton.rotate_orders[row])


def in_advised_orientations(
    samples: summary.Samples, advice: Sequence[reorient.OrientAdvice | None]
) -> summary.Samples:
    """Samples with channels in the suggested orientations; reaches come from kept poses only."""
    changing = {row: item for row, item in enumerate(advice) if item is not None and item.changes}
    rotates, starts = samples.rotates.copy(), _starts(samples.clip_of)
    for row, item in changing.items():
        rotates[row] = reorient.reoriented_rotates(
            samples.rotations[row], item, samples.rotates[row], starts
        )
    pieces = np.split(rotates, starts.tolist()[1:], axis=2)
    skeleton = reorient.reoriented_skeleton(samples.skeleton, changing)
    rows, reached = np.array(list(changing), dtype=np.int64), []
    for clip, piece in zip(samples.clips, pieces):
        span = max(float(clip.frames[-1] - clip.frames[0]), 1.0)
        count = len(clip.frames)
        rate = clip.clip.frame_rate * (count - 1) / span if count > 1 else 1.0
        lower, upper = clip_summary.both_reaches(piece, clip.frames, max(rate, 1e-3))
        goes_round = clip.goes_round.copy()
        goes_round[rows] = np.ptp(piece[rows], axis=2) >= 2.0 * np.pi
        seen = replace(
            clip,
            rotates=piece,
            goes_round=goes_round,
            lower=clip.lower.replace_joints(rows, lower.select(rows)),
            upper=clip.upper.replace_joints(rows, upper.select(rows)),
            arcs=clip.arcs.replace_joints(rows, circle.occupied_arcs(piece, clip.frames)),
        )
        reached.append(seen)
    clips = branches.on_one_branch(reached, skeleton.rotate_orders)
    rotates = np.concatenate([clip.rotates for clip in clips], axis=2)
    return replace(samples, skeleton=skeleton, rotates=rotates, clips=clips)


def _starts(clip_of: arrays.Integers) -> arrays.Integers:
    """First sample of every clip."""
    return np.flatnonzero(np.diff(clip_of, prepend=-1))


@dataclass(frozen=True, eq=False)
class _Analysis:
    """Results computed for all chosen joints at once."""

    samples: summary.Samples
    """Samples in the orientations that the limits use."""
    types: Sequence[str]
    """Measured or requested types."""
    hinges: dict[int, limit_set.Hinge]
    """Hinges of hinge joints and of joints that could be hinges, by joint index."""
    advice: Sequence[reorient.OrientAdvice | None]
    options: EstimateOptions
    animated: arrays.Booleans
    unexplained: arrays.Booleans
    """Joints whose rotate channels do not explain their rotation: they get no limits."""
    moment: Moment
    decision: joint_type.TypeDecision
    box: bounds.ChannelBox
    rest: rest_pose.RestCandidates
    moving: arrays.Booleans
    """Animated joints that move by more than the noise."""


def estimate_joints(
    samples: summary.Samples, options: EstimateOptions, rest: rest_pose.Rest | None = None
) -> tuple[dict[str, limit_set.JointLimit], str]:
    """Limits of every joint by name, and the source of the rest pose.

    `rest`: a rest pose to use; by default the rest pose that the options name.
    """
    moment = moment_from_second(np.sum([clip.second for clip in samples.clips], axis=0))
    decision = joint_type.decide_types(
        np.compress(samples.even, samples.rotations, axis=-1),
        moment,
        clip_starts=_starts(samples.clip_of[samples.even]),
        partners=mirror.partners(samples.skeleton.names),
    )
    rotations, source = rest_pose.rest_rotations(samples, moment, options, rest)
    oriented = _choose_orientations(samples, moment, decision, rotations, options)
    samples = oriented[0]
    box = bounds.channel_box(samples)
    candidates = rest_pose.rest_candidates(samples, rotations)
    driven = [clip.animated for clip in samples.clips]
    animated = np.array(
        [any(some is None or name in some for some in driven) for name in samples.skeleton.names]
    )
    is_fixed = np.array([kind == "fixed" for kind in decision.types])
    # Joints that turn while their channels stay still or change in meaning.
    noticed = [item for clip in samples.clips for item in clip.findings if item.rule in UNEXPLAINED]
    named = {item.joint for item in noticed}
    never = {item.joint for item in noticed if item.rule == MOVING_ORIENTATION}
    moving = animated & (moment.residual_fixed > motion.STILL_RAD)
    moves = zip(samples.skeleton.names, moving & ~is_fixed)
    unexplained = np.array([n in never or (n in named and not turns) for n, turns in moves])
    # Such a joint turns, but not through its channels; "ball" is the type without restrictions.
    types = ("ball" if t == "fixed" and u else t for t, u in zip(decision.types, unexplained))
    decision = decision._replace(types=tuple(types))
    found = _Analysis(
        *oriented, options, animated, unexplained, moment, decision, box, candidates, moving
    )
    return _joint_limits(found), source


def _choose_orientations(
    samples: summary.Samples,
    moment: Moment,
    decision: joint_type.TypeDecision,
    rotations: arrays.Floats,
    options: EstimateOptions,
) -> tuple[
    summary.Samples,
    Sequence[str],
    dict[int, limit_set.Hinge],
    Sequence[reorient.OrientAdvice | None],
]:
    """Samples, types, hinges and advice for :class:`_Analysis`."""
    names, types = samples.skeleton.names, list(decision.types)
    # Advice uses the requested types; the measurements do not change.
    for name, edit in options.type_edits(names).items():
        types[names.index(name)] = str(edit.value)
    hinged = [row for row, pair in enumerate(zip(types, decision.types)) if "hinge" in pair]
    rows = sorted({*hinged, *hinge_candidates(samples.skeleton, moment, decision.types)})
    hinges = best_hinges(samples, moment, rows, rotations)
    advice: Sequence[reorient.OrientAdvice | None] = [None] * len(samples.skeleton)
    if options.advise or options.orientation == "advised":
        axes = {row: hinge for row, hinge in hinges.items() if types[row] == "hinge"}
        advice = orient_advice(samples, types, rotations, {**_universals(decision), **axes})
    if options.orientation == "advised":
        samples = in_advised_orientations(samples, advice)
        hinges = best_hinges(samples, moment, rows, rotations)
    return samples, types, hinges, advice


def _universals(decision: joint_type.TypeDecision) -> dict[int, limit_set.Universal]:
    """Axes of every universal joint, by joint index."""
    fit = decision.universal
    if fit is None:
        return {}
    return {
        int(row): limit_set.Universal(triple(fit.parent_axes[n]), triple(fit.child_axes[n]))
        for n, row in enumerate(decision.universal_of)
        if decision.types[row] == "universal"
    }


def _joint_limits(found: _Analysis) -> dict[str, limit_set.JointLimit]:
    """Limit-set entries of every joint."""
    skeleton, types = found.samples.skeleton, found.decision.types
    limits = bounds.axis_limits(found.box, found.samples, types, found.options, found.unexplained)
    low, high = rest_pose.bounds_deg(limits)
    poses = rest_pose.checked_poses(np.degrees(found.rest.rest), low, high)
    others = rest_pose.remedies(found.rest, low, high)
    universals = _universals(found.decision)
    followed = found.options.orientation == "advised"
    orients = np.degrees(euler.euler_from_quaternion(skeleton.joint_orients))
    axes = np.degrees(euler.euler_from_quaternion(skeleton.rotate_axes))
    kinds = ["advised" if followed and item and item.changes else "own" for item in found.advice]
    orders = skeleton.rotate_orders
    return {
        name: limit_set.JointLimit(
            type=types[row],
            parent=skeleton.parent_name(name),
            evidence=_evidence(found, row),
            orientation=limit_set.Orientation(
                orders[row], triple(orients[row]), triple(axes[row]), kinds[row]
            ),
            limits=dict(zip(euler.CHANNELS, limits[row])),
            rest=poses[row],
            remedies=others[row],
            preferred_deg=limit_set.preferred_pose(poses[row], others[row]),
            hinge=found.hinges[row] if types[row] == "hinge" else None,
            candidate=_candidate(found, row),
            universal=universals.get(row),
            advice=found.advice[row],
            root=skeleton.is_root(row),
            animated=bool(found.animated[row]),
            findings=_findings(found, row, limits[row]),
        )
        for row, name in enumerate(skeleton.names)
    }


def _candidate(found: _Analysis, row: int) -> limit_set.HingeCandidate | None:
    """Hinge that could replace a joint of another type, and the rotation lost in the kept poses."""
    hinge, samples = found.hinges.get(row), found.samples
    if hinge is None or found.decision.types[row] == "hinge" or found.unexplained[row]:
        return None
    low, high = found.box.low[row], found.box.high[row]
    locks = np.clip(circle.into_interval(found.rest.circular_mean[row], low, high), low, high)
    turning, order = euler.CHANNELS.index(hinge.channel), samples.skeleton.rotate_orders[row]
    lost = lost_to_locks(samples.rotates[row], order, turning, locks)
    rms = float(np.sqrt(samples.even_weights @ lost[samples.even] ** 2))
    # Near gimbal lock the locked channels move more than the joint.
    if found.types[row] != "hinge" and rms >= np.degrees(found.moment.residual_fixed[row]):
        return None
    clip = samples.clip_of[lost.argmax()]
    here = samples.clip_of == clip
    locked = dict(zip(euler.CHANNELS, np.degrees(locks).tolist()))
    del locked[hinge.channel]
    return limit_set.HingeCandidate(
        hinge=hinge,
        locked_deg=locked,
        rms_deg=rms,
        worst_deg=float(lost.max()),
        clip=samples.clips[clip].clip.name,
        frame_ranges=arrays.frame_ranges(samples.frame_of[here], lost[here] > 0.5 * lost.max()),
    )


def _evidence(found: _Analysis, row: int) -> limit_set.Evidence:
    decision = found.decision
    residuals = {
        # NaN is not equal to itself.
        name: value if value == value else None
        for name, value in zip(joint_type.TYPES, decision.residuals[row].tolist())
    }
    name, is_all = found.samples.skeleton.names[row], found.options.samples == "all"
    held = sum(clip.held_counts.get(name, 0) for clip in found.samples.clips) if is_all else 0
    count = found.samples.frames - held
    sure = "clear" if decision.clear[row] and count >= MIN_SAMPLES else "close"
    return limit_set.Evidence(
        residual_deg=residuals,
        runner_up=decision.runner_ups[row],
        margin_deg=float(decision.margins[row]),
        spread_deg=triple(np.degrees(found.moment.spreads[row])),
        noise_deg=float(decision.noise),
        samples=count,
        sure=sure if found.moving[row] else "no motion",
        settle=decision.settle[row],
    )


def _findings(found: _Analysis, row: int, limits: list[limit_set.AxisLimit]) -> tuple[Finding, ...]:
    name, findings = found.samples.skeleton.names[row], []
    kind, is_root = found.decision.types[row], found.samples.skeleton.is_root(row)
    for axis, (channel, limit) in enumerate(zip(euler.CHANNELS, limits)):
        if found.options.strictness == "robust" and limit.state != "free":
            findings += _outliers(found.samples, row, axis, limit)
        is_open = found.box.unlimited[row, axis] and not found.unexplained[row]
        if is_open and (not is_root or found.options.limit_root):
            text = f"{channel} turns (nearly) all the way round and is left free"
            findings.append(Finding("unlimited", text, name, channel=channel))
    is_wide = np.count_nonzero(found.samples.spans[row] >= MIN_WIDE_RAD) >= 2
    if is_wide and not is_root and kind != "fixed" and not found.unexplained[row]:
        findings += _useless_order(found.samples, row, limits)
    rest, circle_of_hinge = found.rest.rotations[row, :, None], found.moment.vectors[row, :2]
    off = off_hinge_angles(rest[None], circle_of_hinge[None])[0, 0]
    if kind == "hinge" and off > MAX_OFF_HINGE_RAD:
        text = f"the rest pose is {np.degrees(off):.1f} degrees off the hinge"
        findings.append(Finding("rest-off-hinge", text, name))
    return tuple(findings)


def _useless_order(
    samples: summary.Samples, row: int, limits: list[limit_set.AxisLimit]
) -> list[Finding]:
    """Finding about a joint whose limits would allow far less in another rotate order."""
    orientation = _orientation(samples.skeleton, row)
    better = better_order(samples.rotations[row], orientation, samples.rotates[row])
    if better is None:
        return []
    order, before, after = better
    text = (
        f"rotate order {orientation.rotate_order} hits gimbal lock; {order} fits better (limits "
        f"allow {100 * after:.2g} % of all rotations, not {100 * before:.2g} %)"
    )
    widest = max(limit.width_deg for limit in limits)
    return [Finding("order-useless", text, samples.skeleton.names[row], degrees=widest)]


def _outliers(
    samples: summary.Samples, row: int, axis: int, limit: limit_set.AxisLimit
) -> list[Finding]:
    """Findings about clips that exceed a range because its outliers are excluded."""
    low, high = limit.min_deg or 0.0, limit.max_deg or 0.0
    findings = []
    known, clips, frames = samples.known_values(row, axis)
    values = np.degrees(circle.into_interval(known, *np.radians([low, high])))
    beyond = np.maximum(low - values, values - high)
    for number in arrays.distinct(clips[beyond > bounds.MIN_MOVING_DEG]).tolist():
        clip, here = samples.clips[number], np.flatnonzero(clips == number)
        here = here[np.unique(frames[here], return_index=True)[1]]
        text = (
            f"{euler.CHANNELS[axis]} goes up to {beyond[here].max():.1f} degrees beyond the "
            "range for one or two frames in a row"
        )
        ranges = arrays.frame_ranges(frames[here], beyond[here] > bounds.MIN_MOVING_DEG)
        name = samples.skeleton.names[row]
        findings.append(Finding("outlier", text, name, clip.clip.name, ranges))
    return findings
