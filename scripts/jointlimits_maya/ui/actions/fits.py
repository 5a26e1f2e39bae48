"""Actions that fit shapes or skeletons, as long tasks, or use shapes in the scene."""

from __future__ import annotations

from collections.abc import Sequence

from jointlimits_core.formats.registry import TRACK_ENDINGS
from jointlimits_core.limits.limit_set import LimitSet
from jointlimits_core.rig import joint_drivers

from ..document import estimating, host, skeleton_fit
from ..document.state import State
from ..toolkit.words import counted
from .commands import NO_TRANSFORMS
from .desk import Desk
from .scene import SceneActions

TRACKS = f"Tracks ({' '.join(f'*{ending}' for ending in TRACK_ENDINGS)})"
MAX_OFFERED = 4
"""Maximum number of figures offered in a question."""


class ShapeActions:
    """Commands for shapes, which are coupled limits."""

    def __init__(self, desk: Desk) -> None:
        self._desk, self._document = desk, desk.document
        self._document.shaping.fitted.connect(desk.guard(self.report_shapes))

    def fit_shapes(self) -> None:
        """Fit a shape to every joint."""
        if self._document.estimation.busy:
            raise ValueError("an estimate is running; fit shapes when it is done")
        with self._desk.at_work("Fitting shapes"):
            self._document.shaping.fit(**self._desk.options.values_of("shape"))

    def project_live(self) -> None:
        """Keep the selected joints, or all joints, inside their shapes from now on."""
        scene, limits = self._scene_with_shapes(), self._document.limits
        scene.store(limits)
        options = self._desk.options.values_of("project")
        joints: Sequence[str] = self._desk.selected
        by_hand, driven = scene.plan_projecting(limits, joints, options)
        if by_hand:
            some = (joint_drivers.ONLY_DRIVEN,) if driven else ()
            text = joint_drivers.question_about_nodes(by_hand, driven)
            answer = self._desk.choose(text, joint_drivers.BRING_KEYS, *some, joint_drivers.INSERT)
            if answer == joint_drivers.BRING_KEYS:
                self._desk.show_result(scene.project_keys(limits, by_hand, options))
                return
            joints = driven if answer == joint_drivers.ONLY_DRIVEN else joints
        self._desk.show_result(scene.project_live(limits, joints, options))

    def stop_projecting(self) -> None:
        """Restore the original connections of the selected joints, or of all joints."""
        scene = self._desk.scene_or_fail()
        self._desk.show_result(scene.stop_projecting(self._desk.selected))

    def project_keys(self) -> None:
        """Move keys of the selected joints, or of all joints, inside their shapes."""
        scene, limits = self._scene_with_shapes(), self._document.limits
        options = self._desk.options.values_of("project")
        self._desk.show_result(scene.project_keys(limits, self._desk.selected, options))

    def _scene_with_shapes(self) -> host.Scene:
        """The scene; raises ValueError if there is none, or if no selected joint has a shape."""
        scene = self._desk.scene_or_fail()
        joints = self._document.limits.joints
        chosen = [joints[name] for name in self._desk.selected if name in joints]
        if not any(joint.coupled for joint in chosen or joints.values()):
            raise ValueError(
                "these joints have no shapes; press Fit shapes first, or select others"
            )
        return scene

    def report_shapes(self) -> None:
        """Report how many joints have shapes, and how many channels depend on others."""
        self._desk.messages.clear()
        limits = self._document.limits
        shaped = [joint for joint in limits.joints.values() if joint.coupled is not None]
        count = len(limits.dependencies)
        depend = "depends on another" if count == 1 else "depend on others"
        shapes, channels = counted(len(shaped), "joint"), counted(count, "channel")
        self._desk.show_message(f"Shapes fitted to {shapes}; {channels} {depend}.")


class SkeletonActions:
    """Commands that find a skeleton."""

    def __init__(self, desk: Desk, scene: SceneActions) -> None:
        self._desk, self._scene = desk, scene
        self._document = desk.document
        self._built: host.Result | None = None
        self._asked_about = self._document.state
        self._document.tracking.found.connect(desk.guard(self.open_figure))

    def skeleton_from_tracks(self) -> None:
        """Find the skeleton in files that the user chooses."""
        paths = self._desk.questions.existing_files("Skeleton from tracks", TRACKS)
        if paths:
            self.find(paths)

    def find(self, paths: Sequence[str]) -> None:
        """Find the skeleton in files; its motion replaces the open one."""
        self._confirm_replacing()
        self._document.stop()
        values = self._desk.options.values_of("bodies", "tracks")
        with self._desk.at_work("Finding the joints"):
            self._document.tracking.find(paths, **values)

    def _confirm_replacing(self) -> None:
        self._desk.confirm_replacing("The new skeleton")
        self._asked_about = self._document.state

    def skeleton_from_selection(self) -> None:
        """Build a chain beside the selected transforms, and measure it."""
        scene = self._desk.scene_or_fail(NO_TRANSFORMS)
        self._confirm_replacing()
        character, self._built = scene.build_skeleton(self._desk.options.chain_values())
        self._desk.show_result(self._built)
        self._scene.measure_built(character)

    def fit_result(self, limits: LimitSet) -> host.Result:
        """Result of a skeleton fit, to show once its limits are estimated."""
        built, self._built = self._built, None
        if built is not None:
            return built
        words, is_good = skeleton_fit.skeleton_words(self._document.state.traces, limits)
        return host.Result(words, complete=is_good)

    def open_figure(self, figures: Sequence[skeleton_fit.Figure]) -> None:
        """Open and measure a figure that was found; ask which one if there are several."""
        self._desk.messages.clear()
        if self._document.state is not self._asked_about:
            self._confirm_replacing()  # the user may have edited something since the start
        figure = figures[0]
        if len(figures) > 1:
            offered = figures[:MAX_OFFERED]
            count = counted(len(figures), "figure")
            text = (
                f"These tracks contain {count} that are not joined to each other. Which one "
                "should be opened?"
            )
            labels = [figure.words for figure in offered]
            figure = offered[labels.index(self._desk.choose(text, *labels))]
        names = ", ".join(clip.name for clip in figure.clips)
        estimation = self._document.estimation
        options = estimating.with_options(self._document.state.options, self._desk.options.values())
        self._desk.handover.end()
        state = State(clips=figure.clips, options=options, traces=figure.traces)
        estimation.ask(estimating.EstimateRequest(f"Skeleton from {names}", state, True))
