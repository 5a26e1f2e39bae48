"""Several clips of the same bodies: one skeleton, and what is each clip's own."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from benchmarks.bodies_faults import centre_errors
from benchmarks.simulated_faults import Faults, Slip, swapped
from benchmarks.simulated_figure import simulated_figure
from jointlimits_core.base.errors import EstimationError, InputError
from jointlimits_core.base.progress import PARTS, Cancelled
from jointlimits_core.formats.read_bodies import read_bodies, read_body_clips
from jointlimits_core.geometry.quaternion import rotate
from jointlimits_core.skeleton_fit import spectral
from jointlimits_core.skeleton_fit.build import motions, pooled_motions
from jointlimits_core.skeleton_fit.clips import frames_of, markers_end_to_end
from jointlimits_core.skeleton_fit.fit import fit_pooled, fit_skeleton, plain_fit
from jointlimits_core.skeleton_fit.marker_bodies import bodies_from_clips
from jointlimits_core.skeleton_fit.result import BodyOptions
from tests.support.linkages import Linkage, plain_skeleton
from tests.support.marker_examples import PLATE, shape_markers, tracks_of, wandering, write_c3d

NOISE = Faults(noise=0.007, noise_deg=1.0)
SKIN = Faults(wobble=0.03, wobble_deg=8.0)


def cut(tracks, *at):
    """Clips of a recording, with names and frame numbers of their own."""
    bounds = [0, *at, tracks.frame_count]
    clips = [tracks.keep_frames(range(start, stop)) for start, stop in zip(bounds, bounds[1:])]
    return [replace(clip, name=f"clip {number}") for number, clip in enumerate(clips, 1)]


def rules(fit):
    return {finding.rule for finding in fit.findings}


# --- joints ------------------------------------------------------------------------------------


@pytest.mark.thorough
def test_a_recording_cut_into_clips_has_the_skeleton_of_the_whole():
    trial = simulated_figure(2, seconds=15.0, faults=NOISE)
    whole = fit_skeleton(trial.tracks)
    fits = fit_pooled(cut(trial.tracks, 200, 500))
    assert [fit.tracks.frame_count for fit in fits] == [200, 300, 400]
    for fit in fits:
        assert fit.joints is fits[0].joints
        np.testing.assert_array_equal(fit.parents, whole.parents)
        for joint, same in zip(fit.joints, whole.joints):
            np.testing.assert_allclose(joint.centre_in_child, same.centre_in_child, atol=1e-9)
            assert joint.residual_m == pytest.approx(same.residual_m)
    np.testing.assert_array_equal(np.hstack([fit.used for fit in fits]), whole.used)


def chain(still, frames=300):
    """An arm of one geometry, one of whose joints does not move."""
    linkage = Linkage(3, frames).free("trunk")
    for name, above in (("upper arm", "trunk"), ("forearm", "upper arm"), ("hand", "forearm")):
        linkage.join(name, above, vectors=np.zeros((frames, 3)) if name == still else None)
    return replace(linkage.tracks(), name=f"{still} still")


def test_what_no_clip_shows_alone_all_of_them_do():
    clips = [chain("forearm"), chain("upper arm")]
    for clip in clips:
        assert "rigid" in {joint.kind for joint in plain_skeleton(clip).joints}
    pooled = plain_fit(clips, BodyOptions())
    assert {joint.kind for joint in pooled.joints} == {"ball"}
    edges = {frozenset((pooled.names[j.child], pooled.names[j.parent])) for j in pooled.joints}
    assert edges == {
        frozenset(pair)
        for pair in (("trunk", "upper arm"), ("upper arm", "forearm"), ("forearm", "hand"))
    }
    assert max(joint.residual_m for joint in pooled.joints) < 1e-9


@pytest.mark.thorough
def test_lines_of_two_walks_say_what_both_say():
    walks = simulated_figure(1, "walk", seconds=90.0, faults=SKIN).tracks
    found = [spectral.motion_lines(clip) for clip in cut(walks, 2700)]
    clips = cut(walks, 2700)
    both = spectral.lines_of_clips(clips, walks.present)
    assert len(both.lines) == sum(len(one.lines) for one in found)
    weights = spectral.evidence_weights(both)
    pairs = [(1, 0), (5, 4), (9, 2), (15, 3)]
    naive = np.array([-naive_log_evidence(found, *pair) for pair in pairs])
    ours = np.array([weights[pair] for pair in pairs])
    np.testing.assert_allclose(ours - ours[0], naive - naive[0], rtol=1e-6, atol=1e-6)


def naive_log_evidence(clips, one, other):
    """Density of all equations of both clips as one normal vector; no marginal is taken."""
    scale = spectral.neighbour_distance(np.concatenate([clip.means for clip in clips]))
    sides, gaps, variances = [], [], []
    for clip in clips:
        for line, level in zip(clip.lines, clip.level):
            turning = level[[one, other], :3].sum() * (spectral.LEVER_SHARE * scale) ** 2 / 3.0
            put(sides, gaps, line, one, other)
            variances += [level[one, 3] + level[other, 3] + turning] * 3
        put(sides, gaps, clip.means[0], one, other)
        variances += [spectral.MEAN_DEVIATION_M**2] * 3
    sides = np.concatenate(sides)
    covariance = np.diag(variances) + (spectral.PRIOR_SHARE * scale) ** 2 * sides @ sides.T
    gap = np.concatenate(gaps)
    return -0.5 * gap @ np.linalg.solve(covariance, gap) - 0.5 * np.linalg.slogdet(covariance)[1]


def put(sides, gaps, values, one, other):
    sides.append(np.hstack([values[:, one, :3], -values[:, other, :3]]))
    gaps.append(values[:, other, 3] - values[:, one, 3])


@pytest.mark.slow
def test_joints_of_a_pooled_walk_are_nearer_than_those_of_a_part():
    off = {"part": [], "whole": []}
    for seed in range(3):
        trial = simulated_figure(3100 + seed, "walk", seconds=135.0, faults=SKIN)
        clips = cut(trial.tracks, 2700, 5400)
        for name, chosen in (("part", clips[:1]), ("whole", clips)):
            off[name] += centre_errors(plain_fit(chosen, BodyOptions()), trial)
    assert np.mean(off["whole"]) < 0.85 * np.mean(off["part"])


# --- what is each clip's own -------------------------------------------------------------------


@pytest.mark.thorough
def test_a_slip_is_in_its_own_clip_and_at_its_own_time():
    slip = Slip("left hand", 30.0, distance=0.02)
    trial = simulated_figure(1, seconds=45.0, faults=replace(NOISE, slips=(slip,)))
    first, second = cut(trial.tracks, 1200)  # 20 s
    fits = fit_pooled([first, second])
    assert fits[0].slips == ()
    (found,) = fits[1].slips
    assert found.body == "left hand"
    assert found.seconds == pytest.approx(10.0, abs=0.5)
    assert found.frame == pytest.approx(1800, abs=30)
    assert ("slip" in rules(fits[0]), "slip" in rules(fits[1])) == (False, True)


@pytest.mark.thorough
def test_swapped_bodies_are_changed_back_in_their_own_clip():
    trial = simulated_figure(1, seconds=20.0, faults=NOISE)
    mixed = swapped(trial.tracks, "left hand", "right hand", 700, 760)
    clips = cut(mixed, 600)
    fits = fit_pooled(clips)
    assert "swaps" not in fits[0].extra
    (swap,) = fits[1].extra["swaps"]
    assert {swap.first, swap.second} == {"left hand", "right hand"}
    # Where the hands are near each other no joint tells them apart, but the frames around do.
    assert swap.frame_ranges == ((700.0, 759.0),)
    true = trial.tracks.keep_frames(range(600, 1200)).positions
    np.testing.assert_array_equal(fits[1].tracks.positions, true)


@pytest.mark.thorough
def test_frames_left_out_are_named_by_the_numbers_of_their_clip():
    trial = simulated_figure(1, seconds=20.0, faults=NOISE)
    positions = trial.tracks.positions.copy()
    positions[3, 900:905] += 5.0
    fits = fit_pooled(cut(replace(trial.tracks, positions=positions), 600))
    assert "outliers" not in rules(fits[0])
    (reported,) = [finding for finding in fits[1].findings if finding.rule == "outliers"]
    assert reported.frame_ranges == ((900.0, 904.0),)
    assert (reported.clip, reported.joint) == ("clip 2", trial.tracks.names[3])


@pytest.mark.thorough
@pytest.mark.parametrize("moved", [False, True])
def test_a_sensor_that_was_moved_between_clips_is_reported(moved):
    trial = simulated_figure(1, seconds=30.0, faults=NOISE)
    first, second = cut(trial.tracks, 900)
    body = second.index("left forearm")
    if moved:
        positions = second.positions.copy()
        positions[body] += rotate(second.rotations[body].T, np.array([0.06, 0.0, 0.04]))
        second = replace(second, positions=positions)
    reported = [f for fit in fit_pooled([first, second]) for f in fit.findings]
    moves = [finding for finding in reported if finding.rule == "moved-between-clips"]
    assert bool(moves) == moved
    assert all("left forearm" in finding.message for finding in moves)


# --- which bodies ------------------------------------------------------------------------------


@pytest.mark.thorough
def test_bodies_are_matched_by_name_and_those_of_one_clip_are_left_out():
    tracks = simulated_figure(2, seconds=10.0, faults=NOISE).tracks
    first, second = cut(tracks, 300)
    shuffled = second.choose_bodies(reversed(second.names)).choose_bodies(
        [n for n in second.names if n != "head"]
    )
    fits = fit_pooled([first, shuffled.choose_bodies(reversed(shuffled.names))])
    assert all(fit.names == tuple(n for n in tracks.names if n != "head") for fit in fits)
    reported = [f for f in fits[0].findings if f.rule == "not-in-all-clips"]
    assert [finding.joint for finding in reported] == ["head"]
    same = fit_pooled([first.choose_bodies(fits[0].names), second.choose_bodies(fits[0].names)])
    np.testing.assert_array_equal(fits[1].residuals_m, same[1].residuals_m)


@pytest.mark.thorough
def test_a_body_never_seen_in_a_clip_counts_as_missing():
    first, second = cut(simulated_figure(2, seconds=10.0, faults=NOISE).tracks, 300)
    present = second.present.copy()
    present[second.index("head")] = False
    assert "head" not in fit_pooled([first, replace(second, present=present)])[0].names


def test_clips_that_cannot_be_pooled():
    with pytest.raises(ValueError, match="at least one clip must be given"):
        fit_pooled([])
    tracks = simulated_figure(2, seconds=5.0).tracks
    other = replace(tracks, names=tuple(f"other {name}" for name in tracks.names))
    with pytest.raises(EstimationError, match="have no bodies in common"):
        fit_pooled([tracks, other])
    millimetres = replace(tracks, positions=1000.0 * tracks.positions, name="in mm")
    with pytest.raises(EstimationError, match=r"in mm.*times as far.*unit"):
        fit_pooled([tracks, tracks, millimetres])


def test_it_can_be_stopped():
    clips = cut(simulated_figure(2, seconds=5.0).tracks, 100)
    labels = []

    def progress(done, total, label):
        labels.append((done, total, label))
        return done < 1

    with pytest.raises(Cancelled):
        fit_pooled(clips, progress=progress)
    assert [label[:2] for label in labels] == [(0, 2), (1, 2)]


# --- motions -----------------------------------------------------------------------------------


@pytest.mark.thorough
def test_all_clips_move_one_skeleton():
    trial = simulated_figure(3, seconds=15.0, faults=NOISE)
    fits = fit_pooled(cut(trial.tracks, 300))
    ((one, two),) = pooled_motions(fits)
    assert one.skeleton is two.skeleton
    assert [one.name, two.name] == ["clip 1", "clip 2"]
    (whole,) = motions(fit_skeleton(trial.tracks))
    np.testing.assert_allclose(whole.skeleton.offsets, one.skeleton.offsets, atol=1e-9)
    world = np.concatenate([one.all_world_matrices(), two.all_world_matrices()])
    np.testing.assert_allclose(world, whole.all_world_matrices(), atol=1e-9)
    np.testing.assert_array_equal(two.frames, np.arange(300, 900))


# --- bodies of markers -------------------------------------------------------------------------


def legs(seed, frames=200):
    """Two clusters joined by a ball, in a motion of its own."""
    turns, places = wandering(frames, seed)
    bent = wandering(frames, seed + 50)[0]
    joint = places + turns @ np.array([0.0, -0.2, 0.0])
    lower = shape_markers(PLATE + np.array([0.0, -0.25, 0.0]), turns @ bent, joint)
    upper = shape_markers(PLATE, turns, places)
    names = [f"{part}{number}" for part in ("thigh", "shin") for number in (1, 2, 3, 4)]
    return replace(tracks_of(names, np.concatenate([upper, lower])), name=f"walk {seed}")


def local_markers(tracks, markers, body):
    """Where the markers are in a body's own axes, (markers, frames, 3)."""
    index = tracks.index(body)
    chosen = [row for row, name in enumerate(markers.names) if name.startswith(body)]
    apart = markers.positions[chosen] - tracks.positions[index]
    return np.einsum("fji,mfj->mfi", tracks.matrices()[index], apart)


