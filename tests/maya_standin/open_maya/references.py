"""MFnReference: what came from other files."""

from __future__ import annotations

from tests.maya_standin.graph import Reference
from tests.maya_standin.open_maya import mfn
from tests.maya_standin.open_maya.current import scene
from tests.maya_standin.open_maya.node_sets import MFnDependencyNode
from tests.maya_standin.open_maya.objects import MObject, object_of


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

    def isLocked(self) -> bool:  # type: ignore[override]
        return self._reference().locked

    def parentReference(self) -> MObject:
        parent = self._reference().parent
        return MObject() if parent is None else object_of(parent.node)

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
