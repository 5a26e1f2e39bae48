"""Node types that make a control; needs no numpy, which Maya does not include."""

from __future__ import annotations

from collections.abc import Iterable

CURVE_SHAPES = frozenset(("nurbsCurve", "bezierCurve"))


def is_control(kind: str, shape_kinds: Iterable[str]) -> bool:
    """Whether a node is a control: a transform, not a joint, with curve shapes directly below.

    `kind`, `shape_kinds`: types of the node and of the nodes directly below it.
    """
    return kind == "transform" and not CURVE_SHAPES.isdisjoint(shape_kinds)
