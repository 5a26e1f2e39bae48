"""Questions to the artist, for example before the open character is replaced.

Only here does the window wait for an answer. A script can replace the window's `questions`, or
:func:`run` in this module.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from jointlimits_core.base.options import option
from jointlimits_core.estimation.options import EstimateOptions
from jointlimits_core.motion.name_matching import matched_joints

from ..document.host import Character
from ..document.state import State
from ..toolkit.options import field_for, form_of, value_of
from ..toolkit.qt import QtWidgets, isValid, run
from ..toolkit.words import counted


def is_other(state: State, character: Character) -> bool:
    """Whether a character in the host differs from the open one.

    Characters in the scene are compared by their nodes, not by name: two copies of a rig are two
    characters. Limits from a file fit any character with matching joint names.
    """
    limits = state.limits
    if limits is None:
        return False
    names = character.joint_names()
    if not matched_joints(limits.joints, names):
        return True
    if state.character is None:
        return False
    if state.character.exists():
        return not state.character.overlaps(character)
    # The open character is gone: another scene was opened, or its reference was reloaded.
    return not set(limits.joints) & set(names)


def is_part(state: State, character: Character) -> bool:
    """Whether a character is only a part of the open one."""
    limits = state.limits
    if limits is None:
        return False
    if state.character is not None and state.character.exists():
        return character.is_part_of(state.character)
    return len(matched_joints(limits.joints, character.joint_names())) < len(limits.joints)


def unsaved_work(state: State) -> list[str]:
    """The artist's work that a new estimate of the same scene would not restore."""
    if state.limits is None:
        return []
    # Skeletons from tracks can be found again.
    own = [clip for clip in state.clips if clip.name not in state.traces]
    found = {
        "edit": len(state.edits),
        "excluded frame": len(state.excluded.frames),
        "excluded clip": len(state.excluded.clips),
        "added clip": sum(clip.source is not None for clip in own),
    }
    lost = [counted(count, noun) for noun, count in found.items() if count]
    if state.options != replace(EstimateOptions(), mode=state.options.mode):
        lost.append("the options")
    return lost


def name_of(state: State) -> str:
    """Name of the open character, and its name in the host if that differs."""
    if state.limits is None:
        return ""
    name = state.limits.character
    if state.character is None or state.character.name == name:
        return name
    return f"{name} ({state.character.name})"


class Questions:
    """The window's dialogs; while the window is hidden, none is shown and nothing changes."""

    def __init__(self, window: QtWidgets.QWidget) -> None:
        self._window = window

    def choose(self, text: str, answers: Sequence[str]) -> str:
        """Ask for one of several answers; Esc chooses the last, which changes nothing."""
        if not self._is_seen():
            return answers[-1]
        box = QtWidgets.QMessageBox(self._window, windowTitle=self._window.windowTitle(), text=text)
        role = QtWidgets.QMessageBox.ButtonRole
        buttons = [box.addButton(answer, role.AcceptRole) for answer in answers[:-1]]
        buttons.append(box.addButton(answers[-1], role.RejectRole))
        box.setEscapeButton(buttons[-1])
        run(box)
        if not isValid(box):
            return answers[-1]  # the window was closed while the dialog was open
        pressed = box.clickedButton()
        box.deleteLater()
        chosen = (answer for answer, button in zip(answers, buttons) if button == pressed)
        return next(chosen, answers[-1])

    def options(self, title: str, names: Sequence[str]) -> dict[str, Any] | None:
        """Ask for option values, initially the defaults; None if cancelled."""
        if not self._is_seen() or not names:
            return {} if not names else None
        dialog = QtWidgets.QDialog(self._window, windowTitle=title)
        fields = {name: field_for(option(name)) for name in names}
        buttons = QtWidgets.QDialogButtonBox(QtWidgets.QDialogButtonBox.StandardButton.Cancel)
        buttons.addButton("Export", buttons.ButtonRole.AcceptRole).setDefault(True)
        buttons.accepted.connect(dialog.accept)
        buttons.rejected.connect(dialog.reject)
        column = QtWidgets.QVBoxLayout(dialog)
        column.addLayout(form_of(fields))
        column.addWidget(buttons)
        accepted = bool(run(dialog))
        if not isValid(dialog):
            return None  # the window was closed while the dialog was open
        found = {name: value_of(field, option(name)) for name, field in fields.items()}
        dialog.deleteLater()
        return found if accepted else None

    def existing_file(self, title: str, kind: str) -> str:
        """Ask for an existing file; empty if cancelled."""
        return str(self._file("getOpenFileName", title, "", kind) or "")

    def existing_files(self, title: str, kind: str) -> list[str]:
        """Ask for existing files; empty if cancelled."""
        return [str(path) for path in self._file("getOpenFileNames", title, "", kind) or ()]

    def new_file(self, title: str, wanted: str, kind: str) -> str:
        """Ask for a file to write, confirming replacement; empty if cancelled."""
        return str(self._file("getSaveFileName", title, wanted, kind) or "")

    def _file(self, dialog: str, *texts: str) -> Any:
        ask = getattr(QtWidgets.QFileDialog, dialog)
        return ask(self._window, *texts)[0] if self._is_seen() else None

    def _is_seen(self) -> bool:
        return bool(isValid(self._window) and self._window.isVisible())
