"""Actions on coupled limits: fit them, and keep joints and keys of the scene inside them.

Command that starts a long task, with its progress in the window.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from ..document import LongWork, Scene
from ..toolkit import counted, errors, rollback
from .commands import NO_RIG, open_scene, show_abilities

if TYPE_CHECKING:
    from ..window import Window


class LongAction:
    """One such command.

    Parameters
    ----------
    command : str
        Name under which a failure is reported.
    """

    def __init__(self, window: Window, work: LongWork, command: str) -> None:
        self._window, self._command = window, command
        work.progressed.connect(window.guarded(self._on_progress))
        work.failed.connect(window.guarded(self._on_failed))

    def begin(self, words: str, start: Callable[[], object]) -> None:
        """Begin, with the option to cancel.

        Parameters
        ----------
        words : str
            Description of the task.
        start : callable
        """
        self._window.messages.work(words)
        self._window.actions_by_name["cancel"].setEnabled(True)
        with rollback(self.end):
            start()

    def end(self) -> None:
        """Clear the progress and the option to cancel."""
        self._window.messages.clear()
        show_abilities(self._window)

    def _on_progress(self, done: int, total: int, label: str) -> None:
        self._window.messages.work(label, done, total)

    def _on_failed(self, error: Exception) -> None:
        self.end()
        errors.report(self._window, self._command, error)


class ShapeActions:
    """Commands for coupled limits."""

    def __init__(self, window: Window) -> None:
        self._window = window
        self._document = window.document
        shaping = self._document.shaping
        self._fitting = LongAction(window, shaping, "fit_shapes")
        shaping.fitted.connect(window.guarded(self._on_fitted))

    def fit_shapes(self) -> None:
        """Fit a shape to every joint."""
        if self._document.estimation.busy:
            raise ValueError("an estimate is running; fit shapes when it is done")
        values = self._window.options.shape_values()
        fit = partial(self._document.shaping.fit, **values)
        self._fitting.begin("Fitting shapes", fit)

    def project_live(self) -> None:
        """Keep the selected joints, or all, inside their shapes from now on."""
        scene, limits = self._scene_with_shapes(), self._document.limits
        scene.store(limits)
        options = self._window.options.project_values()
        self._window.show_result(scene.project_live(limits, self._window.selected, options))

    def stop_projecting(self) -> None:
        """Restore the original connections of the selected joints, or all."""
        scene = open_scene(self._window, NO_RIG)
        self._window.show_result(scene.stop_projecting(self._window.selected))

    def project_keys(self) -> None:
        """Move keys of the selected joints, or all, inside their shapes."""
        scene, limits = self._scene_with_shapes(), self._document.limits
        options = self._window.options.project_values()
        self._window.show_result(scene.project_keys(limits, self._window.selected, options))

    def _scene_with_shapes(self) -> Scene:
        """The scene; raises ValueError without one, or if no selected joint has a shape."""
        scene = open_scene(self._window, NO_RIG)
        joints = self._document.limits.joints
        chosen = [joints[name] for name in self._window.selected if name in joints]
        if not any(joint.coupled for joint in chosen or joints.values()):
            raise ValueError(
                "these joints have no shapes; press Fit shapes first, or select others"
            )
        return scene

    def _on_fitted(self) -> None:
        self._fitting.end()
        limits = self._document.limits
        shaped = [joint for joint in limits.joints.values() if joint.coupled is not None]
        shapes = counted(len(shaped), "{count} joint with a shape", "{count} joints with shapes")
        found = counted(len(limits.dependencies), "{count} channel depends on another",
                        "{count} channels depend on others")  # fmt: skip
        self._window.show_message(f"{shapes}; {found}.")
