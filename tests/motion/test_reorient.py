"""Scenes whose joints get other frames: nothing moves, and nothing else in the file changes."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jointlimits_core.base import MayaAsciiError
from jointlimits_core.cli import main
from jointlimits_core.estimation import advise, estimate
from jointlimits_core.formats import read_motion
from jointlimits_core.formats.maya_ascii import (
    apply_limit_set,
    apply_reoriented,
    plan_reorientation,
    reorient_scene,
    write_joint_attributes,
)
from jointlimits_core.geometry import ROTATE_ORDERS, matrix_from_quaternion, normalized
from jointlimits_core.motion import OrientAdvice, degrees_of, reoriented_rotates
from tests.support.maya_scenes import connect, curve, write_scene
from tests.support.naive_rotation import quaternion_matrix
from tests.support.naive_scene import NaiveScene, euler, statements_of
from tests.support.shared_data import shared

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "humanoid_rom.ma"
SAME = 1e-9
TURNED = OrientAdvice("R", "zxy", (20.0, -50.0, 70.0), (35.0, 10.0, -15.0))

ARM = (
    'createNode transform -n "rig";\n'
    'createNode joint -n "upper" -p "rig";\n'
    '\trename -uid "1";\n'
    '\tsetAttr ".t" -type "double3" 1 2 3 ;\n'
    '\tsetAttr ".jo" -type "double3" 10 20 30 ; // as it was\n'
    '\tsetAttr ".bps" -type "matrix" 1 0 0 0 0 1 0 0\n\t\t 0 0 1 0 1 2 3 1;\n'
    '\tsetAttr ".radi" 0.5;\n'
    'createNode joint -n "lower" -p "upper";\n'
    '\trename -uid "2";\n'
    '\tsetAttr ".t" -type "double3" 10 0 0 ;\n'
    '\tsetAttr ".mnrl" -type "double3" -360 -360 -360 ;\n'
    '\tsetAttr ".mxrl" -type "double3" 360 360 360 ;\n'
    'createNode joint -n "hand" -p "lower";\n'
    '\tsetAttr ".t" -type "double3" 8 0 1 ;\n'
    'createNode transform -n "prop" -p "lower";\n'
    '\tsetAttr ".r" -type "double3" 5 6 7 ;\n'
    '\tsetAttr ".ro" 2;\n'
    '\tsetAttr ".rp" -type "double3" 1 0 2 ;\n'
    '\tsetAttr ".sp" -type "double3" 1 0 2 ;\n'
)
ARM_KEYS = (
    curve("lower_rotateX", [(1, 0), (7, 60), (12, -20)], tangent=18)
    + '\tsetAttr -s 3 ".kit[0:2]"  18 18 18;\n\tsetAttr -s 3 ".kot[0:2]"\n\t\t 18 18 18;\n'
    + curve("lower_rotateZ", [(3, 0), (9.5, 40)], tangent=2)
    + curve("prop_translateX", [(2, 0), (6, 4)], kind="animCurveTL", tangent=18)
    + 'select -ne :time1;\n\tsetAttr ".o" 1;\n'
)
ARM_LINKS = (
    connect("upper.s", "lower.is")
    + connect("lower_rotateX.o", "lower.rx")
    + connect("lower_rotateZ.o", "lower.rz")
    + connect("prop_translateX.o", "prop.tx")
    + "// End of scene\n"
)


def reoriented(path, advice, mode, folder):
    """Write the copy; report, scene before, scene after."""
    out = folder / "out.ma"
    before = path.read_bytes()
    report = reorient_scene(path, out, advice, mode)
    assert path.read_bytes() == before
    texts = [file.read_text(encoding="utf-8", errors="surrogateescape") for file in (path, out)]
    return report, NaiveScene(texts[0]), NaiveScene(texts[1])


def assert_nothing_moved(before, after, advice, report, frames=None):
    """World matrices of all joints and transforms; turned joints after taking their turn back."""
    if frames is None:
        times = before.key_times() or [1.0]
        frames = np.arange(np.floor(times[0]) - 2, np.ceil(times[-1]) + 3)
    names = before.of_kind("joint", "transform")
    assert names
    for name, old, new in zip(names, before.worlds(names, frames), after.worlds(names, frames)):
        turn = np.eye(4)
        if name in report.joints:
            turn[:3, :3] = matrix_from_quaternion(advice[name].in_mode(report.mode).frame_turn)
        # Row vectors: the turn, a rotation of columns, comes first and transposed.
        assert np.abs(new - turn.T @ old).max() < SAME, name


def random_advice(names, seed, mode="R"):
    """Any frames and orders at all: not advice that makes sense, but nothing may move."""
    random = np.random.default_rng(seed)
    return {
        name: OrientAdvice(
            "R",
            ROTATE_ORDERS[random.integers(6)],
            degrees_of(normalized(random.normal(size=4))),
            degrees_of(normalized(random.normal(size=4))),
        ).in_mode(mode)
        for name in names
    }


INTENDED = re.compile(
    r'setAttr [^"]*"\.(t[xyz]?|r[xyz]?|ro|jo[xyz]?|ra[xyz]?|bps|(xm|wm|pm)\[\d+\]|translate|rotate'
    r'|rotateAxis|rotateOrder|jointOrient|bindPose)"'
)


def other_statements(text):
    """Every statement that a change of frames has no business with, in order.

    Curves are left out as a whole where they drive rotate or translate; what makes them differ is
    looked at by the pose.
    """
    kept, kind = [], ""
    curves = {
        link.partition(".")[0]
        for link, target in NaiveScene(text).links
        if re.search(r"\.[rt][xyz]$|\.(rotate|translate)[XYZ]$", target)
    }
    inside_curve = False
    for statement in statements_of(text):
        if statement.startswith("createNode"):
            kind = statement.split()[1]
            name = re.search(r'-(?:n|name) "([^"]+)"', statement)
            inside_curve = kind.startswith("animCurve") and bool(name) and name[1] in curves
        elif not statement.startswith(("setAttr", "addAttr", "rename")):
            inside_curve, kind = False, ""
        link = re.match(r'connectAttr "([^".]+)\.', statement)
        if inside_curve or (link and link[1] in curves):
            continue
        posed = kind in ("joint", "transform", "dagPose", "skinCluster")
        if not (posed and INTENDED.match(statement)):
            kept.append(statement)
    return kept


# The example of the project and scenes of our own ----------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["R", "C"])
def test_example_in_random_frames(mode, tmp_path):
    motion = read_motion(EXAMPLE)
    advice = random_advice(motion.joint_names, 7)
    report, before, after = reoriented(EXAMPLE, advice, mode, tmp_path)
    assert set(report.joints) == set(motion.joint_names)
    assert not report.skipped
    assert_nothing_moved(before, after, advice, report)
    text = [path.read_text() for path in (EXAMPLE, tmp_path / "out.ma")]
    assert other_statements(text[0]) == other_statements(text[1])
    for name in motion.joint_names:
        axis = after.nodes[name].three("ra")
        assert (axis == [0.0, 0.0, 0.0]) == (mode == "C")


@pytest.mark.thorough
@pytest.mark.parametrize("mode", ["R", "C"])
def test_example_bind_pose_is_compensated(mode, tmp_path):
    motion = read_motion(EXAMPLE)
    advice = random_advice(motion.joint_names, 8)
    report, _, _ = reoriented(EXAMPLE, advice, mode, tmp_path)
    again = read_motion(tmp_path / "out.ma")
    assert again.skeleton.rest_source == motion.skeleton.rest_source
    rest = motion.skeleton.rest_world_matrices(), again.skeleton.rest_world_matrices()
    for row, name in enumerate(motion.joint_names):
        turn = np.eye(4)
        turn[:3, :3] = matrix_from_quaternion(advice[name].in_mode(report.mode).frame_turn)
        np.testing.assert_allclose(rest[1][row], rest[0][row] @ turn, atol=SAME)


@pytest.mark.parametrize("mode", ["R", "C"])
def test_arm_with_a_prop(mode, tmp_path):
    path = write_scene(tmp_path, ARM + ARM_KEYS + ARM_LINKS)
    advice = {"lower": TURNED, "upper": replace(TURNED, joint_orient_deg=(-5.0, 0.0, 90.0))}
    report, before, after = reoriented(path, advice, mode, tmp_path)
    assert set(report.joints) == {"lower", "upper"}
    assert set(report.compensated) == ({"hand", "prop"} if mode == "C" else set())
    assert_nothing_moved(before, after, advice, report)
    times = [time for time, _ in after.nodes["lower_rotateX"].keys.values()]
    assert times == [*range(1, 10), 9.5, 10, 11, 12]
    assert report.keys == {"lower": 13, "upper": 1}
    assert "lower_rotateY" in after.nodes
    assert ("lower_rotateY.o", "lower.ry") in after.links
    text = [p.read_text() for p in (path, tmp_path / "out.ma")]
    assert other_statements(text[0]) == other_statements(text[1])
    assert "// as it was" in text[1]


def test_bytes_of_a_small_change(tmp_path):
    path = write_scene(tmp_path, ARM + ARM_KEYS + ARM_LINKS)
    advice = {"upper": OrientAdvice("order", "yzx", (10.0, 20.0, 30.0), (0.0, 0.0, 0.0))}
    report = reorient_scene(path, tmp_path / "out.ma", advice, "C")
    assert report.joints == {"upper": ("rotateOrder",)}
    matrix = "0 1 2 3 1;\n"
    wanted = path.read_text().replace(matrix, matrix + '\tsetAttr ".ro" 1;\n', 1)
    assert (tmp_path / "out.ma").read_text() == wanted


@pytest.mark.parametrize("newline", ["\r\n", "\r"])
def test_line_ends_stay(newline, tmp_path):
    path = write_scene(tmp_path, ARM + ARM_KEYS + ARM_LINKS)
    path.write_bytes(path.read_bytes().replace(b"\n", newline.encode()))
    reorient_scene(path, tmp_path / "out.ma", {"lower": TURNED}, "R")
    found = (tmp_path / "out.ma").read_bytes()
    assert not found.replace(newline.encode(), b"").count(b"\n" if newline == "\r" else b"\r")
    if newline == "\r\n":
        assert found.count(b"\r\n") == found.count(b"\n")


def test_long_names_and_other_units(tmp_path):
    header = '//Maya ASCII 2024 scene\nrequires maya "2024";\ncurrentUnit -l meter -a rad -t pal;\n'
    body = (
        'createNode joint -name "hip";\n\tsetAttr ".translate" -type "double3" 1 2 3 ;\n'
        '\tsetAttr ".jointOrient" -type "double3" 0.5 0 0 ;\n\tsetAttr ".radius" 0.5;\n'
        'createNode joint -name "knee" -parent "hip";\n\tsetAttr ".translateX" 4;\n'
        'createNode animCurveTA -name "bend";\n\tsetAttr ".tangentType" 2;\n'
        '\tsetAttr ".weightedTangents" no;\n\tsetAttr -size 2 ".keyTimeValue[0:1]"  0 0 5 1.5;\n'
        'connectAttr "bend.output" "hip.rotateY";\n'
    )
    path = write_scene(tmp_path, body, header=header)
    for mode in "RC":
        report, before, after = reoriented(path, {"hip": TURNED}, mode, tmp_path)
        assert_nothing_moved(before, after, {"hip": TURNED}, report)
        text = (tmp_path / "out.ma").read_text()
        assert '".ktv' not in text
        assert '".jo"' not in text
        assert ('setAttr ".rotateAxis"' in text) == (mode == "R")


def test_a_hinge_gets_one_channel_and_loses_the_other_curves(tmp_path):
    bend = np.radians(np.linspace(-10.0, 80.0, 30))
    axis = np.array([1.0, 1.0, 0.0]) / np.sqrt(2.0)
    rotations = np.concatenate([axis[:, None] * np.sin(bend / 2), [np.cos(bend / 2)]])
    still = np.array([0.0, 0.0, 0.0, 1.0])
    advice = advise(
        rotations,
        "hinge",
        joint_orient=still,
        rotate_axis=still,
        rotate_order="xyz",
        rest=still,
        axes=(axis, axis),
    )
    frame = OrientAdvice("order", "xyz", (0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
    angles = np.degrees(reoriented_rotates(rotations, frame))
    names = [f"knee_rotate{letter}" for letter in "XYZ"]
    body = 'createNode joint -n "knee";\ncreateNode joint -n "foot" -p "knee";\n'
    body += '\tsetAttr ".t" -type "double3" 0 -40 0 ;\n'
    for name, values in zip(names, angles):
        keys = [(n + 1, repr(float(v))) for n, v in enumerate(values)]
        body += curve(name, keys)
    links = "".join(connect(f"{n}.o", f"knee.r{n[-1].lower()}") for n in names)
    path = write_scene(tmp_path, body + links)
    report, before, after = reoriented(path, {"knee": advice}, "R", tmp_path)
    assert_nothing_moved(before, after, {"knee": advice}, report)
    assert "\n\n" not in (tmp_path / "out.ma").read_text()
    (used,) = advice.used
    assert [name for name in names if name in after.nodes] == [f"knee_{used}"]
    assert after.links == [(f"knee_{used}.o", f"knee.r{used[-1].lower()}")]
    found = np.array([v for _, v in after.nodes[f"knee_{used}"].keys.values()])
    np.testing.assert_allclose(np.abs(found), np.abs(np.degrees(bend)), atol=1e-9)


def test_a_curve_that_others_know_stays(tmp_path):
    advice = OrientAdvice("R", "xyz", (0, 0, 30.0), (0, 0, -30.0), locked=("rotateX", "rotateY"))
    body = 'createNode joint -n "knee";\ncreateNode objectSet -n "keep";\n'
    body += curve("kx", [(1, 0), (4, 0)]) + curve("kz", [(1, 0), (4, 50)])
    body += connect("kx.o", "knee.rx") + connect("kz.o", "knee.rz") + connect("kx.msg", "keep.m")
    report, before, after = reoriented(write_scene(tmp_path, body), {"knee": advice}, "R", tmp_path)
    assert_nothing_moved(before, after, {"knee": advice}, report)
    assert "kx" in after.nodes
    assert ("kx.o", "knee.rx") not in after.links


def test_steps_stay_steps(tmp_path):
    body = 'createNode joint -n "j";\n' + curve("c", [(1, 0), (4.5, 90), (9, 10)], tangent=5)
    body += connect("c.o", "j.ry")
    report, before, after = reoriented(write_scene(tmp_path, body), {"j": TURNED}, "R", tmp_path)
    frames = np.array([1, 3.25, 4.49, 4.5, 4.75, 8.9, 9, 12])
    assert_nothing_moved(before, after, {"j": TURNED}, report, frames)


def test_cycles_go_on(tmp_path):
    more = '\tsetAttr ".pre" 3;\n\tsetAttr ".pst" 3;\n'
    body = 'createNode joint -n "j";\n' + curve("c", [(0, 0), (6, 30), (12, 10)], more=more)
    body += curve("one", [(3, 20)]) + connect("c.o", "j.ry") + connect("one.o", "j.rx")
    body += 'createNode joint -n "other";\n'
    # Another joint whose keys make the motion reach beyond the cycle.
    body += curve("long", [(-30, 0), (50, 10)]) + connect("long.o", "other.rx")
    path = write_scene(tmp_path, body)
    reorient_scene(path, tmp_path / "out.ma", {"j": TURNED}, "R")
    before, after = read_motion(path), read_motion(tmp_path / "out.ma")
    assert np.ptp(before.rotate_deg("j")[:20, 1]) > 20.0
    np.testing.assert_allclose(after.all_world_matrices(), before.all_world_matrices(), atol=SAME)
    text = (tmp_path / "out.ma").read_text()
    assert text.count('".pre" 3;') == text.count('".pst" 3;') == 3
    assert text.count("createNode anim") == 4


@pytest.mark.thorough
def test_many_keys_come_in_pieces(tmp_path):
    body = 'createNode joint -n "j";\n' + curve("c", [(0, 0), (1200, 700)]) + connect("c.o", "j.rx")
    report, before, after = reoriented(write_scene(tmp_path, body), {"j": TURNED}, "R", tmp_path)
    assert_nothing_moved(before, after, {"j": TURNED}, report)
    text = (tmp_path / "out.ma").read_text()
    assert 'setAttr -s 1201 ".ktv[0:499]"' in text
    assert 'setAttr ".ktv[1000:1200]"' in text


def test_skin_and_poses_follow_a_turned_joint(tmp_path):
    matrix = '-type "matrix" 0 1 0 0 -1 0 0 0 0 0 1 0 3 2 1 1'
    record = '"xform" 1 1 1 0.1 0.2 0.3 0 1 2 3' + " 0" * 15 + " 0 0 0 1 0 0 0 1 1 1 1 yes"
    child = '"xform" 2 2 2 0 0 0 0 10 0 0' + " 0" * 15 + " 0 0 0 1 0 0 0 1 1 1 1 yes"
    body = (
        ARM
        + 'createNode skinCluster -n "skin";\n'
        + f'\tsetAttr -s 2 ".pm";\n\tsetAttr ".pm[0]" {matrix};\n\tsetAttr ".pm[1]" {matrix};\n'
        + 'createNode dagPose -n "pose";\n'
        + f'\tsetAttr ".wm[0]" {matrix};\n\tsetAttr ".xm[0]" -type "matrix" {record};\n'
        + f'\tsetAttr ".xm[1]" -type "matrix" {child};\n\tsetAttr ".xm[2]" {matrix};\n'
        + ARM_KEYS
        + connect("upper.wm", "skin.ma[0]")
        + connect("hand.wm", "skin.ma[1]")
        + "".join(connect(f"{n}.msg", f"pose.m[{i}]") for i, n in enumerate(["upper", "lower"]))
        + connect("hand.msg", "pose.m[2]")
        + connect("pose.m[0]", "pose.p[1]")
        + ARM_LINKS
    )
    advice = {"upper": TURNED, "lower": TURNED}
    report, before, after = reoriented(write_scene(tmp_path, body), advice, "C", tmp_path)
    assert set(report.joints) == {"upper", "lower"}
    assert_nothing_moved(before, after, advice, report)
    frames = np.array([1.0, 5.0])
    turn = np.eye(4)
    turn[:3, :3] = matrix_from_quaternion(TURNED.in_mode("C").frame_turn).T
    for number, joint in enumerate(["upper", "hand"]):
        skins = [
            np.array([float(w) for w in scene.nodes["skin"].matrices[f"pm[{number}]"]]).reshape(
                4, 4
            )
            @ next(scene.worlds([joint], frames))
            for scene in (before, after)
        ]
        np.testing.assert_allclose(skins[1], skins[0], atol=SAME)
    numbers = {
        name: [
            np.array([float(w) for w in scene.nodes[node].matrices[name]]).reshape(4, 4)
            for scene in (before, after)
        ]
        for node, name in (("pose", "wm[0]"), ("upper", "bps"), ("pose", "xm[2]"))
    }
    for name in ("wm[0]", "bps"):
        np.testing.assert_allclose(numbers[name][1], turn @ numbers[name][0], atol=SAME)
    # The hand's record has no parent in the pose: it hangs on the lower arm, which turned.
    np.testing.assert_allclose(numbers["xm[2]"][1], numbers["xm[2]"][0] @ turn.T, atol=SAME)
    # The records of the arm: the upper one below the world, the lower one below the upper.
    for number, above in ((0, np.eye(4)), (1, turn)):
        records = [scene.nodes["pose"].matrices[f"xm[{number}]"] for scene in (before, after)]
        old, new = (record_matrix(words[1:]) for words in records)
        np.testing.assert_allclose(new, turn @ old @ above.T, atol=SAME)
        assert records[1][-1] == "yes"
        assert ROTATE_ORDERS[int(records[1][7])] == TURNED.rotate_order


def record_matrix(words):
    """Row-vector matrix of a dagPose record of a joint: scale, rotateAxis, rotate, jointOrient."""
    numbers = [float(word) for word in words[:-1]]
    scale, move = np.diag([*numbers[:3], 1.0]), np.eye(4)
    move[3, :3] = numbers[7:10]
    turn = euler(np.array([numbers[3:6]]), ROTATE_ORDERS[int(numbers[6])])[0]
    axis, orient = np.eye(4), np.eye(4)
    axis[:3, :3] = np.transpose(quaternion_matrix(numbers[25:29]))
    orient[:3, :3] = np.transpose(quaternion_matrix(numbers[29:33]))
    return scale @ axis @ turn @ orient @ move


# What cannot be done -----------------------------------------------------------------------------

CHAIN = 'createNode joint -n "a";\ncreateNode joint -n "b" -p "a";\n\tsetAttr ".tx" 5;\n'


@pytest.mark.parametrize(
    ("body", "mode", "reason"),
    [
        ('createNode joint -n "a";\n\tsetAttr -l on ".jo";\n', "R", "locked"),
        ('createNode joint -n "a";\n\tsetAttr -l on ".ra";\n', "R", "locked"),
        ('createNode joint -n "a";\n\tsetAttr -l on ".ro";\n', "R", "locked"),
        ('createNode joint -n "a";\n\tsetAttr -l on ".ry";\n', "R", "locked"),
        ('createNode joint -n "a";\n\tsetAttr ".mrxe" yes;\n', "R", "has limits already"),
        (CHAIN + connect("b.jo", "a.jo"), "R", "connected"),
        (CHAIN + connect("a.rx", "b.tx"), "R", "also feeds"),
        (CHAIN + connect("b.rx", "a.rx"), "R", "driven by 'b'"),
        (CHAIN + 'createNode expression -n "e";\n' + connect("e.out", "a.rx"), "R", "expression"),
        (
            CHAIN + 'createNode orientConstraint -n "o";\n' + connect("o.crx", "a.rx"),
            "R",
            "constrained",
        ),
        (
            CHAIN + 'createNode animBlendNodeAdditiveRotation -n "o";\n' + connect("o.ox", "a.rx"),
            "R",
            "layered",
        ),
        (CHAIN + 'createNode pairBlend -n "o";\n' + connect("o.orx", "a.rx"), "R", "blended"),
        (CHAIN + 'createNode animCurveUA -n "o";\n' + connect("o.o", "a.rx"), "R", "driven by 'o'"),
        (
            CHAIN
            + 'createNode ikEffector -n "end" -p "a";\ncreateNode ikHandle -n "ik";\n'
            + connect("a.msg", "ik.hsj")
            + connect("end.hp", "ik.hee"),
            "R",
            "IK handle 'ik'",
        ),
        (
            CHAIN
            + curve("c", [(1, 0), (4, 50)], more='\tsetAttr -l on ".ktv";\n')
            + connect("c.o", "a.rx"),
            "R",
            "is locked",
        ),
        (
            CHAIN
            + curve("c", [(1, 0), (4, 50)], more='\tsetAttr ".pst" 4;\n')
            + connect("c.o", "a.rx"),
            "R",
            "beyond their keys",
        ),
        (
            CHAIN
            + curve("c", [(1, 0), (4, 50)], more='\tsetAttr ".roti" 3;\n')
            + connect("c.o", "a.rx"),
            "R",
            "quaternions",
        ),
        (
            CHAIN + curve("c", [(1, 0), (4, 50)]) + connect("c.o", "a.rx") + connect("c.o", "b.tx"),
            "R",
            "its curve also drives 'b.tx'",
        ),
        (
            CHAIN + curve("c", [(1, 0), (4, 50)]) + connect("c.o", "a.rx") + connect("c.o", "a.rz"),
            "R",
            "share the curve",
        ),
        (
            CHAIN + curve("c", [(1, 0), (2e9, 50)]) + connect("c.o", "a.rx"),
            "R",
            "more than 1000000 frames",
        ),
        ('createNode joint -n "a";\n\tsetAttr ".s" -type "double3" 1 2 1 ;\n', "C", "not uniform"),
        (CHAIN + 'createNode mesh -n "m" -p "a";\n', "C", "it is a mesh"),
        (CHAIN + '\tsetAttr -l on ".jo";\n', "C", "jointOrient is locked"),
        (CHAIN + '\tsetAttr -l on ".t";\n', "C", "translate is locked"),
        (
            CHAIN + 'createNode multMatrix -n "m";\n' + connect("a.wm", "m.i[0]"),
            "C",
            "its matrix also feeds",
        ),
        (
            CHAIN + 'createNode multMatrix -n "m";\n' + connect("b.pm", "m.i[0]"),
            "C",
            "its position also feeds",
        ),
        (
            CHAIN + '\tsetAttr ".opm" -type "matrix" 1 0 0 0 0 1 0 0 0 0 1 0 4 0 0 1;\n',
            "C",
            "offset parent matrix",
        ),
        (CHAIN + 'select -ne a;\n\tsetAttr ".r" -type "double3" 0 0 9 ;\n', "R", "several places"),
    ],
)
def test_joints_that_must_be_left_alone(body, mode, reason, tmp_path):
    path = write_scene(tmp_path, body)
    report = reorient_scene(path, tmp_path / "out.ma", {"a": TURNED}, mode)
    assert not report.joints
    assert [one.joint for one in report.skipped] == ["a"]
    assert reason in report.skipped[0].reason
    assert report.skipped[0].advice
    assert (tmp_path / "out.ma").read_bytes() == path.read_bytes()


def test_what_hinders_mode_c_need_not_hinder_mode_r(tmp_path):
    path = write_scene(tmp_path, CHAIN + 'createNode mesh -n "m" -p "a";\n')
    report, before, after = reoriented(path, {"a": TURNED}, "R", tmp_path)
    assert set(report.joints) == {"a"}
    assert_nothing_moved(before, after, {"a": TURNED}, report)


def test_referenced_and_missing_joints(tmp_path):
    write_scene(tmp_path, 'createNode joint -n "hip";\n', name="rig.ma")
    line = 'file -r -ns "rig" -rfn "rigRN" -typ "mayaAscii" "rig.ma";\n'
    path = write_scene(tmp_path, line + 'createNode joint -n "own";\n')
    advice = {"rig:hip": TURNED, "nobody": TURNED}
    report = reorient_scene(path, tmp_path / "out.ma", advice, "R")
    reasons = {one.joint: one.reason for one in report.skipped}
    assert "referenced" in reasons["rig:hip"]
    assert reasons["nobody"] == "joint not in scene"
    assert (tmp_path / "out.ma").read_bytes() == path.read_bytes()


def test_advice_that_changes_nothing(tmp_path):
    path = write_scene(tmp_path, ARM + ARM_KEYS + ARM_LINKS)
    kept = OrientAdvice("K", "xyz", (10.0, 20.0, 30.0), (0.0, 0.0, 0.0))
    report = reorient_scene(path, tmp_path / "out.ma", {"upper": kept}, "R")
    assert report.unchanged == ("upper",)
    assert (tmp_path / "out.ma").read_bytes() == path.read_bytes()
    first = tmp_path / "first.ma"
    reorient_scene(path, first, {"lower": TURNED}, "R")
    report = reorient_scene(first, tmp_path / "again.ma", {"lower": TURNED}, "R")
    assert report.unchanged == ("lower",)
    assert (tmp_path / "again.ma").read_bytes() == first.read_bytes()


def test_bad_calls(tmp_path):
    path = write_scene(tmp_path, ARM)
    with pytest.raises(ValueError, match="must be R or C"):
        reorient_scene(path, tmp_path / "out.ma", {}, "K")
    with pytest.raises(MayaAsciiError, match="scene itself"):
        reorient_scene(path, path, {"upper": TURNED}, "R")
    with pytest.raises(MayaAsciiError, match="file not found"):
        reorient_scene(tmp_path / "none.ma", tmp_path / "out.ma", {}, "R")
    plan = plan_reorientation(path, {"upper": TURNED}, "R")
    path.write_bytes(path.read_bytes() + b"// more\n")
    with pytest.raises(MayaAsciiError, match="changed while"):
        write_joint_attributes(path, tmp_path / "out.ma", {}, further=plan.edits, index=plan.index)
    assert not (tmp_path / "out.ma").exists()


# Random scenes -----------------------------------------------------------------------------------


@st.composite
def tree_scenes(draw):
    """Six joints with random frames, orders, places and keys, some without, and a group between."""
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    body, curves, links = 'createNode transform -n "top";\n', "", ""
    names = [f"j{n}" for n in range(6)]
    for n, name in enumerate(names):
        parent = names[random.integers(n)] if n else "top"
        if n == 3:
            body += f'createNode transform -n "group" -p "{parent}";\n'
            body += _triple("t", random.normal(size=3)) + _triple("r", random.normal(size=3) * 60)
            parent = "group"
        body += f'createNode joint -n "{name}" -p "{parent}";\n'
        body += _triple("t", random.normal(size=3) * 10)
        body += f'\tsetAttr ".ro" {random.integers(6)};\n'
        for short in ("jo", "ra", "r"):
            if random.random() < 0.6:
                body += _triple(short, random.uniform(-180, 180, 3))
        for axis in "xyz":
            if random.random() < 0.5:
                times = np.sort(random.choice(np.arange(1, 40) / 2, 4, replace=False))
                keys = [(float(t), float(v)) for t, v in zip(times, random.uniform(-90, 90, 4))]
                curves += curve(f"{name}_r{axis}", keys, tangent=int(random.choice([2, 18])))
                links += connect(f"{name}_r{axis}.o", f"{name}.r{axis}")
            if random.random() < 0.15:
                keys = [(2, 0), (9, float(random.normal()))]
                curves += curve(f"{name}_t{axis}", keys, kind="animCurveTL")
                links += connect(f"{name}_t{axis}.o", f"{name}.t{axis}")
        if random.random() < 0.3:
            body += _triple("s", np.full(3, random.uniform(0.5, 2.0)))
        if parent.startswith("j"):
            links += connect(f"{parent}.s", f"{name}.is")
    chosen = [name for name in names if random.random() < 0.7]
    return body + curves + links, chosen, int(random.integers(2**31))


def _triple(short, values):
    numbers = " ".join(repr(float(value)) for value in values)
    return f'\tsetAttr ".{short}" -type "double3" {numbers} ;\n'


@pytest.mark.thorough
@settings(max_examples=80, deadline=None)
@given(tree_scenes(), st.sampled_from("RC"))
def test_random_trees(tmp_path_factory, tree, mode):
    body, chosen, seed = tree
    folder = tmp_path_factory.mktemp("tree")
    path = write_scene(folder, body)
    advice = random_advice(chosen, seed)
    report, before, after = reoriented(path, advice, mode, folder)
    assert set(report.joints) == set(chosen)
    assert_nothing_moved(before, after, advice, report, np.arange(-2.0, 25.0))
    text = [p.read_text() for p in (path, folder / "out.ma")]
    assert other_statements(text[0]) == other_statements(text[1])


# Limits in the same copy -------------------------------------------------------------------------


def advised_limit_set(path):
    """Limits of a scene's joints in their advised frames, as an estimate would give them."""
    motion = read_motion(path)
    limit_set = estimate(motion)
    skeleton, joints = motion.skeleton, {}
    for name, joint in limit_set.joints.items():
        row = skeleton.index(name)
        axes = joint.hinge or joint.universal
        advice = advise(
            motion.rotations[row],
            joint.type,
            joint_orient=skeleton.joint_orients[row],
            rotate_axis=skeleton.rotate_axes[row],
            rotate_order=skeleton.rotate_orders[row],
            rest=skeleton.rest_rotations[row],
            axes=None if axes is None else (axes.axis_parent, axes.axis_child),
        )
        joints[name] = with_advice(joint, advice, motion.rotations[row])
    return replace(limit_set, joints=joints)


