"""What an artist can do from the shelf and the menu, in the order in which it is done."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Action:
    """One button and one menu item.

    Parameters
    ----------
    function : str
        Of :mod:`jointlimits_maya.interactive`.
    icon : str
        File name in the folder of icons.
    on_shelf : bool
        Whether the shelf has a button for it, too.
    """

    function: str
    label: str
    tooltip: str
    icon: str = ""
    on_shelf: bool = True

    @property
    def command(self) -> str:
        """Python that runs it."""
        return f"import jointlimits_maya.interactive as it; it.{self.function}()"


ACTIONS = (
    Action(
        "open_window",
        "Open window",
        "Open the window: estimates the selected character, or shows its latest estimate, to look "
        "at, correct, mirror, rehearse and apply.",
        "jointLimits_window.png",
    ),
    Action(
        "estimate",
        "Estimate",
        "Estimate joint types and limits of the selected character from its animation. Changes "
        "nothing in the scene; Apply comes next.",
        "jointLimits_estimate.png",
    ),
    Action(
        "apply",
        "Apply",
        "Write the latest estimate on the selected joints and all below: rotation limits, degrees "
        "of freedom, preferred angles. One undo takes it back.",
        "jointLimits_apply.png",
    ),
    Action(
        "toggle_limits",
        "Limits on/off",
        "Switch applied limits off, for baking and recording, or on again. Their values stay.",
        "jointLimits_switch.png",
    ),
    Action(
        "check_pose",
        "Check pose",
        "Does the pose as it stands now, keyed or not, leave the latest estimate? Names the joints "
        "and by how much; looks past limits that are on.",
        "jointLimits_check.png",
    ),
    Action(
        "clear",
        "Clear",
        "Give the selected joints and all below back what they had before Apply.",
        "jointLimits_clear.png",
    ),
    Action(
        "show_results",
        "Results",
        "Show the latest estimate with pictures, as a page in your web browser; without matplotlib "
        "as a table in the Script Editor.",
        "jointLimits_results.png",
    ),
    Action(
        "skeleton_from_selection",
        "Skeleton from selection",
        "Find how the selected animated locators, groups or joints hang together, and build joints "
        "beside them, keyed on every frame. They are untouched; one undo takes the joints away.",
        "jointLimits_skeleton.png",
    ),
    Action(
        "check_animation",
        "Check animation",
        "The same as Check pose, for the whole playback range, with the frames.",
        on_shelf=False,
    ),
    Action("open_log", "Open log", "Show the log with the details of failures.", on_shelf=False),
)
