"""What the commands, buttons and functions say: the same words, and always what to do next."""

from __future__ import annotations

import json
import shlex
from dataclasses import replace

import pytest

from jointlimits_core.base.errors import OptionError, OptionText
from jointlimits_core.base.findings import Finding
from jointlimits_core.base.options import options_of
from jointlimits_core.limits.limit_set import LimitSet
from tests.maya_standin import installed
from tests.maya_standin.state import lines_but_modified
from tests.support import maya_characters as characters
from tests.support.maya_fixtures import PLUG_IN


@pytest.fixture
def maya(maya_with_plug_in):
    return maya_with_plug_in


@pytest.fixture
def cmds(maya):
    """The leg, keyed over forty frames."""
    from maya import cmds

    characters.leg(maya, 40)
    return cmds


@pytest.fixture
def buttons(cmds):
    from jointlimits_maya import interactive

    return interactive


def last(session):
    return session.messages[-1]


def refusal_of(call):
    with pytest.raises((RuntimeError, ValueError)) as raised:
        call()
    return str(raised.value)


# Nothing that moves ------------------------------------------------------------------------------


def test_a_character_without_animation_is_refused(maya):
    from maya import cmds

    characters.leg(maya, keyed=False)
    message = refusal_of(lambda: cmds.estimateJointLimits("pelvis"))
    assert "nothing is animated" in message
    assert "choose joints that are animated, or bake" in message
    assert cmds.estimateJointLimits("pelvis", query=True) == ""


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("time", "expected"),
    [
        (
            "900:1000",
            "(frames 900 to 1000 are outside the keys, which span frames 1 to 40); give a range in",
        ),
        ("5", "limits cannot be measured from one frame (frame 5); give a range in which"),
        ("current", "limits cannot be measured from one frame"),
    ],
)
def test_a_range_without_motion_is_refused_by_commands_buttons_and_functions(
    maya, cmds, buttons, time, expected, jointlimits
):
    cmds.select("pelvis")
    before = lines_but_modified(maya.scene)
    assert expected in refusal_of(lambda: cmds.estimateJointLimits("pelvis", timeRange=time))
    assert expected in refusal_of(lambda: jointlimits.estimate("pelvis", time=time))
    assert not buttons.estimate(time=time)
    assert last(maya)[0] == "error"
    assert expected in last(maya)[1]
    assert not buttons.apply()
    assert "there is no estimate" in last(maya)[1]
    assert lines_but_modified(maya.scene) == before


@pytest.mark.thorough
def test_one_of_two_ranges_outside_the_keys_is_reported(maya, cmds):
    found = json.loads(cmds.estimateJointLimits("pelvis", timeRange="1:40,900:910"))
    rules = {one["rule"]: one for one in found["findings"]}
    assert rules["outside-keys"]["frame_ranges"] == [[900, 910]]
    assert last(maya)[0] == "warning"
    assert "Warning: frames 900 to 910 are outside the keys" in last(maya)[1]
    found = json.loads(cmds.estimateJointLimits("pelvis", timeRange="30:50"))
    assert "outside-keys" not in {one["rule"] for one in found["findings"]}


def test_few_frames_are_reported(maya, cmds):
    cmds.estimateJointLimits("pelvis", timeRange="5:8")
    assert last(maya)[0] == "warning"
    assert "Warning: only 4 frames" in last(maya)[1]


def test_a_rest_pose_from_beyond_the_keys_is_reported(maya, cmds):
    cmds.estimateJointLimits("pelvis", bindFrom="frame:9999")
    assert "the rest pose is from frame 9999, outside the keys" in last(maya)[1]
    cmds.estimateJointLimits("pelvis", bindFrom="frame:7")
    assert "outside the keys" not in last(maya)[1]


def test_resting_joints_that_were_asked_for_are_no_error(cmds):
    found = json.loads(cmds.estimateJointLimits("pelvis", onlyJoints="toe"))
    assert found["joints"]["toe"]["type"] == "fixed"


def test_extremes_between_frames_are_seen_in_a_range(maya):
    from maya import cmds

    joint = characters.add_joint(maya.scene, "a")
    other = characters.add_joint(maya.scene, "b", joint)
    for axis in "XYZ":
        plug = maya.scene.plug(f"b.rotate{axis}")
        characters.key(maya.scene, plug, [0, 45, 90, 45, 0], [1, 2, 2.5, 3, 11])
    assert other.short_name == "b"
    found = LimitSet.from_json(cmds.estimateJointLimits("a", timeRange="1:11"))
    assert found.joints["b"].limits["rotateX"].max_deg == pytest.approx(90)


