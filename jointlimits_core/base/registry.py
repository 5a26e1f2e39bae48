"""Declarations of formats: each in the module that implements it, others by entry points.

A module of the product declares one as ``FORMAT = Kind(...)`` with literal arguments, where a
function of the module is given by its name. The declaration is read from the source, so that a help
text lists the formats without numpy and without a single reader. The distribution of a third party
gives the same kind of object, with a callable, under an entry point.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from contextlib import suppress
from importlib import import_module, util
from pathlib import Path
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, cast

from .errors import MissingPackageError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint


class Named(Protocol):
    """A format with a name."""

    @property
    def name(self) -> str:
        """Its name for users."""


Kind = TypeVar("Kind", bound=Named)


class PluginError(MissingPackageError):
    """A plug-in of a third party that cannot be loaded."""


def declarations(package: str, kind: type[Kind]) -> Iterator[Kind]:
    """Declarations in the modules of a package; `module` is set to the module's full name."""
    start = f"\nFORMAT = {kind.__name__}("
    for found in iter_modules(sys.modules[package].__path__, f"{package}."):
        source = _source(found.name)
        at = source.find(start)
        if at < 0:
            continue
        call: Any = _call(source, at)
        given = {item.arg: ast.literal_eval(item.value) for item in call.keywords}
        made: Any = kind
        yield made(**given, module=found.name)


def _call(source: str, at: int) -> Any:
    """The call of the assignment that begins at a line; what comes after it is not parsed."""
    end = at
    while True:
        end = source.index(")", end) + 1
        with suppress(SyntaxError):
            return cast(Any, ast.parse(source[at:end]).body[0]).value


def _source(module: str) -> str:
    spec = util.find_spec(module)
    loader: Any = spec.loader if spec else None
    return (loader.get_source(module) or "") if loader else ""


def plugins(group: str, kind: type[Kind]) -> Iterator[tuple[EntryPoint, Kind]]:
    """Objects that installed distributions offer under an entry point.

    Raises PluginError, naming the plug-in that cannot be imported or that offers something else.
    """
    for point in _points(group):
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


def _points(group: str) -> list[EntryPoint]:
    if not _is_offered(group):
        return []
    from importlib.metadata import entry_points

    every: Any = entry_points()
    # Python 3.9 has a dictionary of groups; a distribution may be found on two paths.
    found = every.select(group=group) if hasattr(every, "select") else every.get(group, ())
    return sorted({point.name: point for point in found}.values(), key=lambda point: point.name)


def _is_offered(group: str) -> bool:
    """Whether a distribution on Python's path names a group of entry points, or is an archive.

    Nearly always none does, and importlib.metadata takes longer than all else that a parser needs.
    """
    for place in map(Path, sys.path):
        if place.suffix == ".egg" or place.is_file():
            return True
        for listed in place.glob("*-info/entry_points.txt"):
            try:
                text = listed.read_text(encoding="utf-8", errors="replace")
            except OSError:
                # importlib says what is wrong with it.
                return True
            if group in text:
                return True
    return False


def by_name(group: str, package: str, kind: type[Kind]) -> dict[str, Kind]:
    """Declared and plugged-in objects by their names.

    Raises PluginError for a plug-in that cannot be loaded, or that takes a name in use.
    """
    found = {one.name: one for one in declarations(package, kind)}
    for point, one in plugins(group, kind):
        if one.name in found:
            raise PluginError(
                f"plug-in {point.name!r} ({point.value}): two formats are called {one.name!r}; "
                "uninstall one"
            )
        found[one.name] = one
    return found


def implementation(one: Any, attribute: str) -> Any:
    """Callable of a declaration, imported from its module if it is given by name."""
    value = getattr(one, attribute)
    return getattr(import_module(one.module), value) if isinstance(value, str) else value
