"""Evaluation as text for a terminal."""

from __future__ import annotations

from collections.abc import Mapping

from ...base import (
    channel_letter,
    in_columns,
    number,
    plural,
    printable,
    rest_in_json,
    wrapped_lines,
)
from ...evaluation import (
    RADIUS_DEG,
    ClampingPreview,
    Coverage,
    CrossValidation,
    Evaluation,
    JointLeak,
    NextMoves,
)
from ...io import csv_text

WIDTH = 100
MOST_ROWS = 12
"""Maximum number of rows in a table; the JSON has all."""
MOST_MOVES = 15
LEAK = ("type", "leak", "error", "box_volume", "supported_volume")
"""Fields of a joint's leak that CSV has."""
LOOSE_DEG = 5.0
"""Limits that change by less when a clip is left out are only in the JSON."""


def evaluation_text(found: Evaluation, ascii_only: bool = False) -> str:
    """Text of an evaluation, ending with a newline; `ascii_only` escapes all other characters."""
    parts = [
        _coverage(found.coverage, found.tolerance_deg),
        _clamping_previews(found.clamping_previews),
        _leak(found.leak),
        [] if found.cross_validation is None else _crossed(found.cross_validation),
        _moves(found.next_moves),
    ]
    lines = [f"Evaluation of the limits of {found.character or 'the character'}"]
    for part in parts:
        lines += ["", *part] if part else []
    return "".join(f"{printable(line, ascii_only)}\n" for line in lines)


def evaluation_csv(found: Evaluation) -> str:
    """One row per joint: its coverage, and what its limits allow; shares are from 0 to 1."""
    leaks = {item.joint: item for item in found.leak}
    rows = (
        (name, share, *[getattr(leaks.get(name), field, None) for field in LEAK])
        for name, share in found.coverage.joints.items()
    )
    return csv_text(("joint", "coverage", *LEAK), rows)


def _percent(share: float) -> str:
    """Percent with one decimal; 100.0 and 0.0 mean exactly all and none."""
    if 0.0 < share < 1.0:
        share = min(max(share, 0.001), 0.999)
    return f"{100.0 * share:.1f}%"


def _coverage(found: Coverage, tolerance_deg: float) -> list[str]:
    whose = "clips that the limits do not come from" if found.held_out else "the limits' own clips"
    title = f"Coverage: frames inside (tolerance {tolerance_deg:g} degrees), of {whose}"
    rows = [("clip", "frames", "whole pose", "used for the limits")]
    rows += [
        (clip.clip, str(clip.frames), _percent(clip.whole_pose), "yes" if clip.used else "no")
        for clip in found.clips
    ]
    lines = [title, *in_columns(rows, right=(1, 2), indent="  ")]
    if found.whole_pose is not None:
        lines.append(f"  total: {_percent(found.whole_pose)} of {found.frames} frames")
    return lines + _least_covered(found.joints)


def _least_covered(joints: Mapping[str, float]) -> list[str]:
    worst = sorted(
        ((name, share) for name, share in joints.items() if share < 1.0), key=lambda pair: pair[1]
    )
    if not worst:
        return ["  every joint is inside in every frame"]
    words = ", ".join(f"{name} {_percent(share)}" for name, share in worst[:MOST_ROWS])
    rest = len(worst) - MOST_ROWS
    text = f"  least covered joints: {words}{f' and {rest} more' if rest > 0 else ''}"
    return wrapped_lines(text, WIDTH, "    ")


def _clamping_previews(found: tuple[ClampingPreview, ...]) -> list[str]:
    rows = [
        ("clip", "frames clamped", "joints", "worst change", "end that moves most", "by", "frame")
    ]
    for item in found:
        first = item.joints[0] if item.joints else None
        end = item.effectors[0] if item.effectors else None
        rows.append(
            (
                item.clip,
                f"{item.frames_clipped} of {item.frames}",
                str(len(item.joints)),
                f"{first.joint} {number(first.worst_deg)}" if first else "-",
                end.joint if end else "-",
                _length(end.distance, item.meters_per_unit) if end else "-",
                f"{end.frame:.10g}" if end else "-",
            )
        )
    title = "Clamping preview: what enabling the limits would change (degrees, scene units)"
    if not any(item.frames_clipped for item in found):
        count = plural(sum(item.frames for item in found), "frame")
        return [f"Clamping preview: enabling the limits changes none of {count}"]
    return [title, *in_columns(rows, right=(1, 2, 5, 6), indent="  ")]


