"""How fast the window opens, selects and drags, beside an empty widget's repaint."""

from __future__ import annotations

import gc
import importlib
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from jointlimits_core.estimation.pipeline import estimate, estimate_from_summary, summarize
from jointlimits_core.estimation.summary import merge_summaries
from jointlimits_core.formats.registry import read_motion
from jointlimits_core.motion.motion import Motion
from jointlimits_core.motion.skeleton import Skeleton

from .figures import Figure, SkippedError, benchmark, best_seconds, shared
from .pages import CLIPS

JOINTS, FRAMES, QUICK_FRAMES = 200, 20_000, 2_000
OPEN_SECONDS, SELECT_MS, DRAG_HZ = 2.0, 50.0, 30.0
EXCLUDE_MS = 100.0
FIRST_SECONDS, LIMITS_SECONDS = 0.9, 1.9
SKELETON, COUNT = "data/mocap/cmu_asfamc/02/02.asf", 18
SIZE = (1320, 860)
CHANNEL = "rotateX"


@benchmark
def large_character(quick: bool) -> Iterator[Figure]:
    """A window with 200 joints and 20,000 frames, drawn without a screen."""
    qt = open_qt()
    frames = QUICK_FRAMES if quick else FRAMES
    motion = _motion(frames)
    limits = estimate(motion)
    size = f"{JOINTS} joints x {frames:,}"
    with tempfile.TemporaryDirectory() as folder:
        start = time.perf_counter()
        window = _opened(Path(folder), limits, [motion])
        opening = time.perf_counter() - start
        yield Figure(f"opening, {size}", opening, "s", OPEN_SECONDS, qt.BINDING)
        blank = _repaint_ms(qt.QtWidgets.QWidget())
        with _garbage_at_rest(window):
            times = [_timed(partial(_select, window, name)) for name in _names(motion)]
        median, worst = 1e3 * float(np.median(times)), 1e3 * max(times)
        yield _beside(f"selecting a joint, median, {size}", median, SELECT_MS, blank)
        yield _beside(f"selecting a joint, worst, {size}", worst, SELECT_MS, blank)
        for page, name in enumerate(("cloud", "swing", "evidence")):
            window.parts.pictures.setCurrentIndex(page)
            seconds = _drag_seconds(window)
            compared = f"{1e3 * seconds / blank:.0f} x an empty widget's repaint"
            title = f"dragging a bound, {name} in front, {size}"
            yield Figure(title, 1.0 / seconds, "Hz", DRAG_HZ, compared, at_least=True)
        window.close()


@benchmark
def playing(quick: bool) -> Iterator[Figure]:
    """The figure playing a clip of 60 joints: every frame with all that follows it."""
    qt = open_qt()
    motion = _motion(QUICK_FRAMES, 60)
    limits = estimate(motion)
    with tempfile.TemporaryDirectory() as folder:
        window = _opened(Path(folder), limits, [motion])
        _select(window, motion.joint_names[7])
        window.play()

        def step(number: int) -> None:
            window.play_frame(motion.name, float(motion.frames[10 * number]))
            _painted()

        with _garbage_at_rest(window):
            seconds = float(np.median([_timed(partial(step, number)) for number in range(60)]))
        window.close()
    yield Figure("playing, 60 joints", 1.0 / seconds, "Hz", DRAG_HZ, qt.BINDING, at_least=True)


