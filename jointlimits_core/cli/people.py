"""``jointlimits people``: how far the joints of several people reach."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from ..base.errors import EstimationError, InputError
from ..base.text import plural
from ..batch.manifest import Character, read_manifest
from ..formats.registry import read_takes
from ..io.input import read_start
from ..io.progress_line import FilesProgress
from ..limits.document import FORMAT
from ..people.people import People, Person, measure_person
from ..people.people_file import write_people
from . import arguments
from .output import UsageError, error_text, print_text, print_trouble, progress_of


def add_arguments(sub: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    sub.description = (
        "Measure how far the joints of each of several people go, for `check --people`. Every "
        "character of a manifest (see `jointlimits manifest`) is one person and counts once. "
        "Only the furthest reaches are kept, never a pose."
    )
    words = "manifest with one character per person; limit sets cannot be measured"
    sub.add_argument("library", nargs="+", metavar="M.json", help=words)
    words = "one line that says how the data may be used"
    sub.add_argument("--licence", metavar="TEXT", required=True, help=words)
    sub.add_argument("--out", metavar="PEOPLE.npz", required=True, help="file to write")
    sub.add_argument(
        "--allow-outside", action="store_true", help="follow links that lead out of the folder"
    )


def run(options: argparse.Namespace) -> int:
    """Measure every person and write the file, unless one of them cannot be measured."""
    if Path(options.out).suffix.lower() != ".npz":
        raise UsageError(f"--out must end in .npz, not {options.out}")
    arguments.check_outputs(options.library, [options.out])
    _reject_limit_sets(options.library)
    allowed = {"allow_outside": options.allow_outside, "limits": options.budget}
    characters = read_manifest(options.library[0], **allowed).characters
    persons: list[Person] = []
    with progress_of(options) as progress:
        files = FilesProgress(progress, [one.name for one in characters], "measuring")
        for character in characters:
            files.next(character.name)
            try:
                persons.append(_person(character, options.licence))
            except (InputError, EstimationError) as error:
                print_trouble(f"{character.name}: {error_text(error)}")
    if len(persons) < len(characters):  # a file with only some of them would look complete
        return 1
    write_people(People(tuple(persons)), options.out)
    print_text(f"wrote {options.out}: {plural(len(persons), 'character')}")
    return 0


def _reject_limit_sets(paths: Sequence[str]) -> None:
    """Raise UsageError for a limit set, and for more than one file."""
    for path in paths:
        if FORMAT.encode() in read_start(path, 4096, InputError)[0]:
            raise UsageError(
                f"{path}: a limit set has no bones, so no person can be measured from it; give a "
                "manifest of the clips (jointlimits manifest DIR), or merge the limit sets of one "
                "rig (jointlimits merge --people)"
            )
    if len(paths) > 1:
        raise UsageError(f"give one manifest with all people, not {len(paths)} files")


def _person(character: Character, licence: str) -> Person:
    """Person measured from one character of a manifest."""
    skeleton = character.skeleton.path if character.skeleton else None
    motions = []
    for file in character.motions:
        if file.trouble:
            raise InputError(file.path, file.trouble)
        rate, limits = character.frame_rate, character.limits
        motions += read_takes(file.path, skeleton, frame_rate=rate, limits=limits)
    source = ", ".join(motion.name for motion in motions)
    return measure_person(motions, character.name, source, licence)
