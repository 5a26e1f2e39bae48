"""Formats that other distributions add through entry points, and functions given by name.

Built-in formats give their functions by name, so that a help text can list the formats without
importing numpy or any reader; third-party plug-ins give the functions themselves.
"""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from importlib.metadata import entry_points
from typing import Any, Protocol, TypeVar

from .errors import MissingPackageError


class Named(Protocol):
    """A format with a name."""

    @property
    def name(self) -> str:
        """Name shown to users."""


Kind = TypeVar("Kind", bound=Named)


class PluginError(MissingPackageError):
    """A third-party plug-in that cannot be loaded."""


def with_plugins(own: Iterable[Kind], group: str, kind: type[Kind]) -> dict[str, Kind]:
    """Built-in formats, and plug-ins that distributions offer as entry points, by name.

    Raises PluginError, naming the plug-in, if a plug-in cannot be imported, is not a format, or has
    a name that is already in use.
    """
    found = {one.name: one for one in own}
    every: Any = entry_points()
    # Python 3.9 returns a dictionary of groups; a distribution may be found on two paths.
    points = every.select(group=group) if hasattr(every, "select") else every.get(group, ())
    for _, point in sorted({point.name: point for point in points}.items()):
        what = f"plug-in {point.name!r} ({point.value})"
        try:
            one = point.load()
        except Exception as error:  # a plug-in may raise anything
            raise PluginError(
                f"{what} cannot be loaded: {type(error).__name__}: {error}; update or uninstall it"
            ) from error
        if not isinstance(one, kind):
            wrong = f"must be a {kind.__name__}, not {type(one).__name__}"
            raise PluginError(f"{what} {wrong}; update or uninstall it")
        if one.name in found:
            raise PluginError(f"{what}: two formats are called {one.name!r}; uninstall one")
        found[one.name] = one
    return found


def load_function(function: Any, package: str) -> Any:
    """Return `function`, or import it if it is given as "module:function" within a package."""
    if not isinstance(function, str):
        return function
    module, _, name = function.partition(":")
    return getattr(import_module(f".{module}", package), name)
