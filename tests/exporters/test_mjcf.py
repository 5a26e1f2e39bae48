"""MJCF, read by MuJoCo and compared with our own kinematics, pose by pose and limit by limit."""

from __future__ import annotations

import dataclasses
import math
from functools import partial

import numpy as np
import pytest

from jointlimits_core.base.errors import ExportError
from jointlimits_core.estimation.pipeline import estimate
from jointlimits_core.exporters.figure import rigid_bones
from jointlimits_core.formats.registry import read_motion
from jointlimits_core.geometry.euler import quaternion_from_euler
from jointlimits_core.geometry.quaternion import (
    angle_between,
    conjugate,
    multiply,
    quaternion_from_matrix,
)
from jointlimits_core.limits.layers import with_edits
from jointlimits_core.limits.limit_set import LimitSet
from jointlimits_core.limits.records import ArtistEdit
from tests.support.export_examples import (
    KINDS,
    export,
    hold_locked,
    our_world,
    random_rotates_deg,
    rig,
)
from tests.support.house_files import ROOT
from tests.support.limit_set_examples import CHANNELS, FREE, joint, lock, span
from tests.support.shared_data import shared_path

mujoco = pytest.importorskip("mujoco", reason="MuJoCo is not installed: pip install mujoco")
pytestmark = pytest.mark.thorough
MAX_DIFFERENCE = 1e-12
export_mjcf = partial(export, "mjcf", ending="xml")


def load_model(limit_set, skeleton, **options):
    model = mujoco.MjModel.from_xml_string(export_mjcf(limit_set, skeleton, **options).content)
    return model, mujoco.MjData(model)


def root_coordinates(world, unit):
    """Place and quaternion (w, x, y, z) of a root in the world."""
    turn = world[:3, :3] / np.cbrt(np.linalg.det(world[:3, :3]))
    x, y, z, w = quaternion_from_matrix(turn)
    return [*(world[:3, 3] * unit), w, x, y, z]


def pose_model(model, data, rotates_deg, world, unit):
    for name, values in rotates_deg.items():
        for channel, value in zip(CHANNELS, values):
            index = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_JOINT, f"{name}.{channel}")
            if index >= 0:
                data.qpos[model.jnt_qposadr[index]] = math.radians(value)
    for index in range(model.njnt):
        if model.jnt_type[index] == mujoco.mjtJoint.mjJNT_FREE:
            at = model.jnt_qposadr[index]
            data.qpos[at : at + 7] = root_coordinates(world[0], unit)
    mujoco.mj_kinematics(model, data)


def turn_of(linear, scale):
    """Rotation in a matrix whose columns a joint's own scale has stretched."""
    turn = linear / scale
    return turn / np.cbrt(np.linalg.det(turn))


def largest_differences(data, skeleton, world, unit):
    """Largest difference of any place (share of the figure) and any entry of a rotation."""
    size = np.ptp(world[:, :3, 3], axis=0).max() * unit
    places, turns = [], []
    for index, name in enumerate(skeleton.names):
        body = data.body(name)
        # A mirrored joint has the axes of its body turned round.
        expected = turn_of(world[index, :3, :3], skeleton.scales[index])
        places.append(np.abs(body.xpos - world[index, :3, 3] * unit).max() / size)
        turns.append(np.abs(body.xmat.reshape(3, 3) - expected).max())
    return max(places), max(turns)


def check_pose(model, data, skeleton, limit_set, rotates):
    """MuJoCo puts every body where our kinematics do, by rotate channels."""
    world = our_world(skeleton, limit_set, rotates)
    pose_model(model, data, rotates, world, 0.01)
    assert max(largest_differences(data, skeleton, world, 0.01)) < MAX_DIFFERENCE


