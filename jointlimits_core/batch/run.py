"""Sequential estimation in this process; a character that fails does not stop the others."""

from __future__ import annotations

import os
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Optional

from ..base import EstimationError, InputError, MissingPackageError, Progress, flag_naming, worded
from .cleanup import stop_if_of_folder
from .manifest import Character, Manifest
from .results import Address, Estimated, ResultFolder, address_of

Estimate = Callable[[Character, Path, Optional[Progress]], Estimated]
"""Function that estimates one character; its outputs go into the given empty folder."""

KNOWN_ERRORS = (InputError, EstimationError, MissingPackageError, OSError)
"""Errors whose message is complete without a traceback."""

CHANGED = "an input file changed while it was read; run the batch again when nothing writes to it"


@dataclass(frozen=True)
class Outcome:
    """Outcome of one character, by its position in the manifest.

    `message` is the reason of a failure, `result` the name of the result file and `findings` the
    number of findings per rule in its limit set.
    """

    item: int
    name: str
    ok: bool
    message: str
    result: str
    findings: Mapping[str, int] = field(default_factory=dict)


class Batch:
    """Characters of a manifest, and the folder of their results, created if missing.

    `estimator` names the source of the limits; it is part of every result's address.
    """

    def __init__(self, manifest: Manifest, folder: str | os.PathLike[str], estimator: str) -> None:
        self.manifest, self.estimator = manifest, estimator
        self.results = ResultFolder(Path(folder).absolute(), manifest.folder)

    def address(self, item: int) -> Address:
        """Address of a character's result, by position in the manifest."""
        return address_of(self.manifest.characters[item], self.estimator)

    def found(self, item: int) -> Outcome | None:
        """Outcome of an earlier run, if its result exists and matches."""
        address = self.address(item)
        below = self.manifest.characters[item].limits.references_below
        document = self.results.found(address, below)
        return None if document is None else self._outcome(item, address, document)

    def estimate(self, item: int, estimate: Estimate, progress: Progress | None = None) -> Outcome:
        """Estimate a character and store the result or failure.

        Raises ResultsError if the results folder is not writable, which is no failure of this
        character.
        """
        address = self.address(item)
        with self.results.scratch(address) as scratch:
            document = self._document(item, address, estimate, scratch, progress)
        return self._outcome(item, address, document)

    def fail(self, item: int, message: str, log: str) -> Outcome:
        """Store a failure outside of :meth:`estimate`, such as a crashed process."""
        address = self.address(item)
        document = self.results.write_failed(address, message, log)
        return self._outcome(item, address, document)

    def _document(
        self,
        item: int,
        address: Address,
        estimate: Estimate,
        scratch: Path,
        progress: Progress | None,
    ) -> dict[str, Any]:
        """Result of a character as written, failures included."""
        if address.missing:
            return self.results.write_failed(address, address.missing)
        character = self.manifest.characters[item]
        try:
            estimated = estimate(character, scratch, progress)
        except Exception as error:  # noqa: BLE001 - the next character may be fine
            stop_if_of_folder(error, self.results.folder, scratch)
            return self._failed(address, error)
        if self.address(item) != address:
            return self.results.write_failed(address, CHANGED)
        limit_set = replace(estimated.limit_set, character=character.name)
        return self.results.write_estimated(address, replace(estimated, limit_set=limit_set))

    def _failed(self, address: Address, error: Exception) -> dict[str, Any]:
        if isinstance(error, KNOWN_ERRORS):
            return self.results.write_failed(address, worded(error, flag_naming("reading")))
        message = f"unexpected {type(error).__name__}: {error}; see the log"
        trace = "".join(traceback.format_exception(type(error), error, error.__traceback__))
        return self.results.write_failed(address, message, trace)

    def _outcome(self, item: int, address: Address, document: dict[str, Any]) -> Outcome:
        name, ok = self.manifest.characters[item].name, document["status"] == "ok"
        message = document["message"]
        result = self.results.path(address).name
        return Outcome(item, name, ok, message, result, document["findings"])