def with_advice(joint, advice, rotations):
    """A joint whose limits hold in its advised frame; any object with the right fields will do."""
    fields = {**joint.__dict__, "advice": advice}
    if advice.changes:
        angles = np.degrees(reoriented_rotates(rotations, advice))
        limits = {}
        for channel, values in zip(("rotateX", "rotateY", "rotateZ"), angles):
            low, high = float(values.min()), float(values.max())
            state = "locked" if high - low < 0.01 else "limited"
            limits[channel] = replace(
                joint.limits["rotateX"], state=state, min_deg=low, max_deg=high
            )
        frame = replace(joint.frame, kind="advised")
        fields.update(limits=limits, frame=frame, preferred_deg=(0.0, 0.0, 0.0))
    return SimpleNamespace(**fields)


@pytest.mark.thorough
@pytest.mark.parametrize("mode", ["R", "C"])
def test_limits_and_frames_in_one_copy(mode, tmp_path):
    limit_set, out = advised_limit_set(EXAMPLE), tmp_path / "out.ma"
    report, frames = apply_reoriented(limit_set, EXAMPLE, out, mode)
    assert {"LeftKnee", "RightKnee"} <= set(frames.joints)
    assert {"LeftKnee", "RightKnee", "LeftHip"} <= set(report.written)
    before = NaiveScene(EXAMPLE.read_text())
    after = NaiveScene(out.read_text())
    advice = {name: limit_set.joints[name].advice for name in frames.joints}
    assert_nothing_moved(before, after, advice, frames)
    again = read_motion(out)
    for name in frames.joints:
        keys = again.rotate_deg(name)
        declared = again.skeleton.declarations[name].limits_deg
        for column, channel in enumerate(("rotateX", "rotateY", "rotateZ")):
            low, high = declared[channel]
            assert low - 1e-9 <= keys[:, column].min()
            assert keys[:, column].max() <= high + 1e-9
    assert estimate(again).joints["LeftKnee"].type == "hinge"