@pytest.mark.thorough
@pytest.mark.parametrize("locked_channels", ["hold", "range"])
@pytest.mark.parametrize("root", ["free", "hinges"])
@pytest.mark.parametrize("plain", [True, False], ids=["plain", "groups and scales"])
def test_every_pose_is_the_one_of_mayas_stack(plain, root, locked_channels):
    for seed in range(3):
        skeleton, limit_set = rig(seed, KINDS, plain=plain)
        model, data = load_model(limit_set, skeleton, root_joint=root, locked=locked_channels)
        rng = np.random.default_rng(seed)
        for _ in range(20):
            rotates = random_rotates_deg(rng, limit_set)
            if locked_channels == "hold":
                rotates = hold_locked(rotates, limit_set)
            check_pose(model, data, skeleton, limit_set, rotates)


@pytest.mark.parametrize("as_balls", [False, pytest.param(True, marks=pytest.mark.thorough)])
def test_the_rest_pose_is_a_key(as_balls):
    skeleton, limit_set = rig(6) if as_balls else rig(5, KINDS)
    limit_set = narrow(limit_set) if as_balls else limit_set
    kind = "ball" if as_balls else "channels"
    model, data = load_model(limit_set, skeleton, joints_as=kind)
    rest = {name: np.array(one.rest.rotate_deg) for name, one in limit_set.joints.items()}
    world = our_world(skeleton, limit_set, rest)
    mujoco.mj_resetDataKeyframe(model, data, model.key("rest").id)
    mujoco.mj_kinematics(model, data)
    assert max(largest_differences(data, skeleton, world, 0.01)) < MAX_DIFFERENCE


def limit_violations(model, data):
    """Depth of every joint limit that MuJoCo finds violated, by joint, radians."""
    mujoco.mj_forward(model, data)
    found = {}
    for row in range(data.nefc):
        if data.efc_type[row] == mujoco.mjtConstraint.mjCNSTR_LIMIT_JOINT:
            name = model.joint(int(data.efc_id[row])).name
            found[name] = -float(data.efc_pos[row])
    return found


@pytest.mark.thorough
def test_every_limit_is_the_one_of_the_limit_set():
    skeleton, limit_set = rig(2, KINDS)
    model, data = load_model(limit_set, skeleton, locked="range")
    rng = np.random.default_rng(2)
    outside = 0
    for _ in range(100):
        rotates = random_rotates_deg(rng, limit_set, beyond=0.2)
        pose_model(model, data, rotates, our_world(skeleton, limit_set, rotates), 0.01)
        expected = {}
        for name, values in rotates.items():
            for channel, value in zip(CHANNELS, np.radians(values)):
                limit = limit_set.joints[name].limits[channel]
                if limit.state != "free" and limit.min_deg < limit.max_deg:
                    low, high = math.radians(limit.min_deg), math.radians(limit.max_deg)
                    expected[f"{name}.{channel}"] = max(low - value, value - high)
        found = limit_violations(model, data)
        assert set(found) == {plug for plug, depth in expected.items() if depth > 0.0}
        assert all(abs(found[plug] - expected[plug]) < MAX_DIFFERENCE for plug in found)
        outside += len(found)
    assert outside > 100


def test_ranges_are_the_same_doubles():
    skeleton, limit_set = rig(3)
    model, _ = load_model(limit_set, skeleton)
    for name, one in limit_set.joints.items():
        for channel in CHANNELS:
            limit = one.limits[channel]
            if limit.state == "limited":
                here = model.joint(f"{name}.{channel}")
                assert here.range.tolist() == np.radians([limit.min_deg, limit.max_deg]).tolist()
                assert here.limited[0] == 1


def narrow(limit_set, width=60.0):
    """The same with ball joints of ranges that one ball range can hold."""
    joints = dict(limit_set.joints)
    for number, (name, one) in enumerate(limit_set.joints.items()):
        if number and one.type == "ball":
            middle = [one.limits[channel].min_deg for channel in CHANNELS]
            axes = [span(a - width / 2, a + width / (2 + n)) for n, a in enumerate(middle)]
            pose = dataclasses.replace(one.rest, rotate_deg=tuple(middle))
            joints[name] = dataclasses.replace(one, limits=dict(zip(CHANNELS, axes)), rest=pose)
    return dataclasses.replace(limit_set, joints=joints)


