"""How well joints fit their tracks, what cannot be built, the command and the button."""

# ruff: noqa: F811 - fixtures of another file are asked for by their names

from __future__ import annotations

import json
import re

import numpy as np
import pytest

from benchmarks.simulated_faults import Faults, Slip, swapped
from tests.support.tracked_locators import ARM, RATE_HZ, figure, locators, node
from tests.support.tracked_scenes import GROUP, arm, joint_errors, opens  # noqa: F401 - fixtures

pytestmark = pytest.mark.thorough

# How well joints fit -----------------------------------------------------------------------------


@pytest.fixture
def slipped_arm(opens):
    """Chest to hand; at 12 s the forearm's sensor slips by 3 cm and 15 degrees."""
    slip = Slip("left forearm", 12.0, 0.03, 15.0)
    made, tracks = figure(ARM, seconds=24.0, faults=Faults(noise=0.002, slips=(slip,)))
    opens(GROUP + locators(tracks, below="trackers"))
    return made, tracks


def test_gap_and_slip_are_keyed_on_the_joints(cmds, slipped_arm, jointlimits):
    _, tracks = slipped_arm
    found = jointlimits.estimate_skeleton("trackers", body_root="chest")
    assert not found.is_complete
    joints = found.figures[0].joints
    fore = joints["left_forearm"]
    (slip,) = found.fit.slips
    assert slip.body == "left_forearm"
    at = slip.frame
    assert abs(at - (1 + 12.0 * RATE_HZ)) < 0.5 * RATE_HZ
    for name, size in (
        ("slipMillimeters", 1000.0 * slip.distance_m),
        ("slipDegrees", slip.angle_deg),
    ):
        size = size if np.isfinite(size) else 0.0
        values = [cmds.getAttr(f"{fore}.{name}", time=time) for time in (1, at - 1, at, at + 50)]
        assert values == pytest.approx([0.0, 0.0, size, size])
    assert 10.0 < cmds.getAttr(f"{fore}.slipMillimeters", time=at) < 60.0
    assert cmds.getAttr(f"{joints['left_hand']}.slipMillimeters", time=at) == 0.0
    assert cmds.attributeQuery("residualMillimeters", node=fore, keyable=True)
    frame = 200
    assert cmds.getAttr(f"{fore}.residualMillimeters", time=frame) == pytest.approx(
        gap_mm(tracks, found.fit.joint("left_forearm"), frame - 1), abs=1e-6
    )


def gap_mm(tracks, joint, row):
    """Distance between both places of a joint, one matrix at a time."""
    ends = []
    for body, centre in (
        (joint.child, joint.centre_in_child),
        (joint.parent, joint.centre_in_parent),
    ):
        turn = tracks.matrices()[body, row]
        ends.append(tracks.positions[body, row] + turn @ centre)
    return 1000.0 * float(np.linalg.norm(ends[0] - ends[1]))


def test_quality_is_read_back_from_the_joints(maya, cmds, slipped_arm, jointlimits):
    found = jointlimits.estimate_skeleton("trackers", body_root="chest")
    reported = jointlimits.joint_quality(found.roots)
    assert set(reported) == {f"{node(body)}_joint" for body in ARM}
    assert len(reported["chest_joint"].frames) == 0
    (slip,) = found.fit.slips
    ((frame, length, angle),) = reported["left_forearm_joint"].slips
    assert (frame, length) == (slip.frame, pytest.approx(1000.0 * slip.distance_m))
    assert angle == pytest.approx(slip.angle_deg if np.isfinite(slip.angle_deg) else 0.0)
    assert reported["left_hand_joint"].slips == ()
    quality = reported["left_hand_joint"]
    assert quality.frames.tolist() == found.fit.tracks.frames.tolist()
    own = 1000.0 * found.fit.joint("left_hand").residual_m
    assert np.sqrt(np.mean(quality.residual_mm**2)) == pytest.approx(own, rel=1e-6)
    cmds.createNode("joint", name="somebodys")
    assert jointlimits.joint_quality("somebodys") == {}


def test_tracks_that_change_places_are_put_right_by_keys_and_followed_live(
    maya, opens, jointlimits
):
    made, tracks = figure(ARM, seconds=12.0, faults=Faults(noise=0.002))
    wrong = swapped(tracks, "left forearm", "left hand", 100, 140)
    opens(GROUP + locators(wrong, below="trackers"))
    built = jointlimits.estimate_skeleton("trackers", body_root="chest")
    within = (1, 90, 120, 200)
    assert joint_errors(maya, made, built.figures[0], ARM[1:], within) < 2.0
    assert any("each other's tracks" in one.message for one in built.warnings)
    live = jointlimits.estimate_skeleton("trackers", body_root="chest", constrained=True)
    assert "keyed joints (constrained off) do not" in live.warnings[0].message
    assert joint_errors(maya, made, live.figures[0], ARM[1:], (1, 90, 200)) < 2.0
    assert joint_errors(maya, made, live.figures[0], ARM[1:], (120,)) > 5.0