def test_limits_in_another_frame_are_not_written_without_it(tmp_path):
    limit_set = advised_limit_set(EXAMPLE)
    report = apply_limit_set(limit_set, EXAMPLE, tmp_path / "out.ma")
    assert "LeftKnee" not in report.written
    assert "LeftHip" in report.written
    reasons = {one.joint: one.reason for one in report.skipped}
    assert reasons["LeftKnee"] == "its limits use another orientation"


@pytest.mark.thorough
def test_a_joint_that_keeps_its_frame_gets_no_limits_of_the_other(tmp_path):
    text = EXAMPLE.read_text()
    place = text.index('\tsetAttr ".t"', text.index('createNode joint -n "LeftKnee"'))
    path = tmp_path / "scene.ma"
    path.write_text(text[:place] + '\tsetAttr -l on ".jo";\n' + text[place:])
    report, frames = apply_reoriented(advised_limit_set(path), path, tmp_path / "out.ma", "R")
    assert "LeftKnee" not in frames.joints
    assert "LeftKnee" not in report.written
    assert "RightKnee" in report.written
    assert [(one.joint, one.reason) for one in frames.skipped] == [("LeftKnee", "locked")]


def test_keys_go_to_the_branch_of_the_limits(tmp_path):
    advice = OrientAdvice("order", "yzx", (0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
    body = 'createNode joint -n "j";\n' + curve("c", [(1, 300), (9, 420)]) + connect("c.o", "j.ry")
    path = write_scene(tmp_path, body)
    for middle, wanted in ((0.0, (-60.0, 60.0)), (350.0, (300.0, 420.0))):
        plan = plan_reorientation(path, {"j": advice}, "R", branches_deg={"j": (0.0, middle, 0.0)})
        keys = next(edit for edit in plan.edits if b"ktv" in edit.text).text
        values = [float(word) for word in re.sub(rb".*\]\"|;", b"", keys).split()[1::2]]
        assert (values[0], values[-1]) == pytest.approx(wanted)


@pytest.mark.thorough
def test_command_line(tmp_path, capsys):
    limits, out = tmp_path / "own.limits.json", tmp_path / "out.ma"
    limits.write_text(estimate(read_motion(EXAMPLE)).to_json())
    assert main(["apply", str(limits), str(EXAMPLE), "--out", str(out), "--reorient", "R"]) == 0
    assert "re-oriented 0 joints, mode R" in capsys.readouterr().out
    assert main(["apply", str(limits), str(EXAMPLE), "--out", str(out), "--reorient", "K"]) == 2


# Real rigs ----------------------------------------------------------------------------------------

REAL = [
    ("mayausd/UsdExportSkeleton.ma", "R", 25),
    ("mayausd/UsdExportSkeletonSegfaultTest.ma", "R", 35),
    ("mayausd/UsdExportSkeletonSegfaultTest.ma", "C", 35),
    ("mayausd/blendShapesExport.ma", "R", 3),
    ("mayausd/blendShapesExport.ma", "C", 3),
    ("maya2gltf/ScaledRegressionTestAnim1.ma", "R", 2),
    ("maya2gltf/ScaledRegressionTestAnim1.ma", "C", 2),
    ("maya2gltf/ZeroParentScaleTestAnim.ma", "R", 3),
    ("maya2gltf/ThreeJoints_RootJoint_Unbound.ma", "C", 3),
    ("maya2gltf/BlendedSkinningAnim.ma", "R", 0),
    ("maya2gltf/ComplexAnim1.ma", "C", 0),
    ("mgear/MOCAP_interface_01.ma", "C", 64),
    ("nlol/nlol_tentacle_skeleton.ma", "C", 11),
]


@pytest.mark.thorough
@pytest.mark.parametrize(("name", "mode", "count"), REAL)
def test_real_rigs(name, mode, count, tmp_path):
    path = shared(f"data/maya/{name}")
    advice = random_advice(read_motion(path).joint_names, 3)
    report, before, after = reoriented(path, advice, mode, tmp_path)
    assert len(report.joints) == count
    assert_nothing_moved(before, after, advice, report)
    text = [p.read_text(errors="surrogateescape") for p in (path, tmp_path / "out.ma")]
    assert other_statements(text[0]) == other_statements(text[1])
    skins = [link for link in before.links if re.search(r"\.ma\[\d+\]$", link[1])]
    frames = np.unique(np.round(before.key_times()[:20] or [0.0]))
    for source, target in skins:
        skin, _, plug = target.partition(".")
        bound = []
        for scene in (before, after):
            stored = scene.nodes[skin].matrices[f"pm{plug[2:]}"]
            matrix = np.array([float(word) for word in stored]).reshape(4, 4)
            bound.append(matrix @ next(scene.worlds([source.partition(".")[0]], frames)))
        np.testing.assert_allclose(bound[1], bound[0], atol=SAME)
    rest = [read_motion(p).skeleton.rest_world_matrices() for p in (path, tmp_path / "out.ma")]
    for row, joint in enumerate(read_motion(path).joint_names):
        turn = np.eye(4)
        if joint in report.joints:
            turn[:3, :3] = matrix_from_quaternion(advice[joint].in_mode(mode).frame_turn)
        np.testing.assert_allclose(rest[1][row], rest[0][row] @ turn, atol=SAME)
