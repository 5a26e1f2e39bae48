"""MGlobal: messages, the selection, and what kind of Maya this is."""

from __future__ import annotations

from tests.maya_standin.open_maya.current import scene, session
from tests.maya_standin.open_maya.selection import MSelectionList, items_of, selection_of
from tests.maya_standin.open_maya.strict import Display, not_modelled


class MGlobal(Display):
    """Static methods only. There is no executeCommand: the API 2.0 does not have it."""

    kInteractive, kBatch, kLibraryApp, kBaseUIMode = range(4)
    kReplaceList, kXORWithList, kAddToList, kRemoveFromList, kAddToHeadOfList = range(5)

    @staticmethod
    def getActiveSelectionList(orderedSelectionIfAvailable: bool = False) -> MSelectionList:
        """The selection; in the order in which it was made if that is tracked, as it is here."""
        return selection_of(scene().selection)

    @staticmethod
    def setActiveSelectionList(selection: MSelectionList, listAdjustment: int = 0, /) -> None:
        if listAdjustment != MGlobal.kReplaceList:
            not_modelled("MGlobal.setActiveSelectionList that does not replace")
        with scene().journal.record_into(None):
            scene().select(items_of(selection))

    @staticmethod
    def mayaState() -> int:
        """kLibraryApp (mayapy) where the session has no window."""
        return MGlobal.kLibraryApp if session().batch else MGlobal.kInteractive

    @staticmethod
    def apiVersion() -> int:
        """Such as 20250000; the digits behind the year say the update and are 0 here."""
        return session().version * 10000
