"""Scripts for Maya: a fixed program followed by the data of one limit set."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from ..limits.limit_set import LimitSet
from .exported import Exported
from .options import ExportOptions
from .script_joints import ScriptJoint, script_joints

PROGRAMS = Path(__file__).parent / "for_maya"
Data = Callable[[str, Mapping[str, ScriptJoint]], Iterable[str]]


def maya_script(
    limit_set: LimitSet, options: ExportOptions, program: str, switch: tuple[str, str], data: Data
) -> Exported:
    """Write a script.

    Parameters
    ----------
    program : str
        File name in the folder `for_maya`.
    switch : tuple of two str
        Its line that keeps existing limits, and the line to use instead with `replace`.
    data : callable
        Returns the data lines for a character's name and its joints.
    """
    joints, losses = script_joints(limit_set, options)
    body = (PROGRAMS / program).read_text(encoding="utf-8")
    if options.replace:
        body = body.replace(*switch, 1)
    text = "\n".join([body, *data(limit_set.character, joints)]) + "\n"
    return Exported(text, losses, (f"limits of {len(joints)} joints",))
