"""Knees that are measured as ball joints: hinge candidates, their cost, and choosing a hinge."""

from __future__ import annotations

import numpy as np
import pytest

from jointlimits_core.base.errors import EstimationError
from jointlimits_core.cli.main import main
from jointlimits_core.estimation.hinges import MIN_KEPT_OF_HINGE_PARTS, hinge_candidates
from jointlimits_core.estimation.moment import Moment
from jointlimits_core.estimation.options import EstimateOptions
from jointlimits_core.estimation.pipeline import estimate
from jointlimits_core.formats.bvh import write_bvh
from jointlimits_core.geometry.euler import quaternion_from_euler
from jointlimits_core.geometry.quaternion import angle_between
from jointlimits_core.limits.layers import with_edits, without_edits
from jointlimits_core.limits.limit_set import LimitSet, read_limit_set
from jointlimits_core.limits.records import ArtistEdit
from tests.support.made_motion import clip, waves
from tests.support.shared_data import shared_path


def knees(aside):
    """Legs whose knees bend by 60 degrees and turn about their other axes by `aside`."""
    hip = np.stack(waves((-30, 30), (-20, 20), (-25, 25)), axis=1)
    knee = np.stack(waves((5, 65), (-aside, aside), (2 - aside, 2 + aside)), axis=1)
    joints = {"LeftUpLeg": hip, "LeftLeg": knee, "RightUpLeg": hip[::-1], "RightLeg": knee}
    return clip({**joints, "Tail": hip[:, ::-1]})


def test_a_knee_that_turns_aside_is_a_ball_joint_that_could_be_a_hinge():
    motion = knees(12.0)
    found = estimate(motion)
    knee = found.joints["LeftLeg"]
    assert knee.type == "ball"
    assert knee.candidate.hinge.channel == "rotateX"
    assert set(knee.candidate.locked_deg) == {"rotateY", "rotateZ"}
    # Between the frames and the same frames with Y and Z held at the mean.
    rotates = motion.rotates[motion.skeleton.index("LeftLeg")].T
    locked = rotates.copy()
    locked[:, 1:] = np.arctan2(np.sin(rotates), np.cos(rotates)).mean(axis=0)[1:]
    turns = quaternion_from_euler(rotates), quaternion_from_euler(locked)
    lost = np.degrees(angle_between(*turns))
    assert knee.candidate.rms_deg == pytest.approx(np.sqrt(np.mean(lost**2)), rel=0.02)
    assert knee.candidate.worst_deg == pytest.approx(lost.max(), rel=0.02)
    first, last = knee.candidate.frame_ranges[0]
    assert first <= last
    assert found.joints["LeftUpLeg"].candidate is None
    assert found.joints["Tail"].candidate is None
    assert LimitSet.from_json(found.to_json()) == found


def test_candidates_are_joints_of_two_or_three_axes_but_neither_the_root_nor_hips():
    names = "root", "Tail", "LeftUpLeg", "LeftLeg", "RightUpLeg", "RightLeg"
    skeleton = clip(dict.fromkeys(names, np.zeros((1, 3)))).skeleton
    # 20 degrees rms about the mean: the sum of the small values is the square of half of that.
    whole = np.radians(10.0) ** 2

    def found(lost, *types):
        values = [1.0 - whole, (1.0 - lost) * whole, lost * whole, 0.0]
        moment = Moment(np.tile(values, (6, 1)), np.tile(np.eye(4), (6, 1, 1)))
        return [names[row] for row in hinge_candidates(skeleton, moment, types)]

    assert found(0.0, *["ball"] * 6) == ["Tail", "LeftLeg", "RightLeg"]
    assert found(0.0, "universal", "hinge", "ball", "universal", "ball", "fixed") == ["LeftLeg"]
    # A tenth of the motion is much for a joint of no known part, and little for a knee.
    assert found(0.1, *["ball"] * 6) == ["LeftLeg", "RightLeg"]


def test_a_knee_that_is_a_hinge_and_one_that_turns_as_much_aside_as_it_bends_offer_none():
    assert estimate(knees(0.0)).joints["LeftLeg"].candidate is None
    assert estimate(knees(40.0)).joints["LeftLeg"].candidate is None


def test_a_hinge_whose_locks_would_lose_more_than_the_motion_is_offered_only_if_asked():
    """Near gimbal lock, X and Z swing far and cancel each other."""
    turn, bend, aside = waves((-60, 60), (60, 89), (-4, 4))
    knee = np.stack([turn, bend, turn + aside], axis=1)
    motion = clip(
        {"LeftUpLeg": knee[:, ::-1] / 3, "LeftLeg": knee, "RightUpLeg": knee / 4, "RightLeg": knee}
    )
    offered = estimate(motion).joints["LeftLeg"]
    asked = estimate(motion, EstimateOptions(as_types=("LeftLeg=hinge",))).joints["LeftLeg"]
    assert offered.type == "ball"
    lost = offered.evidence.residual_deg["hinge"] / offered.evidence.residual_deg["fixed"]
    assert lost**2 < 1.0 - MIN_KEPT_OF_HINGE_PARTS
    assert offered.candidate is None
    assert asked.candidate.rms_deg > offered.evidence.residual_deg["fixed"]


