"""Values of an animation curve at many times, in few calls and without evaluating a node.

``keyframe`` returns all keys of a curve in two calls (times, values), and in a third call the
values at any times, computed by Maya "without regard to input connections" (command reference).
Baked motion has a key on every frame, so the keys suffice. The alternatives take one call per frame
(``MFnAnimCurve.evaluate``), or six per key to recompute what Maya knows.
"""

from __future__ import annotations

from dataclasses import dataclass

import maya.api.OpenMayaAnim as oma
import numpy as np
from maya import cmds

from jointlimits_core.arrays import Floats

from .drivers import CurveOverTime
from .time_choice import frames_per_second, time_at

_AT_KEY_SECONDS = 1e-10
"""Times this close to a key count as the key."""

_TIMES_IN_ONE_CALL = 1000


@dataclass(frozen=True, eq=False)
class KeyList:
    """Keys of a curve.

    Parameters
    ----------
    frames : array, shape (keys,)
        Increasing, in the scene's unit of time.
    values : array, shape (keys,)
        Internal units.
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
        # The stubs define this class twice and export neither.
        evaluate = oma.MFnAnimCurve(curve.node).evaluate  # type: ignore[attr-defined]
        return np.array([evaluate(time_at(frame)) for frame in frames.tolist()])
    return np.array(found, dtype=np.float64) * curve.unit