def test_a_group_has_the_same_axes_in_all_clips():
    clips = [legs(1), legs(2), legs(3)]
    pooled = bodies_from_clips(clips)
    for body in ("thigh", "shin"):
        places = [local_markers(tracks, clip, body) for tracks, clip in zip(pooled, clips)]
        for place in places:
            np.testing.assert_allclose(place - places[0][:, :1], 0.0, atol=1e-9)
    assert max(joint.residual_m for joint in fit_pooled(pooled)[0].joints) < 1e-9
    # Made one by one they have not, and no joint fits them all.
    apart = [bodies_from_clips([clip])[0] for clip in clips]
    assert plain_fit(apart, BodyOptions()).residuals_m[0, 1] > 0.02


def test_markers_are_matched_by_label_and_may_be_missing_from_a_clip():
    first, second = legs(1), legs(2)
    order = [name for name in reversed(second.names) if name != "shin2"]
    rows = [second.names.index(name) for name in order]
    fewer = replace(
        second, names=tuple(order), positions=second.positions[rows], present=second.present[rows]
    )
    joined = markers_end_to_end([first, fewer])
    assert joined.names == first.names
    assert not joined.present[joined.names.index("shin2"), frames_of([first, fewer])[1]].any()
    pooled = bodies_from_clips([first, fewer])
    assert [tracks.names for tracks in pooled] == [("thigh", "shin")] * 2
    assert all(tracks.present.all() for tracks in pooled)
    assert [tracks.name for tracks in pooled] == ["walk 1", "walk 2"]
    assert max(joint.residual_m for joint in fit_pooled(pooled)[0].joints) < 1e-9


