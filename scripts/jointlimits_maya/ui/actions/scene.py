"""Actions on the scene: read, apply, switch, clear, guides. One undo of the host each."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from jointlimits_core.base import Cancelled
from jointlimits_core.estimation import estimate as estimate_motion
from jointlimits_core.estimation import reject_still_estimate
from jointlimits_core.motion import Motion

from ..document import Character, Said, with_slips
from .questions import GivingWay, is_other, name_of

if TYPE_CHECKING:
    from ..window import Window


class SceneActions:
    """Actions that need the host."""

    def __init__(self, window: Window) -> None:
        self._window = window
        self._document, self._host = window.document, window.host
        self._gives_way = GivingWay(window)
        window.document.whom_changed.connect(window.guarded(window.host.hold))

    def begin(self) -> None:
        """Show the selected character: its latest limits, or a new estimate.

        Without a selection, or if the open character is selected, nothing changes.
        """
        document = self._document
        if document.estimation.busy:
            return
        if not document.has_limits:
            self._open(self._host.chosen())
            return
        whom, open_one = self._host.selected(), document.state.whom
        if whom is None:
            return
        if is_other(document.state, whom):
            self._open(whom)
        elif open_one is not None and not open_one.is_there():
            self.estimate()  # the same character, in another scene or reloaded

    def _open(self, whom: Character) -> None:
        """Open a character in place of the open one."""
        kept = self._host.latest(whom)
        if kept is None:
            self._measure(whom, self._window.options.values())
            return
        self._gives_way.to_other(whom.name)
        with self._host.wait_for("Reading the animation") as progress:
            motion = self._host.read_motion(whom, {}, progress)
        self._window.keeper.end()
        self._document.close()
        self._document.open_set(kept, whom=whom, traces={motion.name: self._host.traces(whom)})
        self._document.add_clips([motion])
        self._document.undo_stack.clear()
        name = name_of(self._document.state)
        self._window.say(f"These are the latest limits of {name}; Estimate measures again.")

    def estimate(self) -> None:
        """Estimate from the scene, or without a scene from the open clips."""
        options = self._window.options.values()
        if "read" in self._host.can:
            self._measure(self._host.chosen(), options)
        elif self._document.clips:
            self._document.estimation.estimate(**options)
        else:
            raise ValueError(self._host.why_not("read"))

    def _measure(self, whom: Character, options: dict[str, Any]) -> None:
        """Estimate a character of the scene; ask first if work would be lost."""
        motion = self._read(whom)
        _refuse_unanimated(motion)
        other = is_other(self._document.state, whom)
        if other:
            self._gives_way.to_other(whom.name)
            self._window.keeper.end()
        else:
            wanted = self._gives_way.to_part(whom)
            whom, motion = wanted, motion if wanted is whom else self._read(wanted)
        self._ask(whom, motion, other, options)

    def measure_built(self, whom: Character) -> None:
        """Estimate a character that was just built, in place of the open one."""
        self._window.keeper.end()
        self._ask(whom, self._read(whom), True, self._window.options.values())

    def give_way(self, name: str) -> None:
        """Ask before another character replaces unsaved work; may raise Cancelled."""
        self._gives_way.to_other(name)

    def _ask(self, whom: Character, motion: Motion, other: bool, options: dict[str, Any]) -> None:
        """Estimate, with the scene's traces of the joints."""
        found = self._host.traces(whom)
        motion = with_slips(motion, found)
        traces = {motion.name: found} if found else {}
        self._document.estimation.estimate([motion], whom, other, traces, **options)

    def _read(self, whom: Character) -> Motion:
        with self._host.wait_for("Reading the animation") as progress:
            return self._host.read_motion(whom, self._window.options.scene_values(), progress)

    def apply_limits(self) -> None:
        """Write the limits to the character."""
        self._must("apply")
        self._host.keep(self._document.limits)
        options = self._window.options.write_values()
        may_move = False
        question = self._host.would_clip(self._document.limits, options)
        if question:
            every, leave_out = "Apply all", "Leave those out"
            answer = self._window.questions.choose(question, (every, leave_out, "Cancel"))
            if answer not in (every, leave_out):
                raise Cancelled
            may_move = answer == every
        self._said(self._with_other(self._host.apply(self._document.limits, options, may_move)))

    def _with_other(self, result: Said) -> Said:
        """Add that the selected character is not the one that was written to."""
        state, whom = self._document.state, self._host.selected()
        if whom is None or not is_other(state, whom):
            return result
        text = (
            f"{result.text} This was {name_of(state)}, which is open here; {whom.name} is "
            "selected: press Estimate to measure it."
        )
        return replace(result, text=text, whole=False)

    def switch_limits(self) -> None:
        """Switch limits off, or back on."""
        self._must("switch")
        self._said(self._host.switch())

    def clear_limits(self) -> None:
        """Restore the joints' original limits."""
        self._must("clear")
        self._said(self._host.clear())

    def toggle_guides(self) -> None:
        """Draw guides, or remove them."""
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

    def _said(self, result: Said) -> None:
        self._window.say(result.text, "info" if result.whole else "warning", result.details)


def _refuse_unanimated(motion: Motion) -> None:
    """Refuse a motion without any animated joint, before it replaces anything."""
    if motion.animated is not None and not motion.animated:
        reject_still_estimate(estimate_motion(motion.take(np.arange(1))))
