"""Result files of characters: named after them, written atomically, found and verified.

The key of a result is a hash of everything that determines it. A result is a small JSON document,
``NAME.result.json``, that contains its key. It is written last, so if it exists, so does everything
that it names: the limit set ``NAME.limits.json`` and other outputs of the estimator, such as a copy
of the scene. A file that no result names is never replaced. Unfinished files of killed processes
are recognized by the names that this program gives them; all other files stay, even hidden ones.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import json
import os
import re
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..base import errors, findings
from ..base.text import all_findings
from ..io.input import FilePath, SourceFile, source_file
from ..io.json import json_text, parsed_json, problems
from ..io.output import OWNER, is_abandoned, move_to_output, owner, write_text_atomically
from .address import Address, file_stem
from .manifest import Character

if TYPE_CHECKING:
    from ..formats.maya_ascii.references import NamedReference
    from ..limits.limit_set import LimitSet
    from ..limits.review_entries import ReviewEntry

KEY_LETTERS = 16
FORMAT, VERSION = "jointlimits.result", 1
ENDING = ".result.json"
LOGS = "logs"
SCRATCH, PART = ".scratch", ".part"
"""Suffixes of unfinished files: scratch folders, and files of :func:`..io.atomic_output`."""
_END = rf"\.({OWNER})\.[a-z0-9_]{{8}}"
"""Pattern for the end of a name: its owner, and the random part from Python's tempfile."""
_FOLDER = re.compile(rf"\.(.+?){_END}{re.escape(SCRATCH)}")
_FILE = re.compile(
    rf"\.(.+?)\.(?:result\.json|limits\.(?:json|html)|log|json|csv|html){_END}{re.escape(PART)}"
)
AGAIN = "the same command continues with the rest"
NOT_WRITTEN_HERE = (
    "not written by a batch, or changed since; move it away, or choose another folder for results"
)
_WITHOUT_NAME = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS)
"""Errors that only writing can raise, and that may not name the file."""


@lru_cache(maxsize=1)
def result_schema() -> dict[str, Any]:
    """Return the JSON Schema of a result."""
    return dict(json.loads(Path(__file__).with_name("result.schema.json").read_text("utf-8")))


@dataclass(frozen=True)
class Estimated:
    """Output of an estimator for one character.

    `read`: files that were read but are not in the manifest, such as referenced scenes, with hashes
    of their bytes. `references`: targets of references, including missing targets: if a reference
    later resolves elsewhere, the result no longer matches the character. `files`: files in the
    estimator's folder, as ``{".ma": copy}``; they are moved to their final paths. `repeatable`:
    whether the inputs determine the bytes of these files, which they do not if Maya saves a scene.
    `details`: plain data for the result, such as channels that could not be written into a scene.
    `first`: first entries of the page's review list.
    """

    limit_set: LimitSet
    read: tuple[SourceFile, ...] = ()
    references: tuple[NamedReference, ...] = ()
    files: Mapping[str, Path] = field(default_factory=dict)
    repeatable: bool = True
    details: Mapping[str, Any] = field(default_factory=dict)
    first: tuple[ReviewEntry, ...] = ()


