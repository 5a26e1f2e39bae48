"""People files: one ``.npz`` with the reaches of several people, and names, sources and licences.

Nothing in it is executable, arrays are stored uncompressed, and the same people give the same
bytes. ``people.npz`` beside this module comes with the program; see its licence lines.
"""

from __future__ import annotations

import json
import os
import zipfile
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from ..base.errors import InputError
from ..geometry.arrays import Floats
from ..io.input import DEFAULT_LIMITS, FilePath, ReadLimits, open_regular, read_error_reason
from ..io.json import parsed_json, problems
from ..io.output import atomic_output
from ..io.stored_arrays import BYTE, REAL, check_stored, read_array
from .neutral import PARTS, way_count
from .people import People, Person

FORMAT, VERSION = "jointlimits.people", 1
SHIPPED = Path(__file__).with_name("people.npz")
SHIPPED_WORD = "people"
WHAT = "people file"
UNKNOWN_DEG = -999.0
"""Stored in place of an unknown reach."""
MAX_REACH_DEG = 180.0
DIGITS = 2
_TEXT = {"type": "string"}
_PERSON = {
    "type": "object",
    "required": ["name", "source", "licence", "frames"],
    "properties": {
        **dict.fromkeys(("name", "source", "licence"), _TEXT),
        "frames": {"type": "integer", "minimum": 1},
    },
    "additionalProperties": False,
}
SCHEMA: dict[str, Any] = {
    "type": "object",
    "required": ["format", "version", "persons"],
    "properties": {
        "format": {"const": FORMAT},
        "version": {"const": VERSION},
        "persons": {"type": "array", "items": _PERSON, "minItems": 1},
    },
    "additionalProperties": False,
}
"""JSON Schema of the document."""


class PeopleError(InputError):
    """A people file that cannot be read."""


def write_people(people: People, path: FilePath) -> None:
    """Write people to a file, completely or not at all."""
    persons = [
        {"name": one.name, "source": one.source, "licence": one.licence, "frames": one.frames}
        for one in people.persons
    ]
    text = json.dumps({"format": FORMAT, "version": VERSION, "persons": persons}, indent=1)
    arrays = {"document": np.frombuffer(text.encode("ascii"), dtype=BYTE)}
    for part in PARTS:
        unknown = np.full(way_count(part), np.nan)
        values = np.array([one.reaches.get(part, unknown) for one in people.persons], dtype=REAL)
        arrays[part] = np.where(np.isnan(values), UNKNOWN_DEG, values.round(DIGITS))
    with atomic_output(path) as stream:
        np.savez(stream, **arrays)  # type: ignore[arg-type]


@lru_cache(maxsize=1)
def shipped_people() -> People:
    """People included with the program."""
    return read_people(SHIPPED)


def people_named(value: FilePath, limits: ReadLimits = DEFAULT_LIMITS) -> People:
    """People from a file; "people" means those included with the program."""
    return shipped_people() if value == SHIPPED_WORD else read_people(value, limits)


def read_people(path: FilePath, limits: ReadLimits = DEFAULT_LIMITS) -> People:
    """Read a people file. Raises PeopleError if it cannot be read or is not a people file."""
    try:
        with open_regular(path, PeopleError) as stream, zipfile.ZipFile(stream) as packed:
            check_stored(packed, path, stream, limits, PeopleError, WHAT)
            return _people(packed)
    except OSError as error:
        raise PeopleError(path, read_error_reason(error)) from None
    except (zipfile.BadZipFile, NotImplementedError, KeyError, ValueError, EOFError) as error:
        if isinstance(error, PeopleError) and error.path == os.fspath(path):
            raise
        text = f"not a {WHAT}, or damaged ({error}); make it again with `jointlimits people`"
        raise PeopleError(path, text) from None


def _is_impossible(values: Floats) -> bool:
    """Whether someone's directions are below 0, or the two ends of a bend or twist are swapped."""
    swapped = values[:, -2] + values[:, -1] < -(10.0**-DIGITS)  # each end is rounded
    return bool(swapped.any() or (values[:, :-2] < 0.0).any())


def _people(packed: zipfile.ZipFile) -> People:
    """People in an open file; ValueError for anything that :func:`write_people` does not write."""
    text = read_array(packed, "document", BYTE).tobytes().decode("ascii")
    data = parsed_json(text, "document", PeopleError, WHAT)
    wrong = next(problems(data, SCHEMA), None)
    if wrong is not None:
        raise ValueError(wrong)
    persons = data["persons"]
    reaches = {}
    for part in PARTS:
        values = read_array(packed, part, REAL)
        if values.shape != (len(persons), way_count(part)):
            raise ValueError(f"{part} has the shape {values.shape}")
        unknown = values == UNKNOWN_DEG
        if (np.abs(values[~unknown]) > MAX_REACH_DEG).any():
            raise ValueError(f"{part} has an angle beyond {MAX_REACH_DEG:g} degrees")
        reaches[part] = np.where(unknown, np.nan, values)
        if _is_impossible(reaches[part]):
            raise ValueError(f"{part} ends before it begins")
    rows = [
        {part: values[at] for part, values in reaches.items() if not np.isnan(values[at]).all()}
        for at in range(len(persons))
    ]
    return People(tuple(Person(**one, reaches=row) for one, row in zip(persons, rows)))
