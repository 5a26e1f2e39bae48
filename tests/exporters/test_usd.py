"""USD, read back by UsdPhysics' own parser and compared with our kinematics and limits."""

from __future__ import annotations

import dataclasses
import itertools
import sys
import warnings

import numpy as np
import pytest

from jointlimits_core.base.errors import MissingPackageError
from jointlimits_core.cli.main import main
from jointlimits_core.estimation.pipeline import estimate
from jointlimits_core.exporters.joint_models import cone_range
from jointlimits_core.exporters.usd import usd_name
from jointlimits_core.formats.registry import read_motion
from jointlimits_core.geometry.euler import ROTATE_ORDERS, local_from_rotate, quaternion_from_euler
from jointlimits_core.geometry.quaternion import (
    conjugate,
    matrix_from_quaternion,
    multiply,
    normalize,
    quaternion_from_axis_angle,
    rotate,
    sphere_points,
)
from jointlimits_core.limits.limit_set import LimitSet, write_limit_set
from jointlimits_core.motion.skeleton import Skeleton
from tests.support.export_examples import (
    KINDS,
    export,
    hold_locked,
    local_turn,
    our_world,
    random_rotates_deg,
    rig,
)
from tests.support.house_files import ROOT
from tests.support.limit_set_examples import CHANNELS, joint, lock, span
from tests.support.shared_data import shared_path


def export_usd(limit_set, skeleton, ending="usda", **options):
    return export("usd", limit_set, skeleton, ending, **options)


MAX_SINGLE = 2e-5
"""Degrees, or a share of the figure, that single precision may cost."""


@pytest.fixture(scope="module")
def pxr():
    return pytest.importorskip("pxr", reason="usd-core is not installed: pip install usd-core")


def open_stage(content):
    from pxr import Usd

    stage = Usd.Stage.CreateInMemory()
    assert stage.GetRootLayer().ImportFromString(content)
    return stage


def prim_of(stage, joint_name):
    return stage.GetPrimAtPath(f"/Character/Joints/{joint_name}")


