"""``jointlimits fit`` and ``project``: from clips to coupled limits, and into them."""

import json
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from jointlimits_core.base.options import option
from jointlimits_core.cli.main import main
from jointlimits_core.formats.bvh import write_bvh
from jointlimits_core.formats.registry import read_motion
from jointlimits_core.geometry.euler import CHANNELS, quaternion_from_euler
from jointlimits_core.geometry.quaternion import angle_between
from jointlimits_core.ik.constraints import ShapeLimit
from jointlimits_core.ik.from_limits import constraints_of
from jointlimits_core.limits.layers import active_shapes, inactive_shapes, with_edits, without_edits
from jointlimits_core.limits.limit_set import LimitSet, read_limit_set, write_limit_set
from jointlimits_core.limits.records import ArtistEdit
from jointlimits_core.shapes.fitting import FITS, shape_of_limit
from tests.support.house_files import ROOT
from tests.support.shared_data import shared_path

BVH = str(ROOT / "examples" / "humanoid_rom.bvh")
KINDS = option("shape").choices


def fit_shapes(folder, *arguments):
    assert main(["fit", BVH, "--out", str(folder), *arguments]) == 0
    return read_limit_set(folder / "humanoid_rom.limits.json")


@pytest.fixture(scope="module")
def own_shapes(tmp_path_factory):
    folder = tmp_path_factory.mktemp("own_shapes")
    return folder, fit_shapes(folder)


@pytest.mark.thorough
def test_every_joint_that_turns_has_a_shape_that_holds_its_motion(own_shapes):
    _, limit_set = own_shapes
    motion, shaped = read_motion(BVH), []
    for name, joint in limit_set.joints.items():
        limited = any(axis.state != "free" for axis in joint.limits.values())
        turns = joint.type != "fixed" and limited
        assert (joint.coupled is not None) == turns, name
        if turns and joint.type == "ball":
            assert joint.coupled.kind == "hull"
            assert 0.0 < joint.coupled.freedom < 1.0
            assert joint.coupled.samples == limit_set.clips[0].frames
            shape = shape_of_limit(joint.coupled)
            shaped.append(shape.contains(motion.quaternion(name)).all())
    assert shaped
    assert all(shaped)


@pytest.mark.thorough
def test_a_shape_of_an_earlier_file_is_read_as_the_nearest(tmp_path):
    limit_set = fit_shapes(tmp_path, "--shape", "kdop")
    text = limit_set.to_json().replace('"kdop"', '"kdop-sequential"')
    found = LimitSet.from_json(text)
    for name, joint in found.joints.items():
        assert joint.coupled == limit_set.joints[name].coupled
        is_kdop = joint.coupled is not None and joint.coupled.kind == "kdop"
        notes = [item.message for item in joint.findings if item.rule == "read-as"]
        assert notes == ["its shape, 'kdop-sequential', is read as 'kdop'"] * is_kdop
    assert LimitSet.from_json(found.to_json()) == found


def test_the_option_names_every_fit():
    assert set(KINDS) == set(FITS)


@pytest.mark.thorough
def test_a_motion_inside_stays(own_shapes, tmp_path, capsys):
    folder, limit_set = own_shapes
    out = tmp_path / "same.bvh"
    limits = str(folder / "humanoid_rom.limits.json")
    assert main(["project", limits, BVH, "--out", str(out)]) == 0
    printed = capsys.readouterr().out
    motion, same = read_motion(BVH), read_motion(out)
    for name in motion.joint_names:
        turned = np.degrees(angle_between(motion.quaternion(name), same.quaternion(name)))
        joint = limit_set.joints[name]
        # A hinge keeps to its axis, off which its samples are by what is left unexplained.
        assert turned.max() < (1e-4 if joint.type == "ball" else 5.0), (name, printed)


@pytest.fixture
def subject(tmp_path):
    """Folder of a subject's clips, arguments for its skeleton, and limits fitted to one clip."""
    folder = shared_path("data/mocap/cmu_asfamc/02")
    skeleton = ["--skeleton", str(folder / "02.asf")]
    assert main(["fit", str(folder / "02_01.amc"), *skeleton, "--out", str(tmp_path)]) == 0
    (limits,) = tmp_path.glob("*.limits.json")
    return folder, skeleton, limits


@pytest.mark.thorough
def test_a_motion_that_goes_further_is_brought_back(subject, tmp_path, capsys):
    folder, skeleton, limits = subject
    out = tmp_path / "new.bvh"
    assert (
        main(["project", str(limits), str(folder / "02_05.amc"), *skeleton, "--out", str(out)]) == 0
    )
    assert "rhumerus" in capsys.readouterr().out
    inside, shapes = read_motion(out), read_limit_set(limits).joints
    for name, joint in shapes.items():
        if joint.coupled:
            shape = shape_of_limit(joint.coupled)
            assert np.degrees(shape.distance(inside.quaternion(name))).max() < 1e-3, name
    first = out.read_bytes()
    assert main(["project", str(limits), str(out), "--out", str(tmp_path / "again.bvh")]) == 0
    again = read_motion(tmp_path / "again.bvh")
    for name in again.joint_names:
        assert angle_between(again.quaternion(name), inside.quaternion(name)).max() < 2e-6
    assert out.read_bytes() == first


