"""Projection of keys that are outside coupled limits; all other keys stay."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import maya.api.OpenMaya as om
import maya.api.OpenMayaAnim as oma
import numpy as np

from jointlimits_core.geometry import CHANNELS, Floats
from jointlimits_core.rig import Skipped
from jointlimits_core.scalar import Three, angle_between
from jointlimits_core.shapes import (
    Frame,
    Project,
    compact_text,
    frame_of,
    project_from_text,
    projected_rotate,
)

from ..read import Constant, CurveOverTime, Drivers, KeyList
from ..scene import (
    Attributes,
    KeysStep,
    MovedKeys,
    ProjectKeysResult,
    SceneEdit,
    TimeChoice,
    time_at,
)
from ..write import left_joint
from .shapes import Shaped

INSIDE = 1e-9
"""Radians; keys this close to their shape count as inside and stay bit for bit."""
SEEN_DEG = 1e-3
"""Degrees outside between keys that are reported."""
_FAR = 1e6


@dataclass(frozen=True)
class KeyOptions:
    """Options of key projection.

    Parameters
    ----------
    softness : float
        Radians that a joint may go beyond its shape.
    falloff : float
        How fast the shape gives way, per radian.
    """

    time: TimeChoice
    softness: float = 0.0
    falloff: float = 1.0


def plan_projecting_keys(
    shaped: Sequence[Shaped], options: KeyOptions
) -> tuple[SceneEdit, ProjectKeysResult]:
    """Plan new values for the keys that are outside.

    All three channels are checked wherever one of them has a key; a channel that must change and
    has no key there gets one. Curves may still leave the shape between keys: this is measured with
    the new keys temporarily in place, and reported.

    Returns
    -------
    edit : SceneEdit
    result : ProjectKeysResult
    """
    edit = SceneEdit("Project Keys")
    drivers = Drivers()
    moved: list[MovedKeys] = []
    unchanged: list[str] = []
    skipped: list[Skipped] = []
    for one in shaped:
        keyed = _keyed(one, drivers)
        if isinstance(keyed, Skipped):
            skipped.append(keyed)
            continue
        keyed.move(options)
        if not keyed.frames:
            unchanged.append(one.name)
            continue
        stuck = keyed.stuck()
        if stuck is not None:
            skipped.append(stuck)
            continue
        part = SceneEdit(edit.label)
        for step in keyed.steps():
            part.add(step)
        moved.append(keyed.summary(_between(part, keyed, options)))
        edit.extend(part)
    return edit, ProjectKeysResult(tuple(moved), tuple(unchanged), tuple(skipped))


class _Keyed:
    """Rotation curves of one joint, with the new values of their keys."""

    def __init__(self, one: Shaped, channels: Sequence[CurveOverTime | Constant]) -> None:
        self.name = one.name
        self.project: Project = project_from_text(compact_text(one.shape))
        self.frame = _frame(one.path.node())
        self.channels = channels
        self.lists = self._read()
        self.frames: list[float] = []
        self.moved_deg: list[float] = []
        self.changes: list[dict[float, float]] = [{}, {}, {}]
        self.looked: Floats = np.empty(0)

    def _read(self) -> list[KeyList | None]:
        curves = self.channels
        return [KeyList.of(one) if isinstance(one, CurveOverTime) else None for one in curves]

    def rotates(self, frames: Floats) -> list[Three]:
        """Channels at some frames, radians."""
        columns = []
        for channel, keys in zip(self.channels, self.lists):
            still = channel.value if isinstance(channel, Constant) else 0.0
            columns.append(np.full(len(frames), still) if keys is None else keys.at(frames))
        return [(x, y, z) for x, y, z in np.stack(columns, axis=1).tolist()]

    def move(self, options: KeyOptions) -> None:
        """Find the keys that are outside, and their new values."""
        every = np.concatenate([keys.frames for keys in self.lists if keys is not None])
        frames = np.unique(every)
        inside = np.zeros(len(frames), dtype=bool)
        for first, last in options.time.bounds(frames):
            inside |= (frames >= first) & (frames <= last)
        self.looked = frames[inside]
        for frame, rotate in zip(self.looked.tolist(), self.rotates(self.looked)):
            new, outside = projected_rotate(
                self.project, self.frame, rotate, options.softness, options.falloff
            )
            if outside > INSIDE:
                turned = angle_between(self.frame.local(rotate), self.frame.local(new))
                self.frames.append(frame)
                self.moved_deg.append(float(np.degrees(turned)))
                for axis in range(3):
                    if abs(new[axis] - rotate[axis]) > INSIDE:
                        self.changes[axis][frame] = new[axis]

    def stuck(self) -> Skipped | None:
        """A channel that must change but has no keys."""
        for channel, keys, changes in zip(CHANNELS, self.lists, self.changes):
            if changes and keys is None:
                advice = "key this channel like the joint's other channels (Key > Set Key)"
                return Skipped(self.name, channel, "must change but has no keys", advice)
        return None

    def steps(self) -> Iterator[KeysStep]:
        """Edits of the curves."""
        for channel, changes in zip(self.channels, self.changes):
            if changes and isinstance(channel, CurveOverTime):
                yield KeysStep(_same(channel.node), _NewValues(changes))

    def summary(self, between: tuple[int, float]) -> MovedKeys:
        """Moved keys of the joint, for the result."""
        added = 0
        for keys, changes in zip(self.lists, self.changes):
            if keys is not None and changes:
                at = np.array(list(changes))
                apart = np.abs(keys.frames[None, :] - at[:, None]).min(axis=1)
                added += int((apart > 1e-6).sum())
        return MovedKeys(self.name, tuple(self.frames), tuple(self.moved_deg), added, *between)

    def outside_deg(self, frames: Floats) -> Floats:
        """Distance of the current curves from the shape, degrees."""
        self.lists = self._read()
        found = [projected_rotate(self.project, self.frame, r)[1] for r in self.rotates(frames)]
        return np.asarray(np.degrees(found))


class _NewValues:
    """Edit that sets new values of a curve at some frames."""

    def __init__(self, values: dict[float, float]) -> None:
        self._values = values

    def __call__(self, curve: Any, change: oma.MAnimCurveChange) -> None:
        for frame, value in self._values.items():
            at = time_at(frame)
            index = curve.find(at)
            if index is None:
                curve.addKey(at, value, curve.kTangentAuto, curve.kTangentAuto, change)
            else:
                curve.setValue(index, value, change)


def _same(node: om.MObject) -> Callable[[], om.MObject]:
    return lambda: node


def _frame(node: om.MObject) -> Frame:
    attributes = Attributes(node)
    orient, axis = (
        (x, y, z)
        for x, y, z in (attributes.vector(n).tolist() for n in ("jointOrient", "rotateAxis"))
    )
    return frame_of(attributes.plug("rotateOrder").asInt(), orient, axis)


def _keyed(one: Shaped, drivers: Drivers) -> _Keyed | Skipped:
    """Curves of a joint, or the reason why its keys cannot be projected."""
    node = one.path.node()
    why = left_joint(one.name, node)
    if why is not None:
        return why
    channels: list[CurveOverTime | Constant] = []
    for channel, plug in zip(CHANNELS, Attributes(node).plugs("rotate")):
        driver = drivers.of(plug, str(one.path.fullPathName()))
        if not isinstance(driver, (CurveOverTime, Constant)):
            advice = "bake the joint's animation first, or use the node (projectJointLimits)"
            return Skipped(one.name, channel, "driven by something other than its keys", advice)
        stuck = _curve_obstacle(one.name, channel, driver)
        if stuck is not None:
            return stuck
        channels.append(driver)
    if all(isinstance(channel, Constant) for channel in channels):
        advice = "key it, or use the node (projectJointLimits)"
        return Skipped(one.name, "", "has no keys", advice)
    try:
        return _Keyed(one, channels)
    except (ValueError, ImportError) as error:
        return Skipped(one.name, "", f"invalid shape: {error}", "fit the limits again")


def _curve_obstacle(name: str, channel: str, driver: CurveOverTime | Constant) -> Skipped | None:
    """Reason why the keys of a curve must not be changed, or None."""
    if isinstance(driver, Constant):
        return None
    function = om.MFnDependencyNode(driver.node)
    # live check: keys-of-referenced-curves
    if function.isFromReferencedFile:
        advice = "change the keys in that file, or use the node (projectJointLimits)"
        return Skipped(name, channel, "its keys are in a referenced file", advice)
    if function.isLocked or function.findPlug("keyTimeValue", False).isLocked:
        return Skipped(name, channel, "its curve is locked", "unlock the curve")
    if len(function.findPlug("output", False).destinations()) > 1:
        return Skipped(name, channel, "its curve also drives others", "duplicate the curve")
    return None


def _between(part: SceneEdit, keyed: _Keyed, options: KeyOptions) -> tuple[int, float]:
    """Number of frames between the new keys that are outside, and the worst degrees."""
    first, last = np.ceil(keyed.looked[0]), np.floor(keyed.looked[-1])
    frames = np.setdiff1d(np.arange(first, last + 1.0), keyed.looked)
    if not len(frames) or len(frames) > _FAR:
        return 0, 0.0
    part.do()
    try:
        outside = keyed.outside_deg(frames) - np.degrees(options.softness)
    finally:
        part.undo()
    out = outside > SEEN_DEG
    return int(out.sum()), float(outside[out].max()) if out.any() else 0.0
