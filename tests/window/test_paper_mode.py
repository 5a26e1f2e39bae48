"""Limits of the paper's own mode: the window says what they are, and what can be done."""

from __future__ import annotations

import pytest

from jointlimits_core.estimation.options import EstimateOptions
from jointlimits_core.estimation.pipeline import estimate
from tests.support.ui_examples import reach, walk
from tests.support.window_alone import shown_window
from tests.support.window_hand import Hand

pytestmark = pytest.mark.thorough

MIDDLE = "the publication's angles"


@pytest.fixture
def window(tmp_path, qtbot):
    """Such a set is open with its clips."""
    found, clips = shown_window(tmp_path, qtbot), [walk(), reach()]
    found.document.open_set(estimate(clips, EstimateOptions(mode="paper")))
    found.document.add_clips(clips)
    Hand(found, qtbot).click_joint("RightArm")
    return found


def test_the_middle_the_pictures_and_mirror_say_what_it_is(window):
    joint = window.parts.joint
    assert joint.empty.isVisible()
    assert MIDDLE in joint.empty.text()
    assert joint.empty.height() >= joint.empty.heightForWidth(joint.empty.width())
    assert not joint.area.isVisible()
    window.parts.show_tab(window.parts.strip)
    assert window.parts.strip.nothing.isVisible()
    assert "not on rotate channels" in window.parts.strip.nothing.text()
    assert not window.parts.strip.strip.isVisible()
    for button in (window.actions_by_name["mirror"], window.parts.joint.mirror):
        assert not button.isEnabled()
        assert "paper mode" in button.toolTip()
        assert "partner" not in button.toolTip()


def test_the_way_out_that_it_names_is_one(window, qtbot):
    hand = Hand(window, qtbot)
    assert "Estimate measures" in window.parts.joint.empty.text()
    hand.click_bar("estimate")
    assert window.document.limits.mode == "standard"
    hand.click_joint("RightArm")
    assert window.parts.joint.area.isVisible()
    assert not window.parts.joint.empty.isVisible()
    window.parts.show_tab(window.parts.strip)
    assert window.parts.strip.strip.isVisible()
    assert window.parts.joint.mirror.isEnabled()
