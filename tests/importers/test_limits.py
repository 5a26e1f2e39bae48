"""``jointlimits import-limits``, and limits of ASF skeletons and scenes."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from jointlimits_core.base.errors import InputError
from jointlimits_core.cli.main import main
from jointlimits_core.estimation.pipeline import estimate
from jointlimits_core.formats.maya_ascii.writer import apply_limit_set
from jointlimits_core.formats.registry import read_motion
from jointlimits_core.geometry.euler import ROTATE_ORDERS, local_from_rotate, quaternion_from_euler
from jointlimits_core.geometry.quaternion import rotate
from jointlimits_core.importers.declared import declared_limits
from jointlimits_core.importers.read import read_limits
from jointlimits_core.limits.diff import diff
from jointlimits_core.limits.limit_set import LimitSet, read_limit_set, write_limit_set
from jointlimits_core.motion.skeleton import Declaration, Skeleton
from tests.support.house_files import ROOT
from tests.support.limit_set_examples import CHANNELS
from tests.support.maya_scenes import ELBOW
from tests.support.shared_data import shared_path

SCENE = ROOT / "examples" / "humanoid_rom.ma"
ASF = """
:version 1.10
:units
  mass 1.0
  length 0.45
  angle deg
:root
  order TX TY TZ RX RY RZ
  axis XYZ
  position 0 0 0
  orientation 0 0 0
:bonedata
  begin
    name thigh
    direction 0 -1 0
    length 2
    axis 10 20 30 XYZ
    dof rx ry rz
    limits (-160.0 20.0)
           (70.0 -70.0)
           (-60.0 inf)
  end
  begin
    name shin
    direction 0 -1 0
    length 2
    axis 0 0 20 XYZ
    dof rx
    limits (-10.0 170.0)
  end
  begin
    name foot
    direction 0 0 1
    length 1
    axis 0 0 0 XYZ
  end
:hierarchy
  begin
    root thigh
    thigh shin
    shin foot
  end
