"""Interface between the window and its surroundings: a host, and a scene if the host has one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from logging import Logger
from pathlib import Path
from typing import Any, Protocol

from jointlimits_core.base.findings import JointDriver
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
    """Result of an action, for the artist: one or two sentences, and the full details."""

    text: str
    details: str = ""
    complete: bool = True
    """False if something was skipped."""
    entries: tuple[ReviewEntry, ...] = ()
    """Entries to show before those of the review."""


@dataclass(frozen=True)
class ApplyPlan:
    """Preview of :meth:`Scene.apply`.

    `moves`: channels on which limits would change poses, worst first. `controls`: drivers of the
    joints whose limits would stay off, because they follow controls. `noun`: word for what gets
    the limits.
    """

    moves: Sequence[Clamped] = ()
    controls: Mapping[str, JointDriver] = field(default_factory=dict)
    noun: str = "joint"


def filter_result(report: KeyFilterReport, where: str = "") -> Result:
    """Result of filtering keys; `where` completes the sentence with a place."""
    sentence = report.sentence()
    text = f"{sentence[0].upper()}{sentence[1:]}{where if report.joints else ''}."
    if report.refused:
        text += f" Not filtered: {plural(len(report.refused), report.noun)}; see Details."
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
    """The host's scene, whose characters can be measured, written to and selected."""

    measures_controls: bool
    """Whether the next character chosen consists of controls in place of joints."""

    def why_no_controls(self) -> str:
        """Reason why there are no controls to measure; empty if there are."""

    def chosen_character(self) -> Character:
        """Return the selected character, or the one set by :meth:`hold` if none is selected."""

    def selected_character(self) -> Character | None:
        """Return the selected character, if one is selected."""

    def hold(self, character: Any) -> None:
        """Keep working on this character, or follow the selection again (None)."""

    def read_motion(
        self, character: Any, options: Mapping[str, Any], progress: Progress | None
    ) -> Motion:
        """Read motion; options: groups "scene", "time", "evaluation" and "rest pose"."""

    def build_skeleton(self, options: Mapping[str, Any]) -> tuple[Character, Result]:
        """Build a joint chain beside the selected transforms, and select it; one undo step.

        Options are from the groups "bodies", "chain" and "time".
        """

    def traces(self, character: Any) -> Mapping[str, Trace]:
        """Fit of each joint, if :meth:`build_skeleton` built the skeleton; otherwise empty."""

    def latest(self, character: Any) -> LimitSet | None:
        """Return the limits stored last for a character, if any."""

    def store(self, limit_set: LimitSet) -> None:
        """Store limits for :meth:`latest` and the shelf."""

    def plan_apply(self, limit_set: LimitSet, options: Mapping[str, Any]) -> ApplyPlan:
        """Preview :meth:`apply` without changing anything."""

    def apply(
        self, limit_set: LimitSet, options: Mapping[str, Any], may_move: bool = False
    ) -> Result:
        """Write limits, with `may_move` even those that would change poses; one undo step."""

    def keys_to_filter(self) -> KeyFilterReport:
        """Return the character's rotate keys that :meth:`filter_keys` would change."""

    def filter_keys(self) -> Result:
        """Bring the character's rotate keys to one Euler branch; one undo step of the host."""

    def clear(self) -> Result:
        """Restore the limits that the joints had before any were applied."""

    def switch(self) -> Result:
        """Switch applied limits off, or back on."""

    def guides(self, limit_set: LimitSet | None, joints: Sequence[str]) -> Result:
        """Draw guides for these joints in the viewport; without limits, remove all guides."""

    def guides_shown(self) -> bool:
        """Whether there are guides in the viewport."""

    def plan_projecting(
        self, limit_set: LimitSet, joints: Sequence[str], options: Mapping[str, Any]
    ) -> tuple[Sequence[str], Sequence[str]]:
        """Joints posed by hand, and driven ones, that :meth:`project_live` would put nodes on."""

    def project_live(
        self, limit_set: LimitSet, joints: Sequence[str], options: Mapping[str, Any]
    ) -> Result:
        """Keep joints, or the whole character, inside their shapes from now on; one undo step."""

    def stop_projecting(self, joints: Sequence[str]) -> Result:
        """Undo :meth:`project_live` for joints, or for the whole character."""

    def project_keys(
        self, limit_set: LimitSet, joints: Sequence[str], options: Mapping[str, Any]
    ) -> Result:
        """Move keys of joints, or of all, inside their shapes and list them; one undo step."""

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
        """Receive the open clips, whose frames :meth:`go_to_frame` can show."""

    def current_frame(self) -> float | None:
        """Current time."""

    def go_to_frame(self, clip: str, frame: float) -> bool:
        """Show a frame of a clip; False if this host cannot show that clip."""

    def current_pose(self) -> Motion | None:
        """Return the current pose as a motion of one frame; None if there is none."""

    def watch(self, watcher: Watcher) -> Callable[[], None]:
        """Report events to a watcher; returns a function that stops the reports."""

    def wait_for(self, title: str) -> Any:
        """Context manager that shows that the scene is busy; yields a Progress or None."""

    def logger(self) -> Logger:
        """Logger that writes to the log in :attr:`folder`."""
