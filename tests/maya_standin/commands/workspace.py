"""workspaceControl: panels that Maya docks, here plain Qt widgets; and MQtUtil, which finds them.

guess: workspace-control
"""

from __future__ import annotations

import importlib
from types import SimpleNamespace

from tests.maya_standin.commands.flags import Bool, Callback, Int, Text
from tests.maya_standin.commands.idle import as_callable
from tests.maya_standin.commands.registry import command
from tests.maya_standin.commands.ui import needs_window
from tests.maya_standin.errors import NotModelledError


@command("workspaceControl")
@needs_window
def workspace_control(
    session,
    name,
    *,
    exists: Bool = False,
    query: Bool = False,
    edit: Bool = False,
    restore: Bool = False,
    close: Bool = False,
    visible: Bool = None,
    label: Text = "",
    retain: Bool = True,
    floating: Bool = True,
    initialWidth: Int = 0,
    initialHeight: Int = 0,
    minimumWidth: Int = 0,
    uiScript: Callback = "",
    closeCommand: Callback = None,
):
    """Make a panel and run its script, which fills it; or show, hide or ask one."""
    panels = controls(session)
    if exists:
        return name in panels
    if query:
        if visible is None:
            raise NotModelledError("cmds.workspaceControl(query=True) other than visible")
        return not panels[name].widget.isHidden()
    if edit:
        _edit(session, panels[name], restore, close)
        return None
    if name in panels:
        raise RuntimeError(f"Object's name '{name}' is not unique.")
    panels[name] = SimpleNamespace(
        widget=_panel(name, initialWidth, initialHeight, minimumWidth),
        retain=retain,
        floating=floating,
        script=uiScript,
        on_close=closeCommand,
        label=label,
    )
    if uiScript and session.quirks.panels_fill_later:
        session.interface.defer(as_callable(session, uiScript))
    elif uiScript:
        as_callable(session, uiScript)()
    panels[name].widget.show()
    return name


def _panel(name, width, height, minimum_width):
    from jointlimits_maya.ui.toolkit.qt import QtWidgets

    panel = QtWidgets.QWidget()
    panel.setObjectName(name)
    QtWidgets.QVBoxLayout(panel)
    panel.setMinimumWidth(minimum_width)
    panel.resize(width or 1180, height or 780)
    return panel


def _edit(session, panel, restore, close):
    if restore:
        panel.widget.show()
    elif close:
        panel.widget.hide()
        if panel.on_close is not None:
            as_callable(session, panel.on_close)()
    else:
        raise NotModelledError("cmds.workspaceControl(edit=True) other than restore and close")


def controls(session):
    """Panels by name."""
    if not hasattr(session, "workspace_controls"):
        session.workspace_controls = {}
    return session.workspace_controls


def find_control(session, name):
    """Address of a panel, as MQtUtil.findControl gives it; None for a name that nothing has."""
    panel = controls(session).get(name)
    if panel is None:
        return None
    from jointlimits_maya.ui.toolkit.qt import BINDING

    shiboken = importlib.import_module({"PySide6": "shiboken6", "PySide2": "shiboken2"}[BINDING])
    return shiboken.getCppPointer(panel.widget)[0]
