"""Motion from Maya ASCII scenes: against naive matrix code, and against what Maya itself stored."""

from __future__ import annotations

import hashlib
import json
from functools import cache

import numpy as np
import pytest

from jointlimits_core.base.errors import MayaAsciiError
from jointlimits_core.formats.maya_ascii.reader import read_maya_ascii
from jointlimits_core.formats.maya_ascii.scene_file import SceneFile
from jointlimits_core.geometry.euler import ROTATE_ORDERS
from jointlimits_core.geometry.quaternion import angle_between, matrix_from_quaternion
from jointlimits_core.io.input import ReadLimits
from jointlimits_core.rig.rest_pose import joint_places, xform_rotation
from tests.support.maya_scenes import connect, curve, write_scene
from tests.support.naive_rotation import euler_matrix
from tests.support.shared_data import SHARED, shared_path

REAL_SCENES = sorted(
    str(path.relative_to(SHARED)) for path in (SHARED / "data/maya").glob("**/*.ma")
)


def read(tmp_path, body, **options):
    return read_maya_ascii(write_scene(tmp_path, body, **options))


# Naive reference: Maya's row-vector formulas, one matrix at a time, as the documentation has them.


def row_rotate(degrees, order="xyz"):
    m = np.eye(4)
    m[:3, :3] = np.transpose(euler_matrix(np.radians(degrees), order))
    return m


def row_move(vector):
    m = np.eye(4)
    m[3, :3] = vector
    return m


def row_scale(factors):
    return np.diag([*factors, 1.0])


def row_transform(v, order):
    sp, rp, shear = row_move(v["sp"]), row_move(v["rp"]), np.eye(4)
    shear[1, 0], shear[2, 0], shear[2, 1] = v["sh"]
    inv = np.linalg.inv
    return (
        inv(sp)
        @ row_scale(v["s"])
        @ shear
        @ sp
        @ row_move(v["spt"])
        @ inv(rp)
        @ row_rotate(v["ra"])
        @ row_rotate(v["r"], order)
        @ rp
        @ row_move(v["rpt"])
        @ row_move(v["t"])
    )


def row_joint(v, order, parent_scale=(1, 1, 1)):
    return (
        row_scale(v["s"])
        @ row_rotate(v["ra"])
        @ row_rotate(v["r"], order)
        @ row_rotate(v["jo"])
        @ np.linalg.inv(row_scale(parent_scale))
        @ row_move(v["t"])
    )


def random_values(rng, names):
    values = {name: rng.uniform(-90, 90, 3) for name in names}
    for name in set(names) & {"s", "sh"}:
        values[name] = rng.uniform(0.5, 1.5, 3)
    return values


def node_text(node_type, name, parent, values, order):
    lines = [f'createNode {node_type} -n "{name}"' + (f' -p "{parent}"' if parent else "") + ";"]
    for attribute, value in values.items():
        numbers = " ".join(map(repr, map(float, value)))
        lines.append(f'\tsetAttr ".{attribute}" -type "double3" {numbers} ;')
    lines.append(f'\tsetAttr ".ro" {ROTATE_ORDERS.index(order)};')
    return "\n".join(lines) + "\n"


TRANSFORM = ("t", "r", "s", "sh", "ra", "rp", "rpt", "sp", "spt")
JOINT = ("t", "r", "s", "ra", "jo")


@pytest.mark.parametrize("order", ROTATE_ORDERS)
@pytest.mark.parametrize("compensates", [True, False])
def test_world_matrices_are_mayas(tmp_path, order, compensates):
    rng = np.random.default_rng(ROTATE_ORDERS.index(order))
    top, group = (random_values(rng, TRANSFORM) for _ in range(2))
    hip, knee = (random_values(rng, JOINT) for _ in range(2))
    body = node_text("transform", "top", None, top, order)
    body += node_text("joint", "hip", "top", hip, order)
    body += node_text("transform", "group", "hip", group, order)
    offset = np.array([*rng.uniform(-1, 1, 15), 1.0]).reshape(4, 4)
    offset[:, 3] = [0, 0, 0, 1]
    body += node_text("joint", "knee", "group", knee, order)
    body += f'\tsetAttr ".opm" -type "matrix" {" ".join(map(repr, offset.ravel().tolist()))};\n'
    body += "" if compensates else '\tsetAttr ".ssc" no;\n'
    body += connect("hip.s", "knee.is")
    world_hip = row_joint(hip, order) @ row_transform(top, order)
    scale = hip["s"] if compensates else np.ones(3)
    world_knee = row_joint(knee, order, scale) @ offset @ row_transform(group, order) @ world_hip

    motion = read(tmp_path, body)
    assert motion.joint_names == ("hip", "knee")
    assert motion.skeleton.parents.tolist() == [-1, 0]
    found = motion.world_matrices(0.0)
    np.testing.assert_allclose(found[0], world_hip.T, atol=1e-9)
    np.testing.assert_allclose(found[1], world_knee.T, atol=1e-9)
    np.testing.assert_allclose(motion.rotate_deg("knee")[0], knee["r"])
    np.testing.assert_allclose(motion.skeleton.rest_world_matrices(), found, atol=1e-9)


