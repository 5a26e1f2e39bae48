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


def test_gaps_are_where_numbers_are_missing():
    matrices = STILL.copy()
    matrices[2, 1] = np.nan
    tracks = BodyTracks.from_matrices(["a", "b"], matrices, 60.0)
    assert tracks.present.tolist() == [[True] * 5, [True, True, False, True, True]]
    assert np.isnan(tracks.quaternion("b")[2]).all()
    assert tracks.take([1, 2]).present.tolist() == [[True, True], [True, False]]
    assert tracks.only(["b"]).names == ("b",)


def mirrored():
    matrices = STILL.copy()
    matrices[3, 1, 0, 0] = -1.0
    return BodyTracks.from_matrices(["a", "b"], matrices, 60.0)


def scaled():
    matrices = STILL.copy()
    matrices[:, 0, :3, :3] *= 1.5
    return BodyTracks.from_matrices(["a", "b"], matrices, 60.0)


def not_unit():
    turns = np.zeros((2, 4, 5))
    turns[:, 3] = 1.0
    turns[1, :, 4] *= 1.01
    return BodyTracks(("a", "b"), np.zeros((2, 5, 3)), turns, 60.0)


def missing_but_present():
    matrices = STILL.copy()
    matrices[2, 1] = np.nan
    return BodyTracks.from_matrices(["a", "b"], matrices, 60.0, present=np.ones((5, 2)))


@pytest.mark.parametrize(
    ("build", "expected"),
    [
        (mirrored, "'b' are mirrored .* frame 3"),
        (scaled, "'a' scales or shears"),
        (not_unit, "'b' has a rotation that is not a unit quaternion at frame 4"),
        (missing_but_present, "'b' has numbers that are not finite at frame 2"),
        (lambda: BodyTracks.from_matrices(["a", "a"], STILL, 60.0), "'a' is used twice"),
        (lambda: BodyTracks.from_matrices(["a"], STILL, 60.0), "have shape"),
        (lambda: BodyTracks.from_matrices(["a", "b"], STILL, 0.0), "not positive"),
        (
            lambda: BodyTracks.from_matrices(["a", "b"], STILL, 60.0, frames=[0, 1, 2, 2, 3]),
            "do not increase",
        ),
    ],
)
def test_what_cannot_be_tracks_is_refused(build, expected):
    with pytest.raises(ValueError, match=expected):
        build()


def test_two_frames_are_too_few():
    with pytest.raises(EstimationError, match="2 usable frames; at least 6"):
        fit_skeleton(arm().tracks().take([0, 1]))


def test_one_body_has_no_joints():
    with pytest.raises(EstimationError, match="one body, 'trunk'"):
        fit_skeleton(arm().tracks().only(["trunk"]))


def test_one_body_in_millimetres_is_named():
    tracks = arm().tracks()
    tracks.positions[2] *= 1000.0
    with pytest.raises(EstimationError, match=r"'forearm' .* another unit"):
        fit_skeleton(tracks)


def test_all_bodies_in_millimetres_are_a_finding():
    tracks = arm().tracks()
    tracks.positions[...] *= 1000.0
    assert "units" in {finding.rule for finding in fit_skeleton(tracks).findings}


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
