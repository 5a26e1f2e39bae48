"""Name and purpose of a limit set made from others."""

from __future__ import annotations

import argparse
from dataclasses import replace
from typing import Any

from ..limits.limit_set import LimitSet


def add_naming(sub: argparse.ArgumentParser, otherwise: str) -> None:
    """Add ``--character`` and ``--purpose``.

    Parameters
    ----------
    sub : ArgumentParser
    otherwise : str
        Help text of ``--character``, with its default.
    """
    sub.add_argument("--character", metavar="NAME", help=otherwise)
    sub.add_argument("--purpose", metavar="WORD", help="such as locomotion, stunt or anatomical")


def named(limit_set: LimitSet, options: argparse.Namespace) -> LimitSet:
    """Return the limit set with the requested name and purpose, if any."""
    asked: dict[str, Any] = {"character": options.character, "purpose": options.purpose}
    return replace(limit_set, **{key: value for key, value in asked.items() if value is not None})