def test_everything_may_be_animated(tmp_path):
    rng = np.random.default_rng(5)
    top, hip, knee = random_values(rng, TRANSFORM), *(random_values(rng, JOINT) for _ in range(2))
    body = node_text("transform", "top", None, top, "yzx") + node_text(
        "joint", "hip", "top", hip, "zxy"
    )
    body += node_text("joint", "knee", "hip", knee, "xyz") + connect("hip.s", "knee.is")
    ends = {}
    for name, values in (("top", top), ("hip", hip), ("knee", knee)):
        for attribute, kind in (("t", "animCurveTL"), ("r", "animCurveTA"), ("s", "animCurveTU")):
            ends[name, attribute] = values[attribute] + rng.uniform(0.1, 1, 3)
            for i, axis in enumerate("xyz"):
                keys = [(1, values[attribute][i]), (11, ends[name, attribute][i])]
                body += curve(f"{name}_{attribute}{axis}", keys, kind=kind)
                body += connect(f"{name}_{attribute}{axis}.o", f"{name}.{attribute}{axis}")
    motion = read(tmp_path, body)
    assert motion.frames.tolist() == list(range(1, 12))
    assert set(motion.translations) == set(motion.scales) == {0, 1}
    assert set(motion.between) == {0}
    for frame in (1.0, 4.0, 11.0):
        part = (frame - 1) / 10
        now = {}
        for name, values in (("top", top), ("hip", hip), ("knee", knee)):
            now[name] = {
                key: value + part * (ends[name, key] - value) if (name, key) in ends else value
                for key, value in values.items()
            }
        world = row_joint(now["hip"], "zxy") @ row_transform(now["top"], "yzx")
        below = row_joint(now["knee"], "xyz", now["hip"]["s"]) @ world
        found = motion.world_matrices(frame)
        np.testing.assert_allclose(found[0], world.T, atol=1e-9)
        np.testing.assert_allclose(found[1], below.T, atol=1e-9)


# Skeleton -----------------------------------------------------------------------------------------


def test_names_are_short_and_full_where_they_repeat(tmp_path):
    body = (
        'createNode transform -n "l";\ncreateNode joint -n "x:arm" -p "l";\n'
        'createNode joint -n "x:hand" -p "x:arm";\n'
        'createNode transform -n "r";\ncreateNode joint -n "x:arm" -p "r";\n'
    )
    assert read(tmp_path, body).joint_names == ("|l|x:arm", "x:hand", "|r|x:arm")


def test_a_node_that_inherits_nothing_is_a_root(tmp_path):
    body = (
        'createNode joint -n "a";\n\tsetAttr ".tx" 5;\ncreateNode transform -n "g" -p "a";\n'
        '\tsetAttr ".it" no;\n\tsetAttr ".ty" 2;\ncreateNode joint -n "b" -p "g";\n'
        '\tsetAttr ".tz" 1;\ncreateNode joint -n "c" -p "a";\n\tsetAttr ".it" no;\n'
        '\tsetAttr ".tz" 3;\n'
    )
    motion = read(tmp_path, body)
    assert motion.skeleton.parents.tolist() == [-1, -1, -1]
    np.testing.assert_allclose(
        motion.world_matrices(0)[:, :3, 3], [[5, 0, 0], [0, 2, 1], [0, 0, 3]]
    )


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        (connect("a.s", "b.is"), True),
        (connect("a.sx", "b.isx") + connect("a.sy", "b.isy") + connect("a.sz", "b.isz"), True),
        ("", False),
        (connect("g.s", "b.is"), False),
        (connect("a.s", "b.is") + 'select -ne "b";\n\tsetAttr ".ssc" no;\n', False),
    ],
)
def test_scale_is_taken_back_only_where_it_is_connected(tmp_path, more, expected):
    body = 'createNode transform -n "g";\ncreateNode joint -n "a" -p "g";\n'
    body += 'createNode joint -n "b" -p "a";\n' + more
    assert read(tmp_path, body).skeleton.compensates_scale.tolist() == [False, expected]


