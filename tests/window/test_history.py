"""Undo and redo: what becomes one step, what counts as saved, and nothing that Qt frees twice."""

from __future__ import annotations

import gc
import weakref

import pytest
from jointlimits_maya.ui.document.document import MAX_STEPS, Document

from tests.support.ui_examples import WORST_CHANNEL, WORST_JOINT, reach, walk, walk_limits


@pytest.fixture
def document():
    return made()


def made():
    found = Document()
    found.open_set(walk_limits())
    return found


def drag(document, *values):
    gesture = document.edit.new_gesture()
    for value in values:
        document.edit.set_limit(WORST_JOINT, WORST_CHANNEL, "max", value, gesture)


def high(document):
    return document.limits.joints[WORST_JOINT].limits[WORST_CHANNEL].max_deg


@pytest.mark.thorough
def test_documents_that_nobody_holds_go_with_all_their_steps():
    """Qt's own stack crashed here: Python freed the steps before it."""
    gone = []
    for _ in range(10):
        one = made()
        one.add_clips([walk(), reach()])
        one.estimation.estimate()
        drag(one, 60.0, 50.0)
        one.edit.set_state("spine", "rotateX", "free")
        one.undo_stack.undo()
        gone.append(weakref.ref(one))
        del one
        gc.collect()
    assert not any(document() for document in gone)


def test_another_step_takes_the_place_of_those_undone(document):
    stack = document.undo_stack
    drag(document, 60.0)
    drag(document, 50.0)
    stack.undo()
    document.edit.set_state("spine", "rotateX", "free")
    assert (stack.count(), stack.canRedo()) == (2, False)
    stack.redo()
    assert high(document) == 60.0


def test_what_is_saved_is_known_again_after_undo(document):
    stack = document.undo_stack
    drag(document, 60.0)
    stack.setClean()
    drag(document, 50.0)
    assert not stack.isClean()
    stack.undo()
    assert stack.isClean()
    stack.undo()
    document.edit.set_state("spine", "rotateX", "free")
    stack.undo()
    assert not stack.isClean(), "the saved state cannot be reached any more"


def test_a_gesture_does_not_change_a_saved_step(document):
    stack, gesture = document.undo_stack, document.edit.new_gesture()
    document.edit.set_limit(WORST_JOINT, WORST_CHANNEL, "max", 60.0, gesture)
    stack.setClean()
    document.edit.set_limit(WORST_JOINT, WORST_CHANNEL, "max", 50.0, gesture)
    assert stack.count() == 2
    assert not stack.isClean()
    stack.undo()
    assert stack.isClean()
    assert high(document) == 60.0


def test_the_oldest_steps_are_forgotten(document):
    stack = document.undo_stack
    for step in range(MAX_STEPS + 5):
        drag(document, 50.0 + 0.01 * step)
    assert (stack.count(), stack.canRedo()) == (MAX_STEPS, False)
    assert not stack.isClean()
    while stack.canUndo():
        stack.undo()
    assert high(document) == pytest.approx(50.04), "the first five stay done"
    assert not stack.isClean()
