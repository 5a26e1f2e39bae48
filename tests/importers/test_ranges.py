"""Ranges written into a user's own MJCF and URDF: the bytes, the units, and what MuJoCo reads."""

from __future__ import annotations

import dataclasses
import re

import numpy as np
import pytest

from jointlimits_core import api
from jointlimits_core.geometry import IDENTITY, quaternion_from_axis_angle
from jointlimits_core.importers import read_limits
from jointlimits_core.importers.ranges import write_ranges
from jointlimits_core.importers.xml import ModelError
from jointlimits_core.limits import AxisLimit, Frame
from jointlimits_core.motion import Motion
from tests.support.limit_set_examples import joint, limited, locked
from tests.support.shared_data import shared

MODEL = b"""<?xml version="1.0"?>
<!-- range="1 2" of a comment -->
<mujoco model="arm">\r
  <compiler angle="degree"/>
  <default><joint range="-5 5" damping="1"/>
    <default class="wide"><joint range="-90 90"/></default></default>
  <worldbody><body name="base"><freejoint/><geom size=".1"/>
    <body name="upper" euler="10 20 30"><geom size=".1"/>
      <joint name='s1' axis="0 0 1" range = '-10   20'/>
      <joint name="s2" axis="0 1 0"
             class="wide"/>\r
      <joint axis="1 0 0" limited="false" ref="15" name="a&gt;b"/>
      <body name="lower"><geom size=".1"/><joint axis="0 -1 0" range="0 150" /></body>
      <body name="ball"><geom size=".1"/><joint type="ball" range="0 60"/></body>
    </body></body></worldbody>
</mujoco>
"""
ROBOT = """<robot name="arm" xmlns:x="u">
  <link name="base"/><link name="a"/><link name="b"/><link name="c"/><link name="d"/>
  <joint name="shoulder" type="revolute"><parent link="base"/><child link="a"/>
    <origin rpy="0 .5 1"/><axis xyz="0 0 -1"/><limit effort="1" upper="1.5" velocity='2'/></joint>
  <joint name="elbow" type="revolute"><parent link="a"/><child link="b"/><axis xyz="0 1 0"/>
    <limit lower="-1" upper="1" effort="1" velocity="1"/>
    <mimic joint="shoulder"/></joint>
  <joint name="wheel" type="continuous"><parent link="b"/><child link="c"/></joint>
  <joint name="rail" type="prismatic"><parent link="b"/><child link="d"/><limit lower="0" upper="1"
    effort="1" velocity="1"/></joint>
</robot>
"""
VALUE = re.compile(rb"""\s*\b(range|limited|lower|upper)\s*=\s*("[^"]*"|'[^']*')""")


def with_ranges(limit_set, change):
    """A limit set with other ranges: `change(joint, channel, axis)`."""
    joints = {
        name: dataclasses.replace(
            one, limits={c: change(name, c, axis) for c, axis in one.limits.items()}
        )
        for name, one in limit_set.joints.items()
    }
    return dataclasses.replace(limit_set, joints=joints)


def shifted(seed=0):
    """Other ends of every range, in no round numbers."""
    chance = np.random.default_rng(seed)

    def change(name, channel, axis):
        if axis.state != "limited":
            return axis
        low, width = chance.uniform(-150.0, 50.0), chance.uniform(1.0, 90.0)
        return limited(low, low + width)

    return change


def ends(limit_set):
    return {
        f"{name}.{channel}": (axis.state, axis.min_deg, axis.max_deg)
        for name, one in limit_set.joints.items()
        for channel, axis in one.limits.items()
    }


def without_ranges(data):
    return VALUE.sub(b"", data)


