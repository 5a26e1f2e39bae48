"""Limits in Blender: the script as text, and script and add-on run in Blender where there is one.

Blender is a module of its own for one version of Python (``pip install bpy``), under the GPL: it
runs in a process of its own. ``JOINTLIMITS_BLENDER_PYTHON`` names that Python; by default it is
looked for in .venv-blender.
"""

from __future__ import annotations

import ast
import dataclasses
import json
import os
import subprocess
from pathlib import Path

import numpy as np
import pytest

from jointlimits_core import api, estimate, read_motion
from jointlimits_core.exporters.formats import ExportOptions, export_formats
from jointlimits_core.formats.bvh import bvh_text
from jointlimits_core.geometry.euler import CHANNELS
from jointlimits_core.geometry.quaternion import conjugate, multiply, quaternion_from_matrix
from jointlimits_core.motion.motion import Motion
from jointlimits_core.motion.reorient import continuous_angles
from jointlimits_core.motion.skeleton import Skeleton
from tests.support.house_files import ROOT
from tests.support.limit_set_examples import FREE, joint, limit_set, span
from tests.support.shared_data import SHARED

HUMANOID = ROOT / "examples" / "humanoid_rom.bvh"
OWN = ROOT / ".venv-blender" / "bin" / "python"
PYTHON = Path(os.environ.get("JOINTLIMITS_BLENDER_PYTHON", OWN))
in_blender = pytest.mark.skipif(
    not PYTHON.is_file(), reason="no Python with bpy; name one by JOINTLIMITS_BLENDER_PYTHON"
)


def found_in_blender(*arguments):
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [str(PYTHON), "-m", "tests.support.in_blender", *map(str, arguments)]
    done = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stdout[-1000:] + done.stderr[-3000:]
    return json.loads(done.stdout.rpartition("\nFOUND ")[2])


@in_blender
def test_sixty_joints_estimated_applied_cleared_and_undone():
    """The add-on's buttons on bones that rest every way, in all rotation modes."""
    found = found_in_blender("addon")
    assert found["bones"] == found["joints"] == 61
    assert found["constraints"] == found["uncleared"] == 60
    assert found["inside"] < 1e-4  # degrees by which any pose of the action changes
    assert found["outside"] < 1e-4  # degrees from the clamped channels
    assert found["moved"] > 8.0  # so the poses were outside
    assert found["ranges"] < 1e-6  # of the estimated limits
    assert (found["cleared"], found["ik_cleared"]) == (0, True)
    assert (found["after_undo"], found["kept_after_undo"]) == (0, True)


@in_blender
def test_the_script_changes_no_pose_of_a_clip_that_the_limits_come_from(tmp_path):
    script = tmp_path / "limits.py"
    api.export(estimate(HUMANOID), script, "blender", motion=HUMANOID)
    found = found_in_blender("script", HUMANOID, script)
    assert found["apart"] < 1e-4
    assert found["constraints"] == 20
    assert found["changed"] == -0.25  # as an artist left it
    assert found["after_undo"] == 0


@in_blender
@pytest.mark.parametrize("seed", range(4))
def test_ranges_of_others_change_no_pose_that_is_not_listed(seed):
    """Three actions, a strip, IK and a pose that nothing keys; poses are those of Blender."""
    found = found_in_blender("keeps", seed)
    kept, moved = found["False"], found["True"]
    assert kept["kept"]  # action, frame and pose
    assert moved["kept"]
    assert kept["changed"] == kept["unlisted_between"] == []
    assert (
        kept["first"] == f"limits of {len(kept['listed'])} bones left off, since poses would change"
    )
    assert kept["constraints"] > 0
    # The same bones with MAY_MOVE, and these do move.
    assert set(kept["listed"]) <= set(moved["listed"])
    assert len(moved["changed"]) > 3
    assert set(moved["changed"]) <= {*moved["listed"], *found["ik"]}


@in_blender
def test_ranges_of_bones_with_the_same_axes_are_exact(tmp_path):
    """A spine, an arm and a leg along the axes: Blender's bones have these in other places."""
    times = np.linspace(0.0, 40.0, 300)
    turns = np.zeros((7, 3, 300))
    turns[1] = np.sin(times), 0.5 * np.cos(times), 0.3 * np.sin(0.7 * times)
    turns[2, 1] = 1.0 - np.cos(times)
    turns[3, :2] = 0.4 * np.sin(times), 0.6 * np.sin(0.3 * times)
    bones = Skeleton(
        ("hips", "spine", "arm", "leg", "head", "hand", "foot"),
        np.array([-1, 0, 0, 0, 1, 2, 3]),
        [[0, 0, 0], [0, 1, 0], [1, 0, 0], [0, -1, 0.3], [0, 1, 0], [2, 0, 0], [0, -3, 0]],
    )
    motion = Motion.from_rotates(bones, turns, np.arange(300.0), 30.0, "axes")
    clip, script = tmp_path / "axes.bvh", tmp_path / "limits.py"
    clip.write_text(bvh_text(motion))
    limits = estimate(clip)
    api.export(limits, script, "blender", motion=clip)
    found = found_in_blender("script", clip, script)
    assert not [text for text in found["messages"] if "other axes" in text]
    for name in ("spine", "arm", "leg"):
        order, *ranges = found["ranges"][name]
        ours = [limits.joints[name].limits[channel] for channel in CHANNELS]
        wanted = sorted(np.ptp([one.min_deg, one.max_deg]) for one in ours)
        got = sorted(np.ptp(pair) for pair in ranges)
        assert np.abs(np.subtract(wanted, got)).max() < 1e-6
        ends = np.sort(np.abs([[one.min_deg, one.max_deg] for one in ours]), axis=None)
        assert np.abs(ends - np.sort(np.abs(ranges), axis=None)).max() < 1e-6
        assert sorted(order) == ["X", "Y", "Z"]


