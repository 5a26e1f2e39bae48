"""Page of a check: which motions exceed the limits, when, and by how much."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from .._version import __version__
from ..atomic import write_text_atomically
from ..evaluation.check_result import CheckedClip, CheckResult
from ..evaluation.violations import BoundViolation, Violations
from ..findings import Finding
from ..progress import Progress, tell
from ..wording import frames_words, grouped, plural
from .bars import dots, share_bar
from .document import document
from .markup import Html, element
from .style import require_matplotlib
from .violation_strip import legend, strip_image, strip_of
from .words import degrees

MOST_RANGES = 8
HOW_TO_READ = (
    "Each row of a picture is one joint, each column a moment of the clip. Grey is inside the "
    "limits; darker is further outside. The triangle marks the worst frame; the numbers on the "
    "right give the degrees outside there, that frame, and how many frames are outside at all. "
    "The first row is all joints together."
)


def write_check_report(
    result: CheckResult, path: str | os.PathLike[str], progress: Progress | None = None
) -> None:
    """Write the result of a check as one HTML page with pictures.

    Parameters
    ----------
    path : path-like
        The page; written atomically.
    progress : callable, optional
        Called as ``progress(done, total, label)`` before each picture; False stops.

    Raises
    ------
    MissingPackageError
        If matplotlib is missing; the message says what to install.
    Cancelled
        If `progress` returned False. Nothing was written.
    """
    require_matplotlib()
    sections = []
    for place, clip in enumerate(result.clips):
        tell(progress, place, len(result.clips), f"drawing {clip.file}")
        if clip.violations is not None and _worth_a_section(clip.violations):
            sections.append(_section(place, clip.file, clip.violations))
    write_text_atomically(path, _page(result, sections))


def _worth_a_section(checked: Violations) -> bool:
    return bool(checked.bounds or checked.findings or checked.missing)


def _page(result: CheckResult, sections: Sequence[Html]) -> str:
    title = f"Check against the limits of {result.character or 'the character'}"
    sheet = Path(__file__).with_name("check.css").read_text(encoding="utf-8")
    header = _header(result, title)
    return document(title, header, *sections, version=__version__, more_css=sheet)


def _header(result: CheckResult, title: str) -> Html:
    bad = sum(not clip.passed for clip in result.clips)
    total = plural(len(result.clips), "motion")
    words = f"{bad} of {total} failed" if bad else f"passed: {total} inside the limits"
    pictures = any(clip.violations and clip.violations.bounds for clip in result.clips)
    return element(
        "header",
        element("h1", title),
        element("p", words, class_=f"verdict-{'failed' if bad else 'passed'}"),
        element("p", f"{result.limits}; tolerance {result.tolerance_deg:g}°.", class_="lead"),
        element("p", HOW_TO_READ) if pictures else None,
        element("p", dots(legend()), class_="legend") if pictures else None,
        _summary(result.clips),
    )


def _summary(clips: Sequence[CheckedClip]) -> Html:
    names = ("frames", "frames outside", "", "joints outside", "worst", "at frame")
    right = ("frames", "joints outside", "worst", "at frame")
    cells = [element("th", name, class_="right" if name in right else None) for name in names]
    head = element("tr", element("th", "motion"), *cells)
    rows = [_summary_row(place, clip) for place, clip in enumerate(clips)]
    table = element("table", element("thead", head), element("tbody", *rows), class_="still")
    return element("div", element("h2", "Motions"), table)


def _summary_row(place: int, clip: CheckedClip) -> Html:
    checked = clip.violations
    if checked is None:
        words = f"could not be checked: {clip.error}"
        return element(
            "tr", element("th", clip.file), element("td", words, class_="bad", colspan=6)
        )
    name = (
        element("a", clip.file, href=f"#motion-{place}") if _worth_a_section(checked) else clip.file
    )
    count = element("td", len(checked.frames), class_="right")
    if not checked.bounds:
        inside = element("td", "inside", class_="good", colspan=5)
        return element("tr", element("th", name), count, inside)
    worst = checked.bounds[0]
    return element(
        "tr",
        element("th", name),
        count,
        element("td", share_bar(checked.frames_outside / len(checked.frames), False)),
        element("td", checked.frames_outside, class_="n"),
        element("td", len(checked.joints_outside), class_="right"),
        element("td", degrees(worst.worst_deg), class_="right bad"),
        element("td", f"{worst.worst_frame:.10g}", class_="right"),
    )


def _section(place: int, file: str, checked: Violations) -> Html:
    parts: list[object] = []
    if checked.bounds:
        strip = strip_of(checked)
        words = f"Degrees outside over time in {file}"
        image = element("img", src=strip_image(strip, checked.frame_rate), alt=words)
        parts.append(element("figure", image, class_="strip"))
        if strip.more_joints:
            more = plural(strip.more_joints, "more joint")
            parts.append(element("p", f"{more} outside, less far; see the table.", class_="note"))
        parts.append(_bounds_table(checked.bounds))
    return element(
        "section",
        element("h2", file),
        *parts,
        _missing(checked),
        _findings(checked.findings),
        id=f"motion-{place}",
    )


def _bounds_table(bounds: Sequence[BoundViolation]) -> Html:
    names = ("joint", "limit", "frames", "worst", "at frame", "value there", "which frames")
    right = ("frames", "worst", "at frame", "value there")
    head = element(
        "tr",
        *(element("th", name, class_="right" if name in right else None) for name in names),
    )
    rows = [
        element(
            "tr",
            element("th", item.joint),
            element("td", item.bound_words(written=degrees)),
            element("td", item.frames, class_="right"),
            element("td", degrees(item.worst_deg), class_="right bad"),
            element("td", f"{item.worst_frame:.10g}", class_="right"),
            element("td", degrees(item.worst_value_deg), class_="right"),
            element(
                "td",
                frames_words(item.frame_ranges, MOST_RANGES).partition(" ")[2],
                class_="where",
            ),
        )
        for item in bounds
    ]
    return element("table", element("thead", head), element("tbody", *rows), class_="bounds")


def _missing(checked: Violations) -> Html | None:
    if not checked.missing:
        return None
    words = ", ".join(checked.missing)
    return element("p", element("b", "Not in this motion: "), words, ".", class_="note")


def _findings(findings: Sequence[Finding]) -> Html | None:
    if not findings:
        return None
    items = [element("li", group.sentence()) for group in grouped(findings)]
    return element("div", element("h3", "Notes"), element("ul", *items))
