"""What is done with the scene: read, apply, switch, clear, guides. One undo of the host each."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from jointlimits_core.estimation.pipeline import estimate as estimate_motion
from jointlimits_core.estimation.stillness import refuse_stillness
from jointlimits_core.motion import Motion
from jointlimits_core.progress import Cancelled

from .host import Said
from .words import tr

if TYPE_CHECKING:
    from .window import Window


class SceneActions:
    """What needs the host.

    Parameters
    ----------
    window : Window
    """

    def __init__(self, window: Window) -> None:
        self._window = window
        self._document, self._host = window.document, window.host

    def estimate(self) -> None:
        """Estimate from the scene, or without one from the clips that are open."""
        options = self._window.options.values()
        if "read" not in self._host.can:
            if not self._document.clips:
                raise ValueError(self._host.why_not("read"))
            self._document.estimation.estimate(**options)
            return
        with self._host.wait_for(tr("Reading the animation")) as progress:
            motion = self._host.read_motion(self._window.options.scene_values(), progress)
        _refuse_unanimated(motion)
        if self._is_other_character(motion.joint_names):
            self._ask_to_save()
            self._document.close()
        self._document.estimation.estimate([motion], **options)

    def _ask_to_save(self) -> None:
        """Ask before another character takes the place of edits that are not saved."""
        limits, stack = self._document.limits, self._document.undo_stack
        if not limits.edits or stack.isClean():
            return
        text = tr(
            "Your edits of {name} are not saved, and another character would take their place.",
            name=limits.character,
        )
        save, discard = tr("Save"), tr("Discard")
        answer = self._window.questions.choose(text, (save, discard, tr("Cancel")))
        if answer == save:
            self._window.files.save()
        if answer != discard and not stack.isClean():
            raise Cancelled

    def _is_other_character(self, names: tuple[str, ...]) -> bool:
        """Whether none of these joints is among those that limits are open for."""
        limits = self._document.state.limits
        if limits is None:
            return False
        known = {name.rpartition(":")[2] for name in limits.joints}
        return not known & {name.rpartition(":")[2] for name in names}

    def apply_limits(self) -> None:
        """Write the limits on the character."""
        self._must("apply")
        self._host.keep(self._document.limits)
        options = {"replace": self._window.may_replace}
        may_move = False
        question = self._host.would_clip(self._document.limits, options)
        if question:
            every, leave_out = tr("Apply all"), tr("Leave those out")
            answer = self._window.questions.choose(question, (every, leave_out, tr("Cancel")))
            if answer not in (every, leave_out):
                raise Cancelled
            may_move = answer == every
        self._said(self._host.apply(self._document.limits, options, may_move))

    def switch_limits(self) -> None:
        """Switch limits off, or on again."""
        self._must("switch")
        self._said(self._host.switch())

    def clear_limits(self) -> None:
        """Give the joints back what they had."""
        self._must("clear")
        self._said(self._host.clear())

    def toggle_guides(self) -> None:
        """Draw guides, or take them away."""
        self._must("guides")
        limits = None if self._host.guides_shown() else self._document.limits
        self._said(self._host.guides(limits, self._window.selected))

    def select_in_scene(self) -> None:
        """Select the selected joints in the scene."""
        self._must("select")
        self._host.select_joints(self._window.selected)

    def _must(self, what: str) -> None:
        if what not in self._host.can:
            raise ValueError(self._host.why_not(what))

    def _said(self, said: Said) -> None:
        self._window.say(said.text, "info" if said.whole else "warning", said.details)


def _refuse_unanimated(motion: Motion) -> None:
    """Refuse a motion of which no joint is animated, before anything gives way to it."""
    if motion.animated is not None and not motion.animated:
        refuse_stillness(estimate_motion(motion.take(np.arange(1))))
