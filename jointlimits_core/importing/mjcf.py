"""Limits of the joints of an MJCF model (MuJoCo).

A body's stacked hinges become the rotate channels of one joint, named after the body; hinges named
``joint.rotateX``, as the exporter names them, become that channel. Bodies rotate by their own
quaternion, then by their joints in file order; for the format see
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
"""Elements that only MuJoCo can expand."""
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
        One per body, with the body's name.

    Raises
    ------
    ModelError
        With line and column, for broken files and models with elements that only MuJoCo expands
        into bodies. Included files are read if they lie in the model's folder or below; others
        become findings.
    """
    file = read_xml(path, limits, ModelError, KEPT)
    if file.root.tag != "mujoco":
        raise file.fail(
            f"is not a MuJoCo model: expected <mujoco>, found <{file.root.tag}>", file.root
        )
    includes = Includes(limits, KEPT)
    includes.resolve(file)
    joints, findings = _Bodies(file, limits).read()
    findings = [*includes.findings, *findings]
    if not joints:
        raise file.fail("has no bodies, so there are no joint limits to import", file.root)
    return model_joints(joints, file.root.attributes.get("model") or Path(path).stem, findings)


@dataclass(frozen=True, eq=False)
class _JointElement:
    """A joint with its class attributes, and the rotation of enclosing frames in its body."""

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
                    f"<{child.tag}> is expanded by MuJoCo; have MuJoCo save the whole model "
                    "(mj_saveLastXML) and import that file",
                    child,
                )
            outside = element.tag == "worldbody" or (element.tag == "frame" and not in_body)
            if outside and child.tag in JOINTS:
                raise self.file.fail(f"<{child.tag}> must be inside a body", child)

    def _body(self, body: XmlElement, parent: int, above: Floats, used: str) -> int:
        """Add the joint of a body; return its index."""
        if len(self.joints) >= self.limits.max_joints:
            raise self.file.fail(f"has {self.limits.refusal('max_joints', 'joints')}", body)
        name = body.attributes.get("name") or f"body{len(self.joints)}"
        if name in self.names:
            raise self.file.fail(f"body {name!a} appears twice", body)
        self.names.add(name)
        turn = multiply(above, orientation(self.file, body, self.settings))
        found = list(self._joints_in(body, used))
        self.joints.append(self._joint(name, parent, turn, found))
        self.bodies.update({one.element.attributes.get("name", ""): name for one in found})
        return len(self.joints) - 1

    def _joints_in(self, body: XmlElement, used: str) -> Iterator[_JointElement]:
        """Joints of a body in file order, including those in its frames."""
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
                raise self.file.fail(f"unknown joint type {one.kind!a}", one.element)
        kinds = {one.kind for one in found}
        # Checks all of them, so that everything MuJoCo rejects is rejected.
        ranges = [self._range(one) for one in found]
        if "slide" in kinds:
            text = "it also slides along an axis; those limits are not imported"
            self.findings.append(Finding("slides", text, name))
        if "free" in kinds:
            return ModelJoint(name, parent, turn, ball_deg=math.inf)
        turns = [(one, *ends) for one, ends in zip(found, ranges) if one.kind in _TURNS]
        if "ball" in kinds and len(turns) > 1:
            text = "a ball joint shares its body with other joints, unlike in Maya; it is free"
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
        """Limits in degrees by MuJoCo's rules; None for a joint without limits."""
        full = one.element
        limited = full.attributes.get("limited", "auto")
        if limited not in ("true", "false", "auto"):
            raise self.file.fail(f"limited must be true, false or auto, not {limited!a}", full)
        low, high = numbers(self.file, full, "range", 2, "0 0").tolist()
        if one.kind == "free":
            return None, None
        if limited == "auto" and (low or high) and not self.settings.auto_limits:
            raise self.file.fail("has a range but no limited attribute (autolimits is off)", full)
        if limited == "false" or (limited == "auto" and low >= high):
            return None, None
        self._refuse_range(one, low, high)
        return self._degrees(low), self._degrees(high)

    def _refuse_range(self, one: _JointElement, low: float, high: float) -> None:
        """Reject invalid ranges of limited joints, as MuJoCo does."""
        if one.kind == "ball":
            if low != 0.0 or high < 0.0:
                text = f"a ball joint's range must start at 0, not {low:g} (range {low:g} {high:g})"
                raise self.file.fail(text, one.element)
        elif low >= high:
            text = f"range {low:g} {high:g} is invalid: the first number must be the smaller one"
            raise self.file.fail(text, one.element)

    def _degrees(self, angle: float) -> float:
        return math.degrees(angle) if self.settings.radians else angle
