"""Build the people file that comes with the program: python -m benchmarks.make_people.

People of the CMU motion capture database (http://mocap.cs.cmu.edu), which asks for the line in
:data:`LICENCE`. Only the furthest reaches of each person are kept, no motion.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence

from jointlimits_core.formats.registry import read_takes
from jointlimits_core.motion.motion import Motion
from jointlimits_core.people.people import People, Person, measure_person
from jointlimits_core.people.people_file import SHIPPED, write_people

from .figures import SkippedError, shared

LICENCE = (
    "The data used in this project was obtained from mocap.cs.cmu.edu. The database was created "
    "with funding from NSF EIA-0196217."
)
_ACCLAIM = ("02", "03", "07", "11", "13", "14", "16", "49")
PEOPLE: Mapping[str, Sequence[str]] = {
    "CMU 01": ("cmu_asfamc/01/*.amc", "cmu_asfamc/01_fairmotion/*.amc"),
    **{f"CMU {subject}": (f"cmu_asfamc/{subject}/*.amc",) for subject in _ACCLAIM},
    "CMU 10": ("cmu_bvh/10_*.bvh",),
    "CMU 12": ("cmu_bvh/cmu_12_*.bvh",),
}
"""Clips of each person in the file."""
UNSEEN: Mapping[str, Sequence[str]] = {
    f"CMU {subject}": (f"round3/types/{subject}_*.amc",) for subject in ("09", "131", "135")
}
"""Clips of further people, which are not in the file."""


def clips_of(patterns: Sequence[str]) -> list[Motion]:
    """Clips of one person or library. Raises SkippedError if there are none."""
    folder = shared("data/mocap")
    paths = [path for pattern in patterns for path in sorted(folder.glob(pattern))]
    if not paths:
        raise SkippedError(f"no clips {', '.join(patterns)} on this machine")
    return [clip for path in paths for clip in read_takes(path)]


def person_of(name: str, patterns: Sequence[str]) -> Person:
    """Furthest reaches of one person of the database."""
    clips = clips_of(patterns)
    names = ", ".join(clip.name for clip in clips)
    return measure_person(clips, name, f"mocap.cs.cmu.edu: {names}", LICENCE)


def main() -> int:
    """Write the file."""
    people = People(tuple(person_of(name, PEOPLE[name]) for name in sorted(PEOPLE)))
    write_people(people, SHIPPED)
    print(f"{len(people)} people, {SHIPPED.stat().st_size:,} bytes: {SHIPPED}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