def test_lengths_stay_in_the_scenes_unit(tmp_path):
    header = "//Maya ASCII 2024 scene\ncurrentUnit -l meter -a degree -t pal;\n"
    body = 'createNode transform -n "g";\n\tsetAttr ".tx" 2;\ncreateNode joint -n "a" -p "g";\n'
    body += '\tsetAttr ".ty" 0.5;\n' + curve("c", [(1, 0.5), (3, 1.5)], kind="animCurveTL")
    body += connect("c.o", "a.ty") + curve("d", [(1, 0), (3, 9)]) + connect("d.o", "a.rx")
    motion = read(tmp_path, body, header=header)
    assert motion.skeleton.meters_per_unit == 1.0
    assert motion.frame_rate == 25.0
    np.testing.assert_allclose(motion.world_matrices(2.0)[0, :3, 3], [2, 1, 0])


def test_declarations_are_the_enabled_limits(tmp_path):
    body = """
createNode joint -n "knee";
	setAttr ".mnrl" -type "double3" -360 -10 -360 ;
	setAttr ".mxrl" -type "double3" 140 20 360 ;
	setAttr ".xrxe" yes;
	setAttr ".mrye" yes;
	setAttr ".xrye" yes;
	setAttr ".jtz" no;
	setAttr -l on ".rz";
createNode joint -n "default";
	setAttr ".mrxe" yes;
	setAttr ".xrxe" yes;
	setAttr -l on ".r";
createNode joint -n "free";
	setAttr ".mnrl" -type "double3" -360 -360 -360 ;
"""
    declared = read(tmp_path, body).skeleton.declarations
    assert declared["knee"].limits_deg["rotateX"] == (None, pytest.approx(140))
    assert declared["knee"].limits_deg["rotateY"] == pytest.approx((-10, 20))
    assert declared["knee"].dof == ("rotateX", "rotateY")
    assert declared["knee"].locked == {"rotateZ"}
    assert declared["default"].limits_deg == {"rotateX": pytest.approx((-45, 45))}
    assert declared["default"].locked == {"rotateX", "rotateY", "rotateZ"}
    assert declared["default"].dof is None
    assert declared["free"].limits_deg == {}
    assert declared["free"].locked == frozenset()


# Frames and findings ------------------------------------------------------------------------------


def test_frames_are_whole_ones_and_key_times(tmp_path):
    body = 'createNode joint -n "a";\ncreateNode joint -n "b";\n'
    body += curve("c", [(1.5, 0), (4.0000000001, 10)]) + connect("c.o", "a.rx")
    body += curve("d", [(-1, 400), (2, 700)]) + connect("d.o", "b.rz")
    body += curve("t", [(-50, 0), (50, 1)], kind="animCurveTL") + connect("t.o", "a.tx")
    motion = read(tmp_path, body)
    assert motion.frames.tolist() == [-1, 0, 1, 1.5, 2, 3, 4]
    assert motion.frame_rate == 24.0
    assert motion.animated == {"a", "b"}
    np.testing.assert_allclose(motion.rotate_deg("b")[:, 2], [400, 500, 600, 650, 700, 700, 700])


def test_a_scene_without_animation_has_one_frame(tmp_path):
    path = write_scene(tmp_path, 'createNode joint -n "a";\n\tsetAttr ".rx" 400;\n', name="arm.ma")
    motion = read_maya_ascii(path)
    assert motion.frames.tolist() == [0.0]
    assert motion.animated == frozenset()
    assert (motion.name, motion.skeleton.name) == ("arm", "arm")
    assert motion.source.sha256 == hashlib.sha256(path.read_bytes()).hexdigest()
    np.testing.assert_allclose(motion.rotate_deg("a"), [[400, 0, 0]])