"""


def write_file(folder, text, name):
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_an_acclaim_skeleton(tmp_path):
    found = read_limits(write_file(tmp_path, ASF, "figure.asf"))
    assert found.character == "figure"
    assert [one.type for one in found.joints.values()] == ["ball", "ball", "hinge", "fixed"]
    thigh = found.joints["thigh"]
    ends = [(axis.state, axis.min_deg, axis.max_deg) for axis in thigh.limits.values()]
    assert ends == [("limited", -160.0, 20.0), ("limited", -70.0, 70.0), ("limited", -60.0, None)]
    assert [finding.rule for finding in thigh.findings] == ["exchanged-bounds"]
    assert thigh.orientation.joint_orient_deg == pytest.approx((10.0, 20.0, 30.0))
    shin = found.joints["shin"]
    assert [shin.limits[c].state for c in CHANNELS] == ["limited", "locked", "locked"]
    assert (shin.hinge.min_deg, shin.hinge.max_deg) == (-10.0, 170.0)
    turned = np.array([np.cos(np.radians(20.0)), np.sin(np.radians(20.0)), 0.0])
    assert np.array(shin.hinge.axis_parent) == pytest.approx(turned)
    assert shin.limits["rotateX"].source.min.kind == "prior"
    assert [finding.rule for finding in found.findings] == ["declared"]
    assert LimitSet.from_json(found.to_json()) == found


def test_bounds_that_nothing_reaches_are_none(tmp_path):
    text = ASF.replace("(-10.0 170.0)", "(-1e8 170.0)").replace("(-160.0", "(-1e90")
    found = read_limits(write_file(tmp_path, text, "figure.asf"))
    shin = found.joints["shin"].limits["rotateX"]
    assert (shin.min_deg, shin.max_deg) == (None, 170.0)
    assert found.joints["thigh"].limits["rotateX"].min_deg is None
    assert LimitSet.from_json(found.to_json()) == found


@pytest.mark.parametrize("number", ["1.1e7", "1e20"])
def test_a_scene_that_is_turned_by_more_than_anybody_would(tmp_path, number):
    scene = write_file(
        tmp_path,
        '//Maya ASCII 2024 scene\nrequires maya "2024";\ncreateNode joint -n "a";\n'
        f'\tsetAttr ".r" -type "double3" 0 {number} 0 ;\n\tsetAttr -l on ".ry";\n',
        "wild.ma",
    )
    with pytest.raises(InputError, match=r"wild\.ma"):
        read_limits(scene)


@pytest.mark.thorough
def test_limits_of_a_scene_are_those_that_were_written_there(tmp_path):
    limit_set = estimate([read_motion(SCENE)])
    scene = tmp_path / "rig.ma"
    apply_limit_set(limit_set, SCENE, scene, lock_unmoved=True)
    found = read_limits(scene)
    compared = 0
    for name, one in limit_set.joints.items():
        for channel in CHANNELS:
            ours, theirs = one.limits[channel], found.joints[name].limits[channel]
            assert theirs.state == ours.state
            if ours.state == "limited":
                assert theirs.min_deg == pytest.approx(ours.min_deg, abs=1e-9)
                assert theirs.max_deg == pytest.approx(ours.max_deg, abs=1e-9)
                compared += 1
    assert compared > 20
    whats = {change.what for change in diff(limit_set, found).changes}
    assert not whats & {"frame", "min", "max", "joint-added", "joint-removed", "option"}


def test_a_scene_without_limits_says_so(tmp_path):
    found = read_limits(SCENE)
    assert [finding.rule for finding in found.findings] == ["declared", "none-declared"]
    assert {one.type for one in found.joints.values()} == {"ball"}


@pytest.mark.parametrize("order", ROTATE_ORDERS)
def test_axes_of_hinges_and_universal_joints(order):
    """Against poses: what turns with a channel stays where the axis says it does."""
    rng = np.random.default_rng(ROTATE_ORDERS.index(order))
    frames = quaternion_from_euler(rng.uniform(-3.0, 3.0, (2, 3)))
    for moving in ((0,), (1,), (2,), (0, 1), (1, 2), (0, 2)):
        dof = tuple(CHANNELS[n] for n in moving)
        limits = dict.fromkeys(dof, (-60.0, 80.0))
        skeleton = Skeleton(
            ("a",),
            np.array([-1]),
            rest_rotations=local_from_rotate(np.zeros((1, 3)), *frames, order),
            rotate_orders=(order,),
            joint_orients=frames[:1],
            rotate_axes=frames[1:],
            declarations={"a": Declaration(dof, limits)},
        )
        one = declared_limits(skeleton).joints["a"]
        rotates = np.zeros((50, 3))
        rotates[:, list(moving)] = rng.uniform(-1.0, 1.0, (50, len(moving)))
        turns = local_from_rotate(rotates, *frames, order)
        assert one.type == ("hinge" if len(moving) == 1 else "universal")
        axes = one.hinge if len(moving) == 1 else one.universal
        carried = rotate(turns, np.array(axes.axis_child))
        cosines = carried @ np.array(axes.axis_parent)
        # Axes have nine and seven decimals.
        assert cosines == pytest.approx(1.0 if len(moving) == 1 else 0.0, abs=3e-7)
        assert one.rest.feasible
        assert one.preferred_deg == pytest.approx((0.0, 0.0, 0.0))


def test_locked_channels_stand_where_the_scene_has_them():
    declared = Declaration(("rotateX",), {"rotateX": (5.0, 9.0)}, frozenset(["rotateZ"]))
    skeleton = Skeleton(("a",), np.array([-1]), declarations={"a": declared})
    one = declared_limits(skeleton, {"a": np.array([7.0, 0.0, 33.0])}).joints["a"]
    z = one.limits["rotateZ"]
    assert (z.state, z.min_deg, z.max_deg) == ("locked", 33.0, 33.0)
    assert one.type == "hinge"
    assert not one.rest.feasible
    assert one.rest.outside_deg == pytest.approx(33.0)
    assert one.preferred_deg == (5.0, 0.0, 33.0)


# --- the command --------------------------------------------------------------------------------


def test_the_command_writes_a_limit_set(tmp_path, capsys):
    source, out = write_file(tmp_path, ELBOW, "arm.ma"), tmp_path / "arm.limits.json"
    arguments = ["import-limits", str(source), "--out", str(out)]
    assert main([*arguments, "--character", "left arm"]) == 0
    printed = capsys.readouterr().out
    assert "elbow" in printed
    assert "a Maya scene" in printed
    assert printed.rstrip().endswith(f"wrote {out}")
    found = read_limit_set(out)
    assert found.character == "left arm"
    assert found.joints["elbow"].limits["rotateZ"].max_deg == 143.5
    assert main(["show", str(out)]) == 0
    assert main(["diff", str(out), str(out)]) == 0
    csv = tmp_path / "arm.csv"
    assert main(["export", str(out), "--to", "csv", "--out", str(csv)]) == 0
    assert "elbow" in csv.read_text(encoding="utf-8")


@pytest.mark.thorough
def test_a_file_is_compared_with_an_estimate_and_put_under_it(tmp_path, capsys):
    scene = tmp_path / "rig.ma"
    limit_set = estimate([read_motion(SCENE)])
    apply_limit_set(limit_set, SCENE, scene, lock_unmoved=True)
    wider = dataclasses.replace(limit_set, character="wider")
    estimated = tmp_path / "hero.limits.json"
    write_limit_set(wider, estimated)
    assert main(["diff", str(estimated), str(scene)]) == 1
    assert "option" not in capsys.readouterr().out
    merged = tmp_path / "merged.json"
    arguments = ["merge", str(estimated), str(scene), "--out", str(merged)]
    assert main([*arguments, "--how", "layers"]) == 0
    ours, theirs = read_limit_set(estimated), read_limit_set(merged)
    for name, one in ours.joints.items():
        for channel in CHANNELS:
            assert theirs.joints[name].limits[channel].min_deg == one.limits[channel].min_deg
    assert not [f for f in theirs.findings if f.rule == "merged-options"]
    before = scene.read_bytes()
    assert main(["merge", str(estimated), str(scene), "--out", str(scene)]) == 2
    assert scene.read_bytes() == before


def test_a_union_lets_the_prior_widen(tmp_path):
    estimated, prior = tmp_path / "a.json", write_file(tmp_path, ELBOW, "arm.ma")
    narrow = read_limits(prior)
    elbow = narrow.joints["elbow"]
    less = dataclasses.replace(elbow.limits["rotateZ"], min_deg=40.0, max_deg=50.0)
    limits = {**elbow.limits, "rotateZ": less}
    joints = {"elbow": dataclasses.replace(elbow, limits=limits)}
    write_limit_set(dataclasses.replace(narrow, joints=joints), estimated)
    out = tmp_path / "out.json"
    assert main(["merge", str(estimated), str(prior), "--how", "union", "--out", str(out)]) == 0
    found = read_limit_set(out).joints["elbow"].limits["rotateZ"]
    assert (found.min_deg, found.max_deg) == (0.0, 143.5)


def test_refusals_of_the_command(tmp_path, capsys):
    source = write_file(tmp_path, ELBOW, "arm.ma")
    assert main(["import-limits", str(source), "--out", str(source)]) == 2
    assert main(["import-limits", str(source), "--out", str(tmp_path / "x.xml")]) == 2
    for name, text in {"a.txt": "hello", "b.csv": "a,b", "c.bvh": "HIERARCHY"}.items():
        path = write_file(tmp_path, text, name)
        assert main(["import-limits", str(path), "--out", str(tmp_path / "o.json")]) == 1
        stderr = capsys.readouterr().err
        assert name in stderr
        assert ("jointlimits estimate" if name == "c.bvh" else "expected a") in stderr
    assert (
        main(["import-limits", str(tmp_path / "none.xml"), "--out", str(tmp_path / "o.json")]) == 1
    )
    assert not (tmp_path / "o.json").exists()


@pytest.mark.parametrize(
    ("file", "joint", "ends"),
    [
        ("mocap/cmu_asfamc/02/02.asf", "ltibia", (-10.0, 170.0)),
        ("maya/maya2gltf/ComplexAnim1.ma", "joint1", (None, None)),
    ],
)
def test_real_files(file, joint, ends):
    found = read_limits(shared_path(f"data/{file}"))
    limit = found.joints[joint].limits["rotateX"]
    assert (limit.min_deg, limit.max_deg) == ends
    assert LimitSet.from_json(found.to_json()) == found


WIDE_KNEE = """//Maya ASCII 2023 scene
requires maya "2023";
currentUnit -l centimeter -a degree -t film;
createNode joint -n "hips";
createNode joint -n "knee" -p "hips";
	setAttr ".t" -type "double3" 0 -40 0 ;
	setAttr ".r" -type "double3" {at} 0 0 ;
	setAttr ".mnrl" -type "double3" {low} -45 -45 ;
	setAttr ".mxrl" -type "double3" {high} 45 45 ;
	setAttr ".mrxe" yes;
	setAttr ".xrxe" yes;
createNode joint -n "foot" -p "knee";
	setAttr ".t" -type "double3" 0 -40 0 ;
"""


@pytest.mark.parametrize(
    ("at", "low", "high", "expected"),
    [
        (12, -720, 720, "12"),
        (372, -720, 720, "372"),
        (-348, -720, 720, "-348"),
        (12, -360, 360, "12"),
        (-10, 0, 720, "350"),
        (725, 0, 720, "365"),
        (12, 300, 700, "372"),
    ],
)
def test_the_preferred_angle_is_on_the_turn_that_the_file_holds(tmp_path, at, low, high, expected):
    scene, limits, copy = (tmp_path / name for name in ("knee.ma", "knee.json", "copy.ma"))
    scene.write_text(WIDE_KNEE.format(at=at, low=low, high=high))
    assert main(["import-limits", str(scene), "--out", str(limits)]) == 0
    # The scene itself is the target, except for the one value that lies outside its range.
    target = tmp_path / "target.ma"
    target.write_text(WIDE_KNEE.format(at=expected, low=low, high=high))
    assert main(["apply", str(limits), str(target), "--replace", "--out", str(copy)]) == 0
    assert f'setAttr ".pa" -type "double3" {expected} 0 0 ;' in copy.read_text()
