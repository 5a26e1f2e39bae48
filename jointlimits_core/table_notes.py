"""Notes below the table: what would settle a type, orient advice, left and right."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from .limits.limit_set import JointLimit, LimitSet
from .limits.symmetry import TELL_DEG
from .limits.symmetry_record import ChannelSymmetry, PairSymmetry
from .wording import names_words, number, printable, wrapped_lines

MOST_NOTES = 5
"""Most notes of one kind; the rest is only in the JSON."""


def note_lines(limit_set: LimitSet, width: int) -> list[str]:
    """Notes under one heading per kind, each after an empty line; no lines without notes.

    Parameters
    ----------
    width : int
        Columns per line.
    """
    kinds = {
        "What would settle the type": _grouped(limit_set, _settle),
        "Advice": _grouped(limit_set, _advice),
        "Left and right": [pair_words(pair) for pair in asymmetric_pairs(limit_set)],
    }
    lines: list[str] = []
    for heading, notes in kinds.items():
        if not notes:
            continue
        lines += ["", heading]
        for note in notes[:MOST_NOTES]:
            lines += wrapped_lines(f"{note}.", width, "    ")
        if len(notes) > MOST_NOTES:
            lines.append(f"... and {len(notes) - MOST_NOTES} more in the JSON")
    return lines


def asymmetric_pairs(limit_set: LimitSet) -> list[PairSymmetry]:
    """Pairs whose sides differ by more than 10 degrees, largest difference first."""
    record = limit_set.symmetry
    clear = [pair for pair in record.pairs if _differs_by(pair) > TELL_DEG] if record else []
    return sorted(clear, key=_differs_by, reverse=True)


def most_different(pair: PairSymmetry) -> tuple[ChannelSymmetry, str, float] | None:
    """Largest difference between the sides of a pair.

    Returns
    -------
    (channel, joint, degrees) or None
        The channel, the joint that goes further on it, and by how much; None if the sides cannot
        be compared or do not differ.
    """
    found = [
        (channel, joint, abs(value))
        for channel in pair.channels
        for joint, value in zip(channel.reached_by, channel.asymmetry_deg or ())
    ]
    most = max(found, key=lambda item: item[2], default=None)
    return most if most is not None and most[2] > 0.0 else None


def pair_words(pair: PairSymmetry) -> str:
    """One pair: "lknee, rknee: rknee goes 20.5 degrees further on rotateX"."""
    words = f"{printable(pair.left)}, {printable(pair.right)}: "
    most = most_different(pair)
    if most is None:
        words += f"differ by {number(_differs_by(pair))} degrees"
    else:
        channel, joint, value = most
        words += f"{printable(joint)} goes {number(value)} degrees further on {channel.channel}"
    return f"{words}; pooled, both have the wider range" if pair.pooled else words


def _differs_by(pair: PairSymmetry) -> float:
    return pair.asymmetry_deg or 0.0


def _settle(joint: JointLimit) -> str:
    return joint.evidence.settle


def _advice(joint: JointLimit) -> str:
    """Advice not followed yet."""
    advice = joint.advice
    pending = advice is not None and advice.changes and joint.frame.kind != "advised"
    return advice.text if advice is not None and pending else ""


def _grouped(limit_set: LimitSet, text_of: Callable[[JointLimit], str]) -> Sequence[str]:
    """Notes with equal text merged, each with the names of its joints."""
    joints: dict[str, list[str]] = {}
    for name, joint in limit_set.joints.items():
        text = text_of(joint)
        if text:
            joints.setdefault(text, []).append(name)
    return [f"{names_words(names)}: {printable(text)}" for text, names in joints.items()]
