"""What reading the open scene costs: calls of Maya, and our own time beside them.

There is no Maya here. Calls are counted by the stand-in of the tests; the time that it takes itself
says nothing about Maya's and is left out.
"""

from __future__ import annotations

import importlib
import re
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from .figures import Figure, benchmark
from .motion_files import channel_values, maya_text

JOINTS, FRAMES, QUICK_FRAMES = 60, 5_000, 300
OWN_SECONDS = 0.5


@benchmark
def keyed_joints(quick: bool) -> Iterator[Figure]:
    """Joints with a key at every frame."""
    frames = QUICK_FRAMES if quick else FRAMES
    size = f"{frames:,} x {JOINTS} keyed joints"
    with _opened(maya_text(channel_values(JOINTS, frames))) as session:
        seconds, inside = _read(session)
        counters = session.counters
    target = None if quick else OWN_SECONDS
    yield Figure(f"own time, {size}", seconds - inside, "s", target, "time in commands left out")
    yield from _calls(counters, size, frames, "MFnAnimCurve.evaluate: 3")
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


def _calls(counters: dict[str, Any], size: str, frames: int, beside: str) -> Iterator[Figure]:
    calls = sum(counters["calls"].values())
    yield Figure(f"calls, {size}", calls, "", None, "all calls of cmds and of the API")
    per_sample = calls / (frames * JOINTS)
    yield Figure(f"calls per joint and frame, {size}", per_sample, "", None, beside)


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
    """Seconds that reading takes, and those of them that are spent inside of commands."""
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
    scene.motion_from_scene(joints)
    return time.perf_counter() - start, inside
