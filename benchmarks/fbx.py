"""FBX reading compared with ufbx, which is compiled: the same file, the same run."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from jointlimits_core.base.errors import InputError
from jointlimits_core.formats.fbx.curves import LayeredProperties
from jointlimits_core.formats.fbx.reader import read_fbx_takes, read_file
from jointlimits_core.formats.fbx.skeleton import placement
from jointlimits_core.formats.registry import read_motion
from tests.support.fbx_files import Node, binary, curve, document, link, model

from .figures import Figure, SkippedError, benchmark, best_seconds, shared

LEAST_SHARE, MOST_SECONDS, MOST_APART = 0.05, 2.0, 1e-6
TIMES = 13
"""Times at which a take is compared, between its ends and not on frames."""
SIZES = {"1 MB": (30, 700), "30 MB": (65, 6_400)}
"""Joints and frames."""
LAYER, STACK, FIRST = 1, 2, 1000
OF_PROGRAMS = ("data/reports/unseen/locomotions.fbx", "data/fbx/maya_human_ik_7400_binary.fbx")


@benchmark
def fbx_of_many_frames(quick: bool) -> Iterator[Figure]:
    """Synthetic clips with nine curves a joint and a key on every frame, compared with ufbx."""
    for words, (joints, frames) in list(SIZES.items())[: 1 if quick else None]:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "clip.fbx"
            path.write_bytes(_file(joints, frames))
            target = MOST_SECONDS if words == "30 MB" else None
            yield from _beside_ufbx(path, f"made-up FBX of {words}", target)


@benchmark
def fbx_of_programs(quick: bool) -> Iterator[Figure]:
    """Files written by programs, with hundreds of curves of few keys, compared with ufbx."""
    for name in OF_PROGRAMS:
        path = shared(name)
        yield from _beside_ufbx(path, path.name, None)


def _beside_ufbx(path: Path, words: str, target: float | None) -> Iterator[Figure]:
    own = best_seconds(partial(read_motion, path), 3)
    motion = read_motion(path)
    size = f"{path.stat().st_size / 1e6:.1f} MB"
    comment = f"{len(motion.joint_names)} joints, {motion.frame_count:,} frames, {size}"
    yield Figure(f"read {words}", own, "s", target, comment)
    theirs = best_seconds(partial(_by_ufbx, path), 3)
    comment = f"{1e3 * theirs:.3g} ms beside {1e3 * own:.3g}; compiled, a key of every frame"
    yield Figure(f"ufbx / ours, {words}", theirs / own, "x", LEAST_SHARE, comment, at_least=True)


@benchmark
def public_fbx_files(quick: bool) -> Iterator[Figure]:
    """Files of many makers: local rotations of all nodes in all takes, compared with ufbx."""
    files = sorted(shared("data/fbx").glob("*.fbx"))[:: 10 if quick else 1]
    refused: list[str] = []
    for path in files:
        try:
            takes = read_fbx_takes(path)
        except InputError as error:
            refused.append(str(error))
            continue
        comment = f"{len(takes[0].joint_names)} joints, {len(takes)} takes"
        yield Figure(path.name, _apart_from_ufbx(path), "quaternion", MOST_APART, comment)
    yield Figure("refused in one line", len(refused), "files", None, f"of {len(files)}")
    yield Figure("refused in more lines", sum("\n" in one for one in refused), "files", 0.0)


def _apart_from_ufbx(path: Path) -> float:
    """Largest distance of local rotations of the nodes whose names are unique."""
    ufbx, (scene, _) = _ufbx(), read_file(path)
    theirs = ufbx.load_file(str(path))
    nodes, stacks = list(theirs.nodes), {one.name: one for one in theirs.anim_stacks}
    worst = 0.0
    for stack in scene.stacks:
        anim, ends = stacks[stack.name].anim, stacks[stack.name]
        seconds = np.linspace(ends.time_begin, ends.time_end, TIMES)
        properties = LayeredProperties(scene, stack)
        for model_node in scene.models:
            named = [node for node in nodes if node.name == model_node.name]
            if len(named) == 1:
                turns = [ufbx.evaluate_transform(anim, named[0], at).rotation for at in seconds]
                wanted = np.array([(one.x, one.y, one.z, one.w) for one in turns])
                own = placement(model_node, properties, seconds, 1.0).rotation
                apart = [np.linalg.norm(own + sign * wanted, axis=1) for sign in (1.0, -1.0)]
                worst = max(worst, float(np.minimum(*apart).max()))
    return worst


def _ufbx() -> Any:
    """The binding; raises SkippedError without it."""
    try:
        return import_module("ufbx")
    except ImportError:
        raise SkippedError("not installed: ufbx") from None


def _by_ufbx(path: Path) -> object:
    """Load a file and evaluate its animation."""
    ufbx = _ufbx()
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
    connections, number = [link(LAYER, STACK)], FIRST
    for joint in range(joints):
        own = 10 + joint
        objects.append(model(own, f"joint{joint}"))
        connections.append(link(own, own - 1 if joint else 0))
        for name, size in (("Translation", 1e-3), ("Rotation", 1.0), ("Scaling", 1e-3)):
            objects.append(Node("AnimationCurveNode", (number, "AnimCurveNode::a", "")))
            connections += [link(number, LAYER), link(number, own, f"Lcl {name}")]
            for axis in "XYZ":
                values = 1.0 + size * chance.standard_normal(frames).cumsum()
                axis_number = number + "-XYZ".index(axis)
                objects.append(curve(axis_number, seconds, values.tolist()))
                connections.append(link(axis_number, number, f"d|{axis}"))
            number += 4
    return binary(document(objects, connections))
