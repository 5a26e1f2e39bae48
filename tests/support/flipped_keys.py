"""Joints with runs of rotate keys on other Euler branches and turns, and their poses.

Poses are evaluated by the stand-in's curves, which share no code with the program's.
"""

from __future__ import annotations

import math
import random

import numpy as np

from jointlimits_core.rig.curves import AnimCurve
from jointlimits_core.rig.filter_keys import JointKeys
from tests.maya_standin.curves import Keys, value_at

FPS = 24.0
LINEAR, FLAT, STEP, STEP_NEXT, SPLINE, AUTO = 2, 3, 5, 17, 9, 18
TYPES = (1, 2, 3, 9, 10, 16, 18, 27, 28)
CONSTANT, LINEAR_INFINITY, CYCLE, OFFSET, OSCILLATE = 0, 1, 3, 4, 5


def curve(frames, degrees, kind=LINEAR, **rest):
    given = {"in_types": [kind] * len(frames), "out_types": [kind] * len(frames), **rest}
    return AnimCurve.from_keys(np.array(frames) / FPS, np.radians(degrees), **given)


def joint(x, y, z, order="xyz"):
    return JointKeys((x, y, z), order)


def stored_keys(one):
    """A curve as a scene stores it; only fixed tangents have numbers."""
    ins, outs = (
        [(x, y) if kind == 1 else None for kind, x, y in zip(kinds, xs.tolist(), ys.tolist())]
        for kinds, xs, ys in (
            (one.in_types, one.tangents.in_x, one.tangents.in_y),
            (one.out_types, one.tangents.out_x, one.tangents.out_y),
        )
    )
    types = one.in_types.tolist(), one.out_types.tolist()
    times, values = one.times.tolist(), one.values.tolist()
    return Keys(times, values, *types, ins, outs, one.weighted, one.pre, one.post)


def rotation(channels, order, time):
    """Matrix of a pose, row vectors, axis by axis."""
    result = np.eye(3)
    for letter in order:
        axis = "xyz".index(letter)
        one = channels[axis]
        angle = value_at(one, time) if isinstance(one, Keys) else one
        i, j = (axis + 1) % 3, (axis + 2) % 3
        turn = np.eye(3)
        turn[i, i] = turn[j, j] = math.cos(angle)
        turn[i, j], turn[j, i] = math.sin(angle), -math.sin(angle)
        result = result @ turn
    return result


def pose_changes(keys, channels, times):
    """Times at which the pose is another one."""
    old, new = (
        [stored_keys(one) if isinstance(one, AnimCurve) else one for one in every]
        for every in (keys.channels, channels)
    )
    order = keys.rotate_order
    difference = [
        np.abs(rotation(old, order, time) - rotation(new, order, time)).max() for time in times
    ]
    return [time for time, off in zip(times, difference) if off > 1e-9]


class Rig:
    """A joint with random runs on other branches and turns, and the plain keys behind it."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        pick = self.random
        self.order = pick.choice(["xyz", "yzx", "zxy", "xzy", "yxz", "zyx"])
        self.shared = pick.random() < 0.6
        frames = self.frames()
        own = [frames if self.shared else self.frames() for _ in range(3)]
        infinities = [self.infinity() for _ in range(3)]
        if self.shared:
            infinities = infinities[:1] * 3
        flips = self.states(len(frames), (False, True)) if self.shared else None
        self.plain, channels = [], []
        for axis in range(3):
            values = self.motion(own[axis])
            self.plain.append(values)
            turns = self.states(len(own[axis]), (0, 0, pick.choice((-1, 1))))
            middle = axis == "xyz".index(self.order[1])
            for place, turn in enumerate(turns):
                value = values[place]
                if flips and flips[place]:
                    value = 180.0 - value if middle else value + 180.0
                channels += [] if place else [[]]
                channels[-1].append(value + 360.0 * turn)
        unkeyed = None if self.shared or pick.random() < 0.7 else pick.randrange(3)
        self.keys = joint(
            *(
                math.radians(channels[axis][0])
                if axis == unkeyed
                else self.curve(own[axis], channels[axis], *infinities[axis])
                for axis in range(3)
            ),
            self.order,
        )

    def frames(self):
        gaps = self.random.choice([(1,), (1, 2, 5), (3, 8, 12), (0.5, 1.25, 4)])
        count = self.random.randint(2, 20)
        steps = [self.random.choice(gaps) for _ in range(count)]
        return [1 + sum(steps[:place]) for place in range(count)]

    def states(self, count, kinds):
        runs, result = self.random.randint(1, 4), []
        cuts = sorted(self.random.randrange(count + 1) for _ in range(runs - 1))
        for start, end in zip([0, *cuts], [*cuts, count]):
            result += [self.random.choice(kinds)] * (end - start)
        return result

    def motion(self, frames):
        value, result = self.random.uniform(-70, 70), []
        for _ in frames:
            value = max(-85.0, min(85.0, value + self.random.uniform(-25, 25)))
            result.append(value)
        return result

    def infinity(self):
        kinds = (CONSTANT, CONSTANT, LINEAR_INFINITY, CYCLE, OSCILLATE)
        return self.random.choice(kinds), self.random.choice(kinds)

    def curve(self, frames, values, pre, post):
        pick, count = self.random, len(frames)
        style = pick.choice(["one", "mixed", "stepped", "fixed"])
        kinds = {"one": (pick.choice(TYPES),), "stepped": (STEP, STEP_NEXT, AUTO), "fixed": (1,)}
        ins, outs = (
            [pick.choice(kinds.get(style, (*TYPES, STEP))) for _ in range(count)] for _ in range(2)
        )
        reach = [[pick.uniform(0.02, 0.5) for _ in range(count)] for _ in range(2)]
        rise = [[pick.uniform(-0.6, 0.6) for _ in range(count)] for _ in range(2)]
        return curve(
            *(frames, values),
            in_types=[9 if kind in (STEP, STEP_NEXT) else kind for kind in ins],
            out_types=outs,
            in_x=reach[0],
            in_y=rise[0],
            out_x=reach[1],
            out_y=rise[1],
            weighted=pick.random() < 0.5,
            pre=pre,
            post=post,
        )


def dense_times(keys):
    """Times at keys, beside them, between them and beyond, seconds."""
    at = keys.times
    between = [at[:-1] + part * np.diff(at) for part in (1e-3, 0.4, 0.83)]
    return np.concatenate([at, *between, np.linspace(-2.0, 6.0, 30)]).tolist()


def is_listed(found, margin=1e-6):
    """Whether a time is inside an interval that the filter lists, which are rounded."""
    spans = [(one.start / FPS, one.end / FPS) for one in found.changed]
    return lambda time: any(a - margin < time < b + margin for a, b in spans)
