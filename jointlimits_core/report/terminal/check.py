"""Check results as text for a terminal, JSON, CSV and JUnit XML."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from xml.etree import ElementTree

from ...base.text import frames_words, group_findings, in_columns, plural, printable, wrapped_lines
from ...evaluation.check_result import CheckedClip, CheckResult
from ...evaluation.violations import Violations
from ...io.csv import csv_text

WIDTH_CHARS = 100
MAX_RANGES = 3
MAX_NAMES = 8


def check_text(result: CheckResult, ascii_only: bool = False) -> str:
    """Text of a check result, ending with a newline; `ascii_only` escapes non-ASCII characters.

    It has a line for each clip, then one for each joint outside, worst first, and the verdict.
    """
    character = result.character or "the character"
    lines = [f"Limits of {character} ({result.limits}); {result.gate}", ""]
    for clip in result.clips:
        lines += _clip_lines(clip, result.noun)
    lines += [*_joint_lines(result), "", _verdict(result)]
    return "".join(f"{printable(line, ascii_only)}\n" for line in lines)


def _clip_lines(clip: CheckedClip, noun: str) -> list[str]:
    checked = clip.violations
    if checked is None:
        return [f"{clip.file}: could not be checked: {clip.error}"]
    size = f"{plural(len(checked.frames), 'frame')}, {plural(len(checked.joints), noun)}"
    if not checked.bounds:
        return [f"{clip.file}: inside ({size})", *_notes(checked, noun)]
    count, passed = plural(len(checked.joints_outside), noun), "passed, " if clip.passed else ""
    head = f"{clip.file}: {passed}{count} outside in {checked.frames_outside} of {size}"
    return [head, *_notes(checked, noun)]


def _joint_lines(result: CheckResult) -> list[str]:
    """Table of one line per joint outside: the limit that decides, in the motion that decides."""
    several = len(result.clips) > 1
    rows = [
        (
            *(result.noun, "limit", "result", "frames", "share", "longest", "worst", "at frame"),
            "which frames",
            *(("failed in", "motion") if several else ()),
        )
    ]
    for clip, item, failed in result.joints():
        share, worst, frame = item.share_percent, f"{item.worst_deg:.2f}", item.worst_frame
        numbers = str(item.frames), f"{share:.3g} %", str(item.longest), worst, f"{frame:.10g}"
        motion = (f"{failed} of {len(result.clips)}", clip.file) if several else ()
        frames = frames_words(item.frame_ranges, MAX_RANGES).partition(" ")[2]
        rows.append((item.joint, item.label(), item.verdict(), *numbers, frames, *motion))
    if len(rows) == 1:
        return []
    return ["", *in_columns(rows, right=(3, 4, 5, 6, 7), indent="  ")]


def _notes(checked: Violations, noun: str) -> list[str]:
    """Notes that are not violations."""
    texts = []
    if checked.missing:
        rest = len(checked.missing) - MAX_NAMES
        more = f" and {rest} more" if rest > 0 else ""
        texts.append(f"not in this motion: {', '.join(checked.missing[:MAX_NAMES])}{more}")
    for group in group_findings(checked.findings):
        texts.append(group.sentence(noun=noun))
        if len(group.joints) == 1:
            finding = group.findings[0]
            frames = frames_words(finding.frame_ranges, MAX_RANGES)
            where = f" ({frames})" if frames else ""
            texts[-1] = f"{finding.rule}: {finding.joint}: {finding.message}{where}."
    return [line for text in texts for line in wrapped_lines(f"  {text}", WIDTH_CHARS, "    ")]


def _verdict(result: CheckResult) -> str:
    total, joints = plural(len(result.clips), "motion"), result.joints()
    if result.passed and joints:
        return f"PASSED: {total}; {plural(len(joints), result.noun)} outside, as the rules allow."
    if result.passed:
        return f"PASSED: {total} inside the limits."
    broken = sum(clip.violations is None for clip in result.clips)
    outside = sum(not clip.passed for clip in result.clips) - broken
    words = []
    if outside:
        clip, worst, _ = joints[0]
        words.append(
            f"{outside} of {total} outside, at worst by {worst.worst_deg:.2f} degrees "
            f"({worst.joint}.{worst.channel}, frame {worst.worst_frame:.10g} of {clip.file})"
        )
    if broken:
        words.append(f"{broken} of {total} could not be checked")
    return f"FAILED: {'; '.join(words)}."


COLUMNS = (
    *("file", "clip", "status", "joint", "channel", "side", "bound_deg", "frames", "worst_deg"),
    *("worst_frame", "worst_value_deg", "frame_ranges", "message"),
    *("share_percent", "longest", "counted", "rule", "rule_value", "baseline_deg"),
)
"""Columns of the CSV file. `status` is "outside", "passed" (outside, but the rules let it pass),
"inside" (one row for the clip) or "error"."""


def check_csv(result: CheckResult) -> str:
    """One row per exceeded limit, with the columns :data:`COLUMNS`."""
    return csv_text(COLUMNS, (row for clip in result.clips for row in _rows_of(clip)))


def _rows_of(clip: CheckedClip) -> Iterator[list[object]]:
    checked = clip.violations
    if checked is None:
        yield [clip.file, "", "error", *[""] * 9, clip.error, *[""] * 6]
        return
    if not checked.bounds:
        yield [clip.file, checked.clip, "inside", *[""] * 16]
    for item in checked.bounds:
        ranges = " ".join(f"{a:.10g}-{b:.10g}" for a, b in item.frame_ranges)
        whole = float(item.worst_frame).is_integer()
        frame = int(item.worst_frame) if whole else item.worst_frame
        yield [
            *(clip.file, checked.clip, "passed" if item.passed else "outside"),
            *(item.joint, item.channel, item.side),
            *(item.bound_deg, item.frames, item.worst_deg, frame, item.worst_value_deg, ranges),
            "" if item.on_joint is None else item.label(),
            *(item.share_percent, item.longest, item.counted, item.rule, item.rule_value),
            "" if item.baseline_deg is None else item.baseline_deg,
        ]


_COUNTED = {"tests": "testcase", "failures": "failure", "errors": "error", "skipped": "skipped"}
"""Attributes of test suites, with the elements that they count."""


def check_junit(result: CheckResult) -> str:
    """JUnit XML: a suite per motion, a case per joint; an unreadable motion is an error.

    Joints that are not in the motion are skipped cases. The text is always ASCII and
    well-formed: characters that XML does not allow are escaped.
    """
    root = ElementTree.Element("testsuites", name="jointlimits check")
    for clip in result.clips:
        _add_suite(root, clip)
    for element in (root, *root):
        for attribute, tag in _COUNTED.items():
            element.set(attribute, str(len(list(element.iter(tag)))))
    ElementTree.indent(root, " ")
    text = ElementTree.tostring(root, "us-ascii").decode("ascii")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'


def _add_suite(root: ElementTree.Element, clip: CheckedClip) -> None:
    file, checked = printable(clip.file), clip.violations
    suite = ElementTree.SubElement(root, "testsuite", name=file)

    def add_case(name: str, tag: str = "", **attributes: str) -> ElementTree.Element:
        case = ElementTree.SubElement(suite, "testcase", classname=file, name=printable(name))
        return ElementTree.SubElement(case, tag, attributes) if tag else case

    if checked is None:
        add_case("read", "error", message=printable(clip.error or "could not be checked"))
        return
    for joint in checked.joints:
        items = [item for item in checked.bounds if item.joint == joint and not item.passed]
        if not items:
            add_case(joint)
            continue
        worst, driver = items[0], ""
        if worst.on_joint is not None:
            driver = f", depends on {worst.on_joint} {worst.on_channel}"
        message = (
            f"{worst.worst_deg:.2f} degrees outside at frame {worst.worst_frame:.10g} "
            f"({worst.channel} {worst.side}{driver}; {worst.rule} {worst.rule_value:g})"
        )
        failure = add_case(joint, "failure", type="outside", message=printable(message))
        failure.text = "\n".join(
            printable(
                f"{item.label(2)}: "
                f"{item.worst_deg:.2f} degrees outside at frame {item.worst_frame:.10g}; "
                f"{frames_words(item.frame_ranges, len(item.frame_ranges))}"
            )
            for item in items
        )
    for joint in checked.missing:
        add_case(joint, "skipped", message="joint not in the motion")


WRITERS: Mapping[str, Callable[[CheckResult], str]] = {
    "text": check_text,
    "json": lambda result: json.dumps(result.to_dict(), indent=1, allow_nan=False) + "\n",
    "csv": check_csv,
    "junit": check_junit,
}
"""Writers by the value of `--format`."""
