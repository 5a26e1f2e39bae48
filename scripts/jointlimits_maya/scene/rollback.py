"""Traces of an edit's changes, used to list the places that a rollback did not restore.

If Maya fails to undo a modifier, the other changes are undone anyway, and places that still differ
from their earlier state are listed by node and attribute.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any

from ..base.open_maya import om

API_ERRORS = (RuntimeError, TypeError, ValueError)
"""Errors raised by Maya's API: TypeError for an unknown node type or an object of the wrong kind,
ValueError for incompatible function sets."""


@dataclass(frozen=True)
class Trace:
    """A place that a modifier changes.

    `name`: returns the place's name. `read`: returns its state. `before`: state before the change.
    """

    name: Callable[[], str]
    read: Callable[[], object]
    before: object

    def is_back(self) -> bool:
        """Whether the state is restored; a lost place counts as restored: its node is listed."""
        try:
            return bool(self.read() == self.before)
        except API_ERRORS:
            return True


def unrestored_names(traces: Iterable[Trace]) -> list[str]:
    """Names of the places that were not restored, judged by the first trace of each place.

    Names are read here, when new nodes already have one.
    """
    first: dict[str, Trace] = {}
    for trace in traces:
        try:
            first.setdefault(trace.name(), trace)
        except API_ERRORS:
            continue
    return [name for name, trace in first.items() if not trace.is_back()]


class TracedModifier:
    """Wrapper that traces a modifier's changes, and has all its methods."""

    def __init__(self, modifier: om.MDGModifier, traces: list[Trace]) -> None:
        self._modifier, self._traces = modifier, traces

    def __getattr__(self, name: str) -> Any:
        call, trace = getattr(self._modifier, name), _TRACERS.get(name)

        def call_and_trace(*arguments: Any) -> Any:
            if trace is not None:
                self._traces.append(trace(*arguments))
            result = call(*arguments)
            if name == "createNode":
                self._traces.append(_node_trace(result, False))
            return result

        return call_and_trace


def _value_trace(reader: Callable[[om.MPlug], object], plug: om.MPlug, _value: object) -> Trace:
    def read() -> object:
        if plug.isElement:
            existing = set(plug.array().getExistingArrayAttributeIndices())
            if plug.logicalIndex() not in existing:
                return None  # reading would create it
        return None if plug.isDestination else reader(plug)

    return Trace(plug.name, read, read())


def _matrix(plug: om.MPlug) -> object:
    try:
        return list(om.MFnMatrixData(plug.asMObject()).matrix())
    except API_ERRORS:
        return None


def _connection_trace(source: om.MPlug, destination: om.MPlug) -> Trace:
    def read() -> object:
        return destination.sourceWithConversion().name() if destination.isDestination else ""

    return Trace(destination.name, read, read())


def _attribute_trace(node: om.MObject, attribute: om.MObject) -> Trace:
    function, long = om.MFnDependencyNode(node), str(om.MFnAttribute(attribute).name)

    def read() -> object:
        return function.hasAttribute(long)

    return Trace(lambda: f"{function.name()}.{long}", read, read())


def _node_trace(node: om.MObject, before: bool) -> Trace:
    handle, function = om.MObjectHandle(node), om.MFnDependencyNode(node)
    name = "" if not before else str(function.name())
    return Trace(lambda: f"the node {name or function.name()}", handle.isValid, before)


def _name_trace(node: om.MObject, _new: str) -> Trace:
    function = om.MFnDependencyNode(node)
    before = str(function.name())
    return Trace(lambda: f"the name {before}", lambda: str(function.name()), before)


_TRACERS: dict[str, Callable[..., Trace]] = {
    "newPlugValue": partial(_value_trace, _matrix),
    "newPlugValueBool": partial(_value_trace, lambda plug: plug.asBool()),
    "newPlugValueDouble": partial(_value_trace, lambda plug: plug.asDouble()),
    "newPlugValueInt": partial(_value_trace, lambda plug: plug.asInt()),
    "newPlugValueMAngle": partial(_value_trace, lambda plug: plug.asDouble()),
    "newPlugValueMDistance": partial(_value_trace, lambda plug: plug.asDouble()),
    "newPlugValueString": partial(_value_trace, lambda plug: plug.asString()),
    "connect": _connection_trace,
    "disconnect": _connection_trace,
    "addAttribute": _attribute_trace,
    "removeAttribute": _attribute_trace,
    "deleteNode": lambda node, *_: _node_trace(node, True),
    "renameNode": _name_trace,
}
