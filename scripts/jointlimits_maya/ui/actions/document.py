"""Actions of the File and Edit menus."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from jointlimits_core.exporters.formats import export_options_of
from jointlimits_core.formats.maya_ascii.filter_keys import filter_scene_keys
from jointlimits_core.formats.maya_ascii.writer import apply_limit_set
from jointlimits_core.formats.registry import motion_endings, needs_skeleton
from jointlimits_core.io.output import write_text_atomically
from jointlimits_core.report.limits_report import write_report
from jointlimits_core.report.terminal.limits import table
from jointlimits_core.rig.clamping import clamping_words, entries_of

from ..document.host import Result, filter_result
from ..toolkit.qt import QtWidgets
from ..toolkit.words import counted, listed
from .questions import confirm_filter, poses_may_move

if TYPE_CHECKING:
    from jointlimits_core.exporters.formats import ExportFormat
    from jointlimits_core.limits.review_entries import ReviewEntry

    from ..window import Window
    from .questions import Questions


LIMITS = "Limits (*.limits.json *.json)"
SKELETONS = "Skeletons (*.asf)"
TEXTS = "Text (*.txt)"
PAGES = "Pages (*.html)"
SCENES = "Maya ASCII (*.ma)"


class FileActions:
    """Actions of the File menu. `_filtered`: the scene whose copies get filtered keys."""

    def __init__(self, window: Window) -> None:
        self._window = window
        self._document = window.document
        self._filtered = ""

    @property
    def _ask(self) -> Questions:
        return self._window.questions

    def open_limits(self) -> None:
        """Open limits from a file that the user chooses."""
        path = self._ask.existing_file("Open limits", LIMITS)
        if path:
            self._open(path)

    def _open(self, path: str) -> None:
        if self.may_discard_changes():
            self._document.open_limits(path)
            self._window.remembered.add_recent(path)
            self._window.show_message(f"{path} is open.")

    def open_recent(self, path: str, *_: object) -> None:
        """Open a file again: limits, or a motion."""
        if path.lower().endswith(".json"):
            self._open(path)
        else:
            self.add([path], None)

    def open_clips(self) -> None:
        """Add motions that the user chooses; an AMC file needs its skeleton."""
        endings = " ".join(f"*{ending}" for ending in motion_endings())
        paths = self._ask.existing_files("Add clips", f"Motions ({endings})")
        skeleton = None
        if any(map(needs_skeleton, paths)):
            skeleton = self._ask.existing_file("Skeleton of the AMC files", SKELETONS)
            if not skeleton:
                return
        if paths:
            self.add(paths, skeleton)

    def add(self, paths: list[str], skeleton: str | None) -> None:
        """Add motions from files."""
        with self._window.host.wait_for("Reading motions") as progress:
            self._document.open_clips(paths, skeleton, progress)
        for path in paths:
            self._window.remembered.add_recent(path)
        added = counted(len(paths), "{count} clip added", "{count} clips added")
        # By content hash: a file may have changed since.
        clips = self._document.data.clips if self._document.has_limits else ()
        known = {clip.sha256 for clip in clips}
        wanted = {os.path.abspath(path) for path in paths}
        sources = [
            clip.source
            for clip in self._document.clips
            if clip.source is not None and os.path.abspath(clip.source.path) in wanted
        ]
        if sources and all(source.sha256 in known for source in sources):
            self._window.show_message(f"{added}; the limits were measured from them.")
        else:
            self._window.show_message(f"{added}. Press Estimate to measure with them.")

    def save(self) -> None:
        """Save to the document's own file; without one, ask for it."""
        if self._document.path is None:
            self.save_as()
            return
        path = self._document.path
        was_there = os.path.exists(path)
        self._document.save()
        text = f"Saved: {path}"
        if was_there:
            self._window.show_message(text)
        else:
            text += ". The file had been moved or removed; it was created again"
            self._window.show_message(text, "warning")

    def save_as(self) -> None:
        """Save to a file that the user chooses."""
        wanted = f"{self._document.limits.character}.limits.json"
        path = self._ask.new_file("Save limits", wanted, LIMITS)
        if path:
            # The file dialog has already asked whether to replace an existing file.
            self._document.save(path, even_if_changed=True)
            self._window.remembered.add_recent(path)
            self._window.show_message(f"Saved: {path}")

    def export_table(self) -> None:
        """Write a plain text table."""
        path = self._new_file("Export table", ".limits.txt", TEXTS)
        if path:
            write_text_atomically(path, table(self._document.limits) + "\n")
            self._window.show_message(f"Written: {path}")

    def report(self) -> None:
        """Write the page with all limits and their evidence."""
        limits, clips = self._document.limits, self._document.clips
        path = self._new_file("Export report", ".limits.html", PAGES)
        if path:
            with self._window.host.wait_for("Writing the report") as progress:
                write_report(limits, clips, path, progress)
            self._window.show_message(f"Written: {path}")

    def export(self, form: ExportFormat, *_: object) -> None:
        """Write limits for another program, and list what its format cannot hold."""
        limits, clips = self._document.limits, self._document.clips
        if form.needs_skeleton and not clips:
            raise ValueError(f"{form.name} needs joint positions; open a clip with Add clips")
        kinds = f"{form.name} ({' '.join(f'*.{ending}' for ending in form.endings)})"
        path = self._new_file(f"Export {form.name}", f".{form.endings[0]}", kinds)
        if not path:
            return
        values = self._ask.options(f"Export {form.name}", form.options)
        if values is None:
            return
        asked = export_options_of(values, Path(path).suffix.lower().lstrip("."))
        exported = form.export(limits, clips[0].skeleton if clips else None, asked)
        exported.write(path)
        lost = [loss.sentence() for loss in exported.losses]
        text = f"Written: {path}."
        if lost:
            text += counted(len(lost), " {count} difference", " {count} differences")
            text += " from the limits; see Details."
        self._window.show_message(text, "warning" if lost else "info", "\n".join(lost))

    def _new_file(self, title: str, ending: str, kinds: str) -> str:
        """Ask for a file to write; one of the inputs is refused."""
        path = self._ask.new_file(title, f"{self._document.limits.character}{ending}", kinds)
        if path:
            self._document.check_output(path)
        return path

    def apply_copy(self, scene: str) -> None:
        """Write the limits to a copy of a Maya ASCII scene."""
        stem = os.path.splitext(os.path.basename(scene))[0]
        path = self._ask.new_file("Apply to a copy", f"{stem}_limits.ma", SCENES)
        if not path:
            return
        self._document.check_output(path)
        options = self._window.options.values_of("write")
        chosen = ("replace", "lock_unmoved")
        wanted: dict[str, Any] = {name: options[name] for name in chosen if name in options}
        wanted["may_move"] = partial(poses_may_move, self._window)
        wanted["filter_keys"] = scene == self._filtered
        report = apply_limit_set(self._document.limits, scene, path, **wanted)
        count, keys = len(report.written), report.filtered
        text = f"Limits of {counted(count, '{count} joint', '{count} joints')} written to a copy"
        for words, found in (
            *(("left off", report.left_off), ("poses change on", report.moved)),
            ("clamped by limits of the scene", report.still_clamped),
        ):
            text += f"; {words} {clamping_words(found)}" if found else ""
        left = [f"left off: {one.joint}.{one.channel}: {one.words()}" for one in report.left_off]
        left += [f"poses change: {one.joint}.{one.channel}: {one.words()}" for one in report.moved]
        left += [one.kept_line() for one in report.still_clamped]
        left += [f"{item.joint}: {item.reason}; {item.advice}" for item in report.skipped]
        left += [] if keys is None else keys.refusals()
        text += f": {path}." + (f" {filter_result(keys).text}" if keys is not None else "")
        text += f" Not written: {len(report.skipped):,}; see Details." if report.skipped else ""
        entries = entries_of(report.left_off, report.moved, report.still_clamped, "the copy")
        is_whole = bool(count) and not left
        self._window.show_result(Result(text, "\n".join(left), is_whole, entries))

    def filter_copy(self, scene: str) -> None:
        """Filter the keys of a Maya ASCII scene in the copies that are written from now on."""
        report = filter_scene_keys(scene, self._document.limits.joints).plan.report
        confirm_filter(self._window, report)
        self._filtered = scene if report.joints else ""
        self._window.show_result(filter_result(report, " in the copy that Apply writes"))

    def compare(self) -> None:
        """Show the differences from a file that the user chooses."""
        path = self._ask.existing_file("Compare with", LIMITS)
        if path:
            found = self._document.compared_with(path)
            self._window.show_diff(found, f"From {path} to these")

    def may_discard_changes(self) -> bool:
        """Ask before unsaved changes are lost, and save them if wanted."""
        stack = self._document.undo_stack
        if not self._document.has_limits or stack.isClean():
            return True
        text = f"{self._document.limits.character} has unsaved changes."
        save, discard = "Save", "Discard"
        answer = self._ask.choose(text, (save, discard, "Cancel"))
        if answer == save:
            self._window.guarded(self.save)()  # a failure is reported, and nothing is lost
        return answer == discard or bool(stack.isClean())