@benchmark
def excluding(quick: bool) -> Iterator[Figure]:
    """Excluding twelve frames of one of six clips: from the click to the new limits on screen."""
    qt = open_qt()
    skeleton = shared(SKELETON)
    paths = [skeleton.with_name(f"02_{number:02d}.amc") for number in CLIPS]
    motions = [read_motion(path, skeleton=skeleton) for path in paths]
    limits = estimate(motions)
    with tempfile.TemporaryDirectory() as home:
        window = _opened(Path(home), limits, motions)
        estimation = window.document.estimation

        def painted() -> None:
            while estimation.busy:  # asleep between events, as a window is
                _application.processEvents(qt.QtCore.QEventLoop.ProcessEventsFlag.WaitForMoreEvents)
            _painted()

        def run(number: int) -> tuple[str, float, float]:
            clip = motions[number % len(motions)]
            first = float(clip.frames[60 + 15 * (number // len(motions))])
            return clip.name, first, first + 11.0

        def exclude(number: int) -> None:
            estimation.exclude_run(*run(number))
            painted()

        # The first estimate in a window summarizes every clip.
        estimation.estimate()
        painted()
        _select(window, "lfemur")
        with _garbage_at_rest(window):
            used = time.process_time()
            times = [_timed(partial(exclude, number)) for number in range(COUNT)]
            used = time.process_time() - used
            repaint = 1e3 * best_seconds(window.grab)
        window.close()
    frames = sum(clip.frame_count for clip in motions)
    size = f"{len(motions)} clips, {frames:,} frames, {len(limits.joints)} joints"
    title, median = f"excluding 12 frames of {size}", float(np.median(times))
    comment = (
        f"{qt.BINDING}; processor time {1e3 * used / COUNT:.3g} ms, worst {1e3 * max(times):.3g}"
    )
    yield Figure(title, 1e3 * median, "ms", EXCLUDE_MS, comment)
    parts = [summarize([clip]) for clip in motions[1:]]

    def refit() -> None:
        estimate_from_summary(merge_summaries([summarize(motions[:1]), *parts])).joints  # noqa: B018

    refitting = 1e3 * best_seconds(refit)
    comment = (
        f"one clip and the limits of all {refitting:.3g} ms, painting the window {repaint:.3g}"
    )
    yield Figure("of it cannot be left out", refitting + repaint, "ms", None, comment)


GUI = """
import sys, time
from jointlimits_core.io.process import single_threaded_algebra
single_threaded_algebra()
from jointlimits_maya.ui import application

class Timed(application.Window):
    def paintEvent(self, event):
        self.tell()
        if not hasattr(self, "is_painted"):
            self.is_painted = self.document.estimation.estimated.connect(lambda *_: self.tell(0))

    def tell(self, code=None):
        print(time.process_time(), flush=True)
        if code is not None:
            application.qt.QtWidgets.QApplication.exit(code)

application.Window = Timed
application.run(None, sys.argv[1:], None)
"""
"""The program, which prints its processor time whenever it is painted, and with limits."""


@benchmark
def ten_clips(quick: bool) -> Iterator[Figure]:
    """Processor time of the window with ten clips, until its first picture and until limits."""
    qt = open_qt()
    clips = sorted(shared(SKELETON).parent.glob("*.amc"))
    found = []
    for _ in range(1 if quick else 5):
        command = [sys.executable, "-c", GUI, *map(str, clips)]
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        times = done.stdout.split()
        found.append((float(times[0]), float(times[-1])))
    first, limits = np.min(found, axis=0).tolist()
    yield Figure("first picture, ten clips", first, "s", FIRST_SECONDS, qt.BINDING)
    yield Figure("limits of ten clips", limits, "s", LIMITS_SECONDS, qt.BINDING)


@contextmanager
def _garbage_at_rest(window: Any) -> Iterator[None]:
    """As `jointlimits gui` has it, for a while."""
    importlib.import_module("jointlimits_maya.ui.application").collect_at_rest(window)
    try:
        yield
    finally:
        gc.enable()
        gc.unfreeze()


def _beside(name: str, milliseconds: float, target: float, blank: float) -> Figure:
    compared = f"{milliseconds / blank:.0f} x an empty widget's repaint"
    return Figure(name, milliseconds, "ms", target, compared)


def open_qt() -> Any:
    """Qt, on no screen, with an application that stays alive.

    Raises
    ------
    SkippedError
        If there is no Qt here, or a library of the system is missing.
    """
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    scripts = str(Path(__file__).resolve().parents[1] / "scripts")
    if scripts not in sys.path:
        sys.path.append(scripts)
    try:
        qt = importlib.import_module("jointlimits_maya.ui.toolkit.qt")
    except ImportError as error:
        raise SkippedError(f"no Qt: {error}") from None
    global _application
    _application = qt.QtWidgets.QApplication.instance() or qt.QtWidgets.QApplication(["window"])
    return qt


_application: Any = None


def _opened(folder: Path, limits: Any, motions: Sequence[Motion]) -> Any:
    """A window that is open, filled and painted."""
    alone = importlib.import_module("jointlimits_maya.ui.host.standalone")
    window_module = importlib.import_module("jointlimits_maya.ui.window")
    window = window_module.Window(alone.StandaloneHost(folder))
    window.resize(*SIZE)
    window.show()
    window.document.open_set(limits)
    window.document.add_clips(motions)
    _painted()
    return window


def _painted() -> None:
    """Let Qt paint what has changed."""
    _application.processEvents()


def _select(window: Any, name: str) -> None:
    window.select([name])
    _painted()


def _names(motion: Motion) -> list[str]:
    """Every tenth joint, of all types."""
    return list(motion.joint_names[1::10])


def _drag_seconds(window: Any) -> float:
    """Seconds of one step of a drag, everything painted that follows it."""
    _select(window, "joint007")
    dial = window.parts.joint.axes[CHANNEL].dial
    layout = dial.layout_now
    start, radius = layout.knob_angle(dial.state, "max"), layout.knob_ring

    def step(number: int) -> None:
        _mouse(dial, "MouseMove", layout.point(start - 0.5 * (1 + number % 20), radius))
        _painted()

    _mouse(dial, "MouseButtonPress", layout.point(start, radius))
    times = [_timed(partial(step, number)) for number in range(40)]
    if (
        dial.state.bound_deg("max")
        == window.document.data.joints["joint007"].limits[CHANNEL].max_deg
    ):
        raise RuntimeError("nothing was dragged")
    _mouse(dial, "MouseMove", layout.point(start, radius))
    _mouse(dial, "MouseButtonRelease", layout.point(start, radius))
    return float(np.median(times))


def _mouse(widget: Any, kind: str, place: tuple[float, float]) -> None:
    """Send a mouse event to a widget; Alt keeps handles from snapping."""
    qt = open_qt()
    buttons, types = qt.Qt.MouseButton, qt.QtCore.QEvent.Type
    here = qt.QtCore.QPointF(*place)
    event = qt.QtGui.QMouseEvent(
        getattr(types, kind),
        here,
        qt.QtCore.QPointF(widget.mapToGlobal(here.toPoint())),
        buttons.NoButton if kind == "MouseMove" else buttons.LeftButton,
        buttons.NoButton if kind == "MouseButtonRelease" else buttons.LeftButton,
        qt.Qt.KeyboardModifier.AltModifier,
    )
    _application.sendEvent(widget, event)


def _repaint_ms(widget: Any) -> float:
    """Time of painting an empty widget of the window's size."""
    widget.resize(*SIZE)
    widget.show()
    _painted()
    found = 1e3 * float(np.median([_timed(widget.repaint) for _ in range(20)]))
    widget.close()
    return found


def _timed(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def _motion(frames: int, joints: int = JOINTS) -> Motion:
    """A tree of joints that all move; every third turns about one axis only."""
    t = np.linspace(0.0, 60.0, frames)
    names = tuple(f"joint{number:03d}" for number in range(joints))
    parents = np.array([-1, *((number - 1) // 3 for number in range(1, joints))])
    rates = 1.0 + np.arange(joints * 3).reshape(joints, 3, 1) % 7
    rotates = np.radians(35.0) * np.sin(rates * t + np.arange(joints)[:, None, None])
    rotates[::3, 1:] = 0.0
    offsets = np.tile([1.0, 2.0, 0.5], (joints, 1))
    numbers = np.arange(frames, dtype=np.float64)
    return Motion.from_rotates(Skeleton(names, parents, offsets), rotates, numbers, 60.0, "long")
