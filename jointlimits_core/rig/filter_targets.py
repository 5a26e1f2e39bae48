"""Rotate keys of a rig that can be filtered, and joints whose keys cannot be."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from ..geometry.arrays import Floats
from ..geometry.branches import mixes_branches
from ..geometry.euler import CHANNELS
from .attributes import XYZ
from .curves import AnimCurve
from .drivers import Constant, Drivers, Evaluator, Keyed, Signal, UnresolvedDriverError, curves_of
from .filter_keys import Channel, FilteredCurve, JointKeys, KeyFilterPlan, Span, plan_key_filter
from .limit_plan import Skipped
from .matrices import rotate_order_name, rotation_limits
from .reorient_checks import Checks, Obstacle, direct_curve
from .scene import Node, Scene

ROTATES = "rotate"
_NOT_KEYED = ("constrained", "expression", "IK")
"""Kinds of obstacles for joints whose rotation has no keys of its own."""

_BETWEEN = np.arange(1, 8) / 8.0
"""Fractions of a span at which limits are checked."""

Sampler = Callable[[Sequence[Node]], Iterable["Floats | None"]]
"""Rotate values of joints over their keys, radians, shape (times, 3); None where unknown."""


def plan_joint_filter(
    checks: Checks,
    nodes: Mapping[str, Node],
    sampled: Sampler,
    *,
    playback_seconds: Span | None = None,
    replaces_limits: Container[str] = (),
) -> KeyFilterPlan:
    """Plan new keys for joints, by name; reject those on several branches with other drivers.

    `checks`: for the scene; the curves of its drivers must be :class:`AnimCurve`. `sampled`: values
    of joints with other drivers; keyed joints whose values are unknown are also rejected.
    `replaces_limits`: joints whose limits will be replaced; other limits that are on must not clamp
    more than before.
    """
    every = {name: _joint_keys(checks, node) for name, node in nodes.items()}
    keys = {name: one for name, one in every.items() if isinstance(one, JointKeys)}
    blocked = {name: one for name, one in every.items() if isinstance(one, Obstacle)}
    plan = plan_key_filter(keys, checks.scene.units.frames_per_second, playback_seconds)
    for name, joint in list(plan.joints.items()):
        axes = (axis for axis, one in joint.curves.items() if _is_clamped(nodes[name], axis, one))
        axis = None if name in replaces_limits else next(axes, None)
        if axis is not None:
            del plan.joints[name]
            why = f"its limits on {CHANNELS[axis]} are on, and would clamp the new keys"
            plan.refused.append(Skipped(name, "", why, "switch its limits off, or replace them"))
    values = sampled([nodes[name] for name in blocked]) if blocked else ()
    for (name, one), angles in zip(blocked.items(), values):
        order = rotate_order_name(nodes[name].number("rotateOrder"))
        mixes = one.kind != "driven" if angles is None else mixes_branches(angles, order)
        if mixes:
            plan.refused.append(replace(one.skipped_joint(name), attribute=""))
    return plan


def planned_curves(
    scene: Scene, nodes: Mapping[str, Node], plan: KeyFilterPlan
) -> Iterator[tuple[Node, FilteredCurve]]:
    """Curves that a plan changes, with their nodes; `nodes`: joints of the plan by name."""
    for name, joint in plan.joints.items():
        for axis, curve in joint.curves.items():
            node, _ = direct_curve(scene, nodes[name], ROTATES, CHANNELS[axis])
            assert node is not None, "the plan is made of these curves"
            yield node, curve


def _is_clamped(node: Node, axis: int, curve: FilteredCurve) -> bool:
    """Whether limits would clamp the new keys, or the curve between them, more than before."""
    low, high = rotation_limits(node.number, XYZ[axis])
    keys = curve.before.times
    times = np.concatenate([keys, *(keys[:-1] + part * np.diff(keys) for part in _BETWEEN)])
    old, new = (
        np.abs(values - np.clip(values, low, high))
        for values in (curve.before.evaluate(times), curve.after.evaluate(times))
    )
    return bool((new > old + 1e-9).any())


def _joint_keys(checks: Checks, node: Node) -> JointKeys | Obstacle | None:
    """Keys of a joint, or the obstacle to changing them; None if it has no keys of its own."""
    if node in checks.solved:
        return None
    found = checks.own_channels(node, ROTATES)
    if isinstance(found, Obstacle):
        return None if found.kind in _NOT_KEYED else found
    if not found.keyed.any():
        return None
    if (node, "rotateOrder") in checks.scene.sources:
        return Obstacle("keys", "its rotateOrder is driven, and branches depend on it")
    channels = tuple(0.0 if one is None else one for one in channels_of(found.signals))
    return JointKeys(channels, rotate_order_name(node.number("rotateOrder")))


def channels_of(signals: Iterable[Signal]) -> list[Channel | None]:
    """Curves and constants; None for a channel with another kind of driver."""
    return [
        one.value
        if isinstance(one, Constant)
        else one.curve
        if isinstance(one, Keyed) and isinstance(one.curve, AnimCurve)
        else None
        for one in signals
    ]


def sampler_of(drivers: Drivers) -> Sampler:
    """Sampler at the times of all keys that a joint's rotation depends on."""

    def sample(node: Node) -> Floats | None:
        try:
            signals = [drivers.channel(node, channel) for channel in CHANNELS]
        except UnresolvedDriverError:
            return None
        keyed = [one.curve.times for one in curves_of(signals)]
        evaluate = Evaluator(np.unique(np.concatenate([np.zeros(0), *keyed])))
        return np.stack([evaluate(signal) for signal in signals], axis=-1)

    return lambda nodes: map(sample, nodes)