def parse_stage(stage):
    """What UsdPhysics' parser says of every joint: the name of its kind and its description."""
    from pxr import Sdf, UsdPhysics

    # The first is what it was called before.
    read = getattr(
        UsdPhysics, "UsdPhysicsLoadStageFromPrimRange", UsdPhysics.LoadUsdPhysicsFromRange
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        found = read(stage, [Sdf.Path("/")])
    joints, others = {}, {}
    for kind, (paths, descriptions) in found.items():
        for path, description in zip(paths, descriptions):
            assert description.isValid
            name, word = str(path).rpartition("/")[2], str(kind).rpartition(".")[2]
            if word.endswith("Joint"):
                joints[name] = word, description
            else:
                others[word, name] = description
    return joints, others


def quaternion(value):
    return np.array([*value.GetImaginary(), value.GetReal()], dtype=float)


def limits_of(kind, description):
    """Limits in degrees by letter; those of a D6 that turns freely are not there."""
    if kind == "RevoluteJoint":
        limit = description.limit
        return {str(description.axis)[-1]: (limit.lower, limit.upper)} if limit.enabled else {}
    pairs = [(str(pair.first), pair.second) for pair in description.jointLimits]
    assert all(one.lower > one.upper for name, one in pairs if name.startswith("Trans"))
    assert len([name for name, _ in pairs if name.startswith("Trans")]) == 3
    return {name[-1]: (one.lower, one.upper) for name, one in pairs if name.startswith("Rot")}


@pytest.mark.thorough
@pytest.mark.parametrize("root", ["free", "hinges", "fixed"])
def test_limits_are_what_the_parser_of_usd_reads(pxr, root):
    for seed in range(3):
        skeleton, limit_set = rig(seed, KINDS)
        content = export_usd(limit_set, skeleton, root_joint=root).content
        joints, _ = parse_stage(open_stage(content))
        kinds = {"free": None, "hinges": "D6Joint", "fixed": "FixedJoint"}
        assert joints.get("root", (None,))[0] == kinds[root]
        for name, one in limit_set.joints.items():
            if name == "root":
                continue
            moving = [c for c in CHANNELS if one.limits[c].state != "locked"]
            kind, description = joints[name]
            assert kind == ["FixedJoint", "RevoluteJoint", "D6Joint", "D6Joint"][len(moving)]
            found = {} if kind == "FixedJoint" else limits_of(kind, description)
            for letter, channel in zip("XYZ", CHANNELS):
                axis = one.limits[channel]
                if axis.state == "locked":
                    assert kind != "D6Joint" or found[letter][0] == pytest.approx(
                        one.rest.rotate_deg["XYZ".index(letter)], abs=MAX_SINGLE
                    )
                    continue
                shift = 360.0 * round(0.5 * (axis.min_deg + axis.max_deg) / 360.0)
                expected = axis.min_deg - shift, axis.max_deg - shift
                assert found[letter] == pytest.approx(expected, abs=MAX_SINGLE)


def turn_of(kind, description, record, rotates_deg):
    """Turn of a joint for rotate channels: the order is ours, the rest the parser's."""
    if kind == "FixedJoint":
        return np.array([0.0, 0.0, 0.0, 1.0])
    radians = np.radians(rotates_deg)
    if kind == "D6Joint":
        return quaternion_from_euler(radians, record["rotateOrder"])
    letter = "XYZ".index(str(description.axis)[-1])
    return quaternion_from_axis_angle(np.eye(3)[letter], np.asarray(radians[letter]))


@pytest.mark.thorough
@pytest.mark.parametrize("plain", [True, False], ids=["plain", "groups and scales"])
def test_bodies_posed_by_the_joints_stand_where_ours_do(pxr, plain):
    """Every pose by the frames that the parser gives; places and frames are single precision."""
    for seed in range(3):
        skeleton, limit_set = rig(seed, KINDS, plain=plain)
        stage = open_stage(export_usd(limit_set, skeleton, root_joint="hinges").content)
        joints, _ = parse_stage(stage)
        rng = np.random.default_rng(seed)
        for _ in range(5):
            rotates = hold_locked(random_rotates_deg(rng, limit_set), limit_set)
            world = our_world(skeleton, limit_set, rotates)
            size = np.ptp(world[:, :3, 3], axis=0).max()
            turns, places = {}, {}
            for index, name in enumerate(skeleton.names):
                kind, one = joints[name]
                record = prim_of(stage, name).GetCustomDataByKey("jointlimits")
                inner = turn_of(kind, one, record, rotates[name])
                inner = multiply(inner, conjugate(quaternion(one.localPose1Orientation)))
                turn = multiply(quaternion(one.localPose0Orientation), inner)
                place = np.array(one.localPose0Position, dtype=float)
                above = str(one.body0).rpartition("/")[2]
                assert above == ("" if index == 0 else skeleton.parent_name(name))
                if above:
                    place = places[above] + rotate(turns[above], place)
                    turn = multiply(turns[above], turn)
                turns[name], places[name] = turn, place
                assert np.abs(place - world[index, :3, 3]).max() < MAX_SINGLE * size
                linear = world[index, :3, :3]
                linear = linear / np.cbrt(np.linalg.det(linear))
                assert np.abs(matrix_from_quaternion(turn) - linear).max() < MAX_SINGLE


@pytest.mark.thorough
def test_the_record_has_every_digit(pxr):
    skeleton, limit_set = rig(7, KINDS)
    stage = open_stage(export_usd(limit_set, skeleton, root_joint="hinges").content)
    orders = set()
    for name, one in limit_set.joints.items():
        record = prim_of(stage, name).GetCustomDataByKey("jointlimits")
        assert record["joint"] == name
        assert record["type"] == one.type
        assert record["rotateOrder"] == one.orientation.rotate_order
        assert tuple(record["jointOrientDeg"]) == one.orientation.joint_orient_deg
        assert tuple(record["rotateAxisDeg"]) == one.orientation.rotate_axis_deg
        assert tuple(record["restDeg"]) == one.rest.rotate_deg
        for channel in CHANNELS:
            axis, kept = one.limits[channel], record[channel]
            assert kept["state"] == axis.state
            assert (kept.get("minDeg"), kept.get("maxDeg")) == (axis.min_deg, axis.max_deg)
        orders.add(one.orientation.rotate_order)
    assert orders == set(ROTATE_ORDERS)


@pytest.mark.thorough
def test_the_skeleton_and_the_bodies_stand_in_the_rest_pose(pxr):
    from pxr import Usd, UsdGeom, UsdSkel

    skeleton, _ = rig(2)
    joints = {name: joint("ball", [span(-30.0, 40.0)] * 3, parent=None) for name in skeleton.names}
    frames = {  # in the skeleton's own frames, at rest at zero
        name: dataclasses.replace(one, orientation=rig(2)[1].joints[name].frame)
        for name, one in joints.items()
    }
    at_zero = local_from_rotate(
        np.zeros((len(skeleton), 3)), skeleton.joint_orients, skeleton.rotate_axes, "xyz"
    )
    skeleton = dataclasses.replace(skeleton, rest_rotations=at_zero)
    stage = open_stage(export_usd(LimitSet("rig", frames), skeleton).content)
    world = skeleton.rest_world_matrices()
    prim = UsdSkel.Skeleton(stage.GetPrimAtPath("/Character/Skeleton"))
    assert UsdSkel.Topology(prim.GetJointsAttr().Get()).Validate()[0]
    query = UsdSkel.Cache().GetSkelQuery(prim)
    ours = query.ComputeJointSkelTransforms(Usd.TimeCode.Default(), True)
    size = np.ptp(world[:, :3, 3], axis=0).max()
    for index, name in enumerate(skeleton.names):
        assert prim.GetJointNamesAttr().Get()[index] == name
        bind = np.array(prim.GetBindTransformsAttr().Get()[index]).T
        assert (bind == world[index]).all()
        assert np.abs(np.array(ours[index]).T - world[index]).max() < 1e-12 * size
        body = stage.GetPrimAtPath(f"/Character/Bodies/{name}")
        placed = np.array(UsdGeom.Xformable(body).ComputeLocalToWorldTransform(0)).T
        linear = world[index, :3, :3] / np.cbrt(np.linalg.det(world[index, :3, :3]))
        assert np.abs(placed[:3, 3] - world[index, :3, 3]).max() < 1e-12 * size
        assert np.abs(placed[:3, :3] - linear).max() < 1e-12


@pytest.mark.thorough
def test_usds_own_checks_find_nothing(pxr):
    validation = pytest.importorskip("pxr.UsdValidation", reason="this USD has no validators")
    context = validation.ValidationContext(validation.ValidationRegistry().GetOrLoadAllValidators())
    for root, ball in itertools.product(("free", "hinges", "fixed"), ("channels", "ball")):
        skeleton, limit_set = rig(1, KINDS)
        stage = open_stage(export_usd(limit_set, skeleton, root_joint=root, joints_as=ball).content)
        found = context.Validate(stage)
        assert [error.GetMessage() for error in found] == []
        _, others = parse_stage(stage)
        assert sum(kind == "RigidBody" for kind, _ in others) == len(skeleton)
        assert sum(kind == "Articulation" for kind, _ in others) == 1
        assert stage.GetDefaultPrim().GetPath() == "/Character"


@pytest.mark.thorough
def test_a_cone_holds_what_the_channels_allow_and_no_more_than_it_must(pxr):
    rng = np.random.default_rng(0)
    checked = 0
    for seed in range(4):
        skeleton, limit_set = rig(seed)
        stage = open_stage(export_usd(limit_set, skeleton, joints_as="ball").content)
        joints, _ = parse_stage(stage)
        for name in skeleton.names[1:]:
            kind, one = joints[name]
            assert kind == "SphericalJoint"
            if not one.limit.enabled:
                continue
            half = prim_of(stage, name).GetAttribute("physics:coneAngle0Limit").Get()
            angles = swings(skeleton, limit_set, name, one, rng)
            assert angles.max() < half + 1e-3
            assert angles.max() > half - 8.0
            checked += 1
    assert checked > 10


def swings(skeleton, limit_set, name, one, rng):
    """Angles of the bone from the axis of the cone, over random poses in the box, degrees."""
    limit = limit_set.joints[name]
    ends = np.array([(limit.limits[c].min_deg, limit.limits[c].max_deg) for c in CHANNELS])
    # Corners, edges and faces too, where the furthest poses are.
    values = np.clip(rng.uniform(-0.5, 1.5, (20000, 3)), 0.0, 1.0)
    local = local_turn(limit.frame, ends[:, 0] + values * (ends[:, 1] - ends[:, 0]))
    between = skeleton.between.get(skeleton.index(name), np.eye(4))[:3, :3]
    between = between / np.cbrt(np.linalg.det(between))
    bone = rotate(quaternion(one.localPose1Orientation), np.array([1.0, 0.0, 0.0]))
    axis = rotate(quaternion(one.localPose0Orientation), np.array([1.0, 0.0, 0.0]))
    pointed = rotate(local, bone) @ between.T
    return np.degrees(np.arccos(np.clip(pointed @ axis, -1.0, 1.0)))


@pytest.mark.thorough
@pytest.mark.parametrize("order", ROTATE_ORDERS)
def test_a_cone_of_a_single_channel_is_known(order):
    """A bone at right angles to the one channel that turns sweeps half the range to either side."""
    for axis in range(3):
        low, high = np.zeros(3), np.zeros(3)
        low[axis], high[axis] = np.radians([-20.0, 50.0])
        bone = np.eye(3)[(axis + 1) % 3]
        found = cone_range(low, high, order, bone)
        assert np.degrees(found.radius) == pytest.approx(35.0, abs=0.2)
        along = cone_range(low, high, order, np.eye(3)[axis])
        assert along.radius == pytest.approx(0.0, abs=1e-7)
        assert abs(along.middle[axis]) == pytest.approx(1.0)


@pytest.mark.thorough
def test_the_middle_of_a_cone_wider_than_half_the_sphere_is_the_best_there_is():
    rng = np.random.default_rng(5)
    middles = sphere_points(3000)
    for _ in range(4):
        centre, half = rng.uniform(-0.8, 0.8, 3), rng.uniform(0.7, 1.5, 3)
        bone = normalize(rng.normal(size=3))
        poses = rng.uniform(centre - half, centre + half, (20_000, 3))
        directions = rotate(quaternion_from_euler(poses, "zxy"), bone)
        least = np.arccos((directions @ middles.T).min(axis=0).max())
        found = cone_range(centre - half, centre + half, "zxy", bone)
        assert found.radius < least + np.radians(6.0)
        assert found.radius > np.radians(60.0)
        assert np.arccos((directions @ found.middle).min()) <= found.radius + 1e-9


def test_a_cone_of_everything_leaves_nothing_out():
    wide = np.full(3, np.pi)
    for bone in np.eye(3):
        assert cone_range(-wide, wide, "xyz", bone).radius > 0.99 * np.pi


def of_width(limit_set, degrees):
    """The same with that range on every channel of every ball joint."""
    joints = {
        name: dataclasses.replace(one, limits=dict(zip(CHANNELS, [span(-degrees, degrees)] * 3)))
        for name, one in limit_set.joints.items()
    }
    return dataclasses.replace(limit_set, joints=joints)


@pytest.mark.thorough
def test_every_cone_and_every_lack_of_one_is_reported(pxr):
    skeleton, limit_set = rig(3)
    made = export_usd(of_width(limit_set, 20.0), skeleton, joints_as="ball")
    notes = [note.partition(": ") for note in made.notes[1:]]
    assert [name for name, _, _ in notes] == list(skeleton.names[1:])
    stage = open_stage(made.content)
    for name, _, words in notes:
        half = prim_of(stage, name).GetAttribute("physics:coneAngle0Limit").Get()
        share = 50.0 - 50.0 * np.cos(np.radians(half))
        expected = f"a cone of {half:.1f} degrees around its middle, {share:.2f} % of all rotations"
        assert words.startswith(expected)
    rules = {loss.rule: loss for loss in made.losses}
    assert rules["cone"].joints == skeleton.names[1:]
    assert "no-cone" not in rules

    wide = export_usd(of_width(limit_set, 180.0), skeleton, joints_as="ball")
    rules = {loss.rule: loss for loss in wide.losses}
    assert rules["no-cone"].joints == skeleton.names[1:]
    assert "cone" not in rules
    assert all("no cone, all rotations; its channels allow" in note for note in wide.notes[1:])


@pytest.mark.thorough
def test_own_axis_of_a_hinge(pxr):
    motion = read_motion(ROOT / "examples" / "humanoid_rom.bvh")
    limit_set = estimate([motion])
    content = export_usd(limit_set, motion.skeleton, joints_as="hinge").content
    joints, _ = parse_stage(open_stage(content))
    hinges = {name: one.hinge for name, one in limit_set.joints.items() if one.hinge}
    assert hinges
    for name, hinge in hinges.items():
        kind, one = joints[name]
        assert kind == "RevoluteJoint"
        assert limits_of(kind, one)["X"] == pytest.approx((hinge.min_deg, hinge.max_deg), abs=1e-4)
        axis = rotate(quaternion(one.localPose1Orientation), np.array([1.0, 0.0, 0.0]))
        assert np.abs(axis - hinge.axis_child).max() < 1e-6


@pytest.mark.thorough
def test_text_and_binary_hold_the_same(pxr, tmp_path):
    from pxr import Usd

    skeleton, limit_set = rig(4, KINDS)
    texts = []
    for ending in ("usda", "usdc", "usd"):
        found = export_usd(limit_set, skeleton, ending)
        assert isinstance(found.content, str) == (ending == "usda")
        found.write(tmp_path / f"rig.{ending}")
        texts.append(Usd.Stage.Open(str(tmp_path / f"rig.{ending}")).ExportToString(False))
        assert export_usd(limit_set, skeleton, ending).content == found.content
    assert texts[0] == texts[1] == texts[2]


def test_names_that_no_prim_can_have(pxr):
    names = ("|grp|rig:hip", "|grp|rig_hip", "1st", "Ärm", 'a"b\n/..', "", "a\0b", "\ud800")
    skeleton = Skeleton(names, np.arange(-1, len(names) - 1))
    joints = {name: joint("ball", [span(-5.0, 5.0)] * 3, parent=None) for name in names}
    found = export_usd(LimitSet('x"\n\0\ud800', joints), skeleton, root_joint="hinges")
    stage = open_stage(found.content)
    kept = [
        prim.GetCustomDataByKey("jointlimits:joint")
        for prim in stage.GetPrimAtPath("/Character/Joints").GetChildren()
    ]
    assert kept == [*names[:-2], "a\\x00b", "\\ud800"]
    assert len(parse_stage(stage)[0]) == len(names)
    assert [loss.joints for loss in found.losses if loss.rule == "other-name"] == [names]
    assert usd_name("|a|b:c") == "a_b_c"


def test_a_free_range_and_one_that_is_open_at_an_end(pxr):
    axes = [lock(), dataclasses.replace(span(0.0, 9.0), min_deg=None), lock()]
    skeleton = Skeleton(("a", "b", "c"), np.array([-1, 0, 1]), offsets=np.eye(3))
    free = [dataclasses.replace(span(0.0, 1.0), state="free", min_deg=None, max_deg=None)] * 3
    joints = {
        "a": joint("ball", free, parent=None),
        "b": joint("hinge", axes, parent="a"),
        "c": joint("ball", free, parent="b"),
    }
    found, _ = parse_stage(
        open_stage(export_usd(LimitSet("x", joints), skeleton, root_joint="hinges").content)
    )
    assert limits_of(*found["a"]) == limits_of(*found["c"]) == {}
    assert limits_of(*found["b"]) == {"Y": (-1e6, 9.0)}


@pytest.mark.thorough
def test_losses_say_what_was_written(pxr):
    skeleton, limit_set = rig(0, KINDS, meters_per_unit=None)
    rules = {loss.rule for loss in export_usd(limit_set, skeleton, "usda").losses}
    assert {"rotate-order", "single-precision", "unknown-unit", "root-limits", "masses"} <= rules
    assert "cone" not in rules
    assert "other-turn" in rules
    with_cones = export_usd(limit_set, skeleton, joints_as="ball", meters_per_unit=0.01).losses
    rules = {loss.rule for loss in with_cones}
    assert "cone" in rules
    assert "unknown-unit" not in rules


@pytest.mark.thorough
def test_the_message_names_what_to_install(monkeypatch, tmp_path, capsys):
    monkeypatch.setitem(sys.modules, "pxr", None)
    monkeypatch.delitem(sys.modules, "pxr.UsdPhysics", raising=False)
    skeleton, limit_set = rig(0)
    with pytest.raises(MissingPackageError, match="pip install usd-core"):
        export_usd(limit_set, skeleton)
    motion = ROOT / "examples" / "humanoid_rom.bvh"
    write_limit_set(estimate([read_motion(motion)]), tmp_path / "x.limits.json")
    arguments = ["export", str(tmp_path / "x.limits.json"), "--to", "usd"]
    out = tmp_path / "x.usda"
    assert main([*arguments, "--motion", str(motion), "--out", str(out)]) == 1
    assert "pip install usd-core" in capsys.readouterr().err
    assert not out.exists()


@pytest.mark.thorough
def test_a_real_subject(pxr, tmp_path):
    """CMU subject 02, through the command, opened as a file."""
    from pxr import Usd

    folder = shared_path("data/mocap/cmu_asfamc/02")
    motion = read_motion(sorted(folder.glob("*.amc"))[0], skeleton=folder / "02.asf")
    limit_set = estimate([motion])
    write_limit_set(limit_set, tmp_path / "02.limits.json")
    arguments = ["export", str(tmp_path / "02.limits.json"), "--to", "usd"]
    arguments += ["--skeleton", str(folder / "02.asf"), "--out", str(tmp_path / "02.usdc")]
    assert main(arguments) == 0
    stage = Usd.Stage.Open(str(tmp_path / "02.usdc"))
    joints, others = parse_stage(stage)
    assert len(others) == len(motion.skeleton) + 2
    kind, knee = joints["ltibia"]
    assert kind == "RevoluteJoint"
    axis = limit_set.joints["ltibia"].limits["rotateX"]
    assert limits_of(kind, knee)["X"] == pytest.approx((axis.min_deg, axis.max_deg), abs=MAX_SINGLE)
    mass = sum(
        stage.GetPrimAtPath(f"/Character/Bodies/{name}").GetAttribute("physics:mass").Get()
        for name in motion.skeleton.names
    )
    assert 1.0 < mass < 200.0
