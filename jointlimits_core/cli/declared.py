"""Command-line options built from the option table."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

from ..option_table import Option, option


def add_declared(sub: argparse._ActionsContainer, *names: str) -> None:
    """Add options by their names in the option table; each name is also the option's `dest`."""
    for name in names:
        _add(sub, option(name))


def _add(sub: argparse._ActionsContainer, item: Option) -> None:
    if item.type == "switch":
        on, off = (item.help, "store_true"), (f"do not {item.help}", "store_false")
        words, action = off if item.default else on
        sub.add_argument(item.flag, dest=item.name, action=action, help=words)
        return
    numbers: dict[str, Callable[[str], Any]] = {"number": float, "integer": int}
    shown: dict[str, Any] = {"choices": item.choices} if item.choices else {"metavar": item.metavar}
    sub.add_argument(
        item.flag,
        dest=item.name,
        type=numbers.get(item.type, item.from_text),
        default=item.default,
        help=item.help,
        **shown,
    )
