"""Enabled state of the commands, with the reason where a disabled one needs explaining."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .commands import COMMANDS
from .sides import why_not_mirrored
from .words import tr

if TYPE_CHECKING:
    from .window import Window


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
        actions[name].setToolTip(tip if has_shapes else tr("No joint has a shape: use Fit shapes."))


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
