"""Joint types of made characters with noise, and of captured characters with declared types."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from jointlimits_core.estimation.joint_type import TYPES, decide_types
from jointlimits_core.estimation.moment import moment_from_rotations, noise_floor
from jointlimits_core.formats.asf import read_asf
from jointlimits_core.formats.registry import read_motion
from jointlimits_core.geometry.euler import CHANNELS
from tests.support.made_motion import ball, hinge, noisy, random_rotation
from tests.support.shared_data import SHARED, shared_path

CLIPS = [
    *(f"01/01_{n:02d}.amc" for n in (8, 14)),
    *(f"02/02_{n:02d}.amc" for n in (1, 3, 4, 5, 6, 10)),
    "03/03_01.amc",
]


def decide(rotations, noise=None):
    moment = moment_from_rotations(rotations)
    if noise is None:
        noise = noise_floor(moment, np.ones(len(rotations), dtype=bool))
    return decide_types(rotations, moment, noise)


def confusion(pairs):
    counts = Counter(pairs)
    lines = [f"{'truth':>10} " + " ".join(f"{name:>10}" for name in TYPES)]
    for true in TYPES:
        lines.append(f"{true:>10} " + " ".join(f"{counts[true, name]:10d}" for name in TYPES))
    return "\n".join(lines)


def test_a_close_call_is_not_called_clear():
    sizes = np.linspace(0.7, 4.0, 67)
    swing = hinge([1, 0, 0], np.radians(np.linspace(-30, 30, 200)))
    wobble = np.random.default_rng(1).standard_normal(200)
    rotations = np.stack(
        [ball(np.radians(size) * wobble[:, None] * [0, 1, 0], right=swing.T) for size in sizes]
    )
    decision = decide(rotations, noise=0.0)
    kinds = list(decision.types)
    turn = kinds.index(next(kind for kind in kinds if kind != "hinge"))
    assert kinds[:turn] == ["hinge"] * turn
    assert "hinge" not in kinds[turn:]
    assert not decision.clear[turn - 1]
    assert not decision.clear[turn]
    assert decision.clear[0]
    assert decision.runner_ups[turn] == "hinge"
    # The margin is the distance to the threshold, in degrees of residual.
    steps = np.diff(decision.residuals[: turn - 1, 1])
    np.testing.assert_allclose(-np.diff(decision.margins[: turn - 1]), steps, rtol=0.1)


def test_one_sample_is_fixed():
    rotations = random_rotation(np.random.default_rng(3))[None, :, None]
    assert decide(rotations).types == ("fixed",)


def captured(path, skeleton):
    """Rotations of a clip, every fourth frame, and the types that its author declares.

    A joint counts only if each of its declared degrees of freedom has a 2 to 98 % spread of at
    least 8 degrees in this clip, or if none moves at all.
    """
    motion = read_motion(path, skeleton)
    low, high = np.quantile(np.degrees(motion.rotates), [0.02, 0.98], axis=2)
    rows, truth = [], []
    for row, name in enumerate(motion.joint_names[1:], 1):
        dof = [CHANNELS.index(c) for c in motion.skeleton.declarations[name].dof if c in CHANNELS]
        spread = (high - low)[row, dof]
        if (np.ptp(np.degrees(motion.rotates[row]), axis=1) < 0.01).all():
            rows.append(row)
            truth.append("fixed")
        elif (spread >= 8.0).all():
            rows.append(row)
            truth.append(TYPES[len(dof)])
    return motion.rotations[:, :, ::4], rows, truth


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("noise", "hinges", "all_types"), [(0.0, 0.98, 0.95), (1.0, 0.98, 0.93), (2.0, 0.97, 0.92)]
)
def test_captured_characters(noise, hinges, all_types):
    shared_path("data/mocap/cmu_asfamc")
    rng = np.random.default_rng(0)
    skeletons = {
        n: read_asf(SHARED / f"data/mocap/cmu_asfamc/{n}/{n}.asf") for n in ("01", "02", "03")
    }
    pairs = []
    for name in CLIPS:
        rotations, rows, truth = captured(
            SHARED / "data/mocap/cmu_asfamc" / name, skeletons[name[:2]]
        )
        if noise:
            rotations = np.stack([noisy(q, noise, rng) for q in rotations])
        decision = decide(rotations)
        pairs += [(true, decision.types[row]) for row, true in zip(rows, truth)]
    right = [found == "hinge" for true, found in pairs if true == "hinge"]
    others = [found == true for true, found in pairs]
    print(
        f"\nCMU subjects 01, 02, 03, noise {noise:g} degrees: hinges {np.mean(right):.3f} of "
        f"{len(right)}, all {np.mean(others):.3f} of {len(others)}\n{confusion(pairs)}"
    )
    assert np.mean(right) >= hinges
    assert np.mean(others) >= all_types


@pytest.mark.thorough
@pytest.mark.parametrize(
    "clip", ["49/49_18", "49/49_19", "49/49_20", "16/16_24", "03/03_02", "02/02_08"]
)
def test_exact_captures_have_their_declared_types(clip):
    path = shared_path(f"data/mocap/cmu_asfamc/{clip}.amc")
    rotations, rows, truth = captured(path, read_asf(path.parent / f"{path.parent.name}.asf"))
    decision = decide_types(rotations, moment_from_rotations(rotations))
    assert [decision.types[row] for row in rows] == truth
