"""Result of an export: the content of a file, and the losses.

A loss names content that a format cannot hold, and what replaces it; one loss lists everything that
only a limit set's JSON file holds.
"""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..base.text import all_findings, list_words, names_words, plural
from ..io.output import atomic_output, write_text_atomically
from ..limits import layers
from ..limits.limit_set import LimitSet


@dataclass(frozen=True)
class Loss:
    """One difference between the file and the limit set."""

    rule: str
    """Short name for programs: "coupled-limit", "unknown-unit", ..."""
    message: str
    """Content that the format cannot hold, what was written instead and, where possible, what to
    do; one or two sentences without the final full stop."""
    joints: tuple[str, ...] = ()
    """Joints concerned, parents first; empty for the whole character."""

    def sentence(self, most_joints: int = 4) -> str:
        """Message with the joints concerned, safe to print in a terminal."""
        names = f" ({names_words(self.joints, most_joints)})" if self.joints else ""
        return f"{self.message}{names}."

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {"rule": self.rule, "message": self.message, "joints": list(self.joints)}


def losses_of(messages: Mapping[str, str], joints: Mapping[str, Sequence[str]]) -> Iterator[Loss]:
    """Losses from messages and joints by rule, skipping rules without joints."""
    return (Loss(rule, messages[rule], tuple(names)) for rule, names in joints.items() if names)


_COMMON = {
    "coupled-limit": "{place} has no coupled limits; the range of each channel was written, which "
    "allows more",
    "dependency": "{place} has no ranges that depend on another channel; each range was written "
    "to cover every value of the other channel",
    "tilted-hinge": "the joint's axis is not one of its channels; the ranges of the channels "
    "were written, not the range about the axis (with --orientation advised, the estimate "
    "gives a hinge a single channel)",
}


def common_losses(
    limit_set: LimitSet,
    place: str,
    joints: Iterable[str] | None = None,
    on_own_axis: Collection[str] = (),
) -> Iterator[Loss]:
    """Losses of a format that has only one range per rotate channel.

    `place`: format name to start a sentence with, such as "USD" or "a table". `joints`: joints
    written; all by default. `on_own_axis`: hinges written with their own axis.
    """
    kept = list(limit_set.joints if joints is None else joints)
    shapes = layers.active_shapes(limit_set)
    hinges = {name: limit_set.joints[name].hinge for name in kept if name not in on_own_axis}
    depending = {item.joint for item in limit_set.dependencies}
    messages = {rule: message.format(place=place) for rule, message in _COMMON.items()}
    found = {
        "coupled-limit": [name for name in kept if name in shapes],
        "dependency": [name for name in kept if name in depending],
        "tilted-hinge": [name for name, one in hinges.items() if one and not one.is_on_channel],
    }
    return losses_of(messages, found)


@dataclass(frozen=True)
class Exported:
    """Content of one file."""

    content: str | bytes
    """Text is written as UTF-8."""
    losses: tuple[Loss, ...] = ()
    """Losses, each with what was written instead."""
    notes: tuple[str, ...] = ()
    """Lines that summarize the content."""

    def write(self, path: str | os.PathLike[str]) -> None:
        """Write the file atomically."""
        content = self.content
        with atomic_output(path) as stream:
            stream.write(content if isinstance(content, bytes) else content.encode("utf-8"))

    def write_losses(self, path: str | os.PathLike[str], to: str, character: str) -> None:
        """Write the losses as JSON, atomically."""
        document = {
            "format": "jointlimits.export-losses",
            "version": 1,
            "to": to,
            "character": character,
            "losses": [loss.to_dict() for loss in self.losses],
            "notes": list(self.notes),
        }
        write_text_atomically(path, json.dumps(document, indent=1) + "\n")


SOURCES, TYPES, PREFERRED = "sources", "types", "preferred"
"""Kinds of content that a format may hold."""


def only_in_json(limit_set: LimitSet, holds: Collection[str] = ()) -> tuple[Loss, ...]:
    """One loss that lists everything that only the JSON keeps of this limit set, if anything.

    `holds`: content that the format holds: :data:`SOURCES` (kind, grade, clip and frame of limits),
    :data:`TYPES` of joints, :data:`PREFERRED` angles.
    """
    joints = list(limit_set.joints.values())
    bounds = [b for joint in joints for axis in joint.limits.values() for b in axis.source.known]
    elsewhere = any(joint.preferred_deg != joint.rest.rotate_deg for joint in joints)
    findings = all_findings(limit_set)
    kept = {
        "sources and grades of limits": bounds and SOURCES not in holds,
        "bands of limits": any(bound.band_deg is not None for bound in bounds),
        "joint types": joints and TYPES not in holds,
        "evidence for joint types": any(joint.evidence.samples > 0 for joint in joints),
        "preferred angles other than the rest pose": elsewhere and PREFERRED not in holds,
        "joints that could be hinges": any(joint.candidate is not None for joint in joints),
        "orient advice": any(joint.advice is not None for joint in joints),
        "left/right differences": limit_set.symmetry is not None,
        plural(len(findings), "finding"): findings,
        "the record of artist edits (their values are written)": limit_set.edits,
        "clip names and hashes": limit_set.clips,
        "estimate options": limit_set.options,
    }
    words = [text for text, is_kept in kept.items() if is_kept]
    return (Loss("only-in-json", f"kept only in the JSON: {list_words(words)}"),) if words else ()