def test_what_is_wrong_in_one_clip_is_reported_for_that_clip():
    first, second = legs(1), legs(2)
    positions = second.positions.copy()
    positions[0, 50:60] += np.array([0.0, 0.0, 0.08])
    pooled = bodies_from_clips([first, replace(second, positions=positions)])
    reported = [
        [f for f in tracks.findings if f.rule == "cluster-out-of-shape"] for tracks in pooled
    ]
    assert reported[0] == []
    assert [f.frame_ranges for f in reported[1]] == [((50.0, 59.0),)]
    assert not pooled[1].present[0, 50:60].any()
    assert pooled[0].present.all()


@pytest.mark.thorough
def test_files_of_one_performer_are_read_together(tmp_path):
    clips = [legs(1), legs(2)]
    paths = [tmp_path / f"{clip.name}.c3d" for clip in clips]
    for path, clip in zip(paths, clips):
        write_c3d(path, (clip.names, clip.positions))
    steps = []
    found = read_body_clips(paths, progress=lambda *step: steps.append(step) is None)
    assert steps == [
        (0, PARTS, "reading walk 1.c3d (1 of 2)"),
        (PARTS // 2, PARTS, "reading walk 2.c3d (2 of 2)"),
    ]
    assert [tracks.name for tracks in found] == ["walk 1", "walk 2"]
    # Single precision in the file.
    assert max(joint.residual_m for joint in fit_pooled(found)[0].joints) < 1e-5
    alone = read_bodies(paths[0])
    np.testing.assert_allclose(alone.positions, found[0].positions, atol=1e-5)
    with pytest.raises(InputError, match=r"walk 1.c3d.*no marker is called 'knee"):
        read_body_clips(paths, groups={"knee": ["knee*"]})
    with pytest.raises(
        ValueError, match="grouping must be auto, distance, ending, set or a mapping"
    ):
        read_body_clips(paths, groups="luck")
