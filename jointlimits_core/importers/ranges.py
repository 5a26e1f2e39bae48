"""Ranges of a limit set written into a copy of a user's own model; every other byte stays.

A range goes to the attributes of the element that has the joint, in the file's own unit, never to
a default class, which other joints may share. Which hinge is which channel is the importer's word.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np

from ..base import printable
from ..formats.maya_ascii import Edit, WriteReport, reject_all_skipped, reject_target, write_edited
from ..io import DEFAULT_LIMITS, FilePath, ReadLimits, file_sha256, open_regular
from ..limits import LOCKED_DEG, MAX_ANGLE_DEG, JointLimit, LimitSet
from ..motion import matched_joints
from ..rig import Skipped, changes_from_limit_set
from .declared import declared_limits, ranges_like
from .joint_models import ModelHinge, ModelJoints, turned
from .read import read_model
from .xml import ModelError, XmlElement

SAME_DEG = 1e-9
_NAME = re.compile(rb"<[^\s/>]+")
_ATTRIBUTE = re.compile(rb"\s+([^\s=/>]+)\s*=\s*(\"[^\"]*\"|'[^']*')")
_OTHER_AXES = (
    "its channels turn about other axes than the model's hinges",
    "estimate from motion of this model, or import its limits and edit those",
)


def write_ranges(
    limit_set: LimitSet,
    path: FilePath,
    out: FilePath,
    *,
    lock_unmoved: bool = False,
    limits: ReadLimits = DEFAULT_LIMITS,
) -> WriteReport:
    """Write ranges into a copy of a robot model, replacing those that it has.

    `lock_unmoved`: also write joints that do not move in the source. Raises ModelError if the model
    cannot be read, no joint can be changed, or the copy cannot be written or would overwrite it;
    ValueError for a limit set of the paper's mode.
    """
    source, target = os.fspath(path), os.fspath(out)
    changes = changes_from_limit_set(limit_set, lock_unmoved)
    reject_target(target, [source], "the model itself", ModelError)
    model = read_model(path, limits)
    writer = _Writer(source, model)
    found = matched_joints(changes, model.skeleton.names)
    declared = declared_limits(model.skeleton, model.locked_deg).joints
    for name in changes:
        if name in found:
            known = model.skeleton.names[found[name]]
            writer.joint(known, limit_set.joints[name], declared[known])
        else:
            writer.skip(name, "", "the model has no such joint", "rename it in the limits")
    if not (writer.written or writer.unchanged):
        reject_all_skipped(source, writer.skipped, ModelError)
    write_edited(source, target, writer.edits(), ModelError)
    return WriteReport(target, writer.written, tuple(writer.unchanged), tuple(writer.skipped))


@dataclass
class _Writer:
    """Changes of elements, joint by joint."""

    path: str
    model: ModelJoints
    written: dict[str, tuple[str, ...]] = field(default_factory=dict)
    unchanged: list[str] = field(default_factory=list)
    skipped: list[Skipped] = field(default_factory=list)
    changes: list[tuple[XmlElement, Mapping[str, str]]] = field(default_factory=list)

    def skip(self, joint: str, channel: str, reason: str, advice: str) -> None:
        self.skipped.append(Skipped(joint, channel, reason, advice))

    def joint(self, name: str, joint: JointLimit, like: JointLimit) -> None:
        """Write the hinges of one joint."""
        hinges = self.model.hinges[name]
        ranges = ranges_like(joint, like)
        if not hinges:
            if any(axis.state != "locked" for axis in joint.limits.values()):
                self.skip(name, "", "the model has no hinges there that are channels", "")
            return
        if ranges is None:
            self.skip(name, "", *_OTHER_AXES)
            return
        skipped = len(self.skipped)
        there = {channel for _, channel, _ in hinges}
        for channel, (low, high) in ranges.items():
            if channel not in there and (low is None or high is None or high - low > LOCKED_DEG):
                self.skip(name, channel, "the model has no hinge for it", "add one to the model")
        wrote = [
            attribute
            for hinge, channel, sign in hinges
            for attribute in self._hinge(name, hinge, channel, turned(*ranges[channel], sign))
        ]
        if wrote:
            self.written[name] = tuple(wrote)
        elif skipped == len(self.skipped):
            self.unchanged.append(name)

    def _hinge(
        self, joint: str, hinge: ModelHinge, channel: str, ends: tuple[float | None, float | None]
    ) -> list[str]:
        """Attributes to write for the range of one hinge; none if it has it, or cannot have it."""
        element, attributes = hinge.element, hinge.attributes
        if _same(ends, tuple(map(_meant, (hinge.low_deg, hinge.high_deg)))):
            return []
        assert element is not None
        assert attributes is not None
        if not os.path.samefile(element.text.path, self.path):
            part = printable(os.path.basename(os.fspath(element.text.path)))
            self.skip(joint, channel, f"it stands in the included file {part}", "save one file")
            return []
        given = attributes(*ends)
        if isinstance(given, str):
            reason, _, advice = given.partition("; ")
            self.skip(joint, channel, reason, advice)
            return []
        self.changes.append((element, given))
        return [f"{channel}.{attribute}" for attribute in given]

    def edits(self) -> Iterator[Edit]:
        """Edits of the file's own bytes."""
        with open_regular(self.path, ModelError) as stream:
            data = stream.read()
        if not self.changes:
            return
        if file_sha256(self.path) != self.changes[0][0].text.source.sha256:
            raise ModelError(self.path, "changed while it was read; try again")
        for element, attributes in self.changes:
            yield from _element_edits(data, element, attributes)


def _meant(end: float | None) -> float | None:
    """An end of the file; a placeholder beyond all angles stands for none."""
    return None if end is None or abs(end) > MAX_ANGLE_DEG else end


def _same(first: tuple[float | None, ...], second: tuple[float | None, ...]) -> bool:
    return all(
        a == b if a is None or b is None else abs(a - b) <= SAME_DEG for a, b in zip(first, second)
    )


def _element_edits(
    data: bytes, element: XmlElement, attributes: Mapping[str, str]
) -> Iterator[Edit]:
    """Edits of a start tag: values between their quotes, new attributes at its end."""
    start = _place(data, element.start)
    tag = _NAME.match(data, start)
    if tag is None or tag.group()[1:].decode("utf-8", "replace") != element.tag:
        problem = "the file's encoding is not supported; save it as UTF-8"
        raise element.text.fail(problem, element.line)
    end, known = tag.end(), {}
    found = _ATTRIBUTE.match(data, end)
    while found:
        known[found[1].decode("utf-8", "replace")] = found.span(2)
        end = found.end()
        found = _ATTRIBUTE.match(data, end)
    added = b""
    for name, value in attributes.items():
        if name in known:
            first, last = known[name]
            yield Edit(first + 1, last - 1, value.encode())
        else:
            added += f' {name}="{value}"'.encode()
    if added:
        yield Edit(end, end, added)


def _place(data: bytes, start: int) -> int:
    """Place in the bytes on disk of one in the text, without byte order mark and returns."""
    mark = 3 if data.startswith(b"\xef\xbb\xbf") else 0
    pairs = np.array([found.start() for found in re.finditer(rb"\r\n", data)], dtype=np.int64)
    # The n-th pair became one byte, n bytes and the mark further to the front.
    return start + mark + int(np.searchsorted(pairs - np.arange(len(pairs)) - mark, start, "left"))
