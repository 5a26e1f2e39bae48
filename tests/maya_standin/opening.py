"""What holds for a whole opening of a scene: scripts, versions, references, errors.

Sources: maya.md 8 and 10, the documentation of the `file` and `scriptNode` commands.
"""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from tests.maya_standin.graph import Node, Plug, Scene
from tests.maya_standin.ma_statements import SyntaxProblem, statements
from tests.maya_standin.ma_values import FileUnits

if TYPE_CHECKING:
    from tests.maya_standin.session import Session

#: scriptNode -scriptType: at loading, in a window at loading, and what saves the scene's settings.
_RUN_AT_OPEN = (1, 6)
_RUN_WITH_WINDOW = (2, 3)
_VERSION = re.compile(r"\d{4}")
_RANGE_FLAG = re.compile(r"-(min|max|ast|aet)\s+(-?[\d.]+)")


@dataclass
class Opening:
    """One opening of a scene with all files that it references."""

    session: Session
    scene: Scene
    run_scripts: bool = True
    load_references: str = "asPrefs"
    ignore_version: bool = False
    problems: list[str] = field(default_factory=list)
    placeholders: dict[tuple[Node, int], Plug] = field(default_factory=dict)
    links: list[tuple[Node, str, Node, str, str]] = field(default_factory=list)

    def problem(self, text: str) -> None:
        """Keep what Maya would print as an error while reading."""
        self.problems.append(text)
        self.session.messages.append(("error", text))

    def script(self, node: Node) -> None:
        """Keep on record a script node that Maya would have run; nothing is run here."""
        kind = int(node.stored("scriptType"))
        window = kind in _RUN_WITH_WINDOW and not self.session.batch
        if self.run_scripts and (kind in _RUN_AT_OPEN or window):
            self.session.executed_script_nodes.append(node.name)
            _take_ranges(self.scene, node.stored("before"))


def _take_ranges(scene: Scene, script: str) -> None:
    """What sceneConfigurationScriptNode does to the time slider.

    guess: ranges-need-script-nodes (opened without script nodes, the ranges stay the default)
    """
    if script.lstrip().startswith("playbackOptions "):
        names = {"min": "minimum", "max": "maximum", "ast": "start", "aet": "end"}
        units = FileUnits(time=scene.units.time)
        for flag, value in _RANGE_FLAG.findall(script):
            setattr(scene.playback, names[flag], units.inside("time", float(value)))


def file_text(path: str) -> str:
    """Text of a scene; RuntimeError as of `file -open`."""
    place = Path(path)
    if not place.is_file():
        # guess: open-missing-file (the words)
        raise RuntimeError(f'File not found: "{path}"')
    text = place.read_text(encoding="utf-8", errors="surrogateescape")
    if not text.lstrip().startswith("//Maya ASCII"):
        # guess: open-not-a-scene (the words)
        raise RuntimeError(f'Unrecognized file: "{path}"')
    return text


def refuse_newer(session: Session, text: str, path: str, ignore: bool) -> None:
    """RuntimeError for a scene of a later Maya (`file -ignoreVersion`).

    guess: open-newer-scene (the words, and that the open scene stays)
    """
    required = _required_year(text)
    if required is not None and required[0] > session.version and not ignore:
        raise RuntimeError(
            f"file: {path} line {required[1]}: This file requires Maya {required[0]}, which is "
            "newer than this version. Could not open file."
        )


def _required_year(text: str) -> tuple[int, int] | None:
    """Year of the Maya that a scene requires, and the line that says so; nodes come after it."""
    with suppress(SyntaxProblem):
        for statement in statements(text):
            if statement.command == "createNode":
                break
            words = [word.text for word in statement.words]
            if statement.command == "requires" and words[:1] == ["maya"] and len(words) > 1:
                year = _VERSION.match(words[1])
                return (int(year[0]), statement.line) if year else None
    return None
