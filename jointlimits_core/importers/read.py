"""Reader of limits from any supported file; the content decides the format."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np

from ..base import Finding, InputError, all_findings
from ..base.registry import by_name, implementation
from ..formats import (
    BYTE_ORDER_MARK,
    HEAD_BYTES,
    MotionFormat,
    format_by_content,
    motion_formats,
    read_head,
    read_motion,
)
from ..io import DEFAULT_LIMITS, FilePath, ReadLimits, source_file
from ..limits import MAX_ANGLE_DEG, LimitSet, read_limit_set
from .declared import DECLARED, declared_limits
from .joint_models import NOT_CHANNELS, ModelFormat, ModelJoints

MODELS = "jointlimits.models"
"""Entry points of model formats."""


def read_limits(path: FilePath, limits: ReadLimits = DEFAULT_LIMITS) -> LimitSet:
    """Read a limit set, or import the limits that another file declares.

    Parameters
    ----------
    path : path-like or str
        Limit set, robot model, or a file of motion or of a skeleton whose joints declare limits.
    limits : ReadLimits
        Input budget.

    Returns
    -------
    LimitSet
        For other formats, every limit is in the layer "prior"; findings list what is missing.

    Raises
    ------
    InputError
        With line and column where there is one.
    """
    if os.fspath(path).lower().endswith(".json"):
        return read_limit_set(path, limits)
    head = read_head(path, HEAD_BYTES)
    start = head.removeprefix(BYTE_ORDER_MARK).lstrip()
    if start.startswith(b"{"):
        return read_limit_set(path, limits)
    form = format_by_content(head)
    if form is not None and form.declares:
        return _with_source(_of_joints(form, path, limits), path, form.declares)
    if form is not None and form.read:
        mend = f"to measure its limits: jointlimits estimate {os.fspath(path)}"
        raise InputError(path, f"is a motion that declares no limits; {mend}")
    if not start.startswith(b"<"):
        raise InputError(path, f"has {_advice()}")
    one = _model_format(path, start)
    model = implementation(one, "read")(path, limits)
    found = declared_limits(model.skeleton, model.locked_deg, model.findings)
    return _with_source(found, path, one.words)


def declaring_files(*others: str) -> str:
    """Words for the files that declare limits, for help texts."""
    models = (one.words for one in _models().values())
    formats = (one.declares for one in motion_formats().values() if one.declares)
    *most, last = (*models, *formats, *others)
    return f"{', '.join(most)} or {last}"


def model_files() -> str:
    """Words for the robot models, for help texts."""
    return " or ".join(one.words for one in _models().values())


def _advice() -> str:
    return f"no limits that can be imported; expected {declaring_files('a limit set (.json)')}"


def is_model(path: FilePath) -> bool:
    """Whether a file is a model in XML, not a scene; raises InputError if it cannot be read."""
    return read_head(path).removeprefix(BYTE_ORDER_MARK).lstrip().startswith(b"<")


def read_model(path: FilePath, limits: ReadLimits = DEFAULT_LIMITS) -> ModelJoints:
    """Read the joints of a model, by its content; raises InputError."""
    one = _model_format(path, read_head(path, HEAD_BYTES).removeprefix(BYTE_ORDER_MARK))
    found: ModelJoints = implementation(one, "read")(path, limits)
    return found


def _of_joints(form: MotionFormat, path: FilePath, limits: ReadLimits) -> LimitSet:
    """Limits that the joints of a motion or a skeleton declare."""
    if form.read is None:
        skeleton = form.implementation("read_skeleton")(path, limits)
        return declared_limits(skeleton)
    motion = read_motion(path, limits=limits)
    rotates = {name: motion.rotate_deg(name) for name in motion.joint_names}
    locked_at = {name: values[0] for name, values in rotates.items() if values is not None}
    wild = [
        name for name, values in locked_at.items() if not (np.abs(values) <= MAX_ANGLE_DEG).all()
    ]
    if wild:
        raise InputError(path, f"joint {wild[0]!a} is rotated beyond the angle limit; fix it")
    return declared_limits(motion.skeleton, locked_at, held_deg=locked_at)


def _with_source(limit_set: LimitSet, path: FilePath, words: str) -> LimitSet:
    """Limit set with a name, and findings about its source and about the lack of limits."""
    source = source_file(path)
    name = Path(source.path).name
    text = (
        f"the limits are those declared in {name} ({words}, SHA-256 "
        f"{source.sha256[:12]}...); nothing was measured"
    )
    findings = [Finding(DECLARED, text)]
    axes = (axis for joint in limit_set.joints.values() for axis in joint.limits.values())
    if all(axis.state == "free" for axis in axes):
        passed_over = any(one.rule == NOT_CHANNELS for one in all_findings(limit_set))
        what = "that rotate channels can hold" if passed_over else "of rotations"
        text = f"{name} declares no limits {what}; all joints are free"
        findings.append(Finding("none-declared", text))
    character = limit_set.character or Path(path).stem
    return replace(limit_set, character=character, findings=(*findings, *limit_set.findings))


def _model_format(path: FilePath, start: bytes) -> ModelFormat:
    """Format by the name of the outermost element, after any comments."""
    formats = {one.element: one for one in _models().values()}
    pattern = rf"<({'|'.join(map(re.escape, formats))})\b".encode()
    found = re.search(pattern, re.sub(rb"(?s)<!--.*?(-->|\Z)", b"", start))
    if found is not None:
        return formats[found[1].decode()]
    expected = " nor ".join(f"<{element}>" for element in formats)
    raise InputError(path, f"is XML, but neither {expected}; it has {_advice()}")


@cache
def _models() -> Mapping[str, ModelFormat]:
    return by_name(MODELS, __package__ or "", ModelFormat)