def _length(distance: float, meters_per_unit: float | None) -> str:
    text = f"{distance:.3g}"
    if meters_per_unit is None:
        return text
    return f"{text} ({100.0 * meters_per_unit * distance:.1f} cm)"


def _leak(found: tuple[JointLeak, ...]) -> list[str]:
    title = (
        f"Leak: share of each joint's box with no sample within {RADIUS_DEG:g} degrees; "
        "volumes in thousandths of all rotations"
    )
    if not found:
        return ["Leak: no universal or ball joint has limits"]
    worst = sorted(found, key=lambda item: -item.leak)
    rows = [("joint", "type", "leak", "+-", "box", "supported")]
    rows += [
        (
            item.joint,
            item.type,
            _percent(item.leak),
            f"{100.0 * item.error:.1f}",
            f"{1e3 * item.box_volume:.2f}" if item.box_volume else "flat",
            f"{1e3 * item.supported_volume:.2f}" if item.box_volume else "",
        )
        for item in worst[:MOST_ROWS]
    ]
    table = in_columns(rows, right=(2, 3, 4, 5), indent="  ")
    return [*wrapped_lines(title, WIDTH, "  "), *table, *rest_in_json(len(worst), MOST_ROWS, "  ")]


def _crossed(found: CrossValidation) -> list[str]:
    rows = [("clip left out", "frames", "whole pose", "limits exceeded", "worst")]
    for fold in found.folds:
        worst = fold.violations[0] if fold.violations else None
        words = "-"
        if worst is not None:
            letter = channel_letter(worst.channel)
            words = f"{worst.worst_deg:.1f} degrees, {worst.joint} {letter} {worst.side}"
            words += f", frame {worst.worst_frame:.10g}"
        rows.append(
            (
                fold.clip,
                str(fold.frames),
                _percent(fold.whole_pose),
                str(len(fold.violations)),
                words,
            )
        )
    lines = ["Cross-validation: each clip against limits from all the others"]
    lines += in_columns(rows, right=(1, 2, 3), indent="  ")
    lines.append(f"  total: {_percent(found.whole_pose)} of {found.frames} frames")
    return lines + _least_covered(found.joints) + _loose_bounds(found) + _type_changes(found)


def _loose_bounds(found: CrossValidation) -> list[str]:
    """Limits that depend on a single clip."""
    loose = [item for item in found.bounds if item.loose_deg > LOOSE_DEG]
    title = (
        f"  {len(loose)} of {plural(len(found.bounds), 'limit')} depend on one clip by more than "
        f"{LOOSE_DEG:g} degrees"
    )
    if not loose:
        return [title]
    rows = [("limit", "all clips", "without one", "that clip")]
    rows += [
        (
            f"{item.joint} {channel_letter(item.channel)} {item.side}",
            number(item.bound_deg),
            number(item.inner_deg),
            item.inner_clip or "",
        )
        for item in loose[:MOST_ROWS]
    ]
    table = in_columns(rows, right=(1, 2), indent="  ")
    return [f"{title}:", *table, *rest_in_json(len(loose), MOST_ROWS, "  ")]


def _type_changes(found: CrossValidation) -> list[str]:
    if not found.types:
        return ["  no joint changes its type when a clip is left out"]
    return [
        f"  {joint} becomes {kind} without {clip}"
        for joint, changes in found.types.items()
        for clip, kind in changes.items()
    ]


def _moves(found: NextMoves) -> list[str]:
    bounds = len(found.moves) + found.firm
    title = f"Move these next: {len(found.moves)} of {bounds} limits have little evidence"
    lines = [title]
    for place, move in enumerate(found.moves[:MOST_MOVES], 1):
        mark = f"  {place:2d}. "
        lines += wrapped_lines(mark + move.sentence, WIDTH, " " * len(mark))
    lines += rest_in_json(len(found.moves), MOST_MOVES, "  ")
    if found.still:
        text = f"  not moved in any clip: {', '.join(found.still)}. Move them if they can move."
        lines += wrapped_lines(text, WIDTH, "    ")
    return lines
