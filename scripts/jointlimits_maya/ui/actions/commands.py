"""Commands of the window: label, tip, shortcut, and what keeps each from being possible."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from operator import attrgetter

from ..document.mirroring import why_not_mirrored
from ..plots.icons import icon_of
from ..toolkit.qt import QAction, Qt, QtGui
from .desk import NO_SCENE, Desk

NO_COPY = "There is no scene here: add the character's .ma scene with File > Add clips."
NO_MOTION = "There is no scene here: add motion files with Add clips."
NO_TRANSFORMS = "There is no scene here: use File > Skeleton from tracks to read files."
PRIMARY = "apply_limits"
"""The one command that everything else leads to."""

Obstacle = Callable[[Desk], "str | None"]
"""Why a command is not possible: None if it is, else the reason, or "" where that is obvious."""


def _unless(is_met: Callable[[Desk], object], reason: str = "") -> Obstacle:
    return lambda desk: None if is_met(desk) else reason


needs_task = _unless(lambda desk: desk.document.is_busy)
"""Esc is its key, which the focused widget needs while nothing is running."""
needs_limits = _unless(lambda desk: desk.document.has_limits)
needs_transforms = _unless(lambda desk: desk.host.scene, NO_TRANSFORMS)
needs_selection = _unless(lambda desk: desk.document.has_limits and desk.selected)
needs_done = _unless(lambda desk: desk.document.undo_stack.canUndo())
needs_undone = _unless(lambda desk: desk.document.undo_stack.canRedo())


def needs_scene(desk: Desk) -> str | None:
    """The host must have a scene, and the document limits."""
    return NO_SCENE if desk.host.scene is None else needs_limits(desk)


def needs_target(desk: Desk) -> str | None:
    """There must be something to apply to: the host's scene, or an open scene file."""
    has_target = desk.host.scene is not None or desk.scene_file() is not None
    return needs_limits(desk) if has_target else NO_COPY


def needs_shapes(desk: Desk) -> str | None:
    """There must be a scene, and a joint with a shape."""
    limits = desk.document.state.limits
    if limits is None or desk.host.scene is None:
        return needs_scene(desk)
    has_shapes = any(joint.coupled for joint in limits.joints.values())
    return None if has_shapes else "No joint has a shape: use Fit shapes."


def needs_partner(desk: Desk) -> str | None:
    """A selected joint must have a partner on the other side."""
    document, names = desk.document, desk.selected
    if not names or not document.has_limits:
        return needs_selection(desk)
    return why_not_mirrored(document.limits, names, document.partners) or None


@dataclass(frozen=True)
class Command:
    """One command; `path` is its method, from the window: "scene.estimate", "save"."""

    path: str
    label: str
    tip: str
    keys: str = ""
    menu: str = "Limits"
    on_bar: bool = False
    obstacle: Obstacle = lambda desk: None

    @property
    def name(self) -> str:
        """Name of the method, which is unique among the commands."""
        return self.path.rpartition(".")[2]


