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
from ..formats import BYTE_ORDER_MARK, format_by_content, read_asf, read_head, read_motion
from ..io import DEFAULT_LIMITS, FilePath, ReadLimits, source_file
from ..limits import MAX_ANGLE_DEG, LimitSet, read_limit_set
from .declared import DECLARED, declared_limits
from .joint_models import NOT_CHANNELS, ModelFormat, ModelJoints

ADVICE = (
    "has no limits that can be imported; expected an MJCF or URDF model, an ASF skeleton, an FBX "
    "file, a Maya ASCII scene (.ma) or a limit set (.json)"
)
MODELS = "jointlimits.models"
"""Entry points of model formats."""
SKELETONS = {"asf": "an Acclaim skeleton", "fbx": "an FBX file", "ma": "a Maya scene"}
"""Motion formats whose joints declare limits."""

_COMMENT = re.compile(rb"<!--.*?(-->|\Z)", re.DOTALL)


def read_limits(path: FilePath, limits: ReadLimits = DEFAULT_LIMITS) -> LimitSet:
    """Read a limit set, or import the limits that another file declares.

    Parameters
    ----------
    path : path-like or str
        Limit set, MJCF, URDF, ASF, FBX or Maya ASCII scene.
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
    kind = _kind(path, read_head(path, 1 << 16))
    if kind == "json":
        return read_limit_set(path, limits)
    if kind in ("fbx", "ma"):
        found = _of_scene(path, limits)
    elif kind == "asf":
        found = _named(declared_limits(read_asf(path, limits)), path)
    else:
        model = implementation(_models()[kind], "read")(path, limits)
        found = declared_limits(model.skeleton, model.locked_deg, model.findings)
    return _with_source(found, path, kind)


def is_model(path: FilePath) -> bool:
    """Whether a file is a model in XML, not a scene; raises InputError if it cannot be read."""
    return read_head(path).removeprefix(BYTE_ORDER_MARK).lstrip().startswith(b"<")


def read_model(path: FilePath, limits: ReadLimits = DEFAULT_LIMITS) -> ModelJoints:
    """Read the joints of a model, by its content; raises InputError."""
    kind = _kind_of_markup(path, read_head(path, 1 << 16).removeprefix(BYTE_ORDER_MARK))
    found: ModelJoints = implementation(_models()[kind], "read")(path, limits)
    return found


def _of_scene(path: FilePath, limits: ReadLimits) -> LimitSet:
    motion = read_motion(path, limits=limits)
    rotates = {name: motion.rotate_deg(name) for name in motion.joint_names}
    locked_at = {name: values[0] for name, values in rotates.items() if values is not None}
    wild = [
        name for name, values in locked_at.items() if not (np.abs(values) <= MAX_ANGLE_DEG).all()
    ]
    if wild:
        raise InputError(path, f"joint {wild[0]!a} is rotated beyond the angle limit; fix it")
    return _named(declared_limits(motion.skeleton, locked_at), path)


def _named(limit_set: LimitSet, path: FilePath) -> LimitSet:
    return replace(limit_set, character=limit_set.character or Path(path).stem)


def _with_source(limit_set: LimitSet, path: FilePath, kind: str) -> LimitSet:
    """Limit set with findings about its source, and about the lack of limits."""
    source = source_file(path)
    name = Path(source.path).name
    words = SKELETONS.get(kind) or _models()[kind].words
    text = (
        f"the limits are those declared in {name} ({words}, SHA-256 "
        f"{source.sha256[:12]}...); nothing was measured"
    )
    findings = [Finding(DECLARED, text)]
    if not any(_is_declared(limit_set, joint) for joint in limit_set.joints):
        passed_over = any(one.rule == NOT_CHANNELS for one in all_findings(limit_set))
        what = "that rotate channels can hold" if passed_over else "of rotations"
        text = f"{name} declares no limits {what}; all joints are free"
        findings.append(Finding("none-declared", text))
    return replace(limit_set, findings=(*findings, *limit_set.findings))


def _is_declared(limit_set: LimitSet, joint: str) -> bool:
    return any(axis.state != "free" for axis in limit_set.joints[joint].limits.values())


def _kind(path: FilePath, head: bytes) -> str:
    """Format by the start of the file.

    Raises InputError for an unsupported file.
    """
    text = head[3:] if head.startswith(b"\xef\xbb\xbf") else head
    start = text.lstrip()
    if start.startswith(b"{"):
        return "json"
    found = format_by_content(head)
    if found is not None and found.name in SKELETONS:
        return found.name
    if start.startswith(b"<"):
        return _kind_of_markup(path, start)
    raise InputError(path, ADVICE)


def _kind_of_markup(path: FilePath, start: bytes) -> str:
    """Format by the name of the outermost element, after any comments."""
    names = {one.element: one.name for one in _models().values()}
    pattern = rf"<({'|'.join(map(re.escape, names))})\b".encode()
    found = re.search(pattern, _COMMENT.sub(b"", start))
    if found is not None:
        return names[found[1].decode()]
    expected = " nor ".join(f"<{element}>" for element in names)
    raise InputError(path, f"is XML, but neither {expected}; it {ADVICE}")


@cache
def _models() -> Mapping[str, ModelFormat]:
    return by_name(MODELS, __package__ or "", ModelFormat)
