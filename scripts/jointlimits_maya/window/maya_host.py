"""The window's host in Maya: the scene, its time and selection, and changes to it."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from math import nan
from typing import Any

from maya import cmds

from jointlimits_core.base.progress import Progress
from jointlimits_core.base.text import plural
from jointlimits_core.limits.limit_set import LimitSet
from jointlimits_core.motion.motion import Motion
from jointlimits_core.motion.name_matching import matched_joints
from jointlimits_core.rig import joint_drivers
from jointlimits_core.rig.clamping import entries_of
from jointlimits_core.rig.filter_keys import KeyFilterReport

from ..base import host
from ..base.host import SceneError, guard, scene_progress
from ..base.open_maya import om, oma
from ..commands.base import JointLimitsCommand, Reader
from ..commands.limits import ApplyCommand, ClearCommand, SwitchCommand
from ..commands.table import ProjectCommand, ProjectKeysCommand, SkeletonCommand
from ..limits import api
from ..projection import api as projecting_api
from ..projection.live import plan_stopping
from ..read.drivers import NODE_TYPE
from ..read.motion import current_pose_motion
from ..scene import estimates, preserve
from ..scene import undo as undoable
from ..scene.joints import (
    CONTROLS,
    all_controls,
    chosen_joints,
    is_control,
    joint_names,
    nodes_of_type,
    selected_transforms,
    short_name,
)
from ..scene.time import current_frame
from ..skeleton import api as skeleton_api
from ..ui.document.host import (
    FRAME,
    NODES,
    SCENE,
    SELECTION,
    ApplyPlan,
    Result,
    Watcher,
    filter_result,
)
from ..ui.document.skeleton_fit import Trace, slip_words
from ..ui.plots.strip_layout import Mark
from ..ui.toolkit.words import option_place
from . import guides

GONE = (
    "the character that these limits were measured on is no longer in the scene; select a "
    "character and estimate again, or open the scene it is in"
)

NO_CONTROLS = "There are no controls (transforms with curve shapes) in this scene."


class SceneCharacter:
    """A character: top joints and all joints below them, tracked even if they are renamed.

    `joints`: at least one joint, or control; only the topmost are stored. `name`: original name of
    the first top joint, with namespace. `of_controls`: whether it consists of controls. `clip`:
    name of the motion last read from the character.
    """

    def __init__(self, joints: Sequence[om.MDagPath]) -> None:
        tops = [top for top, _ in estimates.by_top(joints)]
        self.of_controls = is_control(tops[0])
        self._tops = [om.MObjectHandle(joint.node()) for joint in tops]
        self.name = short_name(str(tops[0].fullPathName()))
        self.clip = ""

    def tops(self) -> list[str]:
        """Full paths of the character's top joints that are still in the scene."""
        nodes = (handle.object() for handle in self._tops if handle.isValid())
        paths = map(om.MDagPath.getAPathTo, nodes)
        # A control that has lost its curves is no longer a control.
        return [str(one.fullPathName()) for one in paths if is_control(one) == self.of_controls]

    def existing_tops(self) -> list[str]:
        """Full paths of the character's top joints; raises SceneError if the character is gone."""
        tops = self.tops()
        if not tops:
            raise SceneError(GONE)
        return tops

    def joints(self) -> list[om.MDagPath]:
        """All joints of the character that are still in the scene, parents before children."""
        tops = self.tops()
        return chosen_joints(tops, controls=self.of_controls) if tops else []

    def joint_names(self) -> tuple[str, ...]:
        """Current names of the character's joints."""
        return tuple(joint_names(self.joints()))

    def exists(self) -> bool:
        """Whether any of the character's joints is still in the scene."""
        return bool(self.tops())

    def overlaps(self, other: Any) -> bool:
        """Whether the character shares a joint with another one."""
        return bool(self._paths() & other._paths())

    def is_part_of(self, other: Any) -> bool:
        """Whether another character has all joints of this one and more."""
        return bool(self._paths() < other._paths())

    def _paths(self) -> frozenset[str]:
        return frozenset(str(joint.fullPathName()) for joint in self.joints())


