"""Limits of the joints of a robot description (URDF, https://wiki.ros.org/urdf/XML/joint)."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from ..base import Finding, number
from ..geometry import CHANNELS, IDENTITY, Floats, quaternion_from_euler
from ..io import DEFAULT_LIMITS, FilePath, ReadLimits
from .joint_models import (
    ONE_SIDED,
    PLUG,
    ModelFormat,
    ModelHinge,
    ModelJoint,
    ModelJoints,
    model_joints,
)
from .xml import ModelError, XmlElement, direction, numbers, read_xml

FORMAT = ModelFormat(name="urdf", words="a URDF model", element="robot", read="read_urdf_joints")

KEPT = frozenset(
    ["link", "joint", "origin", "axis", "limit", "parent", "child", "mimic", "safety_controller"]
)
KINDS = ("revolute", "continuous", "prismatic", "fixed", "floating", "planar")


def read_urdf_joints(path: FilePath, limits: ReadLimits = DEFAULT_LIMITS) -> ModelJoints:
    """Read the joints of a robot; raises ModelError with line and column."""
    root = read_xml(path, limits, ModelError, KEPT)
    if root.tag != "robot":
        raise root.fail(f"is not a URDF: expected <robot>, found <{root.tag}>")
    elements = _ordered(root, limits)
    if not elements:
        raise root.fail("has no joints")
    findings: list[Finding] = []
    joints = _stacked([_joint(root, element, parent, findings) for element, parent in elements])
    return model_joints(joints, root.attributes.get("name") or Path(path).stem, findings)


def _stacked(joints: Sequence[ModelJoint]) -> list[ModelJoint]:
    """Joints, with chains named ``knee.rotateX``, ``knee.rotateZ`` as one joint of that name."""
    below = Counter(joint.parent for joint in joints)
    taken = {joint.name for joint in joints}
    found: list[ModelJoint] = []
    places = {-1: -1}
    for at, joint in enumerate(joints):
        parent, plug = places[joint.parent], PLUG.fullmatch(joint.name)
        name = joint.name[: -len(".rotateX")]
        if plug and name and len(joint.hinges) == 1:
            hinges = [replace(joint.hinges[0], channel=CHANNELS.index(plug[1]))]
            straight = below[joint.parent] == 1 and bool((joint.turn == IDENTITY).all())
            if parent >= 0 and found[parent].name == name and straight:
                above = found[parent]
                found[parent] = replace(above, hinges=[*above.hinges, *hinges])
                places[at] = parent
                continue
            if name not in taken:
                taken.add(name)
                joint = replace(joint, name=name, hinges=hinges)
        places[at] = len(found)
        found.append(replace(joint, parent=parent))
    return found


def _ordered(root: XmlElement, limits: ReadLimits) -> list[tuple[XmlElement, int]]:
    """Joints with the index of the parent joint, parents first."""
    below: dict[str, list[XmlElement]] = {}
    carried: set[str] = set()
    names: set[str] = set()
    joints = root.all("joint")
    for joint in joints:
        name, child = _required(root, joint, "name"), _link(root, joint, "child")
        if name in names:
            raise joint.fail(f"joint {name!a} appears twice")
        if child in carried:
            raise joint.fail(f"link {child!a} is the child of two joints")
        if len(names) >= limits.max_joints:
            raise joint.fail(limits.refusal("max_joints", "joints", len(joints), subject="has"))
        names.add(name)
        carried.add(child)
        below.setdefault(_link(root, joint, "parent"), []).append(joint)
    found: list[tuple[XmlElement, int]] = []
    waiting = [(joint, -1, 1) for link in below if link not in carried for joint in below[link]]
    waiting.reverse()
    while waiting:
        joint, parent, depth = waiting.pop()
        if depth > limits.max_depth:
            raise joint.fail(limits.refusal("max_depth", "nested joints", subject="has"))
        found.append((joint, parent))
        children = below.get(_link(root, joint, "child"), [])
        waiting += [(child, len(found) - 1, depth + 1) for child in reversed(children)]
    if len(found) < len(joints):
        reached = {id(joint) for joint, _ in found}
        lost = next(joint for joint in joints if id(joint) not in reached)
        raise lost.fail("the links form a loop")
    return found


def _required(root: XmlElement, element: XmlElement, name: str) -> str:
    value = element.attributes.get(name)
    if not value:
        hint = "; expand xacro files first" if root.attributes.get("xmlns:xacro") else ""
        raise element.fail(f"{element.tag} needs {name}{hint}")
    return value


def _link(root: XmlElement, joint: XmlElement, which: str) -> str:
    elements = joint.all(which)
    if len(elements) != 1:
        raise joint.fail(f"a joint needs one <{which} link=...>, found {len(elements)}")
    return _required(root, elements[0], "link")


def _joint(
    root: XmlElement, element: XmlElement, parent: int, findings: list[Finding]
) -> ModelJoint:
    name, kind = element.attributes["name"], _required(root, element, "type")
    if kind not in KINDS:
        raise element.fail(f"joint type {kind!a} must be one of {', '.join(KINDS)}")
    turn = _turn(element)
    if kind in ("prismatic", "planar"):
        text = "it also slides along an axis; those limits are not imported"
        findings.append(Finding("slides", text, name))
    if element.all("mimic"):
        text = "it follows another joint; its own range is imported, the coupling is not"
        findings.append(Finding("mimics", text, name))
    if kind == "floating":
        return ModelJoint(name, parent, turn, ball_deg=math.inf)
    if kind in ("fixed", "prismatic"):
        return ModelJoint(name, parent, turn)
    axes = element.all("axis")
    axis = direction(axes[0] if axes else element, "xyz", default="1 0 0")
    if kind != "revolute":
        writer = partial(_written, kind)
        return ModelJoint(name, parent, turn, [ModelHinge(axis, None, None, None, element, writer)])
    low, high = _range(element)
    findings += _soft_limits(element, low, high)
    limit, writer = element.all("limit")[0], partial(_written, kind)
    return ModelJoint(name, parent, turn, [ModelHinge(axis, low, high, None, limit, writer)])


def _written(kind: str, low: float | None, high: float | None) -> str | dict[str, str]:
    """Attributes of <limit> for a range in degrees."""
    if kind != "revolute":
        return f"the joint is {kind}, which has no range; make it revolute to give it one"
    if low is None and high is None:
        return "a revolute joint has a range; make it continuous to turn without limits"
    least = -ONE_SIDED if low is None else math.radians(low)
    most = ONE_SIDED if high is None else math.radians(high)
    return {"lower": repr(least + 0.0), "upper": repr(most + 0.0)}


def _soft_limits(element: XmlElement, low: float, high: float) -> Iterator[Finding]:
    """Finding about a controller's soft limits, which are not the joint's limits."""
    for controller in element.all("safety_controller"):
        ends = []
        for name, end in (("soft_lower_limit", low), ("soft_upper_limit", high)):
            given = name in controller.attributes
            ends.append(math.degrees(float(numbers(controller, name, 1)[0])) if given else end)
        if ends[0] > low or ends[1] < high:
            text = (
                f"its controller stays within {number(ends[0])}..{number(ends[1])} degrees; the "
                "limits are those of the joint"
            )
            yield Finding("soft-limits", text, element.attributes["name"])


def _turn(element: XmlElement) -> Floats:
    """Rotation of the child link at zero, from angles about fixed axes, X first."""
    origins = element.all("origin")
    if not origins:
        return IDENTITY
    return quaternion_from_euler(numbers(origins[0], "rpy", 3, "0 0 0"), "xyz")


def _range(element: XmlElement) -> tuple[float, float]:
    limits = element.all("limit")
    if not limits:
        raise element.fail("a revolute joint needs a <limit>, a continuous one does not")
    low, high = (
        math.degrees(float(numbers(limits[0], name, 1, "0")[0])) for name in ("lower", "upper")
    )
    if low > high:
        raise limits[0].fail(f"range {low:g} {high:g} degrees is reversed")
    return low, high
