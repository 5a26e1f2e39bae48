"""From markers to bodies: groups, exchanged labels, poses."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jointlimits_core.base.errors import EstimationError
from jointlimits_core.formats.c3d import read_c3d
from jointlimits_core.formats.read_bodies import read_bodies
from jointlimits_core.formats.registry import read_motion
from jointlimits_core.geometry.quaternion import matrix_from_quaternion, quaternion_from_axis_angle
from jointlimits_core.motion.motion import Motion
from jointlimits_core.skeleton_fit.cluster_pose import cluster_pose, limb_pose
from jointlimits_core.skeleton_fit.fit import fit_skeleton
from jointlimits_core.skeleton_fit.marker_bodies import (
    MarkerSwap,
    bodies_from_clips,
    choose_groups,
    marker_swaps,
    without_swaps,
)
from jointlimits_core.skeleton_fit.markers import (
    groups_by_distance,
    groups_by_ending,
    groups_by_name,
    known_groups,
)
from jointlimits_core.skeleton_fit.tracks import bodies_from_motion
from tests.support.marker_examples import PLATE, plates, shape_markers, tracks_of, wandering
from tests.support.shared_data import shared_path


def with_gaps(tracks, share, seed=1):
    gone = np.random.default_rng(seed).random(tracks.present.shape) < share
    positions = np.where(gone[..., None], np.nan, tracks.positions)
    return replace(tracks, positions=positions, present=tracks.present & ~gone)


# --- poses ------------------------------------------------------------------------------------


@pytest.mark.thorough
@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10_000), markers=st.integers(3, 6), gaps=st.sampled_from([0.0, 0.2]))
def test_the_motion_of_a_rigid_group_comes_back(seed, markers, gaps):
    rng = np.random.default_rng(seed)
    shape = rng.normal(0.0, 0.1, (markers, 3))
    extents = np.linalg.svd(shape - shape.mean(axis=0), compute_uv=False)
    if extents[1] < 0.2 * extents[0]:
        return  # nearly on a line: see below
    turns, places = wandering(80, seed)
    tracks = with_gaps(
        tracks_of(list("uvwxyz"[:markers]), shape_markers(shape, turns, places)), gaps
    )
    pose = cluster_pose(tracks.positions, tracks.present)
    np.testing.assert_array_equal(pose.present <= (tracks.present.sum(axis=0) >= 3), True)
    assert pose.present.mean() > 0.3
    seen = np.flatnonzero(pose.present)
    found = matrix_from_quaternion(pose.rotations.T[seen])
    expected = turns[seen] @ turns[seen[0]].T  # own axes are the world's in the first frame
    np.testing.assert_allclose(found, expected, atol=1e-9)
    middle = places[seen] + turns[seen] @ shape.mean(axis=0)
    np.testing.assert_allclose(pose.positions[seen], middle, atol=1e-9)
    assert pose.rms < 1e-9
    assert np.isnan(pose.positions[~pose.present]).all()


@pytest.mark.thorough
def test_each_frame_is_the_best_rotation():
    """Against scipy, frame by frame, with noise and gaps."""
    spatial = pytest.importorskip("scipy.spatial.transform")
    tracks = with_gaps(plates(1, 50, noise=0.004), 0.1)
    pose = cluster_pose(tracks.positions, tracks.present)
    for frame in np.flatnonzero(pose.present):
        seen = tracks.present[:, frame]
        points, shape = tracks.positions[seen, frame], pose.shape[seen]
        best, _ = spatial.Rotation.align_vectors(
            points - points.mean(axis=0), shape - shape.mean(axis=0)
        )
        found = matrix_from_quaternion(pose.rotations[:, frame])
        np.testing.assert_allclose(found, best.as_matrix(), atol=1e-6)
        np.testing.assert_allclose(
            pose.positions[frame], points.mean(axis=0) - found @ shape.mean(axis=0), atol=1e-9
        )


def test_a_few_frames_with_foreign_markers_have_no_pose_and_spoil_no_other():
    tracks = plates(1, 200)
    positions = np.array(tracks.positions)
    positions[0, 50:60] += [0.3, 0.0, 0.0]
    pose = cluster_pose(positions, tracks.present)
    assert np.flatnonzero(~pose.present).tolist() == list(range(50, 60))
    assert np.flatnonzero(pose.unfit_frames).tolist() == list(range(50, 60))
    assert pose.rms < 1e-9


def test_the_mirror_image_is_never_taken():
    turns, places = wandering(60, 2)
    for shape in (PLATE, PLATE * [1.0, 1.0, -1.0]):
        pose = cluster_pose(shape_markers(shape, turns, places), np.ones((4, 60), dtype=bool))
        assert pose.rms < 1e-9


def test_markers_on_a_line_are_named():
    shape = np.array([[0.0, 0.0, 0.0], [0.1, 0.0, 0.0], [0.25, 0.001, 0.0]])
    positions = shape_markers(shape, *wandering(30, 4))
    present = np.ones((3, 30), dtype=bool)
    with pytest.raises(EstimationError, match="markers hip, knee, ankle lie on a line"):
        cluster_pose(positions, present, ("hip", "knee", "ankle"))
    with pytest.raises(EstimationError, match="hip, knee are fewer than three"):
        cluster_pose(positions[:2], present[:2], ("hip", "knee"))


def test_three_of_a_group_that_are_on_a_line_give_no_pose_in_that_frame():
    shape = np.array([[0.0, 0, 0], [0.1, 0, 0], [0.2, 0, 0], [0.05, 0.1, 0]])
    tracks = tracks_of(list("abcd"), shape_markers(shape, *wandering(30, 4)))
    positions = np.array(tracks.positions)
    positions[3, 7] = np.nan
    positions[1, 9] = np.nan
    tracks = tracks_of(list("abcd"), positions)
    pose = cluster_pose(tracks.positions, tracks.present)
    assert np.flatnonzero(~pose.present).tolist() == [7]


def test_limb_frame_has_the_limb_the_plane_and_what_is_across():
    """Herda et al., section 3.3; the shoulder turns, the elbow bends about the second axis."""
    turns, places = wandering(90, 6)
    bend = np.linspace(0.0, 2.0, 90)
    upper = np.array([0.3, 0.0, 0.0])
    lower = 0.25 * np.stack([np.cos(bend), 0 * bend, -np.sin(bend)], axis=1)
    elbow = places + turns @ upper
    wrist = elbow + np.einsum("fij,fj->fi", turns, lower)
    pose = limb_pose(places, elbow, wrist)
    straight = bend < np.radians(5.0)
    np.testing.assert_array_equal(pose.present, ~straight)
    found = matrix_from_quaternion(pose.rotations.T[~straight])
    np.testing.assert_allclose(found, turns[~straight], atol=1e-9)
    np.testing.assert_allclose(pose.positions[~straight], places[~straight])
    with pytest.raises(EstimationError, match="in line"):
        limb_pose(places, elbow, 2.0 * elbow - places)


# --- groups -----------------------------------------------------------------------------------


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 1000), gaps=st.sampled_from([0.0, 0.3]))
def test_rigid_groups_are_found_without_names(seed, gaps):
    tracks = with_gaps(plates(3, 300, noise=0.001, seed=seed), gaps)
    order = np.random.default_rng(seed).permutation(12)
    shuffled = replace(
        tracks,
        names=tuple(f"m{place}" for place in range(12)),
        positions=tracks.positions[order],
        present=tracks.present[order],
    )
    found = {frozenset(group.markers) for group in groups_by_distance(shuffled)}
    where = np.argsort(order)
    assert found == {frozenset(f"m{where[4 * body + k]}" for k in range(4)) for body in range(3)}


def test_a_few_exchanged_labels_do_not_change_the_groups():
    tracks = plates(3, 300, noise=0.001)
    positions = np.array(tracks.positions)
    positions[[0, 5], 100:112] = positions[[5, 0], 100:112]
    groups = groups_by_distance(replace(tracks, positions=positions))
    assert [group.markers for group in groups] == [
        tuple(f"{body}{number}" for number in (1, 2, 3, 4)) for body in "abc"
    ]


def test_known_groups_take_others_in_and_never_become_one():
    turns, places = wandering(200, 11)
    beside = PLATE + np.array([0.4, 0.0, 0.0])  # does not move to the other
    both = tracks_of([*"abcdefgh"], shape_markers(np.concatenate([PLATE, beside]), turns, places))
    assert [len(group.markers) for group in groups_by_distance(both)] == [8]
    seeds = groups_by_name(both.names, {"one": ["a", "b", "c"], "two": ["e", "f", "g"]})
    found = {group.name: group.markers for group in groups_by_distance(both, seeds=seeds)}
    assert set(found) == {"one", "two"}
    assert {"a", "b", "c"} <= set(found["one"])
    assert {"e", "f", "g"} <= set(found["two"])
    assert len(found["one"]) + len(found["two"]) == 8


def test_labels_that_differ_in_a_number():
    labels = ["LARM1", "LARM2", "LARM3", "Leg_Marker1", "Leg_Marker2", "Leg_Marker3", "C7", "T10"]
    labels += ["foot m1", "foot m2", "foot m3", "x1", "x2", "x3", "two1", "two2"]
    groups = {group.name: len(group.markers) for group in groups_by_ending(labels)}
    assert groups == {"LARM": 3, "Leg": 3, "foot": 3}


def test_groups_by_patterns():
    labels = ["Ann:RTHI1", "Ann:RTHI2", "Ann:RTHI3", "Ann:KNE", "Ann:ANK", "Ann:WRA", "Ann:WRB"]
    patterns = {"thigh": ["rthi?"], "limb": {"limb": ["RTHI1", "KNE", "WRA+WRB"]}}
    thigh, limb = groups_by_name(labels, patterns)
    assert thigh.markers == ("Ann:RTHI1", "Ann:RTHI2", "Ann:RTHI3")
    assert limb.markers == ("Ann:RTHI1", "Ann:KNE", "Ann:WRA+Ann:WRB")
    assert limb.limb
    with pytest.raises(ValueError, match="body 'head': no marker is called 'HD'"):
        groups_by_name(labels, {"head": ["HD", "KNE", "ANK"]})
    with pytest.raises(ValueError, match=r"body 'shin' has 2 markers \(Ann:KNE, Ann:ANK\)"):
        groups_by_name(labels, {"shin": ["KNE", "ANK", "ann:k*"]})
    with pytest.raises(ValueError, match="'RTHI\\*' fits 3 markers, not one"):
        groups_by_name(labels, {"limb": {"limb": ["RTHI*", "KNE", "ANK"]}})


def test_known_sets():
    arms = ["UPA", "ELB", "WRA", "WRB", "FRM", "FIN", "FHD", "BHD"]
    legs = ["FWT", "BWT", "THI", "KNE", "ANK", "SHN", "HEE", "MT5", "TOE"]
    labels = [side + label for side in "LR" for label in arms + legs]
    assert len(known_groups([*labels, "CLAV", "STRN", "C7", "T10", "RBAC"])) == 15
    plug_in = [
        label.replace("SHN", "TIB").replace("FWT", "ASI").replace("BWT", "PSI")
        for label in labels
        if "MT5" not in label
    ]
    groups = {group.name: group for group in known_groups(plug_in)}
    lower = [group.name for group in known_groups([label.lower() for label in plug_in])]
    assert lower == list(groups)
    assert groups["pelvis"].markers == ("LASI", "RASI", "LPSI", "RPSI")
    assert groups["left_foot"].markers == ("LHEE", "LANK", "LTOE")
    assert groups["left_shin"].markers == ("LANK", "LKNE", 10 * "LTHI+" + "LASI+LPSI")
    no_waist = {group.name: group for group in known_groups([x for x in plug_in if x[1:] != "PSI"])}
    assert no_waist["left_shin"].markers == ("LANK", "LKNE", "LTHI")
    assert "chest" not in groups
    assert known_groups(["A", "B", "C", "LFHD", "RFHD", "LBHD", "RBHD"]) == ()
    bare = known_groups(labels)
    for subject in ("Ann_", "Ann:", "Ann B_2."):
        own = known_groups(["*0", "Prop_1", *(subject + label for label in labels)])
        assert [group.name for group in own] == [group.name for group in bare]
        assert own[1].markers == tuple(
            "+".join(subject + part for part in marker.split("+")) for marker in bare[1].markers
        )


@pytest.mark.thorough
def test_two_subjects_in_one_take_are_two_figures():
    ann, bob = (
        read_c3d(shared_path(path)).markers
        for path in ("data/mocap/hdm05/HDM_dg_06-03_03_120.c3d", "data/bodies/cmu_02_01.c3d")
    )
    count = ann.frame_count
    both = tracks_of(
        [*(f"Ann:{name}" for name in ann.names), *(f"Bob:{name}" for name in bob.names)],
        np.concatenate([ann.positions, bob.positions[:, :count] + [1.0, 0.0, 0.0]]),
    )
    (bodies,) = bodies_from_clips([both])
    assert len(bodies.names) == 30
    fit = fit_skeleton(bodies)
    assert [len(figure) for figure in fit.figures] == [15, 15]
    for child, parent in fit.parent_names().items():
        assert parent is None or parent[:4] == child[:4]
    assert fit.parent_names()["Bob:left_shin"] == "Bob:left_thigh"


def test_unlabelled_points_make_no_body_beside_labelled_ones():
    tracks = plates(2, 100)
    names = ("*0", "*1", "*2", "Unlabeled 12", *tracks.names[4:])
    (bodies,) = bodies_from_clips([replace(tracks, names=names)])
    assert bodies.names == ("b1_body",)
    (finding,) = (one for one in bodies.findings if one.rule == "unlabelled-points")
    assert finding.message == "4 points without a label (*0, *1, *2, Unlabeled 12) left out"
    (alone,) = bodies_from_clips([replace(tracks, names=tuple(f"*{n}" for n in range(8)))])
    assert len(alone.names) == 2  # nobody labelled anything
    (named,) = bodies_from_clips([replace(tracks, names=names)], {"one": ["*0", "*1", "*2"]})
    assert named.names == ("one",)


def test_bodies_of_a_minority_of_the_markers_are_rejected():
    tracks = plates(1, 100)
    loose = np.random.default_rng(3).uniform(-1.0, 1.0, (5, 100, 3))
    positions = np.concatenate([tracks.positions, loose])
    markers = tracks_of([*tracks.names, *"vwxyz"], positions)
    with pytest.raises(EstimationError, match=r"only 4 of the 9 markers of 'markers' .*1 body \(a"):
        bodies_from_clips([markers])
    (bodies,) = bodies_from_clips([markers], "distance")
    assert len(bodies.names) == 1


def test_a_take_with_a_subject_and_unlabelled_points_has_the_known_bodies():
    bodies = read_bodies(shared_path("data/mocap/hdm05/HDM_dg_06-03_03_120.c3d"))
    assert len(bodies.names) == 15
    assert "unlabelled-points" in [finding.rule for finding in bodies.findings]
    parents = fit_skeleton(bodies).parent_names()
    for side in ("left", "right"):
        chain = ("foot", "shin", "thigh"), ("hand", "forearm", "upper_arm")
        for end, middle, start in chain:
            assert parents[f"{side}_{end}"] == f"{side}_{middle}"
            assert parents[f"{side}_{middle}"] == f"{side}_{start}"
        assert parents[f"{side}_thigh"] == "pelvis"
        assert parents[f"{side}_upper_arm"] == "chest"
    assert parents["head"] == "chest"
    assert parents["chest"] == "pelvis"


# --- exchanged labels -------------------------------------------------------------------------


@pytest.mark.thorough
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_exchanged_labels_are_given_back(data):
    tracks = plates(2, 240)
    one, other = data.draw(st.sampled_from([(0, 1), (0, 5), (2, 7), (3, 1)]))
    start = data.draw(st.integers(1, 200))
    stop = data.draw(st.integers(start + 1, 240))
    positions = np.array(tracks.positions)
    positions[[one, other], start:stop] = positions[[other, one], start:stop]
    changed = replace(tracks, positions=positions)
    found = marker_swaps(changed)[0]
    ends = [start] if stop == 240 else [start, stop]
    assert found == tuple(MarkerSwap(min(one, other), max(one, other), end) for end in ends)
    back = without_swaps(changed)
    np.testing.assert_array_equal(back.positions, tracks.positions)
    assert [finding.rule for finding in back.findings] == ["swapped-markers"] * len(ends)


def test_three_labels_that_go_round_are_given_back():
    tracks = plates(2, 240)
    positions = np.array(tracks.positions)
    positions[[0, 5], 80:] = positions[[5, 0], 80:]
    positions[[5, 2], 150:] = positions[[2, 5], 150:]
    back = without_swaps(replace(tracks, positions=positions))
    np.testing.assert_array_equal(back.positions, tracks.positions)


def test_swaps_are_not_sought_where_hundreds_of_markers_jump_at_once():
    tracks = plates(2, 60)
    positions = np.tile(tracks.positions, (140, 1, 1))
    positions += np.arange(1120)[:, None, None] * 3.0
    positions[:, 40:] += np.random.default_rng(0).uniform(-2.0, 2.0, (1120, 1, 3))
    positions[[0, 5], 20:] = positions[[5, 0], 20:]
    many = tracks_of([f"m{number}" for number in range(1120)], positions)
    assert marker_swaps(many)[0] == (MarkerSwap(0, 5, 20),)
    found = without_swaps(many).findings
    assert [finding.rule for finding in found] == ["swapped-markers", "swaps-not-sought"]
    assert found[1].frame_ranges == ((40.0, 40.0),)
    assert found[1].message == (
        "swapped labels were not searched for in 1 frame in which too many markers jump at once; "
        "check the labels there"
    )


def test_fast_markers_jump_and_are_not_exchanged():
    tracks = plates(2, 240)
    positions = tracks.positions + np.where(np.arange(240) > 99, 0.5, 0.0)[:, None]
    moved = replace(tracks, positions=positions)
    assert marker_swaps(moved)[0] == ()
    assert without_swaps(moved) is moved


# --- together ---------------------------------------------------------------------------------


def test_bodies_of_plates_and_messages_about_the_rest():
    tracks = plates(2, 200, noise=0.0005)
    line = shape_markers(np.array([[0.0, 0, 0], [0.1, 0, 0], [0.3, 0, 0]]), *wandering(200, 77))
    alone = shape_markers(np.zeros((1, 3)), *wandering(200, 78))
    names = [*tracks.names, "stick1", "stick2", "stick3", "lost"]
    both = tracks_of(names, np.concatenate([tracks.positions, line, alone]))
    bodies = bodies_from_clips([both])[0]
    assert len(bodies) == 2
    rules = {finding.rule: finding for finding in bodies.findings}
    assert "stick1, stick2, stick3 lie on a line" in rules["no-orientation"].message
    assert rules["no-orientation"].joint == "stick"
    assert "lost" in rules["loose-markers"].message


def test_markers_of_which_no_body_can_be_made():
    loose = np.concatenate(
        [shape_markers(np.zeros((1, 3)), *wandering(100, seed)) for seed in range(5)]
    )
    with pytest.raises(EstimationError, match="no three of the 5 markers"):
        bodies_from_clips([tracks_of(list("abcde"), loose)])[0]
    with pytest.raises(EstimationError, match="one frame"):
        bodies_from_clips([plates(1, 1)])[0]
    with pytest.raises(ValueError, match="auto, distance, ending, set"):
        choose_groups(plates(1, 10), "guess")


def test_joints_of_a_motion_are_bodies():
    turn = quaternion_from_axis_angle([0.0, 0.0, 1.0], np.linspace(0.0, 1.0, 5))
    quaternions = np.stack([turn, turn], axis=1)
    motion = Motion.from_quaternions(
        ["hip", "knee"], [-1, 0], quaternions, 30.0, offsets=[[0.0, 100.0, 0.0], [40.0, 0.0, 0.0]]
    )
    bodies = bodies_from_motion(motion, ["knee"])
    assert bodies.names == ("knee",)
    angle = np.linspace(0.0, 1.0, 5)
    places = np.stack([0.4 * np.cos(angle), 1.0 + 0.4 * np.sin(angle), 0 * angle], axis=1)
    np.testing.assert_allclose(bodies.positions[0], places, atol=1e-12)
    expected = quaternion_from_axis_angle([0.0, 0.0, 1.0], 2.0 * angle)
    np.testing.assert_allclose(np.abs(np.sum(bodies.quaternion("knee") * expected, axis=1)), 1.0)
    assert [finding.rule for finding in bodies.findings] == ["unit-not-given"]
    mirrored = replace(motion, scales={1: np.tile([1.0, 1.0, -1.0], (5, 1))})
    with pytest.raises(EstimationError, match="'knee' are mirrored"):
        bodies_from_motion(mirrored)


# --- real files -------------------------------------------------------------------------------


def real(name, **options):
    return read_bodies(shared_path(f"data/bodies/{name}.c3d"), **options)


@pytest.mark.thorough
def test_optitrack_clusters_are_found_by_distance_as_by_name():
    named = real("ktk_walkingOptiTrack")
    assert named.names == ("Foot", "Knee", "Leg")
    found = real("ktk_walkingOptiTrack", groups="distance", tolerance=0.012)
    np.testing.assert_array_equal(found.present, named.present)
    np.testing.assert_allclose(
        found.positions[found.present], named.positions[named.present], atol=1e-12
    )
    swaps = [one.message for one in named.findings if one.rule == "swapped-markers"]
    assert len(swaps) == 2  # there and back, in one frame
    assert swaps[0].startswith("Foot_Marker3 and Foot_Marker5 swap labels at frame 1953;")


@pytest.mark.thorough
def test_the_hip_trial_has_a_pair_of_exchanged_labels():
    groups = {"pelvis": ["?PSIS", "?ASIS"], "thigh": ["RGT", "RLFE", "RMFE"]}
    bodies = real("biobuddy_right_hip", groups=groups)
    swaps = [one.message for one in bodies.findings if one.rule == "swapped-markers"]
    assert swaps == ["RLFE and RMFE swap labels at frame 750; they were swapped back."]
    assert bodies.present.all()
    # Turned by half about the thigh's axis, had they stayed exchanged.
    steps = np.abs(np.sum(bodies.rotations[1, :, 1:] * bodies.rotations[1, :, :-1], axis=0))
    assert np.degrees(2.0 * np.arccos(np.minimum(steps, 1.0))).max() < 10.0


@pytest.mark.thorough
def test_cmu_markers_become_fifteen_bodies_that_fit():
    bodies = real("cmu_02_01")
    assert len(bodies) == 15
    assert bodies.present.mean() > 0.99
    # The same person, by the skeleton, whose wrists are what turns with the forearm's markers.
    folder = "data/mocap/cmu_asfamc/02/"
    motion = read_motion(
        shared_path(folder + "02_01.amc"), shared_path(folder + "02.asf"), frame_rate=120.0
    )
    bones = bodies_from_motion(motion, ["ltibia", "rtibia", "head", "lwrist", "thorax"])
    names = ("left_shin", "right_shin", "head", "left_forearm", "chest")
    yzx = np.eye(3)[[1, 2, 0]]  # the marker file has Z up
    for bone, (name, limit) in enumerate(zip(names, (4.0, 5.5, 1.0, 1.5, 1.5))):
        seen = bodies.present[bodies.index(name)]
        turns = yzx @ bodies.matrices()[bodies.index(name)][seen]
        relative = np.swapaxes(bones.matrices()[bone][seen], -1, -2) @ turns
        middle = np.linalg.svd(relative.mean(axis=0))
        away = relative @ np.swapaxes(middle[0] @ middle[2], -1, -2)
        angles = np.degrees(np.arccos(np.clip((np.trace(away, axis1=1, axis2=2) - 1) / 2, -1, 1)))
        assert np.median(angles) < limit, name