@pytest.mark.thorough
def test_a_ball_joint_holds_all_that_its_channels_allow_and_touches_it():
    skeleton, limit_set = rig(4)
    limit_set = narrow(limit_set)
    model, _ = load_model(limit_set, skeleton, joints_as="ball")
    rng = np.random.default_rng(4)
    for index, (name, one) in enumerate(limit_set.joints.items()):
        if not index:
            continue
        here = model.joint(name)
        assert here.type[0] == mujoco.mjtJoint.mjJNT_BALL
        radius = float(here.range[1])
        middle = middle_of(model, skeleton, limit_set, name)
        bounds = np.radians([(one.limits[c].min_deg, one.limits[c].max_deg) for c in CHANNELS])
        inside = rng.uniform(bounds[:, 0], bounds[:, 1], (4000, 3))
        corners = np.array(np.meshgrid(*bounds)).reshape(3, -1).T
        turns = quaternion_from_euler(
            np.concatenate([inside, corners]), one.orientation.rotate_order
        )
        angles = angle_between(turns, middle)
        assert angles.max() < radius + 1e-9
        assert angles.max() > radius - 1e-9


def middle_of(model, skeleton, limit_set, name):
    """R at the zero of a ball joint, of a rig without groups and scales on that joint."""
    frame = limit_set.joints[name].frame
    orient, axis = quaternion_from_euler(
        np.radians([frame.joint_orient_deg, frame.rotate_axis_deg])
    )
    w, x, y, z = model.body(name).quat
    bones, index = rigid_bones(skeleton), skeleton.index(name)
    inner = multiply(conjugate(bones.before[index]), np.array([x, y, z, w]))
    return multiply(conjugate(orient), multiply(inner, conjugate(axis)))


@pytest.mark.parametrize(
    ("axes", "kind", "limited"),
    [
        ((FREE, span(1, 2), FREE), "channels", [0, 1, 0]),
        ((span(-170.0, 170.0),) * 3, "ball", [0]),
        ((FREE,) * 3, "ball", [0]),
    ],
    ids=["channels", "wide ball", "free ball"],
)
def test_what_has_no_limits_has_no_range(axes, kind, limited):
    skeleton, limit_set = rig(0)
    frame = limit_set.joints["left1"].frame
    limit_set.joints["left1"] = joint("ball", axes, orientation=frame)
    model, _ = load_model(limit_set, skeleton, joints_as=kind)
    names = ["left1"] if kind == "ball" else [f"left1.{channel}" for channel in CHANNELS]
    assert [int(model.joint(name).limited[0]) for name in names] == limited
    is_ball = model.joint(names[0]).type[0] == mujoco.mjtJoint.mjJNT_BALL
    assert is_ball == (kind == "ball")


def rules(exported):
    return {loss.rule: loss for loss in exported.losses}


def test_losses_are_reported_in_sentences():
    skeleton, limit_set = rig(1, KINDS, meters_per_unit=None)
    del limit_set.joints["left5"]
    limit_set.joints["wing"] = joint("fixed", [lock()] * 3)
    found = rules(export_mjcf(limit_set, skeleton))
    assert found["no-such-joint"].joints == ("wing",)
    assert found["no-limits"].joints == ("left5",)
    assert "right3" in found["mirrored"].joints
    assert "--meters-per-unit 0.01" in found["unknown-unit"].sentence()
    assert found["locked-channel"].joints
    assert all(loss.sentence().endswith(".") for loss in found.values())
    assert "unknown-unit" not in rules(export_mjcf(limit_set, skeleton, meters_per_unit=0.01))
    assert "unlikely-size" not in rules(export_mjcf(limit_set, skeleton, meters_per_unit=0.01))
    found = rules(export_mjcf(limit_set, skeleton, meters_per_unit=1000.0))
    assert "--meters-per-unit" in found["unlikely-size"].sentence()
    assert "locked-channel" not in rules(export_mjcf(limit_set, skeleton, locked="range"))


def test_a_joint_without_limits_stands_still_at_its_rest():
    skeleton, limit_set = rig(1, plain=True)
    del limit_set.joints["left5"]
    model, data = load_model(limit_set, skeleton)
    assert model.body("left5").dofnum[0] == 0
    rotates = random_rotates_deg(np.random.default_rng(0), limit_set)
    check_pose(model, data, skeleton, limit_set, rotates)


