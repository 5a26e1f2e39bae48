"""MDGContext: the time at which plugs are read (maya.md 2.1)."""

from __future__ import annotations

from typing import Any, ClassVar

from tests.maya_standin.open_maya.current import session
from tests.maya_standin.open_maya.strict import Strict, check_kind
from tests.maya_standin.open_maya.units import MTime, seconds_of


class MDGContext(Strict):
    """The normal context (the scene's own time), or another time."""

    __slots__ = ("seconds",)
    kNormal: ClassVar[MDGContext]

    def __init__(self, time: MTime | MDGContext | None = None, /) -> None:
        if time is not None:
            check_kind(time, MTime, MDGContext, what="time")
        self.seconds = time.seconds if isinstance(time, MDGContext) else None
        if isinstance(time, MTime):
            self.seconds = seconds_of(time)

    def isNormal(self) -> bool:
        return self.seconds is None

    def makeCurrent(self) -> MDGContext:
        """Read plugs at this time from now on; gives the context that was current before."""
        before = MDGContext.current()
        session().context_seconds = self.seconds
        return before

    @staticmethod
    def current() -> MDGContext:
        context = MDGContext()
        context.seconds = session().context_seconds
        return context


MDGContext.kNormal = MDGContext()


class MDGContextGuard(Strict):
    """Makes a context current until the `with` block ends (maya.md 2.1, from Maya 2018).

    It does so when it is made, not when the block is entered (its own docstrings say so).
    """

    __slots__ = ("_context", "_original")

    def __init__(self, context: MDGContext) -> None:
        check_kind(context, MDGContext, what="context")
        self._context = context
        self._original = context.makeCurrent()

    def __enter__(self) -> MDGContextGuard:
        return self

    def __exit__(self, *exception: Any) -> None:
        self.restore()

    def restore(self) -> None:
        self._original.makeCurrent()

    def context(self) -> MDGContext:
        return self._context
