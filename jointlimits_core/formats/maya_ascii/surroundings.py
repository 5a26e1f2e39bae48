"""Nodes that the text of a scene allows to rewrite, and their readers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ...rig import Node, Obstacle, Output, Scene, split_plug
from .scene_index import ScenePlaces


@dataclass(frozen=True)
class TextSurroundings:
    """Surroundings of the nodes of one file."""

    scene: Scene
    places: ScenePlaces

    def fixed(self, node: Node) -> Obstacle | None:
        """Why a node cannot be changed: it is in another file, or set in several places."""
        block = self.places.nodes.get(node)
        if block is None or block.elsewhere:
            return Obstacle("not in this file", "referenced, or set in several places")
        return None

    def fixed_curve(self, node: Node, attribute: str, curve: Node) -> str | None:
        """Why the keys of a curve that drives an attribute cannot be changed."""
        if not self.places.into.get((node, attribute)):
            return f"the driver of {attribute} is not connected in this file"
        if self.fixed(curve) is not None:
            return f"the curve {curve.name!r} is not in this file, or set in several places in it"
        return None

    def outputs(self, node: Node) -> Iterator[Output]:
        """Connections out of a node."""
        for link in self.places.touching.get(node, ()):
            path, attribute = split_plug(link.source)
            if self.scene.find(path) is not node:
                continue
            target = self.scene.plug(link.destination)
            reader_path, name = split_plug(link.destination)
            reader = self.scene.find(reader_path) if target is None else target[0]
            name = name if target is None else target[1]
            yield Output(attribute, link.destination, reader, name)
