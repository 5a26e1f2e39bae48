"""Panel of the clamping preview: runs of frames that would change, worst first."""

from __future__ import annotations

from ..qt import QtWidgets, Signal
from ..rehearsing import ClippedFrames, Rehearsed
from ..words import counted, degrees, frame_number, tr
from .listing import Listing

MOST_ROWS = 500


class RehearsalPanel(QtWidgets.QWidget):
    """List of runs, with actions on a row."""

    asked = Signal()
    shown_asked = Signal(str, str, float)
    """Joint, clip and frame to show."""
    ignored_asked = Signal(str, float, float)
    """Clip, first and last frame to exclude."""

    def __init__(self, parent: QtWidgets.QWidget | None = None) -> None:
        super().__init__(parent)
        self.summary = QtWidgets.QLabel()
        self.summary.setWordWrap(True)
        self.again = QtWidgets.QPushButton(tr("Preview clamping"))
        self.ignore = QtWidgets.QPushButton(tr("Exclude these frames"))
        self.ignore.setToolTip(tr("Exclude the frames of the row, and measure again."))
        self.list = Listing(
            [tr("joint"), tr("clip"), tr("frames"), tr("worst"), tr("at frame")],
            tr("Frames that limits would change"),
        )
        self.again.clicked.connect(self.asked)
        self.ignore.clicked.connect(self._on_ignore)
        self.list.chosen.connect(self._on_row)
        row = QtWidgets.QHBoxLayout()
        row.addWidget(self.summary, 1)
        row.addWidget(self.ignore)
        row.addWidget(self.again)
        column = QtWidgets.QVBoxLayout(self)
        column.addLayout(row)
        column.addWidget(self.list, 1)
        self._now: ClippedFrames | None = None
        self.forget()

    def show_rehearsed(self, found: Rehearsed) -> None:
        """Show the result of a clamping preview."""
        shown = found.frames[:MOST_ROWS]
        self.list.set_rows((_texts(run), run) for run in shown)
        self._now = None
        self.ignore.setEnabled(False)
        if not found.frames:
            self.summary.setText(tr("Every frame of every clip is inside: Apply changes no pose."))
            return
        text = counted(found.frames_clipped, "{count} frame would change.",
                       "{count} frames would change.")  # fmt: skip
        text += _moved(found)
        if len(found.frames) > MOST_ROWS:
            text += tr(" The worst {count} rows are shown.", count=MOST_ROWS)
        self.summary.setText(text)

    def forget(self) -> None:
        """Show that the current limits have no preview yet."""
        self.list.set_rows(())
        self.ignore.setEnabled(False)
        self.summary.setText(tr("No preview with these limits yet."))

    def _on_row(self, run: ClippedFrames) -> None:
        self._now = run
        self.ignore.setEnabled(True)
        self.shown_asked.emit(run.joint, run.clip, run.worst_frame)

    def _on_ignore(self) -> None:
        if self._now is not None:
            self.ignored_asked.emit(self._now.clip, self._now.first, self._now.last)


def _texts(run: ClippedFrames) -> tuple[str, ...]:
    frames = frame_number(run.first)
    if run.last != run.first:
        frames = f"{frames}\N{EN DASH}{frame_number(run.last)}"
    return run.joint, run.clip, frames, degrees(run.worst_deg), frame_number(run.worst_frame)


def _moved(found: Rehearsed) -> str:
    """Largest movement of the end of a limb."""
    ends = [(end, one.rehearsal) for one in found.clips for end in one.rehearsal.effectors]
    if not ends:
        return ""
    end, _ = max(ends, key=lambda pair: pair[0].distance)
    return tr(" {joint} would move furthest: {distance} units at frame {frame}.",
              joint=end.joint, distance=f"{end.distance:.3g}",
              frame=frame_number(end.frame))  # fmt: skip
