"""Limits of the joints of an MJCF model (MuJoCo).

A body's stacked hinges become the rotate channels of one joint, named after the body; hinges named
``joint.rotateX``, as the exporter names them, become that channel. Bodies rotate by their own
quaternion, then by their joints in file order; for the format see
https://mujoco.readthedocs.io/en/stable/XMLreference.html.
Couplings between joints (equalities and tendons) are not ranges, so findings report them.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import numpy as np

from ..base import Finding, number, plural, printable
from ..geometry import (
    CHANNELS,
    IDENTITY,
    Floats,
    multiply,
    quaternion_between_vectors,
    quaternion_from_axis_angle,
    quaternion_from_matrix,
    rotated,
)
from ..io import DEFAULT_LIMITS, FilePath, ReadLimits
from .joint_models import (
    KEY_OUTSIDE,
    NOT_CHANNELS,
    ONE_SIDED,
    OUTSIDE_DEG,
    PLUG,
    ModelFormat,
    ModelHinge,
    ModelJoint,
    ModelJoints,
    model_joints,
)
from .xml import INCLUDE, Includes, ModelError, XmlElement, direction, numbers, read_xml

FORMAT = ModelFormat(name="mjcf", words="an MJCF model", element="mujoco", read="read_mjcf_joints")

ORIENTATIONS = ("quat", "euler", "axisangle", "xyaxes", "zaxis")


@dataclass(frozen=True)
class MjcfSettings:
    """Settings of a model.

    `euler_sequence`: axis letters; lower case axes rotate with the body, upper case axes are fixed.
    `auto_limits`: whether a range alone makes a joint limited. `classes`: joint attributes by class
    name; `main`: class of elements that name none.
    """

    radians: bool = False
    euler_sequence: str = "xyz"
    auto_limits: bool = True
    classes: Mapping[str, Mapping[str, str]] = None  # type: ignore[assignment]
    main: str = "main"


def settings_of(root: XmlElement) -> MjcfSettings:
    """Read the settings of a model; raises InputError with line and column."""
    found = MjcfSettings()
    for compiler in root.all("compiler"):
        get = compiler.attributes.get
        if get("coordinate", "local") != "local":
            raise compiler.fail("global coordinates are not supported; save it from MuJoCo")
        sequence = get("eulerseq", found.euler_sequence)
        if len(sequence) != 3 or set(sequence) - set("xyzXYZ"):
            raise compiler.fail(f"eulerseq must be three of xyzXYZ, not {sequence!a}")
        unit, automatic = "radian" if found.radians else "degree", str(found.auto_limits).lower()
        found = replace(
            found,
            radians=_word(compiler, "angle", unit, "radian or degree") == "radian",
            euler_sequence=sequence,
            auto_limits=_word(compiler, "autolimits", automatic, "true or false") == "true",
        )
    classes, main = _classes(root)
    return replace(found, classes=classes, main=main)


def _word(element: XmlElement, name: str, default: str, allowed: str) -> str:
    """One of the allowed words, from an attribute."""
    word = element.attributes.get(name, default)
    if word not in re.split(", | or ", allowed):
        raise element.fail(f"{name} must be {allowed}, not {word!a}")
    return word


def _classes(root: XmlElement) -> tuple[dict[str, dict[str, str]], str]:
    """Joint attributes of every class, including those of enclosing classes."""
    classes: dict[str, dict[str, str]] = {}
    tops = root.all("default")
    main = tops[0].attributes.get("class", "main") if tops else "main"
    nothing: dict[str, str] = {}
    waiting = [(top, top.attributes.get("class", main), nothing) for top in reversed(tops)]
    while waiting:
        element, name, above = waiting.pop()
        if not name:
            raise element.fail("a nested default needs a class")
        known = {**above, **classes.get(name, {})}
        for joint in element.all("joint"):
            known.update(joint.attributes)
        classes[name] = known
        inside = reversed(element.all("default"))
        waiting += [(child, child.attributes.get("class", ""), known) for child in inside]
    classes.setdefault(main, {})
    return classes, main


def attributes_of(joint: XmlElement, used: str, settings: MjcfSettings) -> XmlElement:
    """A joint with the attributes of its class.

    `used`: class that applies at its place. Raises InputError for an unknown class.
    """
    name = joint.attributes.get("class", used)
    if name not in settings.classes:
        raise joint.fail(f"unknown default class {name!a}")
    return replace(joint, attributes={**settings.classes[name], **joint.attributes})


def orientation(element: XmlElement, settings: MjcfSettings) -> Floats:
    """Rotation of a body or frame relative to its parent element, shape (4,).

    Raises InputError for several orientations in one element, or invalid numbers.
    """
    given = [name for name in ORIENTATIONS if name in element.attributes]
    if len(given) > 1:
        raise element.fail(f"has {' and '.join(given)}; expected one orientation")
    unit = 1.0 if settings.radians else math.pi / 180.0
    if not given:
        return IDENTITY
    if given == ["quat"]:
        w, x, y, z = direction(element, "quat", 4).tolist()
        return np.array([x, y, z, w])
    if given == ["axisangle"]:
        *axis, angle = numbers(element, "axisangle", 4).tolist()
        length = float(np.linalg.norm(axis))
        if length < 1e-10:
            raise element.fail("the axis of axisangle has zero length")
        return quaternion_from_axis_angle(np.array(axis) / length, np.asarray(angle * unit))
    if given == ["zaxis"]:
        return quaternion_between_vectors(np.eye(3)[2], direction(element, "zaxis"))
    if given == ["xyaxes"]:
        return _from_axes(element)
    return _from_euler(numbers(element, "euler", 3) * unit, settings.euler_sequence)


def _from_axes(element: XmlElement) -> Floats:
    """Rotation whose first column is the first axis; the second is made orthogonal to it."""
    both = numbers(element, "xyaxes", 6)
    first, second = both[:3], both[3:]
    first = first / max(float(np.linalg.norm(first)), 1e-300)
    second = second - first * float(first @ second)
    if min(float(np.linalg.norm(both[:3])), float(np.linalg.norm(second))) < 1e-10:
        raise element.fail("xyaxes are parallel or have zero length")
    second = second / np.linalg.norm(second)
    return quaternion_from_matrix(np.stack([first, second, np.cross(first, second)], axis=1))


def _from_euler(angles: Floats, sequence: str) -> Floats:
    turn = IDENTITY
    for letter, angle in zip(sequence, angles):
        step = quaternion_from_axis_angle(np.eye(3)["xyz".index(letter.lower())], angle)
        turn = multiply(turn, step) if letter.islower() else multiply(step, turn)
    return turn


COUPLING = frozenset(["equality", "tendon", "connect", "weld", "fixed", "spatial"])
"""Elements read here."""


def couplings(root: XmlElement, bodies: Mapping[str, str]) -> Iterator[Finding]:
    """Findings about couplings between a model's joints. `bodies`: body of each named joint."""
    yield from _equalities(root, bodies)
    for tendons in root.all("tendon"):
        for tendon in tendons.all("fixed"):
            name = printable(tendon.attributes.get("name", ""))
            called = f"tendon {name}" if name else "a tendon"
            joints = [one.attributes.get("joint", "") for one in tendon.all("joint")]
            for body in dict.fromkeys(bodies[joint] for joint in joints if joint in bodies):
                text = f"{called} couples it to others; the coupling is not imported"
                yield Finding("tendon", text, body)
    spatial = sum(len(tendons.all("spatial")) for tendons in root.all("tendon"))
    if spatial:
        text = f"{plural(spatial, 'spatial tendon')} may restrict joints; this is not imported"
        yield Finding("tendon", text)


