"""Table of the window's commands: label, tip and shortcut.

Enabled state of the commands, with the reason where a disabled one needs explaining.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..document import SCENE_WORK, Host, why_not_mirrored
from ..toolkit import QAction, Qt, QtGui, QtWidgets

if TYPE_CHECKING:
    from ..window import Window


@dataclass(frozen=True)
class Command:
    """One command.

    Parameters
    ----------
    method : str
        Method of the window.
    keys : str
        Shortcut, or empty.
    menu : str
        Menu that lists it.
    on_bar : bool
        Whether the tool bar has a button for it.
    needs : str
        What it requires: "" nothing, "limits", "joints" (a selection), "clips", or an ability of
        the host ("read", "apply", ...).
    """

    method: str
    label: str
    tip: str
    keys: str = ""
    menu: str = "Limits"
    on_bar: bool = False
    needs: str = ""


COMMANDS = (
    Command("estimate", "Estimate", "Measure every joint's type and limits from the motion of "
            "the selected character or of the open clips.",
            "Ctrl+E", "Limits", True),
    Command("cancel", "Cancel", "Stop the running task; nothing changes.", "Esc"),
    Command("apply_limits", "Apply", "Write the limits to the character in the scene. One undo in "
            "Maya reverts it.", "Ctrl+Return", "Limits", True, "apply"),
    Command("switch_limits", "Limits on/off", "Switch applied limits off, for baking and "
            "recording, or back on. Their values stay.", "", "Limits", False, "switch"),
    Command("clear_limits", "Clear", "Restore the limits the joints had before Apply.", "",
            "Limits", False, "clear"),
    Command("fit_shapes", "Fit shapes", "Fit a shape to the poses of every joint: one limit for "
            "all its channels together, tighter than their ranges. The options choose the kind of "
            "shape. Estimate removes shapes; fit them again afterwards.",
            "Ctrl+Shift+F", "Shapes", False, "limits"),
    Command("keep_inside", "Keep inside while I work", "Insert a node in front of the selected "
            "joints, or all, that keeps them inside their shapes. One undo in Maya reverts it.",
            "", "Shapes", False, "project"),
    Command("let_go", "Stop keeping inside", "Remove these nodes and restore the original "
            "connections.", "", "Shapes", False, "project"),
    Command("keys_inside", "Bring keys inside", "Move keys of the selected joints, or of all, "
            "that are outside their shapes to the nearest pose inside. One undo in Maya reverts "
            "it.", "", "Shapes", False, "project"),
    Command("rehearse", "Preview clamping", "Replay every clip through the limits and list the "
            "frames that would change, worst first.", "Ctrl+R", "Limits", True, "limits"),
    Command("toggle_guides", "Guides", "Draw the limits of the selected joints, or of all, in the "
            "viewport as curves, or remove them.", "Ctrl+G", "Limits", False, "guides"),
    Command("open_limits", "Open...", "Open limits from a file.", "Ctrl+O", "File", True),
    Command("open_clips", "Add clips...", "Add motion files of the same character.",
            "Ctrl+Shift+O", "File"),
    Command("skeleton_from_tracks", "Skeleton from tracks...", "Find the skeleton in tracks of "
            "loose bodies or markers (C3D, CSV) and measure its limits. Several files of the "
            "same bodies make one skeleton.", "Ctrl+T", "File"),
    Command("skeleton_from_selection", "Skeleton from selection", "Build a joint chain beside "
            "the selected animated transforms, from their relative motion, and measure its "
            "limits. One undo in Maya removes the chain.", "", "File", False, "skeleton"),
    Command("save", "Save", "Save the limits, with your edits, to their file.", "Ctrl+S", "File",
            True, "limits"),
    Command("save_as", "Save as...", "Save the limits to another file.", "Ctrl+Shift+S", "File",
            False, "limits"),
    Command("export", "Export table...", "Write all limits as a plain text table.", "", "File",
            False, "limits"),
    Command("compare", "Compare...", "Show how these limits differ from those in a file.", "",
            "File", False, "limits"),
    Command("undo", "Undo", "Undo the last change in this window.", "Ctrl+Z", "Edit", True),
    Command("redo", "Redo", "Redo the last undone change.", "Ctrl+Shift+Z", "Edit", True),
    Command("copy", "Copy limits", "Copy the limits of the selected joints.", "Ctrl+C", "Edit",
            False, "joints"),
    Command("paste", "Paste limits", "Give the selected joints the copied limits.",
            "Ctrl+V", "Edit", False, "joints"),
    Command("mirror", "Mirror", "Give the joints on the other side of the body the mirror image "
            "of these limits.", "Ctrl+M", "Edit", True, "joints"),
    Command("reset", "Back to measured", "Discard your edits of these joints and use the measured "
            "values.", "Ctrl+Backspace", "Edit", False, "joints"),
    Command("keep", "Pin", "Pin these joints at their current limits; later estimates do not "
            "change them.",
            "Ctrl+K", "Edit", False, "joints"),
    Command("find", "Find joints", "Type part of a joint's name.", "Ctrl+F", "View"),
    Command("select_in_scene", "Select in scene", "Select these joints in Maya.", "", "View",
            False, "select"),
    Command("what_is_this", "What is this?", "Click a part of the window to see what it "
            "shows.", "Shift+F1", "Help", True),
    Command("show_first_card", "First steps", "Show the introduction again.", "",
            "Help"),
    Command("open_log", "Log", "Open the log with the details of failures.", "", "Help", True),
)  # fmt: skip


def make_actions(
    window: QtWidgets.QWidget, handlers: Mapping[str, Callable[..., Any]], host: Host
) -> dict[str, QAction]:
    """Create the window's actions, by method.

    Parameters
    ----------
    window : QWidget
    handlers : mapping of method to callable
        Function that each action runs, without arguments.
    host : Host
        Explains why something is not possible in it.
    """
    made = {}
    for command in COMMANDS:
        action = QAction(command.label, window)
        keys = f" ({command.keys})" if command.keys else ""
        never = command.needs in SCENE_WORK and command.needs not in host.can
        action.setToolTip(host.why_not(command.needs) if never else command.tip + keys)
        action.setStatusTip(command.tip)
        action.setWhatsThis(command.tip)
        if command.keys:
            action.setShortcut(QtGui.QKeySequence(command.keys))
            # Anywhere in the window, but not in the rest of Maya.
            action.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        action.triggered.connect(_caller(handlers[command.method]))
        window.addAction(action)
        made[command.method] = action
    return made


def _caller(handler: Callable[..., Any]) -> Callable[..., None]:
    """Drop the button state that Qt passes."""

    def call(*_: Any) -> None:
        handler()

    return call


def show_abilities(window: Window) -> None:
    """Enable the actions that have something to work on."""
    document, actions = window.document, window.actions_by_name
    has = {
        "": True,
        "limits": document.has_limits,
        "joints": bool(window.selected) and document.has_limits,
        "skeleton": "skeleton" in window.host.can,
    }
    for command in COMMANDS:
        able = has.get(command.needs, command.needs in window.host.can and document.has_limits)
        actions[command.method].setEnabled(able)
    _show_inside(window)
    # Its key is Esc, which the focused widget needs while nothing is running.
    actions["cancel"].setEnabled(document.is_busy)
    _show_history(window)
    _show_mirror(window)


def _show_inside(window: Window) -> None:
    """Enable staying inside shapes where there are shapes; otherwise explain how to get some."""
    limits, actions = window.document.state.limits, window.actions_by_name
    if limits is None or "project" not in window.host.can:
        return
    has_shapes = any(joint.coupled for joint in limits.joints.values())
    for name in ("keep_inside", "keys_inside"):
        actions[name].setEnabled(has_shapes)
        tip = actions[name].statusTip()
        actions[name].setToolTip(tip if has_shapes else "No joint has a shape: use Fit shapes.")


def _show_history(window: Window) -> None:
    """Show what undo and redo would do in their tool tips."""
    stack = window.document.undo_stack
    for name, able, text in (
        ("undo", stack.canUndo(), stack.undoText()),
        ("redo", stack.canRedo(), stack.redoText()),
    ):
        action = window.actions_by_name[name]
        action.setEnabled(able)
        action.setToolTip(f"{action.text()} {text}".strip())


def _show_mirror(window: Window) -> None:
    """Enable mirroring where joints have a partner; otherwise explain why they have none."""
    document, names = window.document, window.parts.joint.names
    if not names or not document.has_limits:
        return
    mirror = window.actions_by_name["mirror"]
    why = why_not_mirrored(document.limits, names, document.partners)
    mirror.setEnabled(not why)
    mirror.setToolTip(why or f"{mirror.statusTip()} ({mirror.shortcut().toString()})")
