"""Reports of the gallery: ``python -m docs.make_gallery FOLDER``; the site holds them, too."""

from __future__ import annotations

import sys
from pathlib import Path

from examples.captured_motion import Performer, perform
from examples.performers import DOG, HAND, PERSON, ROBOT
from jointlimits_core.estimation.pipeline import estimate
from jointlimits_core.report.html.limits_page import write_report

PERFORMERS = {"person": PERSON, "hand": HAND, "dog": DOG, "robot_arm": ROBOT}


def write_page(performer: Performer, page: Path) -> None:
    """Write the page of a performer's limits."""
    motion = perform(performer)
    write_report(estimate(motion), motion, page)


def main(folder: Path) -> None:
    """Write every page of the gallery into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, performer in PERFORMERS.items():
        write_page(performer, folder / f"{name}.html")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
