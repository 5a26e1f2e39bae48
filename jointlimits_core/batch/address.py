"""Address of a character's result: its file name, and a hash of everything that determines it."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..base.errors import InputError
from ..base.text import file_name
from ..base.version import __version__
from ..io.input import DEFAULT_LIMITS, OF_SCENES, source_file
from .manifest import Character

MAX_PART_LETTERS = 60
"""Maximum number of characters in each part of a file name; a hash tells longer names apart."""
_RESERVED = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?|.*\.", re.IGNORECASE)
"""File names that Windows does not allow."""


@dataclass(frozen=True)
class Address:
    """Location of a character's result, and the content that determines it.

    `key`: SHA-256 of `content`, in hexadecimal. `content`: plain data: program version, estimator,
    the character's entry, the input budget that affects its reading, hashes of its files. `stem`:
    start of its file names, with the folders in its name. `missing`: problem with a file that
    cannot or may not be read; empty if none.
    """

    key: str
    content: Mapping[str, Any]
    stem: str
    missing: str = ""


def address_of(character: Character, estimator: str) -> Address:
    """Address of a character's result, from hashes of its files and everything requested for it.

    `estimator`: source of the limits, since another program may get different results from the same
    inputs. The manifest's location and its other characters do not affect the address.
    """
    inputs, missing = [], ""
    for file in character.inputs:
        sha256, problem = "", file.trouble
        if not problem:
            try:
                sha256 = source_file(file.path).sha256
            except InputError as error:
                problem = error.message
        inputs.append({"path": file.shown, "sha256": sha256})
        missing = missing or (f"{file.shown}: {problem}" if problem else "")
    # A scene may lose data that exceeds one of these settings, with a warning. The other settings
    # only cause files to be rejected.
    reads_scene = any(file.shown.lower().endswith(".ma") for file in character.motions)
    most = {name: getattr(character.limits, name) for name in OF_SCENES if reads_scene}
    content = {
        "program_version": __version__,
        "estimator": estimator,
        "character": character.name,
        "entry": {
            "scene": character.scene.shown if character.scene else None,
            "clips": [file.shown for file in character.clips],
            "skeleton": character.skeleton.shown if character.skeleton else None,
            "frame_rate": character.frame_rate,
            "joints": list(character.joints),
            "root": character.root,
            "namespace": character.namespace,
            "options": dict(character.options),
        },
        "reading": {n: m for n, m in most.items() if m != getattr(DEFAULT_LIMITS, n)},
        "inputs": inputs,
    }
    text = json.dumps(content, sort_keys=True, allow_nan=False)
    key = hashlib.sha256(text.encode("utf-8")).hexdigest()
    return Address(key, content, file_stem(character.name), missing)


def file_stem(name: str) -> str:
    """Path of a character's files below the results folder, without an ending.

    It is the character's name or, if that is not a portable path, a similar one with a hash.
    """
    parts = [file_name(part)[:MAX_PART_LETTERS] for part in name.split("/")]
    path = "/".join(parts)
    if path == name and not any(map(_RESERVED.fullmatch, parts)):
        return path
    return f"{path}-{hashlib.sha256(name.encode('utf-8')).hexdigest()[:6]}"
