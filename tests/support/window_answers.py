"""Answers to what the window asks: a test gives them beforehand, and never waits for anybody."""

from __future__ import annotations

import pytest

FILE_DIALOGS = ("getOpenFileName", "getOpenFileNames", "getSaveFileName")


def nobody_waits(monkeypatch):
    """A question that the test has no answer for fails it."""
    from jointlimits_maya.ui.actions import questions
    from jointlimits_maya.ui.toolkit.qt import QtWidgets

    monkeypatch.setattr(questions, "run", _fail_unanswered)
    for name in FILE_DIALOGS:
        monkeypatch.setattr(QtWidgets.QFileDialog, name, _fail_unanswered)


def _fail_unanswered(*asked):
    texts = [one if isinstance(one, str) else getattr(one, "text", str)() for one in asked]
    pytest.fail(f"asked, and nobody answers: {texts}")


def choose_file(monkeypatch, path):
    """Answer all file dialogs for one file with a path; "" cancels them."""
    from jointlimits_maya.ui.toolkit.qt import QtWidgets

    for name in ("getOpenFileName", "getSaveFileName"):
        monkeypatch.setattr(QtWidgets.QFileDialog, name, lambda *_: (str(path), ""))


def answers(monkeypatch, *labels):
    """Press the buttons whose texts begin so, one a question; gives a list of the questions."""
    from jointlimits_maya.ui.actions import questions

    asked, left = [], list(labels)

    def press(box):
        asked.append(box.text())
        assert left, f"asked once too often: {box.text()}"
        label = left.pop(0)
        (button,) = (b for b in box.buttons() if b.text().replace("&", "").startswith(label))
        button.click()

    monkeypatch.setattr(questions, "run", press)
    return asked
