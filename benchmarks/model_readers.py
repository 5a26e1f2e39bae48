"""Our readers of models for simulation beside public libraries, as :mod:`benchmarks.other_readers`.

The others read the whole model, ours only its joints; but ours decide which rotate channel
of Maya each hinge becomes, and work out axes and rest poses of the joints.
"""

from __future__ import annotations

import math
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from jointlimits_core.exporters import FORMATS, ExportOptions
from jointlimits_core.importers import read_limits
from jointlimits_core.limits import LimitSet

from .exports import random_rig
from .figures import Figure, benchmark
from .other_readers import Answer, Reader, beside

HINGES = 60


def _of_ours(limit_set: LimitSet) -> Answer:
    """Limited channels, and the sum of their widths in degrees: no order, no names."""
    axes = [axis for joint in limit_set.joints.values() for axis in joint.limits.values()]
    widths = [
        axis.max_deg - axis.min_deg
        for axis in axes
        if axis.state == "limited" and axis.max_deg is not None and axis.min_deg is not None
    ]
    return len(widths), sum(widths)


def _of_ranges(ranges: Any) -> Answer:
    """The same of (low, high) in radians."""
    widths = [math.degrees(float(high) - float(low)) for low, high in ranges]
    return len(widths), sum(widths)


MJCF_READERS = (
    Reader(
        "mujoco",
        "mujoco",
        lambda mujoco, path: mujoco.MjModel.from_xml_path(str(path)),
        lambda model: _of_ranges(model.jnt_range),
        "a model ready to be simulated; compiled",
    ),
    Reader(
        "dm_control",
        "dm_control.mjcf",
        lambda mjcf, path: mjcf.from_path(str(path)),
        lambda root: _of_ranges([joint.range for joint in root.find_all("joint")]),
        "elements with their attributes",
    ),
)

URDF_READERS = (
    Reader(
        "yourdfpy",
        "yourdfpy",
        lambda module, path: module.URDF.load(str(path), load_meshes=False),
        lambda robot: _of_ranges(
            (joint.limit.lower, joint.limit.upper) for joint in robot.robot.joints
        ),
        "links and joints with the graph of them; XML by lxml, compiled",
    ),
)


@benchmark
def mjcf(quick: bool) -> Iterator[Figure]:
    """A chain of 12 joints with three hinges each."""
    skeleton, limit_set = random_rig(2)
    exported = FORMATS["mjcf"].export(limit_set, skeleton, ExportOptions(root_joint="hinges"))
    assert isinstance(exported.content, str)
    yield from _beside("model.xml", exported.content, MJCF_READERS, quick)


@benchmark
def urdf(quick: bool) -> Iterator[Figure]:
    """A chain of 60 hinges."""
    yield from _beside("robot.urdf", _urdf_text(), URDF_READERS, quick)


def _beside(name: str, text: str, readers: tuple[Reader, ...], quick: bool) -> Iterator[Figure]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_text(text, encoding="utf-8")
        yield from beside(path, lambda: read_limits(path), _of_ours, readers, quick, "hinges")


def _urdf_text() -> str:
    lines = ['<?xml version="1.0"?>', '<robot name="chain">', '<link name="link0"/>']
    for joint in range(HINGES):
        lines += [
            f'<link name="link{joint + 1}"/>',
            f'<joint name="joint{joint}" type="revolute">',
            f'<parent link="link{joint}"/><child link="link{joint + 1}"/>',
            '<origin xyz="0 0.1 0" rpy="0.1 0.2 0.3"/><axis xyz="0 0 1"/>',
            f'<limit lower="{-0.5 - 0.01 * joint}" upper="1.5" effort="1" velocity="1"/>',
            "</joint>",
        ]
    return "\n".join([*lines, "</robot>"]) + "\n"
