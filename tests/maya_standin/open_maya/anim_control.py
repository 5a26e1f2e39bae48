"""MAnimControl: the time, the time slider and autokey."""

from __future__ import annotations

from tests.maya_standin.open_maya.current import count_call, scene, session
from tests.maya_standin.open_maya.strict import Strict, check_kind
from tests.maya_standin.open_maya.units import MTime, seconds_of


def _time(seconds: float) -> MTime:
    """A time in the unit of the user interface."""
    return MTime(MTime(seconds, MTime.kSeconds).asUnits(MTime.uiUnit()), MTime.uiUnit())


class MAnimControl(Strict):
    """Static methods only."""

    @staticmethod
    def currentTime() -> MTime:
        return _time(scene().time)

    @staticmethod
    def setCurrentTime(newTime: MTime, /) -> None:
        count_call("MAnimControl.setCurrentTime")
        check_kind(newTime, MTime, what="time")
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
