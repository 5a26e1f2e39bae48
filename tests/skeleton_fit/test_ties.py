"""Exact data that leave a choice of parents: nothing is left to rounding."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from jointlimits_core.formats.read_bodies import read_bodies
from jointlimits_core.geometry.arrays import Floats
from jointlimits_core.skeleton_fit.doubts import joint_warnings
from jointlimits_core.skeleton_fit.result import BodyOptions
from jointlimits_core.skeleton_fit.tracks import BodyTracks
from tests.support.linkages import FRAMES, Linkage, plain_skeleton
from tests.support.shared_data import shared_path

STILL: Floats = np.zeros((FRAMES, 3))
X = np.array([1.0, 0.0, 0.0])


def hand() -> Linkage:
    """An arm, a hand at the wrist, four rigid fingers ever farther away, a ring on the third."""
    linkage = Linkage(3).free("arm").join("hand", "arm", in_child=0 * X, mounted=False)
    for name, away in (("one", 0.08), ("two", 0.1), ("three", 0.12), ("four", 0.14)):
        linkage.join(name, "hand", vectors=STILL, in_child=0 * X, in_parent=away * X, mounted=False)
    return linkage.join("ring", "three", in_child=0.3 * X, in_parent=0.004 * X)


def moved_by_digits(tracks: BodyTracks, seed: int) -> BodyTracks:
    """The same as a table with six digits might have it."""
    generator = np.random.default_rng(seed)
    shifts = 3e-7 * generator.normal(size=tracks.positions.shape)
    turns = tracks.rotations + 3e-7 * generator.normal(size=tracks.rotations.shape)
    turns /= np.linalg.norm(turns, axis=1, keepdims=True)
    return replace(tracks, positions=tracks.positions + shifts, rotations=turns)


@pytest.mark.parametrize("seed", range(6))
def test_rigid_bodies_hang_on_the_first_and_others_on_the_nearest(seed):
    tracks = moved_by_digits(hand().tracks(), seed)
    fit = plain_skeleton(tracks, BodyOptions(root="arm"))
    found = fit.parent_names()
    assert found["hand"] == "arm"
    assert {found[name] for name in ("one", "two", "three", "four")} == {"hand"}
    assert found["ring"] == "three"
    assert {joint.kind for joint in fit.joints} == {"ball", "rigid"}


def test_the_order_of_bodies_matters_to_the_first_only():
    tracks = hand().tracks()
    for seed in range(5):
        order = np.random.default_rng(seed).permutation(len(tracks)).tolist()
        ordered = replace(
            tracks,
            names=tuple(tracks.names[body] for body in order),
            positions=tracks.positions[order],
            rotations=tracks.rotations[order],
            present=tracks.present[order],
        )
        fit = plain_skeleton(ordered, BodyOptions(root="arm"))
        found = fit.parent_names()
        assert found["ring"] == "three"
        assert found["hand"] == "arm"
        rigid = [name for name in fit.names if name in ("hand", "one", "two", "three", "four")]
        if rigid[0] == "hand":
            continue
        # The hand carries the arm's joint, and the others hang on the first of them.
        assert {found[name] for name in rigid[1:] if name != "hand"} == {rigid[0]}


def test_bodies_in_one_point_share_what_hangs_on_them():
    """Two hip bones that begin where the pelvis does: both thighs hang on the pelvis."""
    linkage = Linkage(5).free("pelvis")
    for side in ("left", "right"):
        linkage.join(
            f"{side} hip", "pelvis", vectors=STILL, in_child=0 * X, in_parent=0 * X, mounted=False
        )
        linkage.join(f"{side} thigh", f"{side} hip")
    linkage.join("abdomen", "pelvis").join("chest", "abdomen")
    for seed in range(6):
        fit = plain_skeleton(moved_by_digits(linkage.tracks(), seed))
        found = fit.parent_names()
        assert {found.pop("pelvis"), found.pop("chest")} == {None, "abdomen"}
        assert set(found.values()) == {"pelvis"}


@pytest.mark.parametrize("fingers", ["one two three four", "four three two one"])
def test_given_parents_come_before_the_star(fingers):
    first, *others = fingers.split()
    given = dict(zip(others, fingers.split()))
    fit = plain_skeleton(hand().tracks(), BodyOptions(root="arm", parents=given))
    found = fit.parent_names()
    assert {name: found[name] for name in given} == given
    assert found[first] == "hand"


def test_a_parent_that_is_as_good_as_another_is_a_close_call():
    fit = plain_skeleton(hand().tracks(), BodyOptions(root="arm"))
    doubts = {fit.names[joint.child]: joint_warnings([fit], joint) for joint in fit.joints}
    assert [doubt.kind for doubt in doubts["one"]] == ["no motion"]
    assert [doubt.kind for doubt in doubts["ring"]] == ["close call"]
    assert "fits just as well as its parent" in doubts["ring"][0].words
    # The arm's joint is on the hand, and all the fingers would carry it as well.
    assert [doubt.kind for doubt in doubts["hand"]] == []


def test_a_twin_of_the_parent_is_reported_as_such():
    linkage = Linkage(5).free("pelvis").join("thigh", "pelvis").join("shin", "thigh")
    linkage.join("belt", "pelvis", vectors=STILL)
    fit = plain_skeleton(linkage.tracks(), BodyOptions(root="pelvis"))
    words = joint_warnings([fit], fit.joint("thigh"))[0].words
    assert (
        words
        == "belt fits just as well as its parent, since the two do not move relative to each other"
    )
    assert joint_warnings([fit], fit.joint("shin")) == ()


@pytest.mark.thorough
def test_legs_of_a_captured_skeleton_hang_alike():
    path = shared_path("data/mocap/cmu_asfamc/02/02_01.amc")
    tracks = read_bodies(path, skeleton=path.with_name("02.asf"))
    found = plain_skeleton(tracks, BodyOptions(root="root")).parent_names()
    assert found["lfemur"] == found["rfemur"] == "root"
    assert found["lhumerus"] == found["rhumerus"] == "thorax"