class MayaHost:
    """Host for the open scene; works on the held character, or else on the selection."""

    title = host.TITLE
    wait_for = staticmethod(scene_progress)
    logger = staticmethod(host.logger)
    current_frame = staticmethod(current_frame)
    guides_shown = staticmethod(guides.guides_are_shown)

    def __init__(self) -> None:
        self._character: SceneCharacter | None = None
        self.measures_controls = False
        self.folder = host.user_folder()

    @property
    def scene(self) -> MayaHost:
        """The open scene, which is this host itself."""
        return self

    def show_clips(self, clips: Sequence[Motion]) -> None:
        """Do nothing: the scene shows its own motion."""

    def chosen_character(self) -> SceneCharacter:
        """Return the selected character, or the held one if nothing is selected.

        If it has no nodes of the wanted kind (joints or controls), its top groups are searched.
        """
        held = self._character
        is_held = held is not None and held.exists() and not _is_anything_selected()
        if held is not None and is_held and held.of_controls == self.measures_controls:
            return held
        if not (is_held or self.measures_controls):
            return SceneCharacter(chosen_joints())
        tops = held.tops() if held is not None and is_held else selected_transforms(CONTROLS)
        groups = sorted({f"|{top.split('|')[1]}" for top in tops})
        for names in (tops, groups):
            found = chosen_joints(names, controls=None)
            chosen = [one for one in found if is_control(one) == self.measures_controls]
            if chosen:
                return SceneCharacter(chosen)
        kind = "controls" if self.measures_controls else "joints"
        raise SceneError(f"there are no {kind} below {short_name(groups[0])}; select some")

    def selected_character(self) -> SceneCharacter | None:
        """Return the selected character, if the selection has joints."""
        if not _is_anything_selected():
            return None
        try:
            found = self.chosen_character()
        except SceneError:
            return None
        held = self._character
        # Animators select controls all the time.
        is_beside = held is not None and held.exists() and found.of_controls != held.of_controls
        return None if is_beside else found

    def hold(self, character: Any) -> None:
        """Work on this character from now on; None means the selection."""
        self._character = character
        if character is not None:
            self.measures_controls = character.of_controls

    def why_no_controls(self) -> str:
        """Reason why there are no controls to measure; empty if there are."""
        return "" if any(True for _ in all_controls()) else NO_CONTROLS

    def read_motion(
        self, character: Any, options: Mapping[str, Any], progress: Progress | None
    ) -> Motion:
        """Read a character's motion."""
        given = {**options, "controls": character.of_controls}
        motion = api.read_motion(character.existing_tops(), progress=progress, **given)
        character.clip = motion.name
        return motion

    def build_skeleton(self, options: Mapping[str, Any]) -> tuple[SceneCharacter, Result]:
        """Build joints for the selected transforms; one undo step."""
        with scene_progress("Sampling the transforms") as progress:
            result = skeleton_api.estimate_skeleton(progress=progress, **options)
        built = SceneCharacter(chosen_joints(result.roots[:1]))
        return built, _result_of(SkeletonCommand, result)

    def traces(self, character: Any) -> Mapping[str, Trace]:
        """Residuals and slips of joints that were built from tracked transforms."""
        traces = {}
        tops, controls = character.existing_tops(), character.of_controls
        for name, one in skeleton_api.joint_quality(tops, controls=controls).items():
            slips = (Mark(frame, slip_words(mm, angle or nan)) for frame, mm, angle in one.slips)
            if len(one.frames) or one.slips:
                traces[name] = Trace(one.frames, one.residual_mm, tuple(slips))
        return traces

    def latest(self, character: Any) -> LimitSet | None:
        """Return the latest estimate of a character."""
        return estimates.latest(character.joints())

    def store(self, limit_set: LimitSet) -> None:
        """Store limits where the shelf buttons find them."""
        joints = self._joints()
        if joints:
            estimates.save(limit_set, joints)

    def plan_apply(self, limit_set: LimitSet, options: Mapping[str, Any]) -> ApplyPlan:
        """Preview Apply without changing anything."""
        with scene_progress("Reading the animation") as progress:
            given = {**options, **self._kind()}
            result = api.apply.plan(limit_set, self._tops(), progress=progress, **given).result
        return ApplyPlan(result.left_off, result.controls, result.noun)

    def apply(
        self, limit_set: LimitSet, options: Mapping[str, Any], may_move: bool = False
    ) -> Result:
        """Write limits; one undo step."""
        given = {**options, **self._kind()}
        result = api.apply(limit_set, self._tops(), may_move=may_move, **given)
        done = result.written or result.unchanged
        entries = entries_of(result.left_off, result.clips, result.still_clamped, "the scene")
        reported = _result_of(ApplyCommand, result, bool(done) and result.is_complete)
        return replace(reported, entries=entries)

    def keys_to_filter(self) -> KeyFilterReport:
        """Rotate keys that would be filtered; changes nothing."""
        with scene_progress("Reading the animation") as progress:
            planned = api.filter_keys.plan(self._tops(), progress=progress, **self._kind())
            return planned.result.filtered

    def filter_keys(self) -> Result:
        """Bring rotate keys to one Euler branch; one undo step."""
        return filter_result(api.filter_keys(self._tops(), **self._kind()).filtered)

    def clear(self) -> Result:
        """Restore the limits that the joints had before; one undo step."""
        return _result_of(ClearCommand, api.clear(self._tops(), **self._kind()))

    def switch(self) -> Result:
        """Toggle limits: off if any is on, else on; one undo step."""
        result = api.switch_limits(None, self._tops(), **self._kind())
        return _result_of(SwitchCommand, result, not result.skipped)

    def guides(self, limit_set: LimitSet | None, joints: Sequence[str]) -> Result:
        """Draw guides for joints of the character, or remove all guides; one undo step."""
        if limit_set is None:
            guides.remove_guides()
            return Result("Guides removed.")
        self._tops()  # raises if the character is gone
        chosen = self._joints_named(joints) if joints else self._joints()
        drawn = guides.show_guides(limit_set, chosen)
        return Result(f"Guides shown for {plural(len(drawn), limit_set.noun)}.")

    def plan_projecting(
        self, limit_set: LimitSet, joints: Sequence[str], options: Mapping[str, Any]
    ) -> tuple[Sequence[str], Sequence[str]]:
        """Joints posed by hand, and driven ones, that would get nodes; changes nothing."""
        wanted = _reduce_to_joints(limit_set, joints)
        given = {**options, **self._kind()}
        result = projecting_api.project_live.plan(wanted, self._tops(), **given).result
        driven = [name for name in result.projected if name not in result.by_hand]
        return result.by_hand, driven

    def project_live(
        self, limit_set: LimitSet, joints: Sequence[str], options: Mapping[str, Any]
    ) -> Result:
        """Keep joints inside their shapes; one undo step."""
        wanted = _reduce_to_joints(limit_set, joints)
        result = projecting_api.project_live(wanted, self._tops(), **options, **self._kind())
        return _result_of(ProjectCommand, result)

    def stop_projecting(self, joints: Sequence[str]) -> Result:
        """Stop projecting, so that joints are driven as before; one undo step."""
        self._tops()  # raises if the character is gone
        candidates = self._joints() or chosen_joints()
        names = joint_names(candidates)
        chosen = [j for j, name in zip(candidates, names) if name in joints or not joints]
        edit, result = plan_stopping(chosen)
        undoable.run(edit)
        return _result_of(ProjectCommand, result)

    def project_keys(
        self, limit_set: LimitSet, joints: Sequence[str], options: Mapping[str, Any]
    ) -> Result:
        """Move keys inside the joints' shapes; one undo step."""
        wanted = _reduce_to_joints(limit_set, joints)
        result = projecting_api.project_keys(wanted, self._tops(), **options, **self._kind())
        return _result_of(ProjectKeysCommand, result)

    def go_to_frame(self, clip: str, frame: float) -> bool:
        """Move the time slider, if the clip belongs to this scene."""
        held = self._character
        if held is not None and held.clip and clip != held.clip:
            return False
        # Only our node needs the slower way.
        has_nodes = cmds.pluginInfo(undoable.PLUG_IN, query=True, loaded=True)
        has_nodes = has_nodes and any(nodes_of_type(NODE_TYPE))
        go = preserve.go_to if has_nodes else oma.MAnimControl.setCurrentTime
        # live check: api-time-change-without-undo
        go(om.MTime(frame, om.MTime.uiUnit()))
        return True

    def current_pose(self) -> Motion | None:
        """Return the current pose, bypassing limits that are on."""
        joints = self._joints()
        return current_pose_motion(joints) if joints else None

    def scene_joints(self) -> frozenset[str] | None:
        """Names of the character's joints; None until there is a character."""
        return None if self._character is None else frozenset(self._character.joint_names())

    def selected_joints(self) -> tuple[str, ...]:
        """Names of the character's joints that are selected."""
        selected = set(cmds.ls(selection=True, long=True, type="transform") or ())
        joints = self._joints()
        return tuple(
            name
            for joint, name in zip(joints, joint_names(joints))
            if str(joint.fullPathName()) in selected
        )

    def select_joints(self, names: Sequence[str]) -> None:
        """Select joints of the character."""
        paths = [str(joint.fullPathName()) for joint in self._joints_named(names)]
        if paths:
            cmds.select(paths, replace=True)

    def _joints(self) -> list[om.MDagPath]:
        """All joints of the held character; none if it is gone."""
        return [] if self._character is None else self._character.joints()

    def _joints_named(self, names: Sequence[str]) -> list[om.MDagPath]:
        """Joints of the character with these names, in any namespace."""
        joints = self._joints()
        found = matched_joints(names, joint_names(joints))
        return [joints[place] for place in sorted(found.values())]

    def _tops(self) -> list[str]:
        """Joints to pass to the api; empty (meaning the selection) if there is no character.

        Raises SceneError if the character is gone.
        """
        return [] if self._character is None else self._character.existing_tops()

    def _kind(self) -> dict[str, Any]:
        """The option that chooses controls, if the held character consists of controls."""
        held = self._character
        return {"controls": True} if held is not None and held.of_controls else {}

    def watch(self, watcher: Watcher) -> Callable[[], None]:
        """Report Maya's events until the returned function is called."""
        # live check: script-job-events
        jobs = [
            int(cmds.scriptJob(event=(event, lambda *_, what=what: watcher(what))))
            for event, what in EVENTS.items()
        ]

        def stop() -> None:
            for job in jobs:
                if cmds.scriptJob(exists=job):
                    cmds.scriptJob(kill=job, force=True)

        return stop


