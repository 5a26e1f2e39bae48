"""Address of a result: a hash of everything that determines it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .._version import __version__
from ..errors import InputError
from ..file_names import file_name
from ..formats.read_limits import DEFAULT_LIMITS, OF_SCENES
from ..formats.source import source_file
from ..source_file import SourceFile
from .manifest import Character, ManifestFile

NAME_LETTERS = 60
"""Letters of a character's name kept in file names; the hash tells longer names apart."""
KEY_LETTERS = 16


@dataclass(frozen=True)
class Address:
    """Where a character's result is stored, and what determines it.

    Parameters
    ----------
    key : str
        SHA-256 of everything below, in hexadecimal.
    content : mapping
        Plain data: program version, estimator, the character's entry, the input budget that
        affects its reading, hashes of its files.
    stem : str
        Start of its file names.
    missing : str
        Problem with a file that cannot or may not be read; empty if all can.
    """

    key: str
    content: Mapping[str, Any]
    stem: str
    missing: str = ""


def address_of(character: Character, estimator: str) -> Address:
    """Hash a character's files and everything requested for it.

    Parameters
    ----------
    estimator : str
        Source of the limits: the same inputs and options may give other results elsewhere.

    Returns
    -------
    Address
        Independent of where the manifest is and what else it contains.
    """
    hashed = [_hashed(file) for file in character.inputs]
    content = {
        "program_version": __version__,
        "estimator": estimator,
        "character": character.name,
        "entry": _entry(character),
        "reading": _reading(character),
        "inputs": [{"path": file.path, "sha256": file.sha256} for file, _ in hashed],
    }
    text = json.dumps(content, sort_keys=True, allow_nan=False)
    key = hashlib.sha256(text.encode("utf-8")).hexdigest()
    name = file_name(character.name)[:NAME_LETTERS]
    missing = next((problem for _, problem in hashed if problem), "")
    return Address(key, content, f"{name}-{key[:KEY_LETTERS]}", missing)


def _hashed(file: ManifestFile) -> tuple[SourceFile, str]:
    if file.trouble:
        return SourceFile(file.shown, ""), f"{file.shown}: {file.trouble}"
    try:
        return SourceFile(file.shown, source_file(file.path).sha256), ""
    except InputError as error:
        return SourceFile(file.shown, ""), f"{file.shown}: {error.message}"


def _reading(character: Character) -> dict[str, int]:
    """Input budget settings that differ from the defaults and may change what is read.

    The others only reject files. A scene may drop what exceeds a limit, with a warning.
    """
    files = character.motions
    if not any(file.shown.lower().endswith(".ma") for file in files):
        return {}
    given = {name: getattr(character.limits, name) for name in OF_SCENES}
    return {name: most for name, most in given.items() if most != getattr(DEFAULT_LIMITS, name)}


def _entry(character: Character) -> dict[str, Any]:
    """Manifest entry of a character, without its files."""
    return {
        "scene": character.scene.shown if character.scene else None,
        "clips": [file.shown for file in character.clips],
        "skeleton": character.skeleton.shown if character.skeleton else None,
        "frame_rate": character.frame_rate,
        "joints": list(character.joints),
        "root": character.root,
        "namespace": character.namespace,
        "options": dict(character.options),
    }
