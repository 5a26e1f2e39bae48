"""Characters made in the stand-in are what their makers say, and survive being saved."""

from __future__ import annotations

import math

import numpy as np
import pytest

from jointlimits_core.formats.registry import read_motion
from jointlimits_core.geometry.quaternion import matrix_from_quaternion
from tests.maya_standin.evaluation import Evaluator
from tests.maya_standin.graph import Plug
from tests.support import maya_characters as characters


def local_turns(scene, node, seconds):
    """Local rotations at times, for row vectors."""
    evaluator = Evaluator(scene)
    values = [evaluator.value(Plug(node, "matrix"), float(time)) for time in seconds]
    return np.reshape(values, (-1, 4, 4))[:, :3, :3]


def compare_with(scene, motion, step, prefix=""):
    """Every joint of a motion, at some frames, against the stand-in's evaluation."""
    chosen = np.arange(0, len(motion.frames), step)
    for place, name in enumerate(motion.skeleton.names):
        (node,) = scene.find(prefix + name)
        mine = local_turns(scene, node, motion.frames[chosen] / motion.frame_rate)
        theirs = matrix_from_quaternion(motion.rotations[place].T[chosen])
        np.testing.assert_allclose(mine, np.swapaxes(theirs, -1, -2), atol=1e-9, err_msg=name)
    return len(motion.skeleton.names) * len(chosen)


def test_the_program_reads_a_layer_over_a_reference_as_the_standin_evaluates_it(maya, tmp_path):
    characters.leg(maya, frames=30)
    characters.reference_scene(maya, tmp_path, "hero")
    joints = characters.joints_of(maya.scene, "hero")
    characters.add_layer(maya, joints[:2], swing_deg=8.0, frames=30)
    motion = read_motion(characters.save(maya, tmp_path / "shot.ma"))
    assert motion.skeleton.names[1] == "hero:hip"
    compare_with(maya.scene, motion, 1)


def test_keys_in_the_scene_on_a_referenced_character(maya, tmp_path):
    characters.leg(maya, keyed=False)
    characters.reference_scene(maya, tmp_path, "hero")
    joints = characters.joints_of(maya.scene, "hero")
    curves = characters.key_ranges(maya, joints, frames=30)
    assert all(curve.reference is None for curve in curves)
    motion = read_motion(characters.save(maya, tmp_path / "shot.ma"))
    assert np.degrees(motion.rotates[2, 2].max()) == pytest.approx(110.0)
    assert math.isclose(motion.frame_rate, 24.0)
    compare_with(maya.scene, motion, 1)
