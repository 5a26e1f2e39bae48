"""The session that the modules belong to; everything else here asks for it through these two."""

from __future__ import annotations

from tests.maya_standin import session as sessions
from tests.maya_standin.graph import Scene


def session() -> sessions.Session:
    """The session whose modules are installed."""
    return sessions.current()


def scene() -> Scene:
    """Its scene."""
    return session().scene


def count_call(name: str) -> None:
    """Count a call by its name, such as "MPlug.asDouble"."""
    session().call(name)