# What cannot be done -----------------------------------------------------------------------------


def refusal_of(jointlimits, *names, **options):
    with pytest.raises(ValueError) as caught:  # noqa: PT011 - the words are compared by the callers
        jointlimits.estimate_skeleton(list(names), **options)
    return str(caught.value)


def test_every_refusal_says_what_to_do_and_changes_nothing(maya, cmds, arm, jointlimits):
    cmds.createNode("multiplyDivide", name="sums")
    cmds.createNode("transform", name="stone")
    cmds.createNode("transform", name="rock")
    cmds.select(clear=True)
    before = maya.scene_hash()
    for names, options, words in (
        ((), {}, r"nothing is selected; select the tracked locators, groups or joints"),
        (("nobody",), {}, r"'nobody' does not exist; give the names of the tracked"),
        (("sums",), {}, r"'sums' is not a transform; give the names"),
        (("stone", "rock"), {}, r"none of these transforms moves from frame 1 to 120; choose"),
        (("stone",), {}, r"'stone' does not move"),
        (("chest",), {}, r"^'chest' is the only track, but a joint needs two; select the"),
        (("trackers",), {"time": "1:4"}, r"has 4 usable frames; at least 6"),
        (("trackers",), {"time": "soon"}, r"first and last frames such as .*, not 'soon'"),
        (("trackers",), {"body_root": "pelvis"}, r"no body 'pelvis'; the bodies are: chest"),
        (("trackers",), {"joint_suffix": "_j"}, r"no option 'joint_suffix'; rename the joints"),
    ):
        assert re.search(words, refusal_of(jointlimits, *names, **options)), (names, options)
        assert maya.scene_hash() == before


def test_things_that_fly_freely_are_no_skeleton(maya, opens, jointlimits):
    _, tracks = figure(("head", "left hand", "right foot"), seconds=6.0)
    opens(GROUP + locators(tracks, below="trackers"))
    before = maya.scene_hash()
    words = refusal_of(jointlimits, "trackers")
    assert "no two of these tracks are joined" in words
    assert "head, left_hand, right_foot" in words
    assert "frames with more motion, or a larger maximum joint gap" in words
    assert maya.scene_hash() == before


@pytest.mark.parametrize(
    ("plug", "values", "words"),
    [
        ("trackers.scale", (-1.0, 1.0, 1.0), "chest: is mirrored by a negative scale at frame 1"),
        ("left_hand.scale", (1.0, 1.0, -1.0), "left_hand: is mirrored by a negative scale"),
        ("left_hand.scale", (1.0, 0.0, 1.0), "left_hand: is scaled to nothing at frame 1"),
        ("trackers.scale", (1.0, 2.0, 1.0), "is sheared, by its own shear or by a scale above it"),
        ("left_hand.shear", (0.3, 0.0, 0.0), "left_hand: is sheared"),
    ],
)
def test_scale_that_leaves_no_rotation_is_refused_by_name(
    maya, cmds, arm, jointlimits, plug, values, words
):
    cmds.setAttr(plug, *values, type="double3")
    before = maya.scene_hash()
    message = refusal_of(jointlimits, "trackers")
    assert words in message
    assert "remove the scale from it and the groups above it" in message
    assert maya.scene_hash() == before


def test_markers_that_never_turn_are_distinguished_from_bodies(cmds, arm, jointlimits):
    for body in ARM:
        cmds.cutKey(node(body), attribute="rotate", clear=True)
        cmds.setAttr(f"{node(body)}.rotate", 10.0, 20.0, 30.0, type="double3")
    message = refusal_of(jointlimits, "trackers")
    assert "these transforms move but never rotate" in message
    assert "jointlimits skeleton" in message


def test_a_stone_among_the_tracks_is_reported_and_joined_to_nothing(cmds, arm, jointlimits):
    cmds.createNode("transform", name="stone")
    found = jointlimits.estimate_skeleton(["trackers", "stone"], body_root="chest")
    assert [found.fit.names[body] for body in found.fit.free] == ["stone"]
    assert any("stone" in one.message for one in found.warnings)
    assert not cmds.objExists("stone_joint")


