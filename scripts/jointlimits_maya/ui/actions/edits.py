"""Actions of the Edit menu, and actions that settle review entries."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from jointlimits_core.limits.review_entries import ReviewEntry, other_step
from jointlimits_core.limits.review_steps import Action

from ..document.editing import EDITED, EVERY, WIDER
from ..toolkit import qt, words
from .desk import Desk
from .fits import ShapeActions
from .scene import SceneActions


class EditActions:
    """Edits of the selected joints; each edit is one undo step of the window."""

    def __init__(self, desk: Desk, scene: SceneActions, shapes: ShapeActions) -> None:
        self._desk, self._document = desk, desk.document
        self._scene, self._shapes = scene, shapes

    def copy(self) -> None:
        """Copy limits to the clipboard."""
        text = self._document.edit.copy(self._selected_joints())
        qt.QtWidgets.QApplication.clipboard().setText(text)
        self._desk.show_message(f"Copied: {words.first_names(self._selected_joints())}")

    def paste(self) -> None:
        """Paste limits from the clipboard."""
        text = qt.QtWidgets.QApplication.clipboard().text()
        pasted = self._document.edit.paste(text, self._selected_joints())
        joints = words.counted(len(pasted.joints), self._document.noun)
        text = f"Pasted onto {joints}: {words.first_names(pasted.joints)}."
        types = [f"{name} from {was} to {now}" for name, (was, now) in pasted.types.items()]
        if types:
            text += f" Type changed: {words.first_names(types)}."
        wider = [f"{name} by {degrees:.1f}" for name, degrees in pasted.wider.items()]
        if wider:
            text += f" Wider in their own rotate order (degrees): {words.first_names(wider)}."
        self._desk.show_message(text, "warning" if types or wider else "info")

    def mirror(self) -> None:
        """Give the joints on the other side the mirror image of what was edited."""
        self._mirror(EDITED)

    def mirror_all(self) -> None:
        """Give the joints on the other side the mirror image of all limits."""
        self._mirror(EVERY)

    def widen_other(self) -> None:
        """Widen the limits of the joints on the other side to the mirror image."""
        self._mirror(WIDER)

    def _mirror(self, what: str) -> None:
        chosen = self._selected_joints()
        done = self._document.edit.mirror(chosen, what)
        others = words.first_names([self._document.partners[name].name for name in done])
        text = f"{words.counted(len(done), self._document.noun)} mirrored: {others}."
        left = [name for name in chosen if name not in done]
        if left:
            text += f" Not mirrored, because they have no partner: {words.first_names(left)}."
        self._desk.show_message(text, "warning" if left else "info")

    def reset(self) -> None:
        """Go back to the measured limits."""
        self._document.edit.reset(self._selected_joints())

    def pin(self) -> None:
        """Pin joints at their current limits."""
        self._document.edit.pin(self._selected_joints())

    def settle(self, entry: ReviewEntry) -> None:
        """Carry out the step that a review entry suggests first, as one undo step."""
        self._carry_out(entry, entry.action)

    def accept(self, entry: ReviewEntry) -> None:
        """Carry out the other step of a review entry: by default, pin its limit or joint."""
        other = other_step(entry)
        if other is not None:
            self._carry_out(entry, other)

    def _carry_out(self, entry: ReviewEntry, action: Action) -> None:
        joint, edit, desk = entry.joint, self._document.edit, self._desk
        estimation, options = self._document.estimation, self._document.state.options
        hinge = (f"{joint}={action.value}",) if action.value else ()
        tasks: dict[str, Callable[[], object]] = {
            "exclude": lambda: estimation.exclude_runs(action.frames, action.joints),
            "exclude-clip": lambda: estimation.exclude_runs(action.frames, action.joints),
            "orient": lambda: estimation.set_options(
                orientation="advised", as_types=(*options.as_types, *hinge)
            ),
            "fit": self._shapes.fit_shapes,
            "filter": self._scene.filter_keys,
            "show": lambda: desk.entry_asked.emit(entry),
        }
        if action.kind in tasks:
            tasks[action.kind]()
        elif action.kind == "limit":
            value = cast("float", action.value)
            edit.set_limit(joint, str(action.channel), str(action.side), value)
            desk.show_message(f"{joint} {action.side} set to {value:g} degrees")
        elif action.kind == "type":
            edit.set_type(joint, str(action.value))
            desk.show_message(f"{joint} type set to {action.value}")
        else:
            self._pin_place(entry, action.joints or (joint,))

    def _pin_place(self, entry: ReviewEntry, joints: tuple[str, ...]) -> None:
        """Pin the limit that an entry is about, or all limits of joints."""
        edit, channel, side, bound = self._document.edit, entry.channel, entry.side, None
        if channel is not None and side is not None and joints == (entry.joint,):
            axis = self._document.limits.joints[entry.joint].limits[channel]
            bound = axis.bound_deg(side)
        if bound is None:
            edit.pin(joints)
        else:
            edit.set_limit(entry.joint, str(channel), str(side), bound)
        self._desk.show_message(f"Kept as it is: {words.first_names(joints)}")

    def _selected_joints(self) -> tuple[str, ...]:
        chosen = self._desk.selected
        if not chosen:
            raise ValueError("no joint is selected; select one in the list")
        return chosen
