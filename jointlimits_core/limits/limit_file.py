"""Limit sets as JSON text and files."""

from __future__ import annotations

import json
import os
from functools import lru_cache
from pathlib import Path
from typing import Any

from ..atomic import write_text_atomically
from ..errors import LimitSetError
from .limit_set import LimitSet
from .schema_check import problems

MAX_BYTES = 256 * 1024 * 1024
"""A limit set of a thousand joints is a few megabytes; anything near this is something else."""


@lru_cache(maxsize=1)
def limit_set_schema() -> dict[str, Any]:
    """Return the JSON Schema of a limit set."""
    path = Path(__file__).with_name("limit_set.schema.json")
    schema: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return schema


def json_from_limit_set(limit_set: LimitSet) -> str:
    """JSON text of a limit set: the same bytes for the same content."""
    return json.dumps(limit_set.to_dict(), indent=1, allow_nan=False) + "\n"


def limit_set_from_json(text: str, name: str = "limit set") -> LimitSet:
    """Read and check JSON text.

    Parameters
    ----------
    text : str
    name : str
        What to call the document in errors.

    Raises
    ------
    LimitSetError
        With line and column for text that is not JSON, else with the place in the document.
    """

    def refuse_constant(word: str) -> Any:
        raise LimitSetError(name, f"{word} is not a number that a limit set can hold")

    def refuse_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) != len(pairs):
            keys = [key for key, _ in pairs]
            twice = next(key for key in keys if keys.count(key) > 1)
            raise LimitSetError(name, f"{twice!r} is there twice in one object")
        return found

    try:
        data = json.loads(text, parse_constant=refuse_constant, object_pairs_hook=refuse_duplicates)
    except json.JSONDecodeError as error:
        raise LimitSetError(name, f"not JSON: {error.msg}", error.lineno, error.colno) from None
    except RecursionError:
        raise LimitSetError(name, "nested too deeply to be a limit set") from None
    wrong = next(problems(data, limit_set_schema()), None)
    if wrong is not None:
        raise LimitSetError(name, wrong)
    return LimitSet.from_dict(data)


def read_limit_set(path: str | os.PathLike[str]) -> LimitSet:
    """Read a limit set from a file.

    Raises
    ------
    LimitSetError
        If it cannot be read or does not follow the schema.
    """
    try:
        size = os.stat(path).st_size
        if size > MAX_BYTES:
            raise LimitSetError(path, f"{size} bytes are too many for a limit set")
        text = Path(path).read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise LimitSetError(path, "not a text file; expected *.limits.json") from None
    except OSError as error:
        raise LimitSetError(path, f"cannot be read: {error.strerror}") from None
    return limit_set_from_json(text, os.fspath(path))


def write_limit_set(limit_set: LimitSet, path: str | os.PathLike[str]) -> None:
    """Write a limit set to a file, whole or not at all."""
    write_text_atomically(path, json_from_limit_set(limit_set))
