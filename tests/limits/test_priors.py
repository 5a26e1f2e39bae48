"""The optional prior: its collection, whom it is about, and what it may do."""

from __future__ import annotations

import dataclasses
import json
import re

import pytest

from jointlimits_core.estimation.pipeline import estimate
from jointlimits_core.formats.registry import read_motion
from jointlimits_core.limits.layers import with_edits
from jointlimits_core.limits.limit_set import Hinge, RestPose
from jointlimits_core.limits.prior_layer import with_prior
from jointlimits_core.limits.priors import FILE, PARTS, body_parts, matched_prior, prior_ranges
from jointlimits_core.limits.records import ArtistEdit
from tests.support.house_files import ROOT
from tests.support.layered_sets import axis, one_joint, spans
from tests.support.limit_set_examples import joint, lock
from tests.support.shared_data import shared_path

LIMBS = ("shoulder", "elbow", "wrist", "hip", "knee", "ankle", "toes")
# What the left joints of a naming scheme are called, in the order of LIMBS; beside them others.
SCHEMES = {
    "mixamo": (
        "mixamorig:LeftArm mixamorig:LeftForeArm mixamorig:LeftHand mixamorig:LeftUpLeg "
        "mixamorig:LeftLeg mixamorig:LeftFoot mixamorig:LeftToeBase",
        "mixamorig:LeftShoulder mixamorig:LeftHandIndex4 mixamorig:LeftEye",
    ),
    "cmu": ("lhumerus lradius lhand lfemur ltibia lfoot ltoes", "lclavicle lhipjoint lfingers"),
    "biovision": (
        "LeftShoulder LeftElbow LeftWrist LeftHip LeftKnee LeftAnkle LeftToe",
        "LeftCollar LHipJoint",
    ),
    "poser": ("lShldr lForeArm lHand lThigh lShin lFoot lToe", "lCollar lButtock leftEye"),
    "unreal": (
        "upperarm_l lowerarm_l hand_l thigh_l calf_l foot_l ball_l",
        "clavicle_l lowerarm_twist_01_l ik_foot_l index_metacarpal_l",
    ),
    "max": (
        "Bip01_L_UpperArm Bip01_L_Forearm Bip01_L_Hand Bip01_L_Thigh Bip01_L_Calf Bip01_L_Foot "
        "Bip01_L_Toe0",
        "Bip01_L_Clavicle Bip01_L_Toe0Nub",
    ),
    "leg is the hip": ("LArm LElbow LHand LLeg LKnee LFoot LToes", "LShldr"),
    "rig": (
        "JNT_arm_L JNT_elbow_L JNT_wrist_L JNT_leg_L JNT_knee_L JNT_ankle_L JNT_ball_L",
        "JNT_clavicle_L GDE_wristAim_L",
    ),
    "blender": (
        "upper_arm.L forearm.L hand.L thigh.L shin.L foot.L toe.L",
        "shoulder.L forearm_twist.L",
    ),
    "joints": (
        "bind:left_arm_joint bind:left_forearm_joint bind:left_hand_joint bind:left_hip_joint "
        "bind:left_knee_joint bind:left_foot_joint bind:left_toe_joint",
        "bind:left_scapula_joint bind:left_shoulder_joint",
    ),
    "mGear controls": (
        "arm_L0_fk0_ctl arm_L0_fk1_ctl arm_L0_fk2_ctl leg_L0_fk0_ctl leg_L0_fk1_ctl "
        "leg_L0_fk2_ctl foot_L0_fk0_ctl",
        "shoulder_L0_ctl arm_L0_ik_ctl arm_L0_upv_ctl leg_L1_mid_ctl arm_L0_fk7_ctl",
    ),
    "AdvancedSkeleton controls": (
        "FKShoulder_L FKElbow_L FKWrist_L FKHip_L FKKnee_L FKAnkle_L FKToes_L",
        "FKScapula_L FKExtraElbow_L IKArm_L FKIKArm_L PoleArm_L IKLeg_L PoleLeg_L FKCup_L",
    ),
    "AdvancedSkeleton FK chains": (
        "FKXShoulder_L FKXElbow_L FKXWrist_L FKXHip_L FKXKnee_L FKXAnkle_L FKXToes_L",
        "FKXScapula_L IKXElbow_L IKXKnee_L",
    ),
    "CG controls": (
        "L_Shoulder_CTRL L_Elbow_CTRL L_Wrist_CTRL L_Hip_CTRL L_Knee_CTRL L_Ankle_CTRL L_Toe_CTRL",
        "L_Clav_CTRL PV_L_Elbow_CTRL L_Arm_IK_CTRL switch_L_Arm_CTRL L_Foot_IK_CTRL",
    ),
    "dotted controls": (
        "char:L_upperArm.ctl char:L_elbow.ctl char:L_hand.ctl char:L_thigh.ctl char:L_knee.ctl "
        "char:L_foot.ctl char:L_ball.ctl",
        "char:L_clavicle.ctl char:L_eye.ctl",
    ),
    "con controls": (
        "l_upArm_con l_foreArm_con l_hand_con l_upLeg_con l_lowLeg_con l_foot_con l_toe_con",
        "l_arm_settings_con l_knee_pv_con",
    ),
}


