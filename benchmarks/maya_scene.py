"""Cost of reading the open scene: calls to Maya, and our own time.

There is no Maya here. Calls are counted by the stand-in of the tests; the time that it takes itself
says nothing about Maya's and is left out.
"""

from __future__ import annotations

import importlib
import math
import re
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

from .figures import Figure, benchmark
from .motion_files import channel_values, maya_text

JOINTS, FRAMES, QUICK_FRAMES = 60, 5_000, 300
MANY_JOINTS, MANY_FRAMES = 100, 10_000
CONSTRAINED, MAX_CALLS = 100, 4.5
KEYED_CALLS = 125.0
"""Largest number of calls for a keyed joint, whatever the number of its frames."""
OWN_SECONDS = 0.5
EVALUATION = "jointlimits_maya.read.evaluation"


@benchmark
def keyed_joints(quick: bool) -> Iterator[Figure]:
    """Joints with a key at every frame."""
    sizes = ((JOINTS, FRAMES), (MANY_JOINTS, MANY_FRAMES))
    for joints, frames in ((JOINTS, QUICK_FRAMES),) if quick else sizes:
        size = f"{frames:,} x {joints} keyed joints"
        with _opened(maya_text(channel_values(joints, frames))) as session:
            seconds, inside = _read(session)
            counters = session.counters
        target = OWN_SECONDS if frames == FRAMES else None
        yield Figure(
            f"own time, {size}", seconds - inside, "s", target, "time in commands left out"
        )
        bound, beside = KEYED_CALLS / frames, "MFnAnimCurve.evaluate: 3"
        yield from _calls(counters, size, frames, beside, joints, bound)
        yield Figure(f"DG evaluations, {size}", counters["dg_evaluations"], "", 0.0)
        yield Figure(f"time changes, {size}", counters["time_changes"], "", 0.0)


@benchmark
def layered_joints(quick: bool) -> Iterator[Figure]:
    """Joints below an animation layer: every channel is evaluated at every frame."""
    frames = QUICK_FRAMES // 3 if quick else QUICK_FRAMES
    size = f"{frames:,} x {JOINTS} layered joints"
    with _opened(_with_layers(maya_text(channel_values(JOINTS, frames)))) as session:
        _read(session)
        counters = session.counters
    yield from _calls(counters, size, frames, "one for each channel")
    pulls = counters["dg_evaluations"] / (frames * JOINTS)
    yield Figure(f"DG evaluations per joint and frame, {size}", pulls, "", 3.0)
    yield Figure(f"time changes, {size}", counters["time_changes"], "", 0.0)


@benchmark
def constrained_joints(quick: bool) -> Iterator[Figure]:
    """Constrained joints: calls in contexts and in playing, for each joint and frame.

    Both grow with joints times frames, so 100 x 10,000 cost a million times these figures: the
    stand-in, which takes half an hour, counts 4,010,844 calls in contexts.
    """
    frames = QUICK_FRAMES if quick else FRAMES // 5
    text = maya_text(channel_values(1, frames)) + "".join(map(_constrained, range(CONSTRAINED)))
    for way in ("contexts", "playing"):
        size = f"{frames:,} x {CONSTRAINED} constrained joints, {way}"
        with _opened(text) as session:
            evaluation = importlib.import_module(EVALUATION)
            with evaluation.play_everything(way == "playing"):
                _read(session)
            counters = session.counters
        yield from _calls(counters, size, frames, "and one for each frame", CONSTRAINED, MAX_CALLS)
        yield Figure(f"time changes, {size}", counters["time_changes"], "", frames + 1.0)


def _constrained(number: int) -> str:
    """A joint that a constraint turns with the first one."""
    name, bone = f"con{number}", f'createNode joint -n "bone{number}" -p "joint0";\n'
    plugs = (("joint0.r", "tg[0].tr"), ("joint0.ro", "tg[0].tro"), ("joint0.pm", "tg[0].tpm"))
    lines = [f'connectAttr "{source}" "{name}.{plug}";\n' for source, plug in plugs]
    lines += [f'connectAttr "{name}.cr{axis}" "bone{number}.r{axis}";\n' for axis in "xyz"]
    return f'{bone}createNode orientConstraint -n "{name}" -p "bone{number}";\n' + "".join(lines)