# What the commands say ---------------------------------------------------------------------------


def test_commands_say_what_the_buttons_say(maya, cmds, buttons):
    from jointlimits_maya.commands.base import FOR_BUTTONS
    from jointlimits_maya.commands.limits import EstimateCommand
    from jointlimits_maya.scene.estimates import Estimate

    limits = cmds.estimateJointLimits("pelvis")
    sentence, _ = EstimateCommand.message(Estimate(LimitSet.from_json(limits)), FOR_BUTTONS)
    assert last(maya) == ("info", f"estimateJointLimits: {sentence}")
    cmds.applyJointLimits("pelvis")
    kind, message = last(maya)
    assert (kind, message.partition(": ")[0]) == ("info", "applyJointLimits")
    assert message.partition(": ")[2].startswith("Limits written on 3 joints")
    cmds.checkJointLimits("pelvis")
    assert last(maya) == ("info", "checkJointLimits: Every pose is inside the limits.")
    cmds.switchJointLimits("pelvis", limitsOn=False)
    assert last(maya) == ("info", "switchJointLimits: Limits switched off on 3 joints.")
    cmds.clearJointLimits("pelvis")
    assert last(maya)[1].startswith("clearJointLimits: 3 joints restored to the state before Apply")


def test_an_estimate_says_what_to_look_at_first_and_is_not_complete(cmds):
    from jointlimits_maya.commands.base import FOR_BUTTONS
    from jointlimits_maya.commands.limits import EstimateCommand
    from jointlimits_maya.scene.estimates import Estimate

    limits = LimitSet.from_json(cmds.estimateJointLimits("pelvis"))
    assert (
        "joints measured, nothing to look at."
        in EstimateCommand.message(Estimate(limits), FOR_BUTTONS)[0]
    )
    assert EstimateCommand.is_complete(Estimate(limits))
    name, (clip,) = list(limits.joints)[-1], limits.clips
    item = Finding("bends-backwards", "goes too far", name, clip.name, ((3.0, 3.0),), degrees=20.0)
    joint = replace(limits.joints[name], findings=(item,))
    found = replace(limits, joints={**limits.joints, name: joint})
    message, table = EstimateCommand.message(Estimate(found), FOR_BUTTONS)
    assert f"1 to look at, first: {name} goes too far (clip {clip.name}, frame 3). Apply" in message
    assert f"Exclude 1 of 40 frames of {name}: --exclude {clip.name}:3@{name}" in table
    assert not EstimateCommand.is_complete(Estimate(found))


def test_what_is_left_alone_is_a_warning_with_flags_in_it(maya, cmds):
    cmds.estimateJointLimits("pelvis")
    cmds.setAttr("knee.maxRotZLimit", lock=True)
    cmds.applyJointLimits("pelvis")
    kind, message = last(maya)
    assert kind == "warning"
    assert "skipped: knee.maxRotZLimit (locked; unlock" in message


def test_queries_say_nothing(maya, cmds):
    before = list(maya.messages)
    cmds.applyJointLimits("pelvis", query=True)
    assert maya.messages == before


def test_errors_have_flags_in_commands_and_options_in_functions(cmds, jointlimits):
    assert "restPose must be bind" in refusal_of(lambda: cmds.estimateJointLimits("hip", rst="x"))
    assert "padding must be" in refusal_of(lambda: cmds.estimateJointLimits("hip", padding=-1))
    assert "rest must be bind" in refusal_of(lambda: jointlimits.estimate("hip", rest="x"))
    assert "pad_deg must be" in refusal_of(lambda: jointlimits.estimate("hip", pad_deg=-1))


def test_options_in_messages_become_flags(maya):
    from jointlimits_maya.commands.base import failure_text

    assert failure_text(ValueError(OptionText("use ", "may_move"))) == "use the flag mayMove"
    error = OptionError("pad_deg", "must be 1, not 2")
    assert failure_text(error) == "padding must be 1, not 2"
    unknown = OptionText("", "nothing_known", " is missing")
    assert failure_text(ValueError(unknown)) == "the option nothing_known is missing"
    plain = "you must be there; the option may_move"
    assert failure_text(ValueError(plain)) == plain, "no text is searched for options"


