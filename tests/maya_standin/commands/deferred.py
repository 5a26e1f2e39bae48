"""maya.utils."""

from __future__ import annotations

from tests.maya_standin.commands import idle
from tests.maya_standin.session import current

__all__ = ["executeDeferred"]


def executeDeferred(function, *arguments, **keywords):
    """Run a callable, or Python text, when Maya is idle."""
    session = current()
    if isinstance(function, str):
        session.interface.defer(idle.as_callable(session, function))
    else:
        session.interface.defer(lambda: function(*arguments, **keywords))
