"""Model of the part of the open scene that a re-orientation affects.

Files are read into :class:`~jointlimits_core.rig.scene.Scene`; here the open scene is modelled in
the same form, so that one planner serves both. Nodes are added on demand: the joints, their
children, their drivers and their readers. Curves are evaluated by Maya.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from jointlimits_core.geometry.arrays import Floats, Integers
from jointlimits_core.rig import curves, drivers, reorient_checks, scene
from jointlimits_core.rig.attributes import family_of

from ..base.open_maya import om, oma
from ..scene import joints, plugs, record, time

_COMPOUNDS = (
    *("translate", "rotate", "scale", "shear", "rotateAxis", "rotatePivot"),
    *("rotatePivotTranslate", "minRotLimit", "maxRotLimit"),
)
_SWITCHES = ("minRotLimitEnable", "maxRotLimitEnable")
STORED = {"dagPose": "members", "skinCluster": "matrix"}
"""Node types that store poses, and their array attributes for the posed nodes."""


class SceneModel:
    """Model of the open scene that grows on demand. `scene`: the model so far."""

    def __init__(self) -> None:
        self.scene = scene.Scene(
            "the open scene", scene.Units(frames_per_second=time.frames_per_second())
        )
        self._nodes: dict[str, scene.Node] = {}
        self._objects: dict[scene.Node, om.MObject] = {}
        self._seen: set[scene.Node] = set()
        for maya_node in joints.nodes_of_type("ikHandle"):
            handle, attributes = self.node(maya_node), plugs.Attributes(maya_node)
            for end in ("startJoint", "endEffector"):
                if attributes.plug(end).isDestination:
                    self._read_source(handle, attributes.plug(end).source(), end)
            if not self._read_single(handle, attributes.plug("ikBlend"), "ikBlend"):
                handle.values["ikBlend"] = attributes.number("ikBlend")

    def object(self, node: scene.Node) -> om.MObject:
        """Maya node that a node in the model stands for."""
        return self._objects[node]

    # Nodes ----------------------------------------------------------------------------------------

    def node(self, maya_node: om.MObject) -> scene.Node:
        """Model of a node, without its values; its parents are added as well."""
        name = joints.node_name(maya_node)
        if name not in self._nodes:
            parent = None
            if maya_node.hasFn(om.MFn.kDagNode):
                above = om.MDagPath.getAPathTo(maya_node)
                if above.length() > 1:
                    above.pop()
                    parent = self.node(above.node())
            kind = str(om.MFnDependencyNode(maya_node).typeName)
            made = scene.Node(kind, joints.short_name(name), parent, self.scene.units)
            self._nodes[name] = self.scene.add(made)
            self._objects[made] = maya_node
        return self._nodes[name]

    def joint(self, maya_node: om.MObject) -> scene.Node:
        """Model of a joint with everything that its re-orientation may affect."""
        node = self._read_node(maya_node)
        path = om.MDagPath.getAPathTo(maya_node)
        for place in range(path.childCount()):
            child = path.child(place)
            if child.hasFn(om.MFn.kTransform):
                self._read_node(child)
            else:
                self.node(child)
        return node

    def _read_node(self, maya_node: om.MObject) -> scene.Node:
        """Read values, locks, drivers and stored poses of a joint or transform."""
        node = self.node(maya_node)
        if node in self._seen:
            return node
        self._seen.add(node)
        attributes = plugs.Attributes(maya_node)
        of_joints = ("jointOrient",) if node.is_joint else ()
        for compound in (*_COMPOUNDS, *of_joints, *_SWITCHES):
            whole = attributes.plug(compound)
            if whole.isLocked:
                node.locked.add(compound)
            if whole.isDestination:
                self._read_source(node, whole.sourceWithConversion(), compound)
            for name in family_of(node.node_type).children[compound]:
                plug = attributes.plug(name)
                if not self._read_single(node, plug, name):
                    node.values[name] = attributes.number(name)
        self._read_single(node, attributes.plug("rotateOrder"), "rotateOrder")
        node.values["rotateOrder"] = float(attributes.plug("rotateOrder").asInt())
        node.values["inheritsTransform"] = float(attributes.is_on("inheritsTransform"))
        self._read_matrices(node, attributes)
        for output in self.outputs(node):
            self._read_stored_pose(node, output)
        return node

    def _read_single(self, node: scene.Node, plug: om.MPlug, name: str) -> bool:
        """Read the lock and driver of a plug; return whether there is a driver."""
        if plug.isLocked:
            node.locked.add(name)
        source = plugs.source_of(plug)
        if source is not None:
            self._read_source(node, source, name)
        return source is not None

    def _read_source(self, node: scene.Node, source: om.MPlug, name: str) -> None:
        origin = self.node(source.node())
        self.scene.sources[node, name] = origin, plug_name(source)
        if origin.node_type in curves.TIME_CURVES and origin not in self._seen:
            self._seen.add(origin)
            curve = plugs.Attributes(source.node())
            origin.values["rotationInterpolation"] = float(
                curve.plug("rotationInterpolation").asInt()
            )
            if curve.plug("keyTimeValue").isLocked:
                origin.locked.add("keyTimeValue")
            if curve.plug("input").isDestination:
                warp = curve.plug("input").sourceWithConversion()
                self.scene.sources[origin, "input"] = self.node(warp.node()), plug_name(warp)

    def _read_matrices(self, node: scene.Node, attributes: plugs.Attributes) -> None:
        function = om.MFnDependencyNode(attributes.node)
        # This attribute exists in Maya 2020 and later.
        if function.hasAttribute("offsetParentMatrix"):
            offset = attributes.plug("offsetParentMatrix")
            driven = self._read_single(node, offset, "offsetParentMatrix")
            if not driven and (numbers := numbers_of(offset)) is not None:
                node.matrices["offsetParentMatrix"] = numbers
        if node.is_joint:
            stored = numbers_of(attributes.plug("bindPose"))
            # A bind pose that was never stored may also be the identity.
            if stored is not None and not np.array_equal(stored, np.eye(4).ravel()):
                node.matrices["bindPose"] = stored

    # Stored poses ---------------------------------------------------------------------------------

    def _read_stored_pose(self, node: scene.Node, output: reorient_checks.Output) -> None:
        """Read the pose of a node stored in a dagPose or a skin."""
        holder, plug = output.reader, output.reader_attribute
        if holder is None or not plug.endswith("]"):
            return
        name, _, index = plug[:-1].partition("[")
        if (holder.node_type, name) == ("dagPose", "members"):
            self.scene.sources[holder, plug] = node, output.attribute
            is_bind = plugs.Attributes(self._objects[holder]).is_on("bindPose")
            holder.values["bindPose"] = float(is_bind)
            self._read_element(holder, "xformMatrix", int(index))
            # live check: dag-pose-world-matrix-is-fed
            self._read_element(holder, "worldMatrix", int(index))
            above = plugs.existing_element(self._array(holder, "parents"), int(index))
            if above is not None and above.isDestination:
                self._read_source(holder, above.source(), f"parents[{index}]")
        elif (holder.node_type, name) == ("skinCluster", "matrix"):
            self.scene.sources[holder, plug] = node, output.attribute
            self._read_element(holder, "bindPreMatrix", int(index))

    def _read_element(self, holder: scene.Node, name: str, index: int) -> None:
        array = self._array(holder, name)
        plug = plugs.existing_element(array, index)
        if plug is None or self._read_single(holder, plug, f"{name}[{index}]"):
            return
        # live check: dag-pose-xform-as-matrix
        numbers = numbers_of(plug)
        if numbers is not None:
            holder.matrices[f"{name}[{index}]"] = numbers

    def _array(self, holder: scene.Node, name: str) -> om.MPlug:
        return plugs.Attributes(self._objects[holder]).plug(name)

    def pose_holders(self, node: scene.Node) -> list[str]:
        """Elements of dagPoses and skins that store the pose of a node."""
        return sorted(f"{base_name(holder)}.{name}" for holder, name in self._elements(node))

    def stored_plug(self, node: scene.Node, place: record.Place) -> om.MPlug | None:
        """Plug of a recorded matrix; None if it no longer exists."""
        name, attribute, index = place
        if index is None:
            return plugs.find_plug(self.object(node), attribute)
        for holder, element in self._elements(node):
            if base_name(holder) == name and element.endswith(f"[{index}]"):
                return plugs.existing_element(self._array(holder, attribute), index)
        return None

    def _elements(self, node: scene.Node) -> Iterator[tuple[scene.Node, str]]:
        for (holder, plug), (source, _) in self.scene.sources.items():
            array = STORED.get(holder.node_type)
            if source is node and array is not None and plug.startswith(f"{array}["):
                yield holder, plug

    # Interface to the planner ---------------------------------------------------------------------

    def fixed_node(self, node: scene.Node) -> reorient_checks.Obstacle | None:
        """Reason why a node cannot be changed at all, or None."""
        function = om.MFnDependencyNode(self._objects[node])
        if function.isLocked:
            return reorient_checks.Obstacle("locked node", "a locked node")
        if any(reference.isLocked() for reference in joints.references_of(self._objects[node])):
            return reorient_checks.Obstacle("locked reference", "in a locked reference")
        return None

    def fixed_curve(self, curve: scene.Node) -> str | None:
        """Reason why the keys of a curve cannot be changed, or None."""
        function = om.MFnDependencyNode(self._objects[curve])
        # live check: keys-of-referenced-curves
        if function.isFromReferencedFile:
            return f"the curve {curve.name!r} belongs to a referenced file"
        return f"the curve {curve.name!r} is locked" if function.isLocked else None

    def outputs(self, node: scene.Node) -> Iterator[reorient_checks.Output]:
        """All connections that read a node."""
        for plug in om.MFnDependencyNode(self._objects[node]).getConnections():
            if not plug.isSource:
                continue
            for end in plug.destinations():
                yield reorient_checks.Output(
                    plug_name(plug), str(end.name()), self.node(end.node()), plug_name(end)
                )


def base_name(node: scene.Node) -> str:
    """Name without its namespace, since the scene may be referenced later."""
    return node.name.rpartition(":")[2]


def plug_name(plug: om.MPlug) -> str:
    """Long name of a plug's attribute, with its index if it is an element."""
    name = plug.partialName(
        includeNonMandatoryIndices=True, includeInstancedIndices=True, useLongNames=True
    )
    return str(name).rpartition(".")[2]


