"""Characters made in the stand-in are what their makers say, and survive being saved."""

from __future__ import annotations

import math

import numpy as np
import pytest

from jointlimits_core.formats.registry import read_motion
from jointlimits_core.geometry.quaternion import matrix_from_quaternion
from tests.maya_standin.evaluation import Evaluator
from tests.maya_standin.graph import Plug
from tests.maya_standin.state import state_lines
from tests.support import maya_characters as characters
from tests.support.shared_data import shared_path

CLIP = "data/mocap/cmu_asfamc/02/02_01.amc"


def mocap():
    return read_motion(shared_path(CLIP), shared_path("data/mocap/cmu_asfamc/02/02.asf"))


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


def test_a_leg_reaches_the_ends_of_its_ranges(maya):
    joints = characters.leg(maya, frames=40)
    assert [joint.name for joint in joints] == list(characters.LEG)
    for joint in joints:
        for channel in ("rotateX", "rotateY", "rotateZ"):
            source = maya.scene.connections.get(Plug(joint, channel))
            wanted = characters.LEG[joint.name].get(channel)
            assert (source is None) == (wanted is None)
            if wanted is not None:
                values = np.degrees(source.node.keys.values)
                assert (values.min(), values.max()) == pytest.approx(wanted)
    assert not maya.scene.modified
    assert not maya.undo_queue.done


@pytest.mark.thorough
def test_the_program_reads_a_saved_leg_as_the_standin_evaluates_it(maya, tmp_path):
    characters.leg(maya, frames=40, namespace="a:b")
    motion = read_motion(characters.save(maya, tmp_path / "leg.ma"))
    assert motion.skeleton.names[0] == "a:b:pelvis"
    assert compare_with(maya.scene, motion, 1) == 5 * 40


def test_a_saved_character_is_opened_as_it_was(maya, tmp_path):
    characters.leg(maya)
    characters.reopen(maya, tmp_path / "leg.ma")
    first = state_lines(maya.scene)
    characters.reopen(maya, tmp_path / "leg.ma")
    assert state_lines(maya.scene) == first


@pytest.mark.thorough
def test_mocap_on_a_character_is_the_clip(maya):
    motion = mocap()
    joints = characters.from_motion(maya, motion)
    assert maya.scene.units.time == "120fps"
    assert maya.scene.playback.end == pytest.approx(motion.frames[-1] / 120.0)
    assert compare_with(maya.scene, motion, 30) > 300
    # Joint orients are the axis frames of the ASF file, not zero.
    assert any(any(joint.stored("jointOrient")) for joint in joints)


@pytest.mark.thorough
def test_a_referenced_layered_and_constrained_character(maya, tmp_path):
    motion = mocap()
    characters.from_motion(maya, motion, frames=60)
    reference = characters.reference_scene(maya, tmp_path, "hero")
    joints = characters.joints_of(maya.scene, "hero")
    assert len(joints) == len(motion.skeleton.names)
    assert all(joint.reference is reference for joint in joints)
    spine, wrist = (maya.scene.node(f"hero:{name}") for name in ("thorax", "lwrist"))
    base = local_turns(maya.scene, spine, [0.1])
    characters.add_layer(maya, [spine], frames=60)
    handle = characters.constrain(maya, wrist, frames=60)
    assert handle.parent is wrist
    assert np.abs(local_turns(maya.scene, spine, [0.1]) - base).max() > 1e-4
    assert not maya.scene.modified
    evaluated = {node: local_turns(maya.scene, node, [0.1, 0.3]) for node in (spine, wrist)}
    characters.reopen(maya, tmp_path / "shot.ma")
    for node, before in evaluated.items():
        after = local_turns(maya.scene, maya.scene.node(node.name), [0.1, 0.3])
        np.testing.assert_allclose(after, before, atol=1e-12)
    lines = state_lines(maya.scene)
    characters.reopen(maya, tmp_path / "shot.ma")
    assert state_lines(maya.scene) == lines


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