PLACES = {
    "may_move": "Apply all",
    "filter_keys": "Filter keys",
    "enable_driven": f"the answer {joint_drivers.TURN_ON!r}",
}
IN_WINDOW = Reader(lambda name: PLACES.get(name) or option_place(name), "Details")
"""Wording of options and details in the window's messages."""


def _result_of(
    command: type[JointLimitsCommand], result: Any, is_complete: bool | None = None
) -> Result:
    complete = command.is_complete(result) if is_complete is None else is_complete
    return Result(*command.message(result, IN_WINDOW), complete)


def _reduce_to_joints(limit_set: LimitSet, joints: Sequence[str]) -> LimitSet:
    """Limit set reduced to the named joints; all joints if none is named."""
    if not joints:
        return limit_set
    return replace(limit_set, joints={n: j for n, j in limit_set.joints.items() if n in joints})


EVENTS = {
    "timeChanged": FRAME,
    "SelectionChanged": SELECTION,
    "NewSceneOpened": SCENE,
    "SceneOpened": SCENE,
    "NameChanged": NODES,
    "Undo": NODES,
    "Redo": NODES,
}
"""Maya's events and the matching events of the window."""


def _is_anything_selected() -> bool:
    return bool(cmds.ls(selection=True, type="transform"))


# The panel that Maya restores with its layout

