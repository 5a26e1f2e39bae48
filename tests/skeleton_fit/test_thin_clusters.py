"""Markers nearly on a line: reported by name, with the error of rotations; knees of known sets."""

from __future__ import annotations

import numpy as np
import pytest

from jointlimits_core.formats.read_bodies import read_bodies
from jointlimits_core.geometry import quaternion
from jointlimits_core.skeleton_fit.fit import fit_skeleton
from jointlimits_core.skeleton_fit.marker_bodies import bodies_from_clips
from jointlimits_core.skeleton_fit.markers import MarkerTracks
from tests.support.shared_data import shared_path

FRAMES = 600
NOISE_M = 0.002


def markers(across: float) -> tuple[MarkerTracks, np.ndarray]:
    """Three markers of which one is off the line of the others, and how they are turned."""
    generator = np.random.default_rng(3)
    shape = np.array([[-0.2, 0.0, 0.0], [0.2, 0.0, 0.0], [0.0, across, 0.0]])
    time = np.linspace(0.0, 20.0, FRAMES)[:, None]
    turns = quaternion.quaternion_from_rotation_vector(0.7 * np.sin(time * [0.7, 1.1, 0.9]))
    places = np.stack([quaternion.rotate(turns, point) for point in shape])
    places += NOISE_M * generator.normal(size=places.shape)
    seen = np.ones(places.shape[:2], dtype=bool)
    found = MarkerTracks(("a1", "a2", "a3"), places, seen, np.arange(float(FRAMES)), 60.0)
    return found, turns


@pytest.mark.parametrize("across", [0.03, 0.04])
def test_a_thin_body_is_named_with_how_well_it_is_turned(across):
    tracks, turns = markers(across)
    bodies = bodies_from_clips([tracks], {"shin": ["a*"]})[0]
    (reported,) = [item for item in bodies.findings if item.rule == "thin-cluster"]
    assert reported.joint == "shin"
    stated = float(reported.message.split("known only to within about ")[1].split()[0])
    # About the line, in the body's own axes, beside the truth.
    own = quaternion.multiply(quaternion.conjugate(bodies.quaternion("shin")), turns)
    off = quaternion.rotation_vector_from_quaternion(
        quaternion.multiply(quaternion.conjugate(own[0]), own)
    )
    true = np.degrees(np.std(off[:, 0]))
    assert stated == pytest.approx(true, rel=0.35)


def test_a_wide_body_is_not_reported():
    tracks, _ = markers(0.1)
    bodies = bodies_from_clips([tracks], {"shin": ["a*"]})[0]
    assert "thin-cluster" not in [item.rule for item in bodies.findings]


@pytest.mark.thorough
def test_knees_of_a_known_set_do_not_twist():
    path = shared_path("data/bodies/cmu_02_01.c3d")
    fit = fit_skeleton(read_bodies(path))
    for side in ("left", "right"):
        knee = fit.joint(f"{side}_shin")
        assert fit.names[knee.parent] == f"{side}_thigh"
        assert knee.kind == "single-axis"
        assert knee.residual_m < 0.006
    by_shin = {
        f"{s}_shin": [f"{s[0].upper()}{m}" for m in ("KNE", "SHN", "ANK")]
        for s in ("left", "right")
    }
    reported = [item.joint for item in read_bodies(path, groups=by_shin).findings]
    assert {"left_shin", "right_shin"} <= set(reported)
