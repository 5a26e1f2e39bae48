"""Commands of the window: label, tip, shortcut, and the condition under which each is enabled."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any

from ..document.editing import why_not_mirrored
from ..plots.icons import icon_of
from ..toolkit.qt import QAction, Qt, QtCore, QtGui, QtWidgets, key_sequence
from .desk import NO_SCENE, Desk

NO_COPY = "There is no scene here: add the character's .ma scene with File > Add clips."
NO_MOTION = "There is no scene here: add motion files with Add clips."
OF_CONTROLS = "These limits are those of controls already: use Apply."
NO_TRANSFORMS = "There is no scene here: use File > Skeleton from tracks to read files."
PRIMARY = "apply_limits"
"""The main command of the window."""

Obstacle = Callable[[Desk], "str | None"]
"""Reason why a command is disabled, "" if it is obvious, or None if the command is enabled."""


def _unless(is_met: Callable[[Desk], object], reason: str = "") -> Obstacle:
    return lambda desk: None if is_met(desk) else reason


needs_task = _unless(lambda desk: desk.document.is_busy)
"""Require a running task: the key of Cancel is Esc, which widgets also need."""
needs_limits = _unless(lambda desk: desk.document.has_limits)
needs_transforms = _unless(lambda desk: desk.host.scene, NO_TRANSFORMS)
needs_selection = _unless(lambda desk: desk.document.has_limits and desk.selected)
needs_done = _unless(lambda desk: desk.document.undo_stack.canUndo())
needs_undone = _unless(lambda desk: desk.document.undo_stack.canRedo())


def needs_scene(desk: Desk) -> str | None:
    """Require a scene in the host, and limits in the document."""
    return NO_SCENE if desk.host.scene is None else needs_limits(desk)


def needs_target(desk: Desk) -> str | None:
    """Require something to apply limits to: the host's scene, or an open scene file."""
    has_target = desk.host.scene is not None or desk.scene_file() is not None
    return needs_limits(desk) if has_target else NO_COPY


def needs_no_host(desk: Desk) -> str | None:
    """Require a window of its own: in Maya, these keys would close a panel, or Maya."""
    return None if desk.host.scene is None else "Close the panel in Maya."


def needs_limits_of_joints(desk: Desk) -> str | None:
    """Require a scene, and limits of joints."""
    limits = desk.document.state.limits
    return OF_CONTROLS if limits is not None and limits.of_controls else needs_scene(desk)


def needs_shapes(desk: Desk) -> str | None:
    """Require a scene, and a joint with a shape."""
    limits = desk.document.state.limits
    if limits is None or desk.host.scene is None:
        return needs_scene(desk)
    has_shapes = any(joint.coupled for joint in limits.joints.values())
    return None if has_shapes else "No joint has a shape: use Fit shapes."


def needs_partner(desk: Desk) -> str | None:
    """Require a selected joint with a partner on the other side."""
    document, names = desk.document, desk.selected
    if not names or not document.has_limits:
        return needs_selection(desk)
    return why_not_mirrored(document.limits, names, document.partners) or None


@dataclass(frozen=True)
class Command:
    """One command; `path` leads from the window to its method, such as "scene.estimate"."""

    path: str
    label: str
    menu: str
    obstacle: Obstacle = lambda desk: None
    keys: str = ""
    on_bar: bool = False

    @property
    def name(self) -> str:
        """Name of the method, which is unique among the commands."""
        return self.path.rpartition(".")[2]

    @property
    def tip(self) -> str:
        """Description of the command, in one or more sentences."""
        return TIPS[self.name]