def with_scales(skeleton, rows, scale, **changes):
    """The skeleton with another scale of some joints."""
    scales = np.array(skeleton.scales)
    scales[rows] = scale
    return dataclasses.replace(skeleton, scales=scales, **changes)


@pytest.mark.parametrize(
    ("scale", "is_taken_back"),
    [
        ((1.0, 2.0, 0.5), True),
        ((-1.0, 1.0, 1.0), True),
        ((2.0, -1.0, -3.0), True),
        ((-1.0, 1.0, 1.0), False),  # one mirrored axis is no shear
    ],
)
def test_uneven_scales_that_children_take_back_lose_nothing(scale, is_taken_back):
    skeleton, limit_set = rig(7, KINDS, plain=True)
    compensates = np.full(len(skeleton), is_taken_back)
    skeleton = with_scales(skeleton, [1, 3, 10], scale, compensates_scale=compensates)
    assert "uneven-scale" not in rules(export_mjcf(limit_set, skeleton))
    model, data = load_model(limit_set, skeleton)
    rng = np.random.default_rng(1)
    for _ in range(5):
        rotates = hold_locked(random_rotates_deg(rng, limit_set), limit_set)
        check_pose(model, data, skeleton, limit_set, rotates)


def test_uneven_scales_are_reported_and_the_rest_is_right():
    skeleton, limit_set = rig(1, plain=True)
    for scale, below in (((1.0, 2.0, 1.0), "left3"), (0.0, "left2")):
        found = export_mjcf(limit_set, with_scales(skeleton, 2, scale))
        names = rules(found)["uneven-scale"].joints
        assert below in names
        assert scale == 0.0 or names == ("left2", "left3", "left4", "left5")
        mujoco.MjModel.from_xml_string(found.content)
    # As files in single precision have it.
    rounded = with_scales(skeleton, 2, (1.0, 1.0 + 1e-7, 1.0))
    assert "uneven-scale" not in rules(export_mjcf(limit_set, rounded))


def test_limits_of_the_root_are_lost_with_a_free_joint_only():
    skeleton, limit_set = rig(0)
    frame = limit_set.joints["root"].frame
    limit_set.joints["root"] = joint("ball", [span(-10, 10)] * 3, parent=None, orientation=frame)
    assert rules(export_mjcf(limit_set, skeleton))["root-limits"].joints == ("root",)
    assert "root-limits" not in rules(export_mjcf(limit_set, skeleton, root_joint="hinges"))


@pytest.mark.parametrize(
    "name", ['a"><worldbody', "a&b<c>'", "tab\there", "x\x1b[31m", "日本", " "]
)
def test_names_of_others_are_no_markup(name):
    skeleton, limit_set = rig(0)
    names = (name, *skeleton.names[1:])
    skeleton = dataclasses.replace(skeleton, names=names)
    joints = {name: limit_set.joints["root"], **limit_set.joints}
    del joints["root"]
    model, _ = load_model(LimitSet(name, joints), skeleton)
    assert model.nbody == len(skeleton) + 1


def test_a_tiny_and_a_single_point_figure_can_be_loaded():
    skeleton, limit_set = rig(0, plain=True)
    for factor in (1e-9, 0.0):
        small = dataclasses.replace(skeleton, offsets=skeleton.offsets * factor)
        load_model(limit_set, small)


def test_a_real_subject_frame_by_frame():
    """CMU subject 02: every frame of a walk, posed by its rotate channels."""
    folder = shared_path("data/mocap/cmu_asfamc/02")
    motion = read_motion(sorted(folder.glob("*.amc"))[0], skeleton=folder / "02.asf")
    limit_set = estimate([motion])
    model, data = load_model(limit_set, motion.skeleton, locked="range")
    unit = motion.skeleton.meters_per_unit
    worlds = motion.all_world_matrices()
    for frame in range(0, motion.frame_count, 20):
        rotates = {
            name: motion.rotate_deg(name)[frame] for name in motion.joint_names if name != "root"
        }
        pose_model(model, data, rotates, worlds[frame], unit)
        assert max(largest_differences(data, motion.skeleton, worlds[frame], unit)) < MAX_DIFFERENCE
        assert max(limit_violations(model, data).values(), default=0.0) < MAX_DIFFERENCE