@pytest.mark.thorough
def test_a_soft_limit_lets_a_little_through(subject, tmp_path):
    folder, skeleton, limits = subject
    out = tmp_path / "soft.bvh"
    project = ["project", str(limits), str(folder / "02_05.amc"), *skeleton, "--out", str(out)]
    assert main([*project, "--softness", "5"]) == 0
    shape = shape_of_limit(read_limit_set(limits).joints["rhumerus"].coupled)
    beyond = np.degrees(shape.distance(read_motion(out).quaternion("rhumerus")))
    assert 3.0 < beyond.max() < 5.0 + 1e-3


@pytest.mark.thorough
def test_check_holds_a_motion_against_shapes(own_shapes, tmp_path, capsys):
    folder, limit_set = own_shapes
    limits = str(folder / "humanoid_rom.limits.json")
    assert main(["check", limits, BVH, "--shapes"]) == 0
    balls = [n for n, j in limit_set.joints.items() if j.type == "ball" and j.coupled]
    motion = read_motion(BVH)
    turned = np.array(motion.rotations)
    row = motion.skeleton.index(balls[0])
    # The ends of two channels at once: inside both ranges, outside the shape.
    corner = [limit_set.joints[balls[0]].limits[channel].max_deg for channel in CHANNELS]
    turned[row, :, 7] = euler(corner, limit_set.joints[balls[0]].orientation.rotate_order)
    write_bvh(replace(motion, rotations=turned, rotates=None), tmp_path / "corner.bvh")
    capsys.readouterr()
    assert main(["check", limits, str(tmp_path / "corner.bvh")]) == 0
    assert main(["check", limits, str(tmp_path / "corner.bvh"), "--shapes"]) == 1
    printed = capsys.readouterr().out
    assert "shape (hull)" in printed
    assert balls[0] in printed
    out = tmp_path / "found.json"
    arguments = [limits, str(tmp_path / "corner.bvh"), "--shapes", "--format", "json"]
    assert main(["check", *arguments, "--out", str(out)]) == 1
    (found,) = json.loads(out.read_text())["motions"][0]["violations"]
    assert (found["channel"], found["side"], found["worst_frame"]) == ("shape", "hull", 7.0)


def euler(degrees, order):
    return quaternion_from_euler(np.radians(degrees), order)


@pytest.mark.thorough
def test_what_was_projected_passes_the_check(subject, tmp_path):
    folder, skeleton, limits = subject
    out = str(tmp_path / "inside.bvh")
    assert main(["project", str(limits), str(folder / "02_03.amc"), *skeleton, "--out", out]) == 0
    result = tmp_path / "c.json"
    main(["check", str(limits), out, "--shapes", "--format", "json", "--out", str(result)])
    (motion,) = json.loads(result.read_text())["motions"]
    shaped = {n for n, j in read_limit_set(limits).joints.items() if j.coupled}
    assert shaped
    assert not shaped & {item["joint"] for item in motion["violations"]}


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("target", "channel", "value"),
    [("max", "rotateZ", 5.0), ("state", "rotateX", "free"), ("type", None, "fixed")],
)
def test_an_artists_decision_comes_before_the_shape(
    own_shapes, tmp_path, capsys, target, channel, value
):
    _, limit_set = own_shapes
    name = next(n for n, j in limit_set.joints.items() if j.type == "ball" and j.coupled)
    edited = with_edits(limit_set, [ArtistEdit(name, target, channel, value)])
    assert name not in active_shapes(edited)
    assert inactive_shapes(edited) == (name,)
    write_limit_set(edited, tmp_path / "edited.json")
    out = tmp_path / "out.bvh"
    assert main(["project", str(tmp_path / "edited.json"), BVH, "--out", str(out)]) == 0
    assert f"not moved, because an artist's ranges apply: {name}" in capsys.readouterr().out
    # What she says of one joint, the shape of no other one is set aside for.
    assert active_shapes(without_edits(edited)) == active_shapes(limit_set)
    skeleton = read_motion(BVH).skeleton
    constraint = constraints_of(edited, skeleton, "coupled")[skeleton.index(name)]
    assert not isinstance(constraint, ShapeLimit)


@pytest.mark.thorough
def test_a_narrowed_hinge_is_narrow_for_ik_too(own_shapes):
    _, limit_set = own_shapes
    edited = with_edits(limit_set, [ArtistEdit("RightElbow", "max", "rotateY", 50.0)])
    skeleton = read_motion(BVH).skeleton
    constraint = constraints_of(edited, skeleton, "coupled")[skeleton.index("RightElbow")]
    bent = read_motion(BVH).quaternion("RightElbow")
    turned = np.degrees(angle_between(constraint.project(bent), bent))
    assert turned.max() > 40.0


@pytest.mark.thorough
def test_limits_of_another_skeleton_are_told_apart(own_shapes, tmp_path, capsys):
    folder, _ = own_shapes
    other = tmp_path / "other.bvh"
    text = Path(BVH).read_text(encoding="utf-8")
    other.write_text(re.sub(r"(ROOT|JOINT) (\w+)", r"\1 bone_\2x", text), encoding="utf-8")
    limits = str(folder / "humanoid_rom.limits.json")
    assert main(["project", limits, str(other), "--out", str(tmp_path / "x.bvh")]) == 1
    assert "has none of the joints that have a coupled limit" in capsys.readouterr().err
