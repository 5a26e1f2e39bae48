"""Interface between the window and its surroundings: a host, and a scene if the host has one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from logging import Logger
from pathlib import Path
from typing import Any, Protocol

from jointlimits_core.base.progress import Progress
from jointlimits_core.base.text import plural
from jointlimits_core.limits.limit_set import LimitSet
from jointlimits_core.limits.review_entries import ReviewEntry
from jointlimits_core.motion.motion import Motion
from jointlimits_core.rig.clamping import Clamped
from jointlimits_core.rig.filter_keys import KeyFilterReport

from .skeleton_fit import Trace

FRAME, SELECTION, SCENE, NODES = "frame", "selection", "scene", "nodes"
"""Events of a host: time changed, selection changed, new scene, joints added or removed."""
Watcher = Callable[[str], None]
"""Called with one of these events."""


@dataclass(frozen=True)
class Result:
    """Result of an action, for the artist: one or two sentences, and the full list."""

    text: str
    details: str = ""
    complete: bool = True
    """False if something was skipped."""
    entries: tuple[ReviewEntry, ...] = ()
    """Entries to show before the review of the limits."""


def filter_result(report: KeyFilterReport, where: str = "") -> Result:
    """Result of filtering keys. `where`: completes the sentence."""
    sentence = report.sentence()
    text = f"{sentence[0].upper()}{sentence[1:]}{where if report.joints else ''}."
    if report.refused:
        text += f" Not filtered: {plural(len(report.refused), 'joint')}; see Details."
    details = "\n".join([*report.lines(), *report.refusals()])
    return Result(text, details, not report.refused)


class Character(Protocol):
    """A character in the host's scene; it stays the same when its joints are renamed."""

    name: str
    """Name of its top joint."""

    def joint_names(self) -> tuple[str, ...]:
        """Current names of its joints that exist."""

    def exists(self) -> bool:
        """Whether any of its joints is in the scene."""

    def overlaps(self, other: Any) -> bool:
        """Whether it has a joint in common with another character of this host."""

    def is_part_of(self, other: Any) -> bool:
        """Whether another character of this host has all of its joints and more."""


class Scene(Protocol):
    """Scene of a host: characters to measure, to write to and to select."""

    def chosen_character(self) -> Character:
        """Return the selected character; without a selection, the one held."""

    def selected_character(self) -> Character | None:
        """Return the selected character, if one is selected."""

    def hold(self, character: Any) -> None:
        """Keep working on this character; None: on the selection."""

    def read_motion(
        self, character: Any, options: Mapping[str, Any], progress: Progress | None
    ) -> Motion:
        """Read the motion of a character; options of the groups "scene", "time" and "rest pose"."""

    def build_skeleton(self, options: Mapping[str, Any]) -> tuple[Character, Result]:
        """Build a joint chain beside the selected transforms, and select it; one undo.

        Options of the groups "bodies", "chain" and "time".
        """

    def traces(self, character: Any) -> Mapping[str, Trace]:
        """Fit of each joint of a skeleton from :meth:`build_skeleton`; otherwise empty."""

    def latest(self, character: Any) -> LimitSet | None:
        """Return the last limits of a character, if any are stored."""

    def store(self, limit_set: LimitSet) -> None:
        """Store limits for :meth:`latest` and the shelf."""

    def would_move(self, limit_set: LimitSet, options: Mapping[str, Any]) -> Sequence[Clamped]:
        """Channels on which :meth:`apply` would change poses, worst first."""

    def apply(
        self, limit_set: LimitSet, options: Mapping[str, Any], may_move: bool = False
    ) -> Result:
        """Write limits, none where they would change poses unless `may_move`; one undo."""

    def keys_to_filter(self) -> KeyFilterReport:
        """Rotate keys of the character that :meth:`filter_keys` would change."""

    def filter_keys(self) -> Result:
        """Bring rotate keys of the character to one Euler branch. One undo of the host."""

    def clear(self) -> Result:
        """Restore the limits that the joints had before limits were applied."""

    def switch(self) -> Result:
        """Switch applied limits off, or back on."""

    def guides(self, limit_set: LimitSet | None, joints: Sequence[str]) -> Result:
        """Draw guides of these joints in the viewport, or remove all guides (None)."""

    def guides_shown(self) -> bool:
        """Whether there are guides in the viewport."""

    def project_live(
        self, limit_set: LimitSet, joints: Sequence[str], options: Mapping[str, Any]
    ) -> Result:
        """Keep joints, or the whole character, inside their shapes from now on; one undo."""

    def stop_projecting(self, joints: Sequence[str]) -> Result:
        """Undo :meth:`project_live` for joints, or for the whole character."""

    def project_keys(
        self, limit_set: LimitSet, joints: Sequence[str], options: Mapping[str, Any]
    ) -> Result:
        """Move keys of joints, or all, inside their shapes; reports what moved. One undo."""

    def scene_joints(self) -> frozenset[str] | None:
        """Current names of the character's joints; None without a character."""

    def selected_joints(self) -> tuple[str, ...]:
        """Names of the selected joints."""

    def select_joints(self, names: Sequence[str]) -> None:
        """Select joints; missing ones are skipped."""


class Host(Protocol):
    """Surroundings of the window.

    Everything here and in :class:`Scene` is called on the main thread and may raise ValueError or
    OSError, with the next step in the message, or Cancelled.
    """

    title: str
    folder: Path
    """The user's folder for the window's settings and the log."""

    @property
    def scene(self) -> Scene | None:
        """The open scene; None if the host works with files only."""

    def show_clips(self, clips: Sequence[Motion]) -> None:
        """Take the open clips, whose frames can be visited."""

    def current_frame(self) -> float | None:
        """Current time."""

    def go_to_frame(self, clip: str, frame: float) -> bool:
        """Show a frame of a clip; False if this host cannot show that clip."""

    def current_pose(self) -> Motion | None:
        """Return the current pose as a motion of one frame; None if there is none."""

    def watch(self, watcher: Watcher) -> Callable[[], None]:
        """Report changes to a watcher; returns a function that ends it."""

    def wait_for(self, title: str) -> Any:
        """Show that work on the scene is running: a context manager with a Progress or None."""

    def logger(self) -> Logger:
        """Logger of the log in :attr:`folder`."""
