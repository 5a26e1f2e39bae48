"""The command ``jointlimits skeleton`` run in a folder, and what it leaves there."""

from __future__ import annotations

import json

from jointlimits_core.cli.main import main


def skeleton(folder, *arguments):
    """Run the command; the outputs go to the folder `out`."""
    return main(["skeleton", *map(str, arguments), "--out", str(folder / "out")])


def written_names(folder):
    return sorted(path.name for path in (folder / "out").glob("*"))


def document(folder, name):
    return json.loads((folder / "out" / f"{name}.skeleton.json").read_text(encoding="utf-8"))
