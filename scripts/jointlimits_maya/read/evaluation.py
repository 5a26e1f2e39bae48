"""Evaluation of plugs at every frame: in contexts, or by playing the scene.

Both give the same values. For each plug and frame, a context evaluates only what that plug needs; a
change of time evaluates the whole scene once, with all callbacks. Both are timed, to choose one.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from jointlimits_core.base.progress import Progress, report_progress
from jointlimits_core.geometry.arrays import Floats

from ..base.host import SceneError
from ..base.open_maya import om, oma
from ..scene import preserve
from ..scene.joints import nodes_of_type
from ..scene.plugs import find_plug, matrix_of
from ..scene.time import time_at
from .upstream import CURVES

if TYPE_CHECKING:
    from ..base.api_types import MDGContextGuard
else:
    from maya.api.MDGContextGuard import MDGContextGuard

CONTEXTS = "evaluating layers and constraints"
"""Label of progress while plugs are evaluated in contexts."""
MEASURED_FRAMES = 5
"""Frames read in each way to compare them; all their values are used."""
MIN_SECONDS = 5.0
"""Reading in contexts is not compared with playing if it would take less than this."""
MAX_HELD_DIFFERENCE = 1e-6
"""A keyed channel further than this from its curve, in internal units, has been posed."""


@dataclass(frozen=True, eq=False)
class Evaluated:
    """A plug that has to be evaluated.

    `plug`: the source of the channel, or the channel itself if a solver rotates its joint. `name`:
    name of the plug. `played`: whether the scene must be played frame by frame to read it.
    """

    plug: om.MPlug
    name: str
    played: bool = False
    is_matrix: bool = False
    is_switch: bool = False

    def read(self) -> object:
        """Value at the current time, or in the current context."""
        if self.is_switch:
            return self.plug.asInt()
        return matrix_of(self.plug) if self.is_matrix else self.plug.asDouble()


_forced: list[bool] = []


@contextmanager
def play_everything(on: bool) -> Iterator[None]:
    """Play whatever is evaluated in the block, in case nodes keep a state unnoticed."""
    _forced.append(on)
    try:
        yield
    finally:
        _forced.pop()


def is_playing_forced() -> bool:
    """Whether everything is to be played."""
    return any(_forced)


def evaluate(
    drivers: Sequence[Evaluated],
    frames: Floats,
    progress: Progress | None = None,
    label: str = CONTEXTS,
    clock: Callable[[], float] = time.perf_counter,
) -> dict[Evaluated, list[object]]:
    """Values of plugs at every frame.

    The scene is played if any plug needs it, or if that was measured to be faster and loses no
    pose. `clock`: returns seconds. Raises Cancelled, and SceneError if a plug cannot be evaluated.
    """
    run = _Run(drivers, frames.tolist(), progress, label)
    if any(driver.played for driver in drivers):
        with scene_playback():
            run.play(run.frames_left())
        return run.rows
    per_frame = _seconds_of(lambda: run.read_in_contexts(MEASURED_FRAMES), clock) / MEASURED_FRAMES
    if per_frame * run.frames_left() >= MIN_SECONDS and not holds_unkeyed_poses():
        with scene_playback():
            each = _seconds_of(lambda: run.play(MEASURED_FRAMES), clock) / MEASURED_FRAMES
            if each < per_frame:
                run.play(run.frames_left())
    run.read_in_contexts(run.frames_left())
    return run.rows


@contextmanager
def scene_playback() -> Iterator[None]:
    """Prepare the scene for changes of time."""
    with preserve.refresh_suspended(), preserve.parallel_evaluation_off():
        yield


def _seconds_of(work: Callable[[], None], clock: Callable[[], float]) -> float:
    before = clock()
    work()
    return clock() - before


@dataclass
class _Run:
    """Rows of values, frame by frame. `done`: number of frames read."""

    drivers: Sequence[Evaluated]
    frames: list[float]
    progress: Progress | None
    label: str
    done: int = 0
    rows: dict[Evaluated, list[object]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.rows = {driver: [] for driver in self.drivers}
        nodes = {driver.name.partition(".")[0]: driver.plug.node() for driver in self.drivers}
        self.nodes = {name: om.MObjectHandle(node) for name, node in nodes.items()}

    def frames_left(self) -> int:
        """Number of frames to read."""
        return len(self.frames) - self.done

    def read_in_contexts(self, count: int) -> None:
        """Read the next frames without changing the time."""
        for frame in self._next(count, self.label):
            with MDGContextGuard(om.MDGContext(time_at(frame))):
                self._append(frame)

    def play(self, count: int) -> None:
        """Read the next frames by changes of time."""
        for frame in self._next(count, "playing the scene"):
            oma.MAnimControl.setCurrentTime(time_at(frame))
            self._append(frame)

    def _next(self, count: int, label: str) -> Iterator[float]:
        for frame in self.frames[self.done : self.done + count]:
            report_progress(self.progress, self.done, len(self.frames), label)
            yield frame
            self.done += 1

    def _append(self, frame: float) -> None:
        for name, node in self.nodes.items():
            # Its plugs may crash Maya. live check: deleted-node-alive-for-undo
            if not node.isValid():
                raise SceneError(
                    f"{name!r} was deleted while it was read, at frame {frame:g}; switch off the "
                    "script that deletes it, or bake the animation"
                )
        for driver in self.drivers:
            self.rows[driver].append(driver.read())


def holds_unkeyed_poses() -> bool:
    """Whether a keyed channel differs from its curve, so that a change of time would lose it."""
    now = oma.MAnimControl.currentTime()
    for kind in CURVES:
        for node in nodes_of_type(kind):
            expected = oma.MFnAnimCurve(node).evaluate(now)
            for plug in find_plug(node, "output").destinationsWithConversions():
                if abs(plug.asDouble() - expected) > MAX_HELD_DIFFERENCE:
                    return True
    return False