COMMANDS = (
    Command("scene.estimate", "Estimate",
            "Measure every joint's type and limits from the motion of the selected character or of "
            "the open clips.", keys="Ctrl+E", on_bar=True),
    Command("cancel", "Cancel",
            "Stop the running task; nothing changes.", keys="Esc", obstacle=needs_task),
    Command("scene.apply_limits", "Apply",
            "Write the limits to the character: in Maya to the scene, where one undo reverts it; "
            "outside Maya to a copy of the open .ma scene.",
            keys="Ctrl+Return", on_bar=True, obstacle=needs_target),
    Command("scene.filter_keys", "Filter keys",
            "Bring rotate keys that mix Euler branches or turns to one, so that limits do not "
            "clamp them. Asks first if frames between runs of keys change. In Maya one undo "
            "reverts it; outside Maya it is done in the copy that Apply writes.",
            obstacle=needs_target),
    Command("scene.switch_limits", "Limits on/off",
            "Switch applied limits off, for baking and recording, or back on. Their values stay.",
            obstacle=needs_scene),
    Command("scene.clear_limits", "Clear",
            "Restore the limits the joints had before Apply.", obstacle=needs_scene),
    Command("shapes.fit_shapes", "Fit shapes",
            "Fit a shape to the poses of every joint: one limit for all its channels together, "
            "tighter than their ranges. The options choose the kind of shape. Estimate removes "
            "shapes; fit them again afterwards.",
            keys="Ctrl+Shift+F", menu="Shapes", obstacle=needs_limits),
    Command("shapes.project_live", "Keep inside while I work",
            "Insert a node in front of the selected joints, or all, that keeps them inside their "
            "shapes. One undo in Maya reverts it.", menu="Shapes", obstacle=needs_shapes),
    Command("shapes.stop_projecting", "Stop keeping inside",
            "Remove these nodes and restore the original connections.",
            menu="Shapes", obstacle=needs_scene),
    Command("shapes.project_keys", "Bring keys inside",
            "Move keys of the selected joints, or of all, that are outside their shapes to the "
            "nearest pose inside. One undo in Maya reverts it.",
            menu="Shapes", obstacle=needs_shapes),
    Command("scene.preview_clamping", "Preview clamping",
            "Replay every clip through the limits and list the frames that would change, worst "
            "first.", keys="Ctrl+R", on_bar=True, obstacle=needs_limits),
    Command("scene.toggle_guides", "Guides",
            "Draw the limits of the selected joints, or of all, in the viewport as curves, or "
            "remove them.", keys="Ctrl+G", obstacle=needs_scene),
    Command("files.open_limits", "Open...",
            "Open limits from a file.", keys="Ctrl+O", menu="File", on_bar=True),
    Command("files.open_clips", "Add clips...",
            "Add motion files of the same character.", keys="Ctrl+Shift+O", menu="File"),
    Command("skeletons.skeleton_from_tracks", "Skeleton from tracks...",
            "Find the skeleton in tracks of loose bodies or markers (C3D, CSV) and measure its "
            "limits. Several files of the same bodies make one skeleton.",
            keys="Ctrl+T", menu="File"),
    Command("skeletons.skeleton_from_selection", "Skeleton from selection",
            "Build a joint chain beside the selected animated transforms, from their relative "
            "motion, and measure its limits. One undo in Maya removes the chain.",
            menu="File", obstacle=needs_transforms),
    Command("save", "Save",
            "Save the limits, with your edits, to their file.",
            keys="Ctrl+S", menu="File", on_bar=True, obstacle=needs_limits),
    Command("save_as", "Save as...",
            "Save the limits to another file.",
            keys="Ctrl+Shift+S", menu="File", obstacle=needs_limits),
    Command("files.report", "Report...",
            "Write a page with the character, all limits and their evidence (HTML).",
            menu="Export", obstacle=needs_limits),
    Command("files.export_table", "Table...",
            "Write all limits as a plain text table.", menu="Export", obstacle=needs_limits),
    Command("files.compare", "Compare...",
            "Show how these limits differ from those in a file.",
            menu="File", obstacle=needs_limits),
    Command("document.undo_stack.undo", "Undo",
            "Undo the last change in this window.",
            keys="Ctrl+Z", menu="Edit", on_bar=True, obstacle=needs_done),
    Command("document.undo_stack.redo", "Redo",
            "Redo the last undone change.",
            keys="Ctrl+Shift+Z", menu="Edit", on_bar=True, obstacle=needs_undone),
    Command("edits.copy", "Copy limits",
            "Copy the limits of the selected joints.",
            keys="Ctrl+C", menu="Edit", obstacle=needs_selection),
    Command("edits.paste", "Paste limits",
            "Give the selected joints the copied limits.",
            keys="Ctrl+V", menu="Edit", obstacle=needs_selection),
    Command("edits.mirror", "Mirror",
            "Give the joints on the other side of the body the mirror image of these limits.",
            keys="Ctrl+M", menu="Edit", obstacle=needs_partner),
    Command("edits.reset", "Back to measured",
            "Discard your edits of these joints and use the measured values.",
            keys="Ctrl+Backspace", menu="Edit", obstacle=needs_selection),
    Command("edits.pin", "Pin",
            "Pin these joints at their current limits; later estimates do not change them.",
            keys="Ctrl+K", menu="Edit", obstacle=needs_selection),
    Command("toggle_character", "Character",
            "Show or hide the character.", keys="Ctrl+Shift+C", menu="View"),
    Command("play", "Play",
            "Play the clip on the character, or pause.", keys="Alt+V", menu="View"),
    Command("find", "Find joints",
            "Type part of a joint's name.", keys="Ctrl+F", menu="View"),
    Command("scene.select_in_scene", "Select in scene",
            "Select these joints in Maya.", menu="View", obstacle=needs_scene),
    Command("what_is_this", "What is this?",
            "Click a part of the window to see what it shows.",
            keys="Shift+F1", menu="Help", on_bar=True),
    Command("begin_tour", "Guided look",
            "Show the three first steps again.", menu="Help", obstacle=needs_limits),
    Command("open_log", "Log",
            "Open the log with the details of failures.", menu="Help"),
)  # fmt: skip


def make_actions(window: Desk) -> dict[str, QAction]:
    """Create the window's actions, by name of the command."""
    made = {}
    for command in COMMANDS:
        action = QAction(command.label, window, icon=icon_of(command.name, window.palette()))
        action.setIconText(f" {command.label.rstrip('.')}")  # room between icon and word
        action.setToolTip(_tip(command))
        action.setStatusTip(command.tip)
        action.setWhatsThis(command.tip)
        if command.keys:
            action.setShortcut(QtGui.QKeySequence(command.keys))
            # Anywhere in the window, but not in the rest of Maya.
            action.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        run = window.guarded(attrgetter(command.path)(window))
        action.triggered.connect(lambda *_, run=run: run())  # without the state of a button
        window.addAction(action)
        made[command.name] = action
    return made


def _tip(command: Command) -> str:
    return f"{command.tip} ({command.keys})" if command.keys else command.tip


def update_actions(window: Desk, actions: Mapping[str, QAction]) -> None:
    """Enable the possible actions, and explain in their tool tips why others are not possible."""
    stack = window.document.undo_stack
    for command in COMMANDS:
        obstacle = command.obstacle(window)
        actions[command.name].setEnabled(obstacle is None)
        actions[command.name].setToolTip(obstacle or _tip(command))
    for name, step in (("undo", stack.undoText()), ("redo", stack.redoText())):
        actions[name].setToolTip(f"{actions[name].text()} {step}".strip())
