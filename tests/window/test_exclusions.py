"""Frames that the window excludes for single joints."""

from __future__ import annotations

import pytest
from jointlimits_maya.ui.document.document import Document
from jointlimits_maya.ui.document.files import DocumentError
from jointlimits_maya.ui.panels import joint as joint_panel
from jointlimits_maya.ui.panels import time as time_panel

from jointlimits_core.estimation.options import EstimateOptions
from jointlimits_core.estimation.pipeline import estimate
from jointlimits_core.limits.review_entries import Action, ReviewEntry
from tests.support.ui_examples import WORST_CHANNEL, WORST_FRAME, WORST_JOINT, reach, walk

JOINTS = (WORST_JOINT,)


@pytest.fixture
def document():
    made = Document()
    made.add_clips([walk(), reach()])
    made.estimation.estimate()
    made.undo_stack.clear()
    return made


def core(*wishes):
    return estimate([walk(), reach()], EstimateOptions(exclude=wishes))


def test_frames_of_a_joint_are_excluded_and_included_again(document):
    before = document.limits
    document.estimation.exclude_run("walk", WORST_FRAME, WORST_FRAME, JOINTS)
    assert document.limits == core(f"walk:{WORST_FRAME:g}@{WORST_JOINT}")
    samples = {name: one.evidence.samples for name, one in document.limits.joints.items()}
    assert samples[WORST_JOINT] == samples["spine"] - 1
    others = {name: joint for name, joint in before.joints.items() if name != WORST_JOINT}
    kept = {name: document.limits.joints[name] for name in others}
    assert {n: j.limits for n, j in kept.items()} == {n: j.limits for n, j in others.items()}
    assert document.state.excluded.frames_of("walk") == {WORST_JOINT: (WORST_FRAME,)}
    text = document.undo_stack.undoText()
    assert text == f"Exclude frame {WORST_FRAME:g} of walk for {WORST_JOINT}"
    document.estimation.include_frames("walk")
    assert document.limits == before
    document.undo_stack.undo()
    assert document.limits == core(f"walk:{WORST_FRAME:g}@{WORST_JOINT}")


def test_a_clip_is_excluded_for_a_joint(document):
    document.estimation.exclude_clip("walk", JOINTS)
    assert document.limits == core(f"walk@{WORST_JOINT}")
    assert not document.state.excluded.clips
    document.estimation.exclude_clip("reach", JOINTS)
    assert document.limits.joints[WORST_JOINT].evidence.samples == 0
    with pytest.raises(DocumentError, match="not open"):
        document.estimation.exclude_clip("swim", JOINTS)


def test_exclusions_of_joints_are_saved_and_found_again(document, tmp_path):
    document.estimation.exclude_runs([("walk", 3.0, 5.0), ("reach", 7.0, 7.0)], JOINTS)
    document.estimation.exclude_run("walk", 9.0, 9.0)
    document.estimation.exclude_clip("reach", ["spine"])
    document.save(tmp_path / "body.json")
    again = Document()
    again.add_clips([walk(), reach()])
    again.open_limits(tmp_path / "body.json")
    assert again.state.excluded == document.state.excluded
    again.estimation.estimate()
    assert again.limits.joints == document.limits.joints


def test_an_action_about_joints_excludes_for_them(full):
    action = Action("exclude", "", frames=(("walk", 3.0, 4.0),), joints=JOINTS)
    full.edits.settle(ReviewEntry("spike", "", action, WORST_JOINT))
    assert full.document.state.excluded.frames_of("walk") == {WORST_JOINT: (3.0, 4.0)}


@pytest.mark.parametrize("is_held", [False, True])
def test_a_limits_button_and_the_strip_exclude_for_the_joint(full, hand, monkeypatch, is_held):
    for module in (joint_panel, time_panel):
        monkeypatch.setattr(module, "has_shift", lambda: is_held)
    hand.click(full.parts.joint.axes[WORST_CHANNEL].excludes["max"])
    strip = full.parts.strip
    strip.choose(3.0, 4.0)
    assert strip.exclude.text() == f"Exclude frames 3 to 4 of {WORST_JOINT}"
    strip.exclude_chosen()
    excluded = full.document.state.excluded
    frames = (3.0, 4.0, WORST_FRAME)
    assert excluded.frames_of("walk") == {"" if is_held else WORST_JOINT: frames}
    column = full.parts.clips.list.topLevelItem(0).text(2)
    assert column == (f"3, 4, {WORST_FRAME:g}" if is_held else f"{WORST_JOINT}: 3 frames")
    full.parts.clips.include_all()
    assert not full.document.state.excluded.every_frame


def test_the_strip_hatches_the_frames_of_the_joint_that_it_shows(full):
    full.document.estimation.exclude_run("walk", 3.0, 9.0, JOINTS)
    strip = full.parts.strip

    def hatched(name):
        strip.show_joints([name])
        return (3.0, 9.0) in [tuple(one) for one in strip.strip._left_out]

    assert hatched(WORST_JOINT)
    assert not hatched("spine")
