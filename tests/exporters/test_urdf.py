"""URDF: poses by a plain reader, by MuJoCo and by yourdfpy."""

from __future__ import annotations

import math
import os
import xml.etree.ElementTree as ElementTree
from functools import partial

import numpy as np
import pytest

from tests.support.export_examples import (
    KINDS,
    export,
    hold_locked,
    our_world,
    random_rotates_deg,
    rig,
)
from tests.support.limit_set_examples import CHANNELS, limit_set, motion

export_urdf = partial(export, "urdf", ending="urdf")


def about(axis, angle):
    """Rodrigues' formula."""
    x, y, z = axis
    cross = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    return np.eye(3) + math.sin(angle) * cross + (1.0 - math.cos(angle)) * cross @ cross


def naive_world(text, angles):
    """World matrices of all links, from the document alone."""
    root = ElementTree.fromstring(text)
    joints = {one.find("child").get("link"): one for one in root.findall("joint")}
    found = {}

    def world_of(link):
        if link not in found:
            one = joints.get(link)
            found[link] = (
                np.eye(4) if one is None else world_of(one.find("parent").get("link")) @ local(one)
            )
        return found[link]

    def local(one):
        matrix, turn, origin = np.eye(4), np.eye(3), one.find("origin")
        if origin is not None:
            roll, pitch, yaw = map(float, origin.get("rpy").split())
            matrix[:3, 3] = list(map(float, origin.get("xyz").split()))
            turn = about((0, 0, 1), yaw) @ about((0, 1, 0), pitch) @ about((1, 0, 0), roll)
        if one.get("type") in ("revolute", "continuous"):
            axis = list(map(float, one.find("axis").get("xyz").split()))
            turn = turn @ about(axis, angles.get(one.get("name"), 0.0))
        matrix[:3, :3] = turn
        return matrix

    for link in root.findall("link"):
        world_of(link.get("name"))
    return found


def angles_of(rotates):
    return {
        f"{name}.{channel}": math.radians(value)
        for name, values in rotates.items()
        for channel, value in zip(CHANNELS, values)
    }


def pose_rig(seed):
    """A rig as a robot, a pose of its channels, and where its joints are then."""
    skeleton, limits = rig(seed, KINDS)
    rotates = hold_locked(random_rotates_deg(np.random.default_rng(seed), limits), limits)
    world = our_world(skeleton, limits, rotates)
    lengths = np.cbrt(np.linalg.det(world[:, :3, :3] / skeleton.scales[:, None, :]))
    world[:, :3, :3] /= skeleton.scales[:, None, :] * lengths[:, None, None]
    world[:, :3, 3] *= 0.01
    text = export_urdf(limits, skeleton, root_joint="hinges").content
    return skeleton, limits, text, angles_of(rotates), world


@pytest.mark.parametrize("seed", range(3))
def test_every_pose_is_the_one_of_mayas_stack(seed):
    skeleton, _, text, angles, world = pose_rig(seed)
    found = naive_world(text, angles)
    for name, wanted in zip(skeleton.names, world):
        assert np.abs(found[name] - wanted).max() < 1e-9, name


@pytest.mark.thorough
def test_mujoco_poses_and_limits_it_so():
    mujoco = pytest.importorskip("mujoco", reason="MuJoCo is not installed")
    skeleton, limits, text, angles, world = pose_rig(1)
    model = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(model)
    for index in range(model.njnt):
        name = model.joint(index).name
        data.qpos[model.jnt_qposadr[index]] = angles[name]
        joint, _, channel = name.rpartition(".")
        axis = limits.joints[joint].limits[channel]
        assert bool(model.jnt_limited[index]) == (axis.state != "free")
        if axis.state != "free":
            wanted = np.radians([axis.min_deg, axis.max_deg])
            assert np.abs(model.jnt_range[index] - wanted).max() < 1e-9
    mujoco.mj_kinematics(model, data)
    bodies = {model.body(index).name: index for index in range(model.nbody)}
    moving = [n for n, name in enumerate(skeleton.names) if name in bodies]
    assert len(moving) > 6
    for n in moving:
        body = bodies[skeleton.names[n]]
        assert np.abs(data.xpos[body] - world[n, :3, 3]).max() < 1e-9
        assert np.abs(data.xmat[body].reshape(3, 3) - world[n, :3, :3]).max() < 1e-9


def test_yourdfpy_poses_it_so(tmp_path):
    yourdfpy = pytest.importorskip("yourdfpy", reason="yourdfpy is not installed")
    skeleton, _, text, angles, world = pose_rig(2)
    path = tmp_path / "rig.urdf"
    path.write_text(text)
    robot = yourdfpy.URDF.load(os.fspath(path), load_meshes=False)
    robot.update_cfg({name: angles[name] for name in robot.actuated_joint_names})
    for name, wanted in zip(skeleton.names, world):
        assert np.abs(robot.get_transform(name) - wanted).max() < 1e-6


def test_losses_are_reported_and_a_free_root_is_the_base():
    made = export_urdf(limit_set(), motion().skeleton, joints_as="ball")
    assert {"masses", "ball-joints", "only-in-json"} <= {loss.rule for loss in made.losses}
    assert all("{place}" not in loss.message for loss in made.losses)
    root = ElementTree.fromstring(made.content)
    children = {one.find("child").get("link") for one in root.findall("joint")}
    links = [one.get("name") for one in root.findall("link")]
    assert [name for name in links if name not in children] == ["root"]
