"""Base of the window: document, host, options, questions and messages."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial, wraps
from pathlib import Path
from traceback import format_exception_only
from typing import Any

from jointlimits_core.base.errors import MissingPackageError
from jointlimits_core.base.findings import JointDriver
from jointlimits_core.base.progress import Cancelled
from jointlimits_core.io.logs import log_path
from jointlimits_core.rig import clamping, filter_keys, joint_drivers

from ..document import document, worker
from ..document.host import Character, Host, Result, Scene
from ..host.sync import LimitsHandover
from ..joints.view import JointList
from ..toolkit import message_bar, options, qt, words
from .questions import Questions, is_part, name_of, unsaved_work

NO_SCENE = "There is no scene here: save the limits and open them in Maya's window."
LIMITS = "Limits (*.limits.json *.json)"
SAVING = ("Save", "Discard", "Cancel")


class Desk(qt.QtWidgets.QWidget):
    """Base of the window: everything that its actions and panels need.

    `make_runner`: creates runners for long tasks.
    """

    entries_found = qt.Signal(object)
    """Review entries to show first, as a result of the last action."""
    entry_asked = qt.Signal(object)
    """The review entry to show."""
    frame_asked = qt.Signal(str, float)
    """The clip and the frame to show."""
    joints_asked = qt.Signal(object)
    """Names of the joints to select."""
    diff_found = qt.Signal(object, str)
    """Differences from another limit set, and their title."""
    clamping_found = qt.Signal(object)
    """The result of a clamping preview."""
    file_used = qt.Signal(str)
    """Path of a file that was opened or saved."""
    failed = qt.Signal(object)
    """Exception raised by a background task."""

    def __init__(
        self,
        host: Host,
        parent: qt.QtWidgets.QWidget | None,
        make_runner: Callable[[], worker.Runner],
    ) -> None:
        super().__init__(parent)
        self.host = host
        self.document = document.Document(make_runner, self)
        self.messages = message_bar.MessageBar()
        self.options = options.OptionsPanel(host.scene is not None)
        self.joints = JointList(self.document)
        self.questions = Questions(self)
        self.handover = LimitsHandover(self.document, host, self.guard, self)
        self.about_frame: float | None = None
        """Frame of the scene that the message is about."""
        self.about_state = self.document.state
        """State of the document that the message is about."""

    def guard(self, action: Callable[..., Any]) -> Callable[..., bool]:
        """Wrap an action to return True or, if it fails, to show a message and return False.

        Everything that Qt calls must be wrapped: otherwise an exception would reach Qt and be
        visible only in the Script Editor.
        """
        named = action.func if isinstance(action, partial) else action

        @wraps(named)
        def run(*arguments: Any, **options: Any) -> bool:
            try:
                action(*arguments, **options)
            except Exception as error:  # noqa: BLE001 - the artist never sees a traceback
                self.report(named.__name__, error)
                return False
            return True

        return run

    def report(self, what: str, error: Exception) -> None:
        """Report a failure: an expected error by its message, any other as an internal error."""
        if isinstance(error, Cancelled):
            self.show_message("Stopped; nothing was changed.")
        elif isinstance(error, (ValueError, OSError, MissingPackageError)):
            self.show_message(words.sentence(error, self.names), "problem")
        else:
            self.host.logger().error("%s failed", what, exc_info=error)
            action = what.strip("_").replace("_", " ").capitalize()
            reason = "".join(format_exception_only(type(error), error)).strip()
            text = (
                f"{action} failed (internal error): {reason}. Partial changes were undone; "
                f"the details are in {self.log_path} (button Log)."
            )
            self.show_message(text, "problem")

    @property
    def log_path(self) -> Path:
        """Path of the log, which may not exist yet."""
        return log_path(self.host.folder)

    def show_message(self, text: str, kind: str = "info", details: str = "") -> None:
        """Show a message; `kind` is "info", "warning" or "problem"."""
        self.about_frame, self.about_state = None, self.document.state
        if qt.isValid(self.messages):  # false if the window was closed during a question
            self.messages.show_message(text, kind, details)

    def show_result(self, result: Result) -> None:
        """Show the result of an action, and its review entries."""
        self.entries_found.emit(result.entries)
        self.show_message(result.text, "info" if result.complete else "warning", result.details)

    @contextmanager
    def at_work(self, label: str) -> Iterator[None]:
        """Show that a task is running; clear the message if the task fails to start."""
        self.messages.work(label)
        with words.rollback(self.messages.clear):
            yield

    @property
    def names(self) -> frozenset[str]:
        """Names of joints and clips, which keep their case in messages."""
        limits, clips = self.document.state.limits, self.document.clips
        of_clips = {name for clip in clips for name in (clip.name, *clip.joint_names)}
        return frozenset(of_clips | set(limits.joints if limits is not None else ()))

    @property
    def selected(self) -> tuple[str, ...]:
        """Names of the selected joints."""
        return self.joints.tree.selected_joints()

    def select(self, names: Sequence[str]) -> None:
        """Select joints in the list."""
        self.joints.tree.select_joints(names)

    def scene_or_fail(self, missing: str = NO_SCENE) -> Scene:
        """The host's scene; raises ValueError with the text `missing` if there is none."""
        if self.host.scene is None:
            raise ValueError(missing)
        return self.host.scene

    def scene_file(self) -> str | None:
        """Path of the Maya ASCII scene that an open clip was read from, if any."""
        return next((path for path in self.clip_files() if path.lower().endswith(".ma")), None)

    def clip_files(self) -> list[str]:
        """Paths of the files that the open clips were read from."""
        sources = (clip.source for clip in self.document.clips)
        return list(dict.fromkeys(source.path for source in sources if source is not None))

    def save(self) -> None:
        """Save to the document's file; if it has none, ask for one."""
        path = self.document.path
        if path is None:
            self.save_as()
        elif self.document.save():
            self.show_message(f"Saved: {path}")
        else:
            text = f"Saved: {path}. The file had been moved or removed; it was created again"
            self.show_message(text, "warning")

    def save_as(self) -> None:
        """Save to a file that the user chooses."""
        wanted = f"{self.document.limits.character}.limits.json"
        path = self.questions.new_file("Save limits", wanted, LIMITS)
        if path:
            # The file dialog has already asked whether to replace an existing file.
            self.document.save(path, even_if_changed=True)
            self.file_used.emit(path)
            self.show_message(f"Saved: {path}")

    def may_discard_changes(self) -> bool:
        """Whether unsaved changes may be lost; asks if there are any, and saves them on request."""
        stack = self.document.undo_stack
        if not self.document.has_limits or stack.isClean():
            return True
        text = f"{self.document.limits.character} has unsaved changes."
        answer = self.questions.choose(text, SAVING)
        if answer == "Save":
            self.guard(self.save)()  # a failure is reported, and no changes are lost
        return answer == "Discard" or bool(stack.isClean())

    def choose(self, text: str, *answers: str) -> str:
        """Ask for one of several answers; raises Cancelled if the user chooses none."""
        answer = self.questions.choose(text, (*answers, "Cancel"))
        if answer not in answers:
            raise Cancelled
        return answer

    def confirm_replacing(self, name: str) -> None:
        """Ask before character `name` replaces unsaved work; raises Cancelled if it must not."""
        lost = unsaved_work(self.document.state)
        if not lost or self.document.is_saved:
            return
        text = f"{name_of(self.document.state)} is open and not saved: {', '.join(lost)}."
        answer = self.questions.choose(f"{text} {name} would replace it.", SAVING)
        if answer == "Save":
            self.save()
        if answer != "Discard" and not self.document.is_saved:
            raise Cancelled

    def whole_or_part(self, character: Character) -> Character:
        """Character to measure; asks first if it is only part of the open one, which has edits."""
        state = self.document.state
        if not is_part(state, character) or not state.edits:
            return character
        selected, count = len(character.joint_names()), len(self.document.limits.joints)
        text = (
            f"Only part of {name_of(state)} is selected: {character.name}, {selected} of {count} "
            f"{self.document.noun}s. Measuring it would replace all limits and your edits; Undo "
            "restores them."
        )
        every, part, whole = "Measure all", "Only these", state.character
        has_whole = whole is not None and whole.exists()
        answer = self.choose(text, *((every, part) if has_whole else (part,)))
        return whole if answer == every and whole is not None else character

    def poses_may_move(self, found: Sequence[clamping.Clamped], noun: str = "") -> bool:
        """Whether limits may change poses; asks if they would, and raises Cancelled on Cancel.

        `noun`: word for what gets them; by default, that of the open limits.
        """
        if not found:
            return False
        every = clamping.move_poses(found)
        question = clamping.question(found, noun or self.document.noun)
        return self.choose(question, clamping.KEEP_POSES, every) == every

    def driven_turn_on(self, found: Mapping[str, JointDriver], noun: str = "") -> bool:
        """Ask whether joints that follow controls get active limits; may raise Cancelled."""
        if not found:
            return False
        answers = joint_drivers.LEAVE_OFF, joint_drivers.TURN_ON
        question = joint_drivers.question(found, noun or self.document.noun)
        return self.choose(question, *answers) == joint_drivers.TURN_ON

    def confirm_filter(self, report: filter_keys.KeyFilterReport) -> None:
        """Ask before filtering changes frames; raises Cancelled if the user declines."""
        text = report.question()
        if text:
            self.choose(text, "Filter keys")