SWAPS = (
    (r"Left", "Right"),
    (r"left", "right"),
    (r"([_.])l$", r"\1r"),
    (r"([_.:])L($|_|0|1)", r"\1R\2"),
    (r"^L", "R"),
    (r"^l", "r"),
)


def both_sides(names):
    """The names with those of the right side, and some of the middle."""
    rights = []
    for name in names:
        swap = next(swap for swap in SWAPS if re.search(swap[0], name))
        rights.append(re.sub(*swap, name))
    return [*names, *rights, "root", "spine", "neck", "head", "Hips"]


@pytest.mark.parametrize("scheme", SCHEMES)
def test_naming_schemes(scheme):
    limbs, others = (text.split() for text in SCHEMES[scheme])
    found = body_parts(both_sides([*limbs, *others]))
    assert {name: found.get(name) for name in limbs} == dict(zip(limbs, LIMBS))
    assert not set(others) & set(found)
    assert set(found.values()) <= set(PARTS)


def test_fingers():
    names = ["LeftHandIndex1", "LeftHandIndex2", "LeftHandIndex3", "LeftHandThumb2"]
    found = body_parts(both_sides([*names, "LeftHandIndex4", "LeftHandThumb1"]))
    assert [found[name] for name in names] == [
        *("finger base", "finger middle", "finger tip", "thumb middle")
    ]
    assert {"LeftHandIndex4", "LeftHandThumb1"}.isdisjoint(found)


@pytest.mark.parametrize(
    "names",
    [
        ["hip", "knee", "ankle"],  # no other side: anything could be called so
        ["LeftLeg", "RightLeg"],  # the knee's joint or the hip's
        ["LeftToe1", "RightToe1", "LeftToe2", "RightToe2"],
        ["joint1", "joint2"],
        [],
    ],
)
def test_what_is_unclear_is_not_claimed(names):
    assert body_parts(names) == {}


def test_every_number_has_a_source():
    data = json.loads(FILE.read_text(encoding="utf-8"))
    for row in data["ranges"]:
        assert row["part"] in PARTS
        assert 0.0 <= row["deg"] <= 190.0
        source = data["sources"][row["source"]]
        assert source["kind"] in ("clinical", "model")
        assert all(source[key] for key in ("title", "seen_in", "population", "terms"))
    keys = [(row["part"], row["motion"], row["source"]) for row in data["ranges"]]
    assert len(set(keys)) == len(keys)
    assert {row["source"] for row in data["ranges"]} == set(data["sources"])
    assert {row["part"] for row in data["ranges"]} == set(PARTS)
    for part, pair in data["hinges"].items():
        motions = {row["motion"] for row in data["ranges"] if row["part"] == part}
        assert set(pair) <= motions


def knee_set(low, high, sign=1, rest=0.0, off=0.0, kind="hinge"):
    """Two knees; the left one's hinge angle runs from low to high, its rotateX with `sign`."""
    ends = sorted((rest + sign * low, rest + sign * high))
    hinge = Hinge((1.0, 0.0, 0.0), (1.0, 0.0, 0.0), "rotateX", off, low, high)
    pose = RestPose((rest, 0.0, 0.0), ends[0] <= rest <= ends[1], 0.0)
    ranges = (axis(*ends), lock(), lock())
    left = joint(kind, ranges, hinge=hinge if kind == "hinge" else None, rest=pose)
    return one_joint(joints={"LeftKnee": left, "RightKnee": left})


def knees(limit_set):
    return matched_prior(list(limit_set.joints))


