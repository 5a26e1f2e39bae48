"""Limits of MJCF and URDF models, held against MuJoCo, which reads both."""

from __future__ import annotations

import dataclasses
import math
import re

import numpy as np
import pytest

from jointlimits_core.base import InputError
from jointlimits_core.exporters import FORMATS, export_options_of
from jointlimits_core.geometry import IDENTITY, conjugate, multiply, normalized
from jointlimits_core.ik import rotate_box_of
from jointlimits_core.importers import read_limits
from jointlimits_core.importers.xml import ModelError
from jointlimits_core.io import ReadLimits
from tests.support.export_examples import rig
from tests.support.limit_set_examples import CHANNELS

EXACT = 1e-9
GEOM = '<geom size="0.1" mass="1"/>'
mujoco_missing = "MuJoCo is not installed: pip install mujoco"


def written(tmp_path, text, name="model.xml"):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return path


def mjcf(inside, before="", model="robot"):
    return f'<mujoco model="{model}">{before}<worldbody>{inside}</worldbody></mujoco>'


def body(inside="", name="b", more=""):
    return f'<body name="{name}" {more}>{GEOM}{inside}</body>'


def words(values):
    return " ".join(repr(float(value)) for value in values)


def check_against_mujoco(path, names_of_joints, seed=0, poses=30):
    """Every pose of MuJoCo's is one of ours, as far from every bound as there.

    `names_of_joints` has for each of our joints the body of MuJoCo that it turns.
    """
    mujoco = pytest.importorskip("mujoco", reason=mujoco_missing)
    limit_set = read_limits(path)
    model = mujoco.MjModel.from_xml_path(str(path))
    data = mujoco.MjData(model)
    rng = np.random.default_rng(seed)
    checked = 0
    for _ in range(poses):
        for n in range(model.njnt):
            if model.jnt_type[n] == mujoco.mjtJoint.mjJNT_HINGE:
                data.qpos[model.jnt_qposadr[n]] = in_range(model, n, rng)
        mujoco.mj_kinematics(model, data)
        for name, body_name in names_of_joints.items():
            one = model.body(body_name)
            joints = range(one.jntadr[0], one.jntadr[0] + one.jntnum[0])
            box = rotate_box_of(limit_set.joints[name])
            above, own = data.xquat[one.parentid[0]], data.xquat[one.id]
            local = multiply(conjugate(above[[1, 2, 3, 0]]), own[[1, 2, 3, 0]])
            values = box.channels(local)
            theirs, ours = [], []
            for n in joints:
                value = data.qpos[model.jnt_qposadr[n]]
                if model.jnt_limited[n]:
                    low, high = model.jnt_range[n]
                    theirs += [value - low, high - value]
            for channel in range(3):
                low, high = box.low[channel], box.high[channel]
                if high > low and np.isfinite(high - low):
                    ours += [values[channel] - low, high - values[channel]]
                elif low == high:
                    assert values[channel] == pytest.approx(low, abs=1e-7)
            assert np.sort(ours) == pytest.approx(np.sort(theirs), abs=1e-7)
            checked += len(ours)
    return checked


def in_range(model, n, rng):
    low, high = model.jnt_range[n] if model.jnt_limited[n] else (-1.5, 1.5)
    middle = 0.5 * (low + high)
    # Away from the gimbal, where a rotation has many channels.
    return rng.uniform(max(low, middle - 1.4), min(high, middle + 1.4))


def random_axes(rng, count):
    """Axes at right angles to each other, in any handedness."""
    matrix = np.linalg.qr(rng.normal(size=(3, 3)))[0]
    return matrix.T[:count] * rng.uniform(0.2, 5.0, (count, 1))