class ResultFolder:
    """Folder with the results of a batch.

    `home`: folder of the manifest; paths in results are relative to it where possible.
    """

    def __init__(self, folder: Path, home: Path) -> None:
        self.folder, self.home = folder, home

    def holds(self, character: str) -> bool:
        """Whether a character has a result, up to date or not."""
        return (self.folder / (file_stem(character) + ENDING)).exists()

    def path(self, address: Address) -> Path:
        """Path of a character's result, whether or not it exists yet."""
        return self.folder / (address.stem + ENDING)

    @contextlib.contextmanager
    def scratch(self, address: Address) -> Iterator[Path]:
        """Yield an empty folder next to the results, removed at the end of the block."""
        with results_written(self.folder):
            self.folder.mkdir(parents=True, exist_ok=True)
            start = f".{os.path.basename(address.stem)}.{owner()}."
            folder = tempfile.mkdtemp(SCRATCH, start, self.folder)
        try:
            yield Path(folder)
        finally:
            # Anything that cannot be removed now is cleaned up later, as a leftover.
            shutil.rmtree(folder, ignore_errors=True)

    def remove_leftovers(self, characters: Iterable[Character]) -> None:
        """Remove unfinished files that killed processes left behind for these characters."""
        stems = [file_stem(one.name) for one in characters]
        names = {"summary", "library", *map(os.path.basename, stems)}
        below = {os.path.dirname(stem) for stem in stems} | {""}
        folders = {self.folder / top / part for part in below for top in ("", LOGS)}
        # Other batches, even on other computers, may write to the same folder at this moment.
        with contextlib.suppress(OSError):
            for path in [one for folder in folders if folder.is_dir() for one in folder.iterdir()]:
                found = _FOLDER.fullmatch(path.name) or _FILE.fullmatch(path.name)
                if not found or found[1] not in names or not is_abandoned(path, found[2]):
                    continue
                if path.is_dir():
                    shutil.rmtree(path, ignore_errors=True)
                else:
                    path.unlink()

    def find(self, address: Address, below: FilePath | None = None) -> dict[str, Any] | None:
        """Existing result with a matching address, or None.

        A result does not match if one of its files is missing or was changed, if one of its inputs
        was changed, if a reference now resolves elsewhere, or if a missing reference can be read.
        `below`: folder that references may not leave.
        """
        document = self._read_result(address)
        return document if document and self._fits(document, address, below) else None

    def _read_result(self, address: Address) -> dict[str, Any] | None:
        """Valid result of the character, whether up to date or not; None if there is none."""
        path = self.path(address)
        # Reading a missing file is slow: the error compares its name with all others in the folder.
        if not path.exists():
            return None
        try:
            text = json_text(path, errors.InputError, "")
            found: Any = parsed_json(text, str(path), errors.InputError, "result")
        except errors.InputError:
            return None
        return found if next(problems(found, result_schema()), None) is None else None

    def _fits(self, document: dict[str, Any], address: Address, below: FilePath | None) -> bool:
        """Whether a result has this address, and no file or reference that it names has changed."""
        if any(document[name] != value for name, value in _head(address).items()):
            return False
        # All files must belong to this character; its limits are among them if it has any.
        names = {one["name"]: one["sha256"] for one in document["files"]}
        has_limits = names.get(f"{address.stem}.limits.json") is not None
        own = rf"{re.escape(address.stem)}(-{address.key[:KEY_LETTERS]})?\.[\w.]+"
        if has_limits != (document["status"] == "ok"):
            return False
        if not all(re.fullmatch(own, name) for name in names):
            return False
        named = [(self.folder / name, sha256) for name, sha256 in names.items()]
        named += [(self.home / one["path"], one["sha256"]) for one in document["read"]]
        try:
            if any(self._leads_elsewhere(one, below) for one in document["references"]):
                return False
        except ValueError:  # a reference that cannot be a path
            return False
        return all(_is_same(path, sha256) for path, sha256 in named)

    def _leads_elsewhere(self, reference: Mapping[str, Any], below: FilePath | None) -> bool:
        """Whether a reference stored in a result now resolves to another file."""
        # Imported here, because few results have scenes.
        from ..formats.maya_ascii.references import leads_to

        scene, stored = reference["scene"], reference["stored"]
        if scene:
            place = leads_to(os.fspath(self.home / scene), stored, below)
        else:
            place = leads_to("", os.fspath(self.home / stored))
        return bool(reference["found"] != (None if place is None else self.relative_text(place)))

    def write_estimated(self, address: Address, estimated: Estimated) -> dict[str, Any]:
        """Store an estimator's output; the result file comes last.

        Returns the result as written: a failure if a foreign file has one of its names. Raises
        ResultsError if it cannot be written.
        """
        # Imported here, because finding and merging results must not need numpy.
        from ..limits.review_entries import review

        before = self._read_result(address) or {"files": []}
        vouched = {one["name"]: one["sha256"] for one in before["files"]}
        with results_written(self.folder):
            made = _output_files(address, estimated)
            for name, (_, own) in made.items():
                place, known = self.folder / name, (own, vouched.get(name, ""))
                if place.exists() and not any(_is_same(place, one) for one in known):
                    return self.write_failed(address, f"{name}: {NOT_WRITTEN_HERE}")
            for name, (content, _) in made.items():
                if isinstance(content, Path):
                    move_to_output(content, self.folder / name)
                else:
                    write_text_atomically(self.folder / name, content)
            self._log(address).unlink(missing_ok=True)
        shown, looked = self.relative_text, review(estimated.limit_set)
        references = [
            {
                "scene": shown(one.scene),
                # A scene's references are looked up as written; absolute paths are resolved.
                "stored": one.stored if one.scene else shown(one.stored),
                "found": None if one.found is None else shown(one.found),
            }
            for one in estimated.references
        ]
        return self._write(
            address,
            status="ok",
            files=[{"name": name, "sha256": own} for name, (_, own) in made.items()],
            read=[{"path": shown(one.path), "sha256": one.sha256} for one in estimated.read],
            references=references,
            findings=findings.rule_counts(all_findings(estimated.limit_set)),
            to_look_at=len(looked.entries),
            suggestions=len(looked.suggestions),
            details=dict(estimated.details),
        )

    def write_failed(
        self, address: Address, message: str, log: str = "", status: str = "failed"
    ) -> dict[str, Any]:
        """Record that a character "failed" or was "skipped", and why.

        `message`: reason to show; absolute paths below the manifest's folder become relative.
        `log`: text of the log next to the result, such as a traceback. Raises ResultsError if it
        cannot be written.
        """
        if log:
            with results_written(self.folder):
                write_text_atomically(self._log(address), log)
        return self._write(address, status=status, message=self.relative_text(message))

    def check_writable(self) -> None:
        """Raise ResultsError if no file can be created in the folder; create it if missing."""
        with results_written(self.folder):
            self.folder.mkdir(parents=True, exist_ok=True)
            try:
                tempfile.TemporaryFile(dir=self.folder).close()
            except OSError as error:
                raise OSError(error.errno, error.strerror, str(self.folder)) from None

    def _log(self, address: Address) -> Path:
        return self.folder / LOGS / f"{address.stem}.log"

    def relative_text(self, text: str) -> str:
        """Text with paths below the manifest's folder written relative to it."""
        return text.replace(f"{self.home.as_posix()}/", "").replace(f"{self.home}{os.sep}", "")

    def _write(self, address: Address, **fields: Any) -> dict[str, Any]:
        """Write the result and return it; fields that are not given are empty."""
        empty: dict[str, Any] = {"message": "", "files": [], "read": [], "references": []}
        empty |= {"findings": {}, "to_look_at": 0, "suggestions": 0, "details": {}}
        document = {**_head(address), "status": "failed", **empty, **fields}
        text = json.dumps(document, indent=1, allow_nan=False) + "\n"
        with results_written(self.folder):
            write_text_atomically(self.path(address), text)
        return document


