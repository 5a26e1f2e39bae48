"""Coupled limits as rows in mink: share of random targets that pull a shoulder outside."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

import jointlimits_core as jl
from jointlimits_core.geometry.arrays import Floats

from ..bodies_recorded import read_clip, subject_folder
from ..figures import Figure, SkippedError, best_seconds

SHOULDERS, HANDS = ("lhumerus", "rhumerus"), ("lhand", "rhand")
TARGETS, QUICK_TARGETS, STEPS, SEED = 150, 15, 40, 49
TIMED, ROUNDS = 3, 7
"""Number of timed targets, and of rounds, the best of which counts."""
MIN_REACH, MAX_REACH = 0.3, 1.0
"""Distances of targets from the shoulders, as shares of the arm's length."""
MAX_OUTSIDE_DEG = 1.0


def shoulders_in_mink(quick: bool) -> Iterator[Figure]:
    """Share of targets at which a shoulder is outside, and processor time of a step."""
    try:
        import mink
        import mujoco

        from examples.mujoco.mink_coupled_limits import CoupledLimits, reach
    except ImportError:
        raise SkippedError("not installed: mink, mujoco, daqp") from None
    folder = subject_folder("02")
    clips = [read_clip(path, folder) for path in sorted(folder.glob("*.amc"))]
    limit_set = jl.fit(clips)
    with tempfile.TemporaryDirectory() as made:
        jl.export(limit_set, Path(made) / "model.xml", motion=clips[0])
        model = mujoco.MjModel.from_xml_path(f"{made}/model.xml")
    ranges = mink.ConfigurationLimit(model)
    shapes = CoupledLimits(model, jl.limit_rows(limit_set, SHOULDERS))
    rest = mink.Configuration(model)
    rest.update_from_keyframe("rest")
    places = {
        name: rest.get_transform_frame_to_world(name, "body").translation()
        for name in (*SHOULDERS, *HANDS)
    }
    arm = np.array([places[a] - places[b] for a, b in zip(SHOULDERS, HANDS)])
    random = np.random.default_rng(SEED)
    count = QUICK_TARGETS if quick else TARGETS
    ways = random.normal(size=(count, 2, 3))
    reaches = random.uniform(MIN_REACH, MAX_REACH, (count, 2, 1))
    ways *= reaches / np.linalg.norm(ways, axis=2, keepdims=True)
    targets = arm + np.linalg.norm(arm, axis=1, keepdims=True) * ways
    seconds = {}
    for name, used in (("ranges", [ranges]), ("ranges and rows", [ranges, shapes])):
        outside = []
        for target in targets:
            data = reach(model, HANDS, target, used).data
            outside.append(-shapes.at(data)[1].min())
        seconds[name] = _seconds_of_step(model, targets[:TIMED], used, reach)
        far = 100.0 * float(np.mean(np.degrees(outside) > MAX_OUTSIDE_DEG))
        rows = len(shapes.at(rest.data)[0]) if len(used) > 1 else 0
        about = f"{count} targets, {rows} rows, CMU 02, {1e3 * seconds[name]:.2f} ms a step"
        aim = 1.0 if len(used) > 1 else None
        yield Figure(f"{name}: shoulder outside by over 1 degree", far, "%", aim, about)
    ratio = seconds["ranges and rows"] / seconds["ranges"]
    yield Figure("time of a step with rows", ratio, "x", 2.0, "a step within ranges alone")


def _seconds_of_step(model: Any, targets: Floats, limits: list[Any], reach: Any) -> float:
    def work() -> None:
        for target in targets:
            reach(model, HANDS, target, limits)

    return best_seconds(work, ROUNDS) / (len(targets) * STEPS)
