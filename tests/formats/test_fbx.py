"""FBX files that are written by the tests: content, and rejected files."""

from __future__ import annotations

import struct
import zlib

import numpy as np
import pytest

from jointlimits_core import estimate
from jointlimits_core.base.findings import JointDriver
from jointlimits_core.formats.fbx.nodes import FbxError
from jointlimits_core.formats.fbx.reader import read_fbx, skeleton_key
from jointlimits_core.formats.registry import ReadRequest, read_motion, read_takes
from jointlimits_core.geometry.euler import quaternion_from_euler
from jointlimits_core.importers.read import read_limits
from jointlimits_core.io.input import ReadLimits
from tests.support.fbx_files import (
    HIP,
    KNEE,
    LAYER,
    TICKS_PER_SECOND,
    Node,
    ascii_text,
    binary,
    curve,
    layered_leg,
    leg,
    link,
    model,
    properties,
)

ENCODED = {
    "binary 7400": binary,
    "binary 7500": lambda top: binary(top, 7500, packed=False),
    "ascii": lambda top: ascii_text(top, 7100),
}


@pytest.fixture
def read(tmp_path):
    """Reader of a file with these nodes, or of these bytes."""

    def reading(top, **how):
        path = tmp_path / "leg.fbx"
        path.write_bytes(top if isinstance(top, bytes) else binary(top))
        return read_fbx(path, ReadRequest(**how))

    return reading


@pytest.fixture
def refusal(read):
    """Message with which a file is refused."""

    def message(top, **how):
        with pytest.raises(FbxError) as error:
            read(top, **how)
        text = str(error.value)
        assert "\n" not in text
        return text

    return message


def find_node(nodes, *names):
    """Node that these names lead to."""
    for name in names:
        node = next(one for one in nodes if one.name == name)
        nodes = node.children
    return node


@pytest.mark.parametrize("encoded", ENCODED.values(), ids=ENCODED)
def test_every_encoding_gives_the_same_motion(read, encoded):
    motion = read(encoded(leg()))
    assert motion.joint_names == ("hip", "knee")
    assert motion.frame_rate == 30.0
    np.testing.assert_array_equal(motion.frames, np.arange(31.0))
    np.testing.assert_allclose(motion.rotate_deg("knee")[:, 2], np.linspace(0.0, 90.0, 31))
    np.testing.assert_array_equal(motion.skeleton.offsets, [[0, 100, 0], [0, -50, 0]])
    assert motion.animated == {"knee"}
    assert motion.skeleton.meters_per_unit == 0.01


def test_pre_and_post_rotation_are_joint_orient_and_the_inverse_of_rotate_axis(read):
    given = {"PreRotation": (10.0, 20.0, 30.0), "PostRotation": (0.0, 40.0, 0.0)}
    motion = read(leg(knee={**given, "RotationOrder": 4, "RotationActive": 1}))
    knee = motion.skeleton.index("knee")
    assert motion.skeleton.rotate_orders[knee] == "zxy"
    for found, turned in (
        (motion.skeleton.joint_orients[knee], (10.0, 20.0, 30.0)),
        (motion.skeleton.rotate_axes[knee], (0.0, -40.0, 0.0)),
    ):
        np.testing.assert_allclose(found, quaternion_from_euler(np.radians(turned)), atol=1e-12)


def test_rotations_that_are_not_active_only_turn_by_their_angles(read):
    given = {"PreRotation": (10.0, 0.0, 0.0), "RotationOrder": 5, "RotationActive": 0}
    motion = read(leg(knee=given))
    assert set(motion.skeleton.rotate_orders) == {"xyz"}
    np.testing.assert_array_equal(motion.skeleton.joint_orients, [[0, 0, 0, 1]] * 2)


def test_a_joint_swings_about_its_pivot(read):
    motion = read(leg(knee={"RotationPivot": (10.0, 0.0, 0.0)}))
    np.testing.assert_allclose(motion.translations[1][[0, -1]], [[0, -50, 0], [10, -60, 0]])


def test_axes_and_units_of_the_file(read):
    z_up = {"UpAxis": 2, "FrontAxis": 1, "FrontAxisSign": -1, "UnitScaleFactor": 2.54}
    motion = read(leg(**z_up))
    hip = motion.all_world_matrices()[0, 0]
    np.testing.assert_allclose(hip[:3, 3], [0.0, 0.0, -100.0], atol=1e-9)
    np.testing.assert_allclose(hip[:3, :3] @ [0.0, 0.0, 1.0], [0.0, 1.0, 0.0], atol=1e-12)
    assert motion.skeleton.meters_per_unit == pytest.approx(0.0254)


