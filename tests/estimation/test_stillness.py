"""Estimates from which nobody learns anything are refused, with what to do."""

from __future__ import annotations

import numpy as np
import pytest

from jointlimits_core.base import EstimationError
from jointlimits_core.cli.main import main
from jointlimits_core.estimation import EstimateOptions, estimate, reject_still_estimate
from jointlimits_core.motion import Motion

BVH = """HIERARCHY
ROOT hip
{{
 OFFSET 0 0 0
 CHANNELS 3 Zrotation Xrotation Yrotation
 JOINT knee
 {{
  OFFSET 0 -10 0
  CHANNELS 3 Zrotation Xrotation Yrotation
  End Site
  {{
   OFFSET 0 -10 0
  }}
 }}
}}
MOTION
Frames: {count}
Frame Time: 0.04
{rows}
"""


def motion(frames: int, degrees: float, first: float = 1.0) -> Motion:
    """Two joints; the second swings about X."""
    quaternions = np.zeros((frames, 2, 4))
    quaternions[..., 3] = 1.0
    half = np.radians(np.linspace(0.0, degrees, frames)) / 2
    quaternions[:, 1, 0], quaternions[:, 1, 3] = np.sin(half), np.cos(half)
    numbers = np.arange(frames) + first
    return Motion.from_quaternions(["hip", "knee"], [-1, 0], quaternions, 24.0, frames=numbers)


def test_motion_is_let_pass():
    reject_still_estimate(estimate(motion(20, 60.0)))
    reject_still_estimate(estimate([motion(20, 0.0), motion(20, 60.0)]))


@pytest.mark.parametrize("mode", ["standard", "paper"])
def test_a_character_that_never_moves(mode):
    found = estimate(motion(20, 0.0, first=900), EstimateOptions(mode=mode))
    with pytest.raises(EstimationError, match="moves in frames 900 to 919; give a range in which"):
        reject_still_estimate(found)


def test_one_frame():
    with pytest.raises(EstimationError, match=r"one frame \(frame 7\); give a range"):
        reject_still_estimate(estimate(motion(1, 0.0, first=7)))
    # The same pose twice is no more motion than once.
    with pytest.raises(EstimationError, match="moves in frame 7, frame 7"):
        reject_still_estimate(estimate([motion(1, 0.0, first=7), motion(1, 0.0, first=7)]))


def test_many_clips_are_not_all_named():
    with pytest.raises(EstimationError, match="frames 1 to 3 and 2 more clips; give"):
        reject_still_estimate(estimate([motion(3, 0.0) for _ in range(5)]))


def test_joints_that_were_asked_for_may_rest():
    reject_still_estimate(estimate(motion(20, 0.0), EstimateOptions(joints="knee")))


def test_the_command_line_says_it_and_writes_nothing(tmp_path, capsys):
    path = tmp_path / "still.bvh"
    path.write_text(BVH.format(count=9, rows="\n".join(["0 0 0 0 0 0"] * 9)))
    assert main(["estimate", str(path), "--out", str(tmp_path / "out")]) == 1
    assert "moves in frames" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()
