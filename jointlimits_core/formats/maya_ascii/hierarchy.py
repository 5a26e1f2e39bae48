"""Joints of a scene in order, and the transforms between them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from ...errors import MayaAsciiError
from ...maya_rig.matrices import rotate_order_name
from .scene import Node, Scene


@dataclass(frozen=True)
class JointPlace:
    """A joint and its place among the joints.

    Parameters
    ----------
    name : str
        Unique: the short name, or the full path where several joints share it.
    parent : int
        Place of the parent joint in the list, -1 for a root.
    between : tuple of Node
        Transforms between the parent joint, or the world, and this joint, from the top down.
    """

    node: Node
    name: str
    parent: int
    between: tuple[Node, ...]


def joint_places(scene: Scene) -> list[JointPlace]:
    """Joints of a scene, parents before their children.

    A node that does not inherit its parent's transform starts a new root, whatever it hangs below.

    Raises
    ------
    MayaAsciiError
        If the scene has no joints (the message names missing references), or is too deep.
    """
    found: list[tuple[Node, int, tuple[Node, ...]]] = []
    todo: list[tuple[Node, int, int, tuple[Node, ...]]] = [
        (node, 0, -1, ()) for node in reversed(scene.roots.values())
    ]
    while todo:
        node, depth, parent, between = todo.pop()
        if depth > scene.limits.max_depth:
            levels = scene.limits.refusal("max_depth", "levels")
            raise MayaAsciiError(scene.path, f"the hierarchy has {levels}")
        if node.number("inheritsTransform", 1.0) == 0.0:
            parent, between = -1, ()
        if node.is_joint:
            found.append((node, parent, between))
            parent, between = len(found) - 1, ()
        elif node.is_transform:
            between = (*between, node)
        children = reversed(node.children.values())
        todo.extend((child, depth + 1, parent, between) for child in children)
    if not found:
        raise MayaAsciiError(scene.path, _no_joints(scene))
    names = _short_or_full([node for node, _, _ in found])
    return [
        JointPlace(node, name, parent, between)
        for name, (node, parent, between) in zip(names, found)
    ]


def _short_or_full(nodes: list[Node]) -> list[str]:
    """Short names; full paths of those that are not unique."""
    counts = Counter(node.name for node in nodes)
    return [node.name if counts[node.name] == 1 else node.path for node in nodes]


def rotate_order(node: Node) -> str:
    """Name of a node's rotate order; xyz where the number is none of the six."""
    return rotate_order_name(node.number("rotateOrder"))


def _no_joints(scene: Scene) -> str:
    missing = [ref.stored_path for ref in scene.references if ref.found is None]
    if missing:
        listed = ", ".join(repr(path) for path in missing[:5])
        return (
            f"the scene has no joints; it references files that were not found: {listed}. "
            "Put them next to the scene, or import the references in Maya and save again"
        )
    return "the scene has no joints; save a scene that contains a skeleton"
