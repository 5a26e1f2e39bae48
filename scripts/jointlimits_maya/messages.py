"""Messages to the artist: in the viewport, in the Script Editor, or as a dialog."""

from __future__ import annotations

import html
from collections.abc import Sequence

import maya.api.OpenMaya as om
from maya import cmds

from . import host


def info(text: str, details: str = "") -> None:
    """Report success; details go to the Script Editor."""
    if details:
        print(details)
    om.MGlobal.displayInfo(_one_line(text))
    _in_view(text)


def warning(text: str, details: str = "") -> None:
    """Report that something was done only in part, or not as expected."""
    if details:
        print(details)
    om.MGlobal.displayWarning(_one_line(text))
    _in_view(text)


def problem(text: str) -> None:
    """Report why nothing was done, and what to do."""
    om.MGlobal.displayError(_one_line(text))
    _in_view(text)


def ask(text: str, buttons: Sequence[str]) -> str:
    """Ask, and return the label of the pressed button; the last one if the dialog is dismissed."""
    if not host.is_interactive():
        om.MGlobal.displayWarning(_one_line(text))
        return buttons[-1]
    answer = cmds.confirmDialog(
        title=host.TITLE,
        message=text,
        button=list(buttons),
        defaultButton=buttons[0],
        cancelButton=buttons[-1],
        dismissString=buttons[-1],
    )
    return str(answer)


def _one_line(text: str) -> str:
    return f"{host.TITLE}: {' '.join(text.split())}"


def _in_view(text: str) -> None:
    """Show a text in the viewport, which renders HTML."""
    if host.is_interactive():
        shown = html.escape(text, quote=False).replace("\n", "<br>")
        cmds.inViewMessage(statusMessage=shown, position="topCenter", fade=True, fadeStayTime=4000)
