"""Results of characters as files: addressed by content, written atomically, found and verified.

The address of a result is a hash of everything that determines it. A result is one small JSON
document, ``NAME-HASH.result.json``. It is written last, so where it exists everything it names
exists: the limit set ``NAME-HASH.limits.json`` and other outputs of the estimator, such as a copy
of the scene. What killed processes left unfinished is recognized by names that this program
generates; other files stay, hidden or not.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import json
import os
import re
import shutil
import stat
import tempfile
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..base import InputError, all_findings, counted, file_name, system_words
from ..base.version import __version__
from ..io import (
    DEFAULT_LIMITS,
    OF_SCENES,
    OWNER,
    FilePath,
    SourceFile,
    is_abandoned,
    json_text,
    owner,
    parsed_json,
    problems,
    source_file,
    write_text_atomically,
)
from .manifest import Character, ManifestFile

if TYPE_CHECKING:
    from ..formats.maya_ascii import NamedReference
    from ..limits import LimitSet

NAME_LETTERS = 60
"""Letters of a character's name kept in file names; the hash tells longer names apart."""
KEY_LETTERS = 16
FORMAT, VERSION = "jointlimits.result", 1
ENDING = ".result.json"
LOGS = "logs"
SCRATCH, PART = ".scratch", ".part"
"""Suffixes of unfinished files: scratch folders, and files of :func:`..io.atomic_output`."""
_STEM = r"[\w.+-]{1,60}-[0-9a-f]{16}"
"""Address part of a name: a character's name as a file name, and letters of its hash."""
_END = rf"\.({OWNER})\.[a-z0-9_]{{8}}"
"""Owner part of a name, and the random part from Python's tempfile."""
_FOLDER = re.compile(rf"\.{_STEM}{_END}{re.escape(SCRATCH)}")
_FILE = re.compile(
    rf"\.(?:{_STEM}\.(?:result\.json|limits\.json|log)|summary\.json|library\.(?:json|html))"
    rf"{_END}{re.escape(PART)}"
)
NO_ROOM = (errno.ENOSPC, errno.EDQUOT)
TOO_LARGE = (errno.EFBIG,)
NOT_OURS = (errno.EACCES, errno.EPERM, errno.EROFS)
ADVICE = {
    **dict.fromkeys(NO_ROOM, "free some space there, or choose another folder"),
    **dict.fromkeys(TOO_LARGE, "allow larger files, or choose another folder"),
    **dict.fromkeys(NOT_OURS, "give this user write permission, or choose another folder"),
}
AGAIN = "the same command continues with the rest"
_WITHOUT_NAME = (*NO_ROOM, *TOO_LARGE, errno.EROFS)
"""Errors that only writing raises; the system does not always name the file."""
_OWN = (*("status", "message", "files", "read", "references", "findings", "to_look_at", "details"),)


@dataclass(frozen=True)
class Address:
    """Where a character's result is stored, and what determines it.

    `key`: SHA-256 of everything below, in hexadecimal. `content`: plain data: program version,
    estimator, the character's entry, the input budget that affects its reading, hashes of its
    files. `stem`: start of its file names. `missing`: problem with a file that cannot or may not be
    read; empty if all can.
    """

    key: str
    content: Mapping[str, Any]
    stem: str
    missing: str = ""