def random_body(rng, number, orientation, count):
    joints = ""
    for n, axis in enumerate(random_axes(rng, count)):
        low = rng.uniform(-60.0, 10.0)
        ends = words((low, low + rng.uniform(1.0, 70.0)))
        # ref must lie where the middle channel is not at its gimbal.
        joints += f'<joint name="j{number}_{n}" axis="{words(axis)}" range="{ends}"'
        joints += f' ref="{float(rng.uniform(-9.0, 9.0))!r}"/>'
    inside = "" if number == 0 else random_body(rng, number - 1, next_of(orientation), count)
    return body(joints + inside, f"b{number}", oriented(rng, orientation))


KINDS = ("quat", "euler", "axisangle", "xyaxes", "zaxis", "")


def next_of(kind):
    return KINDS[(KINDS.index(kind) + 1) % len(KINDS)]


def oriented(rng, kind):
    count = {"quat": 4, "euler": 3, "axisangle": 4, "xyaxes": 6, "zaxis": 3, "": 0}[kind]
    numbers = rng.normal(size=count) * (40.0 if kind == "euler" else 1.0)
    return f'{kind}="{words(numbers)}"' if kind else ""


@pytest.mark.thorough
@pytest.mark.parametrize("sequence", ["xyz", "ZYX", "zxZ", "XyZ", "yXy"])
@pytest.mark.parametrize(
    "count",
    [pytest.param(1, marks=pytest.mark.thorough), pytest.param(2, marks=pytest.mark.thorough), 3],
)
def test_hinges_of_any_axes_are_channels(tmp_path, count, sequence):
    for seed in range(3):
        rng = np.random.default_rng(seed)
        compiler = f'<compiler eulerseq="{sequence}"/>'
        text = mjcf(random_body(rng, 5, "quat", count), compiler)
        names = {f"b{n}": f"b{n}" for n in range(6)}
        checked = check_against_mujoco(written(tmp_path, text), names, seed)
        assert checked == 30 * 6 * 2 * count


@pytest.mark.thorough
def test_two_hinges_at_any_angle(tmp_path):
    rng = np.random.default_rng(3)
    for seed in range(20):
        first, second = normalized(rng.normal(size=(2, 3)))
        if abs(float(first @ second)) > 0.95:
            continue
        joints = "".join(
            f'<joint axis="{words(axis)}" range="-40 30"/>' for axis in (first, second)
        )
        path = written(tmp_path, mjcf(body(joints, more=oriented(rng, "quat"))))
        assert check_against_mujoco(path, {"b": "b"}, seed) == 30 * 4


@pytest.mark.thorough
def test_classes_frames_and_radians(tmp_path):
    before = """
      <compiler angle="radian" autolimits="true"/>
      <default>
        <joint axis="0 1 0" range="-0.5 0.5"/>
        <default class="arm"><joint range="-0.25 1"/>
          <default class="hand"><joint axis="1 0 0"/></default></default>
      </default>"""
    inside = body(
        "<joint/>"
        + body('<joint class="hand"/>', "b1")
        + '<frame euler="0.3 0.2 0.1" childclass="arm"><frame zaxis="1 1 0">'
        + body('<joint limited="false"/>' + body('<joint range="-2 -1"/>', "b3"), "b2")
        + "</frame></frame>"
    )
    path = written(tmp_path, mjcf(inside, before))
    assert check_against_mujoco(path, {"b": "b", "b1": "b1", "b2": "b2", "b3": "b3"}) > 0
    found = read_limits(path)
    ranges = {
        name: next(
            (axis.min_deg, axis.max_deg) for axis in one.limits.values() if axis.state != "locked"
        )
        for name, one in found.joints.items()
    }
    degrees = math.degrees
    assert ranges["b"] == pytest.approx((degrees(-0.5), degrees(0.5)))
    assert ranges["b1"] == pytest.approx((degrees(-0.25), degrees(1.0)))
    assert ranges["b2"] == (None, None)
    assert ranges["b3"] == pytest.approx((-degrees(2.0), -degrees(1.0)))
    assert found.joints["b3"].parent == "b2"
    assert [one.type for one in found.joints.values()] == ["hinge"] * 4


