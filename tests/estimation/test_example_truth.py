"""The estimate of the project's own example, compared with the values of its generator."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from jointlimits_core.estimation.pipeline import estimate
from jointlimits_core.formats.registry import read_motion

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
TRUTH = json.loads((EXAMPLES / "humanoid_truth.json").read_text())["files"]


@pytest.mark.parametrize("name", sorted(TRUTH))
def test_every_type_is_right_and_every_limit_within_half_a_degree(name):
    truth = TRUTH[name]
    limit_set = estimate(read_motion(EXAMPLES / name))
    assert set(limit_set.joints) == set(truth["joints"])
    worst = 0.0
    for joint, known in truth["joints"].items():
        found = limit_set.joints[joint]
        assert found.type == known["type"], joint
        if joint == truth["root"]:
            assert all(axis.state == "free" for axis in found.limits.values())
            continue
        for channel, (low, high) in known["limits_deg"].items():
            axis = found.limits[channel]
            assert axis.min_deg is not None, (joint, channel)
            assert axis.max_deg is not None, (joint, channel)
            worst = max(worst, abs(axis.min_deg - low), abs(axis.max_deg - high))
    print(f"{name}: largest limit error {worst:.6f} degrees")
    assert worst < 0.5


@pytest.mark.parametrize("name", sorted(TRUTH))
def test_hinges_have_their_axis_and_angle(name):
    truth = TRUTH[name]
    limit_set = estimate(read_motion(EXAMPLES / name))
    hinges = {j: known["hinge"] for j, known in truth["joints"].items() if "hinge" in known}
    assert len(hinges) == 6
    for joint, known in hinges.items():
        found = limit_set.joints[joint].hinge
        assert found is not None
        cosine = float(np.dot(found.axis_parent, known["axis_in_parent"]))
        assert np.degrees(np.arccos(min(abs(cosine), 1.0))) < 0.05
        low, high = sorted(np.sign(cosine) * np.array(known["angle_deg"]))
        assert found.min_deg == pytest.approx(low, abs=0.5)
        assert found.max_deg == pytest.approx(high, abs=0.5)


def test_both_files_tell_the_same_types():
    types = [
        {name: joint.type for name, joint in estimate(read_motion(EXAMPLES / file)).joints.items()}
        for file in sorted(TRUTH)
    ]
    assert types[0] == types[1]
