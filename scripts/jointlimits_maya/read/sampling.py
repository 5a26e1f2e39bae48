"""Values of drivers at frames, each read in the cheapest correct way.

``keyframe`` returns all keys of a curve in two calls (times, values), and in a third call the
values at any times, computed by Maya "without regard to input connections" (command reference).
Baked motion has a key on every frame, so the keys suffice. The alternatives take one call per frame
(``MFnAnimCurve.evaluate``), or six per key to recompute what Maya knows.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from maya import cmds

from jointlimits_core.base import Progress, report_progress
from jointlimits_core.geometry import Floats

from ..base.open_maya import om, oma
from ..scene import frames_per_second, limits_bypassed, matrix_of, refresh_suspended, time_at
from .drivers import Constant, CurveOverTime, Driver, Drivers, Evaluated

if TYPE_CHECKING:
    from ..base.api_types import MDGContextGuard
else:
    from maya.api.MDGContextGuard import MDGContextGuard

_AT_KEY_SECONDS = 1e-10
"""Times this close to a key count as the key."""

_TIMES_IN_ONE_CALL = 1000


@dataclass(frozen=True, eq=False)
class KeyList:
    """Keys of a curve.

    `frames`, shape (keys,): increasing, in the scene's unit of time. `values`, shape (keys,):
    internal units.
    """

    curve: CurveOverTime
    frames: Floats
    values: Floats

    @classmethod
    def of(cls, curve: CurveOverTime) -> KeyList:
        """Read the keys of a curve."""
        # live check: keyframe-in-full-precision
        frames = cmds.keyframe(curve.name, query=True, timeChange=True) or ()
        values = cmds.keyframe(curve.name, query=True, valueChange=True) or ()
        return cls(curve, np.array(frames, np.float64), np.array(values, np.float64) * curve.unit)

    def at(self, frames: Floats) -> Floats:
        """Values at frames, shape (frames,), in internal units; 0 for a curve without keys."""
        if not len(self.frames):
            return np.zeros(len(frames))
        place = np.clip(np.searchsorted(self.frames, frames), 1, max(len(self.frames) - 1, 1))
        before, after = self.frames[place - 1], self.frames[np.minimum(place, len(self.frames) - 1)]
        nearest = np.where(frames - before <= after - frames, place - 1, place)
        nearest = np.minimum(nearest, len(self.frames) - 1)
        values = self.values[nearest]
        apart = np.abs(self.frames[nearest] - frames) > _AT_KEY_SECONDS * frames_per_second()
        if apart.any():
            values[apart] = _evaluated(self.curve, frames[apart])
        return values


def _evaluated(curve: CurveOverTime, frames: Floats) -> Floats:
    """Values between and outside the keys."""
    found: list[float] = []
    for start in range(0, len(frames), _TIMES_IN_ONE_CALL):
        part: list[float] = frames[start : start + _TIMES_IN_ONE_CALL].tolist()
        times: list[str | tuple[float, float] | tuple[float]] = [(time, time) for time in part]
        found += cmds.keyframe(curve.name, query=True, eval=True, time=times) or ()
    # live check: keyframe-eval-many-times
    if len(found) != len(frames):
        evaluate = oma.MFnAnimCurve(curve.node).evaluate
        return np.array([evaluate(time_at(frame)) for frame in frames.tolist()])
    return np.array(found, dtype=np.float64) * curve.unit


@dataclass
class Keys:
    """Cache of curve keys."""

    _known: dict[str, KeyList] = field(default_factory=dict)

    def of(self, curve: CurveOverTime) -> KeyList:
        """Keys of one curve."""
        if curve.name not in self._known:
            self._known[curve.name] = KeyList.of(curve)
        return self._known[curve.name]

    def frames(self, curves: Iterable[CurveOverTime]) -> Floats:
        """Times of all keys of curves, in the scene's time unit."""
        return np.concatenate([np.zeros(0), *(self.of(curve).frames for curve in curves)])


@dataclass
class Samples:
    """Values of drivers at every frame.

    `frames`, shape (frames,).
    """

    frames: Floats
    _curves: dict[str, Floats] = field(default_factory=dict)
    _evaluated: dict[int, Floats] = field(default_factory=dict)

    def of(self, driver: Driver) -> Floats:
        """Values at every frame, shape (frames,), or (frames, 4, 4) for a matrix."""
        if isinstance(driver, Constant):
            return np.full(len(self.frames), driver.value)
        if isinstance(driver, CurveOverTime):
            return self._curves[driver.name]
        return self._evaluated[id(driver)]

    def take(
        self,
        drivers: Drivers,
        wanted: Iterable[Driver],
        keys: Keys,
        progress: Progress | None = None,
    ) -> list[str]:
        """Read drivers, bypassing limits.

        Returns names of joints whose limits could not be switched off. Raises Cancelled.
        """
        once = list({id(driver): driver for driver in wanted}.values())
        self.take_curves([one for one in once if isinstance(one, CurveOverTime)], keys, progress)
        evaluated = [one for one in once if isinstance(one, Evaluated)]
        if not evaluated:
            return []
        with limits_bypassed(drivers.joints_behind(evaluated)) as stuck:
            self.take_evaluated(evaluated, progress)
        return stuck

    def take_curves(
        self, curves: Sequence[CurveOverTime], keys: Keys, progress: Progress | None = None
    ) -> None:
        """Read curves, one pass each, without evaluating nodes or changing the time.

        Raises Cancelled.
        """
        for done, curve in enumerate(curves):
            report_progress(progress, done, len(curves), "reading curves")
            self._curves[curve.name] = keys.of(curve).at(self.frames)

    def take_evaluated(
        self,
        drivers: Sequence[Evaluated],
        progress: Progress | None = None,
        label: str = "evaluating layers and constraints",
    ) -> None:
        """Evaluate plugs in contexts of other times, or by playing the scene where needed.

        Raises Cancelled.
        """
        played = [driver for driver in drivers if driver.played]
        others = [driver for driver in drivers if not driver.played]
        rows: dict[int, list[object]] = {id(driver): [] for driver in drivers}
        if others:
            for done, frame in enumerate(self.frames):
                report_progress(progress, done, len(self.frames), label)
                with MDGContextGuard(om.MDGContext(time_at(frame))):
                    _read(others, rows)
        if played:
            with refresh_suspended():
                for done, frame in enumerate(self.frames):
                    report_progress(progress, done, len(self.frames), "playing the scene")
                    oma.MAnimControl.setCurrentTime(time_at(frame))
                    _read(played, rows)
        for driver in drivers:
            self._evaluated[id(driver)] = np.array(rows[id(driver)], dtype=np.float64)


def _read(drivers: Sequence[Evaluated], rows: dict[int, list[object]]) -> None:
    """Append the values at the current time."""
    for driver in drivers:
        value = matrix_of(driver.plug) if driver.is_matrix else driver.plug.asDouble()
        rows[id(driver)].append(value)