def test_free_ball_and_slide_joints(tmp_path):
    inside = body(
        "<freejoint/>"
        + body('<joint type="ball" range="0 40"/>', "ball")
        + body('<joint type="ball" range="0 100"/>', "wide")
        + body('<joint type="ball"/>', "open")
        + body('<joint type="slide" range="-1 1"/><joint axis="1 0 0" range="-1 1"/>', "slide")
        + body("", "still")
        + body('<joint type="ball"/><joint axis="1 0 0" range="-1 1"/>', "both"),
        "root",
    )
    found = read_limits(written(tmp_path, mjcf(inside)))
    kinds = {name: one.type for name, one in found.joints.items()}
    assert kinds == {
        **dict.fromkeys(("root", "ball", "wide", "open", "both"), "ball"),
        "slide": "hinge",
        "still": "fixed",
    }
    ends = {
        name: [(axis.min_deg, axis.max_deg) for axis in one.limits.values()]
        for name, one in found.joints.items()
    }
    assert ends["ball"] == [(-40.0, 40.0)] * 3
    assert ends["wide"] == [(None, None), (-90.0, 90.0), (None, None)]
    assert ends["root"] == ends["open"] == ends["both"] == [(None, None)] * 3
    assert ends["slide"][0] == (-1.0, 1.0)
    rules = {name: [f.rule for f in one.findings] for name, one in found.joints.items()}
    assert rules["ball"] == rules["wide"] == ["ball-range"]
    assert rules["slide"] == ["slides"]
    assert rules["both"] == ["not-channels"]


@pytest.mark.parametrize("degrees", [10.0, 45.0, 80.0, 89.0])
def test_no_turn_of_a_ball_is_outside_of_its_channels(tmp_path, degrees):
    text = mjcf(body(f'<joint type="ball" range="0 {degrees}"/>'))
    box = rotate_box_of(read_limits(written(tmp_path, text)).joints["b"])
    rng = np.random.default_rng(0)
    axes = normalized(rng.normal(size=(20000, 3)))
    half = 0.5 * np.radians(degrees)
    turns = np.concatenate([axes * np.sin(half), np.full((20000, 1), np.cos(half))], axis=1)
    values = box.channels(turns)
    assert (values >= box.low - EXACT).all()
    assert (values <= box.high + EXACT).all()
    assert values.max(axis=0) == pytest.approx(box.high, abs=0.05)


def test_what_was_exported_comes_back(tmp_path):
    """Of joints without rotateAxis and groups, and with no channel locked, to the last digits."""
    skeleton, limit_set = rig(4, plain=True)
    count = len(skeleton)
    skeleton = dataclasses.replace(skeleton, rotate_axes=np.tile(IDENTITY, (count, 1)))
    joints = {
        name: dataclasses.replace(
            one, frame=dataclasses.replace(one.frame, rotate_axis_deg=(0.0, 0.0, 0.0))
        )
        for name, one in limit_set.joints.items()
    }
    limit_set = dataclasses.replace(limit_set, joints=joints)
    made = FORMATS["mjcf"].export(
        limit_set, skeleton, export_options_of({"root_joint": "hinges"}, "xml")
    )
    found = read_limits(written(tmp_path, made.content))
    assert list(found.joints) == list(limit_set.joints)
    for name, one in limit_set.joints.items():
        back = found.joints[name]
        assert back.frame.rotate_order == one.frame.rotate_order
        assert back.type == one.type
        for channel in CHANNELS:
            ours, theirs = one.limits[channel], back.limits[channel]
            assert theirs.state == ours.state
            for bound in ("min_deg", "max_deg"):
                assert getattr(theirs, bound) == pytest.approx(getattr(ours, bound), abs=EXACT)


