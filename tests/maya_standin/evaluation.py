"""Values of plugs at a time: what Maya's dependency graph would give."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable

from tests.maya_standin import blends, constraints, transforms, utility_nodes
from tests.maya_standin.curves import Keys, value_at
from tests.maya_standin.errors import NotModelledError
from tests.maya_standin.limits import clamp
from tests.maya_standin.nodes import MISSING, Node, Plug

if TYPE_CHECKING:
    from tests.maya_standin.graph import Scene

Computer = Callable[["Evaluator", Node, str], Any]

MAX_TIMES = 1000
"""At how many times values are kept."""
CURVE_FIELDS = {
    "tangentType": "default_type",
    "weightedTangents": "weighted",
    "rotationInterpolation": "rotation_interpolation",
    "preInfinity": "pre",
    "postInfinity": "post",
}
"""Attributes of a curve that its keys hold, by their name there."""


class Evaluator:
    """Computes plugs of a scene; keeps what it has computed until the scene changes.

    What does not depend on the time is kept for all times, the rest for each time by itself.
    """

    def __init__(self, scene: Scene):
        self.scene = scene
        self.seconds = scene.time
        self._known: dict[Plug, Any] = {}
        self._by_time: dict[float, dict[Plug, Any]] = {}
        self._still: dict[Plug, Any] = {}
        self._revision: Any = None
        self._depends_on_time = False
        self._state: tuple[Any, ...] = ()

    def value(self, plug: Plug, seconds: float | None = None) -> Any:
        """Value of a plug in internal units at a time; None: the scene's current time.

        A float, int, bool or string, 16 numbers for a matrix, a tuple for a compound. Pulls at a
        time are counted, those of curves excepted: they need nothing upstream.
        """
        scene = self.scene
        if seconds is not None and not plug.node.is_a("animCurve"):
            scene.counters["dg_evaluations"] += 1
        state = (scene.revision, seconds, scene.time)
        if state != self._state:
            self._state = state
            if seconds is None or scene.revision != self._revision:
                self._still, self._by_time = {}, {}
                # What is held at the current time is of no other.
                self._revision = scene.revision if seconds is not None else None
            if len(self._by_time) > MAX_TIMES:
                self._by_time = {}
            self._known = (
                dict(scene.held) if seconds is None else self._by_time.setdefault(seconds, {})
            )
            self.seconds = scene.time if seconds is None else float(seconds)
        return self.get(plug)

    def time(self) -> float:
        """Seconds of the pull that is going on."""
        self._depends_on_time = True
        return self.seconds

    def curve(self, node: Node, at: float) -> float:
        """Value of a curve alone, at a time or for a driver's value; counted."""
        return self.curve_values(node, [at])[0]

    def curve_values(self, node: Node, times: list[float]) -> list[float]:
        """Values of a curve alone at several times; each is counted."""
        self.scene.counters["curve_evaluations"] += len(times)
        self._depends_on_time = True
        keys = Keys() if node.keys is None else node.keys
        return [value_at(keys, time) for time in times]

    def get(self, plug: Plug) -> Any:
        """Value at the time of the pull that is going on: for the computing functions."""
        value = self._still.get(plug, MISSING)
        if value is not MISSING:
            return value
        value = self._known.get(plug, MISSING)
        if value is COMPUTING:
            # guess: cycle-is-a-warning (with which value Maya goes on is not known)
            children = plug.node.children_of(plug.path)
            stored = tuple(map(plug.node.stored, children or (plug.path,)))
            return stored if children else stored[0]
        if value is MISSING:
            return self._compute_value(plug)
        self._depends_on_time = True
        return value

    def _compute_value(self, plug: Plug) -> Any:
        above, self._depends_on_time = self._depends_on_time, False
        self._known[plug] = COMPUTING
        try:
            value = self._known[plug] = self._compute(plug)
        finally:
            if self._known[plug] is COMPUTING:
                del self._known[plug]
        if not self._depends_on_time and self._revision is not None:
            self._still[plug] = self._known.pop(plug)
        self._depends_on_time |= above
        return value

    def keep(self, plug: Plug, value: Any) -> None:
        """Know a value that was computed along with another one."""
        self._known[plug] = value

    def at(self, node: Node, path: str) -> Any:
        """Value of a node's attribute, as of `get`."""
        return self.get(Plug(node, path))

    def _compute(self, plug: Plug) -> Any:
        node, path = plug
        children = node.children_of(path)
        if children:
            return tuple(self.get(Plug(node, child)) for child in children)
        value = self._from_source(plug)
        value = (
            self._own_value(node, path, plug) if value is MISSING else node.spec(path).cast(value)
        )
        if node.node_type.is_dag and isinstance(value, float):
            return clamp(node, path, value)
        return value

    def _from_source(self, plug: Plug) -> Any:
        """What is connected into a plug or, by its place, into a compound above it."""
        scene = self.scene
        source = scene.connections.get(plug)
        if source is not None:
            return self.get(source)
        node, path = plug
        above = node.parent_of(path)
        if above is None:
            return MISSING
        value = self._from_source(Plug(node, above))
        children = node.children_of(above)
        return value[children.index(path)] if value is not MISSING and children else MISSING

    def _own_value(self, node: Node, path: str, plug: Plug) -> Any:
        """What a plug without a source gives: scripted, computed or stored."""
        script = self.scene.scripted.get(plug)
        if script is not None:
            self._depends_on_time = True
            return script(self.seconds)
        compute = computer_of(node)
        value = compute(self, node, path) if compute else MISSING
        if value is not MISSING:
            return value
        spec = node.spec(path)
        if spec.kind == "typed" and path not in node.values:
            raise NotModelledError(f"what {node.type}.{path} holds is not modelled")
        if not spec.writable and spec.kind != "message" and spec.long not in CONSTANTS:
            raise NotModelledError(f"{node.type}.{path} is not computed")
        return node.stored(path)