def _equalities(root: XmlElement, bodies: Mapping[str, str]) -> Iterator[Finding]:
    held = 0
    for equality in root.all("equality"):
        for one in equality.children:
            if one.attributes.get("active") == "false":
                continue
            held += one.tag in ("connect", "weld")
            first, second = (one.attributes.get(name, "") for name in ("joint1", "joint2"))
            if one.tag == "joint" and first in bodies:
                to = f"to {printable(second)}" if second else "to one angle"
                text = f"an equality holds {printable(first)} {to}; it is not imported"
                yield Finding("equality", text, bodies[first])
    if held:
        many = plural(held, "equality")
        text = f"{many} between bodies may restrict joints; this is not imported"
        yield Finding("equality", text)


ELSEWHERE = frozenset(["attach", "replicate"])
"""Elements that only MuJoCo can expand."""
JOINTS = ("joint", "freejoint")
KEPT = frozenset(
    [
        *(*ELSEWHERE, *COUPLING, *JOINTS, INCLUDE, "compiler", "default", "worldbody", "body"),
        *("frame", "keyframe", "key"),
    ]
)
_TURNS = ("hinge", "ball")
_NUMBERS = {"free": 7, "ball": 4, "slide": 1, "hinge": 1}
"""Numbers of a joint in a pose of the model, by its kind."""


