"""Which axis is up: as files say, by a guess, by an option; and everything turned so that Y is."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from benchmarks.simulated_faults import Faults
from benchmarks.simulated_figure import simulated_figure
from jointlimits_core.base.options import options_of
from jointlimits_core.cli.main import main
from jointlimits_core.formats.body_csv import BodyCsvError
from jointlimits_core.formats.read_bodies import read_bodies, read_clips
from jointlimits_core.geometry.quaternion import multiply
from jointlimits_core.report.html.skeleton_figure import skeleton_points
from jointlimits_core.skeleton_fit.fit import fit_skeleton
from jointlimits_core.skeleton_fit.track_conventions import points_with_y_up, turn_upright, up_axis
from jointlimits_core.skeleton_fit.tracks import BodyTracks
from tests.support.body_tables import write_table
from tests.support.shared_data import shared_path

STANDING = simulated_figure(4, "walk", seconds=12.0, faults=Faults(0.004, 0.5)).tracks
HALF = np.sqrt(0.5)


def in_a_laboratory(tracks: BodyTracks) -> BodyTracks:
    """The same with Z up: a quarter turn about X, written out."""
    x, y, z = np.moveaxis(tracks.positions, -1, 0)
    turns = multiply(np.array([HALF, 0.0, 0.0, HALF]), np.moveaxis(tracks.rotations, 1, 2))
    return replace(
        tracks,
        positions=np.stack([x, -z, y], axis=-1),
        rotations=np.ascontiguousarray(np.moveaxis(turns, 2, 1)),
    )


def values(**changed):
    return {**{item.name: item.default for item in options_of("tracks")}, **changed}


def test_a_guess_tells_laboratories_from_scenes():
    assert up_axis([STANDING]) == "y"
    assert up_axis([in_a_laboratory(STANDING)]) == "z"
    assert up_axis([replace(in_a_laboratory(STANDING), up="y")]) == "y"
    never = replace(STANDING, present=np.zeros_like(STANDING.present))
    assert up_axis([never]) == "y"


def test_tracks_are_turned_as_a_whole():
    lab = in_a_laboratory(STANDING)
    (turned,) = turn_upright([lab])
    np.testing.assert_allclose(turned.positions, STANDING.positions, atol=1e-12)
    same = np.abs(np.sum(turned.rotations * STANDING.rotations, axis=1))
    np.testing.assert_allclose(same, 1.0, atol=1e-12)
    np.testing.assert_allclose(points_with_y_up(lab.positions, "z"), turned.positions)
    assert turned.up == "y"
    (reported,) = turned.findings
    assert reported.rule == "turned-upright"
    assert "it appears to be Z" in reported.message
    assert turn_upright([turned])[0].findings == turned.findings  # once, and not again


def test_what_was_asked_for_or_stated_goes_before_the_guess():
    lab = in_a_laboratory(STANDING)
    np.testing.assert_array_equal(turn_upright([lab], "y")[0].positions, lab.positions)
    assert turn_upright([lab], "y")[0].findings == ()
    np.testing.assert_allclose(
        turn_upright([replace(lab, up="y")], "z")[0].positions, STANDING.positions, atol=1e-12
    )
    (turned,) = turn_upright([replace(lab, up="z")])
    assert "Z is up in the file" in turned.findings[0].message
    with pytest.raises(ValueError, match="'x'"):
        turn_upright([lab], "x")


def test_clips_of_one_room_are_guessed_together():
    lab = in_a_laboratory(STANDING)
    # Crouched, one alone would be taken for as wide as tall.
    low = replace(lab, positions=lab.positions * [1.0, 1.0, 0.1])
    assert up_axis([low]) == "y"
    assert [clip.findings[0].rule for clip in turn_upright([lab, low])] == ["turned-upright"] * 2


def test_bodies_that_are_missing_do_not_hide_it():
    lab = in_a_laboratory(STANDING)
    for hidden in ((lab.names[0], slice(None)), (lab.names[1], slice(0, 400))):
        present = np.array(lab.present)
        present[lab.index(hidden[0]), hidden[1]] = False
        present[-1, 400:] = False
        assert up_axis([replace(lab, present=present)]) == "z"


def test_an_unknown_up_axis_is_reported():
    (reported,) = turn_upright([STANDING.choose_bodies(["pelvis"])])[0].findings
    assert reported.rule == "way-up-unknown"
    assert "it is not clear from the motion; Y is assumed" in reported.message
    assert "--up z" in reported.message
    assert turn_upright([STANDING.choose_bodies(["pelvis"])], "y")[0].findings == ()


def test_clips_that_disagree_are_reported():
    one = replace(in_a_laboratory(STANDING), name="standing")
    clips = turn_upright(
        [one, replace(STANDING, name="lying"), replace(STANDING, name="known", up="y")]
    )
    assert [[item.rule for item in clip.findings] for clip in clips] == [["way-up-unknown"]] * 2 + [
        []
    ]
    assert "the clips disagree (Z seems to be up in standing" in clips[0].findings[0].message


@pytest.mark.thorough
def test_joints_do_not_depend_on_it():
    fits = [fit_skeleton(one) for one in (STANDING, in_a_laboratory(STANDING))]
    assert fits[0].parents.tolist() == fits[1].parents.tolist()
    for one, other in zip(fits[0].joints, fits[1].joints):
        np.testing.assert_allclose(one.centre_in_child, other.centre_in_child, atol=1e-9)
    points = [skeleton_points(fit, np.array([0, 500])) for fit in fits]
    np.testing.assert_allclose(points[0].places, points[1].places, atol=1e-9)


@pytest.mark.thorough
def test_files_stand_upright_in_the_command_line(tmp_path):
    path = write_table(in_a_laboratory(STANDING), tmp_path / "lab.csv")
    asked = ["skeleton", str(path), "--body-root", "pelvis"]
    assert main([*asked, "--out", str(tmp_path / "found")]) == 0
    assert main([*asked, "--up", "y", "--out", str(tmp_path / "lying")]) == 0
    heights = {}
    for folder in ("found", "lying"):
        tracks = read_bodies(tmp_path / folder / "lab.skeleton.bvh")
        scene = read_bodies(tmp_path / folder / "lab.skeleton.ma")
        # Of a BVH the joint of the head stands above the feet.
        up = [one.positions[one.index("head"), :, 1].mean() for one in (tracks, scene)]
        down = [one.positions[one.index("left_foot"), :, 1].mean() for one in (tracks, scene)]
        heights[folder] = np.subtract(up, down)
    assert (heights["found"] > 1.0).all()
    assert (np.abs(heights["lying"]) < 0.5).all()


@pytest.mark.thorough
def test_tables_may_say_it(tmp_path):
    crouched = replace(STANDING, positions=STANDING.positions * [1.0, 0.3, 1.0])
    path = write_table(in_a_laboratory(crouched), tmp_path / "a.csv", settings=["# up: Z"])
    (tracks,) = read_clips([path], values())
    np.testing.assert_allclose(tracks.positions, crouched.positions, atol=1e-6)
    (kept,) = read_clips([path], values(track_up="y"))
    assert not np.allclose(kept.positions, crouched.positions, atol=0.1)
    wrong = write_table(STANDING, tmp_path / "b.csv", settings=["# up: left"])
    with pytest.raises(BodyCsvError, match="up must be y or z, not 'left'"):
        read_bodies(wrong)


@pytest.mark.thorough
def test_c3d_says_what_is_up_on_the_screen():
    for name in ("data/bodies/cmu_02_01.c3d", "data/bodies/biobuddy_right_hip.c3d"):
        tracks = read_bodies(shared_path(name))
        assert tracks.up == "z"  # of the second file it says -Z, and heads are above feet
        (turned,) = turn_upright([tracks])
        together = np.flatnonzero(tracks.present.all(axis=0))
        heights = turned.positions[:, together, 1].mean(axis=1)
        assert np.ptp(heights) > 1.0
        assert heights[[i for i, n in enumerate(tracks.names) if "foot" in n]].max(initial=0) < 0.3