def _output_files(
    address: Address, estimated: Estimated
) -> dict[str, tuple[str | Path, str | None]]:
    """Content and hash of every output, by name; the hash is None if it is unpredictable."""
    text = estimated.limit_set.to_json()
    made: dict[str, tuple[str | Path, str | None]] = {}
    made[f"{address.stem}.limits.json"] = text, hashlib.sha256(text.encode("utf-8")).hexdigest()
    for ending, path in sorted(estimated.files.items()):
        if estimated.repeatable:
            made[address.stem + ending] = path, source_file(path).sha256
        else:
            made[f"{address.stem}-{address.key[:KEY_LETTERS]}{ending}"] = path, None
    return made


def _head(address: Address) -> dict[str, Any]:
    return {"format": FORMAT, "version": VERSION, "key": address.key, **address.content}


def _is_same(path: Path, sha256: str | None) -> bool:
    """Whether a file exists with these bytes; any bytes match if they are unpredictable.

    A scene saved by Maya contains the time of saving.
    """
    if sha256 is None:
        return path.is_file()
    try:
        return source_file(path).sha256 == sha256
    except errors.InputError:
        return False


class ResultsError(Exception):
    """Results cannot be written, so no character can finish; the message says what to do."""


@contextlib.contextmanager
def results_written(folder: Path) -> Iterator[None]:
    """Turn an OSError in the block, which writes results, into a :class:`ResultsError`."""
    try:
        yield
    except OSError as error:
        raise _results_error(folder, error) from error


def stop_if_of_folder(error: BaseException, folder: Path, scratch: Path) -> None:
    """Raise a ResultsError if an estimate failed because the results folder is not writable.

    The causes of the error are also checked. An estimate writes only to `scratch`, which is below
    the results folder.
    """
    one: BaseException | None = error
    while one is not None:
        if isinstance(one, OSError):
            concerns = one.errno in _WITHOUT_NAME
            if one.filename is not None:
                place = Path(os.path.abspath(os.fsdecode(one.filename)))
                concerns = one.errno in errors.ADVICE and scratch in (place, *place.parents)
            if concerns:
                raise _results_error(folder, one) from error
        one = one.__cause__ or one.__context__


def _results_error(folder: Path, error: OSError) -> ResultsError:
    where = "" if error.filename else f"{folder}: "
    advice = errors.ADVICE.get(error.errno or 0, "check the results folder")
    words = errors.system_words(error)
    words = words if words.endswith(advice) else f"{words}; {advice}"
    return ResultsError(f"results cannot be written: {where}{words}; {AGAIN}")
