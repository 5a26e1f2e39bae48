"""Lengths of limbs: right, and as uncertain as stated."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.simulated_faults import Faults
from benchmarks.simulated_figure import simulated_figure
from jointlimits_core.base.errors import EstimationError
from jointlimits_core.skeleton_fit.build import motions
from jointlimits_core.skeleton_fit.document import limbs
from jointlimits_core.skeleton_fit.doubts import reject_no_motion
from jointlimits_core.skeleton_fit.fit import fit_skeleton
from jointlimits_core.skeleton_fit.result import BodyOptions
from tests.support.linkages import Linkage, arm, plain_skeleton


@pytest.mark.parametrize("root", ["pelvis", "head", "left shin"])
def test_lengths_are_those_of_the_skeleton_that_is_made(root):
    tracks = simulated_figure(2, seconds=8.0, faults=Faults(0.002, 0.3)).tracks
    fit = plain_skeleton(tracks, BodyOptions(root=root))
    bones = motions(fit)[0].skeleton
    made = dict(zip(bones.names, np.linalg.norm(bones.offsets, axis=1)))
    assert len(limbs(fit)) == 15
    for limb in limbs(fit):
        assert limb.body == fit.parent_names()[limb.end]
        assert limb.length_m == pytest.approx(made[limb.end], abs=1e-12)
        assert limb.length_m > 0.02


def test_where_on_its_axis_a_joint_is_makes_lengths_unsure():
    """The closer the axis is to the limb, the more; a ball's limbs without noise are sure."""
    linkage = arm(3).join("watch", "upper arm")
    fit = fit_skeleton(linkage.tracks(), BodyOptions(root="trunk"))
    joint = fit.joint("forearm")
    assert joint.kind == "single-axis"
    assert np.isinf(joint.deviation_m[0])
    known = {limb.end: limb for limb in limbs(fit)}
    assert known["watch"].deviation_m < 1e-9
    for end, axis in (("forearm", joint.axis_in_parent), ("hand", joint.axis_in_child)):
        limb = known[end]
        # The way along the limb that ends in a joint, in the body that carries it.
        last = fit.joint(end)
        first = next(one for one in fit.joints if one.child == last.parent)
        step = last.centre_in_parent - first.centre_in_child
        cosine = abs(step @ axis) / limb.length_m
        error = joint.on_axis_m * np.random.default_rng(0).normal(size=100_000)
        changed = np.linalg.norm(step + error[:, None] * axis, axis=1) - limb.length_m
        assert limb.deviation_m == pytest.approx(np.sqrt(np.mean(changed**2)), rel=0.1), cosine


@pytest.mark.thorough
def test_lengths_spread_as_much_as_stated():
    found = []
    for seed in range(40):
        linkage = Linkage(5).free("pelvis").join("thigh", "pelvis").join("shin", "thigh")
        linkage = linkage.join("tail", "pelvis").join("foot", "shin")
        linkage.seed = seed
        found.append(limbs(plain_skeleton(linkage.tracks(noise=0.004), BodyOptions(root="pelvis"))))
    for row, limb in enumerate(found[0]):
        spread = np.std([one[row].length_m for one in found], ddof=1)
        stated = np.mean([one[row].deviation_m for one in found])
        # The spread of 40 draws is known to 11 %.
        assert 0.65 < stated / spread < 1.5, limb


def test_a_limb_with_a_joint_that_never_turned_is_of_no_known_length():
    linkage = arm(4).join("badge", "hand", vectors=np.zeros((400, 3)))
    linkage = linkage.join("lamp", "badge")
    fit = fit_skeleton(linkage.tracks(), BodyOptions(root="trunk"))
    known = {limb.end: limb.deviation_m for limb in limbs(fit)}
    still = next(joint for joint in fit.joints if joint.kind == "rigid")
    assert np.isinf(known[fit.names[still.child]])
    assert np.isfinite(known["hand"])
    reject_no_motion([fit])


def test_a_skeleton_of_which_nothing_is_known_is_refused():
    linkage = Linkage(1).free("a").join("b", "a", vectors=np.zeros((400, 3)))
    with pytest.raises(EstimationError, match="give a clip in which the joints bend"):
        reject_no_motion([fit_skeleton(linkage.tracks())])
