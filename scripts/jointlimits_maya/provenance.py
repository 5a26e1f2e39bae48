"""Record of the changes to a joint and of its values before, stored on the joint itself.

One string attribute holds it as JSON, without runs of white space, which some versions of Maya lose
on referenced nodes, and without a time stamp, so that applying limits twice changes nothing.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Union

import maya.api.OpenMaya as om

from jointlimits_core import __version__

from .frame_backup import Backup
from .past_limits import references_of
from .plugs import find_plug
from .record_check import parsed_record
from .scene_edit import SceneEdit

ATTRIBUTE, SHORT = "jointLimitsProvenance", "jlpv"
_FORMAT, _VERSION = "jointlimits.applied", 1

Number = Union[float, bool]


@dataclass(frozen=True)
class Provenance:
    """Record of one joint.

    Parameters
    ----------
    character : str
        Character of the limit set.
    clips : tuple of str
        Clips that the limits come from.
    before, written : mapping of attribute to bool or float
        Values before the first writing, and values written; internal units. The numbers survive
        JSON bit for bit.
    locks : mapping of channel to bool
        Original lock state of channels whose lock was changed.
    switched_off : tuple of str
        Enable attributes that were on when the limits were switched off.
    frame : mapping, optional
        For a re-oriented joint: its orientation "before" and the one "given" (jointOrient and
        rotateAxis in radians, rotateOrder), and the "advised" one.
    backup : Backup, optional
        For anything that a re-orientation changed: what is needed to restore it.
    program : str
        Program version.
    references : int
        Reference depth of the joint when it got the attribute: 0 in the rig's own file.
    """

    character: str = ""
    clips: tuple[str, ...] = ()
    before: Mapping[str, Number] = field(default_factory=dict)
    written: Mapping[str, Number] = field(default_factory=dict)
    locks: Mapping[str, bool] = field(default_factory=dict)
    switched_off: tuple[str, ...] = ()
    frame: Mapping[str, Any] | None = None
    program: str = __version__
    backup: Backup | None = None
    references: int = 0

    @property
    def is_needed(self) -> bool:
        """Whether the record holds anything."""
        return bool(self.before or self.locks or self.switched_off or self.frame or self.backup)

    def with_written(self, now: Mapping[str, Number], new: Mapping[str, Number]) -> Provenance:
        """Record after further writing; the oldest values stay the `before` values."""
        first = {name: now[name] for name in new if name not in self.before}
        before = {**self.before, **first}
        return replace(self, before=before, written={**self.written, **new})

    def to_json(self) -> str:
        """One line without white space, except for single spaces inside names."""
        data = {
            "format": _FORMAT,
            "version": _VERSION,
            "program": self.program,
            "character": self.character,
            "clips": list(self.clips),
            "before": dict(self.before),
            "written": dict(self.written),
            "locks": dict(self.locks),
            "switched_off": list(self.switched_off),
            "frame": self.frame,
            "backup": None if self.backup is None else self.backup.plain(),
            "references": self.references,
        }
        # White space occurs only inside names, where it may be escaped.
        return json.dumps(data, separators=(",", ":")).replace("  ", " \\u0020")

    @classmethod
    def from_json(cls, text: str) -> Provenance | None:
        """Inverse of :meth:`to_json`; None for anything else."""
        data = parsed_record(text)
        if data is None or (data.get("format"), data.get("version")) != (_FORMAT, _VERSION):
            return None
        try:
            backup = None if data.get("backup") is None else Backup.of(data["backup"])
        except (AttributeError, KeyError, TypeError, ValueError):
            return None
        return cls(
            data["character"],
            tuple(data["clips"]),
            data["before"],
            data["written"],
            data["locks"],
            tuple(data["switched_off"]),
            data["frame"],
            data["program"],
            backup,
            data["references"],
        )


def text_of(node: om.MObject) -> str | None:
    """Text of a joint's record; None without the attribute."""
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
    """Add the storing of a record to an edit, or the removal of its attribute if it is empty.

    An attribute from a referenced file stays, with an empty record.
    """
    text, depth = text_of(node), len(references_of(node))
    if text is None and not record.is_needed:
        return
    stored = None if text is None else Provenance.from_json(text)
    added_at = depth if text is None else stored.references if stored is not None else 0
    # live check: attribute-of-reference
    if not record.is_needed and depth <= added_at:
        edit.remove_attribute(node, om.MFnDependencyNode(node).attribute(ATTRIBUTE))
        return
    new = replace(record if record.is_needed else Provenance(), references=added_at).to_json()
    if text is None:
        edit.add_attribute(node, _new_attribute())
    if text != new:
        edit.set_string(lambda: find_plug(node, ATTRIBUTE), new)


def _new_attribute() -> om.MObject:
    function = om.MFnTypedAttribute()
    attribute: om.MObject = function.create(ATTRIBUTE, SHORT, om.MFnData.kString)
    function.hidden = True
    return attribute
