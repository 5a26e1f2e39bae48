"""Joint centres from the gaps of a whole tree, against equations that are built frame by frame."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.simulated_faults import Faults
from benchmarks.simulated_figure import simulated_figure
from jointlimits_core.geometry.quaternion import matrix_from_quaternion
from jointlimits_core.skeleton_fit import tree_centres
from jointlimits_core.skeleton_fit.fit import fit_skeleton
from jointlimits_core.skeleton_fit.noise import orientation_noise, position_noise
from jointlimits_core.skeleton_fit.result import BodyOptions
from jointlimits_core.skeleton_fit.tree_centres import REACH, UNKNOWN_M
from tests.support.linkages import pair_by_pair

PLAIN = BodyOptions(robust="off", find_slips="off")


@pytest.fixture(scope="module")
def trial():
    return simulated_figure(5, seconds=12.0, motion_deg=12.0, faults=Faults(0.004, 0.5))


def one_by_one(tracks):
    """The fit without the step that is tested."""
    with pytest.MonkeyPatch.context() as patch:
        pair_by_pair(patch)
        return fit_skeleton(tracks, PLAIN)


@pytest.fixture(scope="module")
def pairwise(trial):
    return one_by_one(trial.tracks)


def errors_m(trial, fit):
    """Distances of the joints of the right pairs from the truth, in the child."""
    return [
        np.linalg.norm(joint.centre_in_child - trial.outboard[joint.child])
        for joint in fit.joints
        if trial.parents[joint.child] == joint.parent
    ]


def naive_changes(fit, posed):
    """Changes of the places by one equation a frame, joint and coordinate, as they are written.

    And their covariance: the smoothed orientations have noise of their own.
    """
    tracks, joints = fit.tracks, fit.joints
    turns = matrix_from_quaternion(np.swapaxes(tracks.rotations, 1, 2))
    around = [shift for shift in range(-REACH, REACH + 1) if shift]
    frames = range(REACH, tracks.frame_count - REACH)
    gaps, own, smooth = [], [], []
    for frame in frames:
        gap = []
        row, smooth_row = np.zeros((2, 3 * len(joints), 6 * len(joints)))
        for at, joint in enumerate(joints):
            ends = joint.centre_in_child, joint.centre_in_parent
            reach = [
                turns[body, frame] @ end + tracks.positions[body, frame]
                for body, end in zip((joint.child, joint.parent), ends)
            ]
            gap += list(reach[0] - reach[1])
            for body, sign, first in ((joint.child, 1.0, 0), (joint.parent, -1.0, 3)):
                columns = slice(6 * at + first, 6 * at + first + 3)
                row[3 * at : 3 * at + 3, columns] = sign * turns[body, frame]
                beside = [turns[body, frame + shift].ravel() for shift in around]
                value = np.polynomial.polynomial.polyfit(around, np.array(beside), 2)[0]
                smooth_row[3 * at : 3 * at + 3, columns] = sign * value.reshape(3, 3)
        gaps.append(gap)
        own.append(row)
        smooth.append(smooth_row)
    each = np.array(gaps).reshape(len(gaps), len(joints), 3)
    covariance = np.einsum("fjd,fkd->jk", each, each) / (3 * len(each))
    independent = float(np.median([joint.independent_frames for joint in joints]))
    share = len(joints) / (len(joints) + 3.0 * independent)
    covariance = (1 - share) * covariance + share * np.diag(np.diag(covariance))
    alike = np.kron(np.linalg.inv(covariance), np.eye(3))
    stretch = round(0.4 * tracks.frame_rate)
    weights = [
        np.linalg.inv(naive_covariance(fit, frame // stretch * stretch + stretch // 2))
        if posed
        else alike
        for frame in frames
    ]
    directions, firm = [], []
    for at, joint in enumerate(joints):
        known = np.isfinite(joint.deviation_m)
        for sign in (1.0, -1.0):
            for axis in range(3):
                direction = np.zeros(6 * len(joints))
                direction[6 * at : 6 * at + 3] = joint.directions_in_child[axis]
                direction[6 * at + 3 : 6 * at + 6] = sign * joint.directions_in_parent[axis]
                directions.append(direction / np.sqrt(2.0))
                firm.append(0.0 if sign < 0 or known[axis] else UNKNOWN_M**-2)
    basis, firm = np.array(directions).T, np.array(firm)
    matrix = sum(s.T @ w @ o for s, w, o in zip(smooth, weights, own))
    squares = sum(s.T @ w @ s for s, w in zip(smooth, weights))
    pulls = sum(s.T @ w @ np.array(g) for s, w, g in zip(smooth, weights, gaps))
    inverse = np.linalg.inv(basis.T @ matrix @ basis + np.diag(firm))
    found = basis * (firm == 0.0)
    spread = found @ inverse @ (basis.T @ squares @ basis + np.diag(firm)) @ inverse.T @ found.T
    return (-found @ inverse @ basis.T @ pulls).reshape(len(joints), 6), spread


def naive_covariance(fit, frame):
    """Covariance of all gaps by small changes of one body after the other."""
    tracks = fit.tracks
    turns = matrix_from_quaternion(np.swapaxes(tracks.rotations, 1, 2))
    turns = turns[:, min(frame, tracks.frame_count - 1)]
    tilts, shifts = orientation_noise(tracks, fit.used), position_noise(tracks, fit.used)
    total = np.zeros((3 * len(fit.joints), 3 * len(fit.joints)))
    for body in range(len(tracks)):
        columns = np.zeros((3 * len(fit.joints), 6))
        for at, joint in enumerate(fit.joints):
            for own, end, sign in (
                (joint.child, joint.centre_in_child, 1.0),
                (joint.parent, joint.centre_in_parent, -1.0),
            ):
                if own == body:
                    changes = [np.eye(3)[axis] for axis in range(3)]
                    changes += [turns[body] @ np.cross(np.eye(3)[axis], end) for axis in range(3)]
                    columns[3 * at : 3 * at + 3] = sign * np.array(changes).T
        noise = np.zeros((6, 6))
        noise[:3, :3], noise[3:, 3:] = shifts[body] * np.eye(3), tilts[body]
        total += columns @ noise @ columns.T
    return total


LONG = [pytest.param(posed, 150, marks=pytest.mark.thorough) for posed in (False, True)]


@pytest.mark.parametrize(("posed", "frames"), [*LONG, (True, 146)])
def test_places_are_those_of_the_equations_written_out(trial, posed, frames, monkeypatch):
    # Of 146 frames the last stretch of 24 has two, fewer than a window.
    if not posed:
        monkeypatch.setattr(tree_centres, "MOST_POSED", 0)
    short = trial.tracks.take(range(frames))
    fit = one_by_one(short)
    found = tree_centres.tree_centres([short], short, fit.used, fit.joints)
    changes, spread = naive_changes(fit, posed)
    compared = 0
    for at, (joint, before, change) in enumerate(zip(found, fit.joints, changes)):
        if joint is not before:
            known, along = np.isfinite(joint.deviation_m), joint.directions_in_child
            own = spread[6 * at : 6 * at + 3, 6 * at : 6 * at + 3]
            repeated = joint.frames_used / joint.independent_frames
            squares = np.einsum("kd,de,ke->k", along, own, along) * repeated
            np.testing.assert_allclose(joint.deviation_m[known] ** 2, squares[known], rtol=1e-6)
            np.testing.assert_allclose(
                joint.centre_in_child - before.centre_in_child, change[:3], atol=1e-9
            )
            np.testing.assert_allclose(
                joint.centre_in_parent - before.centre_in_parent, change[3:], atol=1e-9
            )
            compared += 1
    assert compared >= len(found) // 2


def test_places_are_nearer_and_so_are_their_deviations(trial, pairwise):
    together = fit_skeleton(trial.tracks, PLAIN)
    assert together.parents.tolist() == pairwise.parents.tolist()
    before, after = (np.mean(errors_m(trial, fit)) for fit in (pairwise, together))
    assert after < 0.85 * before
    for one, other in zip(together.joints, pairwise.joints):
        known = np.isfinite(other.deviation_m)
        assert np.array_equal(known, np.isfinite(one.deviation_m))
        assert np.linalg.norm(one.deviation_m[known]) <= np.linalg.norm(other.deviation_m[known])


def test_tracks_without_noise_keep_their_places():
    exact = simulated_figure(5, seconds=4.0)
    fit = fit_skeleton(exact.tracks, PLAIN)
    assert max(errors_m(exact, fit)) < 1e-9


def test_windows_stay_in_one_clip_and_in_frames_that_count(trial):
    clips = [trial.tracks.take(range(100)), trial.tracks.take(range(100, 130))]
    used = np.ones((len(trial.tracks), 130), dtype=bool)
    used[3, 50] = False
    whole = tree_centres._with_neighbours(clips, used)
    expected = np.zeros(130, dtype=bool)
    expected[REACH : 100 - REACH] = expected[100 + REACH : 130 - REACH] = True
    np.testing.assert_array_equal(whole[0], expected)
    expected[50 - REACH : 50 + REACH + 1] = False
    np.testing.assert_array_equal(whole[3], expected)


def test_few_frames_and_trees_that_are_too_large_keep_their_places(trial, pairwise, monkeypatch):
    used = pairwise.used.copy()
    used[:, 50:] = False
    joints = pairwise.joints
    assert tree_centres.tree_centres([trial.tracks], trial.tracks, used, joints) == list(joints)
    monkeypatch.setattr(tree_centres, "MOST_PRODUCTS", 1000)
    everything = tree_centres.tree_centres([trial.tracks], trial.tracks, pairwise.used, joints)
    assert everything == list(joints)