def check_round_trip(path, out):
    """Other ranges are written, read again, and nothing else differs."""
    imported = read_limits(path)
    wanted = with_ranges(imported, shifted())
    report = write_ranges(wanted, path, out)
    again = read_limits(out)
    for place, (state, low, high) in ends(wanted).items():
        found = ends(again)[place]
        if place.partition(".")[0] in {one.joint for one in report.skipped}:
            assert found == ends(imported)[place]
            continue
        assert found[0] == state, place
        if low is not None:
            assert np.abs(np.subtract(found[1:], (low, high))).max() < 1e-6, place
    assert without_ranges(out.read_bytes()) == without_ranges(path.read_bytes())
    return report


def test_a_model_gets_ranges_in_its_own_unit_and_classes(tmp_path):
    path, out = tmp_path / "arm.xml", tmp_path / "new.xml"
    path.write_bytes(MODEL)
    report = check_round_trip(path, out)
    # The class stays; the joint without limits, as imported, too.
    assert set(report.written) == {"upper", "lower"}
    assert [one.joint for one in report.skipped] == ["ball"]
    assert b'class="wide"' in out.read_bytes()
    assert b"range = '-10   20'" not in out.read_bytes()
    assert b'<joint range="-5 5" damping="1"/>' in out.read_bytes()


def test_a_free_hinge_is_limited_and_a_limited_one_set_free(tmp_path):
    path, out = tmp_path / "arm.xml", tmp_path / "new.xml"
    path.write_bytes(MODEL)
    imported = read_limits(path)
    free = next(c for c, a in imported.joints["upper"].limits.items() if a.state == "free")

    def change(name, channel, axis):
        if name == "lower":
            return AxisLimit("free") if axis.state == "limited" else axis
        return limited(-7.5, 30.0) if (name, channel) == ("upper", free) else axis

    write_ranges(with_ranges(imported, change), path, out)
    text = out.read_bytes()
    # Its zero pose is at 15 degrees, the hinge itself is about +X.
    assert b'<joint axis="1 0 0" limited="true" ref="15" name="a&gt;b" range="7.5 45.0"/>' in text
    assert b'<joint axis="0 -1 0" range="0 150" limited="false" /></body>' in text
    assert ends(read_limits(out))[f"upper.{free}"] == ("limited", -7.5, 30.0)


@pytest.mark.parametrize("ends_of_lines", [b"\n", b"\r\n", b"\r"])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_any_line_ends_and_a_byte_order_mark(tmp_path, ends_of_lines, mark):
    path, out = tmp_path / "arm.xml", tmp_path / "new.xml"
    path.write_bytes(mark + MODEL.replace(b"\r\n", b"\n").replace(b"\n", ends_of_lines))
    assert set(check_round_trip(path, out).written) == {"upper", "lower"}


def test_equal_ranges_change_no_byte(tmp_path):
    for name, data in (("arm.xml", MODEL), ("arm.urdf", ROBOT.encode())):
        path, out = tmp_path / name, tmp_path / f"new-{name}"
        path.write_bytes(data)
        report = write_ranges(read_limits(path), path, out)
        assert not report.written
        assert out.read_bytes() == data


def test_a_robot_gets_radians(tmp_path):
    path, out = tmp_path / "arm.urdf", tmp_path / "new.urdf"
    path.write_text(ROBOT)
    report = check_round_trip(path, out)
    assert set(report.written) == {"shoulder", "elbow"}
    given = re.findall(r'(lower|upper)="([^"]*)"', out.read_text())
    assert len(given) == 6


def test_what_a_file_cannot_hold_is_reported(tmp_path):
    path, out = tmp_path / "arm.urdf", tmp_path / "new.urdf"
    path.write_text(ROBOT)
    imported = read_limits(path)
    report = write_ranges(
        with_ranges(
            imported, lambda name, c, a: limited(-20.0, 20.0) if a.state != "locked" else a
        ),
        path,
        out,
    )
    (skipped,) = report.skipped
    assert skipped.joint == "wheel"
    assert "continuous, which has no range" in skipped.reason
    path.write_bytes(MODEL)
    still = with_ranges(read_limits(path), lambda name, c, a: locked(5.0))
    with pytest.raises(ModelError, match="MuJoCo has no range without width"):
        write_ranges(still, path, out)
    other = dataclasses.replace(imported, joints={"nobody": imported.joints["elbow"]})
    path.write_text(ROBOT)
    with pytest.raises(ModelError, match=r"can be written: .* no such joint \(nobody\); rename it"):
        write_ranges(other, path, tmp_path / "none.urdf")
    assert not (tmp_path / "none.urdf").exists()


