"""Skeletons from loose bodies: from files, or beside transforms of the scene."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from jointlimits_core.base import Cancelled
from jointlimits_core.formats import TRACK_ENDINGS
from jointlimits_core.limits import LimitSet

from ..document import (
    EstimateRequest,
    Exclusions,
    Figure,
    Result,
    skeleton_words,
    with_options,
)
from ..toolkit import counted
from .commands import NO_TRANSFORMS, open_scene
from .questions import confirm_replacing
from .shapes import LongAction

if TYPE_CHECKING:
    from ..window import Window

TRACKS = f"Tracks ({' '.join(f'*{ending}' for ending in TRACK_ENDINGS)})"
MOST_OFFERED = 4
"""Maximum number of figures offered in a question."""


class SkeletonActions:
    """Commands that find a skeleton."""

    def __init__(self, window: Window) -> None:
        self._window = window
        self._document = window.document
        self._built: Result | None = None
        self._asked_about = self._document.state
        tracking = self._document.tracking
        self._finding = LongAction(window, tracking, "skeleton_from_tracks")
        tracking.found.connect(window.guarded(self._on_found))

    def skeleton_from_tracks(self) -> None:
        """Find the skeleton in files that the user chooses."""
        paths = self._window.questions.existing_files("Skeleton from tracks", TRACKS)
        if paths:
            self.find(paths)

    def find(self, paths: Sequence[str]) -> None:
        """Find the skeleton in files, and open its motion in place of the open one."""
        self._confirm_replacing()
        self._document.stop()
        values = self._window.options.track_values()
        find = partial(self._document.tracking.find, paths, **values)
        self._finding.begin("Finding the joints", find)

    def _confirm_replacing(self) -> None:
        """Ask before unsaved work is lost; may raise Cancelled."""
        confirm_replacing(self._window, "The new skeleton")
        self._asked_about = self._document.state

    def skeleton_from_selection(self) -> None:
        """Build a chain beside the selected transforms, and measure it."""
        scene = open_scene(self._window, NO_TRANSFORMS)
        self._confirm_replacing()
        character, self._built = scene.build_skeleton(self._window.options.chain_values())
        self._window.show_result(self._built)
        self._window.scene.measure_built(character)

    def fit_result(self, limits: LimitSet) -> Result:
        """Result of a skeleton fit for the artist, once its limits are there."""
        built, self._built = self._built, None
        if built is not None:
            return built
        words, is_good = skeleton_words(self._document.state.traces, limits)
        return Result(words, complete=is_good)

    def _on_found(self, figures: Sequence[Figure]) -> None:
        self._finding.end()
        if self._document.state is not self._asked_about:
            self._confirm_replacing()  # work may have been done since the start
        figure = self._chosen(figures)
        names = ", ".join(clip.name for clip in figure.clips)
        estimation = self._document.estimation
        options = with_options(estimation.open_now(), self._window.options.values())
        self._window.handover.end()
        text = f"Skeleton from {names}"
        estimation.ask(
            EstimateRequest(text, figure.clips, options, Exclusions(), None, True, figure.traces)
        )

    def _chosen(self, figures: Sequence[Figure]) -> Figure:
        """The figure to show; ask if there are several."""
        if len(figures) == 1:
            return figures[0]
        offered = figures[:MOST_OFFERED]
        count = counted(len(figures), "{count} figure", "{count} figures")
        text = (f"These tracks contain {count} that are not joined to each other. Which one "
                  "should be opened?")  # fmt: skip
        labels = [figure.words for figure in offered]
        answer = self._window.questions.choose(text, (*labels, "Cancel"))
        if answer not in labels:
            raise Cancelled
        return offered[labels.index(answer)]