@pytest.mark.thorough
@pytest.mark.parametrize("plain", [True, False], ids=["plain", "groups and scales"])
def test_any_export_means_the_same_poses(tmp_path, plain):
    for seed in range(3):
        skeleton, limit_set = rig(seed, ("ball", "hinge", "universal", "fixed"), plain=plain)
        made = FORMATS["mjcf"].export(limit_set, skeleton, export_options_of({}, "xml"))
        names = {name: name for name in skeleton.names if name != "root"}
        assert check_against_mujoco(written(tmp_path, made.content), names, seed, 10) > 0


def urdf(joints, links=None):
    names = sorted({word for joint in joints for word in joint[:2]}) if links is None else links
    inertia = (
        '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/>'
        "</inertial>"
    )
    text = "".join(f'<link name="{name}">{inertia}</link>' for name in names)
    for parent, child, attributes, inside in joints:
        text += (
            f'<joint name="to_{child}" {attributes}><parent link="{parent}"/>'
            f'<child link="{child}"/>{inside}</joint>'
        )
    return f'<?xml version="1.0"?><robot name="r">{text}</robot>'


@pytest.mark.thorough
def test_urdf_against_mujoco(tmp_path):
    rng = np.random.default_rng(1)
    joints = []
    for n in range(8):
        low = rng.uniform(-2.0, 0.0)
        inside = (
            f'<origin xyz="0.1 0 0" rpy="{words(rng.uniform(-3.0, 3.0, 3))}"/>'
            f'<axis xyz="{words(normalized(rng.normal(size=3)))}"/>'
            f'<limit lower="{low!r}" upper="{low + 1.5!r}" effort="1" velocity="1"/>'
        )
        joints.append((f"l{n // 2}", f"l{n + 1}", 'type="revolute"', inside))
    path = written(tmp_path, urdf(joints), "robot.urdf")
    assert check_against_mujoco(path, {f"to_l{n}": f"l{n}" for n in range(1, 9)}) == 30 * 8 * 2
    found = read_limits(path)
    assert found.joints["to_l5"].parent == "to_l2"
    assert found.character == "r"


def test_kinds_of_urdf_joints(tmp_path):
    limit = '<limit lower="-1" upper="2" effort="1" velocity="1"/>'
    joints = [
        ("a", "turn", 'type="revolute"', limit),
        ("a", "round", 'type="continuous"', '<axis xyz="0 0 1"/><mimic joint="to_turn"/>'),
        ("a", "slide", 'type="prismatic"', limit),
        ("a", "fast", 'type="fixed"', ""),
        ("a", "float", 'type="floating"', ""),
        ("a", "plane", 'type="planar"', '<axis xyz="0 1 0"/>'),
    ]
    found = read_limits(written(tmp_path, urdf(joints))).joints
    kinds = {name: one.type for name, one in found.items()}
    hinges = dict.fromkeys(("to_turn", "to_round", "to_plane"), "hinge")
    assert kinds == {**hinges, "to_slide": "fixed", "to_fast": "fixed", "to_float": "ball"}
    turn = found["to_turn"].limits["rotateX"]
    assert (turn.min_deg, turn.max_deg) == pytest.approx((math.degrees(-1), math.degrees(2)))
    assert found["to_round"].limits["rotateZ"].state == "free"
    assert [f.rule for f in found["to_round"].findings] == ["mimics"]
    assert [f.rule for f in found["to_slide"].findings] == ["slides"]


def in_parts(tmp_path):
    """A model whose classes and one of whose bodies lie in other files."""
    parts = tmp_path / "parts"
    parts.mkdir()
    (parts / "classes.xml").write_text(
        '<mujoco><compiler angle="radian"/><default><default class="knee">'
        '<joint axis="1 0 0" range="0 1.5"/></default></default></mujoco>'
    )
    inner = body('<joint class="knee"/><include file="parts/last.xml"/>', "b")
    (parts / "chain.xml").write_text(f"<mujocoinclude>{inner}</mujocoinclude>")
    last = body('<joint axis="0 1 0"/>', "c")
    (parts / "last.xml").write_text(f"<mujocoinclude>{last}</mujocoinclude>")
    top = f'<include file="parts/classes.xml"/><worldbody><body name="a">{GEOM}'
    return f'<mujoco>{top}<include file="parts/chain.xml"/></body></worldbody></mujoco>'


