"""Declared limits in the frames of a rig: the same poses, the rig's own channels."""

from __future__ import annotations

import dataclasses
import itertools

import numpy as np
import pytest

from jointlimits_core.base.findings import Finding
from jointlimits_core.cli.main import main
from jointlimits_core.geometry.euler import (
    ROTATE_ORDERS,
    axes_of,
    local_from_rotate,
    quaternion_from_euler,
)
from jointlimits_core.geometry.quaternion import conjugate, multiply, quaternion_from_matrix
from jointlimits_core.ik.rotate_box import rotate_box_of
from jointlimits_core.importers.declared import (
    DECLARED,
    declared_limits,
    in_common_orientations,
    in_orientations_of,
)
from jointlimits_core.importers.read import read_limits
from jointlimits_core.limits.limit_set import LimitSet, Orientation, write_limit_set
from jointlimits_core.motion.skeleton import Declaration, Skeleton
from tests.support.limit_set_examples import CHANNELS, FREE, joint, lock, span
from tests.support.maya_scenes import ELBOW


def signed_permutations():
    """Turns that take axes to axes."""
    for permutation in itertools.permutations(range(3)):
        for signs in itertools.product((1.0, -1.0), repeat=3):
            matrix = np.zeros((3, 3))
            matrix[list(permutation), range(3)] = signs
            if np.linalg.det(matrix) > 0.0:
                yield permutation, signs, quaternion_from_matrix(matrix)


def limits_of(order, orient, axis, dof, limits):
    skeleton = Skeleton(
        ("elbow",),
        np.array([-1]),
        rest_rotations=local_from_rotate(np.zeros((1, 3)), orient, axis, order),
        rotate_orders=(order,),
        joint_orients=orient[None],
        rotate_axes=axis[None],
        declarations={"elbow": Declaration(dof, limits)},
    )
    findings = (Finding(DECLARED, "of a test"),)
    return dataclasses.replace(declared_limits(skeleton), findings=findings)


@pytest.mark.thorough
@pytest.mark.parametrize("count", [1, 2, 3])
def test_channels_by_other_names_and_senses(count):
    """A frame behind any turn that takes axes to axes: bounds by hand."""
    rng = np.random.default_rng(count)
    orient, axis = quaternion_from_euler(rng.uniform(-3.0, 3.0, (2, 3)))
    for n, (there, signs, turn) in enumerate(signed_permutations()):
        order = ROTATE_ORDERS[n % 6]
        moving = axes_of(order)[:count]
        limits = {CHANNELS[c]: (-10.0 * (c + 1), 25.0 + c) for c in moving}
        dof = tuple(CHANNELS[c] for c in sorted(moving))
        found = limits_of(order, orient, axis, dof, limits)
        # The same rotations in a frame whose axes have other names.
        other_order = "".join("xyz"[there["xyz".index(letter)]] for letter in order)
        like = limits_of(
            other_order, multiply(orient, conjugate(turn)), multiply(turn, axis), None, {}
        )
        one = in_orientations_of(found, like).joints["elbow"]
        assert one.frame == like.joints["elbow"].frame
        for c in range(3):
            bound = one.limits[CHANNELS[there[c]]]
            if c not in moving:
                assert (bound.state, bound.min_deg) == ("locked", 0.0)
                continue
            low, high = limits[CHANNELS[c]]
            expected = (low, high) if signs[c] > 0.0 else (-high, -low)
            assert (bound.min_deg, bound.max_deg) == pytest.approx(expected, abs=1e-7)
        assert one.type == ("hinge", "universal", "ball")[count - 1]


def test_offsets_and_poses():
    """A rig whose zero is elsewhere: every pose is as far from the bounds as it was."""
    rng = np.random.default_rng(1)
    orient, axis = quaternion_from_euler(rng.uniform(-3.0, 3.0, (2, 3)))
    quarter = quaternion_from_euler(np.array([np.radians(70.0), 0.0, 0.0]))
    found = limits_of("xyz", orient, axis, ("rotateX",), {"rotateX": (-20.0, 30.0)})
    like = limits_of("zyx", multiply(orient, quarter), axis, None, {})
    one = in_orientations_of(found, like).joints["elbow"]
    assert one.limits["rotateX"].min_deg == pytest.approx(-90.0)
    assert one.limits["rotateX"].max_deg == pytest.approx(-40.0)
    assert one.rest.rotate_deg == pytest.approx((-70.0, 0.0, 0.0))
    own, box = rotate_box_of(found.joints["elbow"]), rotate_box_of(one)
    rotates = np.stack([rng.uniform(own.low[0], own.high[0], 50), *np.zeros((2, 50))], axis=1)
    values = box.channels(local_from_rotate(rotates, orient, axis, "xyz"))
    assert values - box.low == pytest.approx(rotates - own.low, abs=1e-9)