@pytest.mark.parametrize("name", ["estimate", "apply", "clear", "switch", "check"])
def test_examples_in_mel_have_flags_that_there_are(maya, name):
    """MEL itself is not modelled: the words of each example are given to the command."""
    command = maya.commands[f"{name}JointLimits"]
    syntax = command.syntax_creator()
    from jointlimits_maya.commands.table import COMMANDS

    examples = next(one for one in COMMANDS if one.name == f"{name}JointLimits").examples
    (mel,) = [line for line in examples if line.endswith(";")]
    words = shlex.split(mel.rpartition("= ")[2].strip("`; ").replace("`", ""))
    assert words.pop(0) == f"{name}JointLimits"
    while words and words[0].startswith("-"):
        flag, value = words.pop(0), words.pop(0)
        assert flag[1:] in {one.long for one in syntax.flags()}
        assert not value.startswith("-")
    assert words in ([], ["rig:hips"])


# Queries, switching, undo ------------------------------------------------------------------------


def test_queries_take_the_flags_that_choose_joints(cmds):
    assert set(json.loads(cmds.applyJointLimits(query=True, allJoints=True))) == {
        *("pelvis", "hip", "knee", "ankle", "toe")
    }
    assert set(json.loads(cmds.applyJointLimits(query=True, root="ankle"))) == {"ankle", "toe"}
    limits = cmds.estimateJointLimits("pelvis")
    assert cmds.estimateJointLimits(query=True, root="pelvis") == limits
    assert cmds.estimateJointLimits(query=True, pattern="pelvis") == limits


def enabled_ends(cmds, joint):
    return cmds.getAttr(f"{joint}.minRotZLimitEnable"), cmds.getAttr(f"{joint}.maxRotZLimitEnable")


@pytest.mark.thorough
def test_switching_off_on_and_by_turns(maya, cmds):
    cmds.estimateJointLimits("pelvis")
    cmds.applyJointLimits("pelvis")
    applied = lines_but_modified(maya.scene)
    result = json.loads(cmds.switchJointLimits("pelvis", limitsOn=False))
    assert set(result["switched"]) == {"hip", "knee", "ankle"}
    assert enabled_ends(cmds, "knee") == (False, False)
    cmds.undo()
    assert lines_but_modified(maya.scene) == applied
    cmds.redo()
    assert not json.loads(cmds.switchJointLimits("pelvis", limitsOn=False))["switched"]
    assert json.loads(cmds.switchJointLimits("pelvis", limitsOn=True))["on"] is True
    assert lines_but_modified(maya.scene) == applied
    assert json.loads(cmds.switchJointLimits("pelvis"))["on"] is False
    assert json.loads(cmds.switchJointLimits("pelvis"))["on"] is True
    assert lines_but_modified(maya.scene) == applied


@pytest.mark.thorough
def test_undo_has_the_name_of_the_edit(maya, cmds, buttons):
    cmds.select("pelvis")
    buttons.estimate()
    names = []
    for button in (buttons.apply, buttons.toggle_limits, buttons.toggle_limits, buttons.clear):
        assert button()
        names.append(cmds.undoInfo(query=True, undoName=True))
    assert names == [
        *("Apply Joint Limits", "Joint Limits Off", "Joint Limits On", "Clear Joint Limits")
    ]
    assert maya.undo_queue.chunk_depth == 0
    queued = len(maya.undo_queue.done)
    buttons.clear()
    assert len(maya.undo_queue.done) == queued


# The functions -----------------------------------------------------------------------------------


def test_functions_take_one_name_their_own_estimate_and_the_words_of_the_commands(
    cmds, jointlimits
):
    found = jointlimits.estimate("pelvis", timeRange="1:30", padding=2.0, onlyJoints="*")
    assert found == jointlimits.estimate(["pelvis"], time="1:30", pad_deg=2.0)
    assert set(jointlimits.apply(joints="pelvis").written) == {"hip", "knee", "ankle"}
    assert jointlimits.check(joints=["pelvis"], timeRange="1:30").passed
    cmds.select("pelvis")
    assert jointlimits.clear(None).restored
    with pytest.raises(ValueError, match="the option time; give one of them"):
        jointlimits.estimate("pelvis", time="keys", timeRange="keys")
    with pytest.raises(ValueError, match=r"no option 'strictnes'; did you mean strictness\?"):
        jointlimits.estimate("pelvis", strictnes="robust")


def test_a_check_has_no_flag_for_the_rest_pose(maya):
    flags = {one.long for one in maya.commands["checkJointLimits"].syntax_creator().flags()}
    assert "bindFrom" not in flags
    (bind,) = options_of("rest pose")
    assert bind.maya[1] == "bindFrom"


