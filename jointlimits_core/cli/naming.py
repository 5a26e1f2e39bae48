"""What a limit set that is made from others is called, and what it is for."""

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
        What the help of ``--character`` says, with what is taken if it is left out.
    """
    sub.add_argument("--character", metavar="NAME", help=otherwise)
    sub.add_argument("--purpose", metavar="WORD", help="such as locomotion, stunt or anatomical")


def named(limit_set: LimitSet, options: argparse.Namespace) -> LimitSet:
    """The limit set with the name and the purpose that are asked for, if any are."""
    asked: dict[str, Any] = {"character": options.character, "purpose": options.purpose}
    return replace(limit_set, **{key: value for key, value in asked.items() if value is not None})
