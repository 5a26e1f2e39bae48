"""Edits, merges and exclusions keep their meaning through the commands."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from jointlimits_core import api
from jointlimits_core.cli.main import main
from jointlimits_core.evaluation.projection import project_motion
from jointlimits_core.evaluation.violations import violations
from jointlimits_core.formats.bvh import write_bvh
from jointlimits_core.formats.registry import read_motion
from jointlimits_core.importers.declared import carried_edits
from jointlimits_core.limits.layers import reset, with_edits
from jointlimits_core.limits.limit_set import LimitSet, Orientation, read_limit_set, write_limit_set
from jointlimits_core.limits.merge import merge
from jointlimits_core.limits.ranges import span_of, with_limits
from jointlimits_core.limits.records import ArtistEdit
from jointlimits_core.shapes.fitting import shape_of_limit
from tests.support.batch_manifests import bvh_text
from tests.support.layered_sets import axis, one_joint
from tests.support.limit_set_examples import joint, lock
from tests.support.made_motion import clip, rotate, there_and_back, waves

LEVEL = (0.0, 0.0, 0.0)


def hips(*ranges, name="person", edits=(), **fields):
    hip = joint("ball", ranges, parent=None)
    made = LimitSet(name, {"hip": with_limits(hip, hip.limits)}, **fields)
    return with_edits(made, edits)


def wide(high, edited=None, **fields):
    """A hip whose X was measured to reach `high`."""
    ranges = (axis(-30.0, high), axis(-20.0, 20.0), axis(-10.0, 10.0))
    edits = [] if edited is None else [ArtistEdit("hip", "max", "rotateX", edited, author="Ada")]
    return hips(*ranges, edits=edits, **fields)


# Merge ----------------------------------------------------------------------------------------


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("how", "sets", "flags", "high", "edits", "words"),
    [
        # Measured to 140, edited to 90; the other measured to 145.
        (
            "union",
            [(140.0, 90.0), (145.0, None)],
            [],
            145.0,
            0,
            "edit of rotateX max to 90 dropped",
        ),
        ("union", [(140.0, 90.0), (70.0, None)], [], 90.0, 1, ""),
        ("union", [(140.0, 90.0), (145.0, None)], ["--edits-win"], 90.0, 1, ""),
        ("intersection", [(145.0, None), (150.0, 170.0)], [], 145.0, 0, "max to 170 dropped"),
        ("intersection", [(145.0, None), (150.0, 170.0)], ["--edits-win"], 170.0, 1, ""),
        ("intersection", [(145.0, None), (150.0, 60.0)], [], 60.0, 1, ""),
        ("union", [(140.0, 90.0), (100.0, None)], [], 100.0, 0, "--edits-win keeps it"),
        ("union", [(140.0, 90.0), (140.0, 95.0)], [], 95.0, 1, "max to 90 dropped"),
    ],
)
def test_merged_limits_are_what_the_sets_allow_with_their_edits(
    tmp_path, capsys, how, sets, flags, high, edits, words
):
    paths = [str(tmp_path / f"{n}.json") for n in range(len(sets))]
    for path, (measured, edited) in zip(paths, sets):
        write_limit_set(wide(measured, edited), path)
    found = []
    for order in itertools.permutations(paths):
        out = tmp_path / "out.json"
        assert main(["merge", *order, "--how", how, *flags, "--out", str(out)]) == 0
        assert words in capsys.readouterr().out
        found.append(out.read_bytes())
    assert found[0] == found[1]
    merged = read_limit_set(tmp_path / "out.json")
    assert merged.joints["hip"].limits["rotateX"].max_deg == high
    assert len(merged.edits) == edits
    assert all(edit.author == "Ada" for edit in merged.edits)


def test_a_set_merged_with_a_copy_is_itself(tmp_path, capsys):
    ranges = (axis(-30.0, 90.0), lock(4.0), axis(-604.0, -285.0))
    edits = [
        ArtistEdit("hip", "state", "rotateZ", "free"),
        ArtistEdit("hip", "type", None, "hinge"),
    ]
    # A lock that is wider than a hundredth of a degree.
    trembling = axis(0.0, 0.7)
    object.__setattr__(trembling, "state", "locked")
    for sets in ([hips(*ranges, edits=edits)], [hips(trembling, *ranges[1:])]):
        one = sets[0]
        write_limit_set(one, tmp_path / "a.json")
        path = str(tmp_path / "a.json")
        assert main(["merge", path, path, path, "--out", str(tmp_path / "b.json")]) == 0
        assert read_limit_set(tmp_path / "b.json") == one
        assert main(["diff", path, str(tmp_path / "b.json")]) == 0
        other = LimitSet("Bo", one.joints, edits=one.edits)
        assert api.merge([one, other]).joints == one.joints
    capsys.readouterr()


@pytest.mark.parametrize(
    ("ranges", "others", "merged"),
    [
        # The same range on another turn, and all three on the other Euler solution.
        ((-10.0, 10.0), (350.0, 375.0), (-10.0, 15.0)),
        ((170.0, 178.0), (-178.0, -172.0), (170.0, 188.0)),
        ((-170.0, -10.0), (10.0, 175.0), (-170.0, 175.0)),
        ((-604.0, -285.0), (-600.0, -280.0), (-604.0, -280.0)),
    ],
)
def test_a_union_is_on_the_circle(ranges, others, merged):
    rest = (axis(-20.0, 20.0), axis(-10.0, 10.0))
    for pair in itertools.permutations([hips(axis(*ranges), *rest), hips(axis(*others), *rest)]):
        found = api.merge(list(pair)).joints["hip"].limits["rotateX"]
        assert (found.min_deg, found.max_deg) == merged


def test_the_other_euler_solution_is_the_same_range():
    one = hips(axis(-43.0, 34.0), axis(-49.0, 1.0), axis(4.0, 87.0))
    other = hips(
        axis(137.0, 219.0),
        axis(179.0, 229.0),
        axis(184.0, 267.0),
        edits=[ArtistEdit("hip", "min", "rotateY", 170.0)],
    )
    merged = api.merge([one, other])
    found = [(x.min_deg, x.max_deg) for x in merged.joints["hip"].limits.values()]
    assert found == [(-43.0, 39.0), (-49.0, 10.0), (4.0, 87.0)]
    assert [(edit.target, edit.value) for edit in merged.edits] == [("max", 10.0)]


def test_nothing_in_common_is_named_with_every_channel(tmp_path, capsys):
    paths = [str(tmp_path / "a.json"), str(tmp_path / "b.json")]
    write_limit_set(hips(*(axis(-30.0, 10.0),) * 3), paths[0])
    write_limit_set(hips(axis(20.0, 40.0), axis(0.0, 5.0), axis(11.0, 12.0)), paths[1])
    out = tmp_path / "c.json"
    assert main(["merge", *paths, "--how", "intersection", "--out", str(out)]) == 1
    shown = capsys.readouterr().err
    assert "hip: rotateX has no angle that all sets allow: -30.0..10.0 and 20.0..40.0" in shown
    assert "also hip rotateZ" in shown
    assert not out.exists()
    # Freed in one set, the other decides.
    freed = with_edits(read_limit_set(paths[0]), [ArtistEdit("hip", "state", "rotateX", "free")])
    freed = with_edits(freed, [ArtistEdit("hip", "state", "rotateZ", "free")])
    found = api.merge([freed, paths[1]], "intersection").joints["hip"].limits["rotateX"]
    assert (found.min_deg, found.max_deg) == (20.0, 40.0)


@pytest.mark.thorough
def test_performers_and_lost_shapes_are_named(tmp_path, capsys):
    clips = [ball_clip("walk", 20.0), ball_clip("jump", 40.0)]
    paths = [str(tmp_path / f"{motion.name}.json") for motion in clips]
    for motion, path in zip(clips, paths):
        write_limit_set(api.fit(motion), path)
    one, other = map(read_limit_set, paths)
    write_limit_set(LimitSet("Bo", other.joints, other.clips), paths[1])
    assert main(["merge", *paths, "--out", str(tmp_path / "c.json")]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert f"limits of 2 characters are merged: Bo, {one.character}; if" in shown
    assert "shape dropped" not in shown
    joined = read_limit_set(tmp_path / "c.json")
    assert all(joined[name].coupled for name in ("hip", "knee"))
    common = ["--how", "intersection", "--out", str(tmp_path / "d.json")]
    assert main(["merge", *paths, *common]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "hip, knee: shape dropped" in shown
    assert "fit the clips of all sets together" in shown


def ball_clip(name, reach, frames=240):
    ball = waves((-reach, reach), (-10.0, 10.0), (-5.0, 15.0), frames=frames)
    two = waves((-30.0, 30.0), (-reach, reach), frames=frames)
    return clip({"hip": rotate(*ball), "knee": rotate(two[0], z=two[1])}, name=name)


# Edits ----------------------------------------------------------------------------------------


def knee(frame, kind="hinge", **ranges):
    axes = [ranges.get(letter) or lock() for letter in "xyz"]
    return LimitSet("person", {"knee": joint(kind, axes, parent=None, orientation=frame)})


@pytest.mark.thorough
def test_an_edit_is_carried_onto_the_channel_of_the_same_axis():
    # A turn about the parent's X is X in the first orientation and -Z in the second.
    old = knee(Orientation("xyz", LEVEL, LEVEL), x=axis(0.0, 100.0))
    edits = [ArtistEdit("knee", "max", "rotateX", 40.0), ArtistEdit("knee", "note", None, "mind")]
    old = with_edits(old, edits)
    turned = Orientation("xyz", (0.0, 90.0, 0.0), (0.0, -90.0, 0.0))
    new = knee(turned, z=axis(-110.0, 0.0))
    carried = carried_edits(old, new)
    found = with_edits(new, carried).joints["knee"].limits
    ends = found["rotateZ"].min_deg, found["rotateZ"].max_deg
    assert ends in [(-110.0, 40.0), (-40.0, 0.0)]
    # The same rotation, by the numbers of both orientations.
    assert rotation_at(old, "rotateX", 40.0) == pytest.approx(
        rotation_at(new, "rotateZ", ends[0] if carried[0].target == "min" else ends[1])
    )
    assert [edit.channel for edit in carried] == ["rotateZ", None]


def rotation_at(limit_set, channel, value):
    from scipy.spatial.transform import Rotation

    frame = limit_set.joints["knee"].frame
    orient, back = (
        Rotation.from_euler("xyz", angles, degrees=True)
        for angles in (frame.joint_orient_deg, frame.rotate_axis_deg)
    )
    turn = Rotation.from_euler(channel[-1].lower(), value, degrees=True)
    return (orient * turn * back).as_matrix()


@pytest.mark.parametrize(
    "frame", [Orientation("xyz", (0.0, 30.0, 0.0), LEVEL), Orientation("zyx", LEVEL, LEVEL)]
)
def test_an_edit_without_an_equivalent_is_refused_by_name(frame):
    ranges = {"x": axis(0.0, 100.0), "y": axis(-30.0, 40.0), "z": axis(-20.0, 10.0)}
    old = knee(Orientation("xyz", LEVEL, LEVEL), "ball", **ranges)
    new = knee(frame, "ball", **ranges)
    old = with_edits(old, [ArtistEdit("knee", "max", "rotateX", 40.0)])
    with pytest.raises(ValueError, match="knee: edited in another orientation"):
        carried_edits(old, new)
    # What is of no channel stays.
    noted = with_edits(
        knee(Orientation("xyz", LEVEL, LEVEL)), [ArtistEdit("knee", "note", None, "a")]
    )
    assert [edit.value for edit in carried_edits(noted, new)] == ["a"]


def test_an_edit_moves_to_the_turn_of_the_new_ranges():
    old = with_edits(
        hips(axis(-604.0, -285.0), axis(-5.0, 5.0), axis(-5.0, 5.0)),
        [ArtistEdit("hip", "max", "rotateX", -300.0)],
    )
    new = hips(axis(-243.0, 70.0), axis(-5.0, 5.0), axis(-5.0, 5.0))
    assert [edit.value for edit in carried_edits(old, new)] == [60.0]


def test_kept_edits_are_refused_in_one_line(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    tilted = np.deg2rad(there_and_back(0.0, 100.0))
    axis_at = np.array([0.8, 0.6, 0.0])
    from jointlimits_core.geometry.euler import euler_from_quaternion
    from jointlimits_core.geometry.quaternion import quaternion_from_axis_angle

    turns = np.degrees(euler_from_quaternion(quaternion_from_axis_angle(axis_at, tilted)))
    write_bvh(clip({"LeftKnee": turns}, name="a"), "a.bvh")
    assert main(["estimate", "a.bvh", "--out", "old"]) == 0
    place = "LeftKnee.X.max=20"
    assert main(["edit", "old/a.limits.json", "--set", place, "--out", "edited.json"]) == 0
    arguments = ["estimate", "a.bvh", "--keep-edits", "edited.json", "--out", "new"]
    assert main(arguments) == 0
    assert main([*arguments, "--orientation", "advised"]) == 2
    assert "LeftKnee: edited in another orientation" in capsys.readouterr().err


# Exclusions -----------------------------------------------------------------------------------


def far_clip(first=50, last=60):
    """A ball joint that reaches 70 degrees further in some frames."""
    motion = ball_clip("walk", 20.0)
    channels = np.degrees(motion.rotates[1]).T.copy()
    channels[first : last + 1, 0] += 70.0
    knees = np.degrees(motion.rotates[2]).T
    return clip({"hip": channels, "knee": knees}, name="walk")


@pytest.mark.thorough
@pytest.mark.parametrize("shape", ["hull", "box", "ellipsoid"])
def test_excluded_frames_are_not_in_the_shape(shape):
    motion = far_clip()
    found = api.fit(motion, shape, exclude=("walk:50-60",))
    plain = shape_of_limit(found.joints["hip"].coupled)
    outside = np.degrees(plain.distance(motion.quaternion("hip")))
    assert outside[50:61].min() > 20.0
    assert np.delete(outside, range(50, 61)).max() < 0.1
    assert found.joints["hip"].coupled.samples == motion.frame_count - 11
    result = api.check(found, motion, shapes=True)
    (one,) = [x for x in result.clips[0].violations.bounds if x.joint == "hip"]
    assert one.frame_ranges == ((50.0, 60.0),)


@pytest.mark.thorough
def test_an_excluded_clip_is_not_in_the_shape():
    far = ball_clip("far", 60.0)
    found = api.fit([ball_clip("walk", 20.0), far], exclude=("far",))
    assert found.joints["hip"].coupled == api.fit(ball_clip("walk", 20.0)).joints["hip"].coupled


@pytest.mark.thorough
def test_exclude_works_on_the_limits_of_clips_and_refuses_merged_ones(
    tmp_path, capsys, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    ball = clip({"hip": rotate(*waves((-30.0, 30.0), (-20.0, 20.0), (-10.0, 10.0)))}, name="a")
    hinge = clip({"hip": rotate(there_and_back(0.0, 50.0))}, name="b")
    for motion in (ball, hinge):
        write_bvh(motion, f"{motion.name}.bvh")
        assert main(["estimate", f"{motion.name}.bvh", "--out", "."]) == 0
    assert main(["merge", "a.limits.json", "b.limits.json", "--out", "m.json"]) == 0
    one = read_limit_set("m.json")
    write_limit_set(LimitSet("m", one.joints, one.clips[1:], options=one.options), "m.json")
    capsys.readouterr()
    assert main(["edit", "m.json", "--exclude", "b:3-5", "--out", "n.json"]) == 2
    shown = capsys.readouterr().err
    words = "these limits cannot be measured again from their clips (hip: ball, from the clips"
    assert words in shown
    assert main(["edit", "b.limits.json", "--exclude", "b:3-5", "--out", "n.json"]) == 0
    assert read_limit_set("n.json").joints["hip"].type == "hinge"


# Shapes ---------------------------------------------------------------------------------------


@pytest.mark.thorough
def test_check_and_project_mean_the_same_region():
    found = api.fit(ball_clip("walk", 20.0))
    assert found.joints["knee"].type == "universal"
    motion = ball_clip("jump", 45.0)
    channels = np.degrees(motion.rotates[2]).T.copy()
    channels[:, 1] += 2.0
    motion = clip({"hip": np.degrees(motion.rotates[1]).T, "knee": channels}, name="jump")
    outside = violations(found, motion, shapes=True)
    inside, moved = project_motion(found, motion)
    assert {one.joint: one.worst_deg for one in moved} == pytest.approx(
        {name: row.max() for name, row in zip(outside.joints, outside.outside_deg) if row.max() > 0}
    )
    assert not violations(found, inside, shapes=True).bounds


@pytest.mark.thorough
def test_project_lists_what_stays_outside(tmp_path, capsys):
    write_bvh(ball_clip("jump", 45.0), tmp_path / "jump.bvh")
    found = with_edits(
        api.fit(ball_clip("walk", 20.0)), [ArtistEdit("hip", "max", "rotateX", 10.0)]
    )
    write_limit_set(found, tmp_path / "a.json")
    paths = [str(tmp_path / name) for name in ("a.json", "jump.bvh", "out.bvh")]
    assert main(["project", *paths[:2], "--out", paths[2]]) == 0
    shown = capsys.readouterr().out
    assert "not moved, because an artist's ranges apply: hip" in shown
    assert "left outside: hip, " in shown
    assert "left outside: knee" not in shown
    assert read_motion(paths[2]).frame_count == 240


SHUT = ("state", "rotateX", "locked")
OPEN = ("state", "rotateX", "free")


@pytest.mark.parametrize(
    ("edits", "how", "expected"),
    [
        (([SHUT], []), "layers", (0.0, 0.0)),
        (([], [SHUT]), "layers", (0.0, 0.0)),
        (([SHUT], [("max", "rotateX", 90.0)]), "layers", (20.0, 90.0)),
        (([OPEN], [("max", "rotateX", 90.0)]), "union", None),
        (([OPEN], [("max", "rotateX", 90.0)]), "intersection", (20.0, 90.0)),
        (([SHUT], []), "intersection", (0.0, 0.0)),
        (([SHUT], [("min", "rotateX", 30.0), ("max", "rotateX", 40.0)]), "union", (30.0, 40.0)),
        (([("min", "rotateX", 360.0), ("max", "rotateX", 390.0)], []), "intersection", (0.0, 30.0)),
    ],
)
def test_locks_and_freed_channels_in_a_merge_in_which_edits_win(edits, how, expected):
    """A lock keeps its angle, and a channel is as one of the sets has it."""
    ranges = ((-10.0, 60.0), (20.0, 80.0))
    sets = [
        with_edits(
            one_joint(axes=(axis(*ends), axis(-1.0, 1.0), axis(-1.0, 1.0))),
            [ArtistEdit("hip", target, channel, value) for target, channel, value in own],
        )
        for ends, own in zip(ranges, edits)
    ]
    for given in (sets, sets[::-1])[: 1 if how == "layers" else 2]:
        merged = merge(given[0], given[1:], how, edits_win=True)
        assert span_of(merged.joints["hip"].limits["rotateX"]) == expected
        kept = {(edit.target, edit.value) for edit in merged.edits}
        lost = [e for one in sets for e in one.edits if (e.target, e.value) not in kept]
        dropped = [one for one in merged.findings if one.rule == "edit-dropped"]
        assert bool(dropped) == bool([e for e in lost if expected != (0.0, 30.0)])


def test_a_lock_is_carried_to_another_estimate_at_its_angle():
    first, second = (
        one_joint(axes=(axis(*ends), axis(-1.0, 1.0), axis(-1.0, 1.0)))
        for ends in ((-10.0, 60.0), (20.0, 80.0))
    )
    edits = with_edits(first, [ArtistEdit("hip", *SHUT)]).edits
    assert span_of(with_edits(second, edits).joints["hip"].limits["rotateX"]) == (0.0, 0.0)
    assert reset(with_edits(first, edits), "hip", "state").edits == ()


def test_a_flag_with_a_list_may_be_given_again(tmp_path):
    clip = tmp_path / "walk.bvh"
    clip.write_text(bvh_text(60))
    several = ["--exclude", "walk:1-5", "--exclude", "walk:20-25", "--joints", "k*", "--joints=hip"]
    assert main(["estimate", str(clip), "--out", str(tmp_path), *several]) == 0
    options = read_limit_set(tmp_path / "walk.limits.json").options
    assert options["exclude"] == ["walk:1-5", "walk:20-25"]
    assert options["joints"] == "k*,hip"
