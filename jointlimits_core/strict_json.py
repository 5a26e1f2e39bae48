"""JSON of others read strictly: what the language lets through and no document of ours holds."""

from __future__ import annotations

import json
import math
from collections import Counter
from typing import Any

from .errors import InputError

MOST_DIGITS = 300
"""No whole number in our documents has more, and a float still holds it."""


def parsed_json(text: str, name: str, error: type[InputError], what: str) -> Any:
    """Plain data of JSON text.

    Parameters
    ----------
    name : str
        What to call the document in errors.
    error : type of InputError
        What to raise.
    what : str
        What the document is meant to be, as "limit set".

    Raises
    ------
    InputError
        Of the type asked for: with line and column for text that is not JSON; for numbers that a
        float cannot hold, names that are twice in one object, and nesting without end.
    """

    def refuse_constant(word: str) -> Any:
        shown = word if len(word) <= 20 else word[:17] + "..."
        raise error(name, f"{shown} is not a number that a {what} can hold")

    def whole_number(word: str) -> int:
        return int(word) if len(word) <= MOST_DIGITS else refuse_constant(word)

    def decimal_number(word: str) -> float:
        number = float(word)
        return number if math.isfinite(number) else refuse_constant(word)

    def refuse_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) != len(pairs):
            counts = Counter(key for key, _ in pairs)
            raise error(name, f"{counts.most_common(1)[0][0]!r} is there twice in one object")
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
        message = f"not JSON, so this is no {what}; give another file, or mend it there"
        raise error(name, message, wrong.lineno, wrong.colno) from None
    except RecursionError:
        raise error(name, f"nested too deeply to be a {what}") from None
