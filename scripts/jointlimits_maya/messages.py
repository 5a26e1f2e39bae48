"""What is said to the artist: in the view, in the Script Editor, or as a question."""

from __future__ import annotations

import html
from collections.abc import Sequence

import maya.api.OpenMaya as om
from maya import cmds

from . import host


def info(text: str, details: str = "") -> None:
    """Say that something is done; details go to the Script Editor."""
    if details:
        print(details)
    om.MGlobal.displayInfo(_one_line(text))
    _in_view(text)


def warning(text: str, details: str = "") -> None:
    """Say that something is done, but not all, or not as expected."""
    if details:
        print(details)
    om.MGlobal.displayWarning(_one_line(text))
    _in_view(text)


def problem(text: str) -> None:
    """Say why nothing was done, and what to do next."""
    om.MGlobal.displayError(_one_line(text))
    _in_view(text)


def ask(text: str, buttons: Sequence[str]) -> str:
    """Ask, and give the label of the button that was pressed; the last one stands for none."""
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
    """Show it in the view, which reads HTML."""
    if host.is_interactive():
        shown = html.escape(text, quote=False).replace("\n", "<br>")
        cmds.inViewMessage(statusMessage=shown, position="topCenter", fade=True, fadeStayTime=4000)
