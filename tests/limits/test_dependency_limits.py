"""Ranges that depend on another channel, as limits: bounds, check, projection."""

import csv
import io
import json
from dataclasses import replace

import numpy as np
import pytest

from jointlimits_core.cli.main import main
from jointlimits_core.estimation.coupled import with_coupled_limits, with_dependencies
from jointlimits_core.estimation.options import EstimateOptions
from jointlimits_core.estimation.pipeline import estimate
from jointlimits_core.evaluation.check_result import CheckedClip, CheckResult
from jointlimits_core.evaluation.gate import Gate
from jointlimits_core.evaluation.projection import project_motion
from jointlimits_core.evaluation.violations import violations
from jointlimits_core.formats.bvh import write_bvh
from jointlimits_core.formats.registry import read_motion
from jointlimits_core.geometry.euler import CHANNELS, quaternion_from_euler
from jointlimits_core.geometry.quaternion import angle_between, conjugate
from jointlimits_core.limits.layers import active_dependencies, inactive_reason, with_edits
from jointlimits_core.limits.limit_set import LimitSet, write_limit_set
from jointlimits_core.limits.records import CORNER_DIGITS, ArtistEdit, Dependency
from jointlimits_core.motion.motion import Motion
from jointlimits_core.report.terminal.check import check_csv, check_junit, check_text
from jointlimits_core.report.terminal.shapes import dependency_lines
from jointlimits_core.shapes.fitting import shape_of_limit
from jointlimits_core.shapes.flat import convex_polygon
from jointlimits_core.shapes.shape import Softening
from tests.estimation.test_dependencies import arm
from tests.support.made_motion import clip
from tests.support.page_streams import content_of, words_of
from tests.support.shared_data import shared_path

SQUARE = np.array([[1, 1], [1, -1], [-1, 1], [-1, -1]])
FRAME_NUMBER = 100


def depends(corners, pad=3.0, **changes):
    """The hand's X on the elbow's X."""
    kept = tuple((float(on), float(value)) for on, value in corners)
    tie = Dependency("hand", "rotateX", "elbow", "rotateX", kept, 0.6, 0.97, 2, pad)
    return replace(tie, **changes)


# --- bounds ---------------------------------------------------------------------------------------


def crossing_ends(corners, on):
    """Where an upright line meets a polygon: lowest and highest, edge by edge."""
    met = []
    for (x0, y0), (x1, y1) in zip(corners, np.roll(corners, -1, axis=0)):
        if x0 == x1 == on:
            met += [y0, y1]
        elif min(x0, x1) <= on <= max(x0, x1):
            met.append(y0 + (on - x0) / (x1 - x0) * (y1 - y0))
    return min(met), max(met)


def naive_bounds(tie, on):
    """The polygon grown by putting a square on every corner, crossed at one value."""
    pad = tie.pad_deg + 10.0**-CORNER_DIGITS
    grown = (np.array(tie.corners_deg)[:, None] + pad * SQUARE).reshape(-1, 2)
    return crossing_ends(convex_polygon(grown), np.clip(on, grown[:, 0].min(), grown[:, 0].max()))


def test_bounds_are_those_of_the_grown_polygon():
    random = np.random.default_rng(8)
    for count in (1, 2, 2, 3, 3, 4, 8, 30, 300):
        points = random.normal(size=(count, 2)) * random.uniform(1.0, 30.0, 2)
        tie = depends(convex_polygon(np.round(points, 2)), float(random.choice([0.0, 3.0])))
        on = random.uniform(-70.0, 70.0, (6, 5))
        low, high = tie.bounds_deg(on)
        expected = np.array([naive_bounds(tie, value) for value in on.ravel()]).T
        np.testing.assert_allclose([low.ravel(), high.ravel()], expected, atol=1e-9)


def test_beyond_what_was_seen_the_bounds_at_the_end_go_on():
    tie = depends([(0, 0), (100, 40), (100, 60), (0, 20)])
    ends = np.array(tie.bounds_deg([-3.01, 103.01]))
    np.testing.assert_array_equal(tie.bounds_deg([-500.0, 500.0]), ends)
    steps = np.array(tie.bounds_deg(np.linspace(-50.0, 150.0, 20001)))
    assert np.abs(np.diff(steps, axis=1)).max() < 0.01  # no jump anywhere


# --- check ----------------------------------------------------------------------------------------


def fit_arm(*clips, shapes=True, pad=3.0, **options):
    asked = EstimateOptions(**options)
    limit_set = estimate(clips, asked)
    if shapes:
        limit_set = with_coupled_limits(limit_set, clips, "hull", None, asked)
    return with_dependencies(limit_set, clips, asked, pad_deg=pad)


CLIPS = (arm(1, name="a"), arm(11, name="b"))
TIED = fit_arm(*CLIPS)
(TIE,) = TIED.dependencies


