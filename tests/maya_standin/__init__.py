"""A small, strict Maya in memory, for tests; never shipped.

It shares nothing with the package, so that it is an independent check. What it does not model
raises NotModelledError. Where its behaviour comes from stands beside it: "maya.md" is the
project's collection of Maya facts with their sources. What is only believed is marked `guess:`
with the id under which tests/maya_live has it.
"""

from __future__ import annotations

from tests.maya_standin.errors import NotModelledError, NotModelledNameError
from tests.maya_standin.modules import installed
from tests.maya_standin.session import Session, current

__all__ = ["NotModelledError", "NotModelledNameError", "Session", "current", "installed"]