# Which joints ------------------------------------------------------------------------------------


@pytest.mark.thorough
def test_a_channel_stands_for_its_joint(cmds):
    named = cmds.estimateJointLimits("hip")
    assert cmds.estimateJointLimits("hip.rotateZ") == named
    cmds.select(["hip.rotateZ", "hip.rotateX"])
    assert cmds.estimateJointLimits() == named
    assert "'nobody.rotateX' does not exist" in refusal_of(
        lambda: cmds.estimateJointLimits("nobody.rotateX")
    )


def test_without_a_window_no_message_advises_to_select(tmp_path):
    with installed(batch=True) as session:
        from maya import cmds

        cmds.loadPlugin(str(PLUG_IN))
        characters.leg(session, 10)
        message = refusal_of(lambda: cmds.estimateJointLimits(namespace="hero"))
        assert "no joints in the namespace 'hero'; give the name of a root joint" in message


@pytest.mark.thorough
def test_characters_estimated_one_by_one_are_applied_together(maya, cmds, buttons):
    characters.leg(maya, 40, namespace="b", ranges={"pelvis": {}, "hip": {"rotateX": (0.0, 9.0)}})
    limits = cmds.estimateJointLimits("pelvis"), cmds.estimateJointLimits("b:pelvis")
    cmds.select(["pelvis", "b:pelvis"])
    before, queued = lines_but_modified(maya.scene), len(maya.undo_queue.done)
    assert buttons.apply()
    assert last(maya) == ("info", "Joint Limits: Limits written on 4 joints.")
    assert len(maya.undo_queue.done) == queued + 1
    together = lines_but_modified(maya.scene)
    cmds.undo()
    assert lines_but_modified(maya.scene) == before
    for name, one in zip(("pelvis", "b:pelvis"), limits):
        cmds.applyJointLimits(name, limits=one)
    assert lines_but_modified(maya.scene) == together
    assert buttons.check_animation()
    assert last(maya)[1] == "Joint Limits: Every pose is inside the limits."
    result = json.loads(cmds.checkJointLimits())
    assert len(result["motions"]) == 2


def test_a_character_without_an_estimate_is_reported_beside_one_that_has_one(maya, cmds):
    characters.leg(maya, 40, namespace="b")
    cmds.estimateJointLimits("pelvis")
    result = json.loads(cmds.applyJointLimits("pelvis", "b:pelvis"))
    assert set(result["written"]) == {"hip", "knee", "ankle"}
    assert [(one["joint"], one["reason"]) for one in result["skipped"]] == [
        ("b:pelvis", "no estimate yet")
    ]


def test_limits_of_another_skeleton_are_one_sentence(maya, cmds, buttons):
    limits = cmds.estimateJointLimits("pelvis")
    characters.add_joint(maya.scene, "wing")
    result = json.loads(cmds.applyJointLimits("wing", limits=limits))
    assert not result["written"]
    kind, message = last(maya)
    assert kind == "warning"
    assert "Nothing written: these limits are for other joints, such as" in message
    assert "Select their character, or estimate this one." in message


def test_joints_without_limits_are_not_counted_and_get_a_reason(maya, cmds):
    limits = cmds.estimateJointLimits("pelvis")
    assert "Limits found for 3 joints of untitled" in last(maya)[1]
    result = json.loads(cmds.applyJointLimits("pelvis", limits=limits))
    assert result["without_limits"] == ["pelvis", "toe"]
    assert "the option limitRoot" not in str(result)
    assert "the flag limitRoot" in result["why_without"]["pelvis"]
    assert "no motion; the flag lockUnmoved" in result["why_without"]["toe"]


# Files -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{", "the limit set is incomplete"),
        ("{}", "'format' is missing; not a limits file of this program; estimate"),
        (
            '{"version": 9}',
            "expected 1, found 9; written by a newer version of this program; update",
        ),
    ],
)
def test_limits_that_cannot_be_read_say_what_next(cmds, text, expected):
    message = refusal_of(lambda: cmds.applyJointLimits("pelvis", limits=text))
    assert expected in message
    assert ";" in message


@pytest.mark.parametrize("time", ["nan:3", "inf:inf", "1:inf"])
def test_ranges_that_are_no_numbers_are_reported(cmds, time):
    message = refusal_of(lambda: cmds.estimateJointLimits("pelvis", timeRange=time))
    assert f"a frame range must be two finite numbers, not {time}" in message