def with_channels(motion, joint, frame, degrees, name="other"):
    """The motion with other rotate channels in one frame."""
    turned = np.array(motion.rotates)
    turned[motion.skeleton.index(joint), :, frame] = np.radians(degrees)
    return Motion.from_rotates(motion.skeleton, turned, motion.frames, 30.0, name)


def bent_wrong():
    """The elbow is bent little and the hand much; each has been where it is, never together."""
    motion = CLIPS[0]
    elbow, hand = (motion.rotate_deg(name) for name in ("elbow", "hand"))
    least = int(elbow[:, 0].argmin())
    most = hand[int(hand[:, 0].argmax())]
    elbow_there = elbow[least]
    other = with_channels(motion, "elbow", FRAME_NUMBER, elbow_there)
    return with_channels(other, "hand", FRAME_NUMBER, most), elbow_there[0], most[0]


def test_a_frame_that_breaks_the_tie_is_reported():
    motion, on, value = bent_wrong()
    assert violations(TIED, motion).bounds == ()
    (found,) = violations(TIED, motion, shapes=True).bounds
    high = naive_bounds(TIE, on)[1]
    assert (found.joint, found.channel, found.side) == ("hand", "rotateX", "max")
    assert (found.frames, found.worst_frame) == (1, FRAME_NUMBER)
    assert found.frame_ranges == ((FRAME_NUMBER, FRAME_NUMBER),)
    assert (found.on_joint, found.on_channel) == ("elbow", "rotateX")
    assert found.on_value_deg == pytest.approx(on)
    assert found.bound_deg == pytest.approx(high)
    assert found.worst_deg == pytest.approx(value - high)
    assert found.worst_deg > 20.0
    words = f"X max {high:.1f} with elbow X at {on:.1f}"
    assert found.label() == words
    result = check_tied(motion)
    assert words in check_text(result)
    assert "depends on elbow rotateX" in check_junit(result)
    (row,) = csv.DictReader(io.StringIO(check_csv(result)))
    assert row["message"] == words
    item = json.loads(json.dumps(result.to_dict()))["motions"][0]["violations"][0]
    assert item["on_joint"] == "elbow"


def check_tied(motion):
    found = violations(TIED, motion, shapes=True)
    return CheckResult("l.json", "", Gate(), (CheckedClip("m.bvh", found),))


@pytest.mark.thorough
def test_the_page_of_a_check_says_on_what_it_depends(tmp_path):
    from jointlimits_core.report.html.check_page import write_check_report

    motion, on, _ = bent_wrong()
    write_check_report(check_tied(motion), tmp_path / "page.html")
    text = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert f"with elbow X at {on:.1f}°" in words_of(content_of(text))


@pytest.mark.thorough
@pytest.mark.parametrize("pad", [0.0, 3.0])
@pytest.mark.parametrize("frame", ["own", "advised"])
def test_own_samples_are_inside_and_stay(pad, frame):
    clips = [orders(motion) for motion in CLIPS] if frame == "advised" else CLIPS
    limit_set = fit_arm(*clips, pad=pad, orientation=frame)
    assert frame in {joint.orientation.kind for joint in limit_set.joints.values()}
    assert limit_set.dependencies
    assert all(item.pad_deg == pad for item in limit_set.dependencies)
    for motion in clips:
        assert violations(limit_set, motion, 1e-6, shapes=True).bounds == ()
        assert project_motion(limit_set, motion)[1] == ()


def orders(motion):
    """The same rotations in channels that say little: another frame is advised."""
    orient = quaternion_from_euler(np.radians([10.0, -20.0, 40.0]))
    axes = np.broadcast_to(conjugate(orient), motion.skeleton.rotate_axes.shape)
    other = with_orient(motion, orient)
    return replace(other, skeleton=replace(other.skeleton, rotate_axes=axes))


def with_orient(motion, orient):
    """The same rotations with another jointOrient of all joints."""
    turns = np.broadcast_to(orient, motion.skeleton.joint_orients.shape)
    return replace(motion, skeleton=replace(motion.skeleton, joint_orients=turns), rotates=None)


@pytest.mark.thorough
def test_clips_a_turn_apart_are_one_range():
    whole = np.array(CLIPS[1].rotates)
    whole[:, 0] += 2.0 * np.pi
    turned = Motion.from_rotates(CLIPS[1].skeleton, whole, CLIPS[1].frames, 30.0, "b")
    (found,) = fit_arm(CLIPS[0], turned).dependencies
    assert found.gain == pytest.approx(TIE.gain, abs=1e-3)


