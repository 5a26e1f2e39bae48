"""Menus and shelves: controls with names, parents and flags, and commands that run when pressed."""

from __future__ import annotations

from tests.maya_standin.commands.flags import Bool, Callback, Int, Text
from tests.maya_standin.commands.interface import MAIN_WINDOW, SHELF_TOP_LEVEL, Control
from tests.maya_standin.commands.registry import command
from tests.maya_standin.commands.ui import needs_window
from tests.maya_standin.errors import NotModelledError


def leaf(name):
    """Give the name without the path of controls before it."""
    return str(name).rpartition("|")[2]


def add_control(session, kind, name, parent, flags):
    """Add a control under a parent that exists and give its full name."""
    ui = session.interface
    name = leaf(name) or f"{kind}{len(ui.controls) + 1}"
    parent = leaf(parent)
    if parent not in ui.controls and parent not in (MAIN_WINDOW, SHELF_TOP_LEVEL):
        raise RuntimeError(f"Object's parent not found: {parent}")
    if name in ui.controls:
        raise RuntimeError(f"Object's name '{name}' is not unique.")
    ui.controls[name] = Control(kind, name, parent, flags)
    return f"{parent}|{name}"


def control(session, kind, name):
    found = session.interface.controls.get(leaf(name))
    if found is None or found.kind != kind:
        raise RuntimeError(f"Object '{name}' not found.")
    return found


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
    query: Bool = False,
    edit: Bool = False,
    deleteAllItems: Bool = False,
    itemArray: Bool = False,
    numberOfItems: Bool = False,
    label: Text = "",
    parent: Text = MAIN_WINDOW,
    tearOff: Bool = False,
    allowOptionBoxes: Bool = True,
):
    """Make, ask or empty a menu."""
    ui = session.interface
    if exists:
        return _exists(session, "menu", name)
    if query:
        items = ui.children(control(session, "menu", name).name)
        if itemArray:
            return [item.name for item in items] or None
        return len(items) if numberOfItems else control(session, "menu", name).flags["label"]
    if edit:
        for item in ui.children(control(session, "menu", name).name) if deleteAllItems else ():
            ui.remove(item.name)
        return None
    made = add_control(session, "menu", name, parent, {"label": label, "tearOff": tearOff})
    ui.current_menu = leaf(made)
    return made


@command("menuItem")
@needs_window
def menu_item(
    session,
    name="",
    *,
    exists: Bool = False,
    query: Bool = False,
    label: Text = "",
    annotation: Text = "",
    command: Callback = None,
    sourceType: Text = "python",
    image: Text = "",
    parent: Text = "",
    divider: Bool = False,
    dividerLabel: Text = "",
    subMenu: Bool = False,
    tearOff: Bool = False,
    optionBox: Bool = False,
    enable: Bool = True,
):
    """One entry; from Python its command is Python, and a callable gets one argument."""
    ui = session.interface
    if exists:
        return _exists(session, "menuItem", name)
    if query:
        flags = control(session, "menuItem", name).flags
        asked = {"label": label, "annotation": annotation, "enable": enable, "command": command}
        return next(flags[flag] for flag, wanted in asked.items() if wanted is True)
    flags = {
        "label": label, "annotation": annotation, "command": command, "image": image,
        "sourceType": sourceType, "divider": divider, "subMenu": subMenu, "enable": enable,
        "optionBox": optionBox,
    }  # fmt: skip
    made = add_control(session, "menuItem", name, parent or ui.current_menu, flags)
    if subMenu:
        ui.current_menu = leaf(made)
    return made


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
    if exists:
        return _exists(session, "shelf", name)
    if query:
        if not childArray:
            raise NotModelledError("cmds.shelfLayout(query=True) other than childArray")
        children = session.interface.children(control(session, "shelf", name).name)
        return [child.name for child in children] or None
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
    """Make a button on a shelf, or ask one."""
    if exists:
        return _exists(session, "shelfButton", name)
    if query:
        flags = control(session, "shelfButton", name).flags
        asked = {"label": label, "annotation": annotation, "command": command, "image": image}
        return next(flags[flag] for flag, wanted in asked.items() if wanted is True)
    flags = {
        "label": label, "annotation": annotation, "command": command, "sourceType": sourceType,
        "image": image or image1, "style": style, "enable": enable,
        "imageOverlayLabel": imageOverlayLabel,
    }  # fmt: skip
    return add_control(session, "shelfButton", name, parent, flags)


@command("shelfTabLayout")
@needs_window
def shelf_tab_layout(
    session,
    name,
    *,
    edit: Bool = False,
    query: Bool = False,
    selectTab: Text = None,
    childArray: Bool = False,
):
    """The row of shelves: which one is in front, and which there are."""
    ui = session.interface
    if leaf(name) != SHELF_TOP_LEVEL or not (edit or query):
        raise NotModelledError("cmds.shelfTabLayout other than $gShelfTopLevel is not modelled")
    if edit:
        ui.selected_shelf = control(session, "shelf", selectTab).name
        return None
    shelves = [shelf.name for shelf in ui.children(SHELF_TOP_LEVEL, "shelf")]
    return shelves if childArray else ui.selected_shelf


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
