"""Options in the window: plain words for values, buttons in sight, messages of what to click."""

from __future__ import annotations

from dataclasses import replace

import pytest
from jointlimits_maya.ui.joints.model import outcome
from jointlimits_maya.ui.toolkit import words
from jointlimits_maya.ui.toolkit.options import OptionsPanel
from jointlimits_maya.ui.toolkit.qt import Qt, QtWidgets
from jointlimits_maya.ui.toolkit.words import option_label, option_place

from jointlimits_core.base.errors import OptionError, OptionText
from jointlimits_core.base.options import option
from jointlimits_core.estimation.options import EstimateOptions
from jointlimits_core.estimation.pipeline import estimate
from jointlimits_core.limits.review_entries import review
from jointlimits_core.motion.motion import Motion
from jointlimits_core.motion.skeleton import Skeleton
from tests.support.window_alone import shown_window
from tests.support.window_hand import Hand


@pytest.fixture
def panel(qtbot):
    found = OptionsPanel(has_scene=True)
    qtbot.addWidget(found)
    found.show()
    return found


def test_values_are_in_words_and_come_back_as_they_are(panel):
    boxes = [one for one in panel.fields.values() if isinstance(one, QtWidgets.QComboBox)]
    every = [box.itemText(row) for box in boxes for row in range(box.count())]
    assert len(every) > 20
    assert all(" " in text for text in every), "a phrase, no word of the command line"
    for name in panel.values():
        for value in (*option(name).choices, *option(name).common):
            if name in panel.fields:
                panel.show_options(replace(EstimateOptions(), **{name: value}))
                assert panel.values()[name] == value


def test_labels_are_plain(panel):
    for name, field in panel.fields.items():
        label = option_label(name)
        assert "[" not in label
        assert "_" not in label
        assert label not in {"Prior", "Advise", "Own"}
        assert field.accessibleName() == label
        assert field.toolTip()


def test_a_choice_with_the_keys_and_a_frame_that_is_typed(panel, qtbot):
    Hand(panel, qtbot).choose(panel.fields["strictness"], "exclude one-frame outliers")
    assert panel.values()["strictness"] == "robust"
    rest = panel.fields["rest"]
    rest.lineEdit().selectAll()
    qtbot.keyClicks(rest.lineEdit(), "frame:12")
    qtbot.keyClick(rest.lineEdit(), Qt.Key.Key_Tab)
    assert panel.values()["rest"] == "frame:12"
    assert panel.scene_values() == {}
    time = panel.fields["time"]
    time.lineEdit().selectAll()
    qtbot.keyClicks(time.lineEdit(), "1:120,200:260")
    assert panel.scene_values() == {"time": "1:120,200:260"}
    panel.show_options(replace(EstimateOptions(), rest="frame:7"))
    assert panel.values()["rest"] == "frame:7"


def test_what_apply_may_do(panel, qtbot):
    assert panel.values_of("write") == {"replace": False, "lock_unmoved": False}
    panel.fields["replace"].setFocus()
    qtbot.keyClick(panel.fields["replace"], Qt.Key.Key_Space)
    assert panel.values_of("write") == {"replace": True, "lock_unmoved": False}


@pytest.mark.parametrize("size", [(1320, 860), (1158, 758), (900, 600)])
def test_the_buttons_are_never_cut(tmp_path, qtbot, size):
    window = shown_window(tmp_path, qtbot, size)
    window.parts.show_tab(window.options)
    for button in (window.options.preview, window.options.take):
        assert button.isVisible()
        assert button.visibleRegion().boundingRect() == button.rect()


def test_messages_say_what_to_click():
    advice = OptionText("use ", "replace", " to overwrite them")
    assert words.sentence(ValueError(advice)) == (
        "Use “Replace existing limits” in Options to overwrite them."
    )
    refused = OptionError("replace", "must be true or false")
    assert words.sentence(refused) == "“Replace existing limits” in Options must be true or false."
    assert option_place("nobody_knows") == ""


def test_a_root_alone_is_reported_to_get_no_limits():
    import numpy as np

    turns = np.radians(40.0) * np.sin(np.linspace(0.0, 9.0, 60)) * np.ones((1, 3, 1))
    motion = Motion.from_rotates(
        Skeleton(("Lonely",), np.array([-1])), turns, np.arange(60.0), 30.0, "one"
    )
    limits = estimate(motion)
    message = outcome(limits, review(limits), "hero")
    assert message.startswith("hero: 0 joints with limits. ")
    assert "Lonely is the root" in message
    assert "“Limit the root”" in message