@pytest.mark.thorough
def test_channels_that_meet_gimbal_lock_are_not_looked_at():
    """With Y at a right angle X and Z turn about one axis, and each is what the other leaves."""
    locked = [
        with_orient(motion, quaternion_from_euler(np.radians([90.0, 0.0, 90.0])))
        for motion in CLIPS
    ]
    limit_set = estimate(locked)
    assert limit_set.joints["elbow"].limits["rotateY"].max_deg == pytest.approx(-90.0)
    names = {name for item in fit_arm(*locked).dependencies for name in (item.joint, item.on_joint)}
    assert "elbow" not in names


# --- projection -----------------------------------------------------------------------------------


def channel(motion, name="hand"):
    return motion.rotate_deg(name)[:, 0]


@pytest.mark.thorough
def test_what_is_projected_is_inside_stays_there_and_moved_no_further_than_it_had_to():
    motion, on, _ = bent_wrong()
    inside, moved = project_motion(TIED, motion)
    assert [(item.joint, item.frames, item.worst_frame) for item in moved] == [
        ("hand", 1, FRAME_NUMBER)
    ]
    assert violations(TIED, inside, 1e-3, shapes=True).bounds == ()
    high = naive_bounds(TIE, on)[1]
    there = with_rotates(inside)
    assert high - 0.02 < channel(there)[FRAME_NUMBER] <= high
    again, moved_again = project_motion(TIED, inside)
    assert moved_again == ()
    np.testing.assert_array_equal(again.rotations, inside.rotations)


def with_rotates(motion):
    """The motion with channels worked out from its rotations."""
    from jointlimits_core.motion.screening.rules import screen

    return replace(motion, rotates=screen(motion).rotates)


def test_the_rest_of_the_joint_turns_as_little_as_a_clamp():
    motion, _, _ = bent_wrong()
    inside, _ = project_motion(TIED, motion)
    both = (motion, with_rotates(inside))
    before, after = (one.rotate_deg("hand")[FRAME_NUMBER] for one in both)
    np.testing.assert_allclose(after[1:], before[1:], atol=1e-6)


@pytest.mark.thorough
def test_the_driver_goes_first():
    """An elbow that is bent too far is brought back, and the hand follows where that leads."""
    far = with_channels(CLIPS[0], "elbow", FRAME_NUMBER, (200.0, 0.0, 0.0))
    far = with_channels(far, "hand", FRAME_NUMBER, (0.0, 0.0, 0.0))
    inside, moved = project_motion(TIED, far)
    assert {item.joint for item in moved} == {"elbow", "hand"}
    elbow = channel(with_rotates(inside), "elbow")[FRAME_NUMBER]
    assert elbow == pytest.approx(channel(CLIPS[0], "elbow").max() + 3.0, abs=0.1)
    assert violations(TIED, inside, 1e-3, shapes=True).bounds == ()
    assert project_motion(TIED, inside)[1] == ()


@pytest.mark.thorough
def test_wild_motion_ends_in_shapes_and_ranges_both():
    random = np.random.default_rng(3)
    wild = {name: random.uniform(-170.0, 170.0, (400, 3)) for name in ("elbow", "hand", "other")}
    motion = replace(clip(wild), skeleton=CLIPS[0].skeleton)
    inside, moved = project_motion(TIED, motion)
    assert {item.joint for item in moved} == {"elbow", "hand", "other"}
    shape = shape_of_limit(TIED.joints["hand"].coupled)
    assert shape.contains(inside.quaternion("hand")).all()
    assert violations(TIED, inside, 1e-3, shapes=True).bounds == ()
    assert project_motion(TIED, inside)[1] == ()


@pytest.mark.thorough
def test_softness_stays_between_what_is_hard_and_what_was_wanted():
    motion, _, _ = bent_wrong()
    hard, _ = project_motion(TIED, motion)
    soft, _ = project_motion(TIED, motion, Softening(radius=np.radians(2.0)))
    wanted, kept, given = (m.quaternion("hand")[FRAME_NUMBER] for m in (motion, hard, soft))
    back, whole = (np.degrees(angle_between(kept, other)) for other in (given, wanted))
    assert 0.1 < back <= 2.0
    assert np.degrees(angle_between(given, wanted)) == pytest.approx(whole - back, abs=1e-6)


@pytest.mark.thorough
def test_where_both_cannot_be_had_the_shape_holds():
    odd = replace(TIED, dependencies=(depends([(0, 500), (200, 500), (200, 520), (0, 520)]),))
    inside, _ = project_motion(odd, CLIPS[0])
    alone, _ = project_motion(replace(TIED, dependencies=()), CLIPS[0])
    np.testing.assert_array_equal(inside.rotations, alone.rotations)
    assert violations(odd, inside, shapes=True).bounds


