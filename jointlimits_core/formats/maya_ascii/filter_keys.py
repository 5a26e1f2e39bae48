"""Edits to single numbers in a Maya ASCII scene that bring its rotate keys to one Euler branch."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ...geometry.arrays import Booleans, Floats, Integers
from ...io.input import DEFAULT_LIMITS, ReadLimits
from ...rig import (
    attributes,
    curves,
    drivers,
    filter_keys,
    filter_targets,
    reorient_checks,
    rest_pose,
)
from ...rig.scene import Node, Scene
from . import lexer, scene_text, statements
from .edits import Edit, Pen, number_text
from .scene_file import SceneFile, scene_file

_WORD = re.compile(rb"\S+")
_DIGITS = 13
"""Number of decimals of new values; further decimals would be rounding errors."""


@dataclass(frozen=True)
class SceneKeyFilter:
    """Planned keys for a scene, and the edits that write them into its bytes."""

    plan: filter_keys.KeyFilterPlan
    edits: list[Edit]


def filter_scene_keys(
    scene_path: lexer.PathLike,
    joints: Collection[str],
    limits: ReadLimits = DEFAULT_LIMITS,
    *,
    replaces_limits: bool = False,
    of_controls: bool = False,
) -> SceneKeyFilter:
    """Plan how to filter the rotate keys of joints or controls, named as the reader names them.

    `scene_path`: a path or a :class:`.SceneFile`. `replaces_limits`: whether limits that are on
    will be replaced; if not, they must not clamp the new keys. `of_controls`: whether the names
    are those of controls. Raises MayaAsciiError if the scene cannot be read.
    """
    file = scene_file(scene_path, limits)
    scene = file.scene
    wanted = {name.lstrip("|") for name in joints}
    places = rest_pose.places(scene, of_controls)
    found = {one.name: one.node for one in places if one.name.lstrip("|") in wanted}
    plan = _plan_filter(file, found, replaces_limits)
    plan.noun = "control" if of_controls else "joint"
    edits: list[Edit] = []
    short_names = sum(one.long_names for one in file.text.curves.values()) <= 0
    pen = Pen(file.data, short_names)
    for node, curve in filter_targets.planned_curves(scene, found, plan):
        edits += _CurveEdits(pen, node, file.text.curves[node]).edits(curve)
    return SceneKeyFilter(plan, edits)


def _plan_filter(
    file: SceneFile, joints: Mapping[str, Node], replaces_limits: bool
) -> filter_keys.KeyFilterPlan:
    scene = file.scene
    checks = reorient_checks.Checks(scene, _CurvesOfText(scene, file.text))
    sampled = filter_targets.sampler_of(checks.drivers)
    replaced = joints if replaces_limits else ()
    rate, shown = scene.units.frames_per_second, scene.playback
    playback = None if shown is None else (shown[0] / rate, shown[1] / rate)
    return filter_targets.plan_joint_filter(
        checks, joints, sampled, playback_seconds=playback, replaces_limits=replaced
    )


class FilteredDrivers(drivers.Drivers):
    """Drivers of a scene whose keys are filtered."""

    def __init__(self, file: SceneFile, replaces_limits: bool, controls: bool) -> None:
        scene = file.scene
        super().__init__(scene)
        joints = {place.name: place.node for place in rest_pose.places(scene, controls)}
        plan = _plan_filter(file, joints, replaces_limits)
        for name, joint in plan.joints.items():
            scene.note("filtered-keys", f"measured with {joint.changes.sentence()}", name)
        curves = filter_targets.planned_curves(scene, joints, plan)
        self._filtered = {node: curve.after for node, curve in curves}

    def _curve(self, node: Node) -> drivers.Signal:
        found, new = super()._curve(node), self._filtered.get(node)
        return found if new is None else drivers.Keyed(new, node)


@dataclass
class _CurvesOfText:
    """Curves in a scene's text and the nodes that they drive, possibly in a referenced file."""

    scene: Scene
    text: scene_text.SceneText

    def fixed_node(self, node: Node) -> None:
        """Return None: only curves are changed."""

    def fixed_curve(self, curve: Node) -> str | None:
        """Reason why the keys of a curve cannot be changed one by one; None if they can."""
        block, why = self.text.curves.get(curve), ""
        if block is None or block.elsewhere:
            why = "is not in this file, or is set in several places"
        elif curves.key_elements(curve) is None:
            why = "has two keys at one time, or keys that are not numbers"
        return f"the curve {curve.name!r} {why}" if why else None

    def outputs(self, node: Node) -> Iterator[reorient_checks.Output]:
        """Outputs of a node; connections to a reference node lead to the nodes in its file."""
        return iter(self._outputs.get(node, ()))

    @cached_property
    def _outputs(self) -> dict[Node, list[reorient_checks.Output]]:
        found: dict[Node, list[reorient_checks.Output]] = {}
        for source, destination in self.text.links:
            origin = self.scene.find(attributes.split_plug(source)[0])
            target = self.scene.plug(destination)
            path, name = attributes.split_plug(destination)
            reader, name = (self.scene.find(path), name) if target is None else target
            if origin is not None and (reader is None or reader.node_type != "reference"):
                output = reorient_checks.Output(
                    attributes.split_plug(source)[1], destination, reader, name
                )
                found.setdefault(origin, []).append(output)
        for (node, name), (origin, source) in self.scene.sources.items():
            output = reorient_checks.Output(source, f"{node.name}.{name}", node, name)
            found.setdefault(origin, []).append(output)
        return found


