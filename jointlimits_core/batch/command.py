"""Command-line program of a batch for any estimator: arguments, workers, log, exit codes.

Exit codes: 0 all characters have limits, 1 at least one has no limits, 2 usage error, 74 results
cannot be written; 129, 130, 143 stopped by a closed terminal, Ctrl-C or a farm's signal. With
--progress openjd, a part (--items) exits with 0 even if characters failed: the farm then merges.

Every character gets a line. Farms that use Open Job Description also parse these lines on standard
output: ``openjd_progress`` in percent, ``openjd_status``, and ``openjd_fail`` with the reason for a
failure ("How Jobs Are Run" in its specification).
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

from ..base import errors, findings
from ..base.options import CommandParser, add_flags, flag_naming, option, options_of
from ..base.progress import PARTS, TimeLeft, report_message
from ..base.text import plural, printable
from ..io import process, progress_line
from ..io.input import add_reading, reading_flags
from ..io.json import check_replaceable, json_text
from ..io.logs import RunLog, kept_log, log_path
from . import results, run
from .manifest import Character, Manifest, items_from_text, read_manifest
from .workers import WorkerError, Workers, leave, serve

OTHER_FOLDER = "choose another folder for the results"
_NOT_LOGGED = ("log", "run", "budget", "own_log", "own_signals", "command", "worker", "old")
OPENJD = "openjd"
SCREEN_LINES = 20
"""Number of lines that stay visible on a terminal."""
NO_RESULTS_EXIT_CODE = 74
"""Exit code of a batch whose results cannot be written (EX_IOERR in sysexits.h)."""
STOPPED = "stopped; finished results are complete; the same command continues with the rest"


def log_result(log: RunLog, batch: run.Batch, outcome: run.Outcome) -> None:
    """Log a character's result with the hashes of the files read and written."""
    path = batch.results.folder / outcome.result
    try:
        document = json.loads(json_text(path, errors.InputError, "it is no longer a result file"))
        log.event(
            "result", f"{outcome.item} {outcome.name}: {outcome.result}, {document['status']}"
        )
        for one in (*document["inputs"], *document["read"]):
            log.event("read", f"{one['path']}, sha256 {one['sha256']}")
        for one in document["files"]:
            log.event("wrote", f"{one['name']}, sha256 {one['sha256'] or 'not taken'}")
    except (OSError, ValueError, KeyError, TypeError) as error:
        log.event("result", f"{outcome.item} {outcome.name}: {outcome.result}: {error}")