def address_of(character: Character, estimator: str) -> Address:
    """Hash a character's files and everything requested for it.

    `estimator`: source of the limits: the same inputs and options may give other results elsewhere.
    The address is independent of where the manifest is and what else it contains.
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


@lru_cache(maxsize=1)
def result_schema() -> dict[str, Any]:
    """Return the JSON Schema of a result."""
    path = Path(__file__).with_name("result.schema.json")
    schema: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return schema


@dataclass(frozen=True)
class Estimated:
    """Output of an estimator for one character.

    `read`: files read besides those in the manifest, such as referenced scenes, with hashes of
    their bytes. `references`: targets of references, including missing ones: if one resolves
    elsewhere later, the result no longer matches the character. `files`: files written to the
    folder it was given, as ``{".ma": copy}``; they are moved to their final paths. `details`: plain
    data stored in the result, such as what could not be written into a scene.
    """

    limit_set: LimitSet
    read: tuple[SourceFile, ...] = ()
    references: tuple[NamedReference, ...] = ()
    files: Mapping[str, Path] = field(default_factory=dict)
    details: Mapping[str, Any] = field(default_factory=dict)


class ResultFolder:
    """Folder with the results of a batch.

    `home`: folder of the manifest; paths in results are relative to it where possible.
    """

    def __init__(self, folder: Path, home: Path) -> None:
        self.folder, self.home = folder, home

    def path(self, address: Address) -> Path:
        """Path of a character's result, whether or not it exists."""
        return self.folder / (address.stem + ENDING)

    def limits_path(self, address: Address) -> Path:
        """Path of a character's limit set, whether or not it exists."""
        return self.folder / (address.stem + ".limits.json")

    @contextlib.contextmanager
    def scratch(self, address: Address) -> Iterator[Path]:
        """Yield an empty folder beside the results, removed at the end of the block."""
        with results_written(self.folder):
            self.folder.mkdir(parents=True, exist_ok=True)
            folder = tempfile.mkdtemp(SCRATCH, f".{address.stem}.{owner()}.", self.folder)
        try:
            yield Path(folder)
        finally:
            # Anything that cannot be removed now is cleaned up as a leftover.
            shutil.rmtree(folder, ignore_errors=True)

    def remove_leftovers(self) -> None:
        """Remove what killed processes left unfinished, but nothing that is in use."""
        with contextlib.suppress(OSError):
            for path in [*leftovers(self.folder), *leftovers(self.folder / LOGS)]:
                if path.is_dir():
                    shutil.rmtree(path, ignore_errors=True)
                else:
                    path.unlink()

    def found(self, address: Address, below: FilePath | None = None) -> dict[str, Any] | None:
        """Result that exists and matches its address, or None.

        A result does not match if its files are missing or were changed, if files it was made from
        changed, or if references resolve elsewhere now or one that was missing is readable.
        `below`: folder that references may not leave.
        """
        path = self.path(address)
        try:
            text = json_text(path, InputError, "")
            document = parsed_json(text, str(path), InputError, "result")
        except InputError:
            return None
        return document if self._fits(document, address, below) else None

    def _fits(self, document: Any, address: Address, below: FilePath | None) -> bool:
        if not isinstance(document, dict) or document.get("key") != address.key:
            return False
        if next(problems(document, result_schema()), None) is not None:
            return False
        try:
            # Results of older versions do not say what there is to look at.
            rest = {key: document[key] for key in _OWN if key in document}
            expected = {**_head(address), **rest}
            named = [(self.folder / one["name"], one["sha256"]) for one in rest["files"]]
            named += [(self.home / one["path"], one["sha256"]) for one in rest["read"]]
            if any(self._leads_elsewhere(one, below) for one in rest["references"]):
                return False
        except (KeyError, TypeError, ValueError):
            return False
        if not self._names_its_own(document, address):
            return False
        return document == expected and all(_is_same(path, sha256) for path, sha256 in named)

    def _names_its_own(self, document: Mapping[str, Any], address: Address) -> bool:
        """Whether all files are this character's, with its limits among them if there are any."""
        names = {one["name"]: one["sha256"] for one in document["files"]}
        foreign = [name for name in names if not _is_of(address, name)]
        has_limits = names.get(self.limits_path(address).name) is not None
        return not foreign and has_limits == (document["status"] == "ok")

    def _leads_elsewhere(self, stored_reference: Mapping[str, Any], below: FilePath | None) -> bool:
        # Imported here, as few results have scenes.
        from ..formats.maya_ascii import leads_to

        scene, stored = stored_reference["scene"], stored_reference["stored"]
        if scene:
            place = leads_to(os.fspath(self.home / scene), stored, below)
        else:
            place = leads_to("", os.fspath(self.home / stored))
        found: str | None = stored_reference["found"]
        return found != (None if place is None else self.shown(place))

    def write_estimated(self, address: Address, estimated: Estimated) -> dict[str, Any]:
        """Store an estimator's output; the result file comes last.

        Returns the result as written. Raises ResultsError if it cannot be written.
        """
        # Imported here, as results are found and merged without numpy.
        from ..limits import review

        with results_written(self.folder):
            files = self._filed(address, estimated)
            self._log(address).unlink(missing_ok=True)
        read = [{"path": self.shown(one.path), "sha256": one.sha256} for one in estimated.read]
        return self._write(
            address,
            status="ok",
            files=files,
            read=read,
            references=[self._reference(one) for one in estimated.references],
            findings=counted(all_findings(estimated.limit_set)),
            to_look_at=len(review(estimated.limit_set).entries),
            details=dict(estimated.details),
        )

    def _filed(self, address: Address, estimated: Estimated) -> list[dict[str, str | None]]:
        """Move the limit set and other outputs to their final paths."""
        files: list[dict[str, str | None]] = []
        for ending, made in sorted(estimated.files.items()):
            target = self.folder / (address.stem + ending)
            os.replace(made, target)
            files.append({"name": target.name, "sha256": None})
        text = estimated.limit_set.to_json()
        limits = self.limits_path(address)
        write_text_atomically(limits, text)
        sha256 = hashlib.sha256(text.encode("utf-8")).hexdigest()
        return [{"name": limits.name, "sha256": sha256}, *files]

    def _reference(self, one: NamedReference) -> dict[str, str | None]:
        found = None if one.found is None else self.shown(one.found)
        # References in a scene are searched for as written; absolute paths are resolved ones.
        stored = one.stored if one.scene else self.shown(one.stored)
        return {"scene": self.shown(one.scene), "stored": stored, "found": found}

    def write_failed(
        self, address: Address, message: str, log: str = "", status: str = "failed"
    ) -> dict[str, Any]:
        """Store that a character "failed" or was "skipped", and why.

        `message`: reason for people; absolute paths below the manifest's folder become relative.
        `log`: text of the log beside the result, such as a traceback. Raises ResultsError if it
        cannot be written.
        """
        if log:
            with results_written(self.folder):
                write_text_atomically(self._log(address), log)
        return self._write(address, status=status, message=self.shown(message))

    def _log(self, address: Address) -> Path:
        return self.folder / LOGS / f"{address.stem}.log"

    def shown(self, text: str) -> str:
        """Text with paths below the manifest's folder written relative to it."""
        return text.replace(f"{self.home.as_posix()}/", "").replace(f"{self.home}{os.sep}", "")

    def _write(self, address: Address, **fields: Any) -> dict[str, Any]:
        lists: dict[str, Any] = {"files": [], "read": [], "references": []}
        empty = {
            "status": "failed",
            "message": "",
            **lists,
            "findings": {},
            "to_look_at": 0,
            "details": {},
        }
        document = {**_head(address), **empty, **fields}
        text = json.dumps(document, indent=1, allow_nan=False) + "\n"
        with results_written(self.folder):
            write_text_atomically(self.path(address), text)
        return document