def test_more_keys_than_can_be_held_are_refused(tmp_path):
    body = 'createNode joint -n "a";\n' + curve("c", [(1, 0), (2, 5), (3, 10)])
    path = write_scene(tmp_path, body + connect("c.o", "a.rx"))
    words = "1 joint at 3 key times are 9 numbers, more than 6; raise the option max_numbers"
    with pytest.raises(MayaAsciiError, match=words):
        read_maya_ascii(path, ReadLimits(max_numbers=6))
    assert read_maya_ascii(path, ReadLimits(max_numbers=9)).frame_count == 3


def test_unresolved_drivers_are_named_and_do_not_count(tmp_path):
    body = (
        'createNode joint -n "a";\n\tsetAttr ".ry" 30;\ncreateNode joint -n "b";\n'
        'createNode orientConstraint -n "con" -p "a";\ncreateNode expression -n "ex";\n'
    )
    body += curve("c", [(1, 0), (3, 9)]) + connect("c.o", "a.rx") + connect("c.o", "b.rx")
    body += connect("con.cry", "a.ry") + connect("con.crz", "a.rz") + connect("ex.out[0]", "b.tx")
    motion = read(tmp_path, body)
    assert motion.animated == {"b"}
    first, second = motion.findings
    assert (first.rule, first.joint) == ("unresolved-driver", "a")
    for part in ("rotateY, rotateZ", "'a'", "'con'", "orientConstraint", "Bake"):
        assert part in first.message
    assert (second.rule, second.joint) == ("unresolved-placement", "b")
    np.testing.assert_allclose(motion.rotate_deg("a")[-1], [9, 30, 0])


@pytest.mark.parametrize(
    ("more", "solved"), [("", {"up", "low"}), ('\tsetAttr ".ikb" 0;\n', set())]
)
def test_joints_that_a_solver_turns(tmp_path, more, solved):
    body = (
        'createNode joint -n "root";\ncreateNode joint -n "up" -p "root";\n'
        'createNode joint -n "low" -p "up";\ncreateNode joint -n "end" -p "low";\n'
        'createNode ikEffector -n "eff" -p "low";\ncreateNode ikHandle -n "ik";\n' + more
    )
    body += connect("up.msg", "ik.hsj") + connect("eff.hp", "ik.hee")
    body += curve("c", [(1, 0), (3, 9)])
    body += "".join(connect("c.o", f"{joint}.rx") for joint in ("root", "up", "end"))
    motion = read(tmp_path, body)
    assert motion.animated == {"root", "up", "end"} - solved
    assert {finding.joint for finding in motion.findings} == solved


# Rest pose ----------------------------------------------------------------------------------------

TURNED = 'createNode joint -n "a";\n\tsetAttr ".rz" 50;\n\tsetAttr ".tx" 3;\n'
TURNED += 'createNode joint -n "b" -p "a";\n\tsetAttr ".rz" -70;\n\tsetAttr ".tx" 5;\n'
TURNED += connect("a.s", "b.is")


def matrix_words(matrix):
    return " ".join(map(repr, np.asarray(matrix, dtype=float).ravel().tolist()))


def xform(translate, rotate=(0, 0, 0), order=0, axis=(0, 0, 0, 1), orient=(0, 0, 0, 1)):
    numbers = [1, 1, 1, *np.radians(rotate), order, *translate, *[0] * 15, *axis, *orient, 1, 1, 1]
    return '"xform" ' + " ".join(map(repr, map(float, numbers))) + " yes"


def dag_pose(records, parents, worlds=()):
    body = 'createNode dagPose -n "pose";\n\tsetAttr ".bp" yes;\n'
    for index, record in enumerate(records):
        body += f'\tsetAttr ".xm[{index}]" -type "matrix" {record};\n'
    for index, world in enumerate(worlds):
        body += f'\tsetAttr ".wm[{index}]" -type "matrix" {matrix_words(world)};\n'
    for index, (joint, parent) in enumerate(parents):
        body += connect(f"{joint}.msg", f"pose.m[{index}]")
        body += connect(parent, f"pose.p[{index}]")
    return body


