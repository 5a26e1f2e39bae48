"""Drivers of joints in the open scene, and the controls that the joints follow."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from jointlimits_core.base.findings import JointDriver
from jointlimits_core.base.progress import Progress
from jointlimits_core.rig.joint_drivers import JointDrivers

from ..base.open_maya import om
from ..scene import joints
from ..scene.plugs import Attributes, source_of, type_of
from .drivers import Drivers, before_projection


def drivers_of_joints(
    paths: Mapping[str, str], drivers: Drivers, progress: Progress | None = None
) -> dict[str, JointDriver]:
    """Drivers, by joint name, of the joints driven by anything but keys.

    `paths`: full paths. `drivers`: shares the nodes that it has visited. Raises Cancelled.
    """
    search = JointDrivers(OpenRig(drivers))
    found = {}
    for done, (name, path) in enumerate(paths.items()):
        drivers.report(progress, done, len(paths))
        found[name] = search.driver_of(path)
    return {name: driver for name, driver in found.items() if driver is not None}


class OpenRig:
    """Graph of the open scene; its nodes are the names from `node_name`."""

    def __init__(self, drivers: Drivers) -> None:
        self._drivers = drivers
        self._nodes: dict[str, om.MObject] = {}
        self._channels: dict[tuple[str, str], list[str]] = {}

    def name(self, node: str) -> str:
        """Short name, with namespace."""
        return joints.short_name(node)

    def kind(self, node: str) -> str:
        """Type of a node."""
        return type_of(self._object(node))

    def parent(self, node: str) -> str | None:
        """Parent of a node."""
        return node.rpartition("|")[0] or None

    def solver(self, node: str) -> str | None:
        """IK handle that rotates a joint without a connection."""
        return self._drivers.solved.get(node)

    def channel_sources(self, node: str, compound: str) -> list[str]:
        """Nodes connected to the channels of a compound, outside any projection."""
        key = node, compound
        if key not in self._channels:
            plugs = map(before_projection, Attributes(self._object(node)).plugs(compound))
            found = (source.node() for source in map(source_of, plugs) if source is not None)
            self._channels[key] = list(map(self.known, found))
        return self._channels[key]

    def sources(self, node: str) -> Iterator[str]:
        """Nodes connected to any attribute of a node, except for its parent."""
        # live check: order-of-connections
        above = self.parent(node)
        for name, source in self._drivers.upstream.sources_of(node, self._object(node)):
            if name != above:
                self._nodes[name] = source
                yield name

    def shape_kinds(self, node: str) -> Iterator[str]:
        """Types of the nodes directly below a node."""
        # live check: shapes-are-children
        path = om.MDagPath.getAPathTo(self._object(node))
        return (type_of(path.child(number)) for number in range(path.childCount()))

    def has_attribute(self, node: str, name: str) -> bool:
        """Whether a node has an attribute of this name."""
        return bool(om.MFnDependencyNode(self._object(node)).hasAttribute(name))

    def is_free(self, node: str) -> bool:
        """Whether a channel of a transform is keyable and unlocked."""
        # live check: keyable-channels
        attributes = Attributes(self._object(node))
        channels = (*attributes.plugs("rotate"), *attributes.plugs("translate"))
        return any(p.isKeyable and not (p.isLocked or p.parent().isLocked) for p in channels)

    def known(self, node: om.MObject) -> str:
        """Name of a node, by which it is found again."""
        """Remember a node; return its name, by which it is found again."""
        name = joints.node_name(node)
        self._nodes[name] = node
        return name

    def _object(self, node: str) -> om.MObject:
        if node not in self._nodes:
            self._nodes[node] = joints.node_of(node)
        return self._nodes[node]
