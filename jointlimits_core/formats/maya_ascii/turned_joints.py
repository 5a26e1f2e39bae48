"""Turns of joints of a scene file that their rotate channels do not show."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np

from ...base import Finding
from ...geometry import Floats, distinct
from ...rig import (
    MIN_TURN_DEG,
    ORIENTATION_COMPOUNDS,
    SWITCHES,
    Drivers,
    Evaluator,
    JointPlace,
    MovingOrientation,
    Node,
    Plug,
    Signal,
    UnresolvedDriverError,
    are_rotate_orders,
    bad_order_finding,
    curves_of,
    order_finding,
    orientation_finding,
    product_of,
    source_words,
    turned_deg,
    turned_finding,
    with_thirds,
)

OFFSET = "offsetParentMatrix"
_DEFAULTS = {"inheritsTransform": 1.0}


class TurnedJoints:
    """Driven attributes that turn joints, beside the rotate channels.

    `failed`: plugs of groups between joints that cannot be resolved, and their drivers.
    """

    def __init__(
        self, drivers: Drivers, places: Sequence[JointPlace], failed: Mapping[Plug, Node]
    ) -> None:
        self._drivers, self._places = drivers, places
        self._signals: dict[Plug, Signal] = {}
        self._unresolved: dict[Plug, Node] = {}
        self._groups = dict.fromkeys(
            node for place in places if place.parent >= 0 for node in place.between
        )
        for place in places:
            self._take(place.node, ORIENTATION_COMPOUNDS)
        for node in self._groups:
            self._take(node, ORIENTATION_COMPOUNDS[1:])
            own = (driver for (other, _), driver in failed.items() if other is node)
            moving = next((one for one in own if drivers.may_move((one, ""))), None)
            if moving is not None:
                self._unresolved[node, "rotate"] = moving

    def _take(self, node: Node, compounds: Sequence[str]) -> None:
        """Resolve what is driven; what cannot be resolved and never moves is left as it is."""
        sources = self._drivers.scene.sources
        children = [name for compound in compounds for name in node.family.children[compound]]
        for name in (*children, *SWITCHES):
            if (node, name) in sources:
                default = node.number(name, _DEFAULTS.get(name, 0.0))
                try:
                    self._signals[node, name] = self._drivers.channel(node, name, default)
                except UnresolvedDriverError as unresolved:
                    if self._drivers.may_move((unresolved.node, "")):
                        self._unresolved[node, name] = unresolved.node
        source = sources.get((node, OFFSET))
        if source is not None and self._drivers.may_move(source):
            self._unresolved[node, OFFSET] = source[0]

    def orientation(self, node: Node, evaluate: Evaluator) -> MovingOrientation | None:
        """Orientation of a joint over time; None if nothing drives it."""
        orients, axes = (node.family.children[name] for name in ORIENTATION_COMPOUNDS)
        names = (*orients, *axes, "rotateOrder")
        if not any((node, name) in self._signals for name in names):
            return None
        rows = np.stack([self._values(node, name, evaluate) for name in names])
        return MovingOrientation(rows[:3].T, rows[3:6].T, rows[6])

    def _values(self, node: Node, name: str, evaluate: Evaluator) -> Floats:
        signal = self._signals.get((node, name))
        if signal is None:
            return np.full(len(evaluate.seconds), node.number(name, _DEFAULTS.get(name, 0.0)))
        return evaluate(signal)

    def findings(
        self,
        seconds: Floats,
        of_groups: Mapping[Plug, Signal],
        matrices: Callable[[Node, Evaluator], Floats],
    ) -> Iterator[Finding]:
        """Findings about joints, at times and wherever what turns them has keys.

        `of_groups`: signals of the groups' channels; `matrices`: local matrices of a group.
        """
        turning = [
            signal
            for (node, name), signal in of_groups.items()
            if node in self._groups and name.startswith("rotate")
        ]
        curves = curves_of([*self._signals.values(), *turning])
        keys = [with_thirds(keyed.curve.times) for keyed in curves]
        evaluate = Evaluator(distinct(np.concatenate([seconds, *keys])))
        local = {node: matrices(node, evaluate) for node in self._groups} if turning else {}
        for place in self._places:
            yield from self._of_orientation(place, evaluate)
            if place.parent >= 0:
                yield from self._of_groups(place, local, evaluate)

    def _of_orientation(self, place: JointPlace, evaluate: Evaluator) -> Iterator[Finding]:
        node, name = place.node, place.name
        for (other, attribute), driver in self._unresolved.items():
            if other is node and attribute != OFFSET and self._matters(place, attribute):
                words = source_words(driver.name, driver.node_type)
                yield orientation_finding(name, attribute, words)
                return
        for (other, attribute), signal in self._signals.items():
            is_order = attribute == "rotateOrder"
            if other is not node or is_order or not self._matters(place, attribute):
                continue
            if np.degrees(np.ptp(evaluate(signal))) > MIN_TURN_DEG:
                yield orientation_finding(name, attribute, _curve_words(signal))
                return
        orders = self._values(node, "rotateOrder", evaluate)
        if not are_rotate_orders(orders):
            wrong = next(one for one in orders.tolist() if not are_rotate_orders(np.array([one])))
            yield bad_order_finding(name, wrong)
        elif np.ptp(orders):
            orientation = self.orientation(node, evaluate)
            assert orientation is not None
            words = _curve_words(self._signals[node, "rotateOrder"])
            yield order_finding(name, words, orientation.first_order)

    @staticmethod
    def _matters(place: JointPlace, attribute: str) -> bool:
        return attribute != "inheritsTransform" or place.parent >= 0

    def _of_groups(
        self, place: JointPlace, local: Mapping[Node, Floats], evaluate: Evaluator
    ) -> Iterator[Finding]:
        """Finding about what turns between a joint and its parent joint."""
        sources, is_known = [], True
        for group in place.between:
            if self._is_switched(group, evaluate):
                is_known = False
            elif group not in local or turned_deg(local[group]) <= MIN_TURN_DEG:
                continue
            sources.append(f"{source_words(group.name, group.node_type)} above it")
        driver = self._unresolved.get((place.node, OFFSET))
        if driver is not None:
            is_known = False
            words = source_words(driver.name, driver.node_type)
            sources.append(f"{words} through its {OFFSET}")
        if not is_known:
            yield turned_finding(place.name, sources, None)
        elif sources:
            # Two groups may turn against each other.
            degrees = turned_deg(product_of([local[one] for one in place.between], np.eye(4)))
            if degrees > MIN_TURN_DEG:
                yield turned_finding(place.name, sources, degrees)

    def _is_switched(self, group: Node, evaluate: Evaluator) -> bool:
        """Whether a group turns in a way that is not evaluated."""
        if any(node is group for node, _ in self._unresolved):
            return True
        own = (signal for (node, _), signal in self._signals.items() if node is group)
        return any(bool(np.ptp(evaluate(signal))) for signal in own)


def _curve_words(signal: Signal) -> str:
    node = curves_of([signal])[0].node
    return source_words(node.name, node.node_type)
