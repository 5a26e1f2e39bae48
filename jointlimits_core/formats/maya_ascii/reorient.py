"""Joints of a Maya ASCII scene re-oriented in a copy, with their limits or without."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from dataclasses import replace as replaced

import numpy as np

from ...base import FreeNames
from ...geometry import Floats
from ...io import DEFAULT_LIMITS, ReadLimits
from ...limits import LimitSet
from ...motion import OrientAdvice
from ...rig import (
    Change,
    Channels,
    Checks,
    FramePlan,
    FramePlanner,
    NewKeys,
    Node,
    OrderChange,
    Scene,
    Skipped,
    TangentType,
    TripleChange,
    advice_to_follow,
    branch_of,
    changes_from_limit_set,
    joint_places,
)
from .edits import Edit, Pen, numbers_text
from .filter_keys import filter_scene_keys
from .lexer import Buffer, mapped
from .scene_index import SceneIndex, ScenePlaces, index_scene, scene_places
from .scene_reader import read_scene
from .surroundings import TextSurroundings
from .writer import MayMove, WriteReport, write_joint_attributes

_CHUNK = 500
_PER_KEY = frozenset(
    (
        *("keyTimeValue", "keyTanInType", "keyTanOutType", "keyTanInX", "keyTanInY"),
        *("keyTanOutX", "keyTanOutY", "kwl", "ktl", "kbd", "keyWeightLocked", "keyTanLocked"),
        *("keyBreakdown", "keyTickDrawSpecial", "ktds"),
    )
)


@dataclass(frozen=True)
class ReorientReport:
    """Joints re-oriented, and joints skipped.

    `mode`: "R" or "C". `joints`: long names of the attributes that changed, by re-oriented joint;
    `compensated`: the same by node below them (mode C). `keys`: number of keys of each new rotation
    curve, by joint. `unchanged`: joints that already have the advised orientation, or are advised
    to keep theirs.
    """

    out_path: str
    mode: str
    joints: Mapping[str, tuple[str, ...]]
    compensated: Mapping[str, tuple[str, ...]]
    keys: Mapping[str, int]
    unchanged: tuple[str, ...]
    skipped: tuple[Skipped, ...]


@dataclass(frozen=True)
class Reorientation:
    """Planned changes of one scene, and the edits of its bytes that make them.

    `index`: of the scene; the copy must be written with it.
    """

    index: SceneIndex
    mode: str
    plan: FramePlan
    edits: Sequence[Edit]

    def report(self, out_path: str) -> ReorientReport:
        """Report of the written copy."""
        plan = self.plan
        return ReorientReport(
            out_path,
            self.mode,
            plan.joints,
            plan.compensated,
            {name: len(keys.times) for name, keys in plan.keys.items()},
            tuple(plan.unchanged),
            tuple(plan.skipped),
        )


def reorient_scene(
    scene_path: str | os.PathLike[str],
    out_path: str | os.PathLike[str],
    advice: Mapping[str, OrientAdvice],
    mode: str,
) -> ReorientReport:
    """Write a copy of a scene in which the advised joints have their advised frames.

    The world pose of everything is the same at every whole frame and at every old key. `mode`: "R"
    to use rotateAxis, "C" to keep it zero and compensate what hangs on the joint. Raises
    MayaAsciiError if the scene cannot be read, or the copy cannot be written. Raises ValueError for
    a mode that is not known.
    """
    plan = plan_reorientation(scene_path, advice, mode)
    report = write_joint_attributes(scene_path, out_path, {}, further=plan.edits, index=plan.index)
    return plan.report(report.out_path)


def plan_reorientation(
    scene_path: str | os.PathLike[str],
    advice: Mapping[str, OrientAdvice],
    mode: str,
    *,
    replaces_limits: bool = False,
    branches_deg: Mapping[str, tuple[float, float, float]] | None = None,
    limits: ReadLimits = DEFAULT_LIMITS,
) -> Reorientation:
    """Work out what has to be written.

    `mode`: "R" or "C". `replaces_limits`: whether limits in the new orientations are written, too;
    else joints that have limits are skipped. `branches_deg`: (x, y, z) by joint; the keys go to the
    branch whose medians are nearest to these, to zero by default.
    """
    if mode not in ("R", "C"):
        raise ValueError(f"mode must be R or C, not {mode!r}")
    wanted = {name: one.in_mode(mode) for name, one in advice.items()}
    index = index_scene(scene_path, limits, places=True)
    scene = read_scene(scene_path, limits)
    places = scene_places(scene, index)
    planner = FramePlanner(scene, Checks(scene, TextSurroundings(scene, places)))
    nodes = {place.name: place.node for place in joint_places(scene)}
    for name, one in wanted.items():
        node, branch = nodes.get(name) or nodes.get("|" + name), (branches_deg or {}).get(name)
        planner.take(name, node, one, branch=branch, replaces_limits=replaces_limits)
    plan = planner.finish()
    with mapped(scene.path) as buffer:
        return Reorientation(index, mode, plan, list(_Text(scene, places, buffer).edits(plan)))


class _Text:
    """Changes as edits of the text."""

    def __init__(self, scene: Scene, places: ScenePlaces, buffer: Buffer) -> None:
        self.scene, self.places = scene, places
        self.pen = Pen(buffer, places.short_names)
        self._names = FreeNames((node.name for node in scene.nodes), "{}{}", first=1)

    def edits(self, plan: FramePlan) -> Iterator[Edit]:
        """Edits of everything that changes."""
        for change in plan.changes:
            yield from self._edits(change)

    def _edits(self, change: Change) -> list[Edit]:
        if isinstance(change, NewKeys):
            return self._keys(change)
        node, block = change.node, self.places.nodes.get(change.node)
        if block is None:
            # Poses that are stored in referenced files stay as they are.
            return []
        if isinstance(change, TripleChange):
            values = np.degrees(change.angles) * (np.radians(1.0) / self.scene.units.radians)
            needed = np.ones(3, dtype=bool)
            return self.pen.triple(node.node_type, block, change.compound, values, needed)
        if isinstance(change, OrderChange):
            return self.pen.scalar(node.node_type, block, "rotateOrder", change.number)
        name, index = change.attribute, change.index
        return self.pen.matrix(node.node_type, block, name, index, change.values)

    def _keys(self, keys: NewKeys) -> list[Edit]:
        """Edits of curves, connections and values."""
        channels, units = keys.channels, self.scene.units
        unit = units.radians if keys.is_angle else units.centimeters
        values, wanted = keys.rounded(unit), keys.keyed(unit)
        edits: list[Edit] = []
        for axis in np.flatnonzero(wanted):
            existing = channels.curves[axis]
            if existing is not None:
                edits += self._rewritten(existing, keys, values[axis])
            else:
                edits += self._added(keys, int(axis), values[axis])
        for axis in np.flatnonzero(channels.keyed & ~wanted):
            edits += self._removed(channels, int(axis))
        kind, block = channels.node.node_type, self.places.nodes[channels.node]
        return [*edits, *self.pen.triple(kind, block, channels.compound, values[:, 0], ~wanted)]

    def _key_lines(self, keys: NewKeys, values: Floats) -> list[str]:
        name, count = self.pen.name("animCurveTA", "keyTimeValue"), len(values)
        pairs = np.stack([keys.times, values], axis=1)
        lines = []
        for first in range(0, count, _CHUNK):
            piece = pairs[first : first + _CHUNK]
            last = first + len(piece) - 1
            index = f"[{first}]" if first == last else f"[{first}:{last}]"
            size = f"-s {count} " if count > 1 and first == 0 else ""
            lines.append(f'setAttr {size}".{name}{index}"  {numbers_text(piece)};')
        return lines

    def _rewritten(self, curve: Node, keys: NewKeys, values: Floats) -> list[Edit]:
        """Other keys for an existing curve; its name, id and weights stay."""
        block, kind, pen = self.places.nodes[curve], curve.node_type, self.pen
        lists = [one for one in block.settings if one.name in _PER_KEY]
        first = next((one for one in lists if one.name == "keyTimeValue" and one.values), None)
        text = self._key_lines(keys, values)
        edits = [pen.removed(one.start, one.end) for one in lists if one is not first]
        if first is None:
            edits.append(pen.inserted(block.last_end, ["\t" + line for line in text]))
        else:
            edits.append(Edit(first.start, first.end, pen.encoded("\n\t".join(text), first.start)))
        edits += pen.scalar(kind, block, "tangentType", _tangent(keys))
        for name, code in zip(("preInfinity", "postInfinity"), keys.beyond):
            if int(curve.number(name)) != code:
                edits += pen.scalar(kind, block, name, code)
        return edits

    def _added(self, keys: NewKeys, axis: int, values: Floats) -> list[Edit]:
        """A new curve after an existing one of the node, and its connection."""
        channels, pen = keys.channels, self.pen
        kind = "animCurveTA" if keys.is_angle else "animCurveTL"
        number, model = next(pair for pair in enumerate(channels.curves) if pair[1] is not None)
        assert model is not None
        name = self._names.take(f"{channels.node.name}_{channels.names[axis]}")
        lines = [
            f'createNode {kind} -n "{name}";',
            f'\tsetAttr ".{pen.name(kind, "tangentType")}" {_tangent(keys)};',
            f'\tsetAttr ".{pen.name(kind, "weightedTangents")}" no;',
            *("\t" + line for line in self._key_lines(keys, values)),
        ]
        for attribute, code in zip(("preInfinity", "postInfinity"), keys.beyond):
            lines += [f'\tsetAttr ".{pen.name(kind, attribute)}" {code};'] if code else []
        link = self.places.into[channels.node, channels.names[number]][0]
        output, plug = pen.name(kind, "output"), link.destination.partition(".")[0]
        attribute = pen.name(channels.node.node_type, channels.names[axis])
        line = f'connectAttr "{name}.{output}" "{plug}.{attribute}";'
        end = self.places.nodes[model].last_end
        return [pen.inserted(end, lines), pen.inserted(link.end, [line])]

    def _removed(self, channels: Channels, axis: int) -> list[Edit]:
        """Remove connections that are not needed, and their curve if nothing else uses it."""
        curve = channels.curves[axis]
        links = self.places.into[channels.node, channels.names[axis]]
        edits = [self.pen.removed(link.start, link.end) for link in links]
        if curve is None or any(link not in links for link in self.places.touching[curve]):
            return edits
        block = self.places.nodes[curve]
        return [*edits, self.pen.removed(block.start, block.last_end)]


def _tangent(keys: NewKeys) -> int:
    return int(TangentType.STEP if keys.is_stepped else TangentType.LINEAR)


def apply_reoriented(
    limit_set: LimitSet,
    scene_path: str | os.PathLike[str],
    out_path: str | os.PathLike[str],
    mode: str,
    *,
    replace: bool = False,
    lock_unmoved: bool = False,
    may_move: MayMove = False,
    filter_keys: bool = False,
    limits: ReadLimits = DEFAULT_LIMITS,
) -> tuple[WriteReport, ReorientReport]:
    """Re-orient joints to match their limits and write the limits, in one copy.

    A joint that cannot be re-oriented gets no limits: they would hold in the wrong orientation.
    Raises MayaAsciiError, ValueError as :func:`apply_limit_set`, and for a mode that is not known.
    `limit_set`: in standard mode. `mode`: "R" to use rotateAxis, "C" to keep it zero and
    compensate what hangs on the joint. `replace`, `lock_unmoved`, `may_move`, `filter_keys`,
    `limits`: as in :func:`apply_limit_set`; re-oriented joints get new keys on one branch anyway.
    """
    changes = dict(changes_from_limit_set(limit_set, lock_unmoved))
    advised = {name: advice_to_follow(limit_set.joints[name]) for name in changes}
    advice = {name: one for name, one in advised.items() if one is not None}
    branches = {name: branch_of(limit_set.joints[name]) for name in advice}
    plan = plan_reorientation(
        scene_path, advice, mode, replaces_limits=replace, branches_deg=branches, limits=limits
    )
    others = [name for name in changes if name not in advice]
    keys = None
    if filter_keys:
        keys = filter_scene_keys(scene_path, others, limits, plan.index, replaces_limits=replace)
    for skipped in plan.plan.skipped:
        del changes[skipped.joint]
    report = write_joint_attributes(
        scene_path,
        out_path,
        changes,
        replace=replace,
        may_move=may_move,
        further=[*plan.edits, *(keys.edits if keys else ())],
        held={n: keys.held(advice[n].rotate_order) for n, keys in plan.plan.keys.items()},
        filtered=keys.plan.joints if keys else None,
        limits=limits,
        index=plan.index,
        some=True,
    )
    report = replaced(report, filtered=keys.plan.report if keys else None)
    return report, plan.report(report.out_path)
