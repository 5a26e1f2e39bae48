"""Makes the animated picture of the README from the real window, with a hand on the mouse.

    QT_QPA_PLATFORM=offscreen python docs/make_animation.py [FILE]

needs Qt for Python and Pillow. An elbow's limit is too narrow: scrubbing shows the elbow red, the
limit is dragged on the body, and the red goes away.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent))

from jointlimits_maya.ui.document.worker import ImmediateRunner
from jointlimits_maya.ui.host.standalone import StandaloneHost
from jointlimits_maya.ui.toolkit.qt import Qt, QtCore, QtGui, QtWidgets
from jointlimits_maya.ui.window import Window
from make_screenshots import EXAMPLE, ROOT, styled_application
from PIL import Image

from jointlimits_core.estimation.pipeline import estimate
from jointlimits_core.formats.registry import read_motion
from jointlimits_core.geometry.arrays import Floats
from jointlimits_core.report.figures.view import View

SIZE = (900, 840)
JOINT, CHANNEL = "LeftElbow", "rotateZ"
NARROW_DEG, WIDE_DEG = 80.0, 145.0
STILL, BENT, STRAIGHT = 1086, 1103, 1122
VIEW = View(-12.0, 8.0, 1.1)
FRAME_MS = 90
COLOURS = 200
_CURSOR = np.array([(0, 0), (0, 15), (4, 11.5), (7, 17), (9, 16), (6.5, 10.5), (11, 10.5)])


class Film:
    """Frames of the window, with the mouse drawn on them."""

    def __init__(self, window: Any) -> None:
        self.window = window
        self.images: list[Any] = []
        self.times: list[int] = []
        self._mouse = QtCore.QPointF(0.0, 0.0)

    def take(self, milliseconds: int = FRAME_MS) -> None:
        """Add a frame."""
        for _ in range(3):
            QtWidgets.QApplication.processEvents()
        image = QtGui.QImage(self.window.size(), QtGui.QImage.Format.Format_RGB888)
        self.window.render(image)
        with_mouse = QtGui.QPainter(image)
        with_mouse.setRenderHint(QtGui.QPainter.RenderHint.Antialiasing)
        with_mouse.setPen(QtGui.QPen(QtGui.QColor("white"), 1.2))
        with_mouse.setBrush(QtGui.QColor("black"))
        corners = [self._mouse + QtCore.QPointF(*corner) for corner in _CURSOR]
        with_mouse.drawPolygon(QtGui.QPolygonF(corners))
        with_mouse.end()
        rows = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), -1)
        pixels = rows[:, : 3 * image.width()].reshape(image.height(), image.width(), 3)
        pixels = pixels[self.window.parts.whole.y() :]  # without menus and messages
        self.images.append(Image.fromarray(pixels.copy()))
        self.times.append(milliseconds)

    def move(self, widget: Any, pixel: Floats, held: bool = False) -> None:
        """Move the mouse to a pixel of a widget."""
        self._send(widget, "MouseMove", pixel, Qt.MouseButton.LeftButton if held else None)

    def press(self, widget: Any, pixel: Floats) -> None:
        """Press the left button."""
        self._send(widget, "MouseButtonPress", pixel, Qt.MouseButton.LeftButton)

    def release(self, widget: Any, pixel: Floats) -> None:
        """Release it."""
        self._send(widget, "MouseButtonRelease", pixel, None)

    def go(self, widget: Any, pixel: Floats, steps: int = 6) -> None:
        """Move the mouse over the window to a pixel of a widget, in some frames."""
        end = widget.mapTo(self.window, QtCore.QPoint(round(pixel[0]), round(pixel[1])))
        start = np.array([self._mouse.x(), self._mouse.y()])
        for share in np.linspace(0.0, 1.0, steps + 1)[1:]:
            eased = share * share * (3.0 - 2.0 * share)
            x, y = start + eased * (np.array([end.x(), end.y()]) - start)
            self._mouse = QtCore.QPointF(float(x), float(y))
            self.take()
        self.move(widget, pixel)

    def _send(self, widget: Any, kind: str, pixel: Floats, held: Any) -> None:
        place = QtCore.QPointF(float(pixel[0]), float(pixel[1]))
        buttons = Qt.MouseButton
        pressed = buttons.NoButton if kind == "MouseMove" else buttons.LeftButton
        whole = QtCore.QPointF(widget.mapToGlobal(place.toPoint()))
        event = QtGui.QMouseEvent(getattr(QtCore.QEvent.Type, kind), place, whole, pressed,
                                  held or buttons.NoButton,
                                  Qt.KeyboardModifier.NoModifier)  # fmt: skip
        QtWidgets.QApplication.sendEvent(widget, event)
        self._mouse = QtCore.QPointF(widget.mapTo(self.window, place.toPoint()))

    def save(self, path: Path) -> None:
        """Save as GIF: one palette for all frames, and what stays is transparent."""
        shown = self.images[:: max(len(self.images) // 8, 1)]
        height = self.images[0].height
        sheet = Image.new("RGB", (shown[0].width, height * len(shown)))
        for number, image in enumerate(shown):
            sheet.paste(image, (0, number * height))
        palette = sheet.quantize(COLOURS, dither=Image.Dither.NONE)
        shown = [np.array(image.quantize(palette=palette, dither=Image.Dither.NONE))
                 for image in self.images]  # fmt: skip
        frames = []
        for before, now in zip([None, *shown], shown):
            pixels = now if before is None else np.where(now == before, COLOURS, now)
            frames.append(Image.fromarray(pixels.astype(np.uint8), "P"))
            frames[-1].putpalette([*palette.getpalette(), 0, 0, 0])
        frames[0].save(path, save_all=True, append_images=frames[1:], duration=self.times,
                       loop=0, optimize=False, disposal=1, transparency=COLOURS)  # fmt: skip


def main() -> None:
    """Make it."""
    images = ROOT / "docs" / "images"
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else images / "window.gif"
    application = styled_application()
    motion = read_motion(EXAMPLE)
    with tempfile.TemporaryDirectory() as folder:
        window = Window(StandaloneHost(folder), make_runner=ImmediateRunner)
        window.resize(*SIZE)
        window.document.open_set(estimate(motion))
        window.document.add_clips([motion])
        window.document.edit.set_limit([JOINT], CHANNEL, "max", NARROW_DEG)
        window.document.undo_stack.clear()
        window.show()
        window.select([JOINT])
        window.parts.joints.parentWidget().hide()  # the figure has all the room
        window.parts.whole.setSizes([0, 560, 330])
        window.parts.middle.setSizes([450, 290])
        window.parts.character.view.frame_all()
        _act(window, motion.name, Film(window)).save(path)
        window.close()
    print(path, f"{path.stat().st_size / 1e6:.2f} MB")
    application.quit()


def _act(window: Any, clip: str, film: Film) -> Film:
    """Scrub to the bent elbow, drag its limit, and play on."""
    view, strip = window.parts.character.view, window.parts.strip.strip
    window.show_frame(clip, STILL)
    window.messages.clear()
    view.view = VIEW
    film.take(900)

    def on_strip(frame: float) -> Floats:
        return np.array([strip.layout_now.x(frame), 0.5 * strip.height()])

    film.go(strip, on_strip(STILL))
    film.press(strip, on_strip(STILL))
    for frame in range(STILL, BENT + 1):
        film.move(strip, on_strip(frame), held=True)
        window.live.update()
        film.take()
    film.release(strip, on_strip(BENT))
    film.take(1300)
    arc = next(arc for arc, end, _ in view.handles() if end == "max" and arc.channel == CHANNEL)
    film.go(view, view.pixels_at(arc, [NARROW_DEG])[0], 9)
    film.press(view, view.pixels_at(arc, [NARROW_DEG])[0])
    for value in np.arange(NARROW_DEG, WIDE_DEG + 1.0, 5.0):
        film.move(view, view.pixels_at(arc, [value])[0], held=True)
        window.live.update()
        film.take()
    film.release(view, view.pixels_at(arc, [WIDE_DEG])[0])
    window.live.update()
    film.take(1300)
    for frame in [*range(BENT, STRAIGHT), *range(STRAIGHT, BENT, -1), *range(BENT, STILL, -1)][::2]:
        window.play_frame(clip, float(frame))
        film.take()
    film.take(1200)
    return film


if __name__ == "__main__":
    main()
