"""A rig with everything that a Maya joint can have, and its limits, at random; and naive losses."""

from __future__ import annotations

import dataclasses

import numpy as np

from jointlimits_core.exporters.formats import export_formats, export_options_of
from jointlimits_core.geometry.euler import ROTATE_ORDERS, local_from_rotate, quaternion_from_euler
from jointlimits_core.geometry.quaternion import matrix_from_quaternion, normalize
from jointlimits_core.limits.limit_set import LimitSet, Orientation, RestPose
from jointlimits_core.motion.skeleton import Skeleton, world_matrices_from_local
from tests.support.limit_set_examples import CHANNELS, FREE, joint, lock, span

KINDS = ("ball", "hinge", "universal", "fixed")


def export(to, limits, skeleton, ending="", **options):
    """Limits exported to a format; `ending`: of the file."""
    return export_formats()[to].export(limits, skeleton, export_options_of(options, ending))


def group(rng, scale=1.0):
    """What stands between a joint and its parent: a turned, moved and scaled group."""
    matrix = np.eye(4)
    matrix[:3, :3] = scale * matrix_from_quaternion(normalize(rng.normal(size=4)))
    matrix[:3, 3] = rng.normal(size=3)
    return matrix


def random_limit(rng, kind, frame):
    low = rng.uniform(-400.0, 100.0, 3)
    axes = [span(a, a + width) for a, width in zip(low, rng.uniform(1.0, 250.0, 3))]
    if kind == "hinge":
        axes[0], axes[2] = lock(30.0), lock(-12.5)
    if kind == "universal":
        axes[1] = dataclasses.replace(lock(5.0), min_deg=4.0, max_deg=6.0)
    if kind == "fixed":
        axes = [lock(10.0), lock(-20.0), lock(30.0)]
    rest = [
        0.0 if one.state == "free" else one.min_deg + 0.25 * (one.max_deg - one.min_deg)
        for one in axes
    ]
    pose = RestPose(tuple(map(float, rest)), True, 0.0)
    return joint(kind, axes, parent=None, orientation=frame, rest=pose)


def rig(seed=0, kinds=("ball",), meters_per_unit=0.01, plain=False):
    """A skeleton of two branches with joints of every rotate order, and limits of all of them.

    Plain ones have no groups and no scales.
    """
    rng = np.random.default_rng(seed)
    names, parents = ["root"], [-1]
    for branch in ("left", "right"):
        for number in range(6):
            parents.append(len(names) - 1 if number else 0)
            names.append(f"{branch}{number}")
    count = len(names)
    orders = tuple(ROTATE_ORDERS[n % 6] for n in range(count))
    frames_deg = rng.uniform(-180.0, 180.0, (2, count, 3))
    scales = np.ones((count, 3))
    between = {}
    if not plain:
        scales[2], scales[4], scales[9] = 2.0, 0.5, -1.5
        between = {0: group(rng, 3.0), 3: group(rng), 8: group(rng, -1.0), 11: group(rng, 0.3)}
    skeleton = Skeleton(
        tuple(names),
        np.array(parents),
        offsets=rng.normal(size=(count, 3)) * 20.0,
        rotate_orders=orders,
        joint_orients=quaternion_from_euler(np.radians(frames_deg[0])),
        rotate_axes=quaternion_from_euler(np.radians(frames_deg[1])),
        scales=scales,
        compensates_scale=np.arange(count) % 2 == 0,
        between=between,
        meters_per_unit=meters_per_unit,
    )
    joints = {}
    for index, name in enumerate(names):
        frame = Orientation(
            orders[index], *(tuple(angles[index].tolist()) for angles in frames_deg)
        )
        if index == 0:
            joints[name] = joint("ball", (FREE, FREE, FREE), parent=None, orientation=frame)
        else:
            joints[name] = random_limit(rng, kinds[index % len(kinds)], frame)
    return skeleton, LimitSet("rig", joints, options={})


def random_rotates_deg(rng, limit_set, beyond=0.0):
    """Rotate channels of every joint inside its limits, or beyond them by a share of the range."""
    found = {}
    for name, one in limit_set.joints.items():
        values = []
        for channel in CHANNELS:
            limit = one.limits[channel]
            low, high = (-180.0, 180.0) if limit.state == "free" else (limit.min_deg, limit.max_deg)
            pad = beyond * (high - low) if limit.state == "limited" else 0.0
            values.append(rng.uniform(low - pad, high + pad))
        found[name] = np.array(values)
    return found


def local_turn(frame, rotates_deg):
    """Rotation relative to the parent, of rotate channels in an orientation."""
    orient, axis = np.radians([frame.joint_orient_deg, frame.rotate_axis_deg])
    before, after = quaternion_from_euler(orient), quaternion_from_euler(axis)
    return local_from_rotate(np.radians(rotates_deg), before, after, frame.rotate_order)


def our_world(skeleton, limit_set, rotates_deg):
    """World matrices by our kinematics, of channels in the frames of the limits."""
    rotations = np.array(skeleton.rest_rotations)
    for index, name in enumerate(skeleton.names):
        if name in rotates_deg:
            rotations[index] = local_turn(limit_set.joints[name].frame, rotates_deg[name])
    return world_matrices_from_local(skeleton, rotations, skeleton.offsets, skeleton.scales, {})


def hold_locked(rotates_deg, limit_set):
    """Rotations with locked channels where the rest pose has them."""
    found = {}
    for name, values in rotates_deg.items():
        one = limit_set.joints[name]
        still = [one.limits[channel].state == "locked" for channel in CHANNELS]
        found[name] = np.where(still, one.rest.rotate_deg, values)
    return found