COMMANDS = (
    Command("scene.estimate", "Estimate", "Limits", keys="Ctrl+E", on_bar=True),
    Command("scene.start_from_people", "Start from people", "Limits"),
    Command("cancel", "Cancel", "Limits", needs_task, "Esc"),
    Command("scene.apply_limits", "Apply", "Limits", needs_limits, "Ctrl+Return", on_bar=True),
    Command("scene.apply_to_controls", "Apply to controls", "Limits", needs_limits_of_joints),
    Command("scene.filter_keys", "Filter keys", "Limits", needs_target),
    Command("scene.switch_limits", "Limits on/off", "Limits", needs_scene),
    Command("scene.clear_limits", "Clear", "Limits", needs_scene),
    Command("shapes.fit_shapes", "Fit shapes", "Shapes", needs_limits, "Ctrl+Shift+F"),
    Command("shapes.project_live", "Keep inside while I work", "Shapes", needs_shapes),
    Command("shapes.stop_projecting", "Stop keeping inside", "Shapes", needs_scene),
    Command("shapes.project_keys", "Bring keys inside", "Shapes", needs_shapes),
    Command(
        "scene.preview_clamping", "Preview clamping", "Limits", needs_limits, "Ctrl+R", on_bar=True
    ),
    Command("scene.toggle_guides", "Guides", "Limits", needs_scene, "Ctrl+G"),
    Command("files.open_limits", "Open...", "File", keys="Ctrl+O", on_bar=True),
    Command("files.open_clips", "Add clips...", "File", keys="Ctrl+Shift+O"),
    Command("skeletons.skeleton_from_tracks", "Skeleton from tracks...", "File", keys="Ctrl+T"),
    Command(
        "skeletons.skeleton_from_selection", "Skeleton from selection", "File", needs_transforms
    ),
    Command("save", "Save", "File", needs_limits, "Ctrl+S", on_bar=True),
    Command("save_as", "Save as...", "File", needs_limits, "Ctrl+Shift+S"),
    Command("files.report", "Report...", "Export", needs_limits),
    Command("files.export_table", "Table...", "Export", needs_limits),
    Command("files.compare", "Compare...", "File", needs_limits),
    Command("document.undo_stack.undo", "Undo", "Edit", needs_done, "Ctrl+Z", on_bar=True),
    Command("document.undo_stack.redo", "Redo", "Edit", needs_undone, "Ctrl+Shift+Z", on_bar=True),
    Command("edits.copy", "Copy limits", "Edit", needs_selection, "Ctrl+C"),
    Command("edits.paste", "Paste limits", "Edit", needs_selection, "Ctrl+V"),
    Command("edits.mirror", "Mirror", "Edit", needs_partner, "Ctrl+M"),
    Command("edits.mirror_all", "Mirror all channels", "Edit", needs_partner),
    Command("edits.widen_other", "Widen the other side", "Edit", needs_partner),
    Command("edits.reset", "Back to measured", "Edit", needs_selection, "Ctrl+Backspace"),
    Command("edits.pin", "Pin", "Edit", needs_selection, "Ctrl+K"),
    Command("type_limit", "Type a limit", "Edit", needs_selection, "F2"),
    Command("close", "Quit", "File", needs_no_host, "Ctrl+Q"),
    Command("toggle_character", "Character", "View", keys="Ctrl+Shift+C"),
    Command("play", "Play", "View", keys="Alt+V"),
    Command("joints.find", "Find joints", "View", keys="Ctrl+F"),
    Command("scene.select_in_scene", "Select in scene", "View", needs_scene),
    Command("what_is_this", "What is this?", "Help", keys="Shift+F1", on_bar=True),
    Command("begin_tour", "Guided look", "Help", needs_limits),
    Command("open_log", "Log", "Help"),
)
_TEXTS = """
estimate: Measure every joint's type and limits from the motion of the selected character or of
    the open clips.
start_from_people: Give a human rig the limits of other people, even without motion. Where its own
    motion goes further, that motion sets the limit.
cancel: Stop the running task; nothing changes.
apply_limits: Write the limits to the character: in Maya, to the scene, where one undo reverts
    this; outside Maya, to a copy of the open .ma scene. Other files cannot hold limits: save the
    limits, or export a scene.
apply_to_controls: Write the limits of joints to the controls that drive them, where the rotation
    between both is constant. One undo in Maya reverts this.
filter_keys: Bring rotate keys that mix Euler branches or turns to a single branch and turn, so
    that limits do not clamp them. Asks first if this changes frames between keys. In Maya, one
    undo reverts this; outside Maya, the keys are filtered in the copy that Apply writes.
switch_limits: Switch applied limits off, for baking and recording, or back on. Their values stay.
clear_limits: Restore the limits the joints had before Apply.
fit_shapes: Fit a shape to the poses of every joint: one limit for all channels together,
    tighter than their separate ranges. The options choose the kind of shape. Estimate removes
    shapes; fit them again afterwards.
project_live: Insert a node in front of each selected joint, or of all joints, that keeps the
    joint inside its shape. One undo in Maya reverts this.
stop_projecting: Remove these nodes and restore the original connections.
project_keys: Move keys outside a joint's shape to the nearest pose inside, for the selected
    joints or for all. One undo in Maya reverts this.
preview_clamping: Replay every clip through the limits and list the frames that would change,
    worst first.
toggle_guides: Draw the limits of the selected joints, or of all joints, as curves in the
    viewport, or remove these curves.
open_limits: Open limits from a file.
open_clips: Add motion files of the same character.
skeleton_from_tracks: Find the skeleton in tracks of loose bodies or markers (C3D, CSV) and
    measure its limits. Several files with the same bodies make one skeleton.
skeleton_from_selection: Build a joint chain beside the selected animated transforms, from their
    relative motion, and measure its limits. One undo in Maya removes the chain.
save: Save the limits, with your edits, to their file.
save_as: Save the limits to another file.
report: Write an HTML page with the character, all limits and their evidence.
export_table: Write all limits as a plain text table.
compare: Show how these limits differ from those in a file.
undo: Undo the last change in this window.
redo: Redo the last undone change.
copy: Copy the limits of the selected joints.
paste: Give the selected joints the copied limits.
mirror: Give the joints on the other side of the body the mirror image of the channels that you
    edited, or of all channels if you edited none.
mirror_all: Give the joints on the other side of the body the mirror image of all channels.
widen_other: Widen the limits on the other side of the body where these limits go further.
reset: Discard your edits of these joints and use the measured values.
pin: Pin these joints at their current limits; later estimates do not change them.
type_limit: Type the first limit of the selected joints.
close: Close the window. Asks first if changes are not saved.
toggle_character: Show or hide the character.
play: Play or pause the clip on the character.
find: Type part of a joint's name.
select_in_scene: Select these joints in Maya.
what_is_this: Click a part of the window to see what it shows.
begin_tour: Show the first three steps again.
open_log: Open the log with the details of failures.
"""
TIPS = dict(line.split(": ", 1) for line in _TEXTS.strip().replace("\n    ", " ").splitlines())
"""Description of each command, by name, for tool tips and the status line."""


