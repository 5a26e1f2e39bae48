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
from pathlib import Path

from ..arrays import Floats
from ..errors import ModelError
from ..findings import Finding
from ..formats.read_limits import DEFAULT_LIMITS, ReadLimits
from ..formats.source import FilePath
from ..joint_frame import CHANNELS
from ..rotation import IDENTITY, multiply
from .mjcf_includes import INCLUDE, Includes
from .mjcf_settings import MjcfSettings, attributes_of, orientation, settings_of
from .model_joint import ModelHinge, ModelJoint, ModelJoints, model_joints
from .xml_numbers import direction, numbers
from .xml_tree import XmlElement, XmlFile, read_xml

ELSEWHERE = frozenset(["attach", "replicate"])
"""What stands for parts that only MuJoCo makes."""
KEPT = ELSEWHERE | {
    INCLUDE,
    "compiler",
    "default",
    "worldbody",
    "body",
    "frame",
    "joint",
    "freejoint",
}
_PLUG = re.compile(r".*\.(rotate[XYZ])", re.DOTALL)
_TURNS = ("hinge", "ball")


def read_mjcf_joints(path: FilePath, limits: ReadLimits = DEFAULT_LIMITS) -> ModelJoints:
    """Read the joints of a model.

    Parameters
    ----------
    path : path-like or str
    limits : ReadLimits

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


class _Bodies:
    """The bodies of a model, parents first."""

    def __init__(self, file: XmlFile, limits: ReadLimits) -> None:
        self.file, self.limits = file, limits
        self.settings: MjcfSettings = settings_of(file)
        self.joints: list[ModelJoint] = []
        self.names: set[str] = set()
        self.findings: list[Finding] = []

    def read(self) -> tuple[list[ModelJoint], list[Finding]]:
        # Element, index of the parent joint, turn of the frames above, class of its joints.
        waiting: list[tuple[XmlElement, int, Floats, str]] = []
        for world in reversed(self.file.root.all("worldbody")):
            waiting.append((world, -1, IDENTITY, self.settings.main))
        self._refuse_parts(self.file.root)
        while waiting:
            element, parent, above, used = waiting.pop()
            self._refuse_parts(element)
            used = element.attributes.get("childclass", used)
            if element.tag == "body":
                parent, above = self._body(element, parent, above, used), IDENTITY
            elif element.tag == "frame":
                above = multiply(above, orientation(self.file, element, self.settings))
            inside = [child for child in element.children if child.tag in ("body", "frame")]
            waiting += [(child, parent, above, used) for child in reversed(inside)]
        return self.joints, self.findings

    def _refuse_parts(self, element: XmlElement) -> None:
        for child in element.children:
            if child.tag in ELSEWHERE:
                raise self.file.fail(
                    f"<{child.tag}> is made by MuJoCo alone; let it write the whole model into a "
                    "file (mj_saveLastXML) and take that",
                    child,
                )
            if element.tag in ("frame", "worldbody") and child.tag in ("joint", "freejoint"):
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
        found = [child for child in body.children if child.tag in ("joint", "freejoint")]
        turning = [(one, self._joint_attributes(one, used)) for one in found]
        self.joints.append(self._joint(name, parent, turn, turning))
        return len(self.joints) - 1

    def _joint_attributes(self, element: XmlElement, used: str) -> XmlElement:
        """The joint with what its class gives it."""
        if element.tag == "freejoint":
            return element
        return attributes_of(self.file, element, used, self.settings)

    def _joint(
        self, name: str, parent: int, turn: Floats, turning: list[tuple[XmlElement, XmlElement]]
    ) -> ModelJoint:
        kinds = [
            "free" if element.tag == "freejoint" else full.attributes.get("type", "hinge")
            for element, full in turning
        ]
        for kind, (element, _) in zip(kinds, turning):
            if kind not in ("free", "ball", "slide", "hinge"):
                raise self.file.fail(f"joint type {kind!a} is none of MuJoCo's", element)
        if "slide" in kinds:
            text = "it also moves along an axis; limits of that are not taken over"
            self.findings.append(Finding("slides", text, name))
        if "free" in kinds:
            return ModelJoint(name, parent, turn, ball_deg=math.inf)
        turns = [full for kind, (_, full) in zip(kinds, turning) if kind in _TURNS]
        if "ball" in kinds and len(turns) > 1:
            text = "a ball joint and others turn one body, which is no joint of Maya; it is free"
            self.findings.append(Finding("not-channels", text, name))
            return ModelJoint(name, parent, turn, ball_deg=math.inf)
        if "ball" in kinds:
            _, high = self._range(turns[0])
            return ModelJoint(name, parent, turn, ball_deg=math.inf if high is None else high)
        return ModelJoint(name, parent, turn, list(self._hinges(turns)))

    def _hinges(self, turns: list[XmlElement]) -> Iterator[ModelHinge]:
        for full in turns:
            axis = direction(self.file, full, "axis", default="0 0 1")
            low, high = self._range(full)
            zero = self._degrees(float(numbers(self.file, full, "ref", 1, "0")[0]))
            plug = _PLUG.fullmatch(full.attributes.get("name", ""))
            yield ModelHinge(
                axis,
                None if low is None else low - zero,
                None if high is None else high - zero,
                CHANNELS.index(plug[1]) if plug else None,
            )

    def _range(self, full: XmlElement) -> tuple[float | None, float | None]:
        """Bounds in degrees; None for a joint without limits."""
        limited = full.attributes.get("limited", "auto")
        if limited not in ("true", "false", "auto"):
            raise self.file.fail(f"limited must be true, false or auto, not {limited!a}", full)
        if limited == "auto":
            limited = "true" if "range" in full.attributes else "false"
            if limited == "true" and not self.settings.auto_limits:
                raise self.file.fail("has a range, but does not say whether it is limited", full)
        if limited == "false":
            return None, None
        low, high = numbers(self.file, full, "range", 2, "0 0").tolist()
        if low > high:
            raise self.file.fail(f"the range {low:g} {high:g} is the wrong way round", full)
        return self._degrees(low), self._degrees(high)

    def _degrees(self, angle: float) -> float:
        return math.degrees(angle) if self.settings.radians else angle