def test_parts_of_a_model_in_other_files(tmp_path):
    found = read_limits(written(tmp_path, in_parts(tmp_path)))
    assert list(found.joints) == ["a", "b", "c"]
    knee = found.joints["b"].limits["rotateX"]
    assert (knee.min_deg, knee.max_deg) == pytest.approx((0.0, math.degrees(1.5)))
    assert [finding.rule for finding in found.findings] == ["declared"]


@pytest.mark.thorough
def test_mujoco_puts_parts_in_the_same_places(tmp_path):
    mujoco = pytest.importorskip("mujoco", reason=mujoco_missing)
    path = written(tmp_path, in_parts(tmp_path))
    model = mujoco.MjModel.from_xml_path(str(path))
    names = [model.body(at).name for at in range(1, model.nbody)]
    assert names == list(read_limits(path).joints)
    np.testing.assert_allclose(model.jnt_range[0], [0.0, 1.5])


@pytest.mark.parametrize(
    ("named", "expected"),
    [
        ("../secret.xml", "is outside the model's folder"),
        ("/etc/passwd", "is outside the model's folder"),
        ("sky.xml", "was not found in the model's folder"),
    ],
)
def test_a_part_that_is_not_there_or_lies_elsewhere_is_a_finding(tmp_path, named, expected):
    folder = tmp_path / "model"
    folder.mkdir()
    (tmp_path / "secret.xml").write_text("<mujoco/>")
    found = read_limits(written(folder, mjcf(body() + f'<include file="{named}"/>')))
    assert list(found.joints) == ["b"]
    (finding,) = (one for one in found.findings if one.rule == "include")
    assert re.search(expected, finding.message)


def test_a_broken_part_is_named_with_its_own_line(tmp_path):
    (tmp_path / "part.xml").write_text(
        '<mujoco>\n<body name="c">\n<joint axis="0 0 0"/></body></mujoco>'
    )
    with pytest.raises(InputError, match=r"part\.xml:3:.*zero length"):
        read_limits(written(tmp_path, mjcf('<include file="part.xml"/>')))


def test_parts_that_name_parts_without_end(tmp_path):
    for number in range(40):
        (tmp_path / f"p{number}.xml").write_text(
            f'<mujoco><include file="p{number + 1}.xml"/></mujoco>'
        )
    found = read_limits(written(tmp_path, mjcf(body() + '<include file="p0.xml"/>')))
    (finding,) = (one for one in found.findings if one.rule == "include")
    assert "max_reference_depth" in finding.message


