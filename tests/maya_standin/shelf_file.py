"""Shelf files (shelf_<Name>.mel): the one procedure they hold, read as far as buttons go.

The form is maya.md 4, "Shelves".
"""

from __future__ import annotations

import os
from pathlib import Path

from tests.maya_standin.commands.mel_words import SWITCHES, tokens, unquote
from tests.maya_standin.commands.menus import shelf_button, shelf_layout
from tests.maya_standin.commands.registry import COMMANDS
from tests.maya_standin.errors import NotModelledError


def statements(name, text):
    """Give the statements inside of `global proc shelf_<name> () {...}`, as lists of tokens."""
    words = tokens(text)
    head = ["global", "proc", f"shelf_{name}", "(", ")", "{"]
    if words[: len(head)] != head or words[-1:] != ["}"]:
        raise RuntimeError(f"shelf_{name}.mel does not hold the one procedure shelf_{name}")
    statement = []
    for word in words[len(head) : -1]:
        if word == ";":
            if statement:
                yield statement
            statement = []
        else:
            statement.append(word)
    if statement:
        raise RuntimeError(f"shelf_{name}.mel: a statement without its semicolon: {statement}")


def button_flags(words):
    """Give the flags of a shelfButton statement; each takes one value here."""
    flags = {}
    rest = list(words)
    while rest:
        flag = rest.pop(0)
        if not flag.startswith("-") or not rest:
            raise NotModelledError(f"a shelfButton with {flag} without flag or value")
        flags[flag[1:]] = unquote(rest.pop(0))
    return flags


def load_shelf(session, path):
    """Make the shelf that a file holds, unless there is one of that name (the first wins)."""
    name = path.stem[len("shelf_") :]
    if shelf_layout(session, name, exists=True):
        return
    shelf_layout(session, name)
    for statement in statements(name, path.read_text(encoding="utf-8")):
        if statement[0] == "global":
            continue
        if statement[0] != "shelfButton":
            raise NotModelledError(f"{path.name}: {statement[0]} is not modelled")
        flags = {"sourceType": "mel", **button_flags(statement[1:])}
        _make_button(session, name, flags)


def _make_button(session, shelf, flags):
    modelled = COMMANDS["shelfButton"].flags
    values = {}
    for flag, text in flags.items():
        if flag not in modelled:
            raise NotModelledError(f"shelfButton -{flag} is not modelled")
        kind = modelled[flag].name
        values[flag] = SWITCHES[text] if kind == "bool" else int(text) if kind == "int" else text
    shelf_button(session, parent=shelf, **values)


def load_shelves(session):
    """Load every shelf file on MAYA_SHELF_PATH, as Maya does when its window comes up."""
    for folder in session.environment.get("MAYA_SHELF_PATH", "").split(os.pathsep):
        if folder and Path(folder).is_dir():
            for path in sorted(Path(folder).glob("shelf_*.mel")):
                load_shelf(session, path)
