"""Shelf buttons and menu items, in order of use; they use the selection and show a message.

An artist never sees a traceback. Errors that artists can fix get a message; any other error is
reported as internal, with the details in the log.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from maya import cmds, mel

from jointlimits_core.base.progress import Cancelled

from .base import host
from .commands import base, limits, rigging, table
from .scene import undo

CANCEL = "Cancel"

offer_numpy = host.offer_numpy

ACTIONS: list[Action] = []
"""All menu items, in order."""


@dataclass(frozen=True)
class Action:
    """One menu item, and one button if it has an icon (a file in the icons folder)."""

    function: str
    label: str
    tooltip: str
    icon: str = ""

    @property
    def runtime_command(self) -> str:
        """Name of the runtime command, by which the Hotkey Editor runs the action."""
        return "jointLimits" + self.function.title().replace("_", "")

    @property
    def command(self) -> str:
        """Python source that runs the action."""
        return f"import jointlimits_maya.interactive as it; it.{self.function}()"

    def flags(self) -> dict[str, Any]:
        """Flags of its menu item, shelf button and runtime command."""
        return {"label": self.label, "annotation": self.tooltip, "command": self.command}


def button(label: str, icon: str = "") -> Callable[[Callable[..., None]], Callable[..., bool]]:
    """Guard a function and put it on the menu, and on the shelf if it has an icon.

    The function's docstring becomes the tooltip.
    """

    def register(function: Callable[..., None]) -> Callable[..., bool]:
        tooltip = " ".join((function.__doc__ or "").split())
        ACTIONS.append(Action(function.__name__, label, tooltip, icon))
        return host.guard(function)

    return register


def _press(command: type[base.JointLimitsCommand], **options: Any) -> None:
    """Run a command for the selection."""
    _finish(command, command.plan_with_progress((), options))


def _finish(command: type[base.JointLimitsCommand], prepared: undo.Prepared[Any]) -> None:
    undo.run(prepared.edit)
    text, details = command.message(prepared.result, base.FOR_BUTTONS)
    show = host.info if command.is_complete(prepared.result) else host.warning
    show(text, details)


@button("Open window", "jointLimits_window.png")
def open_window() -> None:
    """Open the window with the selected character or its latest estimate.

    Correct, mirror, preview and apply its limits.
    """
    import numpy  # noqa: F401 - fail here if it is missing, not in an empty panel

    from .window import maya_host as opener

    window = opener.open_window()
    if window is not None:
        window.begin()


@button("Estimate", "jointLimits_estimate.png")
def estimate(**options: Any) -> None:
    """Estimate joint types and limits of the selected character from its animation.

    Changes nothing in the scene; use Apply next.
    """
    _press(limits.EstimateCommand, brief=True, **options)


@button("Start from people")
def start_from_people(**options: Any) -> None:
    """Estimate limits of the selected human rig from other people, with or without animation.

    Where its own motion goes further, that motion sets the limit. Changes nothing in the scene.
    """
    _press(limits.EstimateCommand, brief=True, people="people", **options)


@button("Apply", "jointLimits_apply.png")
def apply(**options: Any) -> None:
    """Write the latest estimate to the selected joints and all joints below.

    Sets rotation limits, degrees of freedom and preferred angles. One undo reverts this.
    """
    _apply(options)


@button("Apply to controls")
def apply_to_controls(**options: Any) -> None:
    """Write the latest estimate of the selected joints to the controls that drive them.

    One undo reverts this.
    """
    _apply({**options, "to_controls": True})


def _apply(options: dict[str, Any]) -> None:
    """Write the latest estimate; ask about joints that follow controls and poses that change."""
    from jointlimits_core.rig import joint_drivers
    from jointlimits_core.rig.clamping import KEEP_POSES, move_poses, question

    prepared = limits.ApplyCommand.plan_with_progress((), options)
    controls = prepared.result.controls
    if controls and "enable_driven" not in options:
        answers = joint_drivers.LEAVE_OFF, joint_drivers.TURN_ON, CANCEL
        answer = host.ask(joint_drivers.question(controls, prepared.result.noun), answers)
        if answer == CANCEL:
            raise Cancelled
        if answer == joint_drivers.TURN_ON:
            options = {**options, "enable_driven": True}
            prepared = limits.ApplyCommand.plan_with_progress((), options)
    found = prepared.result.left_off
    if found and "may_move" not in options:
        every = move_poses(found)
        answer = host.ask(question(found, prepared.result.noun), (KEEP_POSES, every, CANCEL))
        if answer == CANCEL:
            raise Cancelled
        if answer == every:
            prepared = limits.ApplyCommand.plan_with_progress((), {**options, "may_move": True})
    _finish(limits.ApplyCommand, prepared)


@button("Limits on/off", "jointLimits_switch.png")
def toggle_limits() -> None:
    """Switch applied limits off for baking and recording, or on again. Their values stay."""
    _press(limits.SwitchCommand)


@button("Check pose", "jointLimits_check.png")
def check_pose() -> None:
    """Check the current pose, keyed or not, against the latest estimate.

    Lists the joints outside their limits and by how much; bypasses limits that are on.
    """
    # Maya clamps the keyed numbers, so check them on their own Euler branch.
    _press(limits.CheckCommand, time="current", branch="keys")


@button("Clear", "jointLimits_clear.png")
def clear() -> None:
    """Restore the selected joints and all joints below to their state before Apply."""
    _press(limits.ClearCommand)


@button("Results", "jointLimits_results.png")
def show_results() -> None:
    """Show the latest estimate as a web page on which the character moves."""
    from jointlimits_core.report.html.limits_page import write_report

    from .limits import api
    from .read.limits import limit_set_from
    from .scene import estimates
    from .scene.joints import chosen_joints

    joints = chosen_joints()
    limit_set = limit_set_from(None, joints)
    page = estimates.page_beside(joints)
    with host.scene_progress("Drawing joint limits") as progress:
        motion = api.read_motion(progress=progress)
        write_report(limit_set, motion, page, progress)
    host.open_file(page)
    host.info("The page is open in your web browser.", f"The page is {page}")


@button("Skeleton from selection", "jointLimits_skeleton.png")
def skeleton_from_selection(**options: Any) -> None:
    """Build joints for the selected animated locators, groups or joints.

    Works out how they are connected; the joints are keyed on every frame. The selection is
    untouched; undo removes the joints in one step.
    """
    _press(table.SkeletonCommand, **options)


@button("Check animation")
def check_animation() -> None:
    """Check the whole playback range against the latest estimate; list frames outside limits."""
    _press(limits.CheckCommand, time="playback", branch="keys")


@button("Mirror limits")
def mirror_limits() -> None:
    """Copy the limits on the selected joints to the joints on the other side, mirrored.

    Select joints of one side. One undo reverts this.
    """
    _press(rigging.MirrorCommand)


@button("Bake joints")
def bake_joints() -> None:
    """Bake the selected driven joints and those below over the playback range.

    Their limits are temporarily off. Nothing is baked if that would change a pose.
    """
    _press(rigging.BakeCommand, time="playback")


@button("Open log")
def open_log() -> None:
    """Open the log with the details of failures."""
    host.open_log()


MENU = "jointLimitsMenu"
CATEGORY = "Joint Limits"
"""Category of the runtime commands in the Hotkey Editor."""
SHELF = "JointLimits"
SHELF_VARIABLES = ("shelfName", "shelfFile", "shelfLoad", "shelfAlign", "shelfVersion")
"""Option variables in which Maya remembers a shelf tab; the number of the tab follows each name."""


def build_menu() -> None:
    """Build the menu, replacing an older one."""
    _remove_menu()
    cmds.menu(MENU, parent=host.mel_global("gMainWindow"), label="Joint Limits", tearOff=True)
    for action in ACTIONS:
        cmds.menuItem(parent=MENU, image=action.icon, sourceType="python", **action.flags())


def load_shelf(folder: Path) -> None:
    """Show the shelf now; from its next start, Maya finds it through the module file.

    A shelf of an older version, which Maya saves when it quits, gets the buttons that it lacks.
    """
    if not cmds.shelfLayout(SHELF, exists=True):
        # live check: load-new-shelf
        script = (folder / f"shelf_{SHELF}.mel").as_posix()
        # The stubs have no types for mel.eval.
        mel.eval(f'loadNewShelf "{script}"')  # type: ignore[no-untyped-call]
        return
    # live check: shelf-buttons
    children = cmds.shelfLayout(SHELF, query=True, childArray=True) or ()
    buttons = [child for child in children if cmds.shelfButton(child, exists=True)]
    present = {cmds.shelfButton(button, query=True, command=True) for button in buttons}
    for action in ACTIONS:
        if action.icon and action.command not in present:
            cmds.shelfButton(
                parent=SHELF,
                image1=action.icon,
                style="iconOnly",
                sourceType="python",
                **action.flags(),
            )


def remove_menu_and_shelf() -> None:
    """Remove our menu and our shelf tab; other shelf tabs stay."""
    _remove_menu()
    if cmds.shelfLayout(SHELF, exists=True):
        cmds.deleteUI(SHELF, layout=True)
    # Maya looks tabs up by number, so tabs after the removed one move up, as in Maya's
    # deleteShelfTab, which asks in a dialog first.
    # live check: shelf-preferences
    count = int(cmds.optionVar(query="numShelves"))
    names = [cmds.optionVar(query=f"shelfName{number}") for number in range(1, count + 1)]
    if SHELF not in names:
        return
    for number in range(names.index(SHELF) + 1, count + 1):
        for variable in SHELF_VARIABLES:
            old, new = f"{variable}{number + 1}", f"{variable}{number}"
            value = cmds.optionVar(query=old) if cmds.optionVar(exists=old) else None
            cmds.optionVar(remove=[old, new])
            if isinstance(value, str):
                cmds.optionVar(stringValue=(new, value))
            elif value is not None:
                cmds.optionVar(intValue=(new, value))
    cmds.optionVar(intValue=("numShelves", count - 1))


def _remove_menu() -> None:
    if cmds.menu(MENU, exists=True):
        cmds.deleteUI(MENU, menu=True)


def add_editors() -> None:
    """Add what Maya's editors show: runtime commands for hotkeys, and the joints' section."""
    from .window import attribute_editor

    with undo.without_undo():
        _remove_runtime_commands()
        for action in ACTIONS:
            # live check: runtime-commands
            cmds.runTimeCommand(
                action.runtime_command,
                category=CATEGORY,
                commandLanguage="python",
                default=True,
                **action.flags(),
            )
    attribute_editor.add()


def remove_editors() -> None:
    """Remove what :func:`add_editors` added."""
    from .window import attribute_editor

    with undo.without_undo():
        _remove_runtime_commands()
    attribute_editor.remove()


def _remove_runtime_commands() -> None:
    for action in ACTIONS:
        if cmds.runTimeCommand(action.runtime_command, exists=True):
            cmds.runTimeCommand(action.runtime_command, edit=True, delete=True)


@host.guard
def start() -> None:
    """Load the plug-in and build the menu; called once Maya's window is up."""
    undo.load_plug_in()
    build_menu()
