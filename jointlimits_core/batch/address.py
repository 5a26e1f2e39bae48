"""What a result is filed under: a hash of all that decides it."""

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
"""Letters of a character's name in the names of its files; the hash tells longer ones apart."""
KEY_LETTERS = 16


@dataclass(frozen=True)
class Address:
    """Where the result of a character is, and what decided that.

    Parameters
    ----------
    key : str
        SHA-256 of everything below, in hexadecimal.
    content : mapping
        Plain data: program version, estimator, the character's entry, limits of reading that
        matter to it, hashes of its files.
    stem : str
        How the names of its files begin.
    missing : str
        What is wrong with a file that cannot be read, or may not be; empty if all can.
    """

    key: str
    content: Mapping[str, Any]
    stem: str
    missing: str = ""


def address_of(character: Character, estimator: str) -> Address:
    """Hash the files of a character and all that was asked for.

    Parameters
    ----------
    estimator : str
        What makes the limits: the same inputs and options may give something else elsewhere.

    Returns
    -------
    Address
        The same wherever the manifest lies and whatever else is in it.
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
    """Limits of reading that are not the defaults and may change what is read.

    All others only refuse. A scene may leave out what is beyond a limit, with a finding.
    """
    files = character.motions
    if not any(file.shown.lower().endswith(".ma") for file in files):
        return {}
    given = {name: getattr(character.limits, name) for name in OF_SCENES}
    return {name: most for name, most in given.items() if most != getattr(DEFAULT_LIMITS, name)}


def _entry(character: Character) -> dict[str, Any]:
    """What the manifest says of a character, its files apart."""
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
