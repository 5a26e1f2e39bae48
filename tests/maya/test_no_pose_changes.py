"""Property: applying limits changes no pose that is not listed, in files and in the open scene.

Poses are compared by the stand-in, which has its own reader, curves and limits.
"""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from jointlimits_core import apply, estimate
from jointlimits_core.base.errors import MayaAsciiError
from jointlimits_core.limits.limit_set import AxisLimit
from tests.maya_standin import installed
from tests.maya_standin.commands.ui_values import frames_per_second
from tests.maya_standin.ma_reader import open_scene
from tests.support.maya_fixtures import PLUG_IN
from tests.support.random_rigs import JOINTS, PLAYBACK, SCENES, scene_text

TIMES = np.arange(PLAYBACK[0], PLAYBACK[1] + 0.25, 0.25)
CHANNELS = ("rotateX", "rotateY", "rotateZ")
MOVED_DEG = 0.01
KINDS = ("own", "other", "edited", "tight", "one-sided", "locked")


def limits_for(kind, own, other, rng):
    """A limit set for a scene: its own, that of another scene, or with its ranges changed."""
    if kind in ("own", "other"):
        return own if kind == "own" else other

    def changed(axis):
        if axis.min_deg is None or axis.max_deg is None:
            return axis
        low, high = axis.min_deg, axis.max_deg
        if kind == "edited":
            low, high = sorted(rng.uniform(-200, 200, 2).tolist())
        elif kind == "tight":
            middle = 0.5 * (low + high)
            low, high = (0.9 * end + 0.1 * middle for end in (low, high))
        elif kind == "one-sided":
            low, high = (None, high) if rng.random() < 0.5 else (low, None)
        else:
            low = high
        return AxisLimit("locked" if low == high else "limited", low, high, axis.gap_deg)

    joints = {
        name: replace(one, limits={c: changed(axis) for c, axis in one.limits.items()})
        for name, one in own.joints.items()
    }
    return replace(own, joints=joints)


def poses_of_file(path):
    """Poses of a scene file at quarter frames, degrees: (joints, 3, times)."""
    with installed() as session:
        open_scene(session, str(path))
        return poses_now(session)


def poses_now(session):
    """Poses of the open scene, as of a file."""
    plugs = [session.scene.plug(f"{joint}.{channel}") for joint in JOINTS for channel in CHANNELS]
    seconds = (TIMES / frames_per_second(session.scene.units.time)).tolist()
    shown = [[session.scene.evaluator.value(plug, time) for plug in plugs] for time in seconds]
    return np.degrees(shown).T.reshape(len(JOINTS), len(CHANNELS), -1)


def unlisted_changes(before, after, listed):
    """Channels whose poses differ and that are not listed."""
    moved = np.abs(after - before).max(axis=-1) > MOVED_DEG
    found = {(JOINTS[j], CHANNELS[axis]) for j, axis in np.argwhere(moved)}
    return found - {(one.joint, one.channel) for one in listed}


@pytest.fixture
def make_scene(tmp_path):
    def scene(seed):
        path = tmp_path / f"scene{seed}.ma"
        path.write_text(scene_text(np.random.default_rng(seed)))
        return path

    return scene


def sets_of(make_scene, seed, kind):
    """A scene, and limits to apply to it; None where nothing in it moves."""
    path, rng = make_scene(seed), np.random.default_rng([seed, 1])
    own, other = (estimate(one, limit_root=True) for one in (path, make_scene(seed + 10_000)))
    return path, limits_for(kind, own, other, rng)


def seeds(quick, count):
    """Seeds of which the first few are quick tests, the others thorough ones."""
    more = (pytest.param(seed, marks=pytest.mark.thorough) for seed in range(quick, count))
    return pytest.mark.parametrize("seed", [*range(quick), *more])


@seeds(3, SCENES)
def test_a_copy_of_a_file_shows_the_same(make_scene, seed):
    path, limits = sets_of(make_scene, seed, KINDS[seed % len(KINDS)])
    before = poses_of_file(path)
    for may_move in (False, True) if seed % 3 == 0 else (False,):
        out = path.with_name("copy.ma")
        try:
            report = apply(limits, path, out, may_move=may_move, replace=True)
        except MayaAsciiError:  # every channel turns all the way, or nothing moves
            assert not out.exists()
            return
        assert not (may_move and report.left_off)
        assert not (report.moved and not may_move)
        assert not unlisted_changes(before, poses_of_file(out), report.moved)


@seeds(3, SCENES // 5)
def test_the_open_scene_shows_the_same(make_scene, seed, monkeypatch, tmp_path):
    path, limits = sets_of(make_scene, seed, KINDS[seed % len(KINDS)])
    monkeypatch.setenv("MAYA_APP_DIR", str(tmp_path / "app"))
    with installed() as session:
        from maya import cmds

        cmds.loadPlugin(str(PLUG_IN))
        open_scene(session, str(path))
        before = poses_now(session)
        result = json.loads(cmds.applyJointLimits("hip", limits=limits.to_json()))
        moved = np.abs(poses_now(session) - before).max(axis=-1) > MOVED_DEG
        assert not moved.any(), result
