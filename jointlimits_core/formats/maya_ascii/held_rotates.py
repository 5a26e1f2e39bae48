"""Values on the rotate channels of a scene's joints, before limits apply."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from types import MappingProxyType

import numpy as np

from ...geometry import arrays, euler
from ...rig import (
    attributes,
    clamping,
    drivers,
    filter_keys,
    filter_targets,
    joint_drivers,
    key_frames,
    rest_pose,
    sampled_rig,
)
from ...rig.curves import TIME_CURVES, AnimCurve, Infinity, is_interpolated_as_quaternions
from ...rig.scene import Node, Scene
from .scene_file import SceneFile

NEW_SCENE_FRAMES = (1.0, 200.0)
"""First and last frame of the time slider in a new scene."""


class SceneHolds:
    """Values on the rotate channels of a scene's joints.

    `filtered`: new keys by joint name, if filtered keys are still to be written. `joint_drivers`:
    search for the nodes that drive the joints.
    """

    def __init__(
        self,
        file: SceneFile,
        filtered: Mapping[str, filter_keys.FilteredJoint] = MappingProxyType({}),
    ) -> None:
        self._scene, self._limits = file.scene, file.limits
        self._filtered = {name.lstrip("|"): keys for name, keys in filtered.items()}
        self._drivers = drivers.Drivers(file.scene)
        self._ik_handles = drivers.inverse_kinematics_joints(file.scene, self._drivers)
        self.joint_drivers = joint_drivers.JointDrivers(joint_drivers.SceneRig(self._drivers))

    def rotates_of(self, joint: str, node: Node) -> clamping.HeldRotates:
        """Rotate channels of a joint, given its name and its node."""
        filtered = self._filtered.get(joint.lstrip("|"))
        signals, unknown = [], {}
        for channel, attribute in zip(euler.CHANNELS, node.family.children["rotate"]):
            signal, driver = self._channel(node, attribute)
            signals.append(signal)
            if driver:
                unknown[channel] = driver
        for axis, keys in filtered.curves.items() if filtered else ():
            signals[axis] = drivers.Keyed(keys.after, node)
        rate = self._scene.units.frames_per_second
        keyed = [one.curve for one in drivers.curves_of(signals)]
        curves = [one for one in keyed if isinstance(one, AnimCurve) and len(one.times)]
        on_frames, seconds = self._times(curves)
        values = _values(signals, seconds)
        if any(not isinstance(signal, (drivers.Constant, drivers.Keyed)) for signal in signals):
            # The peaks of a sum are not at the peaks of its curves.
            seconds, values = sampled_rig.with_peaks(seconds, values, partial(_values, signals))
        order, filtering = rest_pose.rotate_order(node), ""
        if filtered is None:
            channels = filter_targets.channels_of(signals)
            filtering = filter_keys.filtering_that_helps(channels, values.T, order, rate)
        return clamping.HeldRotates(
            frames=seconds * rate,
            between=~np.isin(seconds, on_frames),
            values=values,
            moves=np.array([bool(drivers.curves_of([signal])) for signal in signals]),
            current=values[:, 0],
            order=order,
            drivers=unknown,
            is_solved=node in self._ik_handles,
            is_filtered=filtered is not None,
            filtering=filtering,
        )

    def _channel(self, node: Node, attribute: str) -> tuple[drivers.Signal, str]:
        """Signal of a channel, and a driver that only Maya can evaluate, or "" if there is none."""
        driver = self._ik_handles.get(node)
        try:
            signal = self._drivers.channel(node, attribute)
        except drivers.UnresolvedDriverError as unresolved:
            driver = driver or unresolved.node
            signal = drivers.Constant(node.number(attribute))
        curves = [one.curve for one in drivers.curves_of([signal])]
        if driver is None and any(isinstance(c, AnimCurve) and (c.pre or c.post) for c in curves):
            # Under a time warp that cannot be evaluated, the scene may show any time.
            warp = self._drivers.time_warp()
            driver = warp.node if isinstance(warp, drivers.UnresolvedDriverError) else None
        if driver is not None:
            return signal, f"{driver.name} ({driver.node_type})"
        return signal, self._joined_curve(signal)

    def _joined_curve(self, signal: drivers.Signal) -> str:
        """Curve of a channel whose keys do not determine its values; "" if there is none."""
        for curve, node in drivers.curves_of([signal]):
            if node in self._drivers.doubled:
                return f"{node.name} (several keys at one time)"
            gaps = np.diff(curve.times) * self._scene.units.frames_per_second
            is_sparse = bool((gaps > 1.0 + key_frames.MAX_KEY_OFFSET_FRAMES).any())
            if is_sparse and is_interpolated_as_quaternions(node):
                return f"{node.name} (interpolated as quaternions)"
        return ""

    def _times(self, curves: Sequence[AnimCurve]) -> tuple[arrays.Floats, arrays.Floats]:
        """Times of keys and whole frames, and the same times with those of the extremes added.

        Both are in seconds, increasing. They cover the keys, the playback range (where curves
        continue beyond their keys), and the current time.
        """
        rate = self._scene.units.frames_per_second
        keys = [np.asarray(curve.times) for curve in curves]
        shown = self._scene.playback or _range_of_keys(self._scene)
        if self._scene.playback is None and any(curve.pre or curve.post for curve in curves):
            shown = min(shown[0], NEW_SCENE_FRAMES[0]), max(shown[1], NEW_SCENE_FRAMES[1])
        first, last = (frame / rate for frame in shown)
        first = min([first, *(one[0] for one in keys)])
        last = max([last, *(one[-1] for one in keys)])
        count = min((last - first) * rate, self._limits.max_unkeyed_samples)
        whole = np.ceil(first * rate) + np.arange(np.floor(count) + 1.0)
        turns = [_turning_times(curve, first, last) for curve in curves]
        # The frame at which the scene was saved, if the file states it.
        time = self._scene.find("time1")
        frame = np.array([np.nan if time is None else time.values.get("outTime", np.nan)])
        shown_now = frame[attributes.sensible(frame)] / rate
        on_frames = np.unique(np.concatenate([*keys, whole / rate, [first, last], shown_now]))
        warp = self._drivers.time_warp()
        if isinstance(warp, drivers.Keyed):
            # The scene shows warped times, or the unwarped keys if the warp is switched off.
            turns.append(np.asarray(warp.curve.evaluate(on_frames)))
            first, last = min(first, turns[-1].min()), max(last, turns[-1].max())
        found = np.unique(np.concatenate([on_frames, *turns]))
        return on_frames, np.union1d(on_frames, found[(found >= first) & (found <= last)])


def _turning_times(curve: AnimCurve, first: float, last: float) -> arrays.Floats:
    """Times at which a curve may reverse, including those in its first and last cycle in a range.

    Beyond the keys, a cycle with offset shifts the values every time; other cycles repeat them.
    """
    keys, between = np.asarray(curve.times), curve.extreme_times()
    length, shifts = keys[-1] - keys[0], [0.0]
    if length > 0.0 and Infinity.CYCLE_OFFSET in (curve.pre, curve.post):
        before, after = np.floor((keys[0] - first) / length), np.floor((last - keys[-1]) / length)
        shifts += [-before - 1.0, -before, after, after + 1.0]
    return np.concatenate([[*keys, *between] + shift * length for shift in shifts])


def _values(signals: Sequence[drivers.Signal], seconds: arrays.Floats) -> arrays.Floats:
    evaluate = drivers.Evaluator(seconds)
    return np.stack([evaluate(signal) for signal in signals])


def _range_of_keys(scene: Scene) -> tuple[float, float]:
    """First and last frame with a key; just frame 0 if there are no keys."""
    chunks = [
        values[::2]
        for node in scene.nodes
        if node.node_type in TIME_CURVES
        for _, values in node.multis.get("keyTimeValue", [])
    ]
    times = np.concatenate([np.zeros(0), *chunks])
    times = times[attributes.sensible(times)]
    return (float(times.min()), float(times.max())) if len(times) else (0.0, 0.0)