# Clips of four makers; 11_01 has a frame rate that the file states rounded.
PAIRS = (
    *("cmu_bvh/11_01", "cmu_bvh/cmu_12_01_walk", "bandai/dataset-2_run_active_050"),
    *("xia/neutral_16_000", "other_bvh/walk01"),
)


@in_blender
def test_a_motion_has_the_same_limits_as_bvh_and_as_fbx_of_blender(tmp_path):
    """Rotations to 5e-4 and limits to 1e-3 degrees, in the axes of the BVH file."""
    found = (SHARED / "data" / "mocap" / f"{name}.bvh" for name in PAIRS)
    files = [HUMANOID, *(path for path in found if path.is_file())]
    rests = found_in_blender("fbx", tmp_path, *files)
    for path in files:
        wanted = read_motion(path)
        got = in_axes_of(wanted, read_motion(tmp_path / f"{path.stem}.fbx"), rests[path.stem])
        assert got.frame_count == wanted.frame_count
        assert degrees_between(got.rotations, wanted.rotations).max() < 5e-4, path
        (kinds, ends), (kinds_of_fbx, ends_of_fbx) = map(kinds_and_ends, (wanted, got))
        assert kinds == kinds_of_fbx, path
        apart = ends - ends_of_fbx
        turns = 360.0 * np.round(apart / 360.0)  # Blender keeps the pose, not the turn
        assert np.nanmax(np.abs(apart - turns)) < 1e-3, path


def kinds_and_ends(motion):
    """Joint types and states of channels, and all limits in degrees, NaN where there is none."""
    joints = estimate(motion).joints
    axes = [(name, axis) for name, joint in joints.items() for axis in joint.limits.values()]
    kinds = [joint.type for joint in joints.values()], [(name, one.state) for name, one in axes]
    return kinds, np.array([(one.min_deg, one.max_deg) for _, one in axes], float)


def in_axes_of(motion, of_blender, rests):
    """Motion of Blender's bones in the axes of the joints that they came from, which are Y up."""
    y_up = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]])
    turns = {name: quaternion_from_matrix(y_up @ pure(rest)) for name, rest in rests.items()}
    turns[None] = quaternion_from_matrix(y_up)
    bones, rotates = motion.skeleton, []
    for name, parent, order in zip(bones.names, bones.parents, bones.rotate_orders):
        above = turns[bones.names[parent] if parent >= 0 else None]
        own = of_blender.rotations[of_blender.skeleton.index(name)].T
        turn = multiply(multiply(above[None], own), conjugate(turns[name])[None])
        rotates.append(continuous_angles(turn.T, order))
    rotates = np.array(rotates)
    return Motion.from_rotates(bones, rotates, of_blender.frames, motion.frame_rate, motion.name)


def pure(matrix):
    left, _, right = np.linalg.svd(matrix)
    return left @ right


def degrees_between(first, second):
    """Angles between rotations, shape (joints, frames)."""
    turn = multiply(conjugate(first.swapaxes(1, 2)), second.swapaxes(1, 2))
    sine = np.linalg.norm(turn[..., :3], axis=-1)
    return np.degrees(2.0 * np.arctan2(sine, np.abs(turn[..., 3])))


def set_with_ranges(name, *axes):
    return dataclasses.replace(limit_set(), joints={name: joint("ball", axes, None)})


def test_names_are_data():
    """A name that would be code is a literal, and nothing of it runs."""
    name = '"); raise SystemExit  # \n\\'
    motion = Motion.from_quaternions(
        [name, "b"], [-1, 0], np.tile([0.0, 0.0, 0.0, 1.0], (3, 2, 1)), 30.0
    )
    limits = set_with_ranges(name, span(-10.0, 20.0), FREE, FREE)
    text = export_formats()["blender"].export(limits, motion.skeleton, ExportOptions()).content
    data = text[text.index("LIMITS = {") : text.index('if __name__ == "__main__"')]
    values = ast.literal_eval(data.removeprefix("LIMITS = "))
    assert values[name]["limits"] == ((-10.0, 20.0), (None, None), (None, None))
    assert values["b"]["limits"] is None


def test_a_script_without_to_is_still_for_maya(tmp_path):
    api.export(limit_set(), tmp_path / "limits.py")
    assert "from maya import cmds" in (tmp_path / "limits.py").read_text()