class EditActions:
    """Edits of the selected joints, each one undo step of the window."""

    def __init__(self, window: Window) -> None:
        self._window = window
        self._document = window.document

    def copy(self) -> None:
        """Copy limits to the clipboard."""
        text = self._document.edit.copy(self._chosen())
        QtWidgets.QApplication.clipboard().setText(text)
        self._window.show_message(f"Copied: {listed(self._chosen())}")

    def paste(self) -> None:
        """Paste limits from the clipboard."""
        text = QtWidgets.QApplication.clipboard().text()
        pasted = self._document.edit.paste(text, self._chosen())
        count, onto = len(pasted.joints), listed(pasted.joints)
        text = counted(count, "Pasted onto {count} joint", "Pasted onto {count} joints")
        if not pasted.types:
            self._window.show_message(f"{text}: {onto}.")
            return
        types = [f"{name} from {was} to {now}" for name, (was, now) in pasted.types.items()]
        changed = f"Type changed: {listed(types)}."
        self._window.show_message(f"{text}: {onto}. {changed}", "warning")

    def mirror(self) -> None:
        """Give the joints on the other side the mirror image."""
        chosen = self._chosen()
        done = self._document.edit.mirror(chosen)
        text = counted(len(done), "{count} joint mirrored", "{count} joints mirrored")
        text += f": {listed([self._document.partners[name].name for name in done])}."
        left = [name for name in chosen if name not in done]
        if not left:
            self._window.show_message(text)
            return
        alone = f"Not mirrored, because they have no partner: {listed(left)}."
        self._window.show_message(f"{text} {alone}", "warning")

    def reset(self) -> None:
        """Go back to the measured limits."""
        self._document.edit.reset(self._chosen())

    def pin(self) -> None:
        """Pin joints at their current limits."""
        self._document.edit.pin(self._chosen())

    def settle(self, entry: ReviewEntry) -> None:
        """Do what settles an entry of the review, as one undo step."""
        action, document = entry.action, self._document
        if action.kind == "exclude":
            document.estimation.exclude_runs(action.frames)
        elif action.kind == "exclude-clip":
            document.estimation.exclude_clip(str(action.clip))
        elif action.kind == "include":
            kept = [rule for rule in document.options.leave_out if rule != action.value]
            document.estimation.set_options(leave_out=tuple(kept))
        elif action.kind == "orient":
            document.estimation.set_options(frame="advised")
        elif action.kind == "fit":
            self._window.shapes.fit_shapes()
        elif action.kind == "filter":
            self._window.scene.filter_keys()
        elif action.kind == "show":
            self._window.show_entry(entry)
        else:
            action, edit, joint = entry.action, self._document.edit, entry.joint
            if action.kind == "limit":
                value = cast("float", action.value)
                edit.set_limit(joint, str(action.channel), str(action.side), value)
            elif action.kind == "type":
                edit.set_type(joint, str(action.value))
            else:
                edit.pin(joint)
            self._window.show_message(f"{action.text}: done.")

    def accept(self, entry: ReviewEntry) -> None:
        """Pin what an entry is about as it is, so that it is settled, as one undo step."""
        edit, joint, bound = self._document.edit, entry.joint, None
        if entry.channel is not None and entry.side is not None:
            axis = self._document.limits.joints[joint].limits[entry.channel]
            bound = axis.bound_deg(entry.side)
        if bound is None:
            edit.pin(joint)
        else:
            edit.set_limit(joint, str(entry.channel), str(entry.side), bound)
        self._window.show_message(f"{joint} is pinned as it is.")

    def _chosen(self) -> tuple[str, ...]:
        chosen = self._window.selected
        if not chosen:
            raise ValueError("no joint is selected; select one in the list")
        return chosen
