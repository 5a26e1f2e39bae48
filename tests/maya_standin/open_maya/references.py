"""MFnReference and MNamespace: what came from other files, and under which names."""

from __future__ import annotations

from pathlib import PurePosixPath

from tests.maya_standin.graph import Reference
from tests.maya_standin.open_maya import mfn
from tests.maya_standin.open_maya.current import scene
from tests.maya_standin.open_maya.dag_path import MObjectArray
from tests.maya_standin.open_maya.node_sets import MFnDependencyNode
from tests.maya_standin.open_maya.objects import MObject, object_of
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

    def isLoaded(self) -> bool:
        return self._reference().loaded

    def isLocked(self) -> bool:  # type: ignore[override]
        return self._reference().locked

    def fileName(self, resolvedName: bool, includePath: bool, includeCopyNumber: bool, /) -> str:
        if includeCopyNumber:
            return not_modelled("MFnReference.fileName with the copy number")
        path = self._reference().path
        return path if includePath else PurePosixPath(path).name

    def parentReference(self) -> MObject:
        parent = self._reference().parent
        return MObject() if parent is None else object_of(parent.node)

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
    def currentNamespace() -> str:
        return scene().current_namespace or ":"

    @staticmethod
    def stripNamespaceFromName(fullName: str, /) -> str:
        if "|" in fullName:
            return not_modelled("MNamespace.stripNamespaceFromName of a path")
        return fullName.rpartition(":")[2]