def test_every_take_is_a_clip_and_one_can_be_chosen(tmp_path):
    top = leg()
    objects, connections = top[1].children, top[2].children
    objects += [
        Node("AnimationStack", (90, "AnimStack::kick", "")),
        Node("AnimationLayer", (91, "AnimLayer::base", "")),
        Node("AnimationCurveNode", (92, "AnimCurveNode::R", "")),
        curve(93, [0.0, 0.5], [10.0, 20.0]),
    ]
    connections += [link(91, 90), link(92, 91), link(92, KNEE, "Lcl Rotation")]
    connections += [link(93, 92, "d|X")]
    path = tmp_path / "leg.fbx"
    path.write_bytes(binary(top))
    assert [clip.name for clip in read_takes(path)] == ["leg.walk", "leg.kick"]
    assert [finding.rule for finding in read_motion(path).findings] == ["other-takes"]
    assert read_motion(path, take="kick").frame_count == 16
    assert [one.name for one in read_takes(path, take="kick")] == ["leg.kick"]
    with pytest.raises(TypeError, match="option of a reader"):
        read_motion(path, stack="kick")
    with pytest.raises(FbxError, match="has no take 'run'; it has 'walk', 'kick'"):
        read_motion(path, take="run")
    limits = estimate(path).joints["knee"].limits
    assert (limits["rotateX"].max_deg, limits["rotateZ"].max_deg) == (20.0, 90.0)


def test_keys_outside_the_stated_span_are_read_and_reported(read):
    top = leg()
    span = properties(LocalStart=0, LocalStop=TICKS_PER_SECOND // 2)
    find_node(top, "Objects", "AnimationStack").children = [span]
    motion = read(top)
    assert motion.frame_count == 31
    assert [finding.rule for finding in motion.findings] == ["take-range"]


def test_declared_limits_are_imported(tmp_path):
    flags = {"RotationMinZ": 1, "RotationMaxZ": 1, "RotationMaxX": 1}
    given = {"RotationMin": (-1.0, -2.0, -3.0), "RotationMax": (4.0, 5.0, 6.0), **flags}
    path = tmp_path / "leg.fbx"
    path.write_bytes(binary(leg(knee=given)))
    found = read_limits(path).joints["knee"].limits
    ends = {name: (axis.min_deg, axis.max_deg) for name, axis in found.items()}
    assert ends == {"rotateX": (None, 4.0), "rotateY": (None, None), "rotateZ": (-3.0, 6.0)}
    path.write_bytes(binary(leg(knee={**given, "RotationActive": 0})))
    assert read_limits(path).joints["knee"].limits["rotateZ"].state == "free"


def test_two_characters_and_joints_of_the_same_name(read):
    others = [model(100 + n, "knee") for n in range(124)]
    motion = read(leg(joints=[*others, model(900, "other:hip")]))
    assert len(set(motion.joint_names)) == len(motion.joint_names) == 127
    assert {"hip|knee", "hip|knee#124", "other:hip"} < set(motion.joint_names)
    assert [finding.rule for finding in motion.findings] == ["duplicate-names"]


def test_the_first_of_two_objects_with_one_number_counts(read):
    assert read(leg(joints=[model(KNEE, "double")])).joint_names == ("hip", "knee")


def test_a_group_between_joints_moves_what_is_below_it(read):
    top = leg()
    top[1].children.append(model(50, "group", "Null", Lcl__Translation=(0.0, 0.0, 7.0)))
    top[2].children[1] = link(KNEE, 50)
    top[2].children.append(link(50, HIP))
    motion = read(top)
    assert motion.joint_names == ("hip", "knee")
    np.testing.assert_allclose(motion.skeleton.between[1][:3, 3], [0.0, 0.0, 7.0])


def test_groups_that_turn_are_joints_where_there_are_no_others(read):
    top = leg()
    for node in top[1].children[:2]:
        node.values = (*node.values[:2], "Null")
    assert read(top).joint_names == ("hip", "knee")


def test_layers_add_and_replace_by_their_weight(read):
    top = layered_leg(leg(), [(0, 50.0, 20.0, 1), (2, 25.0, 0.0, 1)])
    expected = (np.linspace(0.0, 90.0, 31) + 10.0) * 0.75
    np.testing.assert_allclose(read(top).rotate_deg("knee")[:, 2], expected)


@pytest.mark.parametrize(
    ("flags", "middle"),
    [(2, 0.0), (0x102, 90.0), (4, 45.0), (8 | 0x400, 45.0), (8 | 0x6100, 45.0)],
    ids=["held", "held from the next", "straight", "flat tangents", "automatic"],
)
def test_spans_between_keys(read, flags, middle):
    top = leg()
    top[1].children[-1] = curve(31, [0.0, 1.0], [0.0, 90.0], flags)
    assert read(top).rotate_deg("knee")[15, 2] == pytest.approx(middle)


def test_one_key_that_repeats_for_ever_on_one_side(read):
    top = leg((30.0,))
    curve_node = find_node(top, "Objects", "AnimationCurve")
    for side, times in (("Pre", -1), ("Post", 2)):
        parts = [Node("Type", (ord("R"),)), Node("Repetition", (times,))]
        curve_node.children.append(Node(f"{side}-Extrapolation", (), parts))
    top[1].children += [Node("AnimationCurveNode", (50, "AnimCurveNode::R", ""))]
    top[1].children += [curve(51, [0.0, 1.0], [0.0, 20.0])]
    top[2].children += [link(50, LAYER), link(50, HIP, "Lcl Rotation"), link(51, 50, "d|X")]
    np.testing.assert_allclose(read(top).rotate_deg("knee")[:, 2], 30.0)


def test_a_file_without_animation_has_one_frame(read):
    top = leg()
    top[1].children, top[2].children = top[1].children[:2], top[2].children[:2]
    motion = read(top)
    assert motion.frame_count == 1
    assert motion.animated == frozenset()


# --- bad files --------------------------------------------------------------------------------


def key(name, values):
    """Change of the values of a curve's array."""

    def change(top):
        part = find_node(top, "Objects", "AnimationCurve", name)
        part.values = (np.asarray(values, part.values[0].dtype),)
        return top

    return change


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (key("KeyValueFloat", [0.0, np.nan]), "joint 'knee' has a value that is not finite"),
        (key("KeyValueFloat", [0.0]), "a curve with 2 times, 1 values"),
        (key("KeyAttrRefCount", [7]), "a curve with 2 keys, but tangents for 7"),
        (lambda top: top[:1] + top[2:], "has no skeleton"),
    ],
    ids=["nan", "values missing", "tangents missing", "no objects"],
)
def test_contradictions_are_named(refusal, change, expected):
    assert expected in refusal(change(leg()))


