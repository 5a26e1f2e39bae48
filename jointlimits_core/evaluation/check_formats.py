"""Check results as JSON, CSV and JUnit XML."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Mapping
from xml.sax.saxutils import escape, quoteattr

from ..wording import frames_words, printable
from .check_result import CheckedClip, CheckResult
from .check_text import check_text
from .violations import BoundViolation

COLUMNS = (
    "file",
    "clip",
    "status",
    "joint",
    "channel",
    "side",
    "bound_deg",
    "frames",
    "worst_deg",
    "worst_frame",
    "worst_value_deg",
    "frame_ranges",
    "message",
)
"""Columns of the CSV. `status` is "outside", "inside" (one row for the clip) or "error"."""


def check_json(result: CheckResult) -> str:
    """JSON text: the same bytes for the same content."""
    return json.dumps(result.to_dict(), indent=1, allow_nan=False) + "\n"


def check_csv(result: CheckResult) -> str:
    """One row per limit that is exceeded, with the columns of :data:`COLUMNS`."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(COLUMNS)
    for clip in result.clips:
        checked = clip.violations
        if checked is None:
            head = [printable(clip.file), "", "error"]
            writer.writerow(head + [""] * 9 + [printable(clip.error or "")])
            continue
        head = [printable(clip.file), printable(checked.clip)]
        if not checked.bounds:
            writer.writerow([*head, "inside"] + [""] * 10)
        writer.writerows([*head, "outside", *_cells(item)] for item in checked.bounds)
    return stream.getvalue()


def _cells(item: BoundViolation) -> list[object]:
    ranges = " ".join(f"{a:.10g}-{b:.10g}" for a, b in item.frame_ranges)
    return [
        printable(item.joint),
        item.channel,
        item.side,
        repr(item.bound_deg),
        item.frames,
        repr(item.worst_deg),
        f"{item.worst_frame:.10g}",
        repr(item.worst_value_deg),
        ranges,
        "" if item.on_joint is None else printable(item.bound_words()),
    ]


def check_junit(result: CheckResult) -> str:
    """JUnit XML: a suite per motion, a case per joint; a motion that cannot be read is an error.

    Joints that the motion does not have are skipped cases. The text is always ASCII and
    well-formed: characters that XML does not allow are escaped.
    """
    suites = [_suite(clip, result.tolerance_deg) for clip in result.clips]
    counts = [_counts(clip) for clip in result.clips]
    total = {key: sum(count[key] for count in counts) for key in _COUNTED}
    body = "".join(suites)
    text = f"<testsuites{_attributes(name='jointlimits check', **total)}>\n{body}</testsuites>\n"
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + text.encode(
        "ascii", "xmlcharrefreplace"
    ).decode("ascii")


_COUNTED = ("tests", "failures", "errors", "skipped")


def _counts(clip: CheckedClip) -> dict[str, int]:
    checked = clip.violations
    if checked is None:
        return dict(zip(_COUNTED, (1, 0, 1, 0)))
    skipped = len(checked.missing)
    tests = len(checked.joints) + skipped
    return dict(zip(_COUNTED, (tests, len(checked.joints_outside), 0, skipped)))


def _suite(clip: CheckedClip, tolerance_deg: float) -> str:
    checked = clip.violations
    cases = []
    if checked is None:
        message = clip.error or "could not be checked"
        cases.append(_case(clip.file, "read", f"<error{_attributes(message=message)}/>"))
    else:
        passed: dict[str, list[BoundViolation]] = {name: [] for name in checked.joints}
        for item in checked.bounds:
            passed[item.joint].append(item)
        cases += [_joint_case(clip.file, *pair, tolerance_deg) for pair in passed.items()]
        reason = _attributes(message="joint not in the motion")
        cases += [_case(clip.file, name, f"<skipped{reason}/>") for name in checked.missing]
    head = _attributes(name=clip.file, **_counts(clip))
    return f" <testsuite{head}>\n{''.join(cases)} </testsuite>\n"


def _joint_case(file: str, joint: str, items: list[BoundViolation], tolerance_deg: float) -> str:
    if not items:
        return _case(file, joint, "")
    worst = items[0]
    message = (
        f"{worst.worst_deg:.2f} degrees outside at frame {worst.worst_frame:.10g} "
        f"({worst.channel} {worst.side}{_driver(worst)}; tolerance {tolerance_deg:g})"
    )
    text = "\n".join(
        f"{item.bound_words(2)}: "
        f"{item.worst_deg:.2f} degrees outside at frame {item.worst_frame:.10g}; "
        f"{frames_words(item.frame_ranges, len(item.frame_ranges))}"
        for item in items
    )
    head = _attributes(type="outside", message=message)
    return _case(file, joint, f"<failure{head}>{escape(text)}</failure>")


def _driver(item: BoundViolation) -> str:
    """The channel that a limit depends on, if any."""
    return "" if item.on_joint is None else f", depends on {item.on_joint} {item.on_channel}"


def _case(file: str, name: str, inner: str) -> str:
    return f"  <testcase{_attributes(classname=file, name=name)}>{inner}</testcase>\n"


def _attributes(**values: object) -> str:
    return "".join(f" {key}={quoteattr(printable(str(value)))}" for key, value in values.items())


WRITERS: Mapping[str, Callable[[CheckResult], str]] = {
    "text": check_text,
    "json": check_json,
    "csv": check_csv,
    "junit": check_junit,
}
"""Writers by the value of `--format`."""
