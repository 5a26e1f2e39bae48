"""FBX files beside ufbx, which is compiled: the same file, the same run."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from functools import partial
from importlib import import_module
from pathlib import Path

import numpy as np

from jointlimits_core.formats import read_motion
from tests.support.fbx_files import Node, binary, curve, document, joined, model

from .figures import Figure, SkippedError, benchmark, best_seconds

MOST_TIMES, MOST_SECONDS = 20.0, 2.0
SIZES = {"1 MB": (30, 700), "30 MB": (65, 6_400)}
"""Joints and frames."""
LAYER, STACK, FIRST = 1, 2, 1000


@benchmark
def fbx_of_many_frames(quick: bool) -> Iterator[Figure]:
    """Made-up clips with nine curves a joint and a key on every frame, and what ufbx needs."""
    for words, (joints, frames) in list(SIZES.items())[: 1 if quick else None]:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "clip.fbx"
            path.write_bytes(_file(joints, frames))
            megabytes = path.stat().st_size / 1e6
            own = best_seconds(partial(read_motion, path), 3)
            told = f"{joints} joints, {frames:,} frames, {megabytes:.1f} MB"
            target = MOST_SECONDS if words == "30 MB" else None
            yield Figure(f"read FBX of {words}", own, "s", target, told)
            theirs = best_seconds(partial(_by_ufbx, path), 3)
            told = f"ufbx {1e3 * theirs:.0f} ms: loading, and a key of every node and frame"
            yield Figure(f"ours / ufbx, {words}", own / theirs, "x", MOST_TIMES, told)


def _by_ufbx(path: Path) -> object:
    """Load a file and evaluate its animation; raises SkippedError without ufbx."""
    try:
        ufbx = import_module("ufbx")
    except ImportError:
        raise SkippedError("not installed: ufbx") from None
    scene = ufbx.load_file(str(path))
    # The binding crashes on objects whose owner is gone.
    stack = scene.anim_stacks[0]
    return scene, stack, ufbx.bake_anim(scene, stack.anim)


def _file(joints: int, frames: int) -> bytes:
    chance, seconds = np.random.default_rng(0), (np.arange(frames) / 30.0).tolist()
    objects = [
        Node("AnimationStack", (STACK, "AnimStack::walk", "")),
        Node("AnimationLayer", (LAYER, "AnimLayer::base", "")),
    ]
    connections, number = [joined(LAYER, STACK)], FIRST
    for joint in range(joints):
        own = 10 + joint
        objects.append(model(own, f"joint{joint}"))
        connections.append(joined(own, own - 1 if joint else 0))
        for name, size in (("Translation", 1e-3), ("Rotation", 1.0), ("Scaling", 1e-3)):
            objects.append(Node("AnimationCurveNode", (number, "AnimCurveNode::a", "")))
            connections += [joined(number, LAYER), joined(number, own, f"Lcl {name}")]
            for axis in "XYZ":
                values = 1.0 + size * chance.standard_normal(frames).cumsum()
                axis_number = number + "-XYZ".index(axis)
                objects.append(curve(axis_number, seconds, values.tolist()))
                connections.append(joined(axis_number, number, f"d|{axis}"))
            number += 4
    return binary(document(objects, connections))
