"""Limits of the joints of an MJCF model (MuJoCo).

A body's stacked hinges become the rotate channels of one joint, which has the body's name; those
that are called ``joint.rotateX``, as the export calls them, become that channel. Bodies turn by
their own quaternion, then by their joints in the order of the file; the format is described at
https://mujoco.readthedocs.io/en/stable/XMLreference.html.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ..arrays import Floats
from ..errors import ModelError
from ..findings import Finding
from ..formats.read_limits import DEFAULT_LIMITS, ReadLimits
from ..formats.source import FilePath
from ..joint_frame import CHANNELS
from ..rotation import IDENTITY, multiply, rotated
from .mjcf_couplings import COUPLING, couplings
from .mjcf_includes import INCLUDE, Includes
from .mjcf_settings import MjcfSettings, attributes_of, orientation, settings_of
from .model_joint import NOT_CHANNELS, ModelHinge, ModelJoint, ModelJoints, model_joints
from .xml_numbers import direction, numbers
from .xml_tree import XmlElement, XmlFile, read_xml

ELSEWHERE = frozenset(["attach", "replicate"])
"""What stands for parts that only MuJoCo makes."""
JOINTS = ("joint", "freejoint")
KEPT = frozenset(
    [*ELSEWHERE, *COUPLING, *JOINTS, INCLUDE, "compiler", "default", "worldbody", "body", "frame"]
)
_PLUG = re.compile(r".*\.(rotate[XYZ])", re.DOTALL)
_TURNS = ("hinge", "ball")


def read_mjcf_joints(path: FilePath, limits: ReadLimits = DEFAULT_LIMITS) -> ModelJoints:
    """Read the joints of a model.

    Parameters
    ----------
    path : path-like or str

    Returns
    -------
    ModelJoints
        Of the bodies, by their names.

    Raises
    ------
    ModelError
        With line and column: broken files, and models with parts that only MuJoCo makes, which it
        writes as bodies. Parts in other files are read if those lie in the model's folder or below;
        others are findings.
    """
    file = read_xml(path, limits, ModelError, KEPT)
    if file.root.tag != "mujoco":
        raise file.fail(
            f"begins with <{file.root.tag}>; a model of MuJoCo with <mujoco>", file.root
        )
    includes = Includes(limits, KEPT)
    includes.resolve(file)
    joints, findings = _Bodies(file, limits).read()
    findings = [*includes.findings, *findings]
    if not joints:
        raise file.fail("has no bodies, so there are no joints to take limits from", file.root)
    return model_joints(joints, file.root.attributes.get("model") or Path(path).stem, findings)


@dataclass(frozen=True, eq=False)
class _JointElement:
    """A joint with what its class gives it, and the turn of the frames around it in its body."""

    element: XmlElement
    kind: str
    turn: Floats


class _Bodies:
    """The bodies of a model, parents first."""

    def __init__(self, file: XmlFile, limits: ReadLimits) -> None:
        self.file, self.limits = file, limits
        self.settings: MjcfSettings = settings_of(file)
        self.joints: list[ModelJoint] = []
        self.bodies: dict[str, str] = {}
        self.names: set[str] = set()
        self.findings: list[Finding] = []

    def read(self) -> tuple[list[ModelJoint], list[Finding]]:
        # Element, index of the parent joint, turn of the frames above, class of its joints.
        waiting: list[tuple[XmlElement, int, Floats, str]] = []
        for world in reversed(self.file.root.all("worldbody")):
            waiting.append((world, -1, IDENTITY, self.settings.main))
        self._refuse_parts(self.file.root, False)
        while waiting:
            element, parent, above, used = waiting.pop()
            self._refuse_parts(element, parent >= 0)
            used = element.attributes.get("childclass", used)
            if element.tag == "body":
                parent, above = self._body(element, parent, above, used), IDENTITY
            elif element.tag == "frame":
                above = multiply(above, orientation(self.file, element, self.settings))
            inside = [child for child in element.children if child.tag in ("body", "frame")]
            waiting += [(child, parent, above, used) for child in reversed(inside)]
        self.findings += couplings(self.file.root, self.bodies)
        return self.joints, self.findings

    def _refuse_parts(self, element: XmlElement, in_body: bool) -> None:
        for child in element.children:
            if child.tag in ELSEWHERE:
                raise self.file.fail(
                    f"<{child.tag}> is made by MuJoCo alone; let it write the whole model into a "
                    "file (mj_saveLastXML) and take that",
                    child,
                )
            outside = element.tag == "worldbody" or (element.tag == "frame" and not in_body)
            if outside and child.tag in JOINTS:
                raise self.file.fail(f"<{child.tag}> stands in no body", child)

    def _body(self, body: XmlElement, parent: int, above: Floats, used: str) -> int:
        """Add the joint of a body; returns its index."""
        if len(self.joints) >= self.limits.max_joints:
            raise self.file.fail(f"has {self.limits.refusal('max_joints', 'joints')}", body)
        name = body.attributes.get("name") or f"body{len(self.joints)}"
        if name in self.names:
            raise self.file.fail(f"body {name!a} is there twice", body)
        self.names.add(name)
        turn = multiply(above, orientation(self.file, body, self.settings))
        found = list(self._joints_in(body, used))
        self.joints.append(self._joint(name, parent, turn, found))
        self.bodies.update({one.element.attributes.get("name", ""): name for one in found})
        return len(self.joints) - 1

    def _joints_in(self, body: XmlElement, used: str) -> Iterator[_JointElement]:
        """Joints of a body as the file has them one after the other, those in its frames too."""
        waiting = [(child, IDENTITY, used) for child in reversed(body.children)]
        while waiting:
            element, turn, used = waiting.pop()
            if element.tag == "frame":
                turn = multiply(turn, orientation(self.file, element, self.settings))
                used = element.attributes.get("childclass", used)
                waiting += [(child, turn, used) for child in reversed(element.children)]
            elif element.tag == "freejoint":
                yield _JointElement(element, "free", turn)
            elif element.tag == "joint":
                full = attributes_of(self.file, element, used, self.settings)
                yield _JointElement(full, full.attributes.get("type", "hinge"), turn)

    def _joint(
        self, name: str, parent: int, turn: Floats, found: list[_JointElement]
    ) -> ModelJoint:
        for one in found:
            if one.kind not in ("free", "ball", "slide", "hinge"):
                raise self.file.fail(f"joint type {one.kind!a} is none of MuJoCo's", one.element)
        kinds = {one.kind for one in found}
        # Of all, so that what MuJoCo refuses is refused.
        ranges = [self._range(one) for one in found]
        if "slide" in kinds:
            text = "it also moves along an axis; limits of that are not taken over"
            self.findings.append(Finding("slides", text, name))
        if "free" in kinds:
            return ModelJoint(name, parent, turn, ball_deg=math.inf)
        turns = [(one, *ends) for one, ends in zip(found, ranges) if one.kind in _TURNS]
        if "ball" in kinds and len(turns) > 1:
            text = "a ball joint and others turn one body, which is no joint of Maya; it is free"
            self.findings.append(Finding(NOT_CHANNELS, text, name))
            return ModelJoint(name, parent, turn, ball_deg=math.inf)
        if "ball" in kinds:
            _, _, high = turns[0]
            return ModelJoint(name, parent, turn, ball_deg=math.inf if high is None else high)
        return ModelJoint(name, parent, turn, [self._hinge(*each) for each in turns])

    def _hinge(self, one: _JointElement, low: float | None, high: float | None) -> ModelHinge:
        axis = rotated(one.turn, direction(self.file, one.element, "axis", default="0 0 1"))
        zero = self._degrees(float(numbers(self.file, one.element, "ref", 1, "0")[0]))
        plug = _PLUG.fullmatch(one.element.attributes.get("name", ""))
        return ModelHinge(
            axis,
            None if low is None else low - zero,
            None if high is None else high - zero,
            CHANNELS.index(plug[1]) if plug else None,
        )

    def _range(self, one: _JointElement) -> tuple[float | None, float | None]:
        """Bounds in degrees as MuJoCo decides on them; None for a joint without limits."""
        full = one.element
        limited = full.attributes.get("limited", "auto")
        if limited not in ("true", "false", "auto"):
            raise self.file.fail(f"limited must be true, false or auto, not {limited!a}", full)
        low, high = numbers(self.file, full, "range", 2, "0 0").tolist()
        if one.kind == "free":
            return None, None
        if limited == "auto" and (low or high) and not self.settings.auto_limits:
            raise self.file.fail("has a range, but does not say whether it is limited", full)
        if limited == "false" or (limited == "auto" and low >= high):
            return None, None
        self._refuse_range(one, low, high)
        return self._degrees(low), self._degrees(high)

    def _refuse_range(self, one: _JointElement, low: float, high: float) -> None:
        """Refuse ranges of limited joints that MuJoCo refuses, too."""
        if one.kind == "ball":
            if low != 0.0 or high < 0.0:
                text = f"the range of a ball joint goes up from 0, not from {low:g} to {high:g}"
                raise self.file.fail(text, one.element)
        elif low >= high:
            text = f"the range {low:g} {high:g} is none: its first number must be the smaller one"
            raise self.file.fail(text, one.element)

    def _degrees(self, angle: float) -> float:
        return math.degrees(angle) if self.settings.radians else angle
