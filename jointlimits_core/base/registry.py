"""Formats that other distributions add by entry points, and functions that are named.

A format of the product names its functions, so that a help text lists the formats without numpy and
without a single reader; a distribution of a third party gives the functions themselves.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Protocol, TypeVar

from .errors import MissingPackageError


class Named(Protocol):
    """A format with a name."""

    @property
    def name(self) -> str:
        """Its name for users."""


Kind = TypeVar("Kind", bound=Named)


class PluginError(MissingPackageError):
    """A plug-in of a third party that cannot be loaded."""


def plugins(group: str, kind: type[Kind]) -> Iterator[tuple[EntryPoint, Kind]]:
    """Objects that installed distributions offer under an entry point.

    Raises PluginError, naming the plug-in that cannot be imported or that offers something else.
    """
    every: Any = entry_points()
    # Python 3.9 has a dictionary of groups; a distribution may be found on two paths.
    points = every.select(group=group) if hasattr(every, "select") else every.get(group, ())
    for _, point in sorted({point.name: point for point in points}.items()):
        try:
            found = point.load()
        except Exception as error:  # a plug-in may raise anything
            raise PluginError(
                f"plug-in {point.name!r} ({point.value}) cannot be loaded: "
                f"{type(error).__name__}: {error}; update or uninstall it"
            ) from error
        if not isinstance(found, kind):
            raise PluginError(
                f"plug-in {point.name!r} ({point.value}) must be a {kind.__name__}, "
                f"not {type(found).__name__}; update or uninstall it"
            )
        yield point, found


def with_plugins(own: Iterable[Kind], group: str, kind: type[Kind]) -> dict[str, Kind]:
    """Formats by name: the product's own, and those under an entry point.

    Raises PluginError for a plug-in that cannot be loaded, or that takes a name in use.
    """
    found = {one.name: one for one in own}
    for point, one in plugins(group, kind):
        if one.name in found:
            raise PluginError(
                f"plug-in {point.name!r} ({point.value}): two formats are called {one.name!r}; "
                "uninstall one"
            )
        found[one.name] = one
    return found


def loaded(function: Any, package: str) -> Any:
    """A function given itself or as "module:function" of a package."""
    if not isinstance(function, str):
        return function
    module, _, name = function.partition(":")
    return getattr(import_module(f".{module}", package), name)
