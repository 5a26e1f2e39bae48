"""Scenes with what animators and exporters do to rotate channels, made at random."""

from __future__ import annotations

import os

import numpy as np

from tests.support.maya_scenes import HEADER, connect, slider

SCENES = int(os.environ.get("RANDOM_SCENES", "100"))
"""Scenes that a thorough test tries; set RANDOM_SCENES=300 after changes of writers."""

JOINTS = ("hip", "knee", "ankle")
PLAYBACK = (1, 36)
TANGENTS = (1, 2, 3, 5, 9, 10, 16, 17, 18)
ORDERS = ("xyz", "yzx", "zxy", "xzy", "yxz", "zyx")


def scene_text(rng):
    """A chain of three joints: keys on branches and turns, layers, infinities, stored poses."""
    parts, links = [HEADER], []
    parent = ""
    for name in JOINTS:
        order = int(rng.integers(6))
        parts.append(f'createNode joint -n "{name}"{parent};\n\tsetAttr ".ro" {order};\n')
        parts.append(f'\tsetAttr ".jo" -type "double3" {_numbers(rng.uniform(-90, 90, 3))} ;\n')
        times = np.unique(np.round(rng.uniform(1, 30, rng.integers(2, 7)), int(rng.integers(2))))
        values = rng.uniform(-40, 40, (3, len(times)))
        start = int(rng.integers(len(times)))
        kind = rng.choice(["plain", "plain", "flip", "wrap", "turned", "stored"])
        if kind == "flip":
            values[:, start:] = _other_branch(values[:, start:], ORDERS[order])
        elif kind == "wrap":
            values[rng.integers(3), start:] += 360.0 * rng.integers(-2, 3)
        elif kind == "turned":
            values = _other_branch(values, ORDERS[order]) - 360.0
        for axis, letter in enumerate("xyz"):
            if kind == "stored" or rng.random() < 0.15:
                parts.append(f'\tsetAttr ".r{letter}" {values[axis, 0]:.6g};\n')
                continue
            curve = f"{name}_{letter}"
            links.append(_curve(rng, curve, times, values[axis]))
            links.append(_link(rng, curve, f"{name}.r{letter}", times))
        parent = f' -p "{name}"'
    return "".join([*parts, *links, slider(*PLAYBACK)])


def _other_branch(values, order):
    """The same rotations: outer angles + 180, 180 - the middle one."""
    middle = "xyz".index(order[1])
    other = values + 180.0
    other[middle] = 180.0 - values[middle]
    return other


def _curve(rng, name, times, values):
    weighted = rng.random() < 0.4
    types = rng.choice(TANGENTS, (2, len(times)))
    pre, post = rng.choice([0, 0, 0, 1, 3, 4, 5], 2)
    lines = [
        f'createNode animCurveTA -n "{name}";',
        f'\tsetAttr ".wgt" {"yes" if weighted else "no"};',
        f'\tsetAttr -s {len(times)} ".ktv[0:{len(times) - 1}]"  '
        + " ".join(f"{time:g} {value:.9g}" for time, value in zip(times, values))
        + ";",
        f'\tsetAttr -s {len(times)} ".kit[0:{len(times) - 1}]"  {_numbers(types[0])};',
        f'\tsetAttr -s {len(times)} ".kot[0:{len(times) - 1}]"  {_numbers(types[1])};',
    ]
    for side in ("i", "o"):
        x = rng.uniform(0.01, 0.6, len(times)) if weighted else rng.uniform(0.3, 1.0, len(times))
        y = rng.uniform(-1.0, 1.0, len(times))
        last = len(times) - 1
        lines.append(f'\tsetAttr -s {len(times)} ".k{side}x[0:{last}]"  {_numbers(x)};')
        lines.append(f'\tsetAttr -s {len(times)} ".k{side}y[0:{last}]"  {_numbers(y)};')
    lines += [f'\tsetAttr ".pre" {pre};'] if pre else []
    lines += [f'\tsetAttr ".pst" {post};'] if post else []
    return "\n".join(lines) + "\n"


def _link(rng, curve, plug, times):
    """The curve on the channel, or through a blend node with a second curve on top."""
    if rng.random() > 0.15:
        return connect(f"{curve}.o", plug)
    blend, more = f"{curve}_blend", f"{curve}_layer"
    second = _curve(rng, more, times, rng.uniform(-10, 10, len(times)))
    node = (
        f'createNode animBlendNodeAdditiveDA -n "{blend}";\n\tsetAttr ".wb" {rng.random():.3g};\n'
    )
    return (
        second
        + node
        + connect(f"{curve}.o", f"{blend}.ia")
        + connect(f"{more}.o", f"{blend}.ib")
        + connect(f"{blend}.o", plug)
    )


def _numbers(values):
    return " ".join(f"{value:.9g}" for value in values)
