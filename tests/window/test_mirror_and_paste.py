"""Mirror and paste, with the keys and the buttons: the results are reported, joint by joint."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from jointlimits_core.geometry import euler
from tests.support.limit_set_examples import CHANNELS, FREE, joint, limit_set, lock, span
from tests.support.window_alone import shown_message
from tests.support.window_hand import Hand

pytestmark = pytest.mark.thorough


def kind(window, joint):
    return window.document.limits.joints[joint].type


# Mirror -------------------------------------------------------------------------------------------


def test_one_unpaired_joint_does_not_stop_the_others(full, hand):
    hand.click_joints("LeftArm", "LeftLeg", "spine")
    hand.type_bound("rotateX", "max", "31")
    hand.click(full.parts.joint.mirror)
    limits = full.document.limits.joints
    assert limits["RightArm"].limits["rotateX"].max_deg == pytest.approx(31.0)
    assert limits["RightLeg"].limits["rotateX"].max_deg == pytest.approx(31.0)
    assert "2 joints mirrored: RightArm, RightLeg." in shown_message(full)
    assert "Not mirrored, because they have no partner: spine" in shown_message(full)
    assert full.messages.kind == "warning"


def test_mirror_copies_what_was_edited_and_all_on_request(full, hand):
    """The other channels of the partner keep their own limits."""
    before = dict(full.document.limits.joints["RightArm"].limits)
    full.document.edit.set_limit("LeftArm", "rotateX", "max", 31.0)
    full.document.edit.set_limit("LeftArm", "rotateY", "max", 77.0)
    full.document.edit.reset("LeftArm", "rotateY")
    full.select(["LeftArm"])
    full.edits.mirror()
    after = full.document.limits.joints["RightArm"].limits
    assert after["rotateX"].max_deg == pytest.approx(31.0)
    assert after["rotateY"] == before["rotateY"]
    assert after["rotateZ"] == before["rotateZ"]
    full.document.undo_stack.undo()
    full.actions_by_name["mirror_all"].trigger()
    every = full.document.limits.joints["RightArm"].limits
    assert every["rotateX"].max_deg == pytest.approx(31.0)
    assert every["rotateZ"] != before["rotateZ"]


def test_the_other_side_is_widened_and_never_narrowed(full):
    before = dict(full.document.limits.joints["RightArm"].limits)
    wide = before["rotateX"].max_deg + 20.0
    full.document.edit.set_limit("LeftArm", "rotateX", "max", wide)
    full.select(["LeftArm"])
    full.actions_by_name["widen_other"].trigger()
    after = full.document.limits.joints["RightArm"].limits
    assert after["rotateX"].max_deg == pytest.approx(wide)
    for channel in CHANNELS:
        assert after[channel].min_deg <= before[channel].min_deg + 1e-9
        assert after[channel].max_deg >= before[channel].max_deg - 1e-9
    full.document.undo_stack.undo()
    assert full.document.limits.joints["RightArm"].limits == before


def test_with_none_paired_it_is_disabled_and_says_why(full, hand):
    hand.click_joints("spine", "head")
    for button in (full.parts.joint.mirror, full.actions_by_name["mirror"]):
        assert not button.isEnabled()
        assert "No selected joint has a partner" in button.toolTip()
    before = full.document.limits
    hand.press("M")
    assert full.document.limits is before
    hand.click_joint("LeftArm")
    assert full.actions_by_name["mirror"].isEnabled()


# Paste --------------------------------------------------------------------------------------------


def test_paste_says_where_it_landed(full, hand):
    hand.click_joint("LeftForeArm")
    hand.press("C")
    assert "copied" in shown_message(full).lower()
    hand.click_joint("RightForeArm")
    hand.press("V")
    assert shown_message(full) == "Pasted onto 1 joint: RightForeArm."
    assert full.messages.kind == "info"
    left, right = (full.document.limits.joints[f"{side}ForeArm"] for side in ("Left", "Right"))
    assert left.limits["rotateY"].max_deg == right.limits["rotateY"].max_deg


def test_paste_says_whose_type_it_changed(full, hand):
    assert (kind(full, "LeftForeArm"), kind(full, "LeftArm")) == ("hinge", "ball")
    before = kind(full, "head")
    hand.click_joint("LeftForeArm")
    hand.press("C")
    hand.click_joints("LeftArm", "head", "RightForeArm")
    hand.press("V")
    assert "Pasted onto 3 joints" in shown_message(full)
    assert "LeftArm from ball to hinge" in shown_message(full)
    assert f"head from {before} to hinge" in shown_message(full)
    assert "RightForeArm from" not in shown_message(full)
    assert full.messages.kind == "warning"
    hand.press("Z")
    assert (kind(full, "LeftArm"), kind(full, "head")) == ("ball", before)


# Other rotate orders ------------------------------------------------------------------------------

AXES = {
    "ball": (span(-30.0, 40.0), span(-20.0, 25.0), span(-35.0, 30.0)),
    "hinge": (lock(), span(-10.0, 120.0), lock()),
    "wide": (FREE, span(-60.0, 80.0), span(-150.0, 150.0)),
}


@pytest.fixture
def turned(window):
    """Controls of order xyz to copy from, and one of order zyx, with another rotateAxis."""
    made = {name: joint("ball", axes, parent=None) for name, axes in AXES.items()}
    own = replace(made["ball"].orientation, rotate_order="zyx", rotate_axis_deg=(0.0, 0.0, 30.0))
    made["other"] = replace(made["ball"], orientation=own)
    made["twin"] = made["ball"]
    data = replace(limit_set(), joints=made, edits=(), symmetry=None, dependencies=())
    window.document.open_set(replace(data, options={"controls": True}))
    return window


def ends(window, name):
    limits = window.document.limits.joints[name].limits
    return np.array([(limits[c].min_deg, limits[c].max_deg) for c in CHANNELS])


def test_a_hinge_is_pasted_unchanged_into_another_order(turned):
    pasted = turned.document.edit.paste(turned.document.edit.copy("hinge"), ["other"])
    assert ends(turned, "other").tolist() == [[0.0, 0.0], [-10.0, 120.0], [0.0, 0.0]]
    assert not pasted.wider


def test_a_ball_is_pasted_as_the_box_of_the_same_turns(turned):
    pasted = turned.document.edit.paste(turned.document.edit.copy("ball"), ["other", "twin"])
    low, high = np.radians(ends(turned, "twin")).T
    poses = np.random.default_rng(0).uniform(low, high, (3_000, 3))
    angles = euler.euler_from_quaternion(euler.quaternion_from_euler(poses), "zyx")
    box = ends(turned, "other")
    assert (np.degrees(angles) >= box[:, 0]).all()
    assert (np.degrees(angles) <= box[:, 1]).all()
    assert (box[:, 1] - box[:, 0] < 1.5 * np.ptp(np.degrees(angles), axis=0)).all()
    assert list(pasted.wider) == ["other"]
    assert pasted.wider["other"] > 1.0


def test_gimbal_lock_of_the_other_order_is_refused_and_changes_nothing(turned):
    before = turned.document.limits
    with pytest.raises(ValueError, match="other: the copied limits are for rotate order xyz and"):
        turned.document.edit.paste(turned.document.edit.copy("wide"), ["twin", "other"])
    assert turned.document.limits is before


def test_the_message_says_where_the_box_is_wider(turned, qtbot):
    hand = Hand(turned, qtbot)
    hand.click_joint("ball")
    hand.press("C")
    hand.click_joint("other")
    hand.press("V")
    assert "Pasted onto 1 control: other." in shown_message(turned)
    assert "Wider in their own rotate order (degrees): other by " in shown_message(turned)
    assert turned.messages.kind == "warning"
