"""Record of the changes to a joint and of its original values, stored on the joint itself.

One string attribute holds the record as JSON, without runs of white space, which some versions of
Maya lose on referenced nodes, and without a time stamp, so that applying limits twice changes
nothing. The record holds numbers and key fingerprints; old curves and matrices stay in the scene,
kept by hidden attributes of the node (write/curves.py). Anyone can edit the text, and scripts merge
and patch scenes, so a flawed record is rejected as a whole.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, Union

import numpy as np

from jointlimits_core.base.version import __version__
from jointlimits_core.geometry.euler import CHANNELS
from jointlimits_core.rig.limit_plan import TRIPLES

from ..base.open_maya import om
from . import joints, plugs
from .edit import SceneEdit, put_value

MAX_DIFFERENCE = 1e-9
"""Numbers that differ by less than this are equal: scenes saved as text lose the last digits."""
MAX_FINGERPRINT_DIFFERENCE = 1e-7

Print = Sequence[float]
Given = Union[float, Print]
Place = tuple[str, str, Union[int, None]]
"""Place of a matrix: storing node (no namespace; "" for the node itself), attribute, index."""


@dataclass(frozen=True)
class Backup:
    """Backup of one node that a re-orientation changed."""

    channels: Mapping[str, tuple[float | None, Given]] = field(default_factory=dict)
    """(before, given) for each attribute, in internal units. `before` is None if the channel's
    curve was set aside; `given` is the key fingerprint if the channel has a curve now."""
    matrices: tuple[tuple[Place, tuple[float, ...]], ...] = ()
    """Stored poses of the node, each (place, given), where given is the sixteen numbers written.
    The kept matrix with the same index holds the old numbers."""
    holders: tuple[str, ...] = ()
    """All places that store the node's pose, changed or not."""
    turned: bool = False
    """Whether the node's own orientation changed, so that its children were counter-rotated."""
    changed: bool = False
    """Whether the node was changed by hand before it was re-oriented again."""

    @property
    def aside(self) -> tuple[str, ...]:
        """Channels whose curves were set aside."""
        return tuple(name for name, (before, _) in self.channels.items() if before is None)

    def with_change(self, new: Backup, changed: bool) -> Backup:
        """Backup after another change; the oldest values stay the `before` values."""
        channels = dict(self.channels)
        for name, (before, given) in new.channels.items():
            channels[name] = (channels.get(name, (before,))[0], given)
        matrices = dict(self.matrices)
        matrices.update(new.matrices)
        return Backup(
            channels,
            tuple(matrices.items()),
            new.holders,
            self.turned or new.turned,
            self.changed or changed,
        )

    def plain(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {
            "channels": {name: list(pair) for name, pair in self.channels.items()},
            "matrices": [[*place, list(given)] for place, given in self.matrices],
            "holders": list(self.holders),
            "turned": self.turned,
            "changed": self.changed,
        }

    @classmethod
    def from_plain(cls, data: Mapping[str, Any]) -> Backup:
        """Inverse of :meth:`plain`.

        Raises AttributeError, KeyError, TypeError or ValueError for anything else.
        """
        channels = {name: (before, given) for name, (before, given) in data["channels"].items()}
        for name, (before, given) in channels.items():
            numbers = given if isinstance(given, list) else [given]
            numbers = numbers if before is None else [before, *numbers]
            if _TURNED.fullmatch(name) is None or not _are_numbers(numbers):
                raise ValueError(f"{name} is not a channel that a re-orientation changes")
        return cls(
            channels,
            tuple(
                ((str(holder), str(attribute), index), tuple(map(float, given)))
                for holder, attribute, index, given in data["matrices"]
            ),
            tuple(map(str, data["holders"])),
            bool(data["turned"]),
            bool(data["changed"]),
        )


def key_fingerprint(
    seconds: Sequence[float],
    values: Sequence[float],
    is_stepped: Sequence[bool],
    ends: Sequence[int],
) -> list[float]:
    """Fingerprint of a curve's keys.

    It consists of sums with a different weight for every key: unlike a hash, these hardly change
    when a scene saved as text loses the last digits.

    `seconds`, `values`, `is_stepped`: one item per key. `ends`, (before, after): pre- and
    post-infinity types.
    """
    weights = 1.0 + (np.arange(len(seconds)) * 0.6180339887498949) % 1.0
    columns = (seconds, values, [float(one) for one in is_stepped])
    sums = (float(weights @ np.asarray(column, np.float64)) for column in columns)
    return [float(len(seconds)), *sums, *map(float, ends)]


def is_same(now: Given, given: Given) -> bool:
    """Whether a value, or a fingerprint of keys, equals the written one."""
    if isinstance(now, (int, float)) or isinstance(given, (int, float)):
        if not (isinstance(now, (int, float)) and isinstance(given, (int, float))):
            return False
        return abs(now - given) <= MAX_DIFFERENCE * max(1.0, abs(given))
    pairs = list(zip(now, given))
    return len(now) == len(given) and all(
        abs(a - b) <= MAX_FINGERPRINT_DIFFERENCE * max(1.0, 1e-3 * abs(b)) for a, b in pairs
    )


_TRIPLES = (triple.name(axis) for triple in TRIPLES for axis in range(3))
WRITTEN = frozenset((*_TRIPLES, *plugs.STIFFNESS, *plugs.DAMP_RANGES, *plugs.DAMP_STRENGTHS))
"""All attributes that limits are written to."""
_TURNED = re.compile(r"(rotate|translate|jointOrient|rotateAxis)[XYZ]|rotateOrder")
"""Attributes that a re-orientation writes."""


def _finite(text: str) -> float:
    """Parse a number; raises ValueError for NaN and infinity."""
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(f"{text} is not a finite number")
    return number


def _is_sound(data: Mapping[str, Any]) -> bool:
    """Whether this program could have written a record's data; its backup is not checked."""
    before, written, locks = (data[key] for key in _PARTS[2:5])
    frame = data["frame"]
    orientations = [frame[key] for key in ("before", "given")] if frame is not None else []
    return (
        all(isinstance(data[key], str) for key in ("character", "program"))
        and _are_texts(data["clips"])
        and _are_values(before)
        and _are_values(written)
        and set(written) <= set(before)
        and set(locks) <= set(CHANNELS)
        and all(isinstance(value, bool) for value in locks.values())
        and all(map(_are_texts, (data[key] for key in _OFF)))
        and all(one in WRITTEN and one.endswith("Enable") for key in _OFF for one in data[key])
        and type(data["references"]) is int
        and all(
            len(one[key]) == len(CHANNELS) and _are_numbers(one[key])
            for one in orientations
            for key in ("jointOrient", "rotateAxis")
        )
        and all(one["rotateOrder"] in range(6) for one in orientations)
    )


def _are_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) for one in value)