def test_locked_channels_have_no_order():
    orient, axis = quaternion_from_euler(np.zeros((2, 3)))
    found = limits_of("xyz", orient, axis, ("rotateY",), {"rotateY": (-20.0, None)})
    like = limits_of("zxy", orient, axis, None, {})
    one = in_orientations_of(found, like).joints["elbow"]
    assert one.orientation.rotate_order == "zxy"
    assert (one.limits["rotateY"].min_deg, one.limits["rotateY"].max_deg) == (-20.0, None)


def test_axes_that_differ_stay_and_are_reported():
    orient, axis = quaternion_from_euler(np.array([[0.0, 0.0, 0.0], [0.3, 0.2, 0.1]]))
    limits = dict.fromkeys(CHANNELS, (-20.0, 20.0))
    for dof, order in ((("rotateX",), "xyz"), (CHANNELS, "xyz")):
        found = limits_of(order, orient, axis, dof, {c: limits[c] for c in dof})
        like = limits_of("xyz", orient, orient, None, {})
        one = in_orientations_of(found, like).joints["elbow"]
        assert one.frame == found.joints["elbow"].frame
        assert [finding.rule for finding in one.findings] == ["other-axes"]
    other_order = limits_of("zyx", orient, orient, None, {})
    ball = limits_of("xyz", orient, orient, CHANNELS, limits)
    assert in_orientations_of(ball, other_order).joints["elbow"].orientation.rotate_order == "xyz"
    free = limits_of("xyz", orient, axis, None, {})
    assert in_orientations_of(free, other_order).joints["elbow"].orientation.rotate_order == "zyx"


def test_only_what_was_taken_over_is_changed():
    frame = Orientation("zyx", (0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
    own = LimitSet("a", {"elbow": joint("ball", (FREE,) * 3, parent=None)})
    other = LimitSet("b", {"elbow": joint("ball", (FREE,) * 3, parent=None, orientation=frame)})
    assert in_common_orientations([own, other]) == [own, other]
    paper = dataclasses.replace(own, mode="paper")
    file = dataclasses.replace(other, findings=(Finding(DECLARED, "x"),))
    assert in_common_orientations([paper, file]) == [paper, file]
    assert in_common_orientations([file, own])[0].joints["elbow"].orientation.rotate_order == "xyz"


def test_a_scene_is_compared_with_a_rig(tmp_path, capsys):
    """The scene's rotateZ is the rig's rotateX, the other way round."""
    scene, rig_file = tmp_path / "arm.ma", tmp_path / "rig.limits.json"
    scene.write_text(ELBOW, encoding="utf-8")
    # jointOrient takes X to -Z, rotateAxis takes it back.
    frame = Orientation("yxz", (0.0, 90.0, 0.0), (0.0, -90.0, 0.0))
    low = -143.5
    elbow = joint("hinge", (span(low, 0.0), lock(), lock()), parent=None, orientation=frame)
    rig = LimitSet("arm", {"elbow": elbow}, options={"joints": "*"})
    write_limit_set(rig, rig_file)
    main(["diff", str(rig_file), str(scene), "--format", "json"])
    printed = capsys.readouterr().out
    assert '"what": "frame"' not in printed
    assert '"what": "min"' not in printed
    assert '"what": "max"' not in printed
    out = tmp_path / "arm.limits.json"
    arguments = ["import-limits", str(scene), "--out", str(out)]
    assert main([*arguments, "--like", str(rig_file)]) == 0
    channel = read_limits(out).joints["elbow"].limits["rotateX"]
    assert (channel.min_deg, channel.max_deg) == pytest.approx((low, 0.0))
    merged = ["merge", str(rig_file), str(scene), "--out", str(tmp_path / "m.json")]
    assert main(merged) == 0
    tilted = dataclasses.replace(
        elbow, orientation=Orientation("xyz", (10.0, 20.0, 0.0), (0.0, 0.0, 0.0))
    )
    write_limit_set(dataclasses.replace(rig, joints={"elbow": tilted}), rig_file)
    capsys.readouterr()
    assert main(merged) == 1
    assert "elbow: cannot merge limits in different orientations" in capsys.readouterr().err
