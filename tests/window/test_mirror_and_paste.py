"""Mirror and paste, with the keys and the buttons: the results are reported, joint by joint."""

from __future__ import annotations

import pytest

from tests.support.window_alone import shown_message

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