def _are_values(value: Mapping[str, Any]) -> bool:
    """Whether every name is an attribute that we write, and every value has its type."""
    return all(
        name in WRITTEN
        and (isinstance(one, bool) if plugs.is_switch(name) else _are_numbers([one]))
        for name, one in value.items()
    )


def _are_numbers(values: Any) -> bool:
    return isinstance(values, list) and all(type(one) in (int, float) for one in values)


ATTRIBUTE, SHORT = "jointLimitsProvenance", "jlpv"
_OFF = ("switched_off", "left_off")
_FORMAT, _VERSION = "jointlimits.applied", 1

Number = Union[float, bool]


@dataclass(frozen=True)
class Provenance:
    """Record of one joint."""

    character: str = ""
    """Character of the limit set."""
    clips: tuple[str, ...] = ()
    """Clips that the limits come from."""
    before: Mapping[str, Number] = field(default_factory=dict)
    written: Mapping[str, Number] = field(default_factory=dict)
    """Values before limits were first written, and values written, by attribute; internal units.
    The numbers survive JSON bit for bit."""
    locks: Mapping[str, bool] = field(default_factory=dict)
    """Original lock state of channels whose lock was changed."""
    switched_off: tuple[str, ...] = ()
    """Enable attributes that were on when the limits were switched off."""
    frame: Mapping[str, Any] | None = None
    """For a re-oriented joint, its orientations: "before" and "given" (jointOrient and rotateAxis
    in radians, rotateOrder), and "advised"."""
    program: str = __version__
    """Version of the program that wrote the record."""
    backup: Backup | None = None
    """Values needed to restore the node, if a re-orientation changed it."""
    left_off: tuple[str, ...] = ()
    """Limit switches that Apply leaves off because the joint follows a control."""
    references: int = 0
    """Reference depth of the joint when it got the attribute: 0 in the rig's own file."""

    @property
    def is_needed(self) -> bool:
        """Whether the record holds anything."""
        return bool(self.before or self.locks or self.switched_off or self.frame or self.backup)

    def to_json(self) -> str:
        """One line without white space, except for single spaces inside names."""
        data = {"format": _FORMAT, "version": _VERSION, "program": self.program}
        data.update((name, getattr(self, name)) for name in _PARTS)
        if not self.left_off:
            del data["left_off"]  # as in records of earlier versions
        data["backup"] = None if self.backup is None else self.backup.plain()
        # White space occurs only inside names, where it may be escaped.
        return json.dumps(data, separators=(",", ":")).replace("  ", " \\u0020")

    @classmethod
    def from_json(cls, text: str) -> Provenance | None:
        """Inverse of :meth:`to_json`; None for anything that this program would not write."""
        try:
            data = {"left_off": [], **json.loads(text, parse_constant=_finite, parse_float=_finite)}
            if (data["format"], data["version"]) != (_FORMAT, _VERSION) or not _is_sound(data):
                return None
            parts = {name: data[name] for name in ("program", *_PARTS)}
            parts.update({name: tuple(data[name]) for name in ("clips", *_OFF)})
            parts["backup"] = None if data["backup"] is None else Backup.from_plain(data["backup"])
        except (AttributeError, KeyError, TypeError, ValueError, RecursionError):
            return None
        return cls(**parts)


