"""Every option of the program, as ``options.json`` declares it: once, for everybody.

The estimate, the command line, the Maya commands, the batch and the documents read it from here.
Needs nothing but Python, so that Maya's commands can be registered where numpy is missing.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import lru_cache
from pathlib import Path
from typing import Any

GROUPS = (
    *("estimate", "scene", "time", "rest pose", "result", "limits", "write", "switch", "check"),
    *("with shapes", "coupled", "project", "live", "keys", "bodies", "chain", "tracks"),
    *("batch", "batch entry"),
    *("manifest", "export", "reading", "run"),
)
TYPES = ("switch", "number", "integer", "size", "string", "words", "samples")

_SIZE = re.compile(r"(\d+(?:\.\d+)?) ?([KMGT]?)(?:i?B)?", re.IGNORECASE | re.ASCII)


@dataclass(frozen=True)
class Option:
    """One option.

    Parameters
    ----------
    name : str
        In Python and in files.
    group : str
        One of :data:`GROUPS`: what it is an option of.
    type : str
        One of :data:`TYPES`. "words" are a tuple of str, separated by commas where they are
        text; "samples" is "all" or a whole number; a "size" is in bytes, as text with K, M, G or T
        behind it (1024, 1024², ...).
    default : bool, float, int, str, tuple of str or None
    help : str
        One line for people.
    unit : str
        "degrees", "frames", "millimetres" or nothing.
    choices : tuple of str
        The only values; any if empty.
    minimum, maximum, below : float, optional
        Bounds of a number; `below` is outside already.
    flag, metavar : str
        Of an option with choices the help shows these.
        On the command line; no flag there if empty. That of a switch which is on by default
        switches it off.
    maya : tuple of str
        Short and long flag in Maya; none there if empty.
    label : str
        What the window calls it.
    common : tuple of str
        Of text that may be anything, what people choose most.
    words : tuple of str
        What the window calls each of the choices, or of the common values.
    """

    name: str
    group: str
    type: str
    default: Any
    help: str
    unit: str = ""
    choices: tuple[str, ...] = ()
    minimum: float | None = None
    maximum: float | None = None
    below: float | None = None
    flag: str = ""
    metavar: str = ""
    maya: tuple[str, ...] = ()
    label: str = ""
    common: tuple[str, ...] = ()
    words: tuple[str, ...] = ()

    def checked(self, value: Any) -> Any:
        """Give `value` back if this option may have it.

        Raises
        ------
        ValueError
            Naming the option, what it accepts and what it got.
        """
        if value is None and self.default is None:
            return value
        if not self._fits(value):
            raise ValueError(f"{self.name} must be {self.accepts()}, not {value!r}")
        return value

    def from_text(self, text: str) -> Any:
        """Value of a text, as it comes from a command line or a flag; a switch has none.

        Raises
        ------
        ValueError
            If it is no such value.
        """
        if self.type == "words":
            return tuple(word.strip() for word in text.split(",") if word.strip())
        if self.type == "samples":
            return int(text) if text.isdigit() else text
        if self.type == "size":
            return _size(text)
        if self.type in ("number", "integer"):
            return {"number": float, "integer": int}[self.type](text)
        return text

    def accepts(self) -> str:
        """Say in words what the option accepts."""
        if self.choices:
            return f"one of {', '.join(self.choices)}"
        if self.type in ("switch", "string", "words"):
            return {"switch": "true or false", "string": "text", "words": "words"}[self.type]
        if self.type == "size":
            return "a size such as 500M or 4G"
        noun = "a whole number" if self.type == "integer" else "a number"
        words = f"'all' or {noun}" if self.type == "samples" else noun
        if self.minimum is not None:
            words += f" from {self.minimum:g}"
        most = self.maximum if self.below is None else self.below
        if most is not None:
            words += f" to {most:.7g}" if self.below is None else f" to less than {most:.7g}"
        return words + (f" {self.unit}" if self.unit else "")

    def _fits(self, value: Any) -> bool:
        if self.type == "switch":
            return isinstance(value, bool)
        if self.type == "words":
            return isinstance(value, tuple) and all(isinstance(word, str) for word in value)
        if self.type == "string" or value == "all":
            known = isinstance(value, str) and (not self.choices or value in self.choices)
            return known and self.type in ("string", "samples")
        return self._is_number(value)

    def _is_number(self, value: Any) -> bool:
        whole = self.type in ("integer", "samples", "size")
        if isinstance(value, bool) or not isinstance(value, int if whole else (int, float)):
            return False
        return (
            math.isfinite(value)
            and (self.minimum is None or value >= self.minimum)
            and (self.maximum is None or value <= self.maximum)
            and (self.below is None or value < self.below)
        )


def _size(text: str) -> int:
    """Bytes of a size such as 4G."""
    found = _SIZE.fullmatch(text.strip())
    if found is None:
        raise ValueError(f"{text!r} is no size")
    return int(float(found[1]) * 1024 ** " KMGT".index(found[2].upper() or " "))


@lru_cache(maxsize=1)
def option_table() -> dict[str, Option]:
    """Every option by its name, in the order in which people are told of them."""
    path = Path(__file__).with_name("options.json")
    declared = json.loads(path.read_text(encoding="utf-8"))["options"]
    return {entry["name"]: _option(entry) for entry in declared}


def _option(entry: dict[str, Any]) -> Option:
    values: dict[str, Any] = {
        key: tuple(value) if isinstance(value, list) else value for key, value in entry.items()
    }
    return Option(**values)


def option(name: str) -> Option:
    """Return the option of that name.

    Raises
    ------
    KeyError
        If there is none.
    """
    return option_table()[name]


def declared(name: str) -> Any:
    """Give a field of a dataclass the default of the option of that name."""
    return field(default=option(name).default)


def options_of(*groups: str) -> tuple[Option, ...]:
    """Options of some groups, in the order of the table."""
    return tuple(item for item in option_table().values() if item.group in groups)


def checked_options(given: dict[str, Any], groups: Iterable[str]) -> dict[str, Any]:
    """Values of every option of some groups: those given, checked, and else the defaults.

    Parameters
    ----------
    given : dict
        Values by name.

    Raises
    ------
    ValueError
        For a name that is no option of the groups, or a value that it may not have.
    """
    known = {item.name: item for item in options_of(*groups)}
    unknown = sorted(set(given) - set(known))
    if unknown:
        raise ValueError(f"no option {unknown[0]!r}; {_instead(unknown[0], known)}")
    return {name: item.checked(given.get(name, item.default)) for name, item in known.items()}


def _instead(name: str, known: dict[str, Option]) -> str:
    """What may be meant by a name that is no option."""
    near = get_close_matches(name, known, n=2)
    return f"did you mean {' or '.join(near)}?" if near else f"there is: {', '.join(known)}"
