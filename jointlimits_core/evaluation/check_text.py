"""Check result as text for a terminal."""

from __future__ import annotations

from ..findings import Finding
from ..wording import (
    frames_words,
    grouped,
    plural,
    printable,
    wrapped_lines,
)
from .check_result import CheckedClip, CheckResult
from .columns import in_columns
from .violations import Violations

WIDTH = 100
MOST_RANGES = 3
MOST_NAMES = 8
_HEADING = ("joint", "limit", "frames", "worst", "at frame", "which frames")


def check_text(result: CheckResult, ascii_only: bool = False) -> str:
    """Text of a check result.

    Parameters
    ----------
    ascii_only : bool
        Escape characters that are not ASCII.

    Returns
    -------
    str
        Per clip the limits that are exceeded, worst first; a verdict line at the end. Ends with a
        newline.
    """
    lines = [
        f"Limits of {result.character or 'the character'} ({result.limits}); "
        f"tolerance {result.tolerance_deg:g} degrees"
    ]
    for clip in result.clips:
        lines += ["", *_clip_lines(clip)]
    lines += ["", _verdict(result)]
    return "".join(f"{printable(line, ascii_only)}\n" for line in lines)


def _clip_lines(clip: CheckedClip) -> list[str]:
    checked = clip.violations
    if checked is None:
        return [f"{clip.file}: could not be checked: {clip.error}"]
    size = f"{plural(len(checked.frames), 'frame')}, {plural(len(checked.joints), 'joint')}"
    if not checked.bounds:
        lines = [f"{clip.file}: inside ({size})"]
    else:
        count = plural(len(checked.joints_outside), "joint")
        lines = [
            f"{clip.file}: {count} outside in {checked.frames_outside} of {size}",
            *in_columns([_HEADING, *_rows(checked)], right=(2, 3, 4), indent="  "),
        ]
    return lines + _notes(checked)


def _rows(checked: Violations) -> list[tuple[str, ...]]:
    return [
        (
            item.joint,
            item.bound_words(),
            str(item.frames),
            f"{item.worst_deg:.2f}",
            f"{item.worst_frame:.10g}",
            frames_words(item.frame_ranges, MOST_RANGES).partition(" ")[2],
        )
        for item in checked.bounds
    ]


def _notes(checked: Violations) -> list[str]:
    """Notes that are not violations."""
    lines = []
    if checked.missing:
        some = ", ".join(checked.missing[:MOST_NAMES])
        rest = len(checked.missing) - MOST_NAMES
        more = f" and {rest} more" if rest > 0 else ""
        lines += _paragraph(f"not in this motion: {some}{more}")
    for group in grouped(checked.findings):
        single = len(group.joints) == 1
        lines += _paragraph(_single(group.findings[0]) if single else group.sentence())
    return lines


def _single(finding: Finding) -> str:
    frames = frames_words(finding.frame_ranges, MOST_RANGES)
    where = f" ({frames})" if frames else ""
    return f"{finding.rule}: {finding.joint}: {finding.message}{where}."


def _paragraph(text: str) -> list[str]:
    return wrapped_lines(f"  {text}", WIDTH, "    ")


def _verdict(result: CheckResult) -> str:
    broken = [clip for clip in result.clips if clip.violations is None]
    outside = [clip for clip in result.clips if clip.violations and clip.violations.bounds]
    total = plural(len(result.clips), "motion")
    if result.passed:
        return f"PASSED: {total} inside the limits."
    words = []
    if outside:
        file, worst = max(
            ((clip.file, clip.violations.bounds[0]) for clip in outside if clip.violations),
            key=lambda pair: pair[1].worst_deg,
        )
        words.append(
            f"{len(outside)} of {total} outside, at worst by {worst.worst_deg:.2f} degrees "
            f"({worst.joint}.{worst.channel}, frame {worst.worst_frame:.10g} of {file})"
        )
    if broken:
        words.append(f"{len(broken)} of {total} could not be checked")
    return f"FAILED: {'; '.join(words)}."
