"""Joint rotations in a scene file that do not come from rotate channels."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np

from ...base.findings import Finding
from ...geometry.arrays import Floats, distinct
from ...geometry.euler import CHANNELS
from ...rig import curves, rest_pose, sampled_rig, scene, turned_besides
from ...rig.drivers import Constant, Drivers, Evaluator, Signal, UnresolvedDriverError, curves_of

OFFSET = "offsetParentMatrix"
_DEFAULTS = {"inheritsTransform": 1.0}


class TurnedJoints:
    """Driven attributes, other than rotate channels, that turn joints.

    `failed`: unresolved drivers of rotations, by the group that they rotate.
    """

    def __init__(
        self,
        drivers: Drivers,
        places: Sequence[rest_pose.JointPlace],
        failed: Mapping[scene.Node, Sequence[scene.Node]],
    ) -> None:
        self._drivers, self._places = drivers, places
        self._signals: dict[scene.Node, dict[str, Signal]] = {}
        self._unresolved: dict[scene.Node, dict[str, scene.Node]] = {}
        self._groups = dict.fromkeys(
            node for place in places if place.parent >= 0 for node in place.between
        )
        for place in places:
            self._resolve(place.node, turned_besides.ORIENTATION_COMPOUNDS)
        for node in self._groups:
            self._resolve(node, turned_besides.ORIENTATION_COMPOUNDS[1:])
            for driver in failed.get(node, ()):
                if drivers.may_move((driver, "")):
                    self._unresolved.setdefault(node, {})["rotate"] = driver

    def _resolve(self, node: scene.Node, compounds: Sequence[str]) -> None:
        """Resolve driven attributes; unresolved attributes that never move keep their value."""
        sources = self._drivers.scene.sources
        children = [name for compound in compounds for name in node.family.children[compound]]
        for name in (*children, *turned_besides.SWITCHES):
            if (node, name) in sources:
                try:
                    signal = self._drivers.channel(node, name, _DEFAULTS.get(name, 0.0))
                    doubled = self._doubled_curve(signal)
                    if doubled is not None:
                        self._unresolved.setdefault(node, {})[name] = doubled
                    else:
                        self._signals.setdefault(node, {})[name] = signal
                except UnresolvedDriverError as unresolved:
                    if self._drivers.may_move((unresolved.node, "")):
                        self._unresolved.setdefault(node, {})[name] = unresolved.node
        source = sources.get((node, OFFSET))
        if source is not None and self._drivers.may_move(source):
            self._unresolved.setdefault(node, {})[OFFSET] = source[0]

    def _doubled_curve(self, *signals: Signal) -> scene.Node | None:
        """First curve with several keys at one time; it is unknown which key Maya uses."""
        doubled = self._drivers.doubled
        return next((one.node for one in curves_of(signals) if one.node in doubled), None)

    def orientation(
        self, node: scene.Node, evaluate: Evaluator
    ) -> turned_besides.MovingOrientation | None:
        """Orientation of a joint over time; None if nothing drives it."""
        orients, axes = (
            node.family.children[name] for name in turned_besides.ORIENTATION_COMPOUNDS
        )
        names = (*orients, *axes, "rotateOrder")
        if self._signals.get(node, {}).keys().isdisjoint(names):
            return None
        rows = np.stack([self._values(node, name, evaluate) for name in names])
        return turned_besides.MovingOrientation(rows[:3].T, rows[3:6].T, rows[6])

    def _values(self, node: scene.Node, name: str, evaluate: Evaluator) -> Floats:
        signal = self._signals.get(node, {}).get(name)
        return evaluate(Constant(node.number(name)) if signal is None else signal)

    def findings(
        self,
        seconds: Floats,
        of_groups: Mapping[scene.Plug, Signal],
        matrices: Callable[[scene.Node, Evaluator], Floats],
    ) -> Iterator[Finding]:
        """Findings about joints, at `seconds` and at the times of all keys that turn joints.

        `of_groups`: signals of the groups' channels. `matrices`: returns a group's local matrices.
        """
        turning = [of_groups[node, name] for node in self._groups for name in CHANNELS]
        for node in self._groups:
            doubled = self._doubled_curve(*(of_groups[node, name] for name in CHANNELS))
            if doubled is not None:
                self._unresolved.setdefault(node, {})["rotate"] = doubled
        driven = [signal for own in self._signals.values() for signal in own.values()]
        keys = [curves.with_thirds(keyed.curve.times) for keyed in curves_of([*driven, *turning])]
        evaluate = Evaluator(distinct(np.concatenate([seconds, *keys])))
        turned = {
            node: turned_besides.turned_deg(matrices(node, evaluate)) for node in self._groups
        }
        for place in self._places:
            yield from self._orientation_findings(place, evaluate)
            sources, is_known = self._sources(place, turned, evaluate)
            about, is_control = (place.name, sources), not place.node.is_joint
            if sources and is_known:
                # The rotations of two groups may cancel out.
                above = [matrices(node, evaluate) for node in place.between]
                degrees = turned_besides.turned_deg(sampled_rig.product_of(above, np.eye(4)))
                if degrees > turned_besides.MIN_TURN_DEG:
                    yield turned_besides.turned_finding(*about, degrees, is_control)
            elif sources:
                yield turned_besides.turned_finding(*about, None, is_control)

    def _orientation_findings(
        self, place: rest_pose.JointPlace, evaluate: Evaluator
    ) -> Iterator[Finding]:
        node, name = place.node, place.name
        for attribute, driver in self._unresolved.get(node, {}).items():
            if attribute != OFFSET and _matters(place, attribute):
                words = turned_besides.source_words(driver.name, driver.node_type)
                yield turned_besides.orientation_finding(name, attribute, words)
                return
        signals = self._signals.get(node, {})
        for attribute, signal in signals.items():
            if attribute == "rotateOrder" or not _matters(place, attribute):
                continue
            if np.degrees(np.ptp(evaluate(signal))) > turned_besides.MIN_TURN_DEG:
                yield turned_besides.orientation_finding(name, attribute, _curve_words(signal))
                return
        orders = self._values(node, "rotateOrder", evaluate)
        yield from turned_besides.order_findings(
            name, orders, lambda: _curve_words(signals["rotateOrder"])
        )

    def _sources(
        self, place: rest_pose.JointPlace, turned: Mapping[scene.Node, float], evaluate: Evaluator
    ) -> tuple[list[str], bool]:
        """Names of groups and drivers that turn a joint, and whether the angle is known."""
        if place.parent < 0:
            return [], True
        switched = []  # groups whose rotation is not evaluated
        for group in place.between:
            own = self._signals.get(group, {}).values()
            if group in self._unresolved or any(bool(np.ptp(evaluate(one))) for one in own):
                switched.append(group)
        sources = [
            f"{turned_besides.source_words(group.name, group.node_type)} above it"
            for group in place.between
            if group in switched or turned[group] > turned_besides.MIN_TURN_DEG
        ]
        driver = self._unresolved.get(place.node, {}).get(OFFSET)
        if driver is not None:
            words = turned_besides.source_words(driver.name, driver.node_type)
            sources.append(f"{words} through its {OFFSET}")
        return sources, not switched and driver is None


def _matters(place: rest_pose.JointPlace, attribute: str) -> bool:
    return attribute != "inheritsTransform" or place.parent >= 0


def _curve_words(signal: Signal) -> str:
    node = curves_of([signal])[0].node
    return turned_besides.source_words(node.name, node.node_type)
