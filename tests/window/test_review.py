"""What to look at first, in the window: one press leads there, one settles it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from jointlimits_maya.ui.panels.joint import type_reason

from jointlimits_core.limits.review_entries import Review, ReviewEntry
from jointlimits_core.limits.review_steps import Action
from jointlimits_core.limits.vocabulary import TYPE_NAMES
from tests.estimation.test_excursions import BENT, broken, legs
from tests.estimation.test_hinge_candidates import knees
from tests.support.window_alone import end_deg, shown_message, shown_window

pytest.importorskip("jointlimits_maya.ui.toolkit")


@pytest.fixture
def window(tmp_path, qtbot):
    """The window with legs whose left knee bends backwards for 40 frames."""
    window = estimated(tmp_path, qtbot, legs(broken(BENT, -20.0)))
    qtbot.waitUntil(lambda: "measured" in shown_message(window))
    return window


def estimated(folder, qtbot, *clips):
    window = shown_window(folder, qtbot)
    window.document.add_clips(clips)
    window.scene.estimate()
    return window


def press(window, row=0):
    """Press a row of the list."""
    panel = window.parts.review
    panel.list.setCurrentRow(row)
    panel.list.itemClicked.emit(panel.list.item(row))
    return panel


def struck(panel):
    """Whether each line is struck through."""
    return [panel.list.item(row).font().strikeOut() for row in range(panel.list.count())]


def test_the_message_is_no_tick_while_there_is_something_to_look_at(window):
    assert shown_message(window) == "walk: 2 joints measured, 1 to look at."
    assert window.messages.kind == "warning"
    assert window.parts.review.sentence.text() == "! 2 joints measured, 1 to look at"
    assert window.selected == ("LeftLeg",)


def test_a_press_leads_to_the_joint_and_the_frame(window):
    window.select(["RightLeg"])
    panel = press(window)
    assert panel.list.item(0).text().startswith("1. LeftLeg bends backwards by 20 degrees")
    assert window.selected == ("LeftLeg",)
    assert shown_message(window) == "Frame 200 of walk."


def test_the_evidence_says_how_clear_the_type_is(window):
    window.select(["LeftLeg"])
    joint = window.document.limits.joints["LeftLeg"]
    name = TYPE_NAMES[joint.type]
    for sure, words in (("clear", f"Clearly {name} ("), ("close", f"Possibly {name} (")):
        evidence = replace(joint.evidence, sure=sure)
        assert type_reason(replace(joint, evidence=evidence)).startswith(words)
    chosen = replace(joint.evidence, sure="clear", runner_up=joint.type)
    assert type_reason(replace(joint, evidence=chosen)).startswith("Possibly")


def test_one_press_excludes_the_whole_excursion_and_undo_brings_it_back(window, qtbot):
    panel = press(window)
    assert panel.settle.text() == "Exclude 40 of 400 frames of LeftLeg"
    assert panel.accept.text() == "Keep as is"
    panel.settle.click()
    qtbot.waitUntil(lambda: end_deg(window, "LeftLeg", "rotateX", "min") > 4.0)
    assert len(window.document.state.excluded.frames) == 40
    assert panel.sentence.text() == "\N{CHECK MARK} 2 joints measured, nothing to look at"
    qtbot.waitUntil(lambda: "nothing to look at" in shown_message(window))
    assert window.messages.kind == "info"
    assert struck(panel) == [True]
    window.document.undo_stack.undo()
    assert end_deg(window, "LeftLeg", "rotateX", "min") == pytest.approx(-20.0)
    assert struck(panel) == [False]
    assert window.document.undo_stack.undoText() != "Exclude 40 frames of walk"


def test_what_is_right_is_pinned_and_no_entry_any_more(window):
    panel = press(window)
    panel.accept.click()
    assert struck(panel) == [True]
    (edit,) = window.document.limits.edits
    assert (edit.joint, edit.target, edit.channel) == ("LeftLeg", "min", "rotateX")
    window.document.undo_stack.undo()
    assert struck(panel) == [False]


def test_settled_lines_stay_in_place_until_the_next_estimate(window, qtbot):
    panel, limits = press(window), window.document.limits
    others = [
        ReviewEntry("spike", f"{name} jumps", Action("pin", "Keep"), name)
        for name in ("RightLeg", "Hips")
    ]
    first = window.document.review.entries[0]
    panel.show_review(Review(2, (first, *others)))
    before = [panel.list.visualItemRect(panel.list.item(row)) for row in range(3)]
    panel.show_review(Review(2, (others[1], first)))
    assert struck(panel) == [False, True, False]
    assert [panel.list.visualItemRect(panel.list.item(row)) for row in range(3)] == before
    assert panel.list.itemWidget(panel.list.item(1)) is None
    window.scene.estimate()
    qtbot.waitUntil(lambda: window.document.limits is not limits)
    assert struck(panel) == [False]


def test_six_lines_are_seen_each_with_its_button_beside_it(window, qapp):
    panel = window.parts.review
    entries = [
        ReviewEntry(
            "spike", f"Joint{n} {90 * 'is far off '}", Action("pin", "Keep it"), f"Joint{n}"
        )
        for n in range(13)
    ]
    window.resize(1320, 860)
    panel.show_review(Review(20, tuple(entries)))
    qapp.processEvents()
    inside = panel.list.viewport().rect()
    rows = [panel.list.visualItemRect(panel.list.item(row)) for row in range(panel.list.count())]
    assert [inside.contains(row) for row in rows].count(True) == 6
    buttons = [panel.list.itemWidget(panel.list.item(row)) for row in range(1, 6)]
    for row, button in zip(rows[1:], buttons):  # the first line is settled by now
        assert row.contains(button.geometry())
        assert (button.text(), button.toolTip()) == ("Keep", "Keep it.")
    assert panel.list.item(panel.list.count() - 1).text() == "and 3 more"


def test_the_button_of_a_line_selects_its_joint_and_settles_it(window, qtbot):
    window.select(["RightLeg"])
    panel = window.parts.review
    panel.list.itemWidget(panel.list.item(0)).click()
    qtbot.waitUntil(lambda: len(window.document.state.excluded.frames) == 40)
    assert window.selected == ("LeftLeg",)


def test_without_limits_or_motion_there_is_no_review(tmp_path, qtbot):
    assert not shown_window(tmp_path, qtbot).parts.review.isVisible()
    window = estimated(tmp_path, qtbot, legs(np.full(400, 20.0), np.full(400, 20.0)))
    assert not window.parts.review.isVisible()


def test_one_press_takes_a_knee_as_a_hinge(tmp_path, qtbot):
    window = estimated(tmp_path, qtbot, knees(9.0))
    panel = window.parts.review
    assert panel.sentence.text() == "\N{CHECK MARK} 5 joints measured, nothing to look at"
    assert window.messages.kind == "info"
    assert panel.settle.text() == "Select a suggestion"
    heading, *rows = [panel.list.item(n).text() for n in range(panel.list.count())]
    assert heading == "Suggestions"
    press(window, next(n for n, row in enumerate(rows, 1) if row.startswith("LeftLeg is ")))
    assert panel.settle.text() == "Take LeftLeg as a hinge"
    panel.settle.click()
    knee = window.document.limits.joints["LeftLeg"]
    assert knee.type == "hinge"
    assert [axis.state for axis in knee.limits.values()] == ["limited", "locked", "locked"]
    window.document.undo_stack.undo()
    assert window.document.limits.joints["LeftLeg"].type == "ball"


@pytest.mark.parametrize(
    ("action", "changed"),
    [
        (Action("type", "Take it", value="ball"), lambda d: d.limits.joints["LeftLeg"].type),
        (Action("orient", "Take it"), lambda d: d.state.options.orientation),
        (
            Action("exclude-clip", "Leave it out", "", (("run", 0.0, 399.0),), joints=("LeftLeg",)),
            lambda d: d.state.excluded.frames,
        ),
        (
            Action("orient", "Take it", joint="LeftLeg", value="hinge"),
            lambda d: d.state.options.as_types,
        ),
        (
            Action("limit", "Set it", "", (), None, "LeftLeg", "rotateX", "max", 95.0),
            lambda d: d.limits.joints["LeftLeg"].limits["rotateX"].max_deg,
        ),
        (Action("pin", "Pin it"), lambda d: len(d.limits.edits)),
    ],
)
def test_every_action_is_one_undo_step(tmp_path, qtbot, action, changed):
    window = estimated(tmp_path, qtbot, legs(), legs(name="run"))
    document = window.document
    before, steps = changed(document), document.undo_stack.count()
    window.edits.settle(ReviewEntry("kind", "text", action, "LeftLeg"))
    assert changed(document) != before
    assert document.undo_stack.count() == steps + 1
    document.undo_stack.undo()
    assert changed(document) == before


def test_the_other_step_has_a_button_of_its_own(tmp_path, qtbot):
    """The first button changes no limit here, and says so."""
    window = estimated(tmp_path, qtbot, legs())
    wide = Action("limit", "Keep them", "", (), None, "LeftLeg", "rotateX", "max", 99.0)
    entry = ReviewEntry("glitch", "text", Action("pin", "Keep"), "LeftLeg", other=wide)
    window.parts.review.show_review(Review(2, (entry,)))
    panel = press(window)
    assert (panel.settle.text(), panel.accept.text()) == ("Keep", "Keep them")
    panel.accept.click()
    assert end_deg(window, "LeftLeg", "rotateX", "max") == 99.0
    assert shown_message(window) == "LeftLeg max set to 99 degrees"
