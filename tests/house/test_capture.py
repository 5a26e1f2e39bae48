"""The clip of the demo: reproduced to the byte, small, and a body that stands on its feet."""

from __future__ import annotations

import numpy as np
import pytest

from examples.captured_motion import perform
from examples.make_capture import main
from examples.performers import DOG, HAND, PERSON, ROBOT
from jointlimits_core.cli.demo import CLIP
from jointlimits_core.estimation.pipeline import estimate
from jointlimits_core.formats.registry import read_motion

TYPES = {"fixed": 0, "hinge": 1, "universal": 2, "ball": 3}


@pytest.fixture(scope="module")
def motion():
    return read_motion(CLIP)


def test_the_generator_reproduces_the_committed_bytes(tmp_path, capsys):
    main(tmp_path)
    committed = CLIP.read_bytes()
    assert (tmp_path / CLIP.name).read_bytes() == committed, "run examples.make_capture"
    assert len(committed) < 300_000


def test_the_file_is_what_the_person_performs(motion):
    performed = perform(PERSON)
    assert motion.joint_names == performed.joint_names
    np.testing.assert_allclose(motion.rotates, performed.rotates, atol=1e-9)
    np.testing.assert_allclose(motion.translations[0], performed.translations[0], atol=1e-9)


@pytest.mark.parametrize("performer", [PERSON, DOG], ids=lambda one: one.name)
def test_feet_on_the_ground_neither_sink_nor_slide(performer):
    motion = perform(performer)
    names = list(motion.joint_names)
    places = motion.all_world_matrices()[..., :3, 3]
    feet = places[:, [names.index(name) for name in performer.feet]]
    above = feet[..., 1] - np.array(list(performer.feet.values()))
    assert np.abs(above.min(axis=1)).max() < 2.0
    standing = above[1:] < 0.5
    slides = np.linalg.norm(np.diff(feet[..., [0, 2]], axis=0), axis=-1)
    swings = slides[above[1:] > 3.0]
    assert np.median(slides[standing]) < 0.5
    assert np.median(swings) > 4.0 * np.median(slides[standing])


def test_numbers_are_not_round_and_sides_are_uneven(motion):
    degrees = np.degrees(motion.rotates)
    ends = np.concatenate([degrees.min(axis=2).ravel(), degrees.max(axis=2).ravel()])
    assert np.mean(np.abs(ends - np.round(ends)) > 0.02) > 0.85
    names = list(motion.joint_names)
    for left in (name for name in names if name.startswith("Left")):
        own, other = (
            np.ptp(degrees[names.index(name)], axis=1)
            for name in (left, left.replace("Left", "Right"))
        )
        assert np.abs(own - other).max() > 0.1, left


@pytest.mark.parametrize("performer", [HAND, ROBOT], ids=lambda one: one.name)
def test_joints_have_the_types_that_they_perform(performer):
    """As many axes as channels that the poses move, but for a thumb: its channels go together."""
    poses = [pose for _, pose in performer.score]
    limits = estimate(perform(performer))
    for bone in performer.bones:
        angles = np.array([pose.get(bone.name, (0.0, 0.0, 0.0)) for pose in poses])
        moved = int((np.ptp(angles, axis=0) > 4.0).sum())
        if bone.name != "Thumb1":
            assert TYPES[limits.joints[bone.name].type] == moved, bone.name