def _head(address: Address) -> dict[str, Any]:
    return {"format": FORMAT, "version": VERSION, "key": address.key, **address.content}


def _is_of(address: Address, name: str) -> bool:
    return name.startswith(f"{address.stem}.") and os.path.basename(name) == name


def _is_same(path: Path, sha256: str | None) -> bool:
    """Whether a file exists with these bytes; any bytes match if they are unpredictable.

    A scene saved by Maya contains the time.
    """
    if sha256 is None:
        return path.is_file()
    try:
        return source_file(path).sha256 == sha256
    except InputError:
        return False


def leftovers(folder: Path) -> Iterator[Path]:
    """Yield scratch folders and partial files that no running batch owns.

    Several batches may share a folder of results or logs, from several computers, while another
    one summarizes. Only real folders and files are yielded: links are never ours, whatever their
    name. The folder need not exist.
    """
    if not folder.is_dir():
        return
    for path in sorted(folder.iterdir()):
        found = _FOLDER.fullmatch(path.name) or _FILE.fullmatch(path.name)
        if found and _is_left(path, found[1], is_folder=path.name.endswith(SCRATCH)):
            yield path


def _is_left(path: Path, whose: str, is_folder: bool) -> bool:
    try:
        status = path.lstat()
    except OSError:
        return False  # its owner finished with it
    is_real = stat.S_ISDIR(status.st_mode) if is_folder else stat.S_ISREG(status.st_mode)
    return is_real and is_abandoned(whose, time.time() - status.st_mtime)


class ResultsError(Exception):
    """Results cannot be written, so no character can finish; the message says what to do."""


@contextlib.contextmanager
def results_written(folder: Path) -> Iterator[None]:
    """Turn an OSError while the block writes results into a :class:`ResultsError`."""
    try:
        yield
    except OSError as error:
        raise _results_error(folder, error) from error


def stop_if_of_folder(error: BaseException, folder: Path, scratch: Path) -> None:
    """Raise a ResultsError if an estimate failed because the results folder is not writable.

    The causes of the error are checked too. `scratch` is the only folder below the folder of
    results that an estimate writes to.
    """
    one: BaseException | None = error
    while one is not None:
        if isinstance(one, OSError) and _concerns(one, scratch):
            raise _results_error(folder, one) from error
        one = one.__cause__ or one.__context__


def _concerns(error: OSError, scratch: Path) -> bool:
    if error.filename is None:
        return error.errno in _WITHOUT_NAME
    place = os.path.abspath(os.fsdecode(error.filename))
    return error.errno in ADVICE and scratch in (Path(place), *Path(place).parents)


def _results_error(folder: Path, error: OSError) -> ResultsError:
    advice = ADVICE.get(error.errno or 0)
    where = "" if error.filename else f"{folder}: "
    what = advice or "check the results folder"
    return ResultsError(f"results cannot be written: {where}{system_words(error)}; {what}; {AGAIN}")
