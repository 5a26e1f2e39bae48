"""Actions of the Edit menu, and actions that settle review entries."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from jointlimits_core.limits.review_entries import ReviewEntry

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
        joints = words.counted(len(pasted.joints), "joint")
        text = f"Pasted onto {joints}: {words.first_names(pasted.joints)}."
        types = [f"{name} from {was} to {now}" for name, (was, now) in pasted.types.items()]
        if types:
            text += f" Type changed: {words.first_names(types)}."
        self._desk.show_message(text, "warning" if types else "info")

    def mirror(self) -> None:
        """Give the joints on the other side the mirror image of the limits."""
        chosen = self._selected_joints()
        done = self._document.edit.mirror(chosen)
        others = words.first_names([self._document.partners[name].name for name in done])
        text = f"{words.counted(len(done), 'joint')} mirrored: {others}."
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
        """Carry out the action that a review entry suggests, as one undo step."""
        action, joint, edit = entry.action, entry.joint, self._document.edit
        estimation, desk = self._document.estimation, self._desk
        kept = [rule for rule in self._document.state.options.leave_out if rule != action.value]
        value = cast("float", action.value)
        tasks: dict[str, Callable[[], object]] = {
            "exclude": lambda: estimation.exclude_runs(action.frames, action.joints),
            "exclude-clip": lambda: estimation.exclude_clip(str(action.clip), action.joints),
            "include": lambda: estimation.set_options(leave_out=tuple(kept)),
            "orient": lambda: estimation.set_options(orientation="advised"),
            "fit": self._shapes.fit_shapes,
            "filter": self._scene.filter_keys,
            "show": lambda: desk.entry_asked.emit(entry),
        }
        edits: dict[str, Callable[[], object]] = {
            "limit": lambda: edit.set_limit(joint, str(action.channel), str(action.side), value),
            "type": lambda: edit.set_type(joint, str(action.value)),
        }
        if action.kind in tasks:
            tasks[action.kind]()
        else:
            edits.get(action.kind, lambda: edit.pin(joint))()
            desk.show_message(f"{action.text}: done.")

    def accept(self, entry: ReviewEntry) -> None:
        """Settle an entry by pinning the current value of its limit or joint, as one undo step."""
        edit, joint, bound = self._document.edit, entry.joint, None
        if entry.channel is not None and entry.side is not None:
            axis = self._document.limits.joints[joint].limits[entry.channel]
            bound = axis.bound_deg(entry.side)
        if bound is None:
            edit.pin(joint)
        else:
            edit.set_limit(joint, str(entry.channel), str(entry.side), bound)
        self._desk.show_message(f"Pinned at the current value: {joint}")

    def _selected_joints(self) -> tuple[str, ...]:
        chosen = self._desk.selected
        if not chosen:
            raise ValueError("no joint is selected; select one in the list")
        return chosen
