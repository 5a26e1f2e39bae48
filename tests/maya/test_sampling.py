"""What drives a joint, and what is asked of Maya to know its values: as little as possible."""

from __future__ import annotations

import numpy as np
import pytest

from tests.support.maya_reading import fingerprint, from_scene, open_file, opened_text
from tests.support.maya_scenes import HEADER, connect, curve, write_scene

CHAIN = 'createNode joint -n "hip";\ncreateNode joint -n "knee" -p "hip";\n'
TIGHT = "".join(
    f'\tsetAttr ".m{edge}x{end}" {value};\n'
    for edge, end, value in (("r", "e", "yes"), ("r", "l", -1))
) + ('\tsetAttr ".xrxe" yes;\n\tsetAttr ".xrxl" 1;\n')
TIGHT_CHAIN = CHAIN.replace(";\ncreate", ";\n" + TIGHT + "create") + TIGHT


def keyed_curve(*keys, joint="hip", name="c", **options):
    return curve(name, keys, **options) + connect(f"{name}.o", f"{joint}.rx")


def rotate_x(joint, **options):
    return from_scene(**options).rotate_deg(joint)[:, 0]


def drivers_of(joint):
    """Kinds of drivers of the three rotate channels."""
    from jointlimits_maya.read.motion import RigChannels
    from jointlimits_maya.read.rest_pose import joint_places
    from jointlimits_maya.scene.joints import chosen_joints

    channels = RigChannels(joint_places(chosen_joints([joint]))).joints[0]
    kinds = []
    for driver in channels.compounds["rotate"]:
        played = " played" if getattr(driver, "played", False) else ""
        kinds.append(type(driver).__name__ + played)
    return kinds


@pytest.mark.parametrize("offset", [0.0004, -0.009])
def test_keys_beside_whole_frames_are_these_frames(maya, tmp_path, offset):
    values = [10.0 * (frame % 9) for frame in range(1, 21)]
    keys = list(zip(range(1, 21), values))
    beside = [(frame + offset, value) for frame, value in keys]
    body = CHAIN + keyed_curve(*keys) + keyed_curve(*beside, joint="knee", name="d")
    opened_text(maya, tmp_path, body)
    assert from_scene().frames.tolist() == list(range(1, 21))
    np.testing.assert_allclose(rotate_x("knee"), values, atol=1e-9)


# --- how much is asked of Maya ------------------------------------------------------------------


@pytest.mark.thorough
def test_keyed_joints_cost_no_evaluation_and_no_time_change(maya):
    open_file(maya, "examples/humanoid_rom.ma")
    motion = from_scene()
    assert motion.frame_count > 100
    assert len(motion.animated) > 10
    assert maya.counters["dg_evaluations"] == 0
    assert maya.counters["time_changes"] == 0


def many_keyed_joints(count, frames):
    parts = []
    for joint in range(count):
        parent = f' -p "j{joint - 1}"' if joint else ""
        parts.append(f'createNode joint -n "j{joint}"{parent};\n')
        for axis in "xyz":
            name, keys = f"c{joint}{axis}", [(f, (f * 7 + joint) % 50) for f in range(frames)]
            parts.append(curve(name, keys) + connect(f"{name}.o", f"j{joint}.r{axis}"))
    return "".join(parts)


def test_calls_do_not_grow_with_frames(maya, tmp_path):
    totals = {}
    for frames in (20, 400):
        opened_text(maya, tmp_path, many_keyed_joints(4, frames))
        assert from_scene().frame_count == frames
        totals[frames] = sum(maya.counters["calls"].values())
    assert totals[20] == totals[400]
    assert maya.counters["calls"]["cmds.keyframe"] == 2 * 3 * 4
    # Every frame has its key: nothing is evaluated at all.
    assert maya.counters["curve_evaluations"] == maya.counters["dg_evaluations"] == 0


def test_sparse_keys_cost_one_call_more_for_a_thousand_frames(maya, tmp_path):
    opened_text(maya, tmp_path, CHAIN + keyed_curve((0, 0), (2500, 50), tangent=18))
    values = rotate_x("hip")
    assert maya.counters["calls"]["cmds.keyframe"] == 2 + 3
    assert maya.counters["dg_evaluations"] == maya.counters["time_changes"] == 0
    assert maya.counters["curve_evaluations"] == 2499
    assert values[1250] == pytest.approx(25)