def test_a_binary_file_that_went_through_a_text_editor_is_called_damaged(refusal):
    spaces = binary(leg()).replace(b"\0", b" ")
    assert "is a binary FBX file with a damaged header; copy" in refusal(spaces)


def test_nodes_are_counted(refusal, monkeypatch):
    monkeypatch.setattr("jointlimits_core.formats.fbx.nodes.MAX_NODES", 5)
    assert "has more than 5 nodes of skeletons and animation" in refusal(leg())


@pytest.mark.parametrize(
    ("settings", "rate"),
    [
        ({"TimeMode": 1}, 120.0),
        ({"TimeMode": 8}, 30000.0 / 1001.0),
        ({"TimeMode": 11}, 24.0),
        ({"TimeMode": 14, "CustomFrameRate": 12.5}, 12.5),
        ({"TimeMode": 14, "CustomFrameRate": 1e9}, 24.0),
        ({"TimeMode": 99}, 24.0),
    ],
)
def test_frame_rates(read, settings, rate):
    motion = read(leg(**settings))
    assert motion.frame_rate == pytest.approx(rate)
    assert len(motion.frames) == int(np.ceil(rate)) + 1


def test_keys_at_a_rate_that_the_file_rounds_are_read_once(read):
    """Blender writes 120 frames a second for a clip of 120.00005."""
    angles = np.linspace(0.0, 90.0, 301)
    top = leg(TimeMode=1)
    top[1].children[-1] = curve(31, np.arange(301) / 120.00005, angles)
    motion = read(top)
    assert motion.frame_count == 301
    np.testing.assert_allclose(motion.rotate_deg("knee")[:, 2], angles, atol=1e-6)


def test_joints_above_themselves(refusal):
    loop = [model(50, "a"), model(51, "b")]
    top = leg(joints=loop)
    del top[2].children[2:4]
    top[2].children += [link(50, 51), link(51, 50)]
    assert "has 2 joints in parent loops" in refusal(top)


def test_a_cut_in_a_brace_is_reported_with_its_line(refusal):
    text = ascii_text(leg())
    message = refusal(text[: text.index(b"KeyTime")])
    assert "leg.fbx:" in message
    assert "this brace is never closed: the file is cut short or damaged" in message


def test_big_endian_files_are_named(refusal):
    data = bytearray(binary(leg()))
    data[22] = 1
    assert "is a big-endian FBX file" in refusal(bytes(data))
    assert "is cut short" in refusal(binary(leg())[:25])


