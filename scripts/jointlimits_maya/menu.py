"""The menu, and the shelf until Maya loads it itself."""

from __future__ import annotations

from pathlib import Path

from maya import cmds, mel

from . import host
from .actions import ACTIONS

MENU = "jointLimitsMenu"
SHELF = "JointLimits"


def build() -> None:
    """Build the menu, replacing an older one."""
    _remove_menu()
    cmds.menu(MENU, parent=host.mel_global("gMainWindow"), label="Joint Limits", tearOff=True)
    for action in ACTIONS:
        cmds.menuItem(
            parent=MENU,
            label=action.label,
            annotation=action.tooltip,
            image=action.icon,
            command=action.command,
            sourceType="python",
        )


def load_shelf(folder: Path) -> None:
    """Show the shelf now; from its next start, Maya finds it through the module file."""
    if not cmds.shelfLayout(SHELF, exists=True):
        # live check: load-new-shelf
        script = (folder / f"shelf_{SHELF}.mel").as_posix()
        # The stubs have no types for mel.eval.
        mel.eval(f'loadNewShelf "{script}"')  # type: ignore[no-untyped-call]


def remove() -> None:
    """Remove menu and shelf."""
    _remove_menu()
    if cmds.shelfLayout(SHELF, exists=True):
        cmds.deleteUI(SHELF, layout=True)


def _remove_menu() -> None:
    if cmds.menu(MENU, exists=True):
        cmds.deleteUI(MENU, menu=True)
