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
from jointlimits_core.evaluation.matching import matched_joints
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
from .errors import SceneError
from .joint_choice import chosen_joints
from .names import joint_names
from .progress import scene_progress
from .projecting import plan_stopping
from .scene import motion_as_it_stands
from .scene_character import SceneCharacter
from .skeleton_results import JointQuality
from .time_choice import current_frame
from .ui.geometry.strip_rows import Mark
from .ui.host import FRAME, NODES, SCENE, SCENE_WORK, SELECTION, Said, Watcher
from .ui.option_words import in_window
from .ui.traces import Trace, slip_words

EVENTS = {
    "timeChanged": FRAME,
    "SelectionChanged": SELECTION,
    "NewSceneOpened": SCENE,
    "SceneOpened": SCENE,
    "NameChanged": NODES,
    "Undo": NODES,
    "Redo": NODES,
}
"""Maya's events, and what they are for the window."""

GONE = (
    "the character that these limits are for is not in the scene any more; select a character and "
    "estimate again, or open its scene"
)


class MayaHost:
    """The open scene.

    It works on the character that it was told to hold; while that is none, on the selection.
    """

    title = host.TITLE
    can = frozenset(SCENE_WORK)

    def __init__(self) -> None:
        self._character: SceneCharacter | None = None

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
        held = self._character
        is_selected = bool(cmds.ls(selection=True, type="transform"))
        if held is not None and held.is_there() and not is_selected:
            return held
        return SceneCharacter(chosen_joints())

    def selected(self) -> SceneCharacter | None:
        """Return the selected character, if what is selected has joints."""
        if not cmds.ls(selection=True, type="transform"):
            return None
        try:
            return SceneCharacter(chosen_joints())
        except SceneError:
            return None

    def hold(self, character: Any) -> None:
        """Work on this character from now on; None: on the selection."""
        self._character = character

    def read_motion(
        self, character: Any, options: Mapping[str, Any], progress: Progress | None
    ) -> Motion:
        """Motion of a character."""
        motion = api.read_motion(_tops_of(character), progress=progress, **options)
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
        found = skeleton_api.joint_quality(_tops_of(character))
        known = {name: one for name, one in found.items() if len(one.frames) or one.slips}
        return {name: _trace(quality) for name, quality in known.items()}

    def latest(self, character: Any) -> LimitSet | None:
        """Return the limits that are kept of a character."""
        return kept.latest(character.joints())

    def keep(self, limit_set: LimitSet) -> None:
        """Keep limits where the shelf's buttons find them."""
        joints = self._joints()
        if joints:
            kept.save(limit_set, joints)

    # --- changing -----------------------------------------------------------------------------

    def would_clip(self, limit_set: LimitSet, options: Mapping[str, Any]) -> str:
        """Say what limits would clip, worst first; nothing is changed."""
        asked = {**options, "may_move": True}
        with scene_progress("Reading the animation") as progress:
            clips = api.prepare_apply(limit_set, self._names(), asked, progress).result.clips
        return wording.clipping_asked(clips) if clips else ""

    def apply(
        self, limit_set: LimitSet, options: Mapping[str, Any], may_move: bool = False
    ) -> Said:
        """Write limits; one undo."""
        result = api.apply(limit_set, self._names(), may_move=may_move, **options)
        result = replace(result, skipped=tuple(_in_window(one) for one in result.skipped))
        done = result.written or result.unchanged
        return _said(wording.apply_said(result), bool(done) and not result.skipped)

    def clear(self) -> Said:
        """Give the joints back what they had; one undo."""
        result = api.clear(self._names())
        return _said(wording.clear_said(result), not result.skipped)

    def switch(self) -> Said:
        """Switch limits off if any is on, else on; one undo."""
        prepared = api.prepare_switch(False, self._names(), {})
        if not prepared.result.switched:
            prepared = api.prepare_switch(True, self._names(), {})
        undoable.run(prepared.edit)
        return _said(wording.switch_said(prepared.result), not prepared.result.skipped)

    def guides(self, limit_set: LimitSet | None, joints: Sequence[str]) -> Said:
        """Draw guides of some joints of the character, or take all away; one undo."""
        if limit_set is None:
            guides.remove_guides()
            return Said("The guides are gone.")
        self._names()  # says so if the character is gone
        chosen = self._called(joints) if joints else self._joints()
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
        result = projecting_api.project_live(wanted, self._names(), **options)
        return Said(*projecting_wording.project_said(result), result.is_whole)

    def let_go(self, joints: Sequence[str]) -> Said:
        """Drive joints as before; one undo."""
        self._names()  # says so if the character is gone
        everybody = self._joints() or chosen_joints()
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
        result = projecting_api.project_keys(wanted, self._names(), **options)
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
        held = self._character
        if held is not None and held.clip and clip != held.clip:
            return False
        # live check: api-time-change-without-undo
        oma.MAnimControl.setCurrentTime(om.MTime(frame, om.MTime.uiUnit()))
        return True

    def current_pose(self) -> Motion | None:
        """Return the pose as it stands, looked at past limits that are on."""
        joints = self._joints()
        return motion_as_it_stands(joints) if joints else None

    # --- joints -------------------------------------------------------------------------------

    def joints_there(self) -> frozenset[str] | None:
        """Names of the character's joints; None until there is a character."""
        return None if self._character is None else frozenset(self._character.joint_names())

    def selected_joints(self) -> tuple[str, ...]:
        """Names of the character's joints that are selected."""
        selected = set(cmds.ls(selection=True, long=True, type="joint") or ())
        joints = self._joints()
        return tuple(
            name
            for joint, name in zip(joints, joint_names(joints))
            if str(joint.fullPathName()) in selected
        )

    def select_joints(self, names: Sequence[str]) -> None:
        """Select joints of the character."""
        paths = [str(joint.fullPathName()) for joint in self._called(names)]
        if paths:
            cmds.select(paths, replace=True)

    # --- what happens -------------------------------------------------------------------------

    def watch(self, watcher: Watcher) -> Callable[[], None]:
        """Tell of what happens in Maya, until the returned function is called."""
        # live check: script-job-events
        jobs = [
            int(cmds.scriptJob(event=(event, _telling(watcher, what))))
            for event, what in EVENTS.items()
        ]

        def stop() -> None:
            for job in jobs:
                if cmds.scriptJob(exists=job):
                    cmds.scriptJob(kill=job, force=True)

        return stop

    def wait_for(self, title: str) -> AbstractContextManager[Progress | None]:
        """Maya's progress bar, with Esc."""
        return scene_progress(title)

    def note(self, what: str, error: BaseException) -> str:
        """Write the details of a failure into the log."""
        log.logger().error("%s failed", what, exc_info=error)
        return str(log.log_path())

    def open_log(self) -> str:
        """Show the log."""
        if not log.log_path().is_file():
            return "The log is empty: nothing has failed yet."
        interactive.open_log()
        return f"The log is {log.log_path()}"

    # --- the character ------------------------------------------------------------------------

    def _joints(self) -> list[om.MDagPath]:
        """All joints of the character that are there; none if it is gone."""
        return [] if self._character is None else self._character.joints()

    def _called(self, names: Sequence[str]) -> list[om.MDagPath]:
        """Those of them that limits call so, whatever their namespace is by now."""
        joints = self._joints()
        found = matched_joints(names, joint_names(joints))
        return [joints[place] for place in sorted(found.values())]

    def _names(self) -> list[str]:
        """Names to call the functions of the api with; none, which is the selection, without one.

        Raises
        ------
        SceneError
            If the character is gone.
        """
        return [] if self._character is None else _tops_of(self._character)


def _tops_of(character: SceneCharacter) -> list[str]:
    tops = character.tops()
    if not tops:
        raise SceneError(GONE)
    return tops


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


def _telling(watcher: Watcher, what: str) -> Callable[..., None]:
    """Make a function of no arguments for a job."""

    def tell(*_: Any) -> None:
        watcher(what)

    return tell
