"""What the artist is asked: each button is an answer, and nobody ever waits for nobody."""

from __future__ import annotations

import pytest
from jointlimits_maya.ui.actions import questions
from jointlimits_maya.ui.actions.questions import Questions
from jointlimits_maya.ui.toolkit.qt import Qt, QtCore, QtWidgets, isValid

from tests.support.window_answers import answers

LABELS = ("Apply the ones that change nothing", "Apply all: 3 frames change", "Cancel")


@pytest.fixture
def window(qtbot):
    made = QtWidgets.QWidget()
    qtbot.addWidget(made)
    made.show()
    return made


@pytest.mark.parametrize("label", LABELS)
def test_the_button_pressed_is_the_answer(window, monkeypatch, label):
    asked = answers(monkeypatch, label)
    assert Questions(window).choose("Which?", LABELS) == label
    assert asked == ["Which?"]


def test_escape_is_the_last_answer(window, qtbot, monkeypatch):
    def escape(box):
        box.show()
        qtbot.keyClick(box, Qt.Key.Key_Escape)

    monkeypatch.setattr(questions, "run", escape)
    assert Questions(window).choose("Which?", LABELS) == "Cancel"


def test_a_window_that_nobody_sees_asks_nobody(window):
    window.hide()
    asks = Questions(window)
    assert asks.choose("Which?", LABELS) == "Cancel"
    assert asks.existing_file("Open", "*") == ""
    assert asks.existing_files("Open", "*") == []
    assert asks.new_file("Save", "a", "*") == ""


@pytest.mark.thorough
def test_the_window_may_go_while_it_asks(monkeypatch):
    window = QtWidgets.QWidget()
    window.show()

    def close_all(box):
        window.deleteLater()
        QtWidgets.QApplication.sendPostedEvents(None, QtCore.QEvent.Type.DeferredDelete)

    monkeypatch.setattr(questions, "run", close_all)
    asks = Questions(window)
    assert asks.choose("Which?", LABELS) == "Cancel"
    assert not isValid(window)
    assert asks.choose("Which?", LABELS) == "Cancel"
