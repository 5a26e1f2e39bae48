"""Strict JSON parser for untrusted documents."""

from __future__ import annotations

import json
import math
from collections import Counter
from typing import Any

from .errors import InputError

MOST_DIGITS = 300
"""Most digits of a whole number; a float still holds it."""


def parsed_json(text: str, name: str, error: type[InputError], what: str) -> Any:
    """Parse JSON text.

    Parameters
    ----------
    name : str
        Name of the document in errors.
    error : type of InputError
        Type to raise.
    what : str
        Expected document, as "limit set".

    Raises
    ------
    InputError
        Of that type: for text that is not JSON (with line and column), numbers that overflow a
        float, duplicate names in an object, and excessive nesting.
    """

    def refuse_constant(word: str) -> Any:
        shown = word if len(word) <= 20 else word[:17] + "..."
        raise error(name, f"{shown} is not a valid number in a {what}")

    def whole_number(word: str) -> int:
        return int(word) if len(word) <= MOST_DIGITS else refuse_constant(word)

    def decimal_number(word: str) -> float:
        number = float(word)
        return number if math.isfinite(number) else refuse_constant(word)

    def refuse_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) != len(pairs):
            counts = Counter(key for key, _ in pairs)
            raise error(name, f"duplicate name {counts.most_common(1)[0][0]!r} in one object")
        return found

    try:
        return json.loads(
            text,
            parse_constant=refuse_constant,
            parse_int=whole_number,
            parse_float=decimal_number,
            object_pairs_hook=refuse_duplicates,
        )
    except json.JSONDecodeError as wrong:
        message = f"not valid JSON; a {what} is expected; correct the file or name another one"
        raise error(name, message, wrong.lineno, wrong.colno) from None
    except RecursionError:
        raise error(name, f"nested too deeply for a {what}") from None
