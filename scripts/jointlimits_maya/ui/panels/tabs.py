"""Tabs of the window: each panel registers itself with one line above its class."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from ..window import Window

Connections = Sequence[tuple[Any, Callable[..., Any]]]
"""Signals with their slots; a panel's method `connections` lists its own for a window."""
Panel = TypeVar("Panel", bound=type)
Maker = Callable[[Any, Any], Any]
"""Makes the panel from its class and the window."""


@dataclass(frozen=True)
class Tab:
    """A registered panel; the layout has it as the attribute `name`."""

    place: int
    name: str
    title: str
    make: Callable[[Window], Any]


_TABS: dict[str, Tab] = {}


def tab(
    place: int, name: str, title: str, make: Maker = lambda panel, window: panel()
) -> Callable[[Panel], Panel]:
    """Register a class of panels as a tab, the one with the lowest `place` first."""

    def register(panel: Panel) -> Panel:
        _TABS[name] = Tab(place, name, title, lambda window: make(panel, window))
        return panel

    return register


def tabs() -> list[Tab]:
    """All registered tabs, in their order."""
    return sorted(_TABS.values(), key=lambda one: one.place)
