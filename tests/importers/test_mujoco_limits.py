"""Which joints of a model are limited: as MuJoCo decides, whatever the file and its classes say."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from jointlimits_core.importers import read_limits
from jointlimits_core.importers.mjcf import read_mjcf_joints
from jointlimits_core.importers.xml import ModelError
from tests.importers.test_models import (
    GEOM,
    body,
    check_against_mujoco,
    mjcf,
    mujoco_missing,
    oriented,
    random_axes,
    urdf,
    words,
    written,
)

KINDS = (None, "hinge", "ball", "free", "slide")
LIMITED = (None, "auto", "true", "false")
RANGES = (None, "0 0", "5 5", "5 -5", "-5 10", "0 30", "-5 0")
OF_CLASS = (None, "-5 10", "0 0")
AUTOMATIC = (None, "true", "false")


def attributes(**values):
    return "".join(f' {key}="{value}"' for key, value in values.items() if value is not None)


def model(kind, limited, of_class, span, class_span, automatic):
    return mjcf(
        f'<body name="b">{GEOM}<joint class="k"'
        f"{attributes(type=kind, limited=limited, range=span)}/></body>",
        f"<compiler{attributes(autolimits=automatic)}/>"
        f'<default><default class="k"><joint{attributes(limited=of_class, range=class_span)}/>'
        "</default></default>",
    )


def is_limited(path):
    """Whether our reader finds limits; None if it refuses the model."""
    try:
        declared = read_mjcf_joints(path).skeleton.declarations["b"]
    except ModelError:
        return None
    return bool(declared.limits_deg)


def mujoco_limits(mujoco, text):
    """Whether MuJoCo finds limits; None if it refuses the model."""
    try:
        return bool(mujoco.MjModel.from_xml_string(text).jnt_limited[0])
    except ValueError:
        return None


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_what_is_limited_is_what_mujoco_limits(tmp_path, kind):
    mujoco = pytest.importorskip("mujoco", reason=mujoco_missing)
    seen = set()
    for rest in itertools.product(LIMITED, LIMITED, RANGES, OF_CLASS, AUTOMATIC):
        text = model(kind, *rest)
        theirs, ours = mujoco_limits(mujoco, text), is_limited(written(tmp_path, text))
        seen.add(theirs)
        if kind == "slide" and theirs:
            # Along an axis, which is no limit of a rotation.
            theirs = False
        assert ours == theirs, text
    assert seen == ({False} if kind == "free" else {True, False, None})


@pytest.mark.parametrize("span", ["0 0", "5 5", "5 -5"])
def test_a_range_that_is_none_switches_the_limit_of_a_class_off(tmp_path, span):
    before = '<default><joint range="-5 5"/></default>'
    text = mjcf(body(f'<joint axis="1 0 0" range="{span}"/>'), before)
    joint = read_limits(written(tmp_path, text)).joints["b"]
    assert joint.type == "hinge"
    assert joint.limits["rotateX"].state == "free"


def findings_of(found):
    every = [*found.findings, *(item for one in found.joints.values() for item in one.findings)]
    return {(item.rule, item.joint): item.message for item in every}


@pytest.mark.thorough
def test_what_couples_joints_is_reported(tmp_path):
    mujoco = pytest.importorskip("mujoco", reason=mujoco_missing)
    joints = [f'<joint name="{name}" axis="1 0 0" range="-5 5"/>' for name in "abcd"]
    inside = "".join(body(one, f"body_{n}") for n, one in enumerate(joints))
    sites = '<site name="s"/><site name="s2" pos="1 0 0"/>'
    after = (
        '<equality><joint joint1="a" joint2="b"/><joint joint1="c"/>'
        '<joint joint1="d" active="false"/><weld body1="body_0" body2="body_3"/></equality>'
        '<tendon><fixed name="t"><joint joint="b" coef="1"/><joint joint="c" coef="2"/></fixed>'
        '<spatial><site site="s"/><site site="s2"/></spatial></tendon>'
    )
    text = mjcf(inside + sites).replace("</mujoco>", after + "</mujoco>")
    mujoco.MjModel.from_xml_string(text)
    messages = findings_of(read_limits(written(tmp_path, text)))
    assert set(messages) == {
        *(("declared", None), ("equality", None), ("tendon", None)),
        *(("equality", "body_0"), ("equality", "body_2")),
        *(("tendon", "body_1"), ("tendon", "body_2")),
    }
    assert "holds a to b" in messages["equality", "body_0"]
    assert "holds c to one angle" in messages["equality", "body_2"]
    assert "1 equality between bodies" in messages["equality", None]
    assert "tendon t couples it" in messages["tendon", "body_1"]


@pytest.mark.parametrize(
    ("soft", "expected"),
    [
        ('soft_lower_limit="-0.2" soft_upper_limit="0.1"', "-11.5..5.7 degrees"),
        ('soft_upper_limit="0.1"', "-57.3..5.7 degrees"),
        ('soft_lower_limit="-9" soft_upper_limit="9"', ""),
        ('k_velocity="1"', ""),
    ],
)
def test_the_limits_of_a_controller_are_reported(tmp_path, soft, expected):
    limits = f'<limit lower="-1" upper="1"/><safety_controller {soft}/>'
    text = urdf([("base", "arm", 'type="revolute"', limits)])
    found = read_limits(written(tmp_path, text, "robot.urdf"))
    (joint,) = found.joints.values()
    assert joint.limits["rotateX"].max_deg == pytest.approx(np.degrees(1.0))
    messages = [item.message for item in joint.findings if item.rule == "soft-limits"]
    assert len(messages) == bool(expected)
    assert all(expected in message for message in messages)


def test_no_limits_are_only_claimed_where_there_are_none(tmp_path):
    two = '<joint axis="1 0 0" range="-5 5"/>' * 2
    messages = findings_of(read_limits(written(tmp_path, mjcf(body(two)))))
    assert "declares no limits that rotate channels can hold" in messages["none-declared", None]
    messages = findings_of(read_limits(written(tmp_path, mjcf(body('<joint type="ball"/>')))))
    assert "declares no limits of rotations" in messages["none-declared", None]


@pytest.mark.thorough
def test_joints_in_frames_of_their_body(tmp_path):
    """They turn with the frame, take its class, and stand among the others as in the file."""
    rng = np.random.default_rng(2)
    before = '<default><default class="wide"><joint range="-70 20"/></default></default>'
    for seed in range(10):
        first, second, third = (words(axis) for axis in random_axes(rng, 3))
        outer, inner, own = (oriented(rng, kind) for kind in ("euler", "quat", "zaxis"))
        # Both frames around the same axes, so that all three are at right angles.
        joints = (
            f'<frame {outer}><frame {inner} childclass="wide"><joint axis="{first}"/></frame>'
            f'<frame {inner}><joint axis="{second}" range="-9 9"/>'
            f'<joint axis="{third}" range="-30 40" ref="3"/></frame></frame>'
        )
        last = body(f'<frame {own}><joint axis="1 2 3" range="-8 7"/></frame>', "b2", inner)
        text = mjcf(
            f"<frame {outer}>" + body(f"{joints}<frame {own}>{last}</frame>", "b1") + "</frame>",
            before,
        )
        path = written(tmp_path, text)
        assert check_against_mujoco(path, {"b1": "b1", "b2": "b2"}, seed) == 30 * 2 * 4


def test_joints_of_a_frame_stand_where_the_file_has_them(tmp_path):
    joints = '<joint axis="1 0 0"/><frame><joint axis="0 1 0"/></frame><joint axis="0 0 1"/>'
    plain = joints.replace("<frame>", "").replace("</frame>", "")
    orders = {
        read_limits(written(tmp_path, mjcf(body(text)))).joints["b"].frame.rotate_order
        for text in (joints, plain)
    }
    assert orders == {"zyx"}
