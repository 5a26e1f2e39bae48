"""The open scene against the same scene read from its file."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jointlimits_core.base.errors import InputError
from jointlimits_core.formats.registry import read_motion
from jointlimits_core.geometry.euler import ROTATE_ORDERS
from jointlimits_core.io.input import ReadLimits
from tests.formats.test_maya_reader import JOINT, TRANSFORM, node_text, random_values
from tests.maya_standin import installed
from tests.support.maya_reading import (
    assert_same_motion,
    both,
    both_of,
    from_scene,
    open_file,
    opened_text,
)
from tests.support.maya_scenes import HEADER, connect, curve, write_scene
from tests.support.shared_data import SHARED, shared_path

REAL_SCENES = sorted(
    str(path.relative_to(SHARED)) for path in (SHARED / "data/maya").glob("**/*.ma")
)
OPEN_ENDS = {"unresolved-driver", "unresolved-placement", "quaternion-curve"}
CHAIN = 'createNode joint -n "hip";\ncreateNode joint -n "knee" -p "hip";\n' + connect(
    "hip.s", "knee.is"
)


def keyed_curve(*keys, joint="hip", channel="rx", name="c", **options):
    return curve(name, keys, **options) + connect(f"{name}.o", f"{joint}.{channel}")


def choice(**options):
    from jointlimits_maya.scene.time import TimeChoice

    return TimeChoice(**options)


def rest_choice(*arguments):
    from jointlimits_maya.read.rest_pose import RestChoice

    return RestChoice(*arguments)


def refusal_of(run, *arguments, **options):
    from jointlimits_maya.base.host import SceneError

    with pytest.raises(SceneError) as caught:
        run(*arguments, **options)
    return str(caught.value)


# --- the same as from the file ------------------------------------------------------------------


@pytest.mark.thorough
def test_the_example(maya):
    file, scene = both(maya, "examples/humanoid_rom.ma")
    assert_same_motion(file, scene)
    assert scene.frame_count > 100
    assert scene.findings == ()


@pytest.mark.thorough
@pytest.mark.parametrize("relative", REAL_SCENES)
def test_scenes_of_others(maya, relative):
    path = shared_path(relative)
    try:
        file = read_motion(path)
    except InputError as error:
        pytest.skip(f"the file reader refuses it: {error.message[:60]}")
    open_file(maya, path)
    if file.animated:
        scene = from_scene()
    else:
        # Without keys a file is read at frame 0, the open scene as it stands.
        at_zero = choice(source="ranges", ranges=((0.0, 0.0),))
        scene = from_scene(time=at_zero)
    open_ends = {finding.rule for finding in file.findings} & OPEN_ENDS
    if open_ends:
        assert scene.joint_names == file.joint_names
        assert_same_where_resolved(file, scene)
    else:
        assert_same_motion(file, scene)


def assert_same_where_resolved(file, scene):
    """Joints whose rotation the file reader resolved, at the frames that both have."""
    assert scene.animated >= file.animated
    _, ours, theirs = np.intersect1d(scene.frames, file.frames, return_indices=True)
    assert len(theirs)
    for joint in file.animated:
        place = file.skeleton.index(joint)
        expected = file.rotates[place][:, theirs]
        np.testing.assert_allclose(scene.rotates[place][:, ours], expected, atol=1e-12)


@pytest.mark.thorough
@pytest.mark.parametrize("order", ROTATE_ORDERS)
@pytest.mark.parametrize("compensates", [True, False])
def test_everything_that_can_stand_in_a_chain(maya, tmp_path, order, compensates):
    rng = np.random.default_rng(ROTATE_ORDERS.index(order))
    body = node_text("transform", "top", None, random_values(rng, TRANSFORM), order)
    body += node_text("joint", "hip", "top", random_values(rng, JOINT), order)
    body += node_text("transform", "group", "hip", random_values(rng, TRANSFORM), order)
    offset = np.array([*rng.uniform(-1, 1, 15), 1.0]).reshape(4, 4)
    offset[:, 3] = [0, 0, 0, 1]
    body += f'\tsetAttr ".opm" -type "matrix" {" ".join(map(repr, offset.ravel().tolist()))};\n'
    body += node_text("joint", "knee", "group", random_values(rng, JOINT), order)
    body += "" if compensates else '\tsetAttr ".ssc" no;\n'
    body += '\tsetAttr ".jty" no;\n\tsetAttr -l on ".ry";\n\tsetAttr ".xrze" yes;\n'
    # Beyond the other values: what lies outside of limits does not stay in Maya.
    body += '\tsetAttr ".xrzl" 200;\n'
    body += node_text("joint", "toe", "knee", random_values(rng, JOINT), order)
    body += connect("hip.s", "knee.is") + connect("knee.s", "toe.is")
    kinds = {"r": "animCurveTA", "t": "animCurveTL", "s": "animCurveTU"}
    for node in ("group", "knee"):
        for channel in ("rx", "tz", "sy"):
            name = f"{node}_{channel}"
            keys = zip((1, 4.5, 9), rng.uniform(0.5, 50, 3))
            body += keyed_curve(
                *keys, joint=node, channel=channel, name=name, kind=kinds[channel[0]], tangent=18
            )
    file, scene = both_of(maya, tmp_path, body)
    assert_same_motion(file, scene)
    assert set(scene.translations) == {1}
    assert set(scene.between) == {1}


def test_the_scale_of_others_is_not_rolled_back(maya, tmp_path):
    other = 'createNode transform -n "other";\n\tsetAttr ".s" 2 2 2;\n'
    body = other + CHAIN.replace("hip.s", "other.s")
    file, scene = both_of(maya, tmp_path, body + keyed_curve((1, 0), (3, 5)))
    assert_same_motion(file, scene)
    assert not scene.skeleton.compensates_scale.any()


@pytest.mark.thorough
@pytest.mark.parametrize("units", ["-l meter -a degree -t ntsc", "-l inch -a radian -t 120fps"])
def test_other_units(maya, tmp_path, units):
    header = HEADER.replace("-l centimeter -a degree -t film", units)
    body = CHAIN + '\tsetAttr ".t" -type "double3" 1 2 3;\n\tsetAttr ".mrxe" yes;\n'
    body += keyed_curve((0, 1), (3, 2), (7.5, -2), tangent=18)
    body += keyed_curve((0, 1), (6, 2), joint="hip", channel="ty", name="d", kind="animCurveTL")
    file, scene = both_of(maya, tmp_path, body, header)
    assert_same_motion(file, scene)


def test_duplicate_names_groups_and_roots_that_do_not_inherit(maya, tmp_path):
    body = 'createNode joint -n "a";\ncreateNode transform -n "g" -p "a";\n'
    body += '\tsetAttr ".it" no;\n\tsetAttr ".tx" 5;\ncreateNode joint -n "b" -p "g";\n'
    body += 'createNode joint -n "c";\n\tsetAttr ".it" no;\ncreateNode joint -n "b" -p "c";\n'
    body += keyed_curve((1, 2), (3, 4), joint="|a|g|b", name="keys")
    file, scene = both_of(maya, tmp_path, body)
    assert_same_motion(file, scene)
    assert scene.joint_names == ("a", "|a|g|b", "c", "|c|b")
    assert scene.skeleton.parents.tolist() == [-1, -1, -1, 2]


def test_weighted_curves_with_infinities(maya, tmp_path):
    more = '\tsetAttr ".wgt" yes;\n\tsetAttr ".pre" 3;\n\tsetAttr ".pst" 4;\n'
    body = CHAIN + keyed_curve((2, 0), (5, 40), (9, 10), tangent=18, more=more)
    body += keyed_curve((0, 0), (20, 1), joint="knee", name="d")
    file, scene = both_of(maya, tmp_path, body)
    assert_same_motion(file, scene, atol=1e-11)


@pytest.mark.thorough
@settings(max_examples=40)
@given(
    times=st.lists(st.integers(-40, 40), min_size=1, max_size=6, unique=True),
    data=st.data(),
    weighted=st.booleans(),
)
def test_any_curve(times, data, weighted):
    """Between, at and outside the keys, with every tangent that a file names."""
    count = len(times)
    few = {"min_size": count, "max_size": count}
    values = data.draw(st.lists(st.integers(-90, 90), **few))
    types = data.draw(st.lists(st.sampled_from([2, 3, 5, 9, 16, 17, 18]), **few))
    # A cycle of a curve with one key has no length.
    infinities = st.sampled_from([0, 1, 3, 4, 5] if count > 1 else [0])
    more = f'\tsetAttr ".wgt" {"yes" if weighted else "no"};\n'
    for attribute in ("pre", "pst"):
        more += f'\tsetAttr ".{attribute}" {data.draw(infinities)};\n'
    for attribute in ("kit", "kot"):
        numbers = " ".join(map(str, types))
        more += f'\tsetAttr -s {count} ".{attribute}[0:{count - 1}]" {numbers};\n'
    # No frame lies at the very end of a cycle, where the last bit of a time decides.
    keys = sorted((time + 0.375, value) for time, value in zip(times, values))
    body = CHAIN + keyed_curve(*keys, more=more)
    # The other joint makes the frames reach over both ends, and lie between the keys.
    body += keyed_curve((-60.25, 0), (-1.5, 3), (60.75, 1), joint="knee", name="d")
    with tempfile.TemporaryDirectory() as folder, installed() as session:
        file, scene = both_of(session, Path(folder), body)
    assert_same_motion(file, scene, atol=1e-10)


def test_layers_and_blends(maya, tmp_path):
    body = CHAIN + curve("a", [(1, 5), (9, 50)]) + curve("b", [(1, 1), (5, 7)])
    body += curve("w", [(1, 0), (9, 1)], kind="animCurveTU")
    body += 'createNode animBlendNodeAdditiveRotation -n "bl";\n\tsetAttr ".wb" 0.5;\n'
    body += connect("a.o", "bl.iax") + connect("b.o", "bl.ibx") + connect("bl.ox", "hip.rx")
    body += (
        'createNode pairBlend -n "pb";\n' + connect("a.o", "pb.irx1") + connect("b.o", "pb.irx2")
    )
    body += connect("w.o", "pb.w") + connect("pb.orx", "knee.rx")
    file, scene = both_of(maya, tmp_path, body)
    assert_same_motion(file, scene)
    assert file.animated == {"hip", "knee"}


def test_a_driven_offset_is_part_of_the_place(maya, tmp_path):
    body = CHAIN + keyed_curve((1, 0), (3, 50)) + 'createNode transform -n "ctl";\n'
    body += curve("d", [(1, 2), (3, 6)], "animCurveTL") + connect("d.o", "ctl.tx")
    opened_text(maya, tmp_path, body + connect("ctl.wm", "hip.opm"))
    motion = from_scene()
    places = [motion.world_matrices(frame)[0, 0, 3] for frame in (1, 2, 3)]
    assert places == pytest.approx([2, 4, 6])


def test_a_curve_in_other_units_and_a_connected_compound(maya, tmp_path):
    body = CHAIN + curve("u", [(1, 5), (9, 50)], kind="animCurveTU")
    body += 'createNode unitConversion -n "uc";\n\tsetAttr ".cf" 0.017453292519943295;\n'
    body += connect("u.o", "uc.i") + connect("uc.o", "hip.rx") + connect("hip.r", "knee.r")
    file, scene = both_of(maya, tmp_path, body)
    assert_same_motion(file, scene)
    assert scene.rotate_deg("knee")[0, 0] == pytest.approx(5)


def test_a_scene_that_was_never_saved_has_a_name(maya, cmds):
    cmds.createNode("joint", name="only")
    motion = from_scene()
    assert (motion.name, motion.animated, motion.frame_count) == ("untitled", frozenset(), 1)


# --- some joints --------------------------------------------------------------------------------


def test_joints_below_others_keep_their_place_in_the_world(maya, tmp_path):
    rng = np.random.default_rng(3)
    body = ""
    for name, parent in (("a", None), ("b", "a"), ("c", "b"), ("d", "c")):
        body += node_text("joint", name, parent, random_values(rng, JOINT), "zxy")
        body += connect(f"{parent}.s", f"{name}.is") if parent else ""
        body += keyed_curve((1, 5), (8, 60), joint=name, name=f"k{name}", channel="ry")
    opened_text(maya, tmp_path, body)
    whole, part = from_scene(), from_scene({"root": "c"})
    assert part.joint_names == ("c", "d")
    assert part.skeleton.parents.tolist() == [-1, 0]
    for frame in (1, 4, 8):
        expected = whole.world_matrices(frame)[2:]
        np.testing.assert_allclose(part.world_matrices(frame), expected, atol=1e-9)


# --- time ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, [1, 2, 2.5, 3, 4, 5, 6]),
        ({"step": 2}, [1, 3, 5]),
        ({"keys_only": True}, [1, 2.5, 6]),
        ({"source": "playback"}, [3, 4, 5]),
        ({"source": "animation"}, [0, 1, 2, 2.5, 3, 4, 5, 6, 7, 8]),
        ({"source": "animation", "step": 2.5}, [0, 2.5, 5, 7.5]),
        ({"source": "animation", "keys_only": True}, [1, 2.5, 6]),
        ({"source": "ranges", "ranges": ((2, 3), (1, 2), (7.5, 8.5))}, [1, 2, 2.5, 3, 7.5, 8.5]),
        ({"source": "ranges", "ranges": ((4, 4),)}, [4]),
        ({"source": "ranges", "ranges": ((2, 2.3),), "step": 0.1}, [2, 2.1, 2.2, 2.3]),
        ({"source": "ranges", "ranges": ((2, 3),), "keys_only": True}, [2.5]),
    ],
)
def test_frames(maya, tmp_path, options, expected, cmds):
    opened_text(maya, tmp_path, CHAIN + keyed_curve((1, 0), (2.5, 30), (6, 10)))
    cmds.playbackOptions(minTime=3, maxTime=5, animationStartTime=0, animationEndTime=8)
    motion = from_scene(time=choice(**options))
    np.testing.assert_allclose(motion.frames, expected, atol=1e-9)
    first = {0: 0, 1: 0, 2: 20, 2.5: 30, 3: 30 - 20 / 7, 4: 30 - 60 / 7}[expected[0]]
    assert motion.rotate_deg("hip")[0, 0] == pytest.approx(first)


def test_a_key_a_hair_off_its_frame_is_on_it(maya, tmp_path):
    file, scene = both_of(maya, tmp_path, CHAIN + keyed_curve((1, 0), (3.0000004, 30), (5, 10)))
    assert_same_motion(file, scene)
    assert scene.frames.tolist() == [1, 2, 3, 4, 5]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"step": 0}, "step must be finite and greater than 0 frames, not 0"),
        ({"step": float("nan")}, "step must be finite and greater than 0 frames, not nan"),
        ({"source": "ranges", "ranges": ((5, 2),)}, "frame 5, is after the end, frame 2"),
        ({"source": "ranges", "ranges": ((1, float("inf")),)}, "two finite numbers, not 1:inf"),
        ({"source": "ranges", "ranges": ((float("nan"), 3),)}, "two finite numbers, not nan:3"),
    ],
)
@pytest.mark.usefixtures("maya")
def test_times_that_make_no_sense(options, words):
    assert words in refusal_of(choice, **options)


def test_frames_that_cannot_be_held(maya, tmp_path, monkeypatch):
    from jointlimits_maya.scene import time as time_choice

    opened_text(maya, tmp_path, CHAIN + keyed_curve((1, 0), (9, 10)))
    endless = choice(source="ranges", ranges=((0, 1e12),))
    assert "samples (frames times joints) exceed the maximum of" in refusal_of(
        from_scene, time=endless
    )
    monkeypatch.setattr(time_choice, "LIMITS", ReadLimits(max_numbers=30))
    motion = from_scene()
    assert motion.frames.tolist() == [1, 9]
    assert [finding.rule for finding in motion.findings] == ["sparse-keys"]
    monkeypatch.setattr(time_choice, "LIMITS", ReadLimits(max_numbers=9))
    assert "samples (frames times joints) exceed the maximum of" in refusal_of(from_scene)


def test_no_keys_where_only_keys_were_asked_for(maya, tmp_path):
    opened_text(maya, tmp_path, CHAIN + keyed_curve((1, 0), (9, 10)))
    time = choice(source="ranges", ranges=((3, 5),), keys_only=True)
    assert "no keys in this range" in refusal_of(from_scene, time=time)


@pytest.mark.thorough
def test_a_rig_without_keys_is_looked_at_once(maya, tmp_path, cmds):
    opened_text(maya, tmp_path, CHAIN + '\tsetAttr ".rx" 20;\n')
    cmds.currentTime(7)
    motion = from_scene()
    assert motion.frames.tolist() == [7]
    assert motion.rotate_deg("knee")[0, 0] == pytest.approx(20)
    assert motion.animated == frozenset()


# --- the rest pose ------------------------------------------------------------------------------

RESTING = (
    CHAIN
    + keyed_curve((1, 5), (11, 25))
    + 'createNode dagPose -n "bp";\n\tsetAttr -s 1 ".wm";\n'
    + '\tsetAttr ".wm[0]" -type "matrix" 1 0 0 0 0 1 0 0 0 0 1 0 7 0 0 1;\n'
    + '\tsetAttr ".xm[0]" -type "matrix" 1 0 0 0 0 1 0 0 0 0 1 0 7 0 0 1;\n'
    + '\tsetAttr ".bp" yes;\n'
    + connect("hip.msg", "bp.m[0]")
    + connect("bp.w", "bp.p[0]")
    + 'createNode skinCluster -n "skin";\n'
    + '\tsetAttr ".pm[0]" -type "matrix" 1 0 0 0 0 1 0 0 0 0 1 0 -3 0 0 1;\n'
    + '\tsetAttr ".pm[1]" -type "matrix" 1 0 0 0 0 1 0 0 0 0 1 0 -4 -2 0 1;\n'
    + connect("hip.wm", "skin.ma[0]")
    + connect("knee.wm", "skin.ma[1]")
)


@pytest.mark.parametrize(
    ("arguments", "source", "offsets", "degrees"),
    [
        ((), "dagPose", [[7, 0, 0], [-3, 2, 0]], 0),
        (("dagPose",), "dagPose", [[7, 0, 0], [0, 0, 0]], 0),
        (("bindPreMatrix",), "bindPreMatrix", [[3, 0, 0], [1, 2, 0]], 0),
        (("bindPose",), "scene", [[0, 0, 0], [0, 0, 0]], 5),
        (("frame", 6.0), "frame 6", [[0, 0, 0], [0, 0, 0]], 15),
        (("frame", 21.0), "frame 21", [[0, 0, 0], [0, 0, 0]], 25),
        (("current",), "current pose", [[0, 0, 0], [0, 0, 0]], 9),
    ],
)
def test_rest_poses(maya, tmp_path, arguments, source, offsets, degrees, cmds):
    opened_text(maya, tmp_path, RESTING)
    cmds.currentTime(3)
    motion = from_scene(rest=rest_choice(*arguments))
    assert motion.skeleton.rest_source == source
    np.testing.assert_allclose(motion.skeleton.offsets, offsets, atol=1e-9)
    turn = 2 * np.degrees(np.arcsin(motion.skeleton.rest_rotations[0, 0]))
    assert turn == pytest.approx(degrees)
    assert motion.rotate_deg("hip")[0, 0] == pytest.approx(5)


@pytest.mark.parametrize("unset", ["identity", "null", "error"])
def test_a_bind_pose_that_was_never_set_is_none(maya, tmp_path, unset):
    maya.quirks = replace(maya.quirks, unset_matrix=unset)
    opened_text(maya, tmp_path, RESTING)
    assert from_scene().skeleton.rest_source == "dagPose"


@pytest.mark.thorough
def test_the_current_pose_need_not_be_keyed(maya, tmp_path, cmds):
    opened_text(maya, tmp_path, RESTING)
    cmds.setAttr("hip.rotateX", 60)
    motion = from_scene(rest=rest_choice("current"))
    turn = 2 * np.degrees(np.arcsin(motion.skeleton.rest_rotations[0, 0]))
    assert turn == pytest.approx(60)
    assert motion.rotate_deg("hip")[:, 0].max() == pytest.approx(25)


def test_what_we_wrote_is_not_what_an_author_declared(maya, tmp_path, cmds):
    from jointlimits_maya.scene.record import ATTRIBUTE, Provenance

    body = 'createNode joint -n "hip";\n\tsetAttr ".mrxe" yes;\n\tsetAttr ".mrxl" -20;\n'
    body += '\tsetAttr ".xrxe" yes;\n\tsetAttr ".xrxl" 70;\n\tsetAttr ".jtz" no;\n'
    opened_text(maya, tmp_path, body + '\tsetAttr -l on ".rz";\n')
    declared = from_scene().skeleton.declarations["hip"]
    assert declared.limits_deg["rotateX"] == pytest.approx((-20, 70))
    record = Provenance(
        before={"minRotXLimit": -1.0, "maxRotXLimitEnable": False, "jointTypeZ": True},
        written={"minRotXLimit": np.radians(-20), "maxRotXLimitEnable": True, "jointTypeZ": False},
        locks={"rotateZ": False},
        switched_off=("maxRotZLimitEnable",),
    )
    cmds.addAttr("hip", longName=ATTRIBUTE, dataType="string")
    cmds.setAttr(f"hip.{ATTRIBUTE}", record.to_json(), type="string")
    declared = from_scene().skeleton.declarations["hip"]
    # A limit of somebody that we have switched off for a while is theirs all the same.
    other = {"rotateZ": (None, pytest.approx(45))}
    assert declared.limits_deg == {"rotateX": (pytest.approx(np.degrees(-1)), None), **other}
    assert (declared.dof, declared.locked) == (None, frozenset())
    # What somebody changed after us is theirs again.
    cmds.setAttr("hip.minRotXLimit", -30)
    declared = from_scene().skeleton.declarations["hip"]
    assert declared.limits_deg == {"rotateX": (pytest.approx(-30), None), **other}


def matrix(x, y=0):
    return f'-type "matrix" 1 0 0 0 0 1 0 0 0 0 1 0 {x} {y} 0 1;\n'


OTHER_POSE = (
    'createNode dagPose -n "other";\n'
    + f'\tsetAttr ".xm[0]" {matrix(50)}\tsetAttr ".xm[1]" {matrix(60)}'
    + connect("hip.msg", "other.m[0]")
    + connect("knee.msg", "other.m[1]")
    + connect("other.w", "other.p[0]")
    + connect("other.m[0]", "other.p[1]")
)
HUNG_ELSEWHERE = OTHER_POSE.replace('"other.m[0]" "other.p[1]"', '"other.w" "other.p[1]"')
POSES = {
    "as above": (RESTING, [7, 0, 0], [-3, 2, 0]),
    "with a pose that is no bind pose": (RESTING + OTHER_POSE, [7, 0, 0], [60, 0, 0]),
    "a pose alone": (CHAIN + OTHER_POSE, [50, 0, 0], [60, 0, 0]),
    # What a pose knows of a joint that hangs elsewhere by now is where it was in the world.
    "a parent from later, with a world matrix": (
        CHAIN + HUNG_ELSEWHERE + f'setAttr "other.wm[1]" {matrix(80, 3)}',
        [50, 0, 0],
        [30, 3, 0],
    ),
    "a parent from later, without one": (CHAIN + HUNG_ELSEWHERE, [50, 0, 0], [0, 0, 0]),
    "in the joints themselves": (
        CHAIN + f'setAttr "hip.bps" {matrix(4)}setAttr "knee.bps" {matrix(4, 5)}',
        [4, 0, 0],
        [0, 5, 0],
    ),
}


@pytest.mark.parametrize("case", POSES)
def test_stored_rest_poses_are_those_of_the_file(maya, tmp_path, case):
    body, hip, knee = POSES[case]
    # At frame 0, where a file without keys is read.
    path = write_scene(
        tmp_path, body if body.startswith(RESTING) else body + keyed_curve((0, 5), (3, 6))
    )
    file, scene = both(maya, path)
    assert_same_motion(file, scene)
    np.testing.assert_allclose(scene.skeleton.offsets, [hip, knee], atol=1e-9)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("yesterday",), "not 'yesterday'"),
        (("frame",), "the rest pose 'frame', and only that one, must have a frame"),
        (("current", 3.0), "the rest pose 'frame', and only that one, must have a frame"),
        (("frame", float("inf")), "the frame of the rest pose must be finite, not inf"),
    ],
)
@pytest.mark.usefixtures("maya")
def test_rest_poses_that_make_no_sense(arguments, words):
    assert words in refusal_of(rest_choice, *arguments)


@pytest.mark.usefixtures("maya")
def test_no_joints_at_all():
    from jointlimits_maya.read.motion import motion_from_scene

    assert "no joints given" in refusal_of(motion_from_scene, [])
