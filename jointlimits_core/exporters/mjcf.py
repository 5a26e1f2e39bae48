"""MJCF: a MuJoCo model whose joint coordinates are Maya's rotate channels.

Angles are radians with all digits, so that poses and limits equal those of the limit set.
Format: https://mujoco.readthedocs.io/en/stable/XMLreference.html.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

import numpy as np

from ..base.text import number, printable, unique_names
from ..geometry.quaternion import w_first
from ..limits.limit_set import LimitSet
from ..motion.skeleton import Skeleton
from .figure import MIN_THICKNESS_SHARE
from .formats import ExportOptions
from .joint_models import MAX_TURN_RAD, BodyModel, attributes, channel_name, digits
from .losses import Exported, Loss

MAX_INDENT = 40
"""Maximum number of indented levels; in long chains, indentation would fill the file."""
MIN_RADIUS_M = 1e-6
"""Smallest radius in metres; MuJoCo does not accept much thinner bodies."""


def export(limit_set: LimitSet, skeleton: Skeleton | None, options: ExportOptions) -> Exported:
    """Write a model."""
    assert skeleton is not None
    model = _Model(limit_set, skeleton, options, "MJCF")
    losses = model.losses(
        Loss(
            "masses",
            "limits contain no bodies: capsules with the density of water were written along the "
            "bones, with collisions off",
        ),
        Loss(
            "up-axis",
            "MuJoCo uses Z up; the figure is oriented as in the source, with gravity along -Y, "
            "which is correct if Y is up",
        ),
    )
    text = "\n".join(model.lines()) + "\n"
    pairs = zip(model.figure.joints, model.turning)
    balls = [(joint, one.ball) for joint, one in pairs if one.ball]
    words = f"{len(model.turning)} bodies, {model.hinge_words()}"
    notes = (
        f"{printable(joint.name)}: {number(float(np.degrees(ball.radius)))} degrees around the "
        f"middle, {number(100.0 * ball.ball_share, 2)} % of all rotations; its channels allow "
        f"{number(100.0 * ball.box_share, 2)} %"
        for joint, ball in balls
    )
    return Exported(text, losses, (words + f", {len(balls)} ball joints" * bool(balls), *notes))


CAMERAS = {"front": (0.0, 0.0), "corner": (35.0, 12.0)}
"""Cameras by name: degrees around the figure, and above it."""
_LOOKS = (
    "  <visual>",
    '    <headlight ambient="0.45 0.45 0.45" diffuse="0.5 0.5 0.5" specular="0 0 0"/>',
    "  </visual>",
    "  <asset>",
    '    <texture type="skybox" builtin="flat" rgb1="0.93 0.94 0.96" rgb2="0.93 0.94 0.96"'
    ' width="8" height="8"/>',
    "  </asset>",
    "  <default>",
    '    <geom contype="0" conaffinity="0" density="1000" rgba="0.35 0.5 0.68 1"/>',
    "  </default>",
)


class _Model(BodyModel):
    """Builder of a model's text, part by part."""

    @cached_property
    def names(self) -> list[str]:
        """Names of the bodies."""
        return unique_names((joint.name for joint in self.figure.joints), printable)

    def lines(self) -> Iterator[str]:
        """Lines of the whole file."""
        yield f"<mujoco{attributes(model=printable(self.limit_set.character))}>"
        yield '  <compiler angle="radian" boundmass="1e-6" boundinertia="1e-9"/>'
        yield '  <option gravity="0 -9.81 0"/>'
        places = self.figure.skeleton.rest_world_matrices()[:, :3, 3] * self.unit
        middle = 0.5 * (places.min(axis=0) + places.max(axis=0))
        yield f"  <statistic{attributes(center=digits(middle), extent=repr(self.height))}/>"
        yield from _LOOKS
        yield "  <worldbody>"
        above = middle + np.array([0.0, self.height, self.height])
        light = attributes(pos=digits(above), dir="0 -1 -1", diffuse="0.3 0.3 0.3")
        yield f"    <light{light}/>"
        for name, degrees in CAMERAS.items():
            # Aimed at the middle, with Y up.
            a, b = np.radians(degrees)
            right = np.array([np.cos(a), 0.0, -np.sin(a)])
            back = np.array([np.sin(a) * np.cos(b), np.sin(b), np.cos(a) * np.cos(b)])
            pos = digits(middle + 2.0 * self.height * back)
            axes = digits((*right.tolist(), *np.cross(back, right).tolist()))
            yield f"    <camera{attributes(name=name, pos=pos, xyaxes=axes)}/>"
        # Not recursive, because chains may be long.
        waiting = [(root, 2) for root in reversed(self.roots)]
        while waiting:
            joint, depth = waiting.pop()
            space = "  " * min(depth, MAX_INDENT)
            if joint < 0:
                yield f"{space}</body>"
                continue
            yield from (f"{space}{line}" for line in self._body_lines(joint))
            waiting.append((-1, depth))
            waiting += [(child, depth + 1) for child in reversed(self.children[joint])]
        yield "  </worldbody>"
        yield "  <keyframe>"
        yield f'    <key name="rest"{attributes(qpos=digits(self._rest_coordinates()))}/>'
        yield "  </keyframe>"
        yield "</mujoco>"

    def _body_lines(self, index: int) -> Iterator[str]:
        """Lines of a body, without its children and closing tag."""
        turning, name = self.turning[index], self.names[index]
        place, turn = digits(self.place(index)), digits(w_first(turning.turn))
        yield f"<body{attributes(name=name, pos=place, quat=turn)}>"
        if turning.free:
            yield f"  <freejoint{attributes(name=name)}/>"
        if turning.ball is not None:
            radius = turning.ball.radius
            limits = _limit_attributes(0.0, radius if radius < MAX_TURN_RAD else None)
            yield f'  <joint{attributes(name=name)} type="ball"{limits}/>'
        for hinge in turning.hinges:
            plug = attributes(name=channel_name(name, hinge.channel))
            axis, limits = digits(hinge.axis), _limit_attributes(hinge.low, hinge.high)
            yield f'  <joint{plug} type="hinge"{attributes(axis=axis)}{limits}/>'
        # A capsule to every child, for display and mass.
        for shape in self.bone_shapes(index, max(self.height, MIN_RADIUS_M / MIN_THICKNESS_SHARE)):
            size = repr(shape.radius)
            if shape.length:
                ends = digits((0.0, 0.0, 0.0, *shape.bone.tolist()))
                yield f'  <geom type="capsule"{attributes(fromto=ends, size=size)}/>'
            else:
                yield f'  <geom type="sphere"{attributes(size=size)}/>'

    def _rest_coordinates(self) -> list[float]:
        """Coordinates of the rest pose in MuJoCo's order: depth first, parents before children."""
        found: list[float] = []
        waiting = self.roots[::-1]
        while waiting:
            index = waiting.pop()
            waiting += reversed(self.children[index])
            turning = self.turning[index]
            if turning.free:
                found += [*self.place(index).tolist(), *w_first(turning.turn)]
            found += turning.rest
        return found


def _limit_attributes(low: float | None, high: float | None) -> str:
    if low is None or high is None:
        return attributes(limited="false")
    return attributes(limited="true", range=digits((low, high)))