class _CurveEdits:
    """Edits to the numbers of one curve."""

    def __init__(self, pen: Pen, node: Node, text: scene_text.CurveText) -> None:
        self._pen, self._node, self._text = pen, node, text
        self._edits: list[Edit] = []
        self._new: list[str] = []
        self._known: dict[str, dict[int, tuple[int, int]]] = {}

    def edits(self, curve: filter_keys.FilteredCurve) -> list[Edit]:
        """Edits that change the keys."""
        elements = curves.key_elements(self._node)
        assert elements is not None, "other curves are rejected"
        # New values are computed from the numbers in the file, in its own unit.
        half_turn = np.pi / self._node.units.radians
        for key in np.flatnonzero(curve.changed).tolist():
            place = self._place("keyTimeValue", int(elements[key]), 2)
            assert place is not None, "every key is in the text"
            start, end = place
            now = float(self._pen.buffer[start:end])
            value = curve.signs[key] * now + curve.half_turns[key] * half_turn
            self._edit(start, end, round(float(value), _DIGITS))
        before, after = curve.before, curve.after
        in_x, in_y, out_x, out_y = after.tangents
        sides = (
            ("In", before.in_types, after.in_types, in_x, in_y),
            ("Out", before.out_types, after.out_types, out_x, out_y),
        )
        for side, old, new, _, _ in sides:
            self._set_elements(f"keyTan{side}Type", elements, new, old != new)
        for side, old, new, x, y in sides:
            fixed = new == curves.TangentType.FIXED
            fresh, turned = fixed & (old != new), fixed & (old == new) & (curve.signs < 0.0)
            self._set_elements(f"keyTan{side}X", elements, x, fresh)
            self._set_elements(f"keyTan{side}Y", elements, y, fresh | (turned & (y != 0.0)))
        added = [self._pen.insert_lines(self._text.last.end, self._new)] if self._new else []
        return [*self._edits, *added]

    def _set_elements(
        self, name: str, elements: Integers, numbers: Floats | Integers, chosen: Booleans
    ) -> None:
        """Set chosen elements of an array where they are in the text, or by new statements."""
        for element, number in zip(elements[chosen].tolist(), numbers[chosen].tolist()):
            place = self._place(name, element)
            if place is not None:
                self._edit(*place, number)
                continue
            plug = f"{self._pen.name(self._node.node_type, name)}[{element}]"
            self._new.append(f'\tsetAttr ".{plug}" {number_text(number)};')

    def _edit(self, start: int, end: int, number: float) -> None:
        self._edits.append(Edit(start, end, number_text(number).encode()))

    def _place(self, name: str, element: int, width: int = 1) -> tuple[int, int] | None:
        """Place of an element's last number in the text; the last statement that sets it counts."""
        if name not in self._known:
            self._known[name] = {}
            for setting in (one for one in self._text.settings if one.name == name):
                raw = self._pen.buffer[setting.start : setting.end]
                assignment = statements.parse_set_attr(
                    lexer.Statement(raw, 1, setting.start, setting.end)
                )
                values = b"" if assignment is None else assignment.values
                begin = setting.start + len(raw.removesuffix(b";").rstrip()) - len(values)
                spans = [match.span() for match in _WORD.finditer(values)]
                last = [(begin + start, begin + end) for start, end in spans[width - 1 :: width]]
                self._known[name].update(enumerate(last, setting.first))
        return self._known[name].get(element)
