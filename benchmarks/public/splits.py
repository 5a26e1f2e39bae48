"""Frozen splits by person, and the files that they are made of.

The clips are those of the CMU motion capture database (http://mocap.cs.cmu.edu), which everybody
gets from there; here are their names and hashes. ``python -m benchmarks.public.splits FOLDER`` says
which of them a folder has. Files are found in any folder below by the numbers that their names
begin with, as some collections add words to them ("07_05-walk.amc").
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from ..figures import SkippedError, shared

SPLITS = Path(__file__).with_name("splits.json")
DATA_VARIABLE = "JOINTLIMITS_CMU"
"""Environment variable with the folder of the reader's own copy."""
MIN_HELD_OUT_CLIPS = 3
"""Clips from which each clip of a person is held out in turn."""
PATTERNS: Mapping[str, tuple[str, ...]] = {
    "01": ("cmu_asfamc/01/01_*.amc", "cmu_asfamc/01_fairmotion/01_*.amc"),
    **{
        subject: (f"cmu_asfamc/{subject}/{subject}_*.amc",)
        for subject in ("02", "03", "07", "11", "13", "14", "16", "49")
    },
    **{subject: (f"round3/types/{subject}_*.amc",) for subject in ("09", "131", "135")},
}
"""Where the clips were when the splits were frozen."""


@dataclass(frozen=True)
class Entry:
    """A file of the splits, with the hash of its content."""

    name: str
    sha256: str


@dataclass(frozen=True)
class PersonSplit:
    """Clips of one person, and the half in which the person is.

    `half`: "A", on which anything may be chosen, or "B", which only reports.
    """

    name: str
    half: str
    skeletons: Mapping[str, Entry]
    """Skeleton of each clip, by the clip's name."""
    clips: tuple[Entry, ...]

    @property
    def is_held_out(self) -> bool:
        """Whether each clip is held out in turn; other people are only there to learn from."""
        return len(self.clips) >= MIN_HELD_OUT_CLIPS


def read_splits(path: Path = SPLITS) -> tuple[PersonSplit, ...]:
    """All people of the frozen splits."""
    data = json.loads(path.read_text(encoding="utf-8"))
    people = []
    for name, one in data["people"].items():
        skeletons = {clip["name"]: Entry(**clip["skeleton"]) for clip in one["clips"]}
        clips = tuple(Entry(clip["name"], clip["sha256"]) for clip in one["clips"])
        people.append(PersonSplit(name, one["half"], skeletons, clips))
    return tuple(people)


class Copy:
    """A reader's copy of the files: the place of each, or the reason why it cannot be used."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @cached_property
    def _by_number(self) -> dict[tuple[str, str], list[Path]]:
        found: dict[tuple[str, str], list[Path]] = {}
        for path in sorted(self.folder.rglob("*.[aA][sSmM][fFcC]")):
            found.setdefault(_number_of(path.name), []).append(path)
        return found

    def find(self, entry: Entry) -> Path | str:
        """Path of a file with that content, or the reason why there is none."""
        problem = f"{entry.name} is not in {self.folder}"
        for path in self._by_number.get(_number_of(entry.name), []):
            try:
                own = sha256_of(path)
            except OSError as error:
                problem = f"{path.name} cannot be read: {error.strerror}"
                continue
            if own == entry.sha256:
                return path
            expected = entry.sha256[:12]
            problem = f"{path.name} has another content: sha256 {own[:12]}, expected {expected}"
        return problem

    def problems(self, person: PersonSplit) -> list[str]:
        """Description of the files that are missing for a person."""
        found = (self.find(entry) for entry in (*person.clips, *person.skeletons.values()))
        return list(dict.fromkeys(one for one in found if isinstance(one, str)))


def _number_of(name: str) -> tuple[str, str]:
    """Leading subject and clip numbers of a file's name, and its ending."""
    found = re.match(r"\d+(_\d+)?", name)
    return found[0] if found else name, name.rpartition(".")[2].lower()


def sha256_of(path: Path) -> str:
    """Hash of a file's content; line ends count as one, as archives differ in them."""
    return hashlib.sha256(path.read_bytes().replace(b"\r\n", b"\n")).hexdigest()


def user_copy() -> Copy:
    """The copy in :data:`DATA_VARIABLE`, else the files beside the sources.

    Raises
    ------
    SkippedError
        If there is neither.
    """
    named = os.environ.get(DATA_VARIABLE)
    if named and not Path(named).is_dir():
        raise SkippedError(f"{DATA_VARIABLE} is {named}, which is not a folder")
    return Copy(Path(named) if named else shared("data/mocap"))


def freeze() -> None:
    """Write new splits, which make a new version of the benchmark."""
    people = {}
    for number, (name, patterns) in enumerate(PATTERNS.items()):
        clips = []
        for path in (p for pattern in patterns for p in sorted(shared("data/mocap").glob(pattern))):
            own = [
                path.with_suffix(".asf"),
                path.parent / f"{name}.asf",
                *path.parent.glob("*.asf"),
            ]
            skeleton = next(p for p in own if p.exists() and p.name.startswith(name))
            entry = {"name": skeleton.name, "sha256": sha256_of(skeleton)}
            clips.append({"name": path.name, "sha256": sha256_of(path), "skeleton": entry})
        people[name] = {"half": "AB"[number % 2], "clips": clips}
    document = {"format": "jointlimits.benchmark-splits", "version": 1, "people": people}
    SPLITS.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")


def main(arguments: list[str]) -> int:
    """Check a folder; 1 if anything of the splits is missing."""
    if arguments == ["--freeze"]:
        freeze()
        return 0
    try:
        copy = Copy(Path(arguments[0])) if arguments else user_copy()
    except SkippedError as reason:
        print(f"nothing to compare: {reason}")
        return 1
    missing = 0
    for person in read_splits():
        problems = copy.problems(person)
        missing += len(problems)
        held = f"{len(person.clips)} clips" + ("" if person.is_held_out else ", to learn from")
        print(f"person {person.name}, half {person.half}, {held}: {'; '.join(problems) or 'there'}")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
