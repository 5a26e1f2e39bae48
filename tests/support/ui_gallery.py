"""Pictures of every painted widget in every state, to be looked at.

    QT_QPA_PLATFORM=offscreen python -m tests.support.ui_gallery FOLDER [PATTERN]

saves each state at one and two device pixels to a pixel, on light and on dark windows.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from fnmatch import fnmatch
from functools import partial
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))

from jointlimits_maya.ui.document.skeleton_fit import Trace
from jointlimits_maya.ui.panels.time import with_gap
from jointlimits_maya.ui.plots.bars import Candidate, EvidenceBars, paint_range_bar
from jointlimits_maya.ui.plots.base import Picture, paint_glyph
from jointlimits_maya.ui.plots.cloud import RotationCloud
from jointlimits_maya.ui.plots.dial import AngleDial
from jointlimits_maya.ui.plots.dial_layout import ChannelState
from jointlimits_maya.ui.plots.strip import TimeStrip
from jointlimits_maya.ui.plots.strip_layout import Mark, Rows, Span
from jointlimits_maya.ui.plots.swing import SwingDisc
from jointlimits_maya.ui.toolkit.qt import QtCore, QtGui, QtWidgets

from jointlimits_core.estimation.joint_type import tolerated_deg
from jointlimits_core.limits.limit_set import Orientation
from jointlimits_core.report.figures.space import box_shape, to_vectors_of
from jointlimits_core.report.figures.swing import reach_outline
from jointlimits_core.report.figures.view import View

STATES: dict[str, Callable[[], QtWidgets.QWidget]] = {}


def state(make: Callable[[], QtWidgets.QWidget]) -> Callable[[], QtWidgets.QWidget]:
    STATES[make.__name__] = make
    return make


def empty(kind: type[QtWidgets.QWidget], width: int, height: int) -> QtWidgets.QWidget:
    widget = kind()
    widget.resize(width, height)
    return widget


# --- dials ------------------------------------------------------------------------------------


def made_dial(shown: ChannelState, size: int = 230, samples: int = 20_000) -> AngleDial:
    dial = empty(AngleDial, size, size)
    middle = 0.0 if shown.range is None else sum(shown.range) / 2.0
    width = 60.0 if shown.range is None else max((shown.range[1] - shown.range[0]) / 6.0, 0.2)
    dial.set_samples(np.random.default_rng(1).normal(middle, width, samples))
    dial.show_state(shown)
    return dial


BANDS = ((-75.0, -60.0), (110.0, 121.0))
DIALS = {
    "limited": ChannelState("X", "limited", -60.0, 110.0, rest=0.0, pose=35.0, bands=BANDS),
    "artist_over_data_pose_outside": ChannelState(
        "Z", "limited", -40.0, 90.0, rest=0.0, pose=140.0, ghost=(-65.0, 118.0)
    ),
    "locked": ChannelState("Y", "locked", 0.0, 0.0, rest=0.0, pose=0.0),
    "free": ChannelState("X", "free", rest=0.0, pose=-100.0),
    "more_than_a_turn": ChannelState("Y", "limited", -200.0, 210.0, rest=0.0),
    "nearly_a_turn": ChannelState("Y", "limited", -172.0, 175.0, rest=0.0),
}
for name, shown in DIALS.items():
    STATES[f"dial_{name}"] = partial(made_dial, shown)
SMALL = ChannelState("X", "limited", -160.4, 110.2, rest=0.0, bands=BANDS)
STATES["dial_small"] = partial(made_dial, SMALL, size=130)


@state
def dial_with_keyboard():
    dial = made_dial(ChannelState("Y", "limited", -12.0, 14.0, rest=0.0))
    dial.hasFocus = lambda: True  # a grabbed widget is in no window that could have the focus
    return dial


@state
def dial_without_samples():
    dial = empty(AngleDial, 230, 230)
    dial.show_state(ChannelState("X", "limited", -30.0, 30.0))
    return dial


STATES["cloud_empty"] = partial(empty, RotationCloud, 420, 380)
STATES["swing_disc_empty"] = partial(empty, SwingDisc, 330, 390)
STATES["strip_empty"] = partial(empty, TimeStrip, 640, 200)


# --- the cloud --------------------------------------------------------------------------------


def looping(samples: int) -> np.ndarray:
    t = np.linspace(0.0, 40.0, samples)
    loop = np.stack([40 * np.sin(t), 25 * np.sin(1.3 * t), 15 * np.cos(0.7 * t)], axis=1)
    return loop + np.random.default_rng(2).normal(0.0, 2.0, (samples, 3))


def made_cloud(points: np.ndarray, clips: int = 4) -> RotationCloud:
    cloud = empty(RotationCloud, 420, 380)
    count = len(points)
    names = ["walk", "run", "a jump with a very long name that goes on", *map(str, range(20))]
    cloud.set_samples(
        points,
        clip=np.arange(count) * clips // max(count, 1),
        progress=np.linspace(0.0, 1.0, count),
        clip_names=names[:clips],
    )
    cloud.set_rest((0.0, 0.0, 0.0))
    return cloud


@state
def cloud_ball_with_box():
    points = looping(20_000)
    cloud = made_cloud(points)
    to_vectors = to_vectors_of(Orientation("xyz", (0, 0, 0), (0, 0, 0)), (0, 0, 0, 1))
    box = box_shape((-45, -30, -20), (40, 30, 20), to_vectors)
    cloud.set_limits(*box, points[:, 1] > 29.0)
    cloud.set_pose((30.0, 20.0, 5.0))
    return cloud


@state
def cloud_hinge_by_time():
    rng = np.random.default_rng(3)
    angle = 50.0 + 45.0 * np.sin(np.linspace(0.0, 30.0, 3000))
    points = angle[:, None] * [0.05, 0.1, 0.99] + rng.normal(0.0, 0.8, (3000, 3))
    cloud = made_cloud(points, 1)
    cloud.colour_by("time")
    cloud.set_axes([[[0.0, 0.0, 0.0], [5.0, 10.0, 99.0]]])
    return cloud


@state
def cloud_fifteen_clips_along_y():
    cloud = made_cloud(looping(3000), 15)
    cloud.view = View(0.0, 90.0)
    return cloud


@state
def cloud_zoomed():
    cloud = made_cloud(looping(20_000))
    cloud.view = View(40.0, 10.0, 4.0)
    return cloud


@state
def cloud_million_turning():
    cloud = made_cloud(looping(1_000_000))
    cloud.look(View(20.0, 30.0))
    return cloud


# --- swing and twist ----------------------------------------------------------------------------


def made_disc(samples: int = 20_000) -> SwingDisc:
    disc = empty(SwingDisc, 330, 390)
    points = looping(samples)
    disc.set_samples(points[:, :2] + (10.0, 0.0), 30.0 * np.sin(np.linspace(0, 40, samples)))
    angles = np.radians(np.arange(0.0, 360.0, 0.5))
    ellipse = np.stack([10.0 + 50.0 * np.cos(angles), 35.0 * np.sin(angles)], axis=1)
    disc.set_limits([reach_outline(ellipse)], (-45.0, 45.0))
    disc.set_rest(0.0, 0.0, 0.0)
    return disc


@state
def swing_disc():
    disc = made_disc()
    disc.set_pose(30.0, 20.0, -60.0)
    return disc


@state
def swing_disc_zoomed():
    disc = made_disc()
    QtWidgets.QApplication.sendEvent(disc, wheel_event((220.0, 120.0), 1200))
    return disc


def wheel_event(place: tuple[float, float], turn: int) -> QtGui.QWheelEvent:
    qt = QtCore.Qt
    return QtGui.QWheelEvent(
        QtCore.QPointF(*place),
        QtCore.QPointF(*place),
        QtCore.QPoint(0, 0),
        QtCore.QPoint(0, turn),
        qt.MouseButton.NoButton,
        qt.KeyboardModifier.NoModifier,
        qt.ScrollPhase.NoScrollPhase,
        False,
    )


# --- time ---------------------------------------------------------------------------------------


def made_rows(rows: int, frames: int, curves: bool) -> Rows:
    t = np.linspace(0.0, 30.0, frames)
    values = np.stack([(20 + 3 * row) * np.sin(t * (1 + 0.1 * row) + row) for row in range(rows)])
    highs = tuple(15.0 + 3.5 * row for row in range(rows))
    outside = np.maximum(values - np.array(highs)[:, None], 0.0) ** 2
    labels = tuple(f"LeftArm_{row} rotate{'XYZ'[row % 3]}" for row in range(rows))
    ranges = tuple((-25.0 - 3 * row, high) for row, high in enumerate(highs))
    numbers = np.arange(1.0, frames + 1.0)
    return Rows(labels, numbers, outside, values if curves else None, ranges)


def made_strip(rows: Rows) -> TimeStrip:
    strip = empty(TimeStrip, 640, 200)
    strip.set_rows(rows)
    strip.set_frame(float(rows.frames[len(rows.frames) // 3]))
    return strip


@state
def strip_curves():
    strip = made_strip(made_rows(3, 2000, True))
    strip.hatch_excluded([(600.0, 700.0)])
    strip.set_row(1)
    return strip


@state
def strip_gap_and_slips():
    rows = made_rows(3, 2000, True)
    numbers = np.arange(2000.0)
    gap = 8.0 + 3.0 * np.sin(numbers / 40.0) + np.where(numbers > 900, 9.0, 0.0)
    gap[1500:1560] = np.nan
    marks = (Mark(901.0, "slipped by about 9 mm"), Mark(1990.0, "slipped by about 1 mm"))
    return made_strip(with_gap(rows, Trace(rows.frames, gap, marks)))


STATES["strip_many_rows"] = lambda: made_strip(made_rows(40, 20_000, False))


@state
def strip_zoomed_playhead_away():
    strip = made_strip(made_rows(3, 2000, True))
    strip.span = Span(100.0, 140.0)
    return strip


# --- evidence, bars, signs ------------------------------------------------------------------------


def made_evidence(chosen: str, by_data: str) -> EvidenceBars:
    bars = EvidenceBars()
    bars.resize(bars.sizeHint())
    residuals = {"fixed": 38.2, "hinge": 2.31, "universal": 0.42, "ball": None}
    bars.set_evidence(
        [Candidate(kind, left, tolerated_deg(kind, 36.0, 0.2)) for kind, left in residuals.items()],
        chosen,
        by_data,
        0.2,
    )
    return bars


STATES["evidence_hinge"] = partial(made_evidence, "hinge", "hinge")
STATES["evidence_artist_chose"] = partial(made_evidence, "ball", "hinge")


class RangeBars(Picture):
    """The bar that the list of joints paints."""

    lanes = ()

    def paint(self, painter):
        area = QtCore.QRectF(self.rect()).adjusted(2, 2, -2, -2)
        paint_range_bar(painter, area, self.lanes, self.colours)


@state
def range_bar():
    bar = empty(RangeBars, 160, 26)
    bands, ghost = ((-80.0, -60.0),), (-90.0, 120.0)
    bar.lanes = [
        ChannelState("X", "limited", -60.0, 110.0, pose=20.0, ghost=ghost, bands=bands),
        ChannelState("Y", "locked", 0.0, 0.0),
        ChannelState("Z", "free"),
    ]
    return bar


@state
def range_bar_across_the_end():
    bar = empty(RangeBars, 160, 14)
    bar.lanes = [ChannelState("X", "limited", 150.0, 230.0)]
    return bar


class Signs(Picture):
    def paint(self, painter):
        kinds = [("fixed", "hinge", "universal", "ball"), ("firm", "seen", "open", "untested")]
        kinds.append(("prior", "artist"))
        for row, names in enumerate(kinds):
            for column, name in enumerate(names):
                area = QtCore.QRectF(8 + 30 * column, 8 + 28 * row, 16, 16)
                paint_glyph(painter, area, name, self.colours.ink)


STATES["signs"] = partial(empty, Signs, 130, 92)


# --- saving -------------------------------------------------------------------------------------


def palette(dark: bool) -> QtGui.QPalette:
    """Maya's greys, or Qt's own light colours."""
    found = QtWidgets.QApplication.style().standardPalette()
    role = QtGui.QPalette.ColorRole
    window, text = ("#444444", "#EEEEEE") if dark else ("#F0F0F0", "#202020")
    for which, colour in (
        (role.Window, window),
        (role.WindowText, text),
        (role.Base, window),
        (role.Text, text),
        (role.Button, window),
        (role.ButtonText, text),
    ):
        found.setColor(which, QtGui.QColor(colour))
    return found


def save_all(folder: Path, pattern: str, scale: str) -> None:
    application = QtWidgets.QApplication.instance() or QtWidgets.QApplication([])
    for dark in (False, True):
        application.setPalette(palette(dark))
        for name, make in STATES.items():
            if fnmatch(name, pattern):
                widget = make()
                file = folder / f"{name}_{'dark' if dark else 'light'}_{scale}x.png"
                assert widget.grab().save(str(file)), file
                widget.deleteLater()


def main(folder: str, pattern: str = "*", scale: str = "") -> None:
    Path(folder).mkdir(parents=True, exist_ok=True)
    if scale:
        save_all(Path(folder), pattern, scale)
        return
    for each in ("1", "2"):
        surroundings = {**os.environ, "QT_SCALE_FACTOR": each}
        surroundings.setdefault("QT_QPA_PLATFORM", "offscreen")
        command = [sys.executable, "-m", "tests.support.ui_gallery", folder, pattern, each]
        subprocess.run(command, env=surroundings, check=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