def test_stopped_or_refused_by_maya_nothing_is_changed(maya, cmds, arm, jointlimits, monkeypatch):
    from jointlimits_maya.base.host import MayaRefusedError
    from jointlimits_maya.write import curves as keys

    from jointlimits_core.base.progress import Cancelled

    cmds.select("trackers")
    before = maya.scene_hash()
    steps = []
    with pytest.raises(Cancelled):
        jointlimits.estimate_skeleton(progress=lambda *step: steps.append(step) or len(steps) < 40)
    assert steps[0][2] == "reading the tracks"
    assert maya.scene_hash() == before

    def broken(self, curve, change):
        raise RuntimeError("no keys today")

    monkeypatch.setattr(keys.AllKeys, "__call__", broken)
    with pytest.raises(MayaRefusedError, match="no keys today"):
        jointlimits.estimate_skeleton()
    assert maya.scene_hash() == before
    assert cmds.ls(selection=True) == ["trackers"]


# Command and button ------------------------------------------------------------------------------


@pytest.fixture
def plug_in(cmds, undo):
    undo.load_plug_in()


@pytest.mark.usefixtures("plug_in", "arm")
def test_the_command_gives_json_and_is_one_undo(maya, cmds):
    before = maya.scene_hash()
    text = cmds.estimateSkeleton("trackers", bodyRoot="chest", timeRange="1:120")
    data = json.loads(text)
    (built,) = data["figures"]
    assert built["root"] == "|chest_joint"
    assert list(built["joints"]) == [node(body) for body in ARM]
    assert data["constrained"] is False
    assert data["skeleton"]["format"] == "jointlimits.skeleton"
    assert data["skeleton"]["clips"][0]["frames"] == 120
    assert cmds.estimateJointLimits(built["root"])
    kind, message = maya.messages[0]
    assert kind == "info"
    assert message.startswith(
        "estimateSkeleton: 4 joints below chest_joint, with a key on every frame"
    )
    cmds.undo()
    assert maya.scene_hash() == before
    cmds.redo()
    assert cmds.objExists("|chest_joint")


@pytest.mark.usefixtures("plug_in", "arm")
def test_the_command_speaks_of_flags_and_warns(maya, cmds):
    with pytest.raises(RuntimeError, match="nothing is selected"):
        cmds.estimateSkeleton()
    with pytest.raises(RuntimeError, match="no flag findSlips; slips are always reported"):
        cmds.estimateSkeleton("trackers", findSlips="off")
    cmds.createNode("transform", name="stone")
    cmds.estimateSkeleton("trackers", "stone", constrained=True)
    kind, message = maya.messages[-1]
    assert kind == "warning"
    assert "following the tracks live" in message
    assert "stone" in message
    assert "Start with tracked locators, groups or joints" in cmds.estimateSkeleton(help=True)


@pytest.mark.usefixtures("plug_in")
def test_examples_in_the_help_run(maya, cmds, opens):
    """Every example in Python, on a group of trackers as they speak of."""
    bodies = {"hips": "pelvis", "thigh": "left thigh", "shin": "left shin"}
    _, tracks = figure(tuple(bodies.values()), seconds=6.0)
    opens(GROUP + locators(tracks, below="trackers"))
    for name, body in bodies.items():
        cmds.rename(node(body), name)
    lines = cmds.estimateSkeleton(help=True).partition("Examples")[2].splitlines()
    ran = [line.strip() for line in lines if "cmds." in line]
    assert len(ran) == 3
    names = {"cmds": cmds, "json": json}
    for line in ran:
        exec(line, names)  # noqa: S102
    assert cmds.objExists("|hips_joint1")


@pytest.mark.usefixtures("plug_in", "arm")
def test_the_button_leaves_the_root_selected_for_the_next_one(maya, cmds):
    from jointlimits_maya import interactive

    cmds.select(clear=True)
    assert not interactive.skeleton_from_selection()
    assert maya.messages[-1][0] == "error"
    assert "select the tracked locators" in maya.messages[-1][1]
    cmds.select("trackers")
    assert interactive.skeleton_from_selection()
    assert "median joint gap 0.0 mm, widest 0.0 mm (" in maya.messages[-1][1]
    assert interactive.estimate()
    # The root is no joint that limits are for.
    assert "Limits found for 3 joints of scene (3 ball)" in maya.messages[-1][1]
    assert maya.messages[-1][0] == "info", maya.messages[-1]
    cmds.undo()
    assert cmds.ls(selection=True) == ["trackers"]
    cmds.redo()
    cmds.select(["trackers", *cmds.ls(selection=True)])
    assert interactive.skeleton_from_selection()
    assert "Left out: 1 joint of a skeleton built earlier." in maya.messages[-1][1]