def make_actions(window: Desk) -> dict[str, QAction]:
    """Create the window's actions, by command name."""
    made = {}
    for command in COMMANDS:
        action = QAction(command.label, window, icon=icon_of(command.name, window.palette()))
        action.setIconText(f" {command.label.rstrip('.')}")  # room between icon and word
        action.setToolTip(_tip(command))
        action.setStatusTip(command.tip)
        action.setWhatsThis(command.tip)
        if command.keys:
            action.setShortcut(QtGui.QKeySequence(command.keys))
            # Works anywhere in the window, but not in the rest of Maya.
            action.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        run = window.guard(attrgetter(command.path)(window))
        action.triggered.connect(lambda *_, run=run: run())  # ignores the button's state
        window.addAction(action)
        made[command.name] = action
    return made


class KeysFirst(QtCore.QObject):
    """Runs the actions of a window by their keys, before a window around it sees these keys.

    Maya has actions with the same keys, such as Undo: Qt would run neither, or Maya its own.
    """

    def __init__(self, window: Desk, actions: Sequence[QAction]) -> None:
        super().__init__(window)
        self._actions = [action for action in actions if not action.shortcut().isEmpty()]

    def claim(self, event: Any) -> bool:
        """Claim the key of a ShortcutOverride event; False if no action has it."""
        focus = QtWidgets.QApplication.focusWidget()
        if focus is None or self._action_of(event) is None:
            return False
        event.accept()
        focus.installEventFilter(self)
        return True

    def eventFilter(self, watched: Any, event: Any) -> bool:
        """Run the action of a claimed key in place of what the widget would do with it."""
        if event.type() != QtCore.QEvent.Type.KeyPress:
            return False
        watched.removeEventFilter(self)
        action = self._action_of(event)
        if action is not None:
            action.trigger()
        return action is not None

    def _action_of(self, event: Any) -> QAction | None:
        keys = key_sequence(event)
        return next((a for a in self._actions if a.isEnabled() and a.shortcut() == keys), None)


def _tip(command: Command) -> str:
    return f"{command.tip} ({command.keys})" if command.keys else command.tip


def update_actions(window: Desk, actions: Mapping[str, QAction]) -> None:
    """Enable the actions that are possible; the tool tips of the others explain why not."""
    stack = window.document.undo_stack
    for command in COMMANDS:
        obstacle = command.obstacle(window)
        actions[command.name].setEnabled(obstacle is None)
        actions[command.name].setToolTip(obstacle or _tip(command))
    for name, step in (("undo", stack.undoText()), ("redo", stack.redoText())):
        actions[name].setToolTip(f"{actions[name].text()} {step}".strip())
