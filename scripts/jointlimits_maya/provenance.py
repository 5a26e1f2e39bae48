"""What we changed on a joint, and what was there before: kept on the joint itself.

One text attribute holds it as JSON. It has no runs of white space, which some versions of Maya lose
on referenced nodes, and no time of day, so that applying the same limits twice is the same.
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
        Of the limit set.
    clips : tuple of str
        Clips that the limits come from.
    before, written : mapping of attribute to bool or float
        What attributes had before we first wrote them, and what we wrote; internal units. The
        numbers survive JSON to the bit.
    locks : mapping of channel to bool
        Whether channels whose lock we changed were locked.
    switched_off : tuple of str
        Enables that were on when the limits were switched off.
    frame : mapping, optional
        Of a joint that was re-oriented: its frame "before" and the one "given" (jointOrient and
        rotateAxis in radians, rotateOrder), and what was "advised".
    backup : Backup, optional
        Of whatever a change of frames changed: what it needs to get back what it had.
    program : str
        Version.
    references : int
        How deep in references the joint was when it got the attribute: 0 in the rig's own file.
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
        """Whether there is anything to remember."""
        return bool(self.before or self.locks or self.switched_off or self.frame or self.backup)

    def with_written(self, now: Mapping[str, Number], new: Mapping[str, Number]) -> Provenance:
        """Give the record after more was written; what was there first stays what was before."""
        first = {name: now[name] for name in new if name not in self.before}
        before = {**self.before, **first}
        return replace(self, before=before, written={**self.written, **new})

    def to_json(self) -> str:
        """One line without white space, but for single blanks inside names."""
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
        # White space stands only inside names here, and may be written as an escape there.
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
    """Text of a joint's record; None where there is no such attribute."""
    function = om.MFnDependencyNode(node)
    if not function.hasAttribute(ATTRIBUTE):
        return None
    return str(function.findPlug(ATTRIBUTE, False).asString())


def record_of(node: om.MObject) -> Provenance | None:
    """Record of a joint; None where there is none, or none that we can read, or an empty one."""
    text = text_of(node)
    record = None if text is None else Provenance.from_json(text)
    return record if record is not None and record.is_needed else None


def backup_on(node: om.MObject) -> Backup | None:
    """What is on record of changes of frames on a node."""
    record = record_of(node)
    return None if record is None else record.backup


def unreadable(node: om.MObject) -> bool:
    """Whether a joint has the attribute, but not with a record of ours."""
    text = text_of(node)
    return text is not None and Provenance.from_json(text) is None


def keep(edit: SceneEdit, node: om.MObject, record: Provenance) -> None:
    """Have an edit store a record, or take the attribute away if there is nothing to remember.

    An attribute of the file that a joint is referenced from stays, with an empty record.
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