def read_mjcf_joints(path: FilePath, limits: ReadLimits = DEFAULT_LIMITS) -> ModelJoints:
    """Read the joints of a model.

    There is one joint per body, with the body's name. Raises ModelError with line and column, for
    broken files and models with elements that only MuJoCo expands into bodies. Included files are
    read if they lie in the model's folder or below; others become findings.
    """
    root = read_xml(path, limits, ModelError, KEPT)
    if root.tag != "mujoco":
        raise root.fail(f"is not a MuJoCo model: expected <mujoco>, found <{root.tag}>")
    includes = Includes(limits, KEPT)
    includes.resolve(root)
    joints, findings = _Bodies(root, limits).read()
    findings = [*includes.findings, *findings]
    if not joints:
        raise root.fail("has no bodies, so there are no joint limits to import")
    return model_joints(joints, root.attributes.get("model") or Path(path).stem, findings)


@dataclass(frozen=True, eq=False)
class _JointElement:
    """A joint with its class attributes, and the rotation of enclosing frames in its body."""

    element: XmlElement
    kind: str
    turn: Floats


class _Bodies:
    """The bodies of a model, parents first."""

    def __init__(self, root: XmlElement, limits: ReadLimits) -> None:
        self.root, self.limits = root, limits
        self.settings: MjcfSettings = settings_of(root)
        self.joints: list[ModelJoint] = []
        self.bodies: dict[str, str] = {}
        self.names: set[str] = set()
        self.findings: list[Finding] = []
        self.stored: list[tuple[str, _JointElement]] = []

    def read(self) -> tuple[list[ModelJoint], list[Finding]]:
        # Element, index of the parent joint, turn of the frames above, class of its joints.
        worlds = reversed(self.root.all("worldbody"))
        waiting = [(world, -1, IDENTITY, self.settings.main) for world in worlds]
        self._reject_parts(self.root, False)
        while waiting:
            element, parent, above, used = waiting.pop()
            self._reject_parts(element, parent >= 0)
            used = element.attributes.get("childclass", used)
            if element.tag == "body":
                parent, above = self._body(element, parent, above, used), IDENTITY
            elif element.tag == "frame":
                above = multiply(above, orientation(element, self.settings))
            inside = [child for child in element.children if child.tag in ("body", "frame")]
            waiting += [(child, parent, above, used) for child in reversed(inside)]
        self.findings += couplings(self.root, self.bodies)
        self.findings += self._keyframes()
        return self.joints, self.findings

    def _keyframes(self) -> Iterator[Finding]:
        """Findings about stored poses outside the ranges.

        The numbers are in the order of the joints, angles in radians whatever the model's unit is.
        """
        count = sum(_NUMBERS[one.kind] for _, one in self.stored)
        keys = [key for frames in self.root.all("keyframe") for key in frames.all("key")]
        for key in (key for key in keys if "qpos" in key.attributes):
            called = f"keyframe {printable(key.attributes.get('name', '')) or 'without a name'}"
            given = len(key.attributes["qpos"].split())
            if given == count:
                yield from self._outside(called, numbers(key, "qpos", count))
            else:
                text = f"{called} has {given} numbers, the joints have {count}; it was not checked"
                yield Finding("keyframe-size", text)

    def _outside(self, called: str, pose: Floats) -> Iterator[Finding]:
        sizes = [_NUMBERS[one.kind] for _, one in self.stored]
        for (body, one), values in zip(self.stored, np.split(pose, np.cumsum(sizes)[:-1])):
            low, high = self._range(one)
            if low is None or high is None or one.kind == "slide":
                continue
            degrees = math.degrees(float(values[0]))
            if one.kind == "ball":
                half = math.atan2(float(np.linalg.norm(values[1:])), abs(float(values[0])))
                degrees = math.degrees(2.0 * half)
            beyond = max(low - degrees, degrees - high)
            if beyond > OUTSIDE_DEG:
                joint = printable(one.element.attributes.get("name", "")) or body
                text = (
                    f"{called}: {joint} at {number(degrees)} is outside {number(low)}.."
                    f"{number(high)} by {number(beyond)} degrees"
                )
                yield Finding(KEY_OUTSIDE, text, body, degrees=beyond)

    def _reject_parts(self, element: XmlElement, in_body: bool) -> None:
        for child in element.children:
            if child.tag in ELSEWHERE:
                raise child.fail(
                    f"<{child.tag}> is expanded by MuJoCo; have MuJoCo save the whole model "
                    "(mj_saveLastXML) and import that file"
                )
            outside = element.tag == "worldbody" or (element.tag == "frame" and not in_body)
            if outside and child.tag in JOINTS:
                raise child.fail(f"<{child.tag}> must be inside a body")

    def _body(self, body: XmlElement, parent: int, above: Floats, used: str) -> int:
        """Add the joint of a body; return its index."""
        if len(self.joints) >= self.limits.max_joints:
            raise body.fail(self.limits.refusal("max_joints", "joints", subject="has"))
        name = body.attributes.get("name") or f"body{len(self.joints)}"
        if name in self.names:
            raise body.fail(f"body {name!a} appears twice")
        self.names.add(name)
        turn = multiply(above, orientation(body, self.settings))
        found = list(self._joints_in(body, used))
        self.stored += [(name, one) for one in found]
        self.joints.append(self._joint(name, parent, turn, found))
        self.bodies.update({one.element.attributes.get("name", ""): name for one in found})
        return len(self.joints) - 1

    def _joints_in(self, body: XmlElement, used: str) -> Iterator[_JointElement]:
        """Joints of a body in file order, including those in its frames."""
        waiting = [(child, IDENTITY, used) for child in reversed(body.children)]
        while waiting:
            element, turn, used = waiting.pop()
            if element.tag == "frame":
                turn = multiply(turn, orientation(element, self.settings))
                used = element.attributes.get("childclass", used)
                waiting += [(child, turn, used) for child in reversed(element.children)]
            elif element.tag == "freejoint":
                yield _JointElement(element, "free", turn)
            elif element.tag == "joint":
                full = attributes_of(element, used, self.settings)
                yield _JointElement(full, full.attributes.get("type", "hinge"), turn)

    def _joint(
        self, name: str, parent: int, turn: Floats, found: list[_JointElement]
    ) -> ModelJoint:
        for one in found:
            if one.kind not in _NUMBERS:
                raise one.element.fail(f"unknown joint type {one.kind!a}")
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
        axis = rotated(one.turn, direction(one.element, "axis", default="0 0 1"))
        zero = self._degrees(float(numbers(one.element, "ref", 1, "0")[0]))
        plug = PLUG.fullmatch(one.element.attributes.get("name", ""))
        return ModelHinge(
            axis,
            None if low is None else low - zero,
            None if high is None else high - zero,
            CHANNELS.index(plug[1]) if plug else None,
            one.element,
            partial(self._written, one, zero),
        )

    def _written(
        self, one: _JointElement, zero: float, low: float | None, high: float | None
    ) -> str | dict[str, str]:
        """Attributes of a hinge for a range in degrees from its zero pose."""
        if low is None and high is None:
            return {"limited": "false"}
        if low == high:
            return "MuJoCo has no range without width; weld the bodies, or give it some width"
        unit = math.pi / 180.0 if self.settings.radians else 1.0
        least = -math.degrees(ONE_SIDED) if low is None else low + zero
        most = math.degrees(ONE_SIDED) if high is None else high + zero
        given = {"range": f"{unit * least + 0.0!r} {unit * most + 0.0!r}"}
        limited = one.element.attributes.get("limited", "auto")
        if limited == "false" or (limited == "auto" and not self.settings.auto_limits):
            given["limited"] = "true"
        return given

    def _range(self, one: _JointElement) -> tuple[float | None, float | None]:
        """Limits in degrees by MuJoCo's rules; None for a joint without limits."""
        full = one.element
        limited = _word(full, "limited", "auto", "true, false or auto")
        low, high = numbers(full, "range", 2, "0 0").tolist()
        if one.kind == "free":
            return None, None
        if limited == "auto" and (low or high) and not self.settings.auto_limits:
            raise full.fail("has a range but no limited attribute (autolimits is off)")
        if limited == "false" or (limited == "auto" and low >= high):
            return None, None
        self._reject_range(one, low, high)
        return self._degrees(low), self._degrees(high)

    def _reject_range(self, one: _JointElement, low: float, high: float) -> None:
        """Reject invalid ranges of limited joints, as MuJoCo does."""
        if one.kind == "ball":
            if low != 0.0 or high < 0.0:
                text = f"a ball joint's range must start at 0, not {low:g} (range {low:g} {high:g})"
                raise one.element.fail(text)
        elif low >= high:
            text = f"range {low:g} {high:g} is invalid: the first number must be the smaller one"
            raise one.element.fail(text)

    def _degrees(self, angle: float) -> float:
        return math.degrees(angle) if self.settings.radians else angle
