"""Maya as the window's surroundings: the scene, its time and selection, and what changes in it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from math import nan
from pathlib import Path
from typing import Any

import maya.api.OpenMaya as om
import maya.api.OpenMayaAnim as oma
from maya import cmds

from jointlimits_core.applying.joint_plan import Skipped
from jointlimits_core.limits.limit_set import LimitSet
from jointlimits_core.motion import Motion
from jointlimits_core.progress import Progress

from . import (
    api,
    guides,
    host,
    interactive,
    kept,
    log,
    projecting_api,
    projecting_wording,
    skeleton_api,
    skeleton_wording,
    undoable,
    wording,
)
from .held_character import HeldCharacter, selected_character, tops_of
from .joint_choice import chosen_joints
from .names import joint_names
from .progress import scene_progress
from .projecting import plan_stopping
from .scene import motion_as_it_stands
from .scene_character import SceneCharacter
from .scene_events import watch_scene
from .skeleton_results import JointQuality
from .time_choice import current_frame
from .ui.geometry.strip_rows import Mark
from .ui.host import SCENE_WORK, Said, Watcher
from .ui.option_words import in_window
from .ui.traces import Trace, slip_words


class MayaHost:
    """The open scene.

    It works on the character that it was told to hold; while that is none, on the selection.
    """

    title = host.TITLE
    can = frozenset(SCENE_WORK)

    def __init__(self) -> None:
        self._held = HeldCharacter()

    @property
    def folder(self) -> Path:
        """Folder of the user's, for what the window remembers."""
        return host.user_folder()

    def show_clips(self, clips: Sequence[Motion]) -> None:
        """Pass: the scene shows its own motion."""

    def why_not(self, what: str) -> str:
        """Everything can be done in Maya."""
        return ""

    # --- reading ------------------------------------------------------------------------------

    def chosen(self) -> SceneCharacter:
        """Return the selected character; the one that is held if nothing is selected."""
        return self._held.chosen()

    def selected(self) -> SceneCharacter | None:
        """Return the selected character, if what is selected has joints."""
        return selected_character()

    def hold(self, character: Any) -> None:
        """Work on this character from now on; None: on the selection."""
        self._held.character = character

    def read_motion(
        self, character: Any, options: Mapping[str, Any], progress: Progress | None
    ) -> Motion:
        """Motion of a character."""
        motion = api.read_motion(tops_of(character), progress=progress, **options)
        character.clip = motion.name
        return motion

    def build_skeleton(self, options: Mapping[str, Any]) -> tuple[SceneCharacter, Said]:
        """Build joints beside the selected transforms; one undo."""
        with scene_progress("Sampling the transforms") as progress:
            result = skeleton_api.estimate_skeleton(progress=progress, **options)
        built = SceneCharacter(chosen_joints(result.roots[:1]))
        return built, _said(skeleton_wording.skeleton_said(result), result.is_whole)

    def traces(self, character: Any) -> Mapping[str, Trace]:
        """How well the joints of a character hold that was built beside transforms."""
        found = skeleton_api.joint_quality(tops_of(character))
        known = {name: one for name, one in found.items() if len(one.frames) or one.slips}
        return {name: _trace(quality) for name, quality in known.items()}

    def latest(self, character: Any) -> LimitSet | None:
        """Return the limits that are kept of a character."""
        return kept.latest(character.joints())

    def keep(self, limit_set: LimitSet) -> None:
        """Keep limits where the shelf's buttons find them."""
        joints = self._held.joints()
        if joints:
            kept.save(limit_set, joints)

    # --- changing -----------------------------------------------------------------------------

    def would_clip(self, limit_set: LimitSet, options: Mapping[str, Any]) -> str:
        """Say what limits would clip, worst first; nothing is changed."""
        asked = {**options, "may_move": True}
        with scene_progress("Reading the animation") as progress:
            clips = api.prepare_apply(limit_set, self._held.tops(), asked, progress).result.clips
        return wording.clipping_asked(clips) if clips else ""

    def apply(
        self, limit_set: LimitSet, options: Mapping[str, Any], may_move: bool = False
    ) -> Said:
        """Write limits; one undo."""
        result = api.apply(limit_set, self._held.tops(), may_move=may_move, **options)
        result = replace(result, skipped=tuple(_in_window(one) for one in result.skipped))
        done = result.written or result.unchanged
        return _said(wording.apply_said(result), bool(done) and not result.skipped)

    def clear(self) -> Said:
        """Give the joints back what they had; one undo."""
        result = api.clear(self._held.tops())
        return _said(wording.clear_said(result), not result.skipped)

    def switch(self) -> Said:
        """Switch limits off if any is on, else on; one undo."""
        prepared = api.prepare_switch(False, self._held.tops(), {})
        if not prepared.result.switched:
            prepared = api.prepare_switch(True, self._held.tops(), {})
        undoable.run(prepared.edit)
        return _said(wording.switch_said(prepared.result), not prepared.result.skipped)

    def guides(self, limit_set: LimitSet | None, joints: Sequence[str]) -> Said:
        """Draw guides of some joints of the character, or take all away; one undo."""
        if limit_set is None:
            guides.remove_guides()
            return Said("The guides are gone.")
        self._held.tops()  # says so if the character is gone
        chosen = self._held.called(joints) if joints else self._held.joints()
        drawn = guides.show_guides(limit_set, chosen)
        return Said(f"Guides of {wording.counted(len(drawn), 'joint')}, until you take them away.")

    def guides_shown(self) -> bool:
        """Whether there are guides in the scene, as Maya's undo has left it."""
        return guides.guides_are_shown()

    # --- shapes -------------------------------------------------------------------------------

    def keep_inside(
        self, limit_set: LimitSet, joints: Sequence[str], options: Mapping[str, Any]
    ) -> Said:
        """Keep joints inside their shapes; one undo."""
        wanted = _of_joints(limit_set, joints)
        result = projecting_api.project_live(wanted, self._held.tops(), **options)
        return Said(*projecting_wording.project_said(result), result.is_whole)

    def let_go(self, joints: Sequence[str]) -> Said:
        """Drive joints as before; one undo."""
        self._held.tops()  # says so if the character is gone
        everybody = self._held.joints() or chosen_joints()
        names = joint_names(everybody)
        chosen = [j for j, name in zip(everybody, names) if name in joints or not joints]
        edit, result = plan_stopping(chosen)
        undoable.run(edit)
        return Said(*projecting_wording.stop_said(result), result.is_whole)

    def keys_inside(
        self, limit_set: LimitSet, joints: Sequence[str], options: Mapping[str, Any]
    ) -> Said:
        """Bring keys inside shapes; one undo."""
        wanted = _of_joints(limit_set, joints)
        result = projecting_api.project_keys(wanted, self._held.tops(), **options)
        return Said(*projecting_wording.keys_said(result), result.is_whole)

    def undo(self) -> None:
        """Undo the last thing in the scene."""
        cmds.undo()

    # --- time and pose ------------------------------------------------------------------------

    def current_frame(self) -> float | None:
        """Where the time slider stands."""
        return current_frame()

    def go_to_frame(self, clip: str, frame: float) -> bool:
        """Move the time slider, if the clip is of this scene."""
        held = self._held.character
        if held is not None and held.clip and clip != held.clip:
            return False
        # live check: api-time-change-without-undo
        oma.MAnimControl.setCurrentTime(om.MTime(frame, om.MTime.uiUnit()))
        return True

    def current_pose(self) -> Motion | None:
        """Return the pose as it stands, looked at past limits that are on."""
        joints = self._held.joints()
        return motion_as_it_stands(joints) if joints else None

    # --- joints -------------------------------------------------------------------------------

    def joints_there(self) -> frozenset[str] | None:
        """Names of the character's joints; None until there is a character."""
        return self._held.names_there()

    def selected_joints(self) -> tuple[str, ...]:
        """Names of the character's joints that are selected."""
        return self._held.selected_names()

    def select_joints(self, names: Sequence[str]) -> None:
        """Select joints of the character."""
        paths = [str(joint.fullPathName()) for joint in self._held.called(names)]
        if paths:
            cmds.select(paths, replace=True)

    # --- what happens -------------------------------------------------------------------------

    def watch(self, watcher: Watcher) -> Callable[[], None]:
        """Tell of what happens in Maya, until the returned function is called."""
        return watch_scene(watcher)

    def wait_for(self, title: str) -> AbstractContextManager[Progress | None]:
        """Maya's progress bar, with Esc."""
        return scene_progress(title)

    @property
    def log_path(self) -> Path:
        """Path of the log."""
        return log.log_path()

    def note(self, what: str, error: BaseException) -> str:
        """Write the details of a failure into the log."""
        log.logger().error("%s failed", what, exc_info=error)
        return str(log.log_path())

    def open_log(self) -> str:
        """Show the log."""
        if not log.log_path().is_file():
            return "The log is empty: nothing has failed yet."
        interactive.open_log()
        return f"The log is {log.log_path()}; its path can be pasted into a message."


def _said(words: tuple[str, str], whole: bool) -> Said:
    """What came of something, with what there is to click in the window."""
    text, details = map(in_window, words)
    return Said(text, details, whole)


def _trace(quality: JointQuality) -> Trace:
    """The same as the window has it."""
    marks = (Mark(frame, slip_words(mm, angle or nan)) for frame, mm, angle in quality.slips)
    return Trace(quality.frames, quality.residual_mm, tuple(marks))


def _of_joints(limit_set: LimitSet, joints: Sequence[str]) -> LimitSet:
    """Only some joints of a limit set; all if none is named."""
    if not joints:
        return limit_set
    return replace(limit_set, joints={n: j for n, j in limit_set.joints.items() if n in joints})


def _in_window(one: Skipped) -> Skipped:
    """Advice on limits that would clip, as the window goes about it."""
    if not one.reason.startswith("would clip"):
        return one
    return replace(one, advice="to write it all the same, press Apply and choose Apply all")
