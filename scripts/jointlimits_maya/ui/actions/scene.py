"""Actions on the scene: measure, preview, apply, switch, clear, guides; one undo step each."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from jointlimits_core.base.options import option
from jointlimits_core.estimation import pipeline
from jointlimits_core.formats.registry import read_takes
from jointlimits_core.io.progress_line import FilesProgress
from jointlimits_core.motion.motion import Motion
from jointlimits_core.people.people_file import SHIPPED_WORD

from ..document import clamping, host, skeleton_fit
from ..document.files import renamed_clip
from ..toolkit import words
from ..toolkit.options import put
from . import commands, questions
from .desk import Desk
from .files import FileActions

SAME_TURN, SAME_ANGLE = 1e-9, 1e-6
"""Rounding tolerances: 1 - cosine of half the rotation angle, and radians of a channel."""


class SceneActions:
    """Actions on the host's scene; a few also work without a scene."""

    def __init__(self, desk: Desk, files: FileActions) -> None:
        self._desk, self._files = desk, files
        self._document, self._host = desk.document, desk.host
        if self._host.scene is not None:
            self._document.character_changed.connect(desk.guard(self._host.scene.hold))

    @property
    def _scene(self) -> host.Scene:
        return self._desk.scene_or_fail()

    def begin(self) -> None:
        """Show the selected character: its latest limits, or a new estimate.

        Without a selection, or if the open character is selected, nothing changes.
        """
        document = self._document
        if document.estimation.busy:
            return
        if not document.has_limits:
            self._open(self._desk.scene_or_fail(commands.NO_MOTION).chosen_character())
            return
        character, open_one = self._scene.selected_character(), document.state.character
        if character is None:
            return
        if questions.is_other(document.state, character):
            self._open(character)
        elif open_one is not None and not open_one.exists():
            self.estimate()  # the same character, in another scene or reloaded

    def _open(self, character: host.Character) -> None:
        kept = self._scene.latest(character)
        if kept is None:
            self._measure(character)
            return
        self._desk.confirm_replacing(character.name)
        motion = self._read_motion(character)
        self._desk.handover.end()
        self._document.close()
        self._document.open_set(
            kept, character=character, traces={motion.name: self._scene.traces(character)}
        )
        self._document.add_clips([motion])
        self._document.undo_stack.clear()
        name = questions.name_of(self._document.state)
        self._desk.show_message(f"These are the latest limits of {name}; Estimate measures again.")

    def estimate(self) -> None:
        """Estimate from the scene, or from the open clips if there is no scene."""
        if self._host.scene is None and self._document.clips:
            self._document.estimation.estimate(**self._desk.options.values())
        else:
            self._measure(self._desk.scene_or_fail(commands.NO_MOTION).chosen_character())

    def start_from_people(self) -> None:
        """Use limits from other people in this estimate and later ones; for joints only."""
        if self._host.scene is not None:
            self._host.scene.measures_controls = False
        field, before = self._desk.options.fields["people"], self._desk.options.values()["people"]
        put(field, option("people"), SHIPPED_WORD if before == "off" else before)
        with words.rollback(lambda: put(field, option("people"), before)):
            self.estimate()

    def _measure(self, character: host.Character) -> None:
        """Estimate a character in the scene; ask first if work would be lost."""
        motion = self._read_motion(character, **self._desk.options.scene_values())
        is_still = motion.animated is not None and not motion.animated
        if is_still and self._desk.options.values()["people"] == "off":
            pipeline.reject_still_estimate(pipeline.estimate(motion.keep_frames(np.arange(1))))
        is_other = questions.is_other(self._document.state, character)
        if is_other:
            self._desk.confirm_replacing(character.name)
            self._desk.handover.end()
        else:
            wanted = self._desk.whole_or_part(character)
            if wanted is not character:
                character = wanted
                motion = self._read_motion(wanted, **self._desk.options.scene_values())
        self._ask(character, motion, is_other)

    def measure_controls(self, on: bool) -> None:
        """Measure controls, or joints, from the next estimate on; without a scene, at once."""
        if self._host.scene is None:
            if on != self._document.reads_controls:
                self._measure_files(on)
            return
        self._scene.measures_controls = on
        kind = "controls" if on else "joints"
        self._desk.show_message(f"Estimate now measures the {kind} of the character.")

    def _measure_files(self, controls: bool) -> None:
        """Read the open Maya scenes again, for their controls or joints, and estimate."""
        paths = self._desk.clip_files()
        with self._host.wait_for("Reading motions") as progress:
            reading = FilesProgress(progress, paths)
            each = [read_takes(one, progress=reading.next(one), controls=controls) for one in paths]
        if questions.unsaved_work(replace(self._document.state, clips=())):
            kind = "controls" if controls else "joints"
            self._desk.confirm_replacing(f"An estimate of the {kind}")
        self._document.read_controls = controls
        options = self._desk.options.values()
        clips = [clip for takes in each for clip in takes]
        self._document.estimation.estimate(clips, is_other=True, **options)

    def measure_built(self, character: host.Character) -> None:
        """Estimate a character that was just built; it replaces the open one."""
        self._desk.handover.end()
        motion = self._read_motion(character, **self._desk.options.scene_values())
        self._ask(character, motion, True)

    def _ask(self, character: host.Character, motion: Motion, is_other: bool) -> None:
        found, options = self._scene.traces(character), self._desk.options.values()
        motion = skeleton_fit.with_slips(motion, found)
        traces = {motion.name: found} if found else {}
        self._document.estimation.estimate([motion], character, is_other, traces, **options)

    def _read_motion(self, character: host.Character, **options: Any) -> Motion:
        with self._host.wait_for("Reading the animation") as progress:
            return self._scene.read_motion(character, options, progress)

    def preview_clamping(self) -> None:
        """Replay the scene's current animation and the clips through the limits."""
        desk = self._desk
        with desk.at_work("Previewing clamping"):
            clips, note = self._current_clips()

            def show(found: clamping.ClampingResult) -> None:
                desk.messages.clear()
                desk.clamping_found.emit(found)
                if note:
                    desk.show_message(note, "warning")

            self._document.preview_clamping(desk.guard(show), desk.failed.emit, clips=clips)

    def _current_clips(self) -> tuple[Sequence[Motion], str]:
        """All open clips, with the scene's current animation, and a message if it has changed."""
        clips, character = list(self._document.clips), self._document.state.character
        places = [place for place, clip in enumerate(clips) if clip.source is None]
        if character is None or not places:
            return clips, ""
        if not character.exists():
            return clips, (
                "The character is no longer in the scene: this is its motion at the last estimate."
            )
        now = renamed_clip(self._read_motion(character), self._document.limits)
        before = clips[places[0]]
        clips[places[0]] = replace(now, name=before.name)
        note = ""
        if not _moves_alike(before, now):
            note = (
                "The animation has changed since Estimate. This preview shows the current "
                "animation; Estimate measures it again."
            )
        elif now.frame_count > before.frame_count:
            note = "The scene has frames that Estimate did not read. The preview includes them."
        return clips, note

    def apply_limits(self) -> None:
        """Write the limits to the character: in the scene, or in a copy of the open scene file."""
        path = self._desk.scene_file()
        if self._host.scene is None and path is not None:
            self._files.apply_copy(path)
            return
        if self._host.scene is None:
            self._desk.show_message(self._no_target_words(), "warning")
            return
        self._apply()

    def _no_target_words(self) -> str:
        """Next step in place of Apply, if no open file can hold limits."""
        names = [os.path.basename(path) for path in self._desk.clip_files()]
        files = f"{words.first_names(names, 2)} cannot hold any" if names else "none is open"
        return (
            f"Apply writes limits to Maya scenes (.ma); {files}. Save limits, or export a scene "
            "with File > Export."
        )

    def apply_to_controls(self) -> None:
        """Write the limits of joints to the controls that drive them."""
        self._apply(to_controls=True)

    def _apply(self, **more: Any) -> None:
        """Write the limits to the scene, with more options than those in the panel."""
        scene = self._scene
        scene.store(self._document.limits)
        options = {**self._desk.options.values_of("write", "evaluation"), **more}
        plan = scene.plan_apply(self._document.limits, options)
        if self._desk.driven_turn_on(plan.controls, plan.noun):
            options = {**options, "enable_driven": True}
            plan = scene.plan_apply(self._document.limits, options)
        may_move = self._desk.poses_may_move(plan.moves, plan.noun)
        result = scene.apply(self._document.limits, options, may_move)
        state, character = self._document.state, scene.selected_character()
        if character is not None and questions.is_other(state, character):
            # The selected character is not the one that was written to.
            text = (
                f"{result.text} This applies to {questions.name_of(state)}, which is open here; "
                f"{character.name} is selected: press Estimate to measure it."
            )
            result = replace(result, text=text, complete=False)
        self._desk.show_result(result)

    def filter_keys(self) -> None:
        """Bring rotate keys to one Euler branch: in the scene, or in the copy that Apply writes."""
        path = self._desk.scene_file()
        if self._host.scene is None and path is not None:
            self._files.filter_copy(path)
            return
        scene = self._scene
        self._desk.confirm_filter(scene.keys_to_filter())
        self._desk.show_result(scene.filter_keys())

    def switch_limits(self) -> None:
        """Switch limits off, or back on."""
        self._desk.show_result(self._scene.switch())

    def clear_limits(self) -> None:
        """Restore the joints' original limits."""
        self._desk.show_result(self._scene.clear())

    def toggle_guides(self) -> None:
        """Draw guides, or remove them."""
        scene = self._scene
        limits = None if scene.guides_shown() else self._document.limits
        self._desk.show_result(scene.guides(limits, self._desk.selected))

    def select_in_scene(self) -> None:
        """Select the selected joints in the scene."""
        self._scene.select_joints(self._desk.selected)


def _moves_alike(before: Motion, now: Motion) -> bool:
    """Whether a motion still has all frames that were read before, with the same poses."""
    places = np.searchsorted(now.frames, before.frames)
    if before.joint_names != now.joint_names or places.max() >= now.frame_count:
        return False
    if not np.array_equal(now.frames[places], before.frames):
        return False
    # A quaternion and its negative are the same rotation; either may have been read.
    cosines = np.abs((before.rotations * now.rotations[:, :, places]).sum(axis=1))
    if not (1.0 - cosines < SAME_TURN).all():
        return False
    # The keyed values must be the same, whole turns included.
    if before.rotates is None or now.rotates is None:
        return before.rotates is now.rotates
    return bool(np.allclose(before.rotates, now.rotates[:, :, places], atol=SAME_ANGLE, rtol=0.0))
