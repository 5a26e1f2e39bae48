"""How the stand-in says no: as Maya does, or because it does not know."""

from __future__ import annotations


class NotModelledError(Exception):
    """Something that this stand-in does not model: a call, flag, type, attribute or node type.

    No kind of RuntimeError on purpose: Maya raises RuntimeError for everything, and code that
    catches that must not swallow the news that a test has left the modelled part.
    """


class NotModelledNameError(NotModelledError, AttributeError):
    """A name of a module or class that this stand-in does not model."""


class MayaHangsError(AssertionError):
    """A call that never comes back in Maya."""


class NoSuchObjectError(ValueError):
    """A name that nothing in the scene has; `maya.cmds` raises ValueError with these words."""

    def __init__(self, name: str):
        super().__init__(f"No object matches name: {name}")
        self.name = name


class AmbiguousNameError(ValueError):
    """A name that several nodes share."""

    def __init__(self, name: str):
        super().__init__(f"More than one object matches name: {name}")
        self.name = name
