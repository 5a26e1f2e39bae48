"""Values of drivers at frames, each read in the cheapest correct way."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import maya.api.OpenMaya as om
import maya.api.OpenMayaAnim as oma
import numpy as np
from maya.api.MDGContextGuard import MDGContextGuard

from jointlimits_core.arrays import Floats
from jointlimits_core.progress import Progress, tell

from .attributes import matrix_of
from .curve_values import KeyList
from .drivers import Constant, CurveOverTime, Driver, Evaluated
from .time_choice import time_at
from .untouched import refresh_suspended


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

    Parameters
    ----------
    frames : array, shape (frames,)
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

    def take_curves(
        self, curves: Sequence[CurveOverTime], keys: Keys, progress: Progress | None = None
    ) -> None:
        """Read curves, one pass each, without evaluating nodes or changing the time.

        Raises
        ------
        Cancelled
        """
        for done, curve in enumerate(curves):
            tell(progress, done, len(curves), "reading curves")
            self._curves[curve.name] = keys.of(curve).at(self.frames)

    def take_evaluated(
        self,
        drivers: Sequence[Evaluated],
        progress: Progress | None = None,
        label: str = "evaluating layers and constraints",
    ) -> None:
        """Evaluate plugs in contexts of other times, or by playing the scene where needed.

        Raises
        ------
        Cancelled
        """
        played = [driver for driver in drivers if driver.played]
        others = [driver for driver in drivers if not driver.played]
        rows: dict[int, list[object]] = {id(driver): [] for driver in drivers}
        if others:
            for done, frame in enumerate(self.frames):
                tell(progress, done, len(self.frames), label)
                with MDGContextGuard(om.MDGContext(time_at(frame))):
                    _read(others, rows)
        if played:
            with refresh_suspended():
                for done, frame in enumerate(self.frames):
                    tell(progress, done, len(self.frames), "playing the scene")
                    oma.MAnimControl.setCurrentTime(time_at(frame))
                    _read(played, rows)
        for driver in drivers:
            self._evaluated[id(driver)] = np.array(rows[id(driver)], dtype=np.float64)


def _read(drivers: Sequence[Evaluated], rows: dict[int, list[object]]) -> None:
    """Append the values at the current time."""
    for driver in drivers:
        value = matrix_of(driver.plug) if driver.is_matrix else driver.plug.asDouble()
        rows[id(driver)].append(value)
