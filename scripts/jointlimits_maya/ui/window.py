"""Main window, which connects the joint list, the pictures and the document."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from jointlimits_core.limits.diff import LimitDiff
from jointlimits_core.limits.review_entries import ReviewEntry, furthest_frame
from jointlimits_core.motion.joint_names import node_name
from jointlimits_core.motion.motion import Motion

from .actions.commands import make_actions, scene_file, update_actions
from .actions.document import EditActions, FileActions
from .actions.fits import ShapeActions, SkeletonActions
from .actions.questions import Questions, name_of
from .actions.scene import SceneActions
from .document.document import Document
from .document.estimating import Preview
from .document.host import NODES, Host, Result
from .document.worker import Runner, Worker
from .host.sync import LimitsHandover, Live
from .joints.line import outcome
from .joints.view import initial_joint
from .layout import Layout, Remembered
from .panels.connections import Connections
from .panels.review import Tour, steps_of
from .toolkit import errors
from .toolkit.qt import QtCore, QtWidgets, isValid
from .toolkit.words import frame_number

PATIENCE_MS = 200
"""Estimates that take longer show their progress."""


class Window(QtWidgets.QWidget):
    """The window of a host; `make_runner` makes the runners of long tasks."""

    host: Host
    document: Document

    def __init__(
        self,
        host: Host,
        parent: QtWidgets.QWidget | None = None,
        make_runner: Callable[[], Runner] = Worker,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("JointLimits")
        self.setWindowTitle(host.title)
        self.host = host
        self.document = Document(make_runner, self)
        self._before = self.document.state
        self._missing: frozenset[str] = frozenset()
        self._is_shut, self.asks_before_closing = False, False
        self.questions = Questions(self)
        self.files, self.scene = FileActions(self), SceneActions(self)
        self.edits, self.shapes = EditActions(self), ShapeActions(self)
        self.skeletons = SkeletonActions(self)
        self._about_frame: float | None = None
        self._spoken_of = self.document.state
        self.actions_by_name = make_actions(self)
        self.parts = Layout(self, self.document, self.guarded, self.actions_by_name)
        self.options, self.messages = self.parts.options, self.parts.messages
        self.live = Live(self.document, host, self.guarded, self)
        self.remembered = Remembered(self, host.folder)
        self.tour = Tour(self)
        # In Maya the viewport is the character.
        shown = self.remembered.value("character", "no" if host.scene is not None else "yes")
        self.parts.character.setVisible(shown == "yes")
        self.handover = LimitsHandover(self)
        self._patience = QtCore.QTimer(self, singleShot=True, interval=PATIENCE_MS)
        self._connect()
        self._on_opened()

    # --- messages -----------------------------------------------------------------------------

    def guarded(self, action: Callable[..., Any]) -> Callable[..., bool]:
        """Wrap a slot, so that its failures are reported here."""
        return errors.guarded(self, action)

    def show_message(self, text: str, kind: str = "info", details: str = "") -> None:
        """Show a message; `kind` is "info", "warning" or "problem"."""
        self._about_frame, self._spoken_of = None, self.document.state
        if isValid(self.messages):  # false if the window was closed during a question
            self.messages.show_message(text, kind, details)

    def show_result(self, result: Result) -> None:
        """Show the result of an action, and what to look at because of it."""
        self.parts.review.show_review(self.document.review.beginning_with(result.entries))
        self.show_message(result.text, "info" if result.complete else "warning", result.details)

    def note(self, what: str, error: BaseException) -> str:
        """Write details of a failure to the log."""
        return self.host.note(what, error)

    @property
    def names(self) -> frozenset[str]:
        """Names of joints and clips, which keep their case in messages."""
        limits, clips = self.document.state.limits, self.document.clips
        of_clips = {name for clip in clips for name in (clip.name, *clip.joint_names)}
        return frozenset(of_clips | set(limits.joints if limits is not None else ()))

    # --- selection ----------------------------------------------------------------------------

    @property
    def selected(self) -> tuple[str, ...]:
        """Names of the selected joints."""
        return self.parts.joints.tree.selected_joints()

    def select(self, names: Sequence[str]) -> None:
        """Select joints in the list."""
        self.parts.joints.tree.select_joints(names)

    # --- connections --------------------------------------------------------------------------

    def _connect(self) -> None:
        """Connect every signal; the panels declare theirs."""
        document, parts, live = self.document, self.parts, self.live
        own: Connections = (
            (document.opened, self._on_opened),
            (document.changed, self._on_changed),
            (document.clips_changed, self._on_clips),
            (document.options_changed, self._on_options),
            (document.path_changed, self._show_state),
            (document.undo_stack.indexChanged, self._on_step),
            (document.estimation.busy_changed, self._on_busy),
            (document.estimation.progressed, self._on_progress),
            (document.estimation.failed, self.on_failed),
            (document.estimation.estimated, self._report_estimate),
            (self._patience.timeout, self._on_progress),
            (self.messages.cancel_asked, self.cancel),
            (parts.joints.tree.selected, self._on_selected),
            (self.tour.ended, self._end_tour),
            (live.pose_changed, self._on_pose),
            (live.selection_changed, self.select),
            (live.joints_missing, self._on_missing),
            (live.scene_changed, self._on_scene),
        )
        panels = (parts.joint, parts.pictures, parts.character, parts.review, *parts.tabs.values())
        for signal, slot in (*own, *(one for panel in panels for one in panel.connections(self))):
            signal.connect(self.guarded(slot))

    # --- the window's own commands --------------------------------------------------------------

    def begin(self) -> None:
        """Show the selected character: its latest limits, or a new estimate."""
        self.guarded(self.scene.begin)()

    def cancel(self) -> None:
        """Cancel the running task."""
        if self.document.is_busy:
            self.document.stop()
            self._show_state()
            self.show_message("Stopped; nothing was changed.")

    def find(self) -> None:
        """Focus the filter field."""
        self.parts.joints.field.setFocus()
        self.parts.joints.field.selectAll()

    def what_is_this(self) -> None:
        """Explain what is clicked next."""
        QtWidgets.QWhatsThis.enterWhatsThisMode()

    def begin_tour(self) -> None:
        """Show the three first steps, on the selected joint."""
        name = next(iter(self.selected), None)
        if name is None:
            return
        applies_to = "the character; one undo in Maya reverts it"
        if self.host.scene is None:
            applies_to = "a copy of the .ma scene that is open"
            if scene_file(self) is None:
                applies_to = "the scene, once its .ma file is open; Save keeps them in a file"
        joint = self.document.limits.joints[name]
        self.parts.show_tab(self.parts.joint)
        self.tour.begin(steps_of(self.parts, node_name(name), joint, applies_to))

    def toggle_character(self) -> None:
        """Show or hide the character."""
        panel = self.parts.character
        panel.setVisible(panel.isHidden())
        self.remembered.set_value("character", "no" if panel.isHidden() else "yes")

    def play(self) -> None:
        """Play the clip on the character, or pause."""
        self.parts.character.playback.toggle()

    def play_frame(self, clip: str, frame: float) -> None:
        """Show a frame while the clip plays."""
        if self.host.go_to_frame(clip, frame):
            self.parts.strip.show_frame(clip, frame)
            self.live.update()

    def open_log(self) -> None:
        """Show the log."""
        self.show_message(self.host.open_log())
        if self.host.log_path.is_file():
            QtWidgets.QApplication.clipboard().setText(str(self.host.log_path))

    def show_diff(self, found: LimitDiff, title: str, preview: Preview | None = None) -> None:
        """Show differences from another set, or those of a preview, which can be applied."""
        self.parts.compare.show_diff(found, title, preview)
        self.parts.show_tab(self.parts.compare)

    def show_frame(self, clip: str, frame: float) -> None:
        """Show a frame, here and in the scene."""
        self.parts.strip.show_frame(clip, frame)
        name = frame_number(frame)
        if self.host.go_to_frame(clip, frame):
            self.show_message(f"Frame {name} of {clip}.")
            self._about_frame = self.host.current_frame()
            self.live.update_pose()
        else:
            self.show_message(f"Frame {name} is in {clip}, which is not the open scene.", "warning")

    # --- when the document changes ------------------------------------------------------------

    def _on_opened(self) -> None:
        self._on_clips()
        self._on_options()
        self._on_changed(frozenset())
        self._on_selected(self.selected)
        if self.document.has_limits and not self.selected:
            self._select_first()
        self.live.update_pose()

    def _select_first(self) -> None:
        """Start with the joint to look at first, or else with the one that has most to show."""
        joints = [entry.joint for entry in self.document.review.entries if entry.joint]
        first = joints[0] if joints else initial_joint(self.document.limits)
        self.select([] if first is None else [first])

    def _on_changed(self, names: frozenset[str]) -> None:
        parts, has = self.parts, self.document.has_limits
        if set(parts.joint.names) - set(self.document.limits.joints if has else ()):
            parts.joint.show_joints(self.selected)
        if not parts.joint.names and has and self.selected:
            self._on_selected(self.selected)
        parts.joint.refresh()
        parts.pictures.refresh()
        parts.character.refresh()
        parts.findings.show_findings(self.document.state.limits, parts.joint.names)
        parts.review.show_review(self.document.review)
        parts.clamping.forget()
        parts.strip.refresh()
        if has and not self.selected:
            self._select_first()
        if names:
            self.handover.start()
            self.live.record("frame")
        self._show_state()

    def _on_clips(self) -> None:
        self.parts.pictures.forget()
        self.parts.character.forget()
        self.parts.clips.show_clips(self.document)
        self.parts.strip.show_clips()
        self.host.show_clips(self.document.clips)
        self._on_selected(self.selected)
        self.live.update_pose()

    def _on_options(self) -> None:
        self.parts.options.show_options(self.document.options)
        self.parts.clips.show_clips(self.document)

    def _on_selected(self, names: Sequence[str]) -> None:
        has = self.document.has_limits
        known = [name for name in names if has and name in self.document.limits.joints]
        self.parts.joint.show_joints(known)
        self.parts.pictures.show_joints(known)
        self.parts.character.show_joints(known)
        self.parts.hover.clear()  # it was about another joint
        self.parts.strip.show_joints(known)
        self.parts.findings.show_findings(self.document.state.limits, known)
        self._show_state()

    def _on_step(self, *_: Any) -> None:
        """Take away a message about a state that is no longer there."""
        if self.messages.kind != "work" and self.document.state is not self._spoken_of:
            self.messages.clear()
        self._show_state()

    def _show_state(self, *_: Any) -> None:
        """Enable the possible actions, and show in the title what is open."""
        update_actions(self)
        self.parts.show_title(self.document)

    # --- running tasks ------------------------------------------------------------------------

    def _on_busy(self, busy: bool) -> None:
        self.actions_by_name["cancel"].setEnabled(busy)
        if busy:
            self._before = self.document.state
            self._patience.start()
            return
        self._patience.stop()
        if self.messages.kind == "work":
            self.messages.clear()

    def _report_estimate(self) -> None:
        """Report the result of an estimate."""
        before, now = self._before.limits, self.document.limits
        self._missing = self.live.update_missing()
        seen = self.document.review
        more, details = [outcome(now, seen, name_of(self.document.state))], ""
        kind = "warning" if seen.entries else "info"
        if self.document.state.traces is not self._before.traces:
            found = self.skeletons.fit_result(now)
            more.append(found.text)
            details = found.details
            kind = kind if found.complete else "warning"
        if before is not None and set(before.joints) == set(now.joints):
            more.append(errors.moved(before, now))
        if self._missing:
            more.append(errors.missing(self._missing, now))
            kind = "warning"
        self.show_message(" ".join(text for text in more if text), kind, details)
        self.live.update()  # now, so that all is painted once
        if before is None and self.remembered.value("tour") != "seen" and self.isVisible():
            self.begin_tour()

    def _on_progress(self, done: int = 0, total: int = 0, label: str = "Estimating") -> None:
        if not self._patience.isActive():
            self.messages.work(label, done, total)

    def on_failed(self, error: Exception) -> None:
        """Report a failed task."""
        self.parts.clips.show_clips(self.document)  # reset a tick without effect
        errors.report(self, "estimate", error)

    # --- requests of the panels -----------------------------------------------------------------

    def select_one(self, name: str) -> None:
        """Select one joint."""
        self.select([name])

    def show_joint(self, joint: str, clip: str, frame: float) -> None:
        """Select a joint, and show a frame."""
        self.select([joint])
        self.show_frame(clip, frame)

    def show_entry(self, entry: ReviewEntry) -> None:
        """Select the joint of an entry of the review, and show its furthest frame."""
        self.select([entry.joint] if entry.joint else [])
        frame = furthest_frame(self.document.limits, entry)
        if entry.clip is not None and frame is not None:
            self.show_frame(entry.clip, frame)
        if entry.action.kind == "exclude":
            self.document.estimation.prefetch_runs(entry.action.frames)

    def show_problem(self, text: str) -> None:
        """Show what is wrong with an input."""
        self.show_message(text, "problem")

    def _end_tour(self) -> None:
        self.remembered.set_value("tour", "seen")

    # --- events of the scene --------------------------------------------------------------------

    def _on_pose(self, pose: Motion | None, outside: dict[str, float]) -> None:
        self.parts.joints.tree.set_outside(outside)
        self.parts.joint.show_pose(pose)
        if not self.parts.character.playback.is_playing:
            self.parts.pictures.show_pose(pose)  # they take too long for every frame
        frame = self.host.current_frame()
        self.parts.character.show_pose(pose, outside)
        self.parts.character.playback.show_clip(self.parts.strip.clip_now)
        self.parts.character.playback.show_frame(frame)
        self.parts.strip.show_time(frame)
        if self._about_frame not in (None, frame):
            self._about_frame = None
            self.messages.clear()
        self.parts.show_outside(outside)

    def _on_missing(self, names: frozenset[str]) -> None:
        before, self._missing = self._missing, names
        if names:
            self.show_message(errors.missing(names, self.document.limits), "warning")
        elif before:
            self.show_message("All joints of these limits are in the scene again.")

    def _on_scene(self) -> None:
        self._missing = frozenset()
        self.show_message("A new scene is open; these limits are kept here. Select a character and "
                    "press Estimate to measure it, or Save these first.", "warning")  # fmt: skip

    def resizeEvent(self, event: Any) -> None:
        """Arrange the panes in the new width."""
        super().resizeEvent(event)
        self.parts.fold(event.size().width())

    def enterEvent(self, event: Any) -> None:
        """Check the scene when the mouse comes back: Maya does not report every change."""
        if not self._is_shut:
            self.live.record(NODES)

    def shut_down(self) -> None:
        """Stop all tasks, and leave nothing of the window behind."""
        if self._is_shut:
            return
        self._is_shut = True
        self.remembered.save()
        self.document.stop()
        self.handover.end()
        self._patience.stop()
        self.live.end()

    def closeEvent(self, event: Any) -> None:
        """Stop all tasks when the window is closed; the standalone window asks first."""
        if self.asks_before_closing and not self.files.may_discard_changes():
            event.ignore()
            return
        self.shut_down()
        super().closeEvent(event)
