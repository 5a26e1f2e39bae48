"""Which commands can be used just now, and why not where that is not plain to see."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .commands import COMMANDS
from .sides import why_not_mirrored
from .words import tr

if TYPE_CHECKING:
    from .window import Window


def show_abilities(window: Window) -> None:
    """Enable those of a window's actions that have something to work on."""
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
    # Its key is Esc, which belongs to whoever has the keyboard while nothing goes on.
    actions["cancel"].setEnabled(document.is_busy)
    _show_history(window)
    _show_mirror(window)


def _show_inside(window: Window) -> None:
    """Enable keeping inside where there are shapes; else say how to get some."""
    limits, actions = window.document.state.limits, window.actions_by_name
    if limits is None or "project" not in window.host.can:
        return
    has_shapes = any(joint.coupled for joint in limits.joints.values())
    for name in ("keep_inside", "keys_inside"):
        actions[name].setEnabled(has_shapes)
        tip = actions[name].statusTip()
        actions[name].setToolTip(tip if has_shapes else tr("No joint has a shape: Fit shapes."))


def _show_history(window: Window) -> None:
    """Say what would be taken back, or done again."""
    stack = window.document.undo_stack
    for name, able, text in (
        ("undo", stack.canUndo(), stack.undoText()),
        ("redo", stack.canRedo(), stack.redoText()),
    ):
        action = window.actions_by_name[name]
        action.setEnabled(able)
        action.setToolTip(f"{action.text()} {text}".strip())


def _show_mirror(window: Window) -> None:
    """Enable mirroring where there is a side to mirror to; else say why there is none."""
    document, names = window.document, window.parts.joint.names
    if not names or not document.has_limits:
        return
    mirror = window.actions_by_name["mirror"]
    why = why_not_mirrored(document.limits, names, document.partners)
    mirror.setEnabled(not why)
    mirror.setToolTip(why or f"{mirror.statusTip()} ({mirror.shortcut().toString()})")