def test_an_array_that_inflates_beyond_its_length_is_refused(refusal):
    bomb = zlib.compress(bytes(5_000_000), 9)
    for body, expected in (
        (bomb, "in more than 8 bytes"),
        (b"123456789", "a damaged compressed array"),
    ):
        packed = b"f" + struct.pack("<III", 2, 1, len(body)) + body
        top = leg()
        find_node(top, "Objects", "AnimationCurve", "KeyValueFloat").values = (packed,)
        assert expected in refusal(top)


def test_budgets(refusal):
    refused = {"max_joints": 1, "max_numbers": 3, "max_bytes": 500}
    for name, most in refused.items():
        assert f"raise the option {name}" in refusal(leg(), limits=ReadLimits(**{name: most}))


def test_nodes_nested_deeper_than_any_file_has_them(refusal, read):
    skipped = b"Mesh: {" * 5000 + b"}" * 5000
    assert read(ascii_text(leg()) + skipped).frame_count == 31
    kept = b"Objects: {" * 100 + b"}" * 100
    assert "nests nodes more than 64 deep" in refusal(ascii_text(leg()) + kept)


def test_clips_of_one_skeleton_share_a_key(tmp_path):
    def key_of(**given):
        path = tmp_path / "clip.fbx"
        path.write_bytes(binary(leg(**given)))
        return skeleton_key(path)

    assert key_of() == key_of(degrees=(5.0, 10.0, 20.0))
    assert key_of() != key_of(knee={"PreRotation": (10.0, 0.0, 0.0)})
    (tmp_path / "broken.fbx").write_bytes(b"Kaydara FBX Binary  \0")
    assert skeleton_key(tmp_path / "broken.fbx") == "broken.fbx"


def test_numbers_without_meaning_are_refused_or_passed_over(read, refusal):
    text = ascii_text(leg(UnitScaleFactor=7.0))
    assert read(text.replace(b"7.0", b"9" * 400)).skeleton.meters_per_unit == 0.01
    times = text.index(b"a: 0,", text.index(b"KeyTime")) + 3
    assert "an invalid time" in refusal(text[:times] + b"1e308" + text[times + 1 :])
    nested = b"Properties70: {" * 5000 + b"}" * 5000
    assert "nests nodes more than 64 deep" in refusal(text + nested)


def test_arrays_where_texts_belong(read):
    top = leg()
    array = np.zeros(2, np.float32)
    top[0].children[0].children.append(Node("P", (array, "", "", "", 1)))
    top[2].children.append(Node("C", (array, array, array, array)))
    kind = Node("Post-Extrapolation", (), [Node("Type", (array,))])
    find_node(top, "Objects", "AnimationCurve").children.append(kind)
    assert read(top).frame_count == 31


OLD = """; FBX 5.0.0 project file
FBXHeaderExtension:  {
	FBXVersion: 5000
}
Settings:  {
	FrameRate: "25"
}
Model: "Model::hip" {
	Type: "LimbNode"
	Children: "Model::knee"
}
Model: "Model::knee" {
	Type: "LimbNode"
	Channel: "Transform" {
		Channel: "T" { Channel: "X" { Default: 5 } Channel: "Y" { Default: -50 } }
	}
}
Takes:  {
	Take: "walk" {
		Model: "Model::knee" {
			Channel: "Transform" {
				Channel: "T" { Channel: "Y" { Default: -50 } }
				Channel: "R" {
					Channel: "Z" {
						KeyVer: 4004
						KeyCount: 3
						Key: 0,0,L,46186158000,90,U,s,0,0,n
							,92372316000,45,C,s
					}
				}
			}
		}
	}
}
"""


def test_files_older_than_objects_and_connections(read):
    motion = read(OLD.encode())
    assert motion.joint_names == ("hip", "knee")
    assert list(motion.skeleton.parents) == [-1, 0]
    assert motion.frame_rate == 25.0
    turned = motion.rotate_deg("knee")[:, 2]
    np.testing.assert_allclose(turned[[0, 5, 25, 50]], [0.0, 18.0, 90.0, 45.0])
    np.testing.assert_array_equal(motion.skeleton.offsets[1], [0.0, -50.0, 0.0])


