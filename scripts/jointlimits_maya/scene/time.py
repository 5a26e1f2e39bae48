"""Choice of frames: key range, playback range, animation range, or given ranges."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from jointlimits_core.geometry.arrays import Floats
from jointlimits_core.io.input import DEFAULT_LIMITS
from jointlimits_core.rig.key_frames import FrameNumbers, frames_from_keys

from ..base.host import SceneError
from ..base.open_maya import om, oma

LIMITS = DEFAULT_LIMITS
"""Input budget: the largest number of samples (frames times joints)."""


@dataclass(frozen=True)
class TimeChoice:
    """Frames to read, in the scene's time unit.

    `source`: "keys": first to last key of the joints' rotations; "playback": the playback range;
    "animation": the whole range slider; "ranges": the given ranges. `ranges`: for "ranges", each
    (first, last), both ends included. `step`: distance between frames. `keys_only`: only frames
    with keys. Raises SceneError for an invalid step or range.
    """

    source: str = "keys"
    ranges: tuple[tuple[float, float], ...] = ()
    step: float = 1.0
    keys_only: bool = False

    def __post_init__(self) -> None:
        if not (np.isfinite(self.step) and self.step > 0.0):
            raise SceneError(f"step must be finite and greater than 0 frames, not {self.step:g}")
        for first, last in self.ranges:
            if not np.isfinite([first, last]).all():
                raise SceneError(
                    f"a frame range must be two finite numbers, not {first:g}:{last:g}"
                )
            if first > last:
                raise SceneError(
                    f"the start, frame {first:g}, is after the end, frame {last:g}; "
                    "give the earlier one first"
                )

    def frames(self, keys: Floats, joints: int = 1, driven: bool = False) -> FrameNumbers:
        """Frames to read.

        `keys`, shape (keys,): frames of the joints' rotation keys, increasing. `joints`: number of
        joints to read; if there are too many frames, only those with keys are read. `driven`:
        whether anything drives the joints, keys or not. With a step of 1, the frames are all key
        frames and the whole frames between them, as when the saved scene is read. Without keys,
        they are the playback range if something drives the joints, else just the current frame.
        Raises SceneError if there are too many frames, or no keys with `keys_only`.
        """
        if self.source == "keys" and not (len(keys) or driven):
            return FrameNumbers(np.array([current_frame()]))
        if self.source == "keys" and len(keys) and self.step == 1.0 and not self.keys_only:
            chosen = frames_from_keys(keys, joints, LIMITS)
        else:
            chosen = FrameNumbers(self._in_ranges(keys, joints))
        self._check(len(chosen.frames) * joints)
        return chosen

    def with_time_slider(self, key_frames: Floats, joints: int, driven: bool) -> Floats:
        """Frames from :meth:`frames`, and whole frames of the time slider, thinned if too many.

        Curves and other drivers continue beyond the keys; these frames show their values there.
        """
        frames = self.frames(key_frames, joints, driven).frames
        if not driven:
            return frames
        slider = [*_playback_range(), *_animation_range()]
        first, last = min(*slider, frames[0]), max(*slider, frames[-1])
        step = max(1.0, np.ceil((last - first) * joints / LIMITS.max_unkeyed_samples))
        whole = np.arange(np.ceil(first), np.floor(last) + 1.0, step)
        return np.union1d(frames, [*whole, np.floor(last)])

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
                    # Keys between two whole frames may hold extremes.
                    parts.append(keys[(keys >= first) & (keys <= last)])
        frames = np.unique(np.concatenate(parts))
        if not len(frames):
            raise SceneError("no keys in this range; read every frame, or bake the animation first")
        return frames

    def bounds(self, keys: Floats) -> tuple[tuple[float, float], ...]:
        """First and last frames of the ranges, both included.

        `keys`, shape (keys,): frames with keys, in order.
        """
        if self.source == "keys" and len(keys):
            return ((float(keys[0]), float(keys[-1])),)
        if self.source in ("keys", "playback"):
            return (_playback_range(),)
        return (_animation_range(),) if self.source == "animation" else self.ranges

    @staticmethod
    def _check(samples: float) -> None:
        if samples > LIMITS.max_samples:
            raise SceneError(
                f"{samples:.0f} samples (frames times joints) exceed the maximum of "
                f"{LIMITS.max_samples}; choose a shorter range, a larger step, or fewer joints"
            )


def current_frame() -> float:
    """The current time, in the scene's time unit."""
    return _frame(oma.MAnimControl.currentTime())


def frames_per_second() -> float:
    """Scene time units per second."""
    return float(om.MTime(1.0, om.MTime.kSeconds).asUnits(om.MTime.uiUnit()))


def time_at(frame: float) -> om.MTime:
    """MTime of a frame, in the scene's time unit."""
    return om.MTime(float(frame), om.MTime.uiUnit())


def _playback_range() -> tuple[float, float]:
    return _frame(oma.MAnimControl.minTime()), _frame(oma.MAnimControl.maxTime())


def _animation_range() -> tuple[float, float]:
    control = oma.MAnimControl
    return _frame(control.animationStartTime()), _frame(control.animationEndTime())


def _frame(time: om.MTime) -> float:
    return float(time.asUnits(om.MTime.uiUnit()))