@pytest.mark.parametrize(
    ("axis", "left"), [((0.0, 0.0, 1.0), ()), ((0.0, 0.6, 0.8), ("rotateX", "rotateY"))]
)
def test_limits_about_other_axes(tmp_path, axis, left):
    """A joint measured about Z is the robot's hinge about -Z; a tilted one leaves two channels."""
    path, out = tmp_path / "arm.urdf", tmp_path / "new.urdf"
    path.write_text(ROBOT.replace(' rpy="0 .5 1"', ""))
    turns = np.zeros((200, 2, 4)) + IDENTITY
    turns[:, 1] = quaternion_from_axis_angle(np.array(axis), np.linspace(0.0, 1.2, 200))
    clip = Motion.from_quaternions(["hips", "shoulder"], [-1, 0], turns, 30.0)
    report = write_ranges(api.estimate(clip), path, out)
    assert report.written
    assert [one.attribute for one in report.skipped] == list(left)
    if not left:
        assert 'lower="-1.2"' in re.sub(r"1\.2000000\d*|1\.1999999\d*", "1.2", out.read_text())


def test_a_channel_of_another_orientation_is_found(tmp_path):
    """rotateX of a joint whose X points where the robot's hinge does, and elsewhere."""
    path, out = tmp_path / "arm.urdf", tmp_path / "new.urdf"
    path.write_text(ROBOT.replace(' rpy="0 .5 1"', ""))
    for orient in (90.0, 60.0):
        frame = Frame("xyz", (0.0, orient, 0.0), (0.0, -orient, 0.0))
        turning = joint("hinge", (limited(-10.0, 40.0), locked(), locked()), frame=frame)
        limits = dataclasses.replace(read_limits(path), joints={"shoulder": turning})
        if orient == 60.0:
            with pytest.raises(ModelError, match="other axes than the model's hinges"):
                write_ranges(limits, path, out)
        else:
            assert write_ranges(limits, path, out).written
        found = read_limits(out).joints["shoulder"].limits["rotateZ"]
        assert (found.min_deg, found.max_deg) == pytest.approx((-40.0, 10.0), abs=1e-9)


def test_the_model_itself_is_never_overwritten(tmp_path):
    path = tmp_path / "arm.xml"
    path.write_bytes(MODEL)
    with pytest.raises(ModelError, match="this is the model itself"):
        write_ranges(read_limits(path), path, path)


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["dm_control_humanoid.xml", "dm_control_humanoid_CMU.xml"])
def test_public_models_load_in_mujoco_with_the_ranges(tmp_path, name):
    mujoco = pytest.importorskip("mujoco")
    path, out = shared(f"data/limits/{name}"), tmp_path / "new.xml"
    report = check_round_trip(path, out)
    assert len(report.written) > 10
    # Materials are in files that are included and not here.
    elsewhere = re.compile(r'<include[^>]*/>|<!--.*?-->|\smaterial="[^"]*"', re.DOTALL)
    new, old = (
        mujoco.MjModel.from_xml_string(elsewhere.sub("", one.read_text())) for one in (out, path)
    )
    assert new.njnt == old.njnt
    assert np.array_equal(new.jnt_axis, old.jnt_axis)
    changed = np.abs(new.jnt_range - old.jnt_range).max(axis=1) > 0.0
    assert changed.sum() == sum(len(names) for names in report.written.values())
    assert np.array_equal(new.jnt_limited, old.jnt_limited)
