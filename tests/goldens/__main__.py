"""Print how each golden differs from those of a revision: python -m tests.goldens REVISION."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from pathlib import Path

from tests.goldens.kept import FOLDER, numbers_of, same
from tests.support.house_files import ROOT


def goldens_of(revision: str) -> dict[str, str]:
    """Goldens of a revision by name."""
    place = FOLDER.relative_to(ROOT).as_posix()
    listed = _git("ls-tree", "-r", "--name-only", revision, place).split()
    return {
        Path(one).relative_to(place).as_posix(): _git("show", f"{revision}:{one}") for one in listed
    }


def _git(*words: str) -> str:
    run = subprocess.run(("git", *words), cwd=ROOT, capture_output=True, check=True)
    return run.stdout.decode("utf-8")


def verdict(old: str | None, new: str | None) -> str:
    """How a golden differs; "wording only" if all numbers outside of digests are the same."""
    if old is None or new is None:
        return "gone" if new is None else "new"
    if same(old, new):
        return "same"
    return "wording only" if numbers_of(old) == numbers_of(new) else "different"


def main(revision: str) -> None:
    old = goldens_of(revision)
    new = {p.relative_to(FOLDER).as_posix(): p.read_text("utf-8") for p in FOLDER.rglob("*.txt")}
    found = {name: verdict(old.get(name), new.get(name)) for name in sorted({*old, *new})}
    for name, word in found.items():
        if word != "same":
            print(f"{word:14}{name}")
    print(", ".join(f"{count} {word}" for word, count in Counter(found.values()).most_common()))


if __name__ == "__main__":
    main(sys.argv[1])