def prior_messages(limit_set):
    """Rules of the findings that a comparison adds, by joint."""
    found = with_prior(limit_set, knees(limit_set), "report").joints
    return {
        name: [one.rule for one in joint.findings if one.rule.startswith("prior-")]
        for name, joint in found.items()
    }


@pytest.mark.parametrize(
    ("low", "high", "rules"),
    [
        (0.0, 130.0, []),
        (-130.0, 0.0, []),
        (10.0, 120.0, []),
        (0.0, 60.0, ["prior-far-inside"]),
        (0.0, 170.0, ["prior-beyond"]),
        (-40.0, 140.0, ["prior-beyond"]),
        (-60.0, 60.0, []),
        (-60.0, 95.0, []),  # a bent rest pose does not make a joint impossible
    ],
)
def test_reports(low, high, rules):
    found = prior_messages(knee_set(low, high))
    assert found == dict.fromkeys(("LeftKnee", "RightKnee"), rules)


@pytest.mark.parametrize(("low", "high"), [(0.0, 90.0), (-90.0, 0.0)])
@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("rest", [0.0, 20.0])
def test_widening_reaches_the_typical_range(low, high, sign, rest):
    made = knee_set(low, high, sign, rest)
    after = with_prior(made, knees(made))
    typical = prior_ranges()["knee"].typical_deg("flexion")
    over = prior_ranges()["knee"].typical_deg("extension")
    flexion = sign * (1 if high > 0 else -1)
    ends = sorted((rest + flexion * typical, rest - flexion * over))
    assert spans(after, "LeftKnee")[0] == pytest.approx(tuple(ends))
    source = after.joints["LeftKnee"].limits["rotateX"].source
    assert {source.min.kind, source.max.kind} == {"prior"}
    rules = [f.rule for f in after.joints["LeftKnee"].findings]
    assert "prior-widened" in rules
    assert "Merck" in after.joints["LeftKnee"].findings[-1].message
    assert after.joints["LeftKnee"].hinge == made.joints["LeftKnee"].hinge


def test_a_prior_never_narrows_and_twice_is_once():
    wide = knee_set(0.0, 170.0)
    once = with_prior(wide, knees(wide))
    assert spans(once, "LeftKnee")[0][1] == 170.0
    assert with_prior(once, knees(once)) == once
    source = once.joints["LeftKnee"].limits["rotateX"].source
    assert source.max.kind == "observed"


@pytest.mark.parametrize("changes", [{"off": 30.0}, {"low": -60.0, "high": 60.0}, {"kind": "ball"}])
def test_where_the_channel_is_not_the_angle_nothing_moves(changes):
    made = knee_set(**{"low": 0.0, "high": 60.0, **changes})
    after = with_prior(made, knees(made))
    assert spans(after, "LeftKnee") == spans(made, "LeftKnee")


def test_a_channel_that_disagrees_with_the_hinge_is_left_alone():
    made = knee_set(0.0, 60.0)
    limits = {**made.joints["LeftKnee"].limits, "rotateX": axis(40.0, 160.0)}
    left = dataclasses.replace(made.joints["LeftKnee"], limits=limits)
    made = dataclasses.replace(made, joints={**made.joints, "LeftKnee": left})
    assert spans(with_prior(made, knees(made)), "LeftKnee")[0] == (40.0, 160.0)


def test_an_artist_stays_on_top():
    made = with_edits(knee_set(0.0, 60.0), [ArtistEdit("LeftKnee", "max", "rotateX", 75.0)])
    after = with_prior(made, knees(made))
    assert spans(after, "LeftKnee")[0][1] == 75.0
    assert spans(after, "RightKnee")[0][1] == prior_ranges()["knee"].typical_deg("flexion")
    assert after.edits[0].replaced["source"]["max"]["kind"] == "prior"


@pytest.mark.thorough
def test_the_example_is_human():
    path = ROOT / "examples" / "humanoid_rom.ma"
    assert not any(prior_messages(estimate(read_motion(path))).values())


@pytest.mark.thorough
def test_cmu_knees_and_elbows():
    skeleton = shared_path("data/mocap/cmu_asfamc/02/02.asf")
    clips = [shared_path(f"data/mocap/cmu_asfamc/02/02_{n}.amc") for n in ("01", "05")]
    found = prior_messages(estimate([read_motion(clip, skeleton=skeleton) for clip in clips]))
    for name in ("ltibia", "rtibia", "lradius", "rradius"):
        assert "prior-beyond" not in found[name]
