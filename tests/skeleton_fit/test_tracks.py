"""Tracks of loose bodies: what is taken, and what is refused by name."""

from __future__ import annotations

import numpy as np
import pytest

from jointlimits_core.base.errors import EstimationError
from jointlimits_core.skeleton_fit.fit import fit_skeleton
from jointlimits_core.skeleton_fit.tracks import BodyTracks
from tests.support.linkages import arm, smooth

STILL = np.tile(np.eye(4), (5, 2, 1, 1))


def test_matrices_come_back():
    tracks = arm().tracks()
    matrices = np.tile(np.eye(4), (tracks.frame_count, len(tracks), 1, 1))
    matrices[..., :3, :3] = np.swapaxes(tracks.matrices(), 0, 1)
    matrices[..., :3, 3] = 1000.0 * np.swapaxes(tracks.positions, 0, 1)
    again = BodyTracks.from_matrices(tracks.names, matrices, 60.0, meters_per_unit=0.001)
    np.testing.assert_allclose(again.positions, tracks.positions, atol=1e-15)
    np.testing.assert_allclose(again.matrices(), tracks.matrices(), atol=1e-14)


def changed(place, value, **rest):
    """Two still bodies, some numbers of whose matrices are other ones."""
    matrices = STILL.copy()
    matrices[place] = value
    return BodyTracks.from_matrices(["a", "b"], matrices, 60.0, **rest)


def test_gaps_are_where_numbers_are_missing():
    tracks = changed((2, 1), np.nan)
    assert tracks.present.tolist() == [[True] * 5, [True, True, False, True, True]]
    assert np.isnan(tracks.quaternion("b")[2]).all()
    assert tracks.keep_frames([1, 2]).present.tolist() == [[True, True], [True, False]]
    assert tracks.choose_bodies(["b"]).names == ("b",)


def not_unit():
    turns = np.zeros((2, 4, 5))
    turns[:, 3] = 1.0
    turns[1, :, 4] *= 1.01
    return BodyTracks(("a", "b"), np.zeros((2, 5, 3)), turns, 60.0)


@pytest.mark.parametrize(
    ("build", "expected"),
    [
        (lambda: changed((3, 1, 0, 0), -1.0), "'b' are mirrored .* frame 3"),
        (lambda: changed((slice(None), 0, 0, 0), 1.5), "'a' scales or shears"),
        (not_unit, "'b' has a rotation that is not a unit quaternion at frame 4"),
        (
            lambda: changed((2, 1), np.nan, present=np.ones((5, 2))),
            "'b' has numbers that are not finite at frame 2",
        ),
        (lambda: BodyTracks.from_matrices(["a", "a"], STILL, 60.0), "'a' is used twice"),
        (lambda: BodyTracks.from_matrices(["a"], STILL, 60.0), "must have shape"),
        (
            lambda: BodyTracks.from_matrices(["a", "b"], STILL, 0.0),
            "must be finite and greater than 0",
        ),
        (lambda: changed((), STILL, frames=[0, 1, 2, 2, 3]), "must increase"),
    ],
)
def test_what_cannot_be_tracks_is_refused(build, expected):
    with pytest.raises(ValueError, match=expected):
        build()


def in_millimetres(bodies):
    tracks = arm().tracks()
    tracks.positions[bodies] *= 1000.0
    return tracks


@pytest.mark.parametrize(
    ("tracks", "expected"),
    [
        (arm().tracks().keep_frames([0, 1]), "2 usable frames; at least 6"),
        (arm().tracks().choose_bodies(["trunk"]), "one body, 'trunk'"),
        (in_millimetres(2), r"'forearm' .* different unit"),
    ],
    ids=["two frames", "one body", "one in millimetres"],
)
def test_tracks_without_a_skeleton_are_refused(tracks, expected):
    with pytest.raises(EstimationError, match=expected):
        fit_skeleton(tracks)


def test_all_bodies_in_millimetres_are_a_finding():
    found = fit_skeleton(in_millimetres(slice(None))).findings
    assert "units" in {finding.rule for finding in found}


def test_a_body_that_never_moves_and_one_never_seen():
    linkage = arm()
    linkage.free("camera")
    linkage.positions[-1][:], linkage.rotations[-1][:] = [1.0, 0, 0], [0, 0, 0, 1.0]
    linkage.free("lost")
    present = np.ones((6, len(smooth(0))), dtype=bool)
    present[5] = False
    fit = fit_skeleton(linkage.tracks(present=present))
    found = {(finding.rule, finding.joint) for finding in fit.findings}
    assert {("never-moves", "camera"), ("never-seen", "lost")} <= found
    assert [fit.names[body] for body in fit.free] == ["camera", "lost"]
