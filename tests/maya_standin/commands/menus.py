"""Menus and shelves: controls with names, parents and flags, and commands that run when pressed."""

from __future__ import annotations

import itertools

from tests.maya_standin.commands.flags import Bool, Callback, Int, Text
from tests.maya_standin.commands.interface import MAIN_WINDOW, SHELF_TOP_LEVEL, Control
from tests.maya_standin.commands.registry import command
from tests.maya_standin.commands.ui import needs_window


def leaf(name):
    """Give the name without the path of controls before it."""
    return str(name).rpartition("|")[2]


def add_control(session, kind, name, parent, flags):
    """Add a control under a parent that exists and give its full name."""
    ui = session.interface
    numbered = (f"{kind}{number}" for number in itertools.count(1))
    name = leaf(name) or next(one for one in numbered if one not in ui.controls)
    parent = leaf(parent)
    if parent not in ui.controls and parent not in (MAIN_WINDOW, SHELF_TOP_LEVEL):
        raise RuntimeError(f"Object's parent not found: {parent}")
    if name in ui.controls:
        raise RuntimeError(f"Object's name '{name}' is not unique.")
    ui.controls[name] = Control(kind, name, parent, flags)
    return f"{parent}|{name}"


def _exists(session, kind, name):
    found = session.interface.controls.get(leaf(name))
    return found is not None and found.kind == kind


@command("menu")
@needs_window
def menu(
    session,
    name="",
    *,
    exists: Bool = False,
    label: Text = "",
    parent: Text = MAIN_WINDOW,
    tearOff: Bool = False,
):
    """Make a menu, or ask whether there is one."""
    ui = session.interface
    if exists:
        return _exists(session, "menu", name)
    made = add_control(session, "menu", name, parent, {"label": label, "tearOff": tearOff})
    ui.current_menu = leaf(made)
    return made


@command("menuItem")
@needs_window
def menu_item(
    session,
    name="",
    *,
    label: Text = "",
    annotation: Text = "",
    command: Callback = None,
    sourceType: Text = "python",
    image: Text = "",
    parent: Text = "",
):
    """One entry; from Python its command is Python, and a callable gets one argument."""
    ui = session.interface
    flags = {
        "label": label,
        "annotation": annotation,
        "command": command,
        "image": image,
        "sourceType": sourceType,
    }
    return add_control(session, "menuItem", name, parent or ui.current_menu, flags)


@command("shelfLayout")
@needs_window
def shelf_layout(
    session,
    name="",
    *,
    exists: Bool = False,
    query: Bool = False,
    childArray: Bool = False,
    parent: Text = SHELF_TOP_LEVEL,
):
    """Make a shelf, ask whether there is one, or for what is on it."""
    if query and childArray:
        return [child.name for child in session.interface.children(leaf(name))] or None
    if exists:
        return _exists(session, "shelf", name)
    return add_control(session, "shelf", name, parent, {})


@command("shelfButton")
@needs_window
def shelf_button(
    session,
    name="",
    *,
    exists: Bool = False,
    query: Bool = False,
    parent: Text = "",
    label: Text = "",
    annotation: Text = "",
    command: Callback = None,
    sourceType: Text = "python",
    image: Text = "",
    image1: Text = "",
    imageOverlayLabel: Text = "",
    style: Text = "iconOnly",
    commandRepeatable: Bool = False,
    enableCommandRepeat: Bool = True,
    enable: Bool = True,
    flat: Bool = True,
    width: Int = 35,
    height: Int = 35,
):
    """Make a button on a shelf, or ask for one or its command."""
    if exists:
        return _exists(session, "shelfButton", name)
    if query and command:
        return session.interface.controls[leaf(name)].flags["command"]
    flags = {
        "label": label,
        "annotation": annotation,
        "command": command,
        "sourceType": sourceType,
        "image": image or image1,
        "style": style,
        "enable": enable,
        "imageOverlayLabel": imageOverlayLabel,
    }
    return add_control(session, "shelfButton", name, parent, flags)


@command("deleteUI")
@needs_window
def delete_ui(
    session,
    *names,
    menu: Bool = False,
    menuItem: Bool = False,
    layout: Bool = False,
    control: Bool = False,
):
    """Remove controls and what is on them; a flag says of which kind they have to be."""
    asked = {"menu": menu, "menuItem": menuItem, "shelf": layout, "shelfButton": control}
    kinds = [kind for kind, wanted in asked.items() if wanted] or list(asked)
    ui = session.interface
    for name in names:
        found = ui.controls.get(leaf(name))
        if found is None or found.kind not in kinds:
            raise RuntimeError(f"Object '{name}' not found.")
        ui.remove(found.name)