@dataclass(frozen=True)
class BatchProgram:
    """Host-specific part of a batch.

    `name`: name of the command that users see. `estimator`: source of the limits; part of every
    result's address. `start`: prepares a worker process for estimating and returns the estimate
    function. `check`: raises ValueError for an entry that cannot be estimated at all, such as one
    with an unknown option. `command`: argument list that starts the same program again.
    `environment`: environment of the workers. `per_process`: number of characters after which a
    worker process is replaced. `most_jobs`: default number of processes; None for one per core.
    """

    name: str
    estimator: str
    start: Callable[[], run.Estimate]
    check: Callable[[Character], None]
    command: Sequence[str]
    environment: Mapping[str, str] | None = None
    per_process: int = 20
    most_jobs: int | None = None


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments that every batch accepts."""
    add_flags(parser, [*options_of("batch", "run"), option("format")], required=("manifest", "out"))
    parser.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    # Former options that are now always on.
    parser.add_argument(
        *("--resume", "--library-report"), dest="old", action="store_true", help=argparse.SUPPRESS
    )
    add_reading(parser)


def batch_main(
    program: BatchProgram, arguments: Sequence[str] | None, usage: str, description: str | None
) -> int:
    """Run a batch program and return the exit code.

    `arguments`: by default, the process's arguments. `usage`, `description`: shown in the help.
    """
    process.standard_streams()
    parser = CommandParser(prog=usage, description=description)
    add_arguments(parser)
    return run_batch(program, parser.parse_args(arguments))


def run_batch(program: BatchProgram, options: argparse.Namespace) -> int:
    """Run a batch and return the exit code; a worker process exits here."""
    if options.worker:
        leave(_exit_code(program, options))
    with process.resend_lost_interrupts(), process.terminating_signals():
        try:
            return _exit_code(program, options)
        except KeyboardInterrupt as stop:
            return _report_end(program, options, STOPPED, process.interrupted_code(stop))


def _exit_code(program: BatchProgram, options: argparse.Namespace) -> int:
    """Run the batch or serve as a worker; exceptions become a message and an exit code."""
    try:
        if options.items and options.merge:
            raise ValueError("--merge summarizes all items and cannot be combined with --items")
        if options.format == "json" and options.progress == OPENJD:
            raise ValueError("--format json prints one object alone; omit --progress openjd")
        manifest = _checked_manifest(program, options)
        items = items_from_text(options.items, len(manifest.characters))
        if not options.worker:
            check_foreign_results(Path(options.out).absolute())
    except (errors.ManifestError, ValueError) as error:
        return _report_end(program, options, errors.reader_words(error, flag_naming("reading")), 2)
    batch = run.Batch(manifest, options.out, program.estimator)
    try:
        batch.results.check_writable()
    except results.ResultsError as error:
        return _report_end(program, options, f"stopped: {error}", NO_RESULTS_EXIT_CODE)
    path = options.log or log_path(batch.results.folder / results.LOGS, of_run=True)
    shown = {key: value for key, value in vars(options).items() if key not in _NOT_LOGGED}
    words = [program.name, *sys.argv[1:]]
    log_file = kept_log(path, lambda text: say(text, sys.stderr), words, shown)
    with contextlib.nullcontext() if options.worker else log_file as log:
        try:
            if log is None:
                process.ignore_interrupts()
                serve(batch, program.start(), sys.stdin, sys.stdout)
                return 0
            log.hear_arguments([options.manifest])
            text, code = "", _run(program, batch, items, options, log)
        except results.ResultsError as error:
            text, code = f"stopped: {error}", NO_RESULTS_EXIT_CODE
        except (WorkerError, errors.InputError) as error:
            text, code = f"stopped: {error}", 1
        except OSError as error:
            text, code = f"stopped: {errors.system_words(error)}", 1
        except KeyboardInterrupt as stop:
            text, code = STOPPED, process.interrupted_code(stop)
        if text:
            batch.results.remove_leftovers(batch.manifest.characters)
            _report_end(program, options, text, code)
        if log is not None:
            log.end(f"exit code {code}")
    return code


def _report_end(program: BatchProgram, options: argparse.Namespace, text: str, code: int) -> int:
    """Report to users and farms why the batch ends, and return the exit code."""
    say(f"{program.name}: {text}", sys.stderr)
    if options.progress == OPENJD:
        say_failure(text)
    return code


def _checked_manifest(program: BatchProgram, options: argparse.Namespace) -> Manifest:
    manifest = read_manifest(
        options.manifest, allow_outside=options.allow_outside, limits=options.budget
    )
    for number, character in enumerate(manifest.characters):
        try:
            program.check(character)
        except ValueError as error:
            place = f"characters[{number}] ({character.name})"
            raise errors.ManifestError(options.manifest, f"{place}: {error}") from None
    return manifest


def _run(
    program: BatchProgram,
    batch: run.Batch,
    items: Sequence[int],
    options: argparse.Namespace,
    log: RunLog,
) -> int:
    """Estimate and summarize; return the exit code. With JSON, lines appear only in the log."""
    is_json = options.format == "json"
    with contextlib.redirect_stdout(io.StringIO() if is_json else sys.stdout):
        failed = _estimate_pending(program, batch, items, options, log)
        if options.items:
            # A farm starts the merging step, which counts failures, only if all parts succeed.
            code = 1 if failed and options.progress != OPENJD else 0
            summary = run.summary_of(batch, items) if is_json else {}
        else:
            with results.results_written(batch.results.folder):
                summary = _summarize(batch)
            wrong = run.trouble(summary)
            if wrong and options.progress == OPENJD:
                say_failure(wrong)
            code = 1 if wrong else 0
    if is_json:
        process.print_line(json.dumps(summary, indent=1), sys.stdout)
    return code


def _estimate_pending(
    program: BatchProgram,
    batch: run.Batch,
    items: Sequence[int],
    options: argparse.Namespace,
    log: RunLog,
) -> int:
    """Estimate the characters without an up-to-date result; return the number of failures."""
    given = [batch.manifest.characters[item] for item in items]
    progress = ProgressLines({one.name: one.size_bytes for one in given}, options.progress)
    todo = []
    for item in () if options.merge else items:
        found = batch.find(item) if options.resume else None
        if found is not None and found.ok:
            progress(found, kept=True)
        else:
            todo.append(item)  # failures are retried: the network may have caused them

    def finish(outcome: run.Outcome) -> None:
        progress(outcome)
        log_result(log, batch, outcome)

    try:
        _start_workers(program, batch, todo, options).run(todo, finish, progress.report)
    finally:
        progress.close()
    return progress.failed


def _start_workers(
    program: BatchProgram, batch: run.Batch, todo: list[int], options: argparse.Namespace
) -> Workers:
    """Workers for the pending characters; several workers take the largest characters first."""
    cores = os.cpu_count() or 1
    if hasattr(os, "sched_getaffinity"):
        cores = len(os.sched_getaffinity(0))  # processors that this process may use
    jobs = min(options.jobs or program.most_jobs or cores, max(1, len(todo)))
    if jobs > 1:
        # A large character must not keep one process busy after all others have ended.
        todo.sort(key=lambda item: batch.manifest.characters[item].size_bytes, reverse=True)
    arguments = ["--manifest", options.manifest, "--out", options.out, "--worker"]
    arguments += ["--allow-outside"] if options.allow_outside else []
    return Workers(
        batch,
        [*program.command, *arguments, *reading_flags(batch.manifest.limits)],
        environment=program.environment,
        jobs=jobs,
        per_process=program.per_process,
        minutes=options.minutes_each,
    )


def _summarize(batch: run.Batch) -> dict[str, Any]:
    """Write and return the summary."""
    batch.results.remove_leftovers(batch.manifest.characters)
    check_foreign_results(batch.results.folder)
    summary = run.write_summary(batch)
    # Imported late: it needs numpy, and a batch in Maya reports a missing numpy with advice.
    from .library import write_library

    for path in write_library(batch, summary):
        say(f"wrote {path}", sys.stdout)
    # Failures are repeated if the first lines of the run have scrolled away.
    for line in run.failure_lines(summary) if len(summary["characters"]) > SCREEN_LINES else ():
        say(" ".join(line.split()), sys.stdout)
    say(run.counts_words(summary), sys.stdout)
    return summary


def check_foreign_results(folder: Path) -> None:
    """Raise InputError if a summary file of the batch would replace another program's file.

    The error names the file, which may be the manifest itself. Results are checked when they are
    written.
    """
    logs = folder / results.LOGS
    there = next(place for place in (logs, *logs.parents) if place.exists())
    if not there.is_dir():
        raise errors.InputError(there, errors.FILE_AS_FOLDER)
    check_replaceable(folder / run.FILE_NAME, run.FORMAT, "summary of a batch", OTHER_FOLDER)
    from .library import FORMAT as LIBRARY
    from .library import HEADING, PAGE, TABLE

    for name, mark in ((TABLE, HEADING), (PAGE, LIBRARY)):
        check_replaceable(folder / name, mark, "library of a batch", OTHER_FOLDER)


def say(text: str, stream: TextIO) -> None:
    """Print lines, escaping control characters and characters that the stream cannot show."""
    report_message(text, warning=stream is sys.stderr)
    ascii_only = "utf" not in (getattr(stream, "encoding", None) or "").lower()
    for line in text.splitlines():
        process.print_line(printable(line, ascii_only), stream)


def say_failure(text: str) -> None:
    """Report the reason for a failed task to a farm."""
    say(f"openjd_fail: {' '.join(text.split())}", sys.stdout)


class ProgressLines:
    """Progress lines of a batch; the object is called with every outcome.

    `sizes`: bytes of each character's files, by name; the time left follows from the bytes done.
    `style`: style of the line about the characters in progress, see
    :class:`.progress_line.ProgressLine`; "openjd" adds the lines of that protocol.
    """

    def __init__(self, sizes: Mapping[str, int], style: str = "off") -> None:
        self._sizes, self._total, self._openjd = sizes, len(sizes), style == OPENJD
        self._done, self._done_bytes, self._parts, self.failed = 0, 0, 0, 0
        self._left = TimeLeft()
        self._left.update(0, PARTS)
        self._line = progress_line.ProgressLine(style=style, left=self._left)
        self._at_work: dict[str, tuple[str, float]] = {}

    def __call__(self, outcome: run.Outcome, kept: bool = False) -> None:
        """Report a character; `kept` marks a result from an earlier run."""
        self._line.close()
        self._at_work.pop(outcome.name, None)
        self._done += 1
        self._done_bytes += self._sizes[outcome.name]
        self.failed += not outcome.ok
        # A character in progress counts by the share that is done.
        halves = sum(self._sizes[name] * share for name, (_, share) in self._at_work.items())
        whole = max(sum(self._sizes.values()), 1)
        self._parts = max(self._parts, int(PARTS * (self._done_bytes + halves) / whole))
        if kept:
            self._left.begin(self._parts)
        self._left.update(self._parts, PARTS)
        line, left = " ".join(_result_words(outcome).split()), self._left.words()
        say(f"[{self._done}/{self._total}] {line}{f' ({left})' if left else ''}", sys.stdout)
        if self._openjd:
            say(f"openjd_progress: {100.0 * self._done / self._total:.1f}", sys.stdout)
            say(f"openjd_status: {line}", sys.stdout)

    def report(self, name: str, done: int, total: int, label: str) -> None:
        """Report the progress of one character."""
        share = min(done / max(total, 1), 1.0)
        self._at_work[name] = f"{name}: {label} {100 * share:.0f} %", share
        words = "; ".join(text for text, _ in self._at_work.values())
        self._line(self._parts, PARTS, f"{words}; {self._done} of {self._total} done")

    def close(self) -> None:
        """Remove the temporary line from the terminal."""
        self._line.close()


def _result_words(outcome: run.Outcome) -> str:
    """Result of a character, such as "anna: ok, 3 to look at, 2 findings: frame-count, spike".

    After "ok" comes the number of the scene's channels that got no limits.
    """
    if outcome.status != "ok":
        return run.named_message(outcome.name, outcome.status, outcome.message)
    left = f"left off: {plural(outcome.left_off, 'channel')}" if outcome.left_off else ""
    moved = f"poses change on {plural(outcome.moved, 'channel')}" if outcome.moved else ""
    looked = f"{outcome.to_look_at} to look at" if outcome.to_look_at else ""
    words = (f"{outcome.name}: ok", left, moved, looked, findings.reported_words(outcome.findings))
    return ", ".join(part for part in words if part)
