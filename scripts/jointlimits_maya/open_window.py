"""The window inside Maya: in a panel that Maya docks, and brings back with its layout."""

from __future__ import annotations

from typing import Any

from maya import cmds

from . import host

CONTROL = "jointLimitsWindow"
FILL = "from jointlimits_maya import open_window; open_window.fill()"
"""What Maya runs whenever it needs the panel's content: now, and when it starts with its layout."""
CLOSED = "from jointlimits_maya import open_window; open_window.closed()"
"""What Maya runs when somebody closes the panel."""

_shown: list[Any] = []
"""The window that is open, if any: Python has to hold on to it."""


def open_window() -> Any:
    """Show the window, and make it if there is none.

    Returns
    -------
    Window
    """
    if not cmds.workspaceControl(CONTROL, exists=True):
        # live check: workspace-control
        cmds.workspaceControl(
            CONTROL,
            label=host.TITLE,
            retain=False,
            floating=True,
            initialWidth=1180,
            initialHeight=780,
            minimumWidth=420,
            uiScript=FILL,
            closeCommand=CLOSED,
        )
    else:
        cmds.workspaceControl(CONTROL, edit=True, restore=True)
        if window() is None:
            fill()
    return window()


def window() -> Any:
    """Return the window that is open, or None."""
    from .ui.qt import isValid

    _shown[:] = [one for one in _shown if isValid(one)]
    return _shown[0] if _shown else None


def fill() -> None:
    """Put the window into its panel; Maya calls this."""
    from . import interactive

    interactive.spoken(_fill)()


def _fill() -> None:
    from maya import OpenMayaUI

    from .ui.qt import QtWidgets, wrapInstance
    from .ui.window import Window
    from .window_host import MayaHost

    for old in list(_shown):
        close(old)
    address = OpenMayaUI.MQtUtil.findControl(CONTROL)
    panel = wrapInstance(int(address), QtWidgets.QWidget)
    made = Window(MayaHost(), parent=panel)
    panel.layout().addWidget(made)
    _shown[:] = [made]


def closed() -> None:
    """End the window whose panel was closed; Maya calls this."""
    from . import interactive

    one = window()
    if one is not None:
        interactive.spoken(close)(one)


def close(one: Any) -> None:
    """End a window: no job of it stays in Maya."""
    from .ui.qt import isValid

    _shown[:] = [other for other in _shown if other is not one]
    if isValid(one):
        one.shut()
        one.setParent(None)
        one.deleteLater()