def rest_z(motion):
    """Rest rotation about Z in degrees, per joint."""
    q = motion.skeleton.rest_rotations
    return np.degrees(2 * np.arctan2(q[:, 2], q[:, 3]))


def test_rest_pose_of_a_dag_pose(tmp_path):
    half = np.sqrt(0.5)
    records = [xform((1, 2, 3), (0, 0, 20)), xform((5, 0, 0), orient=(0, 0, half, half))]
    body = TURNED + dag_pose(records, [("a", "pose.w"), ("b", "pose.m[0]")])
    motion = read(tmp_path, body)
    assert motion.skeleton.rest_source == "dagPose"
    np.testing.assert_allclose(rest_z(motion), [20, 90])
    np.testing.assert_allclose(motion.skeleton.offsets, [[1, 2, 3], [5, 0, 0]])
    # The motion stays what the scene shows.
    np.testing.assert_allclose(motion.world_matrices(0)[0, :3, 3], [3, 0, 0])
    assert set(motion.translations) == {0}


def test_rest_pose_of_plain_matrices_in_a_dag_pose(tmp_path):
    records = [matrix_words(row_rotate((0, 0, 20)) @ row_move((1, 2, 3)))]
    motion = read(tmp_path, TURNED + dag_pose(records, [("a", "pose.w")]))
    np.testing.assert_allclose(rest_z(motion), [20, -70])


def test_rest_pose_after_a_joint_was_hung_elsewhere(tmp_path):
    # The pose knows b below a; now both are roots, and only its world matrix still holds.
    worlds = [row_rotate((0, 0, 20)), row_rotate((0, 0, 60)) @ row_move((1, 1, 1))]
    records = [xform((0, 0, 0), (0, 0, 20)), xform((9, 9, 9), (0, 0, 40))]
    body = TURNED.replace(' -p "a"', "")
    body += dag_pose(records, [("a", "pose.w"), ("b", "pose.m[0]")], worlds)
    motion = read(tmp_path, body)
    np.testing.assert_allclose(rest_z(motion), [20, 60])
    np.testing.assert_allclose(motion.skeleton.offsets[1], [1, 1, 1])


def test_rest_pose_below_a_group_that_has_moved(tmp_path):
    body = 'createNode transform -n "g";\n\tsetAttr ".ty" 100;\n'
    body += TURNED.replace('-n "a"', '-n "a" -p "g"')
    world = row_rotate((0, 0, 20)) @ row_move((1, 9, 3))
    body += dag_pose([xform((1, 2, 3), (0, 0, 20))], [("a", "pose.w")], [world])
    motion = read(tmp_path, body)
    np.testing.assert_allclose(motion.skeleton.rest_world_matrices()[0], world.T, atol=1e-12)
    np.testing.assert_allclose(motion.world_matrices(0)[0, :3, 3], [3, 100, 0])


@pytest.mark.parametrize("source", ["bindPose", "bindPreMatrix"])
def test_rest_pose_of_world_matrices(tmp_path, source):
    first = row_rotate((0, 0, 20)) @ row_move((1, 2, 3))
    second = row_scale((2, 2, 2)) @ row_rotate((0, 0, 30)) @ row_move((4, 0, 0)) @ first
    body = TURNED + 'createNode skinCluster -n "skin";\n'
    for index, (joint, world) in enumerate((("a", first), ("b", second))):
        if source == "bindPose":
            stored = f'\tsetAttr ".bps" -type "matrix" {matrix_words(world)};\n'
            body = body.replace(f'joint -n "{joint}"', f'joint -n "{joint}"@').replace(
                "@;\n", f";\n{stored}"
            )
            body = body.replace('@ -p "a";\n', f' -p "a";\n{stored}')
        else:
            stored = matrix_words(np.linalg.inv(world))
            body += f'\tsetAttr ".pm[{index}]" -type "matrix" {stored};\n'
            body += connect(f"{joint}.wm", f"skin.ma[{index}]")
    motion = read(tmp_path, body)
    assert motion.skeleton.rest_source == source
    np.testing.assert_allclose(rest_z(motion), [20, 30])
    np.testing.assert_allclose(motion.skeleton.scales, [[1, 1, 1], [2, 2, 2]])
    rest = motion.skeleton.rest_world_matrices()
    np.testing.assert_allclose(rest, [first.T, second.T], atol=1e-12)