def numbers_of(plug: om.MPlug) -> Floats | None:
    """Sixteen numbers of a matrix in the order of scene files, shape (16,); None if not set."""
    matrix = plugs.matrix_or_none(plug)
    return None if matrix is None else np.array(matrix.T.ravel())


class OpenCurve:
    """A curve of the open scene, evaluated by Maya.

    `times`, `values`: of the keys, in seconds and internal units. `out_types`: 0, or the scene-file
    number of a stepped out-tangent. `pre`, `post`: infinity types, numbered as in scene files.
    """

    def __init__(self, curve: om.MObject) -> None:
        self._function = function = oma.MFnAnimCurve(curve)
        keys, seconds = range(function.numKeys), om.MTime.kSeconds
        times = [self._function.input(key).asUnits(seconds) for key in keys]
        self.times: Floats = np.array(times, np.float64)
        self.values: Floats = np.array([function.value(key) for key in keys], np.float64)
        steps = [function.outTangentType(key) == function.kTangentStep for key in keys]
        self.out_types: Integers = np.where(np.array(steps, np.bool_), curves.TangentType.STEP, 0)
        self.pre, self.post = int(function.preInfinityType), int(function.postInfinityType)

    def evaluate(self, seconds: Floats) -> Floats:
        """Values in internal units."""
        unit = om.MTime.kSeconds
        return np.array([self._function.evaluate(om.MTime(float(t), unit)) for t in seconds])


class OpenDrivers(drivers.Drivers):
    """Drivers of channels; only curves of the open scene are resolved.

    `read`: reads a curve.
    """

    def __init__(
        self, model: SceneModel, read: Callable[[om.MObject], drivers.TimeCurve] = OpenCurve
    ) -> None:
        super().__init__(model.scene)
        self._model, self._read = model, read

    def _output(self, node: scene.Node, attribute: str) -> drivers.Signal:
        if node.node_type not in curves.TIME_CURVES:
            raise drivers.UnresolvedDriverError(node, "which is not a time-based curve")
        curve = self._read(self._model.object(node))
        return drivers.Keyed(curve, node) if len(curve.times) else drivers.Constant(0.0)
