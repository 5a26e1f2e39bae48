"""MAnimControl: the time, the time slider and autokey."""

from __future__ import annotations

import os
import time

from tests.maya_standin.errors import MayaHangsError
from tests.maya_standin.node_types import REGISTERED
from tests.maya_standin.open_maya.current import count_call, scene, session
from tests.maya_standin.open_maya.strict import Strict, check_kind
from tests.maya_standin.open_maya.units import MTime, seconds_of


def _time(seconds: float) -> MTime:
    """A time in the unit of the user interface."""
    return MTime(MTime(seconds, MTime.kSeconds).asUnits(MTime.uiUnit()), MTime.uiUnit())


def _hang_with_python_nodes() -> None:
    """Raise where Maya would hang, or hang if asked to: see Quirks.python_nodes_hang."""
    if not session().quirks.python_nodes_hang or session().interface.evaluation_mode != "parallel":
        return
    for source in scene().connections.values():
        if source.node.type in REGISTERED:
            while os.environ.get("STANDIN_HANGS"):
                time.sleep(1)
            raise MayaHangsError(f"the time changes while {source.node.name} waits for Python")


class MAnimControl(Strict):
    """Static methods only."""

    @staticmethod
    def currentTime() -> MTime:
        return _time(scene().time)

    @staticmethod
    def setCurrentTime(newTime: MTime, /) -> None:
        count_call("MAnimControl.setCurrentTime")
        check_kind(newTime, MTime, what="time")
        _hang_with_python_nodes()
        scene().set_time(seconds_of(newTime))

    @staticmethod
    def minTime() -> MTime:
        """Start of playback."""
        return _time(scene().playback.minimum)

    @staticmethod
    def maxTime() -> MTime:
        return _time(scene().playback.maximum)

    @staticmethod
    def animationStartTime() -> MTime:
        """Start of the outer range of the slider (maya.md 2.4)."""
        return _time(scene().playback.start)

    @staticmethod
    def animationEndTime() -> MTime:
        return _time(scene().playback.end)

    @staticmethod
    def autoKeyMode() -> bool:
        return session().auto_key

    @staticmethod
    def setAutoKeyMode(mode: bool, /) -> None:
        session().auto_key = bool(mode)
