"""What the window needs of whatever it stands in: Maya, or nothing but files."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from jointlimits_core.limits.limit_set import LimitSet
from jointlimits_core.motion import Motion
from jointlimits_core.progress import Progress

from .traces import Trace

FRAME, SELECTION, SCENE, NODES = "frame", "selection", "scene", "nodes"
"""What a host tells of: the time moved, others are selected, another scene, joints came or went."""

SCENE_WORK = ("read", "apply", "clear", "switch", "guides", "select", "project", "skeleton")
"""What only a host with a scene can do."""

Watcher = Callable[[str], None]
"""Called with one of :data:`FRAME`, :data:`SELECTION`, :data:`SCENE`, :data:`NODES`."""


@dataclass(frozen=True)
class Said:
    """What came of something, for the artist.

    Parameters
    ----------
    text : str
        A sentence or two.
    details : str
        For whoever wants to know all of it.
    whole : bool
        False if something was left alone.
    """

    text: str
    details: str = ""
    whole: bool = True


class Character(Protocol):
    """A character of a host's scene: the same one whatever its joints are called meanwhile."""

    name: str
    """What its top joint is called."""

    def joint_names(self) -> tuple[str, ...]:
        """Names of its joints that are there, as they are now."""

    def is_there(self) -> bool:
        """Whether any of it is in the scene."""

    def overlaps(self, other: Any) -> bool:
        """Whether it has a joint in common with another character of this host."""

    def is_part_of(self, other: Any) -> bool:
        """Whether another character of this host has all of its joints, and more."""


class Host(Protocol):
    """The window's surroundings.

    Everything here is called on the main thread, and may raise ValueError or OSError with a
    sentence that says what to do next, or Cancelled.
    """

    title: str
    can: frozenset[str]
    """Which of :data:`SCENE_WORK` it can do."""

    @property
    def folder(self) -> Path:
        """Folder of the user's, for what the window remembers."""

    def show_clips(self, clips: Sequence[Motion]) -> None:
        """Take the clips that are open, to go to frames of."""

    def why_not(self, what: str) -> str:
        """Say why something of :data:`SCENE_WORK` cannot be done here."""

    def chosen(self) -> Character:
        """Return the selected character; if nothing is selected, the one that is held."""

    def selected(self) -> Character | None:
        """Return the selected character, if one is selected."""

    def hold(self, character: Any) -> None:
        """Work on this character of its own from now on; None: on whatever is selected."""

    def read_motion(
        self, character: Any, options: Mapping[str, Any], progress: Progress | None
    ) -> Motion:
        """Motion of a character; options of the groups "scene", "time" and "rest pose"."""

    def build_skeleton(self, options: Mapping[str, Any]) -> tuple[Character, Said]:
        """Build a chain of joints beside the selected transforms, and select it.

        Options of the groups "bodies", "chain" and "time". One undo of the host.
        """

    def traces(self, character: Any) -> Mapping[str, Trace]:
        """How well the joints hold of a character that was built so; of others nothing."""

    def latest(self, character: Any) -> LimitSet | None:
        """Return the limits that a character had last, if any are kept."""

    def keep(self, limit_set: LimitSet) -> None:
        """Keep limits where :meth:`latest` and the shelf find them."""

    def would_clip(self, limit_set: LimitSet, options: Mapping[str, Any]) -> str:
        """Say what of the animation :meth:`apply` would clip, worst first; empty if nothing."""

    def apply(
        self, limit_set: LimitSet, options: Mapping[str, Any], may_move: bool = False
    ) -> Said:
        """Write limits on the character; options of the group "write". One undo of the host.

        Limits that would clip animation are left out unless `may_move`.
        """

    def clear(self) -> Said:
        """Give the character's joints back what they had before limits were applied."""

    def switch(self) -> Said:
        """Switch applied limits off, or on again."""

    def guides(self, limit_set: LimitSet | None, joints: Sequence[str]) -> Said:
        """Draw guides of these joints in the viewport, or take all away (None)."""

    def guides_shown(self) -> bool:
        """Whether there are guides in the viewport."""

    def keep_inside(
        self, limit_set: LimitSet, joints: Sequence[str], options: Mapping[str, Any]
    ) -> Said:
        """Keep joints, or all of the character, inside their shapes from now on.

        Options of the group "project". One undo of the host.
        """

    def let_go(self, joints: Sequence[str]) -> Said:
        """Drive joints, or all of the character, as before :meth:`keep_inside`."""

    def keys_inside(
        self, limit_set: LimitSet, joints: Sequence[str], options: Mapping[str, Any]
    ) -> Said:
        """Bring keys of joints, or of all, inside their shapes; tells what moved. One undo."""

    def undo(self) -> None:
        """Undo the last thing in the scene."""

    def current_frame(self) -> float | None:
        """Where the time stands."""

    def go_to_frame(self, clip: str, frame: float) -> bool:
        """Show a frame of a clip; False if this host cannot show that clip."""

    def current_pose(self) -> Motion | None:
        """Return the pose that stands there now as a motion of one frame; None if there is none."""

    def joints_there(self) -> frozenset[str] | None:
        """Names of the character's joints as they are now; None if there is no scene."""

    def selected_joints(self) -> tuple[str, ...]:
        """Names of the joints that are selected."""

    def select_joints(self, names: Sequence[str]) -> None:
        """Select joints; those that are not there are passed over."""

    def watch(self, watcher: Watcher) -> Callable[[], None]:
        """Tell of changes from now on; gives what ends it."""

    def wait_for(self, title: str) -> Any:
        """Show that work on the scene goes on: a context manager that gives a Progress or None."""

    @property
    def log_path(self) -> Path:
        """Path of the log, whether it is there or not."""

    def note(self, what: str, error: BaseException) -> str:
        """Write the details of a failure into the log; gives where that is."""

    def open_log(self) -> str:
        """Show the log; gives what there is to say, if anything."""
