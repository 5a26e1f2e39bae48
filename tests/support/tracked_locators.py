"""Simulated figures as keyed transforms of a Maya scene, and the truth about their joints."""

from __future__ import annotations

import numpy as np

from benchmarks.simulated_faults import Faults
from benchmarks.simulated_figure import simulated_figure
from jointlimits_core.geometry.branches import continuous_rotates
from jointlimits_core.geometry.euler import euler_from_quaternion
from jointlimits_core.geometry.quaternion import rotate
from tests.support.maya_scenes import HEADER, connect, curve

RATE_HZ = 24.0
"""Of the unit of time "film"."""
ARM = ("chest", "left upper arm", "left forearm", "left hand")
CHANNELS = tuple(f"{compound}{axis}" for compound in ("translate", "rotate") for axis in "XYZ")


def figure(bodies=None, seconds=12.0, seed=5, faults=None):
    """A simulated figure and its tracks, of all its bodies or some."""
    made = simulated_figure(seed, seconds=seconds, frame_rate=RATE_HZ, faults=faults or Faults())
    return made, made.tracks if bodies is None else made.tracks.choose_bodies(bodies)


def node(body):
    """Name of the locator of a body."""
    return body.replace(" ", "_")


def channels_of(tracks, body, unit=100.0):
    """Six channels of a locator that is a body: units of a scene and degrees, (6, frames)."""
    euler = euler_from_quaternion(tracks.quaternion(body)).T
    rotates, _ = continuous_rotates(np.ascontiguousarray(euler), "xyz")
    places = unit * tracks.positions[tracks.index(body)].T
    return np.vstack([places, np.degrees(np.unwrap(rotates, axis=1))])


def locators(tracks, prefix="", below="", unit=100.0, first=1, kind="transform"):
    """Text of a scene's nodes: a keyed transform for every body."""
    parent = f' -p "{below}"' if below else ""
    nodes, curves, links = [], [], []
    for body in tracks.names:
        name = f"{prefix}{node(body)}"
        nodes.append(f'createNode {kind} -n "{name}"{parent};\n')
        for channel, values in zip(CHANNELS, channels_of(tracks, body, unit)):
            keys = [(first + number, f"{value:.15g}") for number, value in enumerate(values)]
            made = "animCurveTL" if channel.startswith("translate") else "animCurveTA"
            curves.append(curve(f"{name}_{channel}", keys, made))
            links.append(connect(f"{name}_{channel}.o", f"{name}.{channel}"))
    return "".join([*nodes, *curves, *links])


def header(length):
    """Header of a scene with another unit of length."""
    return HEADER.replace("-l centimeter", f"-l {length}")


def true_places(made, tracks, body):
    """Where the joint between a body and its parent is, metres, shape (frames, 3)."""
    index = made.tracks.index(body)
    turns = made.tracks.rotations[index].T
    return made.tracks.positions[index] + rotate(turns, made.outboard[index])