def test_an_answer_of_another_length_is_not_trusted(maya, tmp_path, monkeypatch, cmds):
    opened_text(maya, tmp_path, CHAIN + keyed_curve((0, 0), (10, 50)))
    expected = rotate_x("hip")
    asked, ask = [], cmds.keyframe

    def one_value_only(*names, **flags):
        asked.append(flags.get("time"))
        return ask(*names, **flags)[: 1 if "eval" in flags else None]

    monkeypatch.setattr(cmds, "keyframe", one_value_only, raising=False)
    np.testing.assert_allclose(rotate_x("hip"), expected, atol=1e-12)
    assert len(asked[-1]) == 9


def test_a_curve_that_drives_several_joints_is_asked_once(maya, tmp_path):
    opened_text(maya, tmp_path, CHAIN + keyed_curve((0, 1), (1, 2)) + connect("c.o", "knee.rx"))
    assert rotate_x("knee").tolist() == pytest.approx([1, 2])
    assert maya.counters["calls"]["cmds.keyframe"] == 2


def test_what_is_evaluated_is_evaluated_once_a_frame(maya, tmp_path):
    body = CHAIN + curve("c", [(0, -30), (9, 60)]) + LAYER + connect("bl.ox", "knee.rx")
    opened_text(maya, tmp_path, body + connect("bl.oy", "knee.ry"))
    assert from_scene().frame_count == 10
    assert maya.counters["dg_evaluations"] == 2 * 10
    assert maya.counters["time_changes"] == maya.counters["calls"]["cmds.currentTime"] == 0


# --- what drives a channel ----------------------------------------------------------------------