WRONG_MJCF = {
    "included nothing": (mjcf("<include/>"), "needs a file name"),
    "included itself": (mjcf('<include file="model.xml"/>'), "is included twice"),
    "replicate": (mjcf("<replicate count='3'>" + body() + "</replicate>"), "is expanded by MuJoCo"),
    "no bodies": (mjcf(""), "no bodies"),
    "twice": (mjcf(body() + body()), "appears twice"),
    "axis": (mjcf(body('<joint axis="0 0 0"/>')), "zero length"),
    "few numbers": (mjcf(body('<joint axis="0 1"/>')), "3 numbers, found 2"),
    "nan": (mjcf(body('<joint axis="0 nan 1"/>')), "'nan'"),
    "huge": (mjcf(body('<joint range="0 1e99"/>')), "'1e99'"),
    "range": (
        mjcf(body('<joint limited="true" range="3 1"/>')),
        "first number must be the smaller one",
    ),
    "no range": (mjcf(body('<joint limited="true"/>')), "range 0 0 is invalid"),
    "ball range": (
        mjcf(body('<joint type="ball" range="5 9"/>')),
        r"start at 0, not 5 \(range 5 9\)",
    ),
    "class": (mjcf(body('<joint class="no"/>')), "unknown default class 'no'"),
    "type": (mjcf(body('<joint type="screw"/>')), "'screw'"),
    "two orientations": (mjcf(body(more='quat="1 0 0 0" euler="0 0 0"')), "quat and euler"),
    "quat": (mjcf(body(more='quat="0 0 0 0"')), "zero length"),
    "xyaxes": (mjcf(body(more='xyaxes="1 0 0 2 0 0"')), "parallel"),
    "eulerseq": (mjcf(body(), '<compiler eulerseq="abc"/>'), "eulerseq"),
    "angle": (mjcf(body(), '<compiler angle="gon"/>'), "angle must be"),
    "global": (mjcf(body(), '<compiler coordinate="global"/>'), "global coordinates"),
    "autolimits": (
        mjcf(body('<joint range="0 1"/>'), '<compiler autolimits="false"/>'),
        "has a range but no limited attribute",
    ),
    "autolimits word": (mjcf(body(), '<compiler autolimits="yes"/>'), "true or false, not 'yes'"),
    "limited": (mjcf(body('<joint limited="maybe"/>')), "limited must be"),
    "digits of another script": (mjcf(body('<joint range="-٩ ٩"/>')), "range must be 2 numbers"),
    "nested default": (mjcf(body(), "<default><default/></default>"), "needs a class"),
    "joint in the world": (mjcf("<joint/>" + body()), "must be inside a body"),
    "joint in a frame": (mjcf("<frame><joint/></frame>" + body()), "must be inside a body"),
}


@pytest.mark.parametrize("name", WRONG_MJCF)
def test_what_is_wrong_with_a_model_is_reported(tmp_path, name):
    text, message = WRONG_MJCF[name]
    with pytest.raises(ModelError, match=message) as caught:
        read_limits(written(tmp_path, text))
    assert str(caught.value).startswith(str(tmp_path))


LIMIT = '<limit lower="-1" upper="2"/>'
WRONG_URDF = {
    "circle": (urdf([("a", "b", 'type="fixed"', ""), ("b", "a", 'type="fixed"', "")]), "a loop"),
    "two parents": (
        urdf([("a", "c", 'type="fixed"', ""), ("b", "c", 'type="fixed"', "")]),
        "to_c' appears twice",
    ),
    "no joints": (urdf([], ["a"]), "no joints"),
    "no limit": (urdf([("a", "b", 'type="revolute"', "")]), "needs a <limit>"),
    "type": (urdf([("a", "b", 'type="bent"', "")]), "'bent'"),
    "no type": (urdf([("a", "b", "", "")]), "needs type"),
    "order": (urdf([("a", "b", 'type="revolute"', '<limit lower="2" upper="1"/>')]), "is reversed"),
    "no child": ('<robot><joint name="j" type="fixed"><parent link="a"/></joint></robot>', "child"),
    "number": (
        urdf([("a", "b", 'type="revolute"', '<limit lower="${low}" upper="1"/>')]),
        "lower must be a number",
    ),
}


@pytest.mark.parametrize("name", WRONG_URDF)
def test_what_is_wrong_with_a_robot_is_reported(tmp_path, name):
    text, message = WRONG_URDF[name]
    with pytest.raises(ModelError, match=message):
        read_limits(written(tmp_path, text))


@pytest.mark.thorough
def test_counts_and_depths_are_bounded_and_can_be_raised(tmp_path):
    deep = "".join(f'<body name="b{n}">' for n in range(1200)) + "</body>" * 1200
    path = written(tmp_path, mjcf(deep))
    with pytest.raises(
        ModelError, match="more than 1,000 nested elements; raise the option max_depth"
    ):
        read_limits(path)
    assert len(read_limits(path, ReadLimits(max_depth=1300)).joints) == 1200
    with pytest.raises(ModelError, match="more than 50 joints; raise the option max_joints"):
        read_limits(path, ReadLimits(max_depth=1300, max_joints=50))