@pytest.mark.parametrize("held", [None, 40], ids=["rows of one kind", "a row of another"])
def test_long_lists_of_keys(read, held):
    """Before version 7000 a key is a time, a value, and letters whose number varies."""
    angles = np.linspace(0.0, 90.0, 101)
    keys = []
    for index, angle in enumerate(angles.tolist()):
        letters = [b"CC", b"Cs"] if index == held else [b"CL"]
        keys += [index * TICKS_PER_SECOND // 30, angle, *letters]
    parts = [Node("KeyVer", (4005,)), Node("KeyCount", (101,)), Node("Key", keys)]
    turning = Node("Channel", ("R",), [Node("Channel", ("Z",), parts)])
    model_node = Node("Model", ("Model::knee",), [Node("Channel", ("Transform",), [turning])])
    top = [
        Node("Objects", (), [Node("Model", ("Model::knee", "LimbNode"))]),
        Node("Connections", (), [Node("Connect", ("OO", "Model::knee", "Model::Scene"))]),
        Node("Takes", (), [Node("Take", ("walk",), [model_node])]),
        Node("Version5", (), [Node("Settings", (), [Node("FrameRate", ("60",))])]),
    ]
    found = read(binary(top, 6100)).rotate_deg("knee")[:, 2]
    np.testing.assert_allclose(found[::2], angles)
    between = (angles[40] if held else angles[40:42].mean(),)
    np.testing.assert_allclose(found[81], between)


def add_animated(top, target, name, values=(0.0, 50.0), component="d|X", number=80):
    """A file with one more animated property."""
    _, objects, connections = top
    objects.children += [
        Node("AnimationCurveNode", (number, f"AnimCurveNode::{name}", "")),
        curve(number + 1, [0.0, 1.0], values),
    ]
    connections.children += [link(number, LAYER), link(number + 1, number, component)]
    connections.children += [] if target is None else [link(number, target, name)]
    return top


@pytest.mark.parametrize(
    ("name", "component"),
    [("PreRotation", "d|Y"), ("PostRotation", "d|X"), ("RotationOrder", "d|RotationOrder")],
)
def test_an_orientation_that_is_animated_gets_no_limits(read, name, component):
    given = {"RotationActive": 1}
    motion = read(add_animated(leg(knee=given), KNEE, name, (0.0, 4.0), component))
    (found,) = motion.findings
    assert (found.rule, found.joint) == ("moving-orientation", "knee")
    assert name in found.message
    knee = estimate(motion).joints["knee"]
    assert knee.type != "fixed"
    assert {axis.state for axis in knee.limits.values()} == {"free"}
    assert read(add_animated(leg(knee=given), KNEE, name, (4.0, 4.0), component)).findings == ()
    assert read(add_animated(leg(knee={"RotationActive": 0}), KNEE, name)).findings == ()


def test_a_group_between_joints_that_a_constraint_turns(read):
    top = leg(joints=[model(70, "off", "Null")])
    aim = Node("Constraint", (72, "Constraint::aim", "Orientation"))
    top[1].children += [model(71, "toe"), aim]
    top[2].children += [link(71, 70), link(70, 72, "Constrained object (Child)")]
    (found,) = read(top).findings
    assert (found.rule, found.joint) == ("turned-besides", "toe")


@pytest.mark.parametrize(
    ("source", "keyed", "control"),
    [
        (model(71, "ctl", "Null"), False, "ctl"),
        (model(71, "mocap"), False, ""),
        (model(71, "mocap"), True, ""),
        (None, False, ""),
    ],
)
def test_the_control_behind_a_constraint_is_named(read, source, keyed, control):
    """A joint that is followed is looked through, unless it has keys of its own."""
    top = leg(joints=[model(70, "toe")])
    top[1].children.append(Node("Constraint", (72, "Constraint::aim", "Aim")))
    top[2].children += [link(70, 3), link(70, 72, "Constrained Object")]
    if source is not None:
        top[1].children.append(source)
        top[2].children.append(link(71, 72, "Aim At Object"))
    if keyed:
        top[1].children += [
            model(74, "ctl", "Null"),
            Node("Constraint", (73, "Constraint::more", "Rotation From Rotations")),
        ]
        top[2].children += [link(71, 73, "Constrained Object"), link(74, 73, "Source")]
        add_animated(top, 71, "Lcl Rotation")
    (found,) = (one for one in read(top).findings if one.joint == "toe")
    assert found.driver == JointDriver("aim", "Aim", control)


@pytest.mark.parametrize(
    ("top", "found"),
    [
        (add_animated(leg(), KNEE, "RotationOffset"), []),
        (leg(knee={"RotationOrder": 9}), [("moving-orientation", "knee")]),
        (add_animated(leg(), None, "TimeWarp"), [("time-warp", None)]),
    ],
    ids=["only moved", "unknown rotate order", "time warp"],
)
def test_what_else_turns_a_joint(read, top, found):
    assert [(one.rule, one.joint) for one in read(top).findings] == found