# Hinges about their own axis --------------------------------------------------------------------


@pytest.fixture(scope="module")
def example():
    motion = read_motion(ROOT / "examples" / "humanoid_rom.ma")
    return motion, estimate(motion)


@pytest.mark.thorough
def test_a_hinge_about_its_own_axis_takes_every_pose_of_the_clip(example):
    """The knee's axis is 12.8 degrees off a channel; the one hinge follows all its frames."""
    motion, limit_set = example
    hinge = limit_set.joints["LeftKnee"].hinge
    assert hinge.off_channel_deg > 10.0
    model, data = load_model(limit_set, motion.skeleton, joints_as="hinge")
    here = model.joint("LeftKnee.hinge")
    assert here.range.tolist() == np.radians([hinge.min_deg, hinge.max_deg]).tolist()
    child, parent = (model.body(name).id for name in ("LeftKnee", "LeftHip"))
    angles = np.linspace(*here.range, 800)
    poses = []
    for angle in angles:
        data.qpos[here.qposadr[0]] = angle
        mujoco.mj_kinematics(model, data)
        local = data.xmat[parent].reshape(3, 3).T @ data.xmat[child].reshape(3, 3)
        poses.append(quaternion_from_matrix(local))
    seen = motion.quaternion("LeftKnee")
    nearest = np.degrees(angle_between(seen[:, None], np.array(poses)[None]).min(axis=1))
    step = (hinge.max_deg - hinge.min_deg) / 799
    assert nearest.max() < 0.5 * step + 0.05
    ends = angle_between(seen[:, None], np.array(poses)[None, [0, -1]])
    assert np.degrees(ends.min(axis=0)).max() < 0.05


def test_hinges_about_their_axis_are_reported_and_rest_in_their_range(example):
    motion, limit_set = example
    found = rules(export_mjcf(limit_set, motion.skeleton, joints_as="hinge"))
    assert "LeftKnee" in found["own-axis"].joints
    assert "tilted-hinge" not in found
    assert "LeftKnee" in rules(export_mjcf(limit_set, motion.skeleton))["tilted-hinge"].joints
    model, data = load_model(limit_set, motion.skeleton, joints_as="hinge")
    mujoco.mj_resetDataKeyframe(model, data, 0)
    assert data.joint("LeftKnee.hinge").qpos[0] == pytest.approx(0.0, abs=1e-9)
    assert max(limit_violations(model, data).values(), default=0.0) < MAX_DIFFERENCE


def test_where_an_artist_decided_her_channels_are_written(example):
    motion, limit_set = example
    edited = with_edits(limit_set, [ArtistEdit("LeftKnee", "max", "rotateZ", 5.0)])
    model, _ = load_model(edited, motion.skeleton, joints_as="hinge")
    assert model.joint("LeftKnee.rotateZ").range[1] == math.radians(5.0)
    assert model.joint("RightKnee.hinge").limited[0] == 1


def test_a_skeleton_of_somebody_else_is_refused():
    skeleton, limit_set = rig(0)
    other = dataclasses.replace(skeleton, names=tuple(f"other{n}" for n in range(len(skeleton))))
    with pytest.raises(ExportError, match="have no joint in common"):
        export_mjcf(limit_set, other)


def test_one_mirrored_axis_that_nobody_takes_back_is_no_shear():
    skeleton, limit_set = rig(8, KINDS, plain=True)
    compensates = np.zeros(len(skeleton), dtype=bool)
    skeleton = with_scales(skeleton, [2, 9], (-1.0, 1.0, 1.0), compensates_scale=compensates)
    model, data = load_model(limit_set, skeleton)
    assert "uneven-scale" not in rules(export_mjcf(limit_set, skeleton))
    rotates = hold_locked(random_rotates_deg(np.random.default_rng(2), limit_set), limit_set)
    check_pose(model, data, skeleton, limit_set, rotates)
