"""URDF: a robot description whose joint angles are Maya's rotate channels.

A URDF joint has one axis, so a joint with several channels is a chain, with an extra link between
every two channels. ``rpy`` rotates the child link about fixed axes, X first
(https://wiki.ros.org/urdf/XML/joint), which is Maya's order xyz.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property

import numpy as np

from ..base.text import printable, unique_names
from ..geometry.arrays import Floats
from ..geometry.euler import euler_from_quaternion
from ..geometry.quaternion import IDENTITY, quaternion_between_vectors
from ..limits.limit_set import LimitSet
from ..motion.skeleton import Skeleton
from .figure import DENSITY_KG_PER_M3
from .formats import ExportOptions
from .joint_models import BodyModel, Hinge, attributes, channel_name, digits
from .losses import Exported, Loss

WORLD = "world"
MIN_MASS_KG, MIN_INERTIA = 1e-3, 1e-6
"""Mass and inertia of links between the channels of a joint; programs reject massless links."""
NO_BALLS = {"ball": "channels", "both": "hinge"}
EFFORT, VELOCITY = "100.0", "10.0"


def export(limit_set: LimitSet, skeleton: Skeleton | None, options: ExportOptions) -> Exported:
    """Write a robot description."""
    assert skeleton is not None
    channels = replace(options, joints_as=NO_BALLS.get(options.joints_as, options.joints_as))
    robot = _Robot(limit_set, skeleton, channels, "URDF")
    text = "\n".join(robot.lines()) + "\n"
    no_balls = Loss("ball-joints", "URDF has no ball joints; the channels were written")
    losses = robot.losses(
        Loss(
            "masses",
            "limits contain no bodies and no motors: rods with the density of water were written "
            f"along the bones, without collisions, with an effort of {EFFORT} and a velocity of "
            f"{VELOCITY}",
        ),
        Loss("up-axis", "the robot is oriented as in the source; the file names no up axis"),
        *((no_balls,) if options.joints_as in NO_BALLS else ()),
    )
    return Exported(text, losses, (robot.hinge_words(),))


class _Robot(BodyModel):
    """Builder of a robot's text, link by link."""

    @cached_property
    def names(self) -> list[str]:
        """Names of the links."""
        shown = (printable(joint.name) for joint in self.figure.joints)
        return unique_names((f"{n}_" if n == WORLD else n for n in shown), str)

    @property
    def base(self) -> int:
        """Single free root, because a robot's base may be anywhere; -1 if there is none."""
        return self.roots[0] if len(self.roots) == 1 and self.turning[self.roots[0]].free else -1

    def lines(self) -> Iterator[str]:
        """Lines of the whole file."""
        yield '<?xml version="1.0"?>'
        yield f"<robot{attributes(name=printable(self.limit_set.character))}>"
        if self.base < 0:
            yield f'  <link name="{WORLD}"/>'
        for joint in self.figure.joints:
            yield from (f"  {line}" for line in self._joint_of_figure(joint.index))
        yield "</robot>"

    def _joint_of_figure(self, index: int) -> Iterator[str]:
        turning, name = self.turning[index], self.names[index]
        if index != self.base:
            above = self.figure.joints[index].parent
            parent = self.names[above] if above >= 0 else WORLD
            origin = self._origin_element(self.place(index), turning.turn)
            for hinge in turning.hinges[:-1]:
                plug = channel_name(name, hinge.channel)
                yield f"<link{attributes(name=plug)}>"
                yield from _inertial_lines(MIN_MASS_KG, MIN_INERTIA, np.zeros(3))
                yield "</link>"
                yield from _joint_lines(plug, parent, plug, origin, hinge)
                parent, origin = plug, ""
            last = turning.hinges[-1] if turning.hinges else None
            plug = name if last is None else channel_name(name, last.channel)
            kind = "floating" if turning.free else "fixed"
            yield from _joint_lines(plug, parent, name, origin, last, kind)
        yield from self._link_lines(index)

    @staticmethod
    def _origin_element(place: Floats, turn: Floats) -> str:
        rpy = euler_from_quaternion(turn, "xyz")
        return f"<origin{attributes(xyz=digits(place), rpy=digits(rpy))}/>"

    def _link_lines(self, index: int) -> Iterator[str]:
        """A link with a rod to every child."""
        shapes = self.bone_shapes(index, self.height)
        mass = max(DENSITY_KG_PER_M3 * sum(shape.volume() for shape in shapes), MIN_MASS_KG)
        middle = np.mean([0.5 * shape.bone for shape in shapes], axis=0)
        size = max(shape.length + 2.0 * shape.radius for shape in shapes)
        yield f"<link{attributes(name=self.names[index])}>"
        yield from _inertial_lines(mass, max(mass * size**2 / 12.0, MIN_INERTIA), middle)
        for shape in shapes:
            turn, form = IDENTITY, f"<sphere{attributes(radius=repr(shape.radius))}/>"
            if shape.length:
                turn = quaternion_between_vectors(np.eye(3)[2], shape.bone / shape.length)
                rod = attributes(radius=repr(shape.radius), length=repr(shape.length))
                form = f"<cylinder{rod}/>"
            origin = self._origin_element(0.5 * shape.bone, turn)
            yield f"  <visual>{origin}<geometry>{form}</geometry></visual>"
        yield "</link>"


def _inertial_lines(mass: float, inertia: float, middle: Floats) -> Iterator[str]:
    same = dict.fromkeys(("ixx", "iyy", "izz"), repr(float(inertia)))
    moments = attributes(**same, **dict.fromkeys(("ixy", "ixz", "iyz"), "0.0"))
    yield "  <inertial>"
    yield f"    <origin{attributes(xyz=digits(middle))}/>"
    yield f"    <mass{attributes(value=repr(float(mass)))}/><inertia{moments}/>"
    yield "  </inertial>"


def _joint_lines(
    name: str, parent: str, child: str, origin: str, hinge: Hinge | None, kind: str = ""
) -> Iterator[str]:
    parts = [origin]
    if hinge is not None:
        kind = "continuous"
        parts.append(f"<axis{attributes(xyz=digits(hinge.axis))}/>")
        if hinge.low is not None and hinge.high is not None:
            kind = "revolute"
            ends = {"lower": repr(hinge.low + 0.0), "upper": repr(hinge.high + 0.0)}
            parts.append(f"<limit{attributes(**ends, effort=EFFORT, velocity=VELOCITY)}/>")
    yield f"<joint{attributes(name=name, type=kind)}>"
    yield f"  <parent{attributes(link=parent)}/><child{attributes(link=child)}/>"
    yield from (f"  {part}" for part in parts if part)
    yield "</joint>"