LAYER = (
    'createNode animBlendNodeAdditiveRotation -n "bl";\n'
    + connect("c.o", "bl.iax")
    + connect("bl.ox", "hip.rx")
)
CASES = {
    "nothing": ("", "Constant", 1),
    "a curve": (keyed_curve((0, 1), (9, 5)), "CurveOverTime", 1),
    "a curve on time": (
        keyed_curve((0, 1), (9, 5)) + connect("time1.o", "c.i"),
        "CurveOverTime",
        1,
    ),
    "a curve with its time warped": (
        keyed_curve((0, 1), (9, 5))
        + curve("warp", [(0, 9), (9, 0)], "animCurveTT")
        + connect("warp.o", "c.i"),
        "Evaluated",
        5,
    ),
    "a quaternion curve": (
        keyed_curve((0, 1), (9, 5), more='\tsetAttr ".roti" 4;\n'),
        "Evaluated",
        1,
    ),
    "a curve without angles": (
        curve("c", [(0, 0.5)], "animCurveTU")
        + 'createNode unitConversion -n "uc";\n'
        + '\tsetAttr ".cf" 0.034906585039886591;\n'
        + connect("c.o", "uc.i")
        + connect("uc.o", "hip.rx"),
        "Evaluated",
        1,
    ),
    "a layer": (curve("c", [(0, 1), (9, 5)]) + LAYER, "Evaluated", 1),
    "a driven key": (
        'createNode transform -n "ctl";\n\tsetAttr ".tx" 1;\n'
        + 'createNode animCurveUA -n "c";\n\tsetAttr ".tan" 2;\n\tsetAttr ".wgt" no;\n'
        + '\tsetAttr -s 2 ".ktv[0:1]" 0 0 10 10;\n'
        + connect("ctl.tx", "c.i")
        + connect("c.o", "hip.rx"),
        "Evaluated",
        1,
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_drivers(maya, tmp_path, case):
    body, kind, first = CASES[case]
    body = CHAIN.replace(";\ncreate", ';\n\tsetAttr ".rx" 1;\ncreate', 1) + body
    scene = opened_text(maya, tmp_path, body)
    assert drivers_of("hip") == [kind, "Constant", "Constant"]
    if case != "a quaternion curve":
        assert rotate_x("hip")[0] == pytest.approx(first)
    assert maya.counters["time_changes"] == 0
    assert scene.time == pytest.approx(1 / 24)


# --- limits are looked past ---------------------------------------------------------------------


@pytest.mark.parametrize(
    "driver",
    [keyed_curve((0, -30), (9, 60)), curve("c", [(0, -30), (9, 60)]) + LAYER],
    ids=["keys", "a layer"],
)
def test_limits_do_not_show(maya, tmp_path, driver):
    opened_text(maya, tmp_path, TIGHT_CHAIN + driver)
    assert rotate_x("hip")[[0, -1]].tolist() == pytest.approx([-30, 60])
    assert maya.counters["calls"]["MPlug.setBool"] == 0


COPIED = TIGHT_CHAIN + keyed_curve((0, -30), (9, 60)) + connect("hip.rx", "knee.rx")
AIMED = (
    TIGHT_CHAIN
    + keyed_curve((0, -30), (9, 60))
    + 'createNode transform -n "still";\ncreateNode orientConstraint -n "oc" -p "knee";\n'
    + connect("still.r", "oc.tg[0].tr")
    + connect("still.ro", "oc.tg[0].tro")
    + connect("still.pm", "oc.tg[0].tpm")
    + connect("knee.pim", "oc.cpim")
    + connect("knee.ro", "oc.cro")
    + connect("knee.jo", "oc.cjo")
    + connect("oc.crx", "knee.rx")
)


@pytest.mark.parametrize(
    ("body", "first", "driver"),
    [(COPIED, -30, "hip"), (AIMED, 30, "oc")],
    ids=["a copied joint", "a constraint"],
)
def test_limits_of_joints_that_others_follow_do_not_show(maya, tmp_path, body, first, driver):
    scene = opened_text(maya, tmp_path, body)
    before = fingerprint(maya)
    # In the scene itself the limits hold.
    clamped = np.degrees(scene.evaluator.value(scene.plug("knee.rx"), 0.0))
    assert abs(clamped) == pytest.approx(1)
    motion = from_scene()
    assert motion.rotate_deg("knee")[0, 0] == pytest.approx(first)
    assert motion.animated == {"hip", "knee"}
    assert motion.frames.tolist() == list(range(10))
    assert [one.driver.name for one in motion.findings] == [driver]
    assert fingerprint(maya) == before


@pytest.mark.parametrize(
    ("obstacle", "why"),
    [
        ('setAttr -l on "hip.mrxe";\n', "locked"),
        ('createNode joint -n "z";\n\tsetAttr ".jtx" yes;\n' + connect("z.jtx", "hip.mrxe"), "fed"),
    ],
    ids=["locked", "connected"],
)
def test_limits_that_cannot_be_switched_off_are_reported(maya, tmp_path, obstacle, why):
    scene = opened_text(maya, tmp_path, COPIED + obstacle)
    motion = from_scene({"root": "hip"})
    found = [("limits-in-the-way", "hip"), ("driven", "knee")]
    assert [(f.rule, f.joint) for f in motion.findings] == found
    # The other end could be looked past.
    assert motion.rotate_deg("knee")[[0, -1], 0].tolist() == pytest.approx([-1, 60])
    assert scene.evaluator.value(scene.plug("hip.maxRotXLimitEnable"))


def test_references_keep_no_record_of_it(maya, tmp_path):
    rig = write_scene(tmp_path, COPIED, "rig.ma")
    line = (
        f'file -rdi 1 -ns "R" -rfn "RRN" -typ "mayaAscii" "{rig}";\n'
        f'file -r -ns "R" -rfn "RRN" -typ "mayaAscii" "{rig}";\n'
    )
    head, units = HEADER.split("\n", 1)
    header = f"{head}\n{line}{units}"
    scene = opened_text(maya, tmp_path, 'createNode joint -n "mine";\n', header)
    scene.modified = False
    before = fingerprint(maya)
    motion = from_scene({"namespace": "R"})
    assert motion.joint_names == ("R:hip", "R:knee")
    assert motion.rotate_deg("R:knee")[0, 0] == pytest.approx(-30)
    assert fingerprint(maya) == before
    assert maya.counters["calls"]["MPlug.setBool"] == 4


# --- what has to be played ----------------------------------------------------------------------

LEG = (
    TIGHT_CHAIN
    + 'createNode joint -n "ankle" -p "knee";\ncreateNode ikEffector -n "eff" -p "knee";\n'
    + 'createNode ikHandle -n "ik";\n'
    + connect("hip.msg", "ik.hsj")
    + connect("eff.hp", "ik.hee")
    + curve("c", [(0, 0), (9, 5)], "animCurveTL")
    + connect("c.o", "ik.tx")
)


def solver(scene):
    scene.scripted[scene.plug("hip.rx")] = lambda seconds: -seconds * 24 * 0.1
    scene.scripted[scene.plug("knee.rx")] = lambda seconds: seconds * 24 * 0.2


def test_joints_of_a_solver_are_played(maya, tmp_path):
    scene = opened_text(maya, tmp_path, LEG)
    solver(scene)
    before = fingerprint(maya)
    assert drivers_of("hip") == ["Evaluated played"] * 3
    assert drivers_of("ankle") == ["Constant"] * 3
    motion = from_scene()
    assert motion.animated == {"hip", "knee"}
    # From the keys of the handle, and past the limits.
    assert motion.frames.tolist() == list(range(10))
    np.testing.assert_allclose(motion.rotates[0, 0], -0.1 * np.arange(10), atol=1e-9)
    np.testing.assert_allclose(motion.rotates[1, 0], 0.2 * np.arange(10), atol=1e-9)
    # Ten frames, and back.
    assert maya.counters["time_changes"] == 11
    assert fingerprint(maya) == before


def test_nothing_is_drawn_while_it_is_played(maya, tmp_path, monkeypatch, cmds):
    from jointlimits_maya.read.evaluation import Evaluated

    solver(opened_text(maya, tmp_path, LEG))
    asked = []
    monkeypatch.setattr(cmds, "refresh", lambda **flags: asked.append(flags), raising=False)
    from_scene()
    assert asked == [{"suspend": True}, {"suspend": False}]
    monkeypatch.setattr(Evaluated, "read", lambda driver: driver["none"])
    with pytest.raises(TypeError):
        from_scene()
    assert asked[2:] == [{"suspend": True}, {"suspend": False}]


@pytest.mark.thorough
def test_a_solver_that_is_off_turns_nothing(maya, tmp_path):
    scene = opened_text(maya, tmp_path, LEG + 'setAttr "ik.ikb" 0;\n')
    solver(scene)
    assert drivers_of("hip") == ["Constant"] * 3


def test_what_follows_a_solver_is_played_too(maya, tmp_path):
    follower = 'createNode joint -n "cape";\n' + connect("knee.rx", "cape.rx")
    scene = opened_text(maya, tmp_path, LEG + follower)
    solver(scene)
    assert drivers_of("cape") == ["Evaluated played", "Constant", "Constant"]
    np.testing.assert_allclose(rotate_x("cape"), np.degrees(0.2 * np.arange(10)), atol=1e-9)


def expression(*inputs):
    lines = "".join(connect(*pair) for pair in inputs)
    return 'createNode expression -n "ex";\n' + lines + connect("ex.out[0]", "hip.rx")


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("inputs", "kind"),
    [
        ([("time1.o", "ex.tim")], "Evaluated"),
        ([("time1.o", "ex.tim"), ("knee.tx", "ex.in[0]")], "Evaluated played"),
    ],
    ids=["of the time", "of more"],
)
def test_expressions(maya, tmp_path, inputs, kind):
    scene = opened_text(maya, tmp_path, CHAIN + expression(*inputs))
    scene.scripted[scene.plug("ex.output[0]")] = lambda seconds: seconds
    assert drivers_of("hip")[0] == kind
    motion = from_scene()
    # Driven without keys: the playback range.
    assert motion.frames.tolist() == list(range(1, 121))
    np.testing.assert_allclose(motion.rotates[0, 0], motion.frames / 24)
    assert maya.counters["time_changes"] == (121 if "played" in kind else 0)