@pytest.mark.parametrize(
    "stored", [None, "0 " * 16, "1 0 0 0 0 1 0 0 0 0 0 0 0 0 0 1", "1e200 " * 16, "1 2 3"]
)
def test_rest_pose_of_a_scene_without_stored_rotations(tmp_path, stored):
    more = f'select -ne "a";\n\tsetAttr ".bps" -type "matrix" {stored};\n' if stored else ""
    motion = read(tmp_path, TURNED + more)
    assert motion.skeleton.rest_source == "scene"
    np.testing.assert_allclose(rest_z(motion), [50, -70])


# Bad input ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "part"),
    [
        ("", "no joints"),
        ('createNode transform -n "a";\n', "no joints"),
        ('createNode joint -n "a', "never closed"),
        ("createNode joint;;;createNode", "4:20: this statement never ends"),
        ("{" * 100, "open braces"),
    ],
)
def test_bad_scenes_are_named_errors(tmp_path, body, part):
    with pytest.raises(MayaAsciiError) as caught:
        read(tmp_path, body)
    assert part in str(caught.value)


def test_values_beyond_all_measure_are_passed_over(tmp_path):
    body = 'createNode joint -n "a";\n\tsetAttr ".s" -type "double3" 1e300 1e300 1e300 ;\n'
    body += curve("c", [(1, 0), (2, 1e300), (3, 6)]) + connect("c.o", "a.rx")
    motion = read(tmp_path, body)
    assert [finding.rule for finding in motion.findings] == ["unreadable-value", "not-a-number"]
    np.testing.assert_allclose(motion.rotate_deg("a")[:, 0], [0, 3, 6])
    deep = "".join(
        f'createNode joint -n "j{i}"' + (f' -p "j{i - 1}"' if i else "") + ";\n"
        '\tsetAttr ".s" -type "double3" 1e29 1e29 1e-29 ;\n'
        '\tsetAttr ".bps" -type "matrix" 1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1;\n'
        for i in range(40)
    )
    assert len(read(tmp_path, deep).joint_names) == 40


@pytest.mark.thorough
@pytest.mark.parametrize(
    "line",
    [
        "createNode;",
        "createNode joint -n;",
        "createNode joint -p;",
        'createNode joint -n "";',
        'createNode joint -n "||";',
        "setAttr;",
        'setAttr ".";',
        'setAttr ".t" -type;',
        'setAttr ".t[" 1;',
        'setAttr "|.t" 1 2 3;',
        'setAttr ".t[5:2].tx[9]" 1;',
        'setAttr ".ro" 1e99;',
        'setAttr ".ro" -3;',
        'setAttr ".ktv[0:1]" 1 2 3;',
        'setAttr ".xm" -type "matrix" "xform";',
        "addAttr; addAttr -sn; addAttr -ln x -dv y;",
        "connectAttr; connectAttr a; connectAttr a b; connectAttr a.b.c d.e[f];",
        'connectAttr "a.rx" "a.rx";',
        "parent; parent a; parent -w a; parent a b c;",
        "select; select -ne; file; file -r; currentUnit; disconnectAttr a b;",
        'file -r -ns "x" -rfn "y" "";',
        'setAttr ".ed" -type "dataReferenceEdits";',
        '}; {} ; ";" ;',
    ],
)
def test_odd_statements_do_no_harm(tmp_path, line):
    for kind in ("joint", "animCurveTA", "dagPose", "reference"):
        body = f'createNode joint -n "a";\ncreateNode {kind} -n "odd";\n{line}\n'
        assert "a" in read(tmp_path, body).joint_names


# What Maya itself stored --------------------------------------------------------------------------


@cache
def real_scene(name):
    """A scene, read once for all tests; none may change it."""
    return SceneFile(SHARED / name).scene


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("name", "count"),
    [
        ("nlol/nlol_rig_unreal_skeleton.ma", 89),
        ("nlol/nlol_tentacle_skeleton.ma", 11),
        ("mayausd/UsdExportSkeletonSegfaultTest.ma", 35),
    ],
)
def test_joints_stand_where_maya_stored_them_at_bind(name, count):
    path = shared_path(f"data/maya/{name}")
    motion, places = read_maya_ascii(path), joint_places(SceneFile(path).scene)
    stored = np.stack([place.node.matrices["bindPose"].reshape(4, 4).T for place in places])
    assert len(stored) == count
    # These scenes were saved in their bind pose: channels alone, without any stored matrix.
    found = motion.world_matrices(0.0)
    assert np.abs(found - stored).max() < 1e-6
    assert np.abs(motion.skeleton.rest_world_matrices() - stored).max() < 1e-6


