"""Clamping preview in the window, of the current animation, which may differ from Estimate's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from jointlimits_core.motion import Motion

from ..document import Rehearsed, fitted
from ..host import moves_alike
from ..toolkit import taking_back

if TYPE_CHECKING:
    from ..window import Window


class Replaying:
    """Action of the button Preview clamping."""

    def __init__(self, window: Window) -> None:
        self._window, self._document, self._host = window, window.document, window.host

    def rehearse(self) -> None:
        """Replay the scene's current animation and the clips through the limits."""
        window = self._window
        window.messages.work("Previewing clamping")
        with taking_back(window.messages.clear):
            clips, note = self._clips_now()

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

    def _clips_now(self) -> tuple[Sequence[Motion], str]:
        """Clips with the scene's animation read again, and a message about changes."""
        clips, whom = list(self._document.clips), self._document.state.whom
        places = [place for place, clip in enumerate(clips) if clip.source is None]
        if whom is None or not places:
            return clips, ""
        if not whom.is_there():
            return clips, ("The character is no longer in the scene: this is its motion "
                             "at the last estimate.")  # fmt: skip
        with self._host.wait_for("Reading the animation") as progress:
            now = fitted(self._host.read_motion(whom, {}, progress), self._document.limits)
        before = clips[places[0]]
        clips[places[0]] = replace(now, name=before.name)
        return clips, _what_changed(before, now)


def _what_changed(before: Motion, now: Motion) -> str:
    """How the scene's motion differs from the estimated one; empty if it does not."""
    if not moves_alike(before, now):
        return ("The animation has changed since Estimate. This preview shows the current "
                  "animation; Estimate measures it again.")  # fmt: skip
    if now.frame_count > before.frame_count:
        return "The scene has frames that Estimate did not read. The preview includes them."
    return ""
