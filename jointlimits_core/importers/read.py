"""Reader of limits from any supported file; the content decides the format."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import numpy as np

from ..base.errors import InputError
from ..base.findings import Finding
from ..formats import registry
from ..formats.text import BYTE_ORDER_MARK
from ..io.input import DEFAULT_LIMITS, FilePath, ReadLimits, source_file
from ..limits import document, limit_set
from .declared import DECLARED, declared_limits

ROBOT_MODELS = (b"<robot", b"<mujoco", b"<?xml", b"<!--")
"""First bytes of URDF and MJCF files."""


def read_limits(
    path: FilePath, limits: ReadLimits = DEFAULT_LIMITS, controls: bool = False
) -> limit_set.LimitSet:
    """Read a limit set, or import the limits that another file declares.

    Parameters
    ----------
    path : path-like or str
        Limit set, or a motion or skeleton file whose joints declare limits.
    limits : ReadLimits
        Input budget.
    controls : bool
        Import the limits of a Maya scene's controls instead of those of its joints.

    Returns
    -------
    LimitSet
        Limits from other formats are all in the layer "prior"; findings list missing data.

    Raises
    ------
    InputError
        With line and column if they are known.
    """
    if os.fspath(path).lower().endswith(".json"):
        return limit_set.read_limit_set(path, limits)
    head = registry.read_head(path, registry.HEAD_BYTES)
    start = head.removeprefix(BYTE_ORDER_MARK).lstrip()
    if start.startswith(b"{"):
        return limit_set.read_limit_set(path, limits)
    form = registry.format_by_content(head)
    if form is not None and form.declares:
        return _of_joints(form, path, limits, controls)
    if form is not None and form.read:
        mend = f"to measure its limits: jointlimits estimate {os.fspath(path)}"
        raise InputError(path, f"is a motion that declares no limits; {mend}")
    if start.startswith(ROBOT_MODELS):
        instead = "measure its motion, and export the limits to MJCF or URDF"
        raise InputError(path, f"is a robot model, which cannot be read; {instead}")
    expected = declaring_files("a limit set (.json)")
    raise InputError(path, f"has no limits that can be imported; expected {expected}")


def declaring_files(*others: str) -> str:
    """List of the kinds of files that declare limits, for help texts."""
    kinds = [one.declares for one in registry.motion_formats().values() if one.declares]
    *most, last = (*kinds, *others)
    return f"{', '.join(most)} or {last}"


def _of_joints(
    form: registry.MotionFormat, path: FilePath, limits: ReadLimits, controls: bool
) -> limit_set.LimitSet:
    """Limits that the joints or controls of a file declare, with findings about their source."""
    if form.read is None:
        found = declared_limits(form.implementation("read_skeleton")(path, limits))
    else:
        motion = registry.read_motion(path, limits=limits, controls=controls)
        rotates = {name: motion.rotate_deg(name) for name in motion.joint_names}
        locked_at = {name: values[0] for name, values in rotates.items() if values is not None}
        for name, values in locked_at.items():
            if not (np.abs(values) <= document.MAX_ANGLE_DEG).all():
                raise InputError(path, f"joint {name!a} is rotated beyond the angle limit; fix it")
        found = declared_limits(motion.skeleton, locked_at, held_deg=locked_at)
    source = source_file(path)
    name, digest = Path(source.path).name, source.sha256[:12]
    words = f"{form.declares}, SHA-256 {digest}..."
    text = f"the limits are those declared in {name} ({words}); nothing was measured"
    findings = [Finding(DECLARED, text)]
    axes = (axis for joint in found.joints.values() for axis in joint.limits.values())
    if all(axis.state == "free" for axis in axes):
        text = f"{name} declares no rotation limits; all joints are free"
        findings.append(Finding("none-declared", text))
    character = found.character or Path(path).stem
    return replace(found, character=character, findings=(*findings, *found.findings))
