"""Character panel: the figure, and the playback of a clip on it."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from jointlimits_core.geometry.euler import CHANNELS
from jointlimits_core.limits.limit_set import JointLimit, LimitSet
from jointlimits_core.motion.motion import Motion
from jointlimits_core.report.figures import character as figure
from jointlimits_core.report.figures import range_shapes, samples

from ..actions.desk import Desk
from ..plots.character import CharacterView, Editable
from ..plots.icons import icon_of
from ..toolkit.qt import QtCore, QtWidgets, Signal, arrange, combo_box
from ..toolkit.words import frame_number

TICK_MS = 15
SPEEDS = (0.25, 0.5, 1.0, 2.0, 4.0)
NO_CLIP_TEXT = "No clip is open, so there is no character to show. Use File > Add clips."


class Playback(QtWidgets.QWidget):
    """Play button, in and out points, speed, and the current frame of a clip."""

    frame_played = Signal(str, float)
    """Clip, and the frame to show."""
    toggled = Signal()
    """Emitted when playback starts or pauses."""
    range_changed = Signal(object)
    """First and last frame to play, or None for the whole clip."""

    def __init__(self) -> None:
        super().__init__()
        self._clip: Motion | None = None
        self._index = 0
        self._ends: tuple[int, int] | None = None
        self._began, self._from = 0.0, 0
        self._timer = QtCore.QTimer(self, interval=TICK_MS)
        self._timer.timeout.connect(self._tick)
        first, last = partial(self._mark, 0), partial(self._mark, 1)
        tip = "Play the clip, or pause (Space on the character)"
        self.play = self._button("Play", self.toggle, tip)
        self.first = self._button("In point", first, "Play from here; click again to remove")
        self.last = self._button("Out point", last, "Play up to here; click again to remove")
        speeds = (f"{speed:g} \N{MULTIPLICATION SIGN}" for speed in SPEEDS)
        self.speed = combo_box(speeds, "Speed", "Playback speed")
        self.speed.setCurrentIndex(SPEEDS.index(1.0))
        self.speed.activated.connect(self._restart)
        self.frame = QtWidgets.QLabel()
        parts = (self.play, self.first, self.last, self.speed, self.frame)
        arrange(QtWidgets.QHBoxLayout(self), *parts, None).setContentsMargins(2, 0, 2, 0)
        self.show_clip(None)

    def _button(self, name: str, slot: Any, tip: str) -> QtWidgets.QToolButton:
        icon = icon_of(name.lower().replace(" ", "_"), self.palette())
        button = QtWidgets.QToolButton(icon=icon, accessibleName=name, toolTip=tip)
        button.clicked.connect(lambda *_: slot())
        return button

    @property
    def is_playing(self) -> bool:
        """Whether the clip is playing."""
        return bool(self._timer.isActive())

    def show_clip(self, clip: Motion | None) -> None:
        """Use this clip for playback; a new clip starts paused, without in and out points."""
        if clip is not self._clip:
            self.stop()
            self._clip, self._index = clip, 0
            self._set_ends(None)
        self.setEnabled(clip is not None and clip.frame_count > 1)
        self._show_frame()

    def show_frame(self, frame: float | None) -> None:
        """Continue from this frame, which is already shown."""
        clip = self._clip
        if clip is None or frame is None:
            return
        index = _nearest(clip, frame)
        if index != self._index:
            self._index = index
            self._restart()
        self._show_frame()

    def toggle(self) -> None:
        """Play, or pause."""
        if self.is_playing:
            self.stop()
        elif self._clip is not None and self._clip.frame_count > 1:
            self._timer.start()
            self.play.setIcon(icon_of("pause", self.palette()))
            self._restart()
        self.toggled.emit()

    def stop(self) -> None:
        """Pause playback."""
        self._timer.stop()
        self.play.setIcon(icon_of("play", self.palette()))

    def step(self, by: int) -> None:
        """Pause, and step a number of frames forward or back."""
        if self._clip is not None:
            self.stop()
            self._go(min(max(self._index + by, 0), self._clip.frame_count - 1))

    def _tick(self) -> None:
        """Go to the frame that is due: frames that cannot be painted in time are skipped."""
        clip = self._clip
        if clip is None:
            self.stop()
            return
        first, last = self._ends or (0, clip.frame_count - 1)
        speed = SPEEDS[self.speed.currentIndex()]
        passed = int((time.perf_counter() - self._began) * clip.frame_rate * speed)
        index = self._from + passed
        if index > last or self._from < first:
            index = first + max(index - last - 1, 0) % max(last - first + 1, 1)
            self._index = index
            self._restart()
        if index != self._index or index == first:
            self._go(index)

    def _go(self, index: int) -> None:
        assert self._clip is not None
        self._index = index
        self._show_frame()
        self.frame_played.emit(self._clip.name, float(self._clip.frames[index]))

    def _restart(self, *_: object) -> None:
        """Restart the clock at the current frame."""
        self._began, self._from = time.perf_counter(), self._index

    def _mark(self, end: int) -> None:
        """Set an in or out point at the current frame, or remove the one there."""
        if self._clip is None:
            return
        whole = (0, self._clip.frame_count - 1)
        ends = list(self._ends or whole)
        ends[end] = whole[end] if ends[end] == self._index else self._index
        first, last = sorted(ends)
        self._set_ends(None if (first, last) == whole else (first, last))
        self._restart()

    def _set_ends(self, ends: tuple[int, int] | None) -> None:
        self._ends, found = ends, None
        if ends is not None and self._clip is not None:
            found = tuple(self._clip.frames[list(ends)].tolist())
        self.range_changed.emit(found)

    def _show_frame(self) -> None:
        clip = self._clip
        number = "" if clip is None else frame_number(float(clip.frames[self._index]))
        self.frame.setText(f"frame {number}" if number else "")


class CharacterPanel(QtWidgets.QWidget):
    """The figure with its playback and marks."""

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self._desk, self._document = desk, desk.document
        self._names: tuple[str, ...] = ()
        self._motion: Motion | None = None
        self._outside: Mapping[str, float] = {}
        self._pointed: tuple[str, float] | None = None
        self._character: figure.Character | None = None
        self._near: dict[str, tuple[JointLimit, Motion, bool]] = {}
        self.view, self.playback = CharacterView(), Playback()
        self.view.empty = NO_CLIP_TEXT
        arrange(QtWidgets.QVBoxLayout(self), (self.view, 1), self.playback, margin=2)
        self.view.joint_clicked.connect(self.select_joint)
        self.view.step_asked.connect(self.playback.step)

    def show_joints(self, names: Sequence[str]) -> None:
        """Highlight the selected joints; the first one shows its limits."""
        self._names = tuple(names)
        self.refresh()

    def forget(self) -> None:
        """Drop the figure of the previous clips."""
        self._character = None

    def show_pose(self, motion: Motion | None, outside: Mapping[str, float]) -> None:
        """Show a pose (a motion of one frame) and the joints outside their limits, with degrees."""
        self._motion, self._outside = motion, outside
        self.refresh()

    def refresh(self) -> None:
        """Show the current pose with the limits in force."""
        limits, motion = self._document.state.limits, self._motion
        if not self.isVisible():
            return
        if limits is None or motion is None:
            self.view.show_character(None, ())
            return
        names, character = motion.joint_names, self._character
        if character is None or character.motion.joint_names != names:
            same = (clip for clip in self._document.clips if clip.joint_names == names)
            character = self._character = figure.character_of(next(same, motion))
        rows = {name: row for row, name in enumerate(names)}
        chosen = [name for name in self._names if name in rows and name in limits.joints]
        pose = character.pose(_on_skeleton_of(motion, character))
        self.view.show_character(character, names)
        self._show_marks(character, motion, pose, rows[chosen[0]] if chosen else None)
        shapes, editable = [], None
        if chosen:  # a hinge has only its arc
            row, limit = rows[chosen[0]], limits.joints[chosen[0]]
            bone = range_shapes.bone_direction(motion.skeleton, row)
            shape = range_shapes.range_shape(limit, chosen[0], bone)
            if shape is not None and shape.kind != range_shapes.ARC:
                shapes.append((row, shape))
            if set(CHANNELS) <= set(limit.limits):
                rotates = samples.rotates_of(motion, row, limit)[:1]
                at = np.degrees(samples.on_branch(rotates, limit))[0]
                arcs = range_shapes.channel_arcs(limit, chosen[0], bone, at)
                editable = Editable(row, limit, arcs, at) if arcs else None
        selected = frozenset(rows[name] for name in chosen)
        self.view.show_pose(pose, self._states(limits, motion, rows), selected, shapes, editable)

    def point_at(self, clip: str, frame: float) -> None:
        """Show the pose of a frame as a ghost; an empty clip name hides the ghost."""
        self._pointed = (clip, frame) if clip else None
        self.refresh()

    def _show_marks(
        self, character: figure.Character, motion: Motion, pose: figure.Pose, joint: int | None
    ) -> None:
        names = character.motion.joint_names
        alike = {
            one.name: _on_skeleton_of(one, character)
            for one in self._document.clips
            if one.joint_names == names
        }
        self.view.ghost, self.view.trail = None, np.zeros((0, 3))
        name, frame = self._pointed or ("", 0.0)
        if name in alike:
            clip = alike[name]
            self.view.ghost = character.ghost(pose, character.pose(clip, _nearest(clip, frame)))
        if joint is not None and motion.name in alike:
            clip = alike[motion.name]
            index = _nearest(clip, float(motion.frames[0]))
            places = replace(character, motion=clip).places(character.trail_indices(index))
            self.view.trail = places[:, character.end(joint)]

    def showEvent(self, event: Any) -> None:
        """Show the current pose when the panel appears."""
        super().showEvent(event)
        self.refresh()

    def hideEvent(self, event: Any) -> None:
        """Stop playing when the panel disappears."""
        super().hideEvent(event)
        self.playback.stop()

    def _states(self, limits: LimitSet, motion: Motion, rows: Mapping[str, int]) -> dict[int, str]:
        near = set()
        for name, limit in () if self.playback.is_playing else limits.joints.items():
            known = self._near.get(name)
            if name in rows and (known is None or known[:2] != (limit, motion)):
                known = (limit, motion, figure.is_near(limit, motion, rows[name]))
                self._near[name] = known
            if known is not None and known[2]:
                near.add(name)
        look, pinned = figure.look_joints(self._document.review), figure.pinned_joints(limits)
        of_joints = (self._outside, near, look, pinned)
        return {
            rows[name]: figure.joint_state(limit, *(name in joints for joints in of_joints))
            for name, limit in limits.joints.items()
            if name in rows
        }

    def select_joint(self, joint: int, adds: bool) -> None:
        """Select a joint; a second Shift-click removes it from the selection."""
        limits = self._document.state.limits
        name = "" if self._motion is None else self._motion.joint_names[joint]
        if limits is None or name not in limits.joints:
            return
        others = [known for known in self._names if known != name]
        is_out = adds and name in self._names and bool(others)
        self._desk.joints_asked.emit((others if adds else []) + ([] if is_out else [name]))


def _nearest(clip: Motion, frame: float) -> int:
    return int(np.abs(clip.frames - frame).argmin())


def _on_skeleton_of(motion: Motion, character: figure.Character) -> Motion:
    """Motion on the character's own skeleton; a pose from a scene may have a different one."""
    return replace(motion, skeleton=character.motion.skeleton)
