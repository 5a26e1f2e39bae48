"""The window as a dockable panel that Maya restores with its layout."""

from __future__ import annotations

from typing import Any

from maya import cmds

from ..base import guarded, host

CONTROL = "jointLimitsWindow"
FILL = "from jointlimits_maya.window import open_window; open_window.fill()"
"""Python that Maya runs to fill the panel: when it opens, and when a layout is restored."""
CLOSED = "from jointlimits_maya.window import open_window; open_window.closed()"
"""Python that Maya runs when the panel is closed."""

_shown: list[Any] = []
"""The open window, if any; this reference keeps it alive."""


def open_window() -> Any:
    """Show the window, creating it if needed; returns the Window."""
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
    """Return the open window, or None."""
    from ..ui.toolkit import isValid

    _shown[:] = [one for one in _shown if isValid(one)]
    return _shown[0] if _shown else None


def fill() -> None:
    """Put the window in its panel; called by Maya."""
    guarded(_fill)()


def _fill() -> None:
    from maya import OpenMayaUI

    from ..ui.toolkit import QtWidgets, wrapInstance
    from ..ui.window import Window
    from .maya_host import MayaHost

    for old in list(_shown):
        close(old)
    address = OpenMayaUI.MQtUtil.findControl(CONTROL)
    panel = wrapInstance(int(address), QtWidgets.QWidget)
    made = Window(MayaHost(), parent=panel)
    panel.layout().addWidget(made)
    _shown[:] = [made]


def closed() -> None:
    """Shut down the window whose panel was closed; called by Maya."""
    one = window()
    if one is not None:
        guarded(close)(one)


def close(one: Any) -> None:
    """Shut down a window, with all its script jobs."""
    from ..ui.toolkit import isValid

    _shown[:] = [other for other in _shown if other is not one]
    if isValid(one):
        one.shut_down()
        one.setParent(None)
        one.deleteLater()