@benchmark
def upstream(quick: bool) -> Iterator[Figure]:
    """Our own time for upstream walks from many drivers; nodes are plain, so calls are free."""
    count, drivers = (2_000, 100) if quick else (20_000, 300)
    names = [f"n{number}" for number in range(count)]
    above = {name: names[max(0, place - 2) : place] for place, name in enumerate(names)}
    with _opened(maya_text(channel_values(1, 1))):
        module = importlib.import_module("jointlimits_maya.read.upstream")

        def read(name: str) -> Any:
            sources = [(source, source) for source in above[name]]
            return module.UpstreamNode(name, "multiplyDivide", sources)

        free = patch.multiple(module, node_name=str, needs_playing=lambda one: False, _read=read)
        start = time.perf_counter()
        with free:
            found = module.Upstream({})
            for name in names[-drivers:]:
                found.traits_of(name)
            for _ in ("keys", "limits"):
                list(found.nodes_above(names[-drivers:]))
        seconds = time.perf_counter() - start
    size = f"{count:,} nodes x {drivers} drivers"
    yield Figure(f"own time upstream, {size}", seconds, "s", 1.0, "at first 35 s")


def _with_layers(text: str) -> str:
    """The same scene with a blend node between every curve and its channel."""
    connection = re.compile(r'connectAttr "(joint\d+)_rotate([XYZ])\.o" "\1\.r[xyz]";')
    return connection.sub(_through_a_blend, text)


def _through_a_blend(match: re.Match[str]) -> str:
    joint, axis = match.groups()
    blend, letter = f"{joint}_{axis}_layer", axis.lower()
    return (
        f'createNode animBlendNodeAdditiveRotation -n "{blend}";\n'
        f'connectAttr "{joint}_rotate{axis}.o" "{blend}.ia{letter}";\n'
        f'connectAttr "{blend}.o{letter}" "{joint}.r{letter}";'
    )


def _calls(
    counters: dict[str, Any],
    size: str,
    frames: int,
    beside: str,
    joints: int = JOINTS,
    bound: float | None = None,
) -> Iterator[Figure]:
    calls = sum(counters["calls"].values())
    yield Figure(f"calls, {size}", calls, "", None, "all calls of cmds and of the API")
    per_sample = calls / (frames * joints)
    yield Figure(f"calls per joint and frame, {size}", per_sample, "", bound, beside)


@contextmanager
def _opened(text: str) -> Iterator[Any]:
    """A session of the stand-in with a scene."""
    root = str(Path(__file__).resolve().parents[1])
    if root not in sys.path:
        sys.path.insert(0, root)
    standin = importlib.import_module("tests.maya_standin")
    reader = importlib.import_module("tests.maya_standin.ma_reader")
    with tempfile.TemporaryDirectory() as folder, standin.installed() as session:
        path = Path(folder) / "scene.ma"
        path.write_text(text, encoding="ascii")
        reader.open_scene(session, str(path))
        session.reset_counters()
        yield session


def _read(session: Any) -> tuple[float, float]:
    """Seconds that reading takes, and the part of them that is spent inside commands."""
    choice = importlib.import_module("jointlimits_maya.scene.joints")
    scene = importlib.import_module("jointlimits_maya.read.motion")
    values = importlib.import_module("jointlimits_maya.read.drivers")
    inside = 0.0
    ask = values.cmds.keyframe

    def timed(*names: Any, **flags: Any) -> Any:
        nonlocal inside
        start = time.perf_counter()
        try:
            return ask(*names, **flags)
        finally:
            inside += time.perf_counter() - start

    values.cmds.keyframe = timed
    joints = choice.chosen_joints(everything=True)
    start = time.perf_counter()
    # The stand-in's own speed must not make the scene play.
    with patch.object(importlib.import_module(EVALUATION), "MIN_SECONDS", math.inf):
        scene.motion_from_scene(joints)
    return time.perf_counter() - start, inside
