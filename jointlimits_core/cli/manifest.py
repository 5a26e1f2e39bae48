"""``jointlimits manifest``: a manifest of the characters below a folder, for a batch."""

from __future__ import annotations

import argparse
import json
import os
from pathlib import Path, PurePosixPath
from typing import Any

from ..base.errors import InputError
from ..base.options import checked_options, option_table
from ..base.progress import Progress
from ..base.text import plural, suggestion
from ..batch import grouping, manifest
from ..io.json import check_replaceable
from ..io.output import write_text_atomically
from .arguments import add_declared, check_frame_rate, check_outputs
from .output import UsageError, error_text, invalid_usage, print_text, print_trouble, progress_of

FILE_NAME = "characters.json"
ENDING, TABLE = ".json", ".csv"
RULE_WORDS = f"{', '.join(grouping.RULES)}, a pattern with {grouping.PLACE} or a {TABLE} table"
UNNAMED = "its path does not match the pattern"


def add_arguments(sub: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    sub.description = (
        "Search a folder for motion files and list them by character in a JSON manifest with "
        "relative paths. Review and edit the manifest before running the batch."
    )
    sub.add_argument("folder", metavar="DIR")
    add_declared(sub, "character_by", "host")
    # Former names of the option.
    sub.add_argument(
        *("--character-pattern", "--character-list"),
        dest="character_by",
        default=argparse.SUPPRESS,
        help=argparse.SUPPRESS,
    )
    sub.add_argument(
        "--allow-outside", action="store_true", help="follow links that lead out of the folder"
    )
    sub.add_argument(
        "--frame-rate", type=float, metavar="FPS", help="frame rate of AMC files (default 120)"
    )
    sub.add_argument(
        *("--set", "-s"),
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="estimate option for all characters, such as strictness=robust",
    )
    sub.add_argument("--out", metavar="M.json", help=f"manifest to write (default DIR/{FILE_NAME})")
    sub.add_argument("--force", action="store_true", help="replace an existing manifest")


def run(options: argparse.Namespace) -> int:
    """Search, group and write; report files left out and characters renamed."""
    folder = Path(options.folder)
    out = Path(options.out or folder / FILE_NAME)
    asked = _options(options.set)
    check_frame_rate(options.frame_rate)
    _check_out(out, options)
    with progress_of(options) as progress:
        groups, left_out = _groups(options, folder, progress)
    for path, reason in left_out.items():
        print_trouble(f"left out: {ascii(path)[1:-1]}: {reason}")
    # Paths in a manifest must not leave its folder.
    home, searched = out.resolve().parent, folder.resolve()
    if home != searched and home not in searched.parents:
        raise UsageError(f"{out}: a manifest must be in the motion folder or above it")
    prefix = PurePosixPath(os.path.relpath(searched, home).replace(os.sep, "/"))
    how = {"prefix": prefix, "options": asked, "frame_rate": options.frame_rate}
    with invalid_usage(f"{folder}: "):
        document = grouping.manifest_document(groups, **how)
    text = json.dumps(document, indent=1, ensure_ascii=False) + "\n"
    if len(text.encode("utf-8")) > options.budget.max_json_bytes:
        raise UsageError(
            f"{folder}: too many files for one manifest; write one manifest per subfolder"
        )
    renamed = list(grouping.renamed_characters(document, out, options.budget))
    write_text_atomically(out, text)
    for note in grouping.pooling_notes(groups, options.character_by not in grouping.RULES):
        print_trouble(f"note: {note}")
    for name, old in renamed:
        print_trouble(f"renamed: {name} was {old} in the previous manifest")
    characters = document["characters"]
    files = sum(len(entry.get("clips", ("scene",))) for entry in characters)
    count, of_files = plural(len(characters), "character"), plural(files, "file")
    print_text(f"{count} from {of_files}, items 0-{len(characters) - 1}")
    print_text(f"wrote {out}")
    program = "mayapy -m jointlimits_maya.batch" if options.host == "maya" else "jointlimits batch"
    outside = " --allow-outside" if options.allow_outside else ""
    print_text(f"next: {program} --manifest {out} --out RESULTS{outside}")
    return 0


def _check_out(out: Path, options: argparse.Namespace) -> None:
    """Raise UsageError if the output is not a manifest, or exists and --force is not given."""
    if out.suffix.lower() != ENDING:
        raise UsageError(f"--out {out}: must end with {ENDING}: a manifest is JSON")
    check_outputs([options.character_by], [out])
    try:
        check_replaceable(out, grouping.FORMAT, "manifest", "name another file with --out")
    except InputError as error:
        raise UsageError(error_text(error)) from None
    if os.path.lexists(out) and not options.force:
        raise UsageError(
            f"{out} exists and may have been edited by hand; use --force or another --out"
        )


def _groups(
    options: argparse.Namespace, folder: Path, progress: Progress
) -> tuple[list[grouping.Group], dict[str, str]]:
    rule, naming = options.character_by, None
    if grouping.PLACE in rule:
        with invalid_usage():
            naming = grouping.naming_of_pattern(rule)
    elif rule.lower().endswith(TABLE):
        naming = grouping.naming_of_list(rule)
    elif rule not in grouping.RULES:
        near = suggestion(rule, grouping.RULES)
        raise UsageError(f"--character-by must be {RULE_WORDS}, not {rule!r}{near}")
    files, left_out = grouping.found_files(folder, options.host, progress, options.allow_outside)
    named: list[grouping.Group] = []
    if naming is not None:
        named, files = grouping.by_name(files, naming)
        if files and not named:
            raise UsageError(
                f"--character-by {rule}: matches none of {plural(len(files), 'file')}, whose "
                f"paths look like {files[0].path}"
            )
        rule = grouping.RULES[0]  # for files that a table does not name
    if grouping.PLACE in options.character_by:
        left_out.update((file.path.as_posix(), UNNAMED) for file in files)
        return named, left_out
    root = folder.resolve().name or "character"
    return [*named, *grouping.by_rule(files, rule, root)], left_out


def _options(given: list[str]) -> dict[str, Any]:
    """Options for all characters; left and right joints are compared by default."""
    known = option_table()
    values: dict[str, Any] = {"symmetry": "report"}
    for text in given:
        name, equals, value = text.partition("=")
        try:
            if not equals:
                raise ValueError("expected NAME=VALUE")
            if name not in known:
                raise ValueError(f"unknown option {name!r}{suggestion(name, known)}")
            if known[name].type == "switch":
                values[name] = {"true": True, "false": False}.get(value.lower(), value)
            else:
                values[name] = known[name].from_text(value)
            checked_options(values, manifest.OPTIONS)
        except ValueError as error:
            raise UsageError(f"--set {text}: {error}") from None
    return {name: list(v) if isinstance(v, tuple) else v for name, v in values.items()}
