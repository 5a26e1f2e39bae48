"""Controls: transforms that animators key, whose rotation can be limited like that of joints."""

from __future__ import annotations

from collections.abc import Sequence

from ..base.control_types import is_control
from ..base.text import names_words
from .curves import TIME_CURVES
from .scene import MISSING, Node, Scene

KEYED = frozenset((*TIME_CURVES, "pairBlend", "character"))
"""Types of nodes that hold or combine keys, including blends of layers."""
MAX_NAMED = 3
"""Largest number of controls that a message names."""


def is_subject(scene: Scene, node: Node, controls: bool) -> bool:
    """Whether a node of a scene is a joint or, with `controls`, a control.

    Keyed nodes of a missing file count as controls, as their shapes would be in that file.
    """
    if not controls:
        return node.is_joint
    if node.node_type == MISSING:
        return has_rotate_keys(scene, node)
    return is_control(node.node_type, (child.node_type for child in node.children.values()))


def is_limitable(scene: Scene, node: Node) -> bool:
    """Whether a node is a joint or a control."""
    return node.is_joint or is_subject(scene, node, controls=True)


def has_rotate_keys(scene: Scene, node: Node) -> bool:
    """Whether curves, or nodes that combine them, lead to the rotate channels of a node."""
    plugs = (scene.sources.get((node, name)) for name in node.family.children.get("rotate", ()))
    kinds = (plug[0].node_type for plug in plugs if plug is not None)
    return any(kind in KEYED or kind.startswith("animBlend") for kind in kinds)


def keyed_controls(scene: Scene) -> list[str]:
    """Names of the controls of a scene that have rotate keys."""
    found = (node for node in scene.nodes if has_rotate_keys(scene, node))
    return [node.name for node in found if is_subject(scene, node, controls=True)]


def controls_words(names: Sequence[str]) -> str:
    """List of controls in a message."""
    return names_words(names, MAX_NAMED, "control")
