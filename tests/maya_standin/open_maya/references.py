"""MFnReference and MNamespace: what came from other files, and under which names."""

from __future__ import annotations

from pathlib import PurePosixPath

from tests.maya_standin.graph import Reference
from tests.maya_standin.open_maya import mfn
from tests.maya_standin.open_maya.current import scene
from tests.maya_standin.open_maya.dag_path import MObjectArray
from tests.maya_standin.open_maya.node_sets import MFnDependencyNode
from tests.maya_standin.open_maya.objects import MObject, node_of, object_of
from tests.maya_standin.open_maya.strict import Strict, not_modelled


class MFnReference(MFnDependencyNode):
    """A reference node and the file it stands for."""

    __slots__ = ()
    _type = mfn.MFn.kReference

    def _reference(self) -> Reference:
        node = self._node()
        for reference in scene().references:
            if reference.node is node:
                return reference
        raise RuntimeError(f"(kInvalidParameter): {node.name} stands for no file")

    def isValidReference(self) -> bool:
        return any(reference.node is self._node() for reference in scene().references)

    def isLoaded(self) -> bool:
        return self._reference().loaded

    def isLocked(self) -> bool:  # type: ignore[override]
        return self._reference().locked

    def fileName(self, resolvedName: bool, includePath: bool, includeCopyNumber: bool, /) -> str:
        if includeCopyNumber:
            return not_modelled("MFnReference.fileName with the copy number")
        path = self._reference().path
        return path if includePath else PurePosixPath(path).name

    def associatedNamespace(self, shortName: bool, /) -> str:
        name = self._reference().namespace
        return name.rpartition(":")[2] if shortName else name

    def parentReference(self) -> MObject:
        parent = self._reference().parent
        return MObject() if parent is None else object_of(parent.node)

    def containsNodeExactly(self, node: MObject, /) -> bool:
        """Whether a node comes from this file itself, not from one that it refers to."""
        return node_of(node).reference is self._reference()

    def containsNode(self, node: MObject, /) -> bool:
        found = node_of(node).reference
        while found is not None and found is not self._reference():
            found = found.parent
        return found is not None

    def nodes(self) -> MObjectArray:
        there = [node for node in self._reference().nodes if node in scene().nodes]
        return MObjectArray(object_of(node) for node in there)

    @staticmethod
    def ignoreReferenceEdits() -> bool:
        """Whether edits of referenced nodes are off the record (maya.md 1.7)."""
        return any(reference.ignore_edits for reference in scene().references)

    @staticmethod
    def setIgnoreReferenceEdits(ignore: bool, /) -> None:
        """Leave edits of referenced nodes off the record from now on, of all references.

        Static in MFnReference.h; Autodesk's own renderSetup switches it so.
        """
        for reference in scene().references:
            reference.ignore_edits = bool(ignore)


class MNamespace(Strict):
    """Namespaces of the scene; names begin and end without a colon, the root is ":"."""

    @staticmethod
    def rootNamespace() -> str:
        return ":"

    @staticmethod
    def currentNamespace() -> str:
        return scene().current_namespace or ":"

    @staticmethod
    def namespaceExists(name: str, /) -> bool:
        bare = name.strip(":")
        return not bare or bare in scene().namespaces

    @staticmethod
    def getNamespaces(parentNamespace: str = ":", recurse: bool = False, /) -> list[str]:
        """Namespaces directly in one, or all in it."""
        above = parentNamespace.strip(":")
        start = above + ":" if above else ""
        inside = [name for name in scene().namespaces if name.startswith(start) and name != above]
        return [name for name in inside if recurse or ":" not in name[len(start) :]]

    @staticmethod
    def getNamespaceFromName(fullName: str, /) -> str:
        return fullName.rpartition("|")[2].rpartition(":")[0]

    @staticmethod
    def stripNamespaceFromName(fullName: str, /) -> str:
        if "|" in fullName:
            return not_modelled("MNamespace.stripNamespaceFromName of a path")
        return fullName.rpartition(":")[2]
