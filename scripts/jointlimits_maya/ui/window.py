"""Main window, which connects the joint list, the pictures and the document."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from jointlimits_core.formats.maya_ascii.reader import may_have_controls
from jointlimits_core.formats.registry import TRACK_ENDINGS
from jointlimits_core.limits import diff, review_entries
from jointlimits_core.motion import joint_names, motion

from .actions import commands, desk, edits, files, fits, questions, scene
from .document import clamping, estimating, worker
from .document.files import sort_dropped
from .document.host import NODES, Host
from .host.sync import Live
from .joints import model, view
from .layout import Layout, Remembered
from .panels.review import Tour, steps_of
from .toolkit import qt, words

PATIENCE_MS = 200
"""Estimates that take longer show their progress."""
Connection = tuple[Any, Callable[..., Any]]
"""A signal and its slot."""


class Window(desk.Desk):
    """The window of a host; `make_runner` creates the runners for long tasks."""

    def __init__(
        self,
        host: Host,
        parent: qt.QtWidgets.QWidget | None = None,
        make_runner: Callable[[], worker.Runner] = worker.Worker,
    ) -> None:
        super().__init__(host, parent, make_runner)
        self.setObjectName("JointLimits")
        self.setWindowTitle(host.title)
        self.setAcceptDrops(True)
        self._before = self.document.state
        self._missing: frozenset[str] = frozenset()
        self._is_shut, self.asks_before_closing = False, False
        self.files = files.FileActions(self)
        self.scene = scene.SceneActions(self, self.files)
        self.shapes = fits.ShapeActions(self)
        self.skeletons = fits.SkeletonActions(self, self.scene)
        self.edits = edits.EditActions(self, self.scene, self.shapes)
        self.actions_by_name = commands.make_actions(self)
        self.keys = commands.KeysFirst(self, list(self.actions_by_name.values()))
        self.parts = Layout(self, self.files, self.actions_by_name)
        self.live = Live(self.document, host, self.guard, self)
        self.remembered = Remembered(self, host.folder)
        self.tour = Tour(self)
        # In Maya, the viewport shows the character.
        shown = self.remembered.value("character", "no" if host.scene is not None else "yes")
        self.parts.character.setVisible(shown == "yes")
        self._patience = qt.QtCore.QTimer(self, singleShot=True, interval=PATIENCE_MS)
        for signal, slot in (*self._document_signals(), *self._part_signals()):
            signal.connect(self.guard(slot))
        self._on_opened()

    def _document_signals(self) -> tuple[Connection, ...]:
        document, estimation, live = self.document, self.document.estimation, self.live
        return (
            (document.opened, self._on_opened),
            (document.character_changed, self._show_kind),
            (document.changed, self._on_changed),
            (document.clips_changed, self._on_clips),
            (document.clips_changed, self._show_kind),
            (document.options_changed, self._on_options),
            (document.path_changed, self._show_state),
            (document.undo_stack.indexChanged, self._on_step),
            (estimation.busy_changed, self._on_busy),
            (estimation.progressed, self._on_progress),
            (estimation.failed, self._on_failed),
            (estimation.estimated, self._report_estimate),
            (document.shaping.busy_changed, self._show_state),
            (document.shaping.progressed, self._on_progress),
            (document.shaping.failed, partial(self._on_task_failed, "fit_shapes")),
            (document.tracking.busy_changed, self._show_state),
            (document.tracking.progressed, self._on_progress),
            (document.tracking.failed, partial(self._on_task_failed, "skeleton_from_tracks")),
            (live.pose_changed, self._on_pose),
            (live.selection_changed, self.select),
            (live.joints_missing, self._on_missing),
            (live.scene_changed, self._on_scene),
        )

    def _part_signals(self) -> tuple[Connection, ...]:
        parts, joint, character = self.parts, self.parts.joint, self.parts.character
        return (
            (self._patience.timeout, self._on_progress),
            (self.entries_found, self._show_entries),
            (self.entry_asked, self.show_entry),
            (self.frame_asked, self.show_frame),
            (self.joints_asked, self.select),
            (self.diff_found, self.show_diff),
            (self.clamping_found, self._show_clamping),
            (self.file_used, self.remembered.add_recent),
            (self.failed, self._on_failed),
            (self.messages.cancel_asked, self.cancel),
            (self.joints.tree.selected, self._on_selected),
            (self.tour.ended, partial(self.remembered.set_value, "tour", "seen")),
            (parts.recent.aboutToShow, self._fill_recent),
            (joint.pose_pointed, character.point_at),
            (parts.pictures.evidence.type_chosen, joint.set_type),
            (character.view.play_asked, self.play),
            (character.playback.toggled, self.live.update_pose),
            (character.playback.frame_played, self.play_frame),
            (character.playback.range_changed, parts.strip.strip.show_play_range),
            (character.view.bound_dragged, joint.drag),
            (character.view.bound_set, joint.release),
            (character.view.drag_cancelled, joint.cancel_drag),
            (character.view.bound_pointed, joint.point_at),
            (parts.review.settle_asked, self.edits.settle),
            (parts.review.accept_asked, self.edits.accept),
            (parts.clips.add.clicked, self.files.open_clips),
            (parts.kind.controls_asked, self.scene.measure_controls),
            (parts.kind.controls_asked, self._show_kind),  # back to the old kind if that failed
            (self.options.preview.clicked, self._preview_options),
            (self.options.take.clicked, self._estimate_with_options),
        )

    # --- the window's own commands --------------------------------------------------------------

    def begin(self) -> None:
        """Show the selected character: its latest limits, or a new estimate."""
        self.guard(self.scene.begin)()

    def open_paths(self, limits: str | None, motions: Sequence[str], skeleton: str | None) -> None:
        """Open limits and motions; motions without limits are measured.

        For tracks of loose bodies, a skeleton is found first; they are opened alone.
        """
        tracks = [path for path in motions if path.lower().endswith(TRACK_ENDINGS)]
        others = [path for path in (limits, *motions) if path and path not in tracks]
        if tracks and others:
            ours, more = ", ".join(tracks), ", ".join(others)
            raise ValueError(f"tracks get their own skeleton: open {ours} without {more}")
        if tracks:
            self.skeletons.find(tracks)
            return
        if limits is not None:
            self.files.open_file(limits)
        if motions:
            self.files.add(list(motions), skeleton)
        if motions and not self.document.has_limits and self.host.scene is None:
            self.scene.estimate()

    def type_limit(self) -> None:
        """Put the cursor in the first limit of the selected joint."""
        self.parts.show_tab(self.parts.joint)
        self.parts.joint.type_first()

    def cancel(self) -> None:
        """Cancel the running task."""
        if self.document.is_busy:
            self.document.stop()
            self._show_state()
            self.show_message("Stopped; nothing was changed.")

    def what_is_this(self) -> None:
        """Explain the part that the user clicks next."""
        qt.QtWidgets.QWhatsThis.enterWhatsThisMode()

    def begin_tour(self) -> None:
        """Show the first three steps, on the selected joint."""
        name = next(iter(self.selected), None)
        if name is None:
            return
        applies_to = "the character; one undo in Maya reverts it"
        if self.host.scene is None:
            applies_to = "a copy of the .ma scene that is open"
            if self.scene_file() is None:
                applies_to = "the scene, once its .ma file is open; Save keeps them in a file"
        joint = self.document.limits.joints[name]
        shown = joint_names.node_name(name)
        self.parts.show_tab(self.parts.joint)
        self.tour.begin(steps_of(self.parts, shown, joint, applies_to, self.document.noun))

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
        """Open the log in the system's text viewer."""
        path = str(self.log_path)
        if not self.log_path.is_file():
            self.show_message("The log is empty: nothing has failed yet.")
            return
        qt.QtGui.QDesktopServices.openUrl(qt.QtCore.QUrl.fromLocalFile(path))
        qt.QtWidgets.QApplication.clipboard().setText(path)
        self.show_message(f"The log is {path}; paste this path into a bug report.")

    # --- what is shown ------------------------------------------------------------------------

    def show_diff(
        self, found: diff.LimitDiff, title: str, preview: estimating.Preview | None = None
    ) -> None:
        """Show differences from another set, or from a preview, which can then be applied."""
        self.parts.compare.show_diff(found, title, preview)
        self.parts.show_tab(self.parts.compare)

    def show_frame(self, clip: str, frame: float) -> None:
        """Show a frame, here and in the scene."""
        self.parts.strip.show_frame(clip, frame)
        name = words.frame_number(frame)
        if self.host.go_to_frame(clip, frame):
            self.show_message(f"Frame {name} of {words.short_name(clip)}.")
            self.about_frame = self.host.current_frame()
            self.live.update_pose()
        else:
            self.show_message(f"Frame {name} is in {clip}, which is not the open scene.", "warning")

    def show_entry(self, entry: review_entries.ReviewEntry) -> None:
        """Select the joint of a review entry, and show its furthest frame."""
        self.select([entry.joint] if entry.joint else [])
        frame = review_entries.furthest_frame(self.document.limits, entry)
        if entry.clip is not None and frame is not None:
            self.show_frame(entry.clip, frame)

    def _show_entries(self, entries: Sequence[review_entries.ReviewEntry]) -> None:
        self.parts.review.show_review(self.document.review.beginning_with(entries))

    def _show_clamping(self, found: clamping.ClampingResult) -> None:
        self.parts.clamping.show_clamping(found)
        self.parts.strip.show_clamping(found)
        self.parts.show_tab(self.parts.clamping)

    def _fill_recent(self) -> None:
        menu, paths = self.parts.recent, self.remembered.recent()
        menu.clear()
        for path in paths:
            chosen = self.guard(partial(self.files.open_recent, path))
            action = qt.QAction(words.short_name(path, words.MAX_PATH), menu, toolTip=path)
            menu.addAction(action)
            action.triggered.connect(chosen)
        if not paths:
            menu.addAction("No files yet").setEnabled(False)

    def _preview_options(self, *_: object) -> None:
        def show(preview: estimating.Preview) -> None:
            self.show_diff(preview.changes, "With these options", preview)

        self.document.estimation.preview(self.guard(show), **self.options.values())

    def _estimate_with_options(self, *_: object) -> None:
        if self.document.has_limits:
            self.document.estimation.set_options(**self.options.values())
        else:
            self.scene.estimate()

    # --- when the document changes ------------------------------------------------------------

    def _show_kind(self, *_: object) -> None:
        """Show whether joints or controls are measured, if the open scenes may have both."""
        scene, document = self.host.scene, self.document
        if scene is None:
            paths = self.clip_files()
            have_both = [path.lower().endswith(".ma") and may_have_controls(path) for path in paths]
            self.parts.kind_in_bar.setVisible(bool(paths) and all(have_both))
            self.parts.kind.show_kind(document.reads_controls, "")
        else:
            self.parts.kind.show_kind(scene.measures_controls, scene.why_no_controls())

    def _on_opened(self) -> None:
        self._show_kind()
        self._on_clips()
        self._on_options()
        self._on_changed(frozenset())
        self._on_selected(self.selected)

    def _on_changed(self, names: frozenset[str]) -> None:
        parts, has = self.parts, self.document.has_limits
        shown = set(parts.joint.names)
        if shown - set(self.document.limits.joints if has else ()) or (has and not shown):
            self._on_selected(self.selected)
        parts.joint.refresh()
        parts.pictures.refresh()
        parts.character.refresh()
        parts.findings.show_findings(self.document.state.limits, parts.joint.names)
        parts.review.show_review(self.document.review)
        parts.clamping.forget()
        parts.strip.show_clamping(None)
        if has and not self.selected:
            # Start with the first joint of the review, or with the joint that moves most.
            joints = [entry.joint for entry in self.document.review.entries if entry.joint]
            first = joints[0] if joints else view.initial_joint(self.document.limits)
            self.select([] if first is None else [first])
        if names:
            self.handover.start()
            self.live.record("frame")
        self._show_state()

    def _on_clips(self) -> None:
        self.parts.pictures.forget()
        self.parts.character.forget()
        self.parts.clips.show_clips()
        self.parts.strip.show_clips()
        self.host.show_clips(self.document.clips)
        self._on_selected(self.selected)
        self.live.update_pose()

    def _on_options(self) -> None:
        self.options.show_options(self.document.state.options)
        self.parts.clips.show_clips()

    def _on_selected(self, names: Sequence[str]) -> None:
        has = self.document.has_limits
        known = [name for name in names if has and name in self.document.limits.joints]
        self.parts.hover.clear()  # it was about another joint
        for part in (self.parts.joint, self.parts.pictures, self.parts.character, self.parts.strip):
            part.show_joints(known)
        self.parts.findings.show_findings(self.document.state.limits, known)
        self._show_state()

    def _on_step(self, *_: Any) -> None:
        if self.messages.kind != "work" and self.document.state is not self.about_state:
            self.messages.clear()
        self._show_state()

    def _show_state(self, *_: Any) -> None:
        commands.update_actions(self, self.actions_by_name)
        self.parts.show_title()

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
        before, now = self._before.limits, self.document.limits
        self._missing = self.live.update_missing()
        seen = self.document.review
        more, details = [model.outcome(now, seen, questions.name_of(self.document.state))], ""
        kind = "warning" if seen.entries else "info"
        if self.document.state.traces is not self._before.traces:
            found = self.skeletons.fit_result(now)
            more.append(found.text)
            details = found.details
            kind = kind if found.complete else "warning"
        if before is not None and set(before.joints) == set(now.joints):
            more.append(words.moved_limits_words(before, now))
        if self._missing:
            more.append(words.missing_words(self._missing, now))
            kind = "warning"
        self.show_message(" ".join(text for text in more if text), kind, details)
        self.live.update()  # now, so that everything is painted only once
        if before is None and self.remembered.value("tour") != "seen" and self.isVisible():
            self.begin_tour()

    def _on_progress(self, done: int = 0, total: int = 0, label: str = "Estimating") -> None:
        if not self._patience.isActive():
            self.messages.work(label, done, total)

    def _on_failed(self, error: Exception) -> None:
        self.parts.clips.show_clips()  # reset a tick that had no effect
        self.report("estimate", error)

    def _on_task_failed(self, command: str, error: Exception) -> None:
        self.messages.clear()
        self.report(command, error)

    # --- events of the scene --------------------------------------------------------------------

    def _on_pose(self, pose: motion.Motion | None, outside: dict[str, float]) -> None:
        playback, frame = self.parts.character.playback, self.host.current_frame()
        self.joints.tree.set_outside(outside)
        self.parts.joint.show_pose(pose)
        if not playback.is_playing:
            self.parts.pictures.show_pose(pose)  # they take too long for every frame
        self.parts.character.show_pose(pose, outside)
        playback.show_clip(self.parts.strip.clip_now)
        playback.show_frame(frame)
        self.parts.strip.strip.set_frame(frame)
        if self.about_frame not in (None, frame):
            self.about_frame = None
            self.messages.clear()
        self.parts.show_outside(outside)

    def _on_missing(self, names: frozenset[str]) -> None:
        before, self._missing = self._missing, names
        if names:
            self.show_message(words.missing_words(names, self.document.limits), "warning")
        elif before:
            self.show_message("All joints of these limits are in the scene again.")

    def _on_scene(self) -> None:
        self._missing = frozenset()
        self._show_kind()
        text = (
            "A new scene is open; these limits are kept here. Select a character and press "
            "Estimate to measure it, or Save these first."
        )
        self.show_message(text, "warning")

    def event(self, event: Any) -> bool:
        """Take the window's own keys before the window around it does."""
        # live check: keys-in-the-panel
        if event.type() == qt.QtCore.QEvent.Type.ShortcutOverride and self.keys.claim(event):
            return True
        return bool(super().event(event))

    def dragEnterEvent(self, event: Any) -> None:
        """Take files."""
        if event.mimeData().hasUrls():
            event.acceptProposedAction()

    def dropEvent(self, event: Any) -> None:
        """Open the files that were dropped."""
        urls = event.mimeData().urls()
        remote = [url.toString() for url in urls if not url.isLocalFile()]
        event.acceptProposedAction()

        def open_dropped() -> None:
            if remote:
                raise ValueError(
                    f"{remote[0]} is not a file on this computer; download it and drop that file"
                )
            found = sort_dropped(url.toLocalFile() for url in urls)
            self.open_paths(found.limits, found.motions, found.skeleton)

        self.guard(open_dropped)()

    def resizeEvent(self, event: Any) -> None:
        """Arrange the panes for the new width."""
        super().resizeEvent(event)
        self.parts.fold(event.size().width())

    def enterEvent(self, event: Any) -> None:
        """Check the scene when the pointer enters the window: Maya does not report every change."""
        if not self._is_shut and self.host.scene is not None:
            self.guard(self._show_kind)()
            self.live.record(NODES)

    def shut_down(self) -> None:
        """Save settings, stop all tasks and timers, and stop watching the scene."""
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
        if self.asks_before_closing and not self.may_discard_changes():
            event.ignore()
            return
        self.shut_down()
        super().closeEvent(event)