_PARTS = tuple(item.name for item in fields(Provenance) if item.name != "program")
"""Parts of a record in the order of its JSON text, where they follow the program version."""


def text_of(node: om.MObject) -> str | None:
    """Text of a joint's record; None if the joint has no such attribute."""
    function = om.MFnDependencyNode(node)
    if not function.hasAttribute(ATTRIBUTE):
        return None
    return str(function.findPlug(ATTRIBUTE, False).asString())


def record_of(node: om.MObject) -> Provenance | None:
    """Record of a joint; None if it is missing, unreadable or empty."""
    text = text_of(node)
    record = None if text is None else Provenance.from_json(text)
    return record if record is not None and record.is_needed else None


def backup_on(node: om.MObject) -> Backup | None:
    """Re-orientation backup on a node, or None."""
    record = record_of(node)
    return None if record is None else record.backup


def unreadable(node: om.MObject) -> bool:
    """Whether a joint has the attribute, but no readable record in it."""
    text = text_of(node)
    return text is not None and Provenance.from_json(text) is None


def keep(edit: SceneEdit, node: om.MObject, record: Provenance) -> None:
    """Make an edit store a record, or remove the attribute if the record is empty.

    An attribute from a referenced file stays and gets an empty record.
    """
    text, depth = text_of(node), len(joints.references_of(node))
    if text is None and not record.is_needed:
        return
    stored = None if text is None else Provenance.from_json(text)
    added_at = depth if text is None else stored.references if stored is not None else 0
    # live check: attribute-of-reference
    if not record.is_needed and depth <= added_at:
        # live check: removed-string-undo (the text comes back by the undo of its own change)
        edit.set(plugs.find_plug(node, ATTRIBUTE), "")
        edit.remove_attribute(node, ATTRIBUTE)
        return
    new = replace(record if record.is_needed else Provenance(), references=added_at).to_json()
    if text is None:
        function = om.MFnTypedAttribute()
        attribute = function.create(ATTRIBUTE, SHORT, om.MFnData.kString)
        function.hidden = True
        edit.add_attribute(node, attribute)
    if text != new:
        edit.modify(lambda m: put_value(m, plugs.find_plug(node, ATTRIBUTE), new))