def test_frames_that_are_no_numbers_stay_and_disturb_no_other():
    motion, _, _ = bent_wrong()
    rotations = np.array(motion.rotations)
    rotations[motion.skeleton.index("elbow"), :, 5] = np.nan
    inside, moved = project_motion(TIED, replace(motion, rotations=rotations, rotates=None))
    assert np.isnan(inside.quaternion("elbow")[5]).all()
    assert [(item.joint, item.frames) for item in moved] == [("hand", 1)]


# --- which of them count --------------------------------------------------------------------------


@pytest.mark.parametrize(
    "edit",
    [
        ArtistEdit("hand", "max", "rotateX", 120.0),
        ArtistEdit("hand", "state", "rotateX", "free"),
        ArtistEdit("hand", "type", None, "universal"),
    ],
)
def test_an_artists_ranges_come_first(edit):
    edited = with_edits(TIED, [edit])
    assert active_dependencies(edited) == ()
    assert "artist" in inactive_reason(edited, TIE)
    motion, _, _ = bent_wrong()
    assert violations(edited, motion, shapes=True).bounds == ()
    assert project_motion(edited, motion)[1] == ()
    assert "not applied: an artist" in dependency_lines(edited)[-1]


def test_channels_of_one_joint_are_in_its_shape():
    own = depends(TIE.corners_deg, on_joint="hand", on_channel="rotateY")
    assert "shape" in inactive_reason(replace(TIED, dependencies=(own,)), own)
    bare = replace(fit_arm(*CLIPS, shapes=False), dependencies=(own,))
    assert active_dependencies(bare) == (own,)


def test_no_two_joints_drive_each_other():
    back = depends(TIE.corners_deg, joint="elbow", on_joint="hand")
    both = replace(TIED, dependencies=(TIE, back))
    assert active_dependencies(both) == (TIE,)
    assert "fit again" in inactive_reason(both, back)


# --- from the command line ------------------------------------------------------------------------


@pytest.mark.thorough
def test_fit_check_and_project(tmp_path, capsys):
    for motion in CLIPS:
        write_bvh(motion, tmp_path / f"{motion.name}.bvh")
    write_bvh(bent_wrong()[0], tmp_path / "wrong.bvh")
    clips = [str(tmp_path / f"{name}.bvh") for name in ("a", "b")]
    out = ["--out", str(tmp_path)]
    assert main(["fit", *clips, "--shape-pad", "4", "--character", "arm", *out]) == 0
    printed = capsys.readouterr().out
    assert "depend on another channel (enforced by project and check --shapes)" in printed
    assert "hand X depends on elbow X" in printed
    limits, wrong = str(tmp_path / "arm.limits.json"), str(tmp_path / "wrong.bvh")
    (tie,) = LimitSet.from_json((tmp_path / "arm.limits.json").read_text()).dependencies
    assert tie.pad_deg == 4.0
    assert main(["check", limits, *clips, "--shapes"]) == 0
    assert main(["check", limits, wrong]) == 0
    assert main(["check", limits, wrong, "--shapes"]) == 1
    assert "with elbow X at" in capsys.readouterr().out
    inside = str(tmp_path / "inside.bvh")
    assert main(["project", limits, wrong, "--out", inside]) == 0
    assert main(["check", limits, inside, "--shapes"]) == 0


def test_project_says_what_an_artist_keeps(tmp_path, capsys):
    edited = with_edits(TIED, [ArtistEdit("hand", "max", "rotateX", 120.0)])
    write_limit_set(edited, tmp_path / "l.json")
    write_bvh(bent_wrong()[0], tmp_path / "wrong.bvh")
    arguments = [str(tmp_path / "l.json"), str(tmp_path / "wrong.bvh")]
    assert main(["project", *arguments, "--out", str(tmp_path / "n.bvh")]) == 0
    printed = capsys.readouterr().out
    assert "not moved, because an artist's ranges apply: hand" in printed
    assert "every frame is already inside the limits" in printed


@pytest.mark.slow
def test_a_performer_and_a_clip_that_was_held_out():
    folder = shared_path("data/mocap/cmu_asfamc/02")
    clips = [read_motion(path, skeleton=folder / "02.asf") for path in sorted(folder.glob("*.amc"))]
    *fitted, held_out = clips
    limit_set = fit_arm(*fitted)
    kept = active_dependencies(limit_set)
    assert ("lfemur", "ltibia") in {(item.on_joint, item.joint) for item in kept}
    assert all(item.channel in CHANNELS for item in kept)
    for motion in fitted:
        assert violations(limit_set, motion, 1e-6, shapes=True).bounds == ()
    found = violations(limit_set, held_out, shapes=True)
    assert any(item.on_joint for item in found.bounds)
    inside, _ = project_motion(limit_set, held_out)
    assert violations(limit_set, inside, 1e-3, shapes=True).bounds == ()
    assert project_motion(limit_set, inside)[1] == ()
