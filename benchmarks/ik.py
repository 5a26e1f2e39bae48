"""Figure 8 of the paper in numbers: clips rebuilt from hands, feet and head under limits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib.metadata import version
from typing import Any

import numpy as np

from jointlimits_core.estimation.pipeline import estimate
from jointlimits_core.exporters.formats import ExportOptions, export_formats
from jointlimits_core.formats.registry import read_motion
from jointlimits_core.geometry.arrays import Floats
from jointlimits_core.ik.constraints import JointConstraint
from jointlimits_core.ik.from_limits import FORMS, constraints_of
from jointlimits_core.ik.reconstruction import Reconstruction, body_figure, reconstruct
from jointlimits_core.ik.solver import IkOptions, solve
from jointlimits_core.limits.limit_set import LimitSet
from jointlimits_core.motion.motion import Motion
from jointlimits_core.shapes.fitting import chordal_mean, fit_shape

from .figures import Figure, SkippedError, benchmark, best_seconds, shared

SUBJECTS = ("01", "02")
FRAMES, QUICK_FRAMES = 40, 12
"""Evenly spaced frames of each clip that are solved."""
QUICK_CLIPS = ("01_14", "02_01", "02_03", "02_05")
SHAPE = "hull"
SAMPLES = 2000
"""Samples of a joint that a shape is fitted to, at most."""
CENTIMETRES = 100.0
WORSE_DEG = 0.05
"""Limits whose error is greater by less than this count as equally good."""


@lru_cache(maxsize=1)
def _clips() -> dict[str, Motion]:
    clips = {}
    for subject in SUBJECTS:
        folder = shared(f"data/mocap/cmu_asfamc/{subject}")
        skeleton = next(folder.glob("*.asf"))
        for path in sorted(folder.glob("*.amc")):
            clips[path.stem] = read_motion(path, skeleton=skeleton)
    return clips


@lru_cache(maxsize=64)
def _limits(
    name: str, held_out: bool
) -> tuple[Mapping[str, Mapping[int, JointConstraint]], Floats]:
    """Constraints of every form for a clip, and mean rotations of the clips behind them."""
    clips = _clips()
    others = [clip for key, clip in clips.items() if key[:2] == name[:2] and key != name]
    sources = others if held_out else [clips[name]]
    limit_set = estimate(sources)
    skeleton = clips[name].skeleton
    figure = body_figure(clips[name])
    shapes = {
        skeleton.names[joint]: fit_shape(SHAPE, _samples(sources, joint))
        for joint in figure.joints.tolist()
        if limit_set.joints[skeleton.names[joint]].type in ("ball", "universal")
    }
    forms = {form: constraints_of(limit_set, skeleton, form, shapes) for form in FORMS}
    rotations = np.concatenate([clip.rotations for clip in sources], axis=2)
    return forms, np.stack([chordal_mean(joint.T) for joint in rotations])


def _samples(clips: Sequence[Motion], joint: int) -> Floats:
    rotations = np.concatenate([clip.rotations[joint] for clip in clips], axis=1).T
    return rotations[:: max(1, len(rotations) // SAMPLES)]


@dataclass(frozen=True, eq=False)
class _Outcome:
    """For every clip: joint error, position error, residual, share of frames that converged."""

    joint_deg: Floats
    position_cm: Floats
    residual_cm: Floats
    converged: Floats


def _outcome(
    names: Sequence[str], form: str, held_out: bool, start: str, count: int, options: IkOptions
) -> _Outcome:
    rows = []
    for name in names:
        clip = _clips()[name]
        some = clip.keep_frames(
            np.linspace(0, clip.frame_count - 1, count).round().astype(np.int64)
        )
        forms, mean = _limits(name, held_out)
        found = reconstruct(some, forms[form], mean if start == "mean" else None, options)
        rows.append(_row(found, CENTIMETRES * (clip.skeleton.meters_per_unit or 0.01)))
    return _Outcome(*np.array(rows).T)


def _row(found: Reconstruction, centimetres: float) -> list[float]:
    solution = found.solution
    return [
        float(found.joint_deg.mean()),
        centimetres * float(found.position.mean()),
        centimetres * float(solution.residual.mean()),
        float(solution.converged.mean()),
    ]


def _table(
    start: str, quick: bool, options: IkOptions, targets: tuple[float | None, float | None]
) -> Iterator[Figure]:
    """Errors of every form in and out of sample, the gain, and the clips that limits make worse."""
    names = QUICK_CLIPS if quick else tuple(_clips())
    count = QUICK_FRAMES if quick else FRAMES
    for held_out, target in zip((False, True), targets):
        where = "held out" if held_out else "in sample"
        free = _outcome(names, "none", held_out, start, count, options)
        beside = f"{len(names)} CMU clips, {count} frames each, from {start}"
        yield from _errors("none", where, free, beside)
        for form in FORMS[1:]:
            found = _outcome(names, form, held_out, start, count, options)
            yield from _errors(form, where, found, beside)
            gain = 100.0 * (found.joint_deg.mean() / free.joint_deg.mean() - 1.0)
            aim = target if form == "coupled" else None
            label = f"{where}, {form}: joint error against none"
            yield Figure(label, float(gain), "%", aim, beside)
            worse = float(np.count_nonzero(found.joint_deg > free.joint_deg + WORSE_DEG))
            none = None if form == "types" else 0.0
            yield Figure(f"{where}, {form}: clips worse than none", worse, "clips", none, beside)


def _errors(form: str, where: str, found: _Outcome, beside: str) -> Iterator[Figure]:
    label = f"{where}, {form}"
    yield Figure(f"{label}: mean joint error", float(found.joint_deg.mean()), "deg", None, beside)
    yield Figure(f"{label}: mean joint position", float(found.position_cm.mean()), "cm")
    yield Figure(f"{label}: mean residual", float(found.residual_cm.mean()), "cm")
    yield Figure(f"{label}: frames converged", 100.0 * float(found.converged.mean()), "%")


@benchmark
def from_t_pose(quick: bool) -> Iterator[Figure]:
    """Damped least squares, every frame from the T-pose brought inside the limits."""
    yield from _table("T-pose", quick, IkOptions(), (-55.0, -35.0))


@benchmark
def single_start(quick: bool) -> Iterator[Figure]:
    """The same, without a second attempt from the middle of the limits."""
    if not quick:
        yield from _table("T-pose", quick, replace(IkOptions(), restart=False), (None, None))


@benchmark
def from_mean(quick: bool) -> Iterator[Figure]:
    """From the mean pose of the clips that the limits come from."""
    if not quick:
        yield from _table("mean", quick, IkOptions(), (None, None))


MINK_CLIP, STEPS, BATCH = "02_01", 10, 200
"""Clip whose ends are followed, steps, and frames that ours takes at once."""


@benchmark
def beside_mink(quick: bool) -> Iterator[Figure]:
    """A step towards the ends of the body within the ranges, in mink on the exported model."""
    try:
        import mink
        import mujoco
    except ImportError:
        raise SkippedError("not installed: mink, mujoco, daqp") from None
    clip = _clips()[MINK_CLIP]
    limit_set = estimate(clip)
    exported = export_formats()["mjcf"].export(limit_set, clip.skeleton, ExportOptions())
    model = mujoco.MjModel.from_xml_string(exported.content)
    figure = body_figure(clip)
    ends = [clip.skeleton.names[end.joint] for end in figure.effectors]
    theirs = _mink_seconds(mink, model, ends, 3 if quick else 15)
    for frames in (1, BATCH):
        ours = _our_seconds(clip, limit_set, frames, 3 if quick else 7)
        what = f"mink {version('mink')} {1e6 * theirs:.3g} us, {model.nv} velocities"
        label = f"mink / a step of ours, {frames} frame{'s at once' * (frames > 1)}"
        yield Figure(label, theirs / ours, "x", 1 / 3 if frames > 1 else None, what, at_least=True)


def _mink_seconds(mink: Any, model: Any, ends: Sequence[str], repeats: int) -> float:
    """A step: tasks for the ends, a quadratic program within the ranges, the pose moved."""
    tasks = [mink.FrameTask(name, "body", position_cost=1.0, orientation_cost=0.0) for name in ends]
    ranges = [mink.ConfigurationLimit(model)]

    def steps() -> None:
        configuration = mink.Configuration(model)
        configuration.update_from_keyframe("rest")
        for task in tasks:
            here = configuration.get_transform_frame_to_world(task.frame_name, "body")
            task.set_target(mink.SE3.from_translation(here.translation() + 0.1))
        for _ in range(STEPS):
            velocity = mink.solve_ik(configuration, tasks, 0.1, "daqp", 1e-3, limits=ranges)
            configuration.integrate_inplace(velocity, 0.1)

    return best_seconds(steps, repeats) / STEPS


def _our_seconds(clip: Motion, limit_set: LimitSet, count: int, repeats: int) -> float:
    """The same for each of some frames, per step that was kept."""
    some = clip.keep_frames(np.linspace(0, clip.frame_count - 1, count).round().astype(np.int64))
    figure, truth = body_figure(some), np.moveaxis(some.rotations, 2, 0)
    targets, start = figure.points(figure.world(truth)), some.skeleton.rest_rotations
    boxes = constraints_of(limit_set, some.skeleton, "box")
    options = IkOptions(iterations=STEPS, tolerance=0.0, restart=False)
    kept = int(solve(figure, targets, start, boxes, options).iterations.sum())
    return best_seconds(lambda: solve(figure, targets, start, boxes, options), repeats) / kept
