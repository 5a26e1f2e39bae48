"""Actions of the File menu."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import Any

from jointlimits_core.exporters.formats import ExportFormat, ending_of, export_options_of
from jointlimits_core.formats.asf import skeleton_beside
from jointlimits_core.formats.maya_ascii import filter_keys, writer
from jointlimits_core.formats.registry import motion_endings, needs_skeleton
from jointlimits_core.io.output import write_text_atomically
from jointlimits_core.report.html.limits_page import write_report
from jointlimits_core.report.terminal.limits import table
from jointlimits_core.rig.clamping import clamping_words, entries_of

from ..document.host import Result, filter_result
from ..toolkit.words import counted
from .desk import LIMITS, Desk


def _has_skeleton(path: str) -> bool:
    """Whether a motion file needs no other file for its skeleton, or has one beside it."""
    if not needs_skeleton(path):
        return True
    with contextlib.suppress(ValueError, OSError):
        return bool(skeleton_beside(Path(path)))
    return False


class FileActions:
    """Actions of the File menu. `_filtered`: the scene whose copies get filtered keys."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._document = desk.document
        self._filtered = ""

    def open_limits(self) -> None:
        """Open limits from a file that the user chooses."""
        path = self._desk.questions.existing_file("Open limits", LIMITS)
        if path:
            self.open_file(path)

    def open_file(self, path: str) -> None:
        """Open limits from a file, unless the user keeps unsaved changes."""
        if self._desk.may_discard_changes():
            self._document.open_limits(path)
            self._desk.file_used.emit(path)
            self._desk.show_message(f"{path} is open.")

    def open_recent(self, path: str, *_: object) -> None:
        """Open a recent file: limits or a motion."""
        if path.lower().endswith(".json"):
            self.open_file(path)
        else:
            self.add([path])

    def open_clips(self, *_: object) -> None:
        """Add motions that the user chooses."""
        endings = " ".join(f"*{ending}" for ending in motion_endings())
        paths = self._desk.questions.existing_files("Add clips", f"Motions ({endings})")
        if paths:
            self.add(paths)

    def add(self, paths: list[str], skeleton: str | None = None) -> None:
        """Add motions from files; ask for a skeleton if AMC files have none beside them."""
        if skeleton is None and not all(map(_has_skeleton, paths)):
            title, kind = "Skeleton of the AMC files", "Skeletons (*.asf)"
            skeleton = self._desk.questions.existing_file(title, kind)
            if not skeleton:
                return
        with self._desk.host.wait_for("Reading motions") as progress:
            self._document.open_clips(paths, skeleton, progress)
        for path in paths:
            self._desk.file_used.emit(path)
        # Compares content hashes: a file may have changed since it was measured.
        clips = self._document.data.clips if self._document.has_limits else ()
        wanted, known = set(map(os.path.abspath, paths)), {clip.sha256 for clip in clips}
        sources = (clip.source for clip in self._document.clips if clip.source is not None)
        hashes = {one.sha256 for one in sources if os.path.abspath(one.path) in wanted}
        is_measured = hashes and hashes <= known
        then = "; the limits were measured from them."
        then = then if is_measured else ". Press Estimate to measure with them."
        self._desk.show_message(f"{counted(len(paths), 'clip')} added{then}")

    def export_table(self) -> None:
        """Write a plain text table."""
        limits = self._document.limits
        name = f"{limits.character}.limits.txt"
        path = self._new_file("Export table", name, "Text (*.txt)")
        if path:
            write_text_atomically(path, table(limits) + "\n")
            self._desk.show_message(f"Written: {path}")

    def report(self) -> None:
        """Write the page with all limits and their evidence."""
        limits, clips = self._document.limits, self._document.clips
        name = f"{limits.character}.limits.html"
        path = self._new_file("Export report", name, "Pages (*.html)")
        if path:
            with self._desk.host.wait_for("Writing the report") as progress:
                write_report(limits, clips, path, progress)
            self._desk.show_message(f"Written: {path}")

    def export(self, form: ExportFormat, *_: object) -> None:
        """Write limits for another program, and list what its format cannot hold."""
        limits, clips = self._document.limits, self._document.clips
        if form.needs_skeleton and not clips:
            raise ValueError(f"{form.name} needs joint positions; open a clip with Add clips")
        kinds = f"{form.name} ({' '.join(f'*.{ending}' for ending in form.endings)})"
        title, name = f"Export {form.name}", f"{limits.character}.{form.endings[0]}"
        path = self._new_file(title, name, kinds)
        values = self._desk.questions.options(title, form.options) if path else None
        if values is None:
            return
        asked = export_options_of(values, ending_of(path))
        exported = form.export(limits, clips[0].skeleton if clips else None, asked)
        exported.write(path)
        lost = [loss.sentence() for loss in exported.losses]
        text = f"Written: {path}."
        if lost:
            text += f" {counted(len(lost), 'difference')} from the limits; see Details."
        self._desk.show_message(text, "warning" if lost else "info", "\n".join(lost))

    def _new_file(self, title: str, name: str, kinds: str) -> str:
        path = self._desk.questions.new_file(title, name, kinds)
        if path:
            self._document.check_output(path)
        return path

    def apply_copy(self, scene: str) -> None:
        """Write the limits to a copy of a Maya ASCII scene."""
        stem = os.path.splitext(os.path.basename(scene))[0]
        path = self._new_file("Apply to a copy", f"{stem}_limits.ma", "Maya ASCII (*.ma)")
        if not path:
            return
        options = self._desk.options.values_of("write")
        chosen = ("replace", "lock_unmoved")
        wanted: dict[str, Any] = {name: options[name] for name in chosen if name in options}
        wanted["may_move"] = self._desk.poses_may_move
        wanted["enable_driven"] = self._desk.driven_turn_on
        wanted["filter_keys"] = scene == self._filtered
        report = writer.apply_limit_set(self._document.limits, scene, path, **wanted)
        count, keys, noun = len(report.written), report.filtered, report.noun
        text = f"Limits of {counted(count, noun)} written to a copy"
        text += f"; left off {clamping_words(report.left_off, noun)}" if report.left_off else ""
        off = counted(len(report.following), noun) if report.following else ""
        text += f"; not turned on for {off}, as they follow controls" if off else ""
        text += f"; poses change on {clamping_words(report.moved, noun)}" if report.moved else ""
        still = clamping_words(report.still_clamped, noun) if report.still_clamped else ""
        text += f"; clamped by the scene's own limits {still}" if still else ""
        left = [f"left off: {one.joint}.{one.channel}: {one.words()}" for one in report.left_off]
        drivers = report.following.items()
        left += [f"left off: follows a control: {name}: {one.words()}" for name, one in drivers]
        left += [f"poses change: {one.joint}.{one.channel}: {one.words()}" for one in report.moved]
        left += [one.kept_line() for one in report.still_clamped]
        left += [f"{name}: {why}" for name, why in report.boxed.items()]
        left += [f"{item.joint}: {item.reason}; {item.advice}" for item in report.skipped]
        left += [] if keys is None else keys.refusals()
        text += f": {path}." + (f" {filter_result(keys).text}" if keys is not None else "")
        text += f" Not written: {len(report.skipped):,}; see Details." if report.skipped else ""
        entries = entries_of(report.left_off, report.moved, report.still_clamped, "the copy")
        is_whole = bool(count) and not left
        self._desk.show_result(Result(text, "\n".join(left), is_whole, entries))

    def filter_copy(self, scene: str) -> None:
        """Filter the keys of a Maya ASCII scene in all copies that are written from now on."""
        limits = self._document.limits
        keys = filter_keys.filter_scene_keys(scene, limits.joints, of_controls=limits.of_controls)
        report = keys.plan.report
        self._desk.confirm_filter(report)
        self._filtered = scene if report.joints else ""
        self._desk.show_result(filter_result(report, " in the copy that Apply writes"))

    def compare(self) -> None:
        """Show how the limits differ from a file that the user chooses."""
        path = self._desk.questions.existing_file("Compare with", LIMITS)
        if path:
            found = self._document.compare_with(path)
            self._desk.diff_found.emit(found, f"From {path} to the open limits")
