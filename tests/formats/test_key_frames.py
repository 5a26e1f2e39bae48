"""Keys within a hundredth of a frame of a whole frame belong to that frame."""

from __future__ import annotations

import numpy as np
import pytest

from jointlimits_core import estimate
from jointlimits_core.formats.registry import read_motion
from tests.support.fbx_files import HIP, LAYER, Node, binary, curve, leg, link
from tests.support.maya_scenes import connect, write_scene
from tests.support.maya_scenes import curve as maya_curve

TIME_MODES = {24.0: 11, 25.0: 10, 30000.0 / 1001.0: 8, 30.0: 6, 60.0: 3}
COUNT = 60


def swings(high):
    return np.round(0.5 * high * (1.0 - np.cos(np.arange(COUNT) * 0.4)), 3)


@pytest.fixture
def read_leg(tmp_path):
    """A leg whose hip and knee have keys of their own, (frames, degrees) each, about Z."""

    def reading(hip, knee, rate=30.0):
        top, path = leg(TimeMode=TIME_MODES[rate]), tmp_path / "leg.fbx"
        top[1].children[-1] = curve(31, np.array(knee[0]) / rate, knee[1])
        top[1].children += [
            Node("AnimationCurveNode", (40, "AnimCurveNode::R", "")),
            curve(41, np.array(hip[0]) / rate, hip[1]),
        ]
        top[2].children += [link(40, LAYER), link(40, HIP, "Lcl Rotation"), link(41, 40, "d|Z")]
        path.write_bytes(binary(top))
        return read_motion(path)

    return reading


@pytest.mark.thorough
@pytest.mark.parametrize("rate", TIME_MODES)
@pytest.mark.parametrize("offset", [0.0001, -0.0001, 0.004, 0.01, -0.01])
def test_keys_beside_whole_frames_of_an_fbx_file_are_read_once(read_leg, rate, offset):
    whole = np.arange(COUNT, dtype=float)
    shifted = whole + np.where(whole % 3.0 == 1.0, offset, 0.0)
    plain = read_leg((whole, swings(40.0)), (whole, swings(110.0)), rate)
    beside = read_leg((whole, swings(40.0)), (shifted, swings(110.0)), rate)
    assert beside.frames.tolist() == whole.tolist() == plain.frames.tolist()
    # The value of a key is what its frame has, whatever the curve is a little beside it.
    np.testing.assert_allclose(beside.rotate_deg("knee"), plain.rotate_deg("knee"), atol=1e-9)
    assert estimate([beside]).to_dict()["joints"] == estimate([plain]).to_dict()["joints"]


def test_keys_between_frames_remain(read_leg):
    halves = np.arange(2 * COUNT - 1) / 2.0
    motion = read_leg((np.arange(COUNT), swings(40.0)), (halves, np.arange(len(halves)) % 7))
    assert motion.frames.round(9).tolist() == halves.tolist()
    assert (
        motion.rotate_deg("knee")[:, 2].round(9).tolist() == (np.arange(len(halves)) % 7).tolist()
    )
    beside = read_leg(([0.0, 30.0], [0.0, 9.0]), ([0.0, 15.011, 30.0], [0.0, 80.0, 9.0]))
    assert 15.011 in beside.frames.round(6).tolist()
    assert beside.rotate_deg("knee")[:, 2].max() == 80.0


def test_both_sides_of_a_step_within_a_hundredth_of_a_frame_remain(read_leg):
    step = [0.0, 9.996, 10.001, 20.0], [0.0, 90.0, 5.0, 0.0]
    motion = read_leg(([0.0, 20.0], [0.0, 9.0]), step)
    knee = dict(zip(motion.frames.round(3).tolist(), motion.rotate_deg("knee")[:, 2].tolist()))
    assert (knee[9.996], knee[10.0]) == (90.0, 5.0)
    assert len(knee) == 22


@pytest.mark.parametrize("offset", [0.0, 0.0004, -0.009])
def test_keys_beside_whole_frames_of_a_maya_scene_are_read_once(tmp_path, offset):
    keys = [(float(frame), 10.0 * (frame % 9)) for frame in range(1, 21)]
    beside = [(frame + offset, value) for frame, value in keys]
    body = 'createNode joint -n "a";\ncreateNode joint -n "b" -p "a";\n'
    body += maya_curve("c", keys) + connect("c.o", "a.rz")
    body += maya_curve("d", beside) + connect("d.o", "b.rz")
    motion = read_motion(write_scene(tmp_path, body))
    assert motion.frames.tolist() == list(range(1, 21))
    np.testing.assert_allclose(
        motion.rotate_deg("b")[:, 2], [10.0 * (frame % 9) for frame in range(1, 21)], atol=1e-9
    )
