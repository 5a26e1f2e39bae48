"""Lines of Python that each folder may have.

    python -m tests.house.budgets      lowers the budgets to what is there; never raises one

A folder that needs more gets its new budget by hand in budgets.txt, with the reason, in the same
commit. So does a new folder.
"""

from __future__ import annotations

import subprocess
from collections import Counter
from math import ceil
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from tests.support.house_files import ROOT, project_files

FILE = Path(__file__).with_name("budgets.txt")
TOPS = {"jointlimits_core": 2, "scripts": 3, "plug-ins": 1, "tests": 2}
"""Folders that have budgets, and how deep: what is further down counts with the folder there."""
STEP_LINES = 25
"""Budgets are multiples of this, so that a small repair needs none."""
HEAD = """# Lines of *.py that a folder and all below it may have, by python -m tests.house.budgets.
# A larger number needs the reason of the growth, in the same commit.
#
# lines  folder                            reason of the last growth
"""


class Budget(NamedTuple):
    """Most lines of a folder, and why they last became more."""

    lines: int
    reason: str


def lines_by_folder() -> Counter[str]:
    """Lines of the Python files of each folder."""
    found: Counter[str] = Counter()
    for path in project_files():
        name = PurePosixPath(path.relative_to(ROOT).as_posix())
        if path.suffix == ".py" and name.parts[0] in TOPS:
            folder = "/".join(name.parent.parts[: TOPS[name.parts[0]]])
            found[folder] += path.read_text(encoding="utf-8").count("\n")
    return +found


def read_budgets(text: str | None = None) -> dict[str, Budget]:
    """Budget of each folder, from the file or from a text of it."""
    lines = (FILE.read_text(encoding="utf-8") if text is None else text).splitlines()
    rows = [line.split(None, 2) for line in lines if not line.startswith("#")]
    return {row[1]: Budget(int(row[0]), "".join(row[2:])) for row in rows}


def budgets_before() -> dict[str, Budget]:
    """Budgets of the last commit, or where these are the same, of the one before it."""
    for revision in ("HEAD", "HEAD~1"):
        command = ["git", "show", f"{revision}:{FILE.relative_to(ROOT).as_posix()}"]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        if done.returncode == 0 and done.stdout != FILE.read_text(encoding="utf-8"):
            return read_budgets(done.stdout)
    return {}


def lower_budgets(budgets: dict[str, Budget], now: dict[str, int]) -> dict[str, Budget]:
    """Budgets down to what is there; those of folders that are gone go."""
    return {
        folder: budget._replace(
            lines=min(budget.lines, STEP_LINES * ceil(now[folder] / STEP_LINES))
        )
        for folder, budget in budgets.items()
        if folder in now
    }


def write_budgets(budgets: dict[str, Budget]) -> None:
    """Write the file, sorted by folder."""
    rows = (
        f"{b.lines:7}  {folder:32}  {b.reason}".rstrip() for folder, b in sorted(budgets.items())
    )
    FILE.write_text(HEAD + "".join(f"{row}\n" for row in rows), encoding="utf-8")


if __name__ == "__main__":
    write_budgets(lower_budgets(read_budgets(), lines_by_folder()))
