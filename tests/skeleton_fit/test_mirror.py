"""The two sides of a figure, found without names, and their combined evidence."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.simulated_faults import Faults
from benchmarks.simulated_figure import NAMES, simulated_figure
from jointlimits_core.skeleton_fit.spectral import (
    evidence_weights,
    mean_distances,
    mirror_partners,
    motion_lines,
    symmetrised,
)
from tests.support.linkages import arm, kruskal, plain_skeleton

SKIN = Faults(wobble=0.03, wobble_deg=8.0)
OTHER_SIDE = {
    name: name.replace("left", "right") if "left" in name else name.replace("right", "left")
    for name in NAMES
}


def test_mean_distances_are_those_of_the_frames_in_which_both_were_seen():
    first = simulated_figure(1, seconds=2.0, faults=Faults(gaps=0.3)).tracks
    second = simulated_figure(1, seconds=3.0).tracks
    found = mean_distances([first, second])
    for one, other in ((3, 1), (0, 15), (7, 7)):
        apart = []
        for clip in (first, second):
            both = clip.present[one] & clip.present[other]
            apart.append(np.linalg.norm(clip.positions[one] - clip.positions[other], axis=1)[both])
        assert found[one, other] == pytest.approx(np.concatenate(apart).mean())


@pytest.mark.thorough
def test_partners_are_the_bodies_of_the_other_side_or_none():
    """Sensors that sit 15 mm off on one side can hide it; what is found is right."""
    found = 0
    for seed in range(24):
        tracks = simulated_figure(seed, "walk", seconds=20.0, faults=Faults(0.007, 1.0)).tracks
        order = np.random.default_rng(seed).permutation(len(NAMES))
        shuffled = tracks.only([NAMES[index] for index in order])
        partner = mirror_partners(mean_distances([shuffled]))
        if partner is not None:
            found += 1
            pairs = zip(shuffled.names, [shuffled.names[other] for other in partner])
            assert dict(pairs) == OTHER_SIDE
    assert found >= 18


def test_what_has_no_two_sides_has_no_partners():
    cloud = np.random.default_rng(0).normal(size=(16, 3))
    apart = np.linalg.norm(cloud[:, None] - cloud[None], axis=2)
    assert mirror_partners(apart) is None
    assert mirror_partners(mean_distances([arm().tracks()])) is None  # four bodies
    apart[2, 3] = apart[3, 2] = np.nan
    assert mirror_partners(apart) is None


def test_one_side_alone_has_no_partners():
    tracks = simulated_figure(1, "walk").tracks
    side = tracks.only([name for name in NAMES if "right" not in name])
    assert mirror_partners(mean_distances([side])) is None


def test_both_sides_have_one_say():
    # 0 is in the middle; 1 and 2, and 3 and 4, are mirror images.
    weights = np.array(
        [
            [np.inf, 3.0, 9.0, 7.0, 7.0],
            [3.0, np.inf, 1.0, 2.0, 8.0],
            [9.0, 1.0, np.inf, np.inf, 6.0],
            [7.0, 2.0, np.inf, np.inf, 5.0],
            [7.0, 8.0, 6.0, 5.0, np.inf],
        ]
    )
    found = symmetrised(weights, np.array([0, 2, 1, 4, 3]))
    expected = np.array(
        [
            [np.inf, 6.0, 6.0, 7.0, 7.0],
            [6.0, np.inf, np.inf, 4.0, 8.0],  # no pair of partners; 8 has no image
            [6.0, np.inf, np.inf, np.inf, 4.0],
            [7.0, 4.0, np.inf, np.inf, np.inf],
            [7.0, 8.0, 4.0, np.inf, np.inf],
        ]
    )
    np.testing.assert_array_equal(found, expected)


def test_partners_may_be_joined_where_nothing_is_in_the_middle():
    weights = np.full((4, 4), 2.0)
    weights[0, 1] = weights[1, 0] = 1.0
    found = symmetrised(weights, np.array([1, 0, 3, 2]))
    assert found[0, 1] == 1.0


@pytest.mark.slow
def test_walks_are_decided_better_by_both_sides():
    """Thirty millimetres of skin: lines alone, and lines of both sides."""
    right = {"lines": 0, "sides": 0}
    for seed in range(8000, 8012):
        trial = simulated_figure(seed, "walk", faults=SKIN)
        alone = kruskal(evidence_weights(motion_lines(trial.tracks)))
        edges = {frozenset((j.child, j.parent)) for j in plain_skeleton(trial.tracks).joints}
        right["lines"] += alone == trial.edges()
        right["sides"] += edges == trial.edges()
    assert right["sides"] >= 9
    assert right["sides"] > right["lines"]
