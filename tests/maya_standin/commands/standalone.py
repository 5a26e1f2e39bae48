"""maya.standalone."""

from __future__ import annotations

from tests.maya_standin.commands import startup
from tests.maya_standin.session import current

__all__ = ["initialize", "uninitialize"]


def initialize(name="python"):
    """Bring up Maya without a window: modules and userSetup are read here, too."""
    session = current()
    if not session.batch:
        raise RuntimeError("maya.standalone.initialize inside of Maya")
    if not session.started:
        startup.start(session)


def uninitialize():
    """Shut it down."""
    current().started = False
