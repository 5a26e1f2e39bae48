"""Actions on the scene: measure, preview, apply, switch, clear, guides; one undo step each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from jointlimits_core.base import Cancelled
from jointlimits_core.estimation import estimate as estimate_motion
from jointlimits_core.estimation import reject_still_estimate
from jointlimits_core.motion import Motion

from ..document import Character, Rehearsed, Said, Scene, fitted, with_slips
from ..host import moves_alike
from ..toolkit import taking_back
from .commands import NO_MOTION, open_scene
from .questions import confirm_replacing, is_other, name_of, whole_or_part

if TYPE_CHECKING:
    from ..window import Window


class SceneActions:
    """Actions on the scene of the host; some also work without one."""

    def __init__(self, window: Window) -> None:
        self._window = window
        self._document, self._host = window.document, window.host
        if self._host.scene is not None:
            self._document.whom_changed.connect(window.guarded(self._host.scene.hold))

    @property
    def _scene(self) -> Scene:
        return open_scene(self._window)

    def begin(self) -> None:
        """Show the selected character: its latest limits, or a new estimate.

        Without a selection, or if the open character is selected, nothing changes.
        """
        document = self._document
        if document.estimation.busy:
            return
        if not document.has_limits:
            self._open(open_scene(self._window, NO_MOTION).chosen())
            return
        whom, open_one = self._scene.selected(), document.state.whom
        if whom is None:
            return
        if is_other(document.state, whom):
            self._open(whom)
        elif open_one is not None and not open_one.is_there():
            self.estimate()  # the same character, in another scene or reloaded

    def _open(self, whom: Character) -> None:
        """Open a character in place of the open one."""
        kept = self._scene.latest(whom)
        if kept is None:
            self._measure(whom, self._window.options.values())
            return
        confirm_replacing(self._window, whom.name)
        motion = self._read(whom, {})
        self._window.keeper.end()
        self._document.close()
        self._document.open_set(kept, whom=whom, traces={motion.name: self._scene.traces(whom)})
        self._document.add_clips([motion])
        self._document.undo_stack.clear()
        name = name_of(self._document.state)
        self._window.say(f"These are the latest limits of {name}; Estimate measures again.")

    def estimate(self) -> None:
        """Estimate from the scene, or without a scene from the open clips."""
        options = self._window.options.values()
        if self._host.scene is None and self._document.clips:
            self._document.estimation.estimate(**options)
        else:
            self._measure(open_scene(self._window, NO_MOTION).chosen(), options)

    def _measure(self, whom: Character, options: dict[str, Any]) -> None:
        """Estimate a character of the scene; ask first if work would be lost."""
        motion = self._read(whom, self._window.options.scene_values())
        _refuse_unanimated(motion)
        other = is_other(self._document.state, whom)
        if other:
            confirm_replacing(self._window, whom.name)
            self._window.keeper.end()
        else:
            wanted = whole_or_part(self._window, whom)
            if wanted is not whom:
                whom, motion = wanted, self._read(wanted, self._window.options.scene_values())
        self._ask(whom, motion, other, options)

    def measure_built(self, whom: Character) -> None:
        """Estimate a character that was just built, in place of the open one."""
        self._window.keeper.end()
        motion = self._read(whom, self._window.options.scene_values())
        self._ask(whom, motion, True, self._window.options.values())

    def _ask(self, whom: Character, motion: Motion, other: bool, options: dict[str, Any]) -> None:
        """Estimate, with the scene's traces of the joints."""
        found = self._scene.traces(whom)
        motion = with_slips(motion, found)
        traces = {motion.name: found} if found else {}
        self._document.estimation.estimate([motion], whom, other, traces, **options)

    def _read(self, whom: Character, options: Mapping[str, Any]) -> Motion:
        with self._host.wait_for("Reading the animation") as progress:
            return self._scene.read_motion(whom, options, progress)

    def rehearse(self) -> None:
        """Replay the scene's current animation and the clips through the limits."""
        window = self._window
        window.messages.work("Previewing clamping")
        with taking_back(window.messages.clear):
            clips, note = self._current_clips()

            def rehearse(found: Rehearsed) -> None:
                self._show(found, note)

            self._document.rehearse(window.guarded(rehearse), window.on_failed, clips=clips)

    def _show(self, found: Rehearsed, note: str) -> None:
        window = self._window
        window.messages.clear()
        window.parts.rehearsal.show_rehearsed(found)
        window.parts.strip.show_rehearsed(found)
        window.parts.bring_up(window.parts.rehearsal)
        if note:
            window.say(note, "warning")

    def _current_clips(self) -> tuple[Sequence[Motion], str]:
        """Clips with the scene's animation read again, and a message about changes."""
        clips, whom = list(self._document.clips), self._document.state.whom
        places = [place for place, clip in enumerate(clips) if clip.source is None]
        if whom is None or not places:
            return clips, ""
        if not whom.is_there():
            return clips, ("The character is no longer in the scene: this is its motion at the "
                           "last estimate.")  # fmt: skip
        now = fitted(self._read(whom, {}), self._document.limits)
        before = clips[places[0]]
        clips[places[0]] = replace(now, name=before.name)
        return clips, _what_changed(before, now)

    def apply_limits(self) -> None:
        """Write the limits to the character."""
        scene = self._scene
        scene.keep(self._document.limits)
        options = self._window.options.write_values()
        may_move = False
        question = scene.would_clip(self._document.limits, options)
        if question:
            every, leave_out = "Apply all", "Leave those out"
            answer = self._window.questions.choose(question, (every, leave_out, "Cancel"))
            if answer not in (every, leave_out):
                raise Cancelled
            may_move = answer == every
        window, limits = self._window, self._document.limits
        window.show_result(self._with_other(scene.apply(limits, options, may_move)))

    def _with_other(self, result: Said) -> Said:
        """Add that the selected character is not the one that was written to."""
        state, whom = self._document.state, self._scene.selected()
        if whom is None or not is_other(state, whom):
            return result
        text = (
            f"{result.text} This was {name_of(state)}, which is open here; {whom.name} is "
            "selected: press Estimate to measure it."
        )
        return replace(result, text=text, whole=False)

    def switch_limits(self) -> None:
        """Switch limits off, or back on."""
        self._window.show_result(self._scene.switch())

    def clear_limits(self) -> None:
        """Restore the joints' original limits."""
        self._window.show_result(self._scene.clear())

    def toggle_guides(self) -> None:
        """Draw guides, or remove them."""
        scene = self._scene
        limits = None if scene.guides_shown() else self._document.limits
        self._window.show_result(scene.guides(limits, self._window.selected))

    def select_in_scene(self) -> None:
        """Select the selected joints in the scene."""
        self._scene.select_joints(self._window.selected)


def _refuse_unanimated(motion: Motion) -> None:
    """Refuse a motion without any animated joint, before it replaces anything."""
    if motion.animated is not None and not motion.animated:
        reject_still_estimate(estimate_motion(motion.take(np.arange(1))))


def _what_changed(before: Motion, now: Motion) -> str:
    """How the scene's motion differs from the estimated one; empty if it does not."""
    if not moves_alike(before, now):
        return ("The animation has changed since Estimate. This preview shows the current "
                  "animation; Estimate measures it again.")  # fmt: skip
    if now.frame_count > before.frame_count:
        return "The scene has frames that Estimate did not read. The preview includes them."
    return ""