@pytest.mark.parametrize("way", ["estimate", "edit"])
def test_taken_as_a_hinge_in_one_step(way):
    motion = knees(9.0)
    data = estimate(motion)
    if way == "estimate":
        taken = estimate(motion, EstimateOptions(as_types=("*Leg=ball", "LeftLeg=hinge")))
    else:
        taken = with_edits(data, [ArtistEdit("LeftLeg", "type", value="hinge")])
    knee, before = taken.joints["LeftLeg"], data.joints["LeftLeg"]
    assert knee.type == "hinge"
    assert knee.hinge == before.candidate.hinge
    states = [axis.state for axis in knee.limits.values()]
    assert states == ["limited", "locked", "locked"]
    assert knee.limits["rotateX"] == before.limits["rotateX"]
    assert knee.limits["rotateY"].min_deg == before.candidate.locked_deg["rotateY"]
    (finding,) = [item for item in knee.findings if item.rule == "artist-edit"]
    assert f"{before.candidate.rms_deg:.1f} degrees rms" in finding.message
    assert without_edits(LimitSet.from_json(taken.to_json())).joints == data.joints


def test_channels_of_a_taken_hinge_may_still_be_edited():
    edits = [
        ArtistEdit("LeftLeg", "max", "rotateY", 4.0),
        ArtistEdit("LeftLeg", "type", value="hinge"),
    ]
    data = estimate(knees(9.0))
    taken = with_edits(data, edits)
    axis = taken.joints["LeftLeg"].limits["rotateY"]
    assert (axis.state, axis.max_deg) == ("limited", 4.0)
    assert without_edits(taken) == data


def test_in_the_suggested_orientation_the_axis_is_a_channel():
    options = EstimateOptions(orientation="advised", as_types=("LeftLeg=hinge",))
    knee = estimate(knees(9.0), options).joints["LeftLeg"]
    assert knee.type == "hinge"
    assert knee.hinge.off_channel_deg < 1.0
    assert knee.candidate.rms_deg == pytest.approx(knee.evidence.residual_deg["hinge"], rel=0.05)


@pytest.mark.parametrize(
    ("wish", "error", "words"),
    [
        ("LeftLeg", ValueError, "JOINT=TYPE"),
        ("LeftLeg=saddle", ValueError, "JOINT=TYPE"),
        ("Fin=hinge", EstimationError, "no joint matches 'Fin'"),
    ],
)
def test_wishes_that_mean_nothing_are_rejected(wish, error, words):
    with pytest.raises(error, match=words):
        estimate(knees(9.0), EstimateOptions(as_types=(wish,)))


def made_legs(folder):
    """Legs whose knees turn sideways by 9 degrees, as in retargeted motion."""
    path = folder / "legs.bvh"
    write_bvh(knees(9.0), path)
    return path


def pfnn_walk(folder):
    """Five seconds of a take whose knees turn about three axes."""
    lines = shared_path("data/mocap/pfnn/LocomotionFlat04_000.bvh").read_text().splitlines()
    at = next(n for n, line in enumerate(lines) if line.startswith("Frames:"))
    path = folder / "walk.bvh"
    path.write_text("\n".join([*lines[:at], "Frames: 600", *lines[at + 1 : at + 602], ""]))
    return path


@pytest.mark.thorough
@pytest.mark.parametrize("make", [made_legs, pfnn_walk])
def test_one_step_of_the_command_takes_a_knee_as_a_hinge(tmp_path, capsys, make):
    path = make(tmp_path)
    out, edited = tmp_path / "out", tmp_path / "edited.json"
    assert main(["estimate", str(path), "--out", str(out)]) == 0
    shown = capsys.readouterr().out
    assert "LeftLeg is measured as ball but may be a hinge: residual" in shown
    assert "--as LeftLeg=hinge" in shown
    (made,) = out.glob("*.limits.json")
    assert main(["edit", str(made), "--set", "LeftLeg.type=hinge", "--out", str(edited)]) == 0
    main(["estimate", str(path), "--as", "LeftLeg=hinge", "--out", str(tmp_path / "as")])
    (asked,) = (tmp_path / "as").glob("*.limits.json")
    measured = read_limit_set(made).joints["LeftLeg"]
    for taken in (
        read_limit_set(edited).joints["LeftLeg"],
        read_limit_set(asked).joints["LeftLeg"],
    ):
        assert taken.type == "hinge"
        assert taken.hinge == measured.candidate.hinge
        assert [axis.state for axis in taken.limits.values()].count("locked") == 2