CONTROL = "jointLimitsWindow"
FILL = "from jointlimits_maya.window import maya_host; maya_host.fill()"
"""Python that Maya runs to fill the panel: when it opens, and when a layout is restored."""
CLOSED = "from jointlimits_maya.window import maya_host; maya_host.closed()"
"""Python that Maya runs when the panel is closed."""

_shown: list[Any] = []
"""The open window, if any; this reference keeps it alive."""


def open_window() -> Any:
    """Show the window, creating it if needed; returns the Window."""
    if not cmds.workspaceControl(CONTROL, exists=True):
        # live check: workspace-control
        cmds.workspaceControl(
            CONTROL,
            label=host.TITLE,
            retain=False,
            floating=True,
            initialWidth=1180,
            initialHeight=780,
            minimumWidth=420,
            uiScript=FILL,
            closeCommand=CLOSED,
        )
    else:
        cmds.workspaceControl(CONTROL, edit=True, restore=True)
    if window() is None:
        fill()  # Maya may run the script of a new panel later
    return window()


def _load_qt() -> None:
    """Import the Qt binding of this Maya: a user may have installed another one beside it."""
    # live check: qt-of-this-maya
    binding = "PySide2" if str(cmds.about(qtVersion=True)).startswith("5.") else "PySide6"
    importlib.import_module(f"{binding}.QtCore")


def window() -> Any:
    """Return the open window, or None."""
    _load_qt()
    from ..ui.toolkit.qt import isValid

    _shown[:] = [one for one in _shown if isValid(one)]
    return _shown[0] if _shown else None


@guard
def fill() -> None:
    """Put the window in its panel, unless it is there; called by Maya."""
    from maya import OpenMayaUI

    shown = window()
    from ..ui.toolkit.qt import QtWidgets, wrapInstance
    from ..ui.window import Window

    address = OpenMayaUI.MQtUtil.findControl(CONTROL)
    panel = wrapInstance(int(address), QtWidgets.QWidget)
    if shown is not None and shown.parent() is panel:
        return
    for old in list(_shown):
        close(old)
    made = Window(MayaHost(), parent=panel)
    panel.layout().addWidget(made)
    made.show()  # the panel may be there already
    _shown[:] = [made]


def closed() -> None:
    """Shut down the window whose panel was closed; called by Maya."""
    one = window()
    if one is not None:
        guard(close)(one)


def close(one: Any) -> None:
    """Shut down a window, with all its script jobs."""
    from ..ui.toolkit.qt import isValid

    _shown[:] = [other for other in _shown if other is not one]
    if isValid(one):
        one.shut_down()
        one.setParent(None)
        one.deleteLater()
