"""What is done with coupled limits: fit them, keep joints and keys of the scene inside them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import speaking
from .abilities import show_abilities
from .host import Said
from .taking_back import taking_back
from .words import counted, tr

if TYPE_CHECKING:
    from .window import Window


class ShapeActions:
    """Commands about coupled limits.

    Parameters
    ----------
    window : Window
    """

    def __init__(self, window: Window) -> None:
        self._window = window
        self._document, self._host = window.document, window.host
        shaping = self._document.shaping
        for signal, slot in ((shaping.progressed, self._on_progress),
                             (shaping.fitted, self._on_fitted),
                             (shaping.failed, self._on_failed)):  # fmt: skip
            signal.connect(window.guarded(slot))

    def fit_shapes(self) -> None:
        """Fit a shape to every joint."""
        if self._document.estimation.busy:
            raise ValueError(tr("An estimate goes on; fit shapes when it is done"))
        self._window.messages.work(tr("Fitting shapes"))
        self._window.actions_by_name["cancel"].setEnabled(True)
        with taking_back(self._end):
            self._document.shaping.fit(**self._window.options.shape_values())

    def _end(self) -> None:
        """Nothing goes on any more that could be called off."""
        self._window.messages.clear()
        show_abilities(self._window)

    def keep_inside(self) -> None:
        """Keep the selected joints, or all, inside their shapes from now on."""
        self._must("project")
        self._host.keep(self._document.limits)
        options = self._window.options.project_values()
        self._said(self._host.keep_inside(self._document.limits, self._window.selected, options))

    def let_go(self) -> None:
        """Drive the selected joints, or all, as before."""
        if "project" not in self._host.can:
            raise ValueError(self._host.why_not("project"))
        self._said(self._host.let_go(self._window.selected))

    def keys_inside(self) -> None:
        """Bring keys of the selected joints, or all, inside their shapes."""
        self._must("project")
        options = self._window.options.project_values()
        self._said(self._host.keys_inside(self._document.limits, self._window.selected, options))

    def _must(self, what: str) -> None:
        if what not in self._host.can:
            raise ValueError(self._host.why_not(what))
        joints = self._document.limits.joints
        chosen = [joints[name] for name in self._window.selected if name in joints]
        if not any(joint.coupled for joint in chosen or joints.values()):
            raise ValueError(
                tr("these joints have no shapes; press Fit shapes first, or select others")
            )

    def _said(self, said: Said) -> None:
        self._window.say(said.text, "info" if said.whole else "warning", said.details)

    def _on_progress(self, done: int, total: int, label: str) -> None:
        self._window.messages.work(label, done, total)

    def _on_fitted(self) -> None:
        self._end()
        limits = self._document.limits
        shaped = [joint for joint in limits.joints.values() if joint.coupled is not None]
        said = counted(len(shaped), "{count} joint with a shape", "{count} joints with shapes")
        found = counted(len(limits.dependencies), "{count} channel depends on another",
                        "{count} channels depend on others")  # fmt: skip
        self._window.say(f"{said}; {found}.")

    def _on_failed(self, error: Exception) -> None:
        self._end()
        speaking.tell(self._window, "fit_shapes", error)
