"""Which frames are looked at: of the keys, the playback range, the animation, or given ranges."""

from __future__ import annotations

from dataclasses import dataclass

import maya.api.OpenMaya as om
import maya.api.OpenMayaAnim as oma
import numpy as np

from jointlimits_core.arrays import Floats
from jointlimits_core.formats.read_limits import DEFAULT_LIMITS
from jointlimits_core.maya_rig.frame_numbers import FrameNumbers, frames_from_keys, snapped

from .errors import SceneError

RANGES = ("keys", "playback", "animation", "ranges")
"""Where the range of frames may come from."""

LIMITS = DEFAULT_LIMITS
"""Most frames of joints that are held."""


@dataclass(frozen=True)
class TimeChoice:
    """Frames to look at, in the scene's unit of time.

    Parameters
    ----------
    source : str
        "keys" from the first to the last key of the joints' rotations, "playback" what the range
        slider plays, "animation" all of the range slider, "ranges" what is given.
    ranges : tuple of (first, last)
        For "ranges"; both ends included.
    step : float
        Every frame, every second, ...
    keys_only : bool
        Only the frames that have keys.

    Raises
    ------
    SceneError
        If these make no sense.
    """

    source: str = "keys"
    ranges: tuple[tuple[float, float], ...] = ()
    step: float = 1.0
    keys_only: bool = False

    def __post_init__(self) -> None:
        if self.source not in RANGES:
            raise SceneError(f"{self.source!r} is no range of time; give one of {list(RANGES)}")
        if not (np.isfinite(self.step) and self.step > 0.0):
            raise SceneError(f"a step of {self.step:g} frames leads nowhere; give 1, or more")
        if (self.source == "ranges") != bool(self.ranges):
            raise SceneError("a start and an end belong to the source 'ranges', and to no other")
        for first, last in self.ranges:
            if not np.isfinite([first, last]).all():
                raise SceneError(
                    f"{first:g}:{last:g} is no range of frames; give two numbers, the end included"
                )
            if first > last:
                raise SceneError(
                    f"the start, frame {first:g}, is after the end, frame {last:g}; "
                    "give the earlier one first"
                )

    def frames(self, key_frames: Floats, joints: int = 1, driven: bool = False) -> FrameNumbers:
        """Frames to look at.

        Parameters
        ----------
        key_frames : array, shape (keys,)
            Times of the keys of the joints' rotations, in any order, in the scene's unit of time.
        joints : int
            How many joints will be looked at: of very many frames only those with keys are.
        driven : bool
            Whether anything drives the joints, keys or not.

        Returns
        -------
        FrameNumbers
            Every frame, these are all whole frames and all key times between them, as when the
            saved scene is read. What is driven without keys is looked at in the playback range, and
            what is not driven at the current frame.

        Raises
        ------
        SceneError
            If there are too many frames, or no keys where only keys were asked for.
        """
        keys = snapped(key_frames)
        if self.source == "keys" and not (len(keys) or driven):
            return FrameNumbers(np.array([current_frame()]))
        if self.source == "keys" and len(keys) and self.step == 1.0 and not self.keys_only:
            chosen = frames_from_keys(keys, joints, LIMITS)
        else:
            chosen = FrameNumbers(self._in_ranges(keys, joints))
        self._check(len(chosen.frames) * joints)
        return chosen

    def outside(self, key_frames: Floats) -> list[tuple[float, float]]:
        """Ranges that lie before or after all keys.

        Parameters
        ----------
        key_frames : array, shape (keys,)
            As :meth:`frames` takes them.

        Returns
        -------
        list of (first, last)
            None where there are no keys.
        """
        if not len(key_frames):
            return []
        first, last = float(np.min(key_frames)), float(np.max(key_frames))
        return [pair for pair in self.bounds(key_frames) if pair[0] > last or pair[1] < first]

    def _in_ranges(self, keys: Floats, joints: int) -> Floats:
        parts = []
        for first, last in self.bounds(keys):
            if self.keys_only:
                parts.append(keys[(keys >= first) & (keys <= last)])
            else:
                count = np.floor((last - first) / self.step + 1e-9) + 1.0
                self._check(count * joints)
                parts.append(first + np.arange(count) * self.step)
                if self.step == 1.0:
                    # An extreme between two frames is seen in a range, too.
                    parts.append(keys[(keys >= first) & (keys <= last)])
        frames = np.unique(np.concatenate(parts))
        if not len(frames):
            raise SceneError("there are no keys in this range; look at every frame, or bake first")
        return frames

    def bounds(self, keys: Floats) -> tuple[tuple[float, float], ...]:
        """First and last frames of the ranges, both included.

        Parameters
        ----------
        keys : array, shape (keys,)
            Frames with keys, in order.
        """
        if self.source == "keys" and len(keys):
            return ((float(keys[0]), float(keys[-1])),)
        if self.source in ("keys", "playback"):
            return ((_frame(oma.MAnimControl.minTime()), _frame(oma.MAnimControl.maxTime())),)
        if self.source == "animation":
            start, end = oma.MAnimControl.animationStartTime(), oma.MAnimControl.animationEndTime()
            return ((_frame(start), _frame(end)),)
        return self.ranges

    @staticmethod
    def _check(samples: float) -> None:
        if samples > LIMITS.max_samples:
            raise SceneError(
                "these frames of these joints are more than this program holds; give a shorter "
                "range, a larger step, or fewer joints"
            )


def current_frame() -> float:
    """The current time, in the scene's unit of time."""
    return _frame(oma.MAnimControl.currentTime())


def frames_per_second() -> float:
    """Units of the scene's time in a second."""
    return float(om.MTime(1.0, om.MTime.kSeconds).asUnits(om.MTime.uiUnit()))


def time_at(frame: float) -> om.MTime:
    """A frame of the scene as Maya's time."""
    return om.MTime(float(frame), om.MTime.uiUnit())


def _frame(time: om.MTime) -> float:
    return float(time.asUnits(om.MTime.uiUnit()))
