"""Text of a limit set difference."""

from __future__ import annotations

from typing import Any

from ..wording import number, plural, printable
from .diff import Change, LimitDiff


def diff_text(found: LimitDiff, ascii_only: bool = False) -> str:
    """Text of a limit set difference.

    Parameters
    ----------
    ascii_only : bool
        Escape characters that are not ASCII.

    Returns
    -------
    str
        A summary, then one paragraph per joint; ends with a newline.
    """
    if found.equal:
        lines = [f"{found.second}: no difference over {found.tolerance_deg:g} degrees"]
    else:
        lines = [_summary(found)]
        for joint in dict.fromkeys(change.joint for change in found.changes):
            own = [change for change in found.changes if change.joint == joint]
            lines += ["", joint if joint is not None else "the set as a whole"]
            lines += [f"  {_line(change)}" for change in own]
    return "".join(f"{printable(line, ascii_only)}\n" for line in lines)


def _summary(found: LimitDiff) -> str:
    joints = {change.joint for change in found.changes if change.joint is not None}
    moved = [change.by_deg for change in found.changes if change.what in ("min", "max")]
    largest = max((abs(by) for by in moved if by is not None), default=None)
    words = f"{plural(len(found.changes), 'difference')} in {plural(len(joints), 'joint')}"
    if largest is not None:
        words += f", {plural(len(moved), 'limit')} by up to {number(largest)} degrees"
    names = found.first if found.first == found.second else f"{found.first} and {found.second}"
    return f"{names}: {words}"


def _line(change: Change) -> str:
    what, why = change.what, f" ({change.why})" if change.why else ""
    before, after = _shown(change.before), _shown(change.after)
    if what in ("joint-added", "joint-removed"):
        return f"only in the {'second' if what.endswith('added') else 'first'} set: " + (
            after if what.endswith("added") else before
        )
    if what in ("clip-added", "clip-removed"):
        side = "second" if what.endswith("added") else "first"
        return f"clip {change.channel} only in the {side} set{why}"
    if what == "hinge-axis":
        return f"hinge axis turned by {after} degrees"
    name = " ".join(part for part in (change.channel, what) if part)
    name = change.channel or what if what in ("option", "set", "hinge", "edit") else name
    label = {"option": "option ", "edit": "edit of "}.get(what, "")
    return f"{label}{name}: {before} -> {after}{_by(change)}{why}"


def _by(change: Change) -> str:
    if change.by_deg is None:
        return ""
    sense = "wider" if change.by_deg > 0 else "narrower"
    size = abs(change.by_deg)
    return f", {number(size, 1 if size >= 1.0 else 3)} degrees {sense}"


def _shown(value: Any) -> str:
    if value is None:
        return "none"
    return number(value, 2) if isinstance(value, float) else str(value)