COMPUTING = object()
CONSTANTS = frozenset({"dofMask"})
"""Attributes that cannot be set and yet are only stored."""


def _curve(evaluator: Evaluator, node: Node, path: str) -> Any:
    if path in CURVE_FIELDS:
        return getattr(node.keys or Keys(), CURVE_FIELDS[path])
    if path != "output":
        return MISSING
    keys = node.keys or Keys()
    if node.type.startswith("animCurveT"):
        driven = Plug(node, "input") in evaluator.scene.connections
        at = evaluator.at(node, "input") if driven else _shown_value(evaluator, node)
    else:
        at = evaluator.at(node, "input")
    if keys.is_quaternion and keys.key_at(at) is None:
        raise NotModelledError(f"{node.name}: quaternion curves between keys are not modelled")
    return evaluator.curve(node, at)


def _shown_value(evaluator: Evaluator, curve: Node) -> float:
    """Time for a curve without an input: the scene's, warped but for the warp itself.

    guess: scene-time-warp
    """
    scene = evaluator.scene
    for time in scene.find("time1"):
        warp = scene.connections.get(Plug(time, "timewarpIn_Raw"))
        if warp is not None and warp.node is not curve and time.stored("enableTimewarp"):
            return float(evaluator.curve(warp.node, evaluator.time()))
    return evaluator.time()


def _time(evaluator: Evaluator, node: Node, path: str) -> Any:
    return evaluator.time() if path == "outTime" else MISSING


COMPUTERS: dict[str, Computer] = {
    "time": _time,
    "unitConversion": blends.unit_conversion,
    "blendColors": blends.blend_colors,
    "choice": blends.choice,
    "pairBlend": blends.pair_blend,
    "animLayer": blends.anim_layer,
    "multiplyDivide": blends.multiply_divide,
    "decomposeMatrix": transforms.decompose_matrix,
    "multMatrix": transforms.mult_matrix,
    "composeMatrix": utility_nodes.compose_matrix,
    "vectorProduct": utility_nodes.vector_product,
    "clamp": utility_nodes.clamp,
    "condition": utility_nodes.condition,
    "plusMinusAverage": utility_nodes.plus_minus_average,
    "orientConstraint": constraints.orient,
    "pointConstraint": constraints.point,
    "parentConstraint": constraints.parent,
}
FAMILIES: tuple[tuple[str, Computer], ...] = (
    ("animCurve", _curve),
    ("animBlend", blends.anim_blend),
    ("transform", transforms.transform),
    ("dagNode", transforms.shape),
)
PLUG_IN_NODES: dict[str, Computer] = {}
"""Types of plug-ins that are loaded."""
_found: dict[str, Computer | None] = {}


def computer_of(node: Node) -> Computer | None:
    """What computes the outputs of a node of this type; None for one that only stores."""
    name = node.type
    if name in PLUG_IN_NODES:
        return PLUG_IN_NODES[name]
    if name not in _found:
        families = (compute for family, compute in FAMILIES if node.is_a(family))
        _found[name] = COMPUTERS.get(name) or next(families, None)
    return _found[name]