def pose_chains():
    """Every dagPose of the real scenes: file, pose, its members' records."""
    for name in REAL_SCENES:
        scene = real_scene(name)
        for pose in scene.nodes:
            if pose.node_type == "dagPose":
                yield name, scene, pose


@pytest.mark.thorough
def test_every_dag_pose_that_maya_wrote_is_reproduced():
    shared_path("data/maya")
    chains = 0
    for name, scene, pose in pose_chains():
        members = {p[7:]: n for (d, p), (n, _) in scene.sources.items() if d is pose and "mem" in p}
        worlds = {}
        for _ in range(len(members)):
            for index, node in members.items():
                above = scene.sources.get((pose, f"parents{index}"), (None, "world"))[1]
                parent = np.eye(4) if above == "world" else worlds.get(above[7:])
                if parent is not None and index not in worlds:
                    worlds[index] = parent @ record_matrix(pose.matrices[f"xformMatrix{index}"])
                    source = scene.sources.get((pose, f"worldMatrix{index}"))
                    stored = pose.matrices.get(f"worldMatrix{index}")
                    if source is not None:
                        stored = source[0].matrices[source[1]]
                    error = np.abs(worlds[index] - stored.reshape(4, 4).T).max()
                    assert error < 1e-6, (name, pose.name, node.name, error)
        assert len(worlds) == len(members) > 0
        chains += 1
    assert chains == 19


def record_matrix(record):
    """Local matrix of a dagPose record of a joint, or of a transform without pivots."""
    if len(record) == 16:
        return record.reshape(4, 4).T
    turned = matrix_from_quaternion(xform_rotation(record))
    back = 1.0 / record[33:36] if record[36] else np.ones(3)
    turn = np.diag([*back, 1.0])
    turn[:3, :3] = np.diag(back) @ turned @ np.diag(record[:3])
    turn[:3, 3] = record[7:10]
    return turn


@pytest.mark.thorough
def test_rest_pose_of_a_real_scene_is_its_dag_pose_not_its_current_pose():
    path = shared_path("data/maya/mayausd/UsdExportSkeleton.ma")
    motion, places = read_maya_ascii(path), joint_places(SceneFile(path).scene)
    stored = np.stack([place.node.matrices["bindPose"].reshape(4, 4).T for place in places])
    assert motion.skeleton.rest_source == "dagPose"
    # The stored matrices have single precision.
    assert np.abs(motion.skeleton.rest_world_matrices() - stored).max() < 1e-6
    assert np.abs(motion.world_matrices(motion.frames[0]) - stored).max() > 1


def test_rotate_axis_against_mayas_own_matrices(tmp_path):
    records = json.loads(shared_path("oracle/joint_rotate_axis.json").read_text())["records"]
    assert len(records) >= 6
    for record in records:
        body = 'createNode joint -n "above";\n'
        body += f'\tsetAttr ".s" -type "double3" {" ".join(map(str, record["parentScale"]))} ;\n'
        values = {
            "r": record["rotate"],
            "ra": record["rotateAxis"],
            "jo": record["jointOrient"],
            "s": record["scale"],
        }
        body += node_text("joint", "joint", "above", values, ROTATE_ORDERS[record["rotateOrder"]])
        body += connect("above.s", "joint.is")
        motion = read(tmp_path, body)
        expected = np.array(record["localMatrixRotation"]).T
        found = matrix_from_quaternion(motion.quaternion("joint")[0])
        np.testing.assert_allclose(found, expected, atol=1e-6)


def test_animated_real_scene_keeps_the_branch_of_its_keys():
    motion = read_maya_ascii(shared_path("data/maya/maya2gltf/ComplexAnim1.ma"))
    assert motion.animated == set(motion.joint_names)
    assert motion.frames.tolist() == list(range(1, 41))
    joint = motion.joint_names[0]
    swing = angle_between(motion.quaternion(joint)[0], motion.quaternion(joint)).max()
    assert swing > 0.1
