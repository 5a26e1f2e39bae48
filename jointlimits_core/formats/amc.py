"""Acclaim motion (AMC).

Each frame is its number on a line, then a line for each bone with the values of its `dof`, in the
order of the skeleton file. The root's translation is added to its `position`. The format has no
frame rate, and its length unit is that of the skeleton.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from ..arrays import Booleans, Floats
from ..findings import Finding
from ..joint_frame import CHANNELS
from ..large_arrays import by_rows
from ..motion import Motion
from ..progress import Progress, share
from ..skeleton import Skeleton
from .amc_file import AmcFile
from .asf_file import CHANNEL_OF_DOF, ROOT
from .read_limits import DEFAULT_LIMITS, ReadLimits
from .source import FilePath
from .text import COLUMNS, TURNING

DEFAULT_FRAME_RATE = 120.0
_TRANSLATIONS = ("translateX", "translateY", "translateZ")


def read_amc(
    path: FilePath,
    skeleton: Skeleton,
    frame_rate: float | None = None,
    limits: ReadLimits = DEFAULT_LIMITS,
    progress: Progress | None = None,
) -> Motion:
    """Read an AMC motion.

    Parameters
    ----------
    path : path-like or str
    skeleton : Skeleton
        From :func:`jointlimits_core.formats.asf.read_asf`.
    frame_rate : float, optional
        Frames per second. Defaults to what the file states, else 120.
    limits : ReadLimits
        Input budget.
    progress : callable, optional
        Called with (done, total, label) from time to time; returning False cancels.

    Returns
    -------
    Motion
        With `rotates` on the file's own branch. Findings: "frame-rate-assumed",
        "angle-unit-assumed", "missing-bone", "translation-ignored", "frame-gap", "frame-count".

    Raises
    ------
    AcclaimError
        With the line, for unknown bones, wrong numbers of values, repeated frames and bones
        missing from some frames only.
    ValueError
        If the skeleton does not come from an ASF file.
    Cancelled
        If `progress` returned False.
    """
    dofs = [_dof(skeleton, name) for name in skeleton.names]
    widths = [len(dof) for dof in dofs]
    file = AmcFile(path, skeleton.names, widths, limits, progress)
    clip = Path(path).stem
    findings = _assumptions(file, frame_rate, clip) + _frame_gaps(file, clip)
    present, noticed = _present(file, clip)
    findings += noticed
    file.check_finite()
    rotates, translations = _channels(file, skeleton, dofs, len(present), progress)
    findings += _missing_bones(skeleton, widths, present, clip)
    findings += _ignored(file, skeleton, dofs, len(present), clip)
    turning = [bool(set(dof) & set(CHANNELS)) for dof in dofs]
    moved = np.array(turning) & present.any(axis=0)
    return Motion.from_rotates(
        skeleton,
        rotates,
        file.frames.numbers[: len(present)],
        frame_rate if frame_rate is not None else file.frame_rate or DEFAULT_FRAME_RATE,
        clip,
        progress=share(progress, *TURNING),
        translations=translations,
        source=file.text.source,
        findings=tuple(findings),
        animated=frozenset(name for name, moves in zip(skeleton.names, moved) if moves),
    )


def _dof(skeleton: Skeleton, name: str) -> tuple[str, ...]:
    declaration = skeleton.declarations.get(name)
    known = CHANNEL_OF_DOF.values()
    if declaration is None or declaration.dof is None or not set(declaration.dof) <= set(known):
        raise ValueError(f"joint {name!r} has no dof; AMC motion needs a skeleton from an ASF file")
    return declaration.dof


def _assumptions(file: AmcFile, frame_rate: float | None, clip: str) -> list[Finding]:
    findings = []
    if frame_rate is None and file.frame_rate is None:
        message = f"AMC files have no frame rate; {DEFAULT_FRAME_RATE:g} fps is assumed"
        findings.append(Finding("frame-rate-assumed", message, clip=clip))
    if file.radians is None:
        message = "the file states neither :DEGREES nor :RADIANS; degrees are assumed"
        findings.append(Finding("angle-unit-assumed", message, clip=clip))
    return findings


def _frame_gaps(file: AmcFile, clip: str) -> list[Finding]:
    """Check that frame numbers increase, and report gaps."""
    numbers = file.frames.numbers
    if len(numbers) == 0:
        raise file.text.fail("has no frames")
    steps = np.diff(numbers)
    if (steps <= 0).any():
        at = int(np.argmax(steps <= 0)) + 1
        what = "appears twice" if steps[at - 1] == 0 else f"comes after {numbers[at - 1]:.0f}"
        message = f"frame {numbers[at]:.0f} {what}; frame numbers must increase"
        raise file.text.fail(message, int(file.frames.number_lines[at]))
    gaps = np.flatnonzero(steps > 1)
    if len(gaps) == 0:
        return []
    ranges = tuple((float(numbers[at]) + 1, float(numbers[at + 1]) - 1) for at in gaps)
    message = f"frame numbers are skipped in {len(gaps)} places"
    return [Finding("frame-gap", message, clip=clip, frame_ranges=ranges)]


def _present(file: AmcFile, clip: str) -> tuple[Booleans, list[Finding]]:
    """Which frame has which joint, shape (frames, joints).

    An incomplete last frame is dropped. Elsewhere a bone must be in every frame or in none.
    """
    present = file.present()
    anywhere = present.any(axis=0)
    short = (present != anywhere).any(axis=1)
    noticed = []
    if len(present) > 1 and short[-1] and not short[:-1].any():
        present, short = present[:-1], short[:-1]
        message = "the last frame is incomplete and was dropped"
        last = float(file.frames.numbers[-1])
        noticed.append(Finding("frame-count", message, clip=clip, frame_ranges=((last, last),)))
    if short.any():
        at = int(np.argmax(short))
        name = file.names[int(np.argmax(present[at] != anywhere))]
        message = f"frame {file.frames.numbers[at]:.0f} lacks bone {name!a}, unlike others"
        raise file.text.fail(message, int(file.frames.number_lines[at]))
    return present, noticed


def _channels(
    file: AmcFile,
    skeleton: Skeleton,
    dofs: list[tuple[str, ...]],
    count: int,
    progress: Progress | None,
) -> tuple[Floats, dict[int, Floats]]:
    """Rotates (joints, 3, frames) in radians, and the translation of the root."""
    ends = np.cumsum([len(dof) for dof in dofs])

    def own(joint: int) -> Floats:
        end = int(ends[joint])
        return file.frames.columns.columns(end - len(dofs[joint]), end)[:count].T

    def turned(joint: int) -> Floats:
        rotates = np.zeros((3, count))
        for channel, column in zip(dofs[joint], own(joint)):
            if channel in CHANNELS:
                radians = column if file.radians else np.radians(column)
                rotates[CHANNELS.index(channel)] = radians
        return rotates

    rotates = by_rows(
        len(dofs),
        (3, count),
        turned,
        progress=share(progress, *COLUMNS),
        label="sorting the channels",
    )
    root = skeleton.names.index(ROOT) if ROOT in skeleton.names else -1
    if root < 0 or not set(_TRANSLATIONS) & set(dofs[root]):
        return rotates, {}
    place = np.tile(skeleton.offsets[root], (count, 1))
    for channel, column in zip(dofs[root], own(root)):
        if channel in _TRANSLATIONS:
            place[:, _TRANSLATIONS.index(channel)] += column
    return rotates, {root: place}


def _missing_bones(
    skeleton: Skeleton, widths: list[int], present: Booleans, clip: str
) -> list[Finding]:
    message = "the bone has degrees of freedom but is in no frame; its angles are set to zero"
    missing = (np.array(widths) > 0) & ~present.any(axis=0)
    return [
        Finding("missing-bone", message, joint=skeleton.names[joint], clip=clip)
        for joint in np.flatnonzero(missing)
    ]


def _ignored(
    file: AmcFile, skeleton: Skeleton, dofs: list[tuple[str, ...]], count: int, clip: str
) -> list[Finding]:
    """Findings about lengths and translations of bones, which are not read."""
    message = "changes of the bone's length or position are ignored"
    owners = [(name, channel) for name, dof in zip(skeleton.names, dofs) for channel in dof]
    ignored = {
        name: None  # a dict as an ordered set
        for number, (name, channel) in enumerate(owners)
        if channel not in CHANNELS
        if name != ROOT or channel not in _TRANSLATIONS
        if np.any(file.frames.columns.columns(number, number + 1)[:count] != 0.0)
    }
    return [Finding("translation-ignored", message, joint=name, clip=clip) for name in ignored]
