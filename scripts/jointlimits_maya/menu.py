"""The menu, the shelf until Maya loads it itself, and their actions in order of use."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from maya import cmds, mel

from .base import host


@dataclass(frozen=True)
class Action:
    """One menu item, and one button if it is on the shelf.

    Parameters
    ----------
    function : str
        Name in :mod:`jointlimits_maya.interactive`.
    icon : str
        File name in the icons folder.
    """

    function: str
    label: str
    tooltip: str
    icon: str = ""
    on_shelf: bool = True

    @property
    def command(self) -> str:
        """Python source that runs the action."""
        return f"import jointlimits_maya.interactive as it; it.{self.function}()"


ACTIONS = (
    Action(
        "open_window",
        "Open window",
        "Open the window: estimate the selected character, or review its latest estimate; correct, "
        "mirror, preview and apply its limits.",
        "jointLimits_window.png",
    ),
    Action(
        "estimate",
        "Estimate",
        "Estimate joint types and limits of the selected character from its animation. Changes "
        "nothing in the scene; use Apply next.",
        "jointLimits_estimate.png",
    ),
    Action(
        "apply",
        "Apply",
        "Write the latest estimate to the selected joints and all joints below: rotation limits, "
        "degrees of freedom, preferred angles. Undo takes it back in one step.",
        "jointLimits_apply.png",
    ),
    Action(
        "toggle_limits",
        "Limits on/off",
        "Switch applied limits off for baking and recording, or on again. Their values stay.",
        "jointLimits_switch.png",
    ),
    Action(
        "check_pose",
        "Check pose",
        "Check the current pose, keyed or not, against the latest estimate. Lists the joints "
        "outside their limits and by how much; bypasses limits that are on.",
        "jointLimits_check.png",
    ),
    Action(
        "clear",
        "Clear",
        "Restore the selected joints and all joints below to their state before Apply.",
        "jointLimits_clear.png",
    ),
    Action(
        "show_results",
        "Results",
        "Show the latest estimate as a web page with pictures, or, without matplotlib, as a table "
        "in the Script Editor.",
        "jointLimits_results.png",
    ),
    Action(
        "skeleton_from_selection",
        "Skeleton from selection",
        "Work out how the selected animated locators, groups or joints are connected, and build "
        "joints for them, keyed on every frame. The selection is untouched; undo removes the "
        "joints in one step.",
        "jointLimits_skeleton.png",
    ),
    Action(
        "check_animation",
        "Check animation",
        "Check the whole playback range against the latest estimate, with the frames.",
        on_shelf=False,
    ),
    Action("open_log", "Open log", "Open the log with the details of failures.", on_shelf=False),
)

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
