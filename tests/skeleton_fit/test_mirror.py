"""The two sides of a figure, found without names, and their combined evidence."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.simulated_faults import Faults
from benchmarks.simulated_figure import NAMES, simulated_figure
from jointlimits_core.skeleton_fit import spectral
from tests.support.linkages import arm, kruskal, plain_skeleton

SKIN = Faults(wobble=0.03, wobble_deg=8.0)
OTHER_SIDE = {
    name: name.replace("left", "right") if "left" in name else name.replace("right", "left")
    for name in NAMES
}


@pytest.mark.thorough
def test_partners_are_the_bodies_of_the_other_side_or_none():
    """Sensors that sit 15 mm off on one side can hide it; what is found is right."""
    found = 0
    for seed in range(24):
        tracks = simulated_figure(seed, "walk", seconds=20.0, faults=Faults(0.007, 1.0)).tracks
        order = np.random.default_rng(seed).permutation(len(NAMES))
        shuffled = tracks.choose_bodies([NAMES[index] for index in order])
        partner = spectral.mirror_partners(spectral.mean_distances([shuffled]))
        if partner is not None:
            found += 1
            pairs = zip(shuffled.names, [shuffled.names[other] for other in partner])
            assert dict(pairs) == OTHER_SIDE
    assert found >= 18


def test_what_has_no_two_sides_has_no_partners():
    cloud = np.random.default_rng(0).normal(size=(16, 3))
    apart = np.linalg.norm(cloud[:, None] - cloud[None], axis=2)
    holey = np.where(np.isin(apart, apart[2, 3]), np.nan, apart)
    tracks = simulated_figure(1, "walk").tracks
    one_side = spectral.mean_distances(
        [tracks.choose_bodies([name for name in NAMES if "right" not in name])]
    )
    few_bodies = spectral.mean_distances([arm().tracks()])
    for distances in (apart, holey, one_side, few_bodies):
        assert spectral.mirror_partners(distances) is None


@pytest.mark.slow
def test_walks_are_decided_better_by_both_sides():
    """Thirty millimetres of skin: lines alone, and lines of both sides."""
    right = {"lines": 0, "sides": 0}
    for seed in range(8000, 8012):
        trial = simulated_figure(seed, "walk", faults=SKIN)
        alone = kruskal(spectral.evidence_weights(spectral.motion_lines(trial.tracks)))
        edges = {frozenset((j.child, j.parent)) for j in plain_skeleton(trial.tracks).joints}
        right["lines"] += alone == trial.edges()
        right["sides"] += edges == trial.edges()
    assert right["sides"] >= 9
    assert right["sides"] > right["lines"]
