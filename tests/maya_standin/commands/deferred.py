"""maya.utils."""

from __future__ import annotations

from tests.maya_standin.commands import idle
from tests.maya_standin.session import current

__all__ = ["executeDeferred", "executeInMainThreadWithResult", "processIdleEvents"]


def executeDeferred(function, *arguments, **keywords):
    """Run a callable, or Python text, when Maya is idle."""
    session = current()
    if isinstance(function, str):
        session.interface.defer(idle.as_callable(session, function))
    else:
        session.interface.defer(lambda: function(*arguments, **keywords))


def executeInMainThreadWithResult(function, *arguments, **keywords):
    """Call at once: a test is one thread."""
    return function(*arguments, **keywords)


def processIdleEvents():
    """Run what waits for idle."""
    idle.run_deferred(current())
