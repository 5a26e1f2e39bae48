"""Everything that can be done in the window by name: label, tip and keys, in one table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from .host import SCENE_WORK, Host
from .qt import QAction, Qt, QtGui, QtWidgets
from .words import tr


@dataclass(frozen=True)
class Command:
    """One command.

    Parameters
    ----------
    method : str
        Of the window.
    keys : str
        Shortcut, or nothing.
    menu : str
        Menu that has it.
    on_bar : bool
        Whether the bar at the top has a button for it.
    needs : str
        "" nothing, "limits", "joints" (selected ones), "clips", or what the host has to be able
        to do ("read", "apply", ...).
    """

    method: str
    label: str
    tip: str
    keys: str = ""
    menu: str = "Limits"
    on_bar: bool = False
    needs: str = ""


COMMANDS = (
    Command("estimate", "Estimate", "Look at the motion of the selected character, or of the "
            "clips that are open, and measure every joint's type and limits.",
            "Ctrl+E", "Limits", True),
    Command("cancel", "Cancel", "Stop what is going on; everything stays as it was.", "Esc"),
    Command("apply_limits", "Apply", "Write the limits on the character in the scene. One undo in "
            "Maya takes it back.", "Ctrl+Return", "Limits", True, "apply"),
    Command("switch_limits", "Limits on/off", "Switch applied limits off, for baking and "
            "recording, or on again. Their values stay.", "", "Limits", False, "switch"),
    Command("clear_limits", "Clear", "Give the joints back what they had before Apply.", "",
            "Limits", False, "clear"),
    Command("fit_shapes", "Fit shapes", "Fit a shape to the poses of every joint: a limit of all "
            "its channels together, tighter than their ranges. Which shape is among the options. "
            "Another estimate measures without shapes; fit them again after it.",
            "Ctrl+Shift+F", "Shapes", False, "limits"),
    Command("keep_inside", "Keep inside while I work", "Put a node between what drives the "
            "selected joints, or all, and the joints: they stay inside their shapes. One undo in "
            "Maya takes it back.", "", "Shapes", False, "project"),
    Command("let_go", "Stop keeping inside", "Take these nodes away; what drove the joints before "
            "drives them again.", "", "Shapes", False, "project"),
    Command("keys_inside", "Bring keys inside", "Move the keys of the selected joints, or of all, "
            "that are outside their shapes to the nearest pose inside. One undo in Maya takes it "
            "back.", "", "Shapes", False, "project"),
    Command("rehearse", "Rehearse", "Replay every clip through the limits: which frames would "
            "change, worst first.", "Ctrl+R", "Limits", True, "limits"),
    Command("toggle_guides", "Guides", "Draw the limits of the selected joints, or of all, in the "
            "viewport as plain curves, or take them away.", "Ctrl+G", "Limits", False, "guides"),
    Command("open_limits", "Open...", "Open limits from a file.", "Ctrl+O", "File", True),
    Command("open_clips", "Add clips...", "Add motion files of the same character.",
            "Ctrl+Shift+O", "File"),
    Command("skeleton_from_tracks", "Skeleton from tracks...", "Find the skeleton in tracks of "
            "loose bodies or markers (C3D, CSV), and measure its limits. Several files of the "
            "same bodies make one skeleton.", "Ctrl+T", "File"),
    Command("skeleton_from_selection", "Skeleton from selection", "Build a chain of joints beside "
            "the selected animated transforms, as they move against each other, and measure its "
            "limits. One undo in Maya takes the chain away.", "", "File", False, "skeleton"),
    Command("save", "Save", "Save the limits, with your edits, to their file.", "Ctrl+S", "File",
            True, "limits"),
    Command("save_as", "Save as...", "Save the limits to another file.", "Ctrl+Shift+S", "File",
            False, "limits"),
    Command("export", "Export table...", "Write all limits as a table of plain text.", "", "File",
            False, "limits"),
    Command("compare", "Compare...", "What differs between these limits and those of a file.", "",
            "File", False, "limits"),
    Command("undo", "Undo", "Take the last change in this window back.", "Ctrl+Z", "Edit", True),
    Command("redo", "Redo", "Do it again.", "Ctrl+Shift+Z", "Edit", True),
    Command("copy", "Copy limits", "Copy the limits of the selected joints.", "Ctrl+C", "Edit",
            False, "joints"),
    Command("paste", "Paste limits", "Give the selected joints the limits that were copied.",
            "Ctrl+V", "Edit", False, "joints"),
    Command("mirror", "Mirror", "Give the other side of the body the mirror image of these "
            "joints' limits.", "Ctrl+M", "Edit", True, "joints"),
    Command("reset", "Reset to data", "Forget what was decided about these joints; what the "
            "motion says counts again.", "Ctrl+Backspace", "Edit", False, "joints"),
    Command("keep", "Keep", "Keep these joints as they are now, whatever later estimates say.",
            "Ctrl+K", "Edit", False, "joints"),
    Command("find", "Find joints", "Type a part of a joint's name.", "Ctrl+F", "View"),
    Command("select_in_scene", "Select in scene", "Select these joints in Maya.", "", "View",
            False, "select"),
    Command("what_is_this", "What is this?", "Click on a part of the window to be told what it "
            "shows.", "Shift+F1", "Help", True),
    Command("show_first_card", "First steps", "The three sentences from the beginning.", "",
            "Help"),
    Command("open_log", "Log", "Show the log with the details of failures.", "", "Help", True),
)  # fmt: skip


def make_actions(
    window: QtWidgets.QWidget, handlers: Mapping[str, Callable[..., Any]], host: Host
) -> dict[str, QAction]:
    """Make the window's actions, by method.

    Parameters
    ----------
    window : QWidget
    handlers : mapping of method to callable
        What each of them runs, without arguments.
    host : Host
        Says why something cannot be done in it.
    """
    made = {}
    for command in COMMANDS:
        action = QAction(tr(command.label), window)
        keys = f" ({command.keys})" if command.keys else ""
        never = command.needs in SCENE_WORK and command.needs not in host.can
        action.setToolTip(host.why_not(command.needs) if never else tr(command.tip) + keys)
        action.setStatusTip(tr(command.tip))
        action.setWhatsThis(tr(command.tip))
        if command.keys:
            action.setShortcut(QtGui.QKeySequence(command.keys))
            # Wherever the keyboard is in the window, and not in the rest of Maya.
            action.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        action.triggered.connect(_caller(handlers[command.method]))
        window.addAction(action)
        made[command.method] = action
    return made


def _caller(handler: Callable[..., Any]) -> Callable[..., None]:
    """Leave out what Qt tells of a button's state."""

    def call(*_: Any) -> None:
        handler()

    return call
