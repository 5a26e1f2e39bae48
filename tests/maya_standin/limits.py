"""Enabled limits clamp each channel, whether its value is set or driven (maya.md 1.6)."""

from __future__ import annotations

from tests.maya_standin.nodes import Node

LIMITED_KINDS = frozenset({"angle", "distance", "double"})
_WORDS = {"translate": "Trans", "rotate": "Rot", "scale": "Scale"}
_PATHS: dict[str, tuple[str, str, str, str]] = {
    f"{channel}{axis}": tuple(
        f"{edge}{word}{axis}Limit{switch}" for edge in ("min", "max") for switch in ("Enable", "")
    )  # type: ignore[misc]
    for channel, word in _WORDS.items()
    for axis in "XYZ"
}


def clamp(node: Node, path: str, value: float) -> float:
    """The value within the limits of its channel that are enabled: first minimum, then maximum.

    guess: limit-over-set-value: a value that was set before its limit was enabled shows clamped,
    and shows again when the limit is off.
    """
    paths = _PATHS.get(path)
    if paths is None or not node.is_a("transform"):
        return value
    use_min, minimum, use_max, maximum = paths
    if node.values.get(use_min):
        value = max(value, node.stored(minimum))
    if node.values.get(use_max):
        value = min(value, node.stored(maximum))
    return value
