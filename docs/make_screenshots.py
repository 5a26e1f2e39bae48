"""Makes the screenshots of the artist's guide from the real window, so that they cannot go stale.

    QT_QPA_PLATFORM=offscreen python docs/make_screenshots.py [FOLDER]

needs Qt for Python. `--all` makes every picture in light and dark, at one and two pixels a point;
`--size 900 600` makes them of a smaller window.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
for place in (ROOT, ROOT / "scripts"):
    sys.path.insert(0, str(place))
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from jointlimits_maya.ui.document.worker import ImmediateRunner  # noqa: E402
from jointlimits_maya.ui.host.standalone import StandaloneHost  # noqa: E402
from jointlimits_maya.ui.toolkit.qt import QtGui, QtWidgets  # noqa: E402
from jointlimits_maya.ui.window import Window  # noqa: E402

from benchmarks.simulated_faults import Faults, Slip  # noqa: E402
from benchmarks.simulated_figure import simulated_figure  # noqa: E402
from jointlimits_core.estimation.options import EstimateOptions  # noqa: E402
from jointlimits_core.estimation.pipeline import estimate  # noqa: E402
from jointlimits_core.formats.registry import read_motion  # noqa: E402
from jointlimits_core.motion.motion import Motion  # noqa: E402
from tests.support.track_files import write_tracks  # noqa: E402

EXAMPLE = ROOT / "examples" / "humanoid_rom.ma"
SIZE = (1320, 860)
JOINT, CHANNEL, FRAME = "LeftShoulder", "rotateX", 875.0


def first_steps(window: Window) -> None:
    """The guided look, at its second step."""
    window.select(["LeftElbow"])
    window.show_frame(window.document.clips[0].name, 1100.0)
    window.messages.clear()
    window.begin_tour()
    window.tour.go_on()


def empty(window: Window) -> None:
    """Nothing is open yet."""
    window.document.close()


def shoulder(window: Window) -> None:
    """A ball joint as it was measured."""
    window.select([JOINT])


def corrected(window: Window) -> None:
    """A bound that was dragged, and a frame that is outside now."""
    window.select([JOINT])
    panel = window.parts.joint.axes[CHANNEL]
    panel.dial.bound_dragged.emit("max", 25.0)
    panel.dial.bound_set.emit("max", 25.0)
    window.show_frame(window.document.clips[0].name, FRAME)
    window.live.update()


def clamping(window: Window) -> None:
    """What the corrected limits would change."""
    corrected(window)
    window.actions_by_name["preview_clamping"].trigger()


def evidence(window: Window) -> None:
    """Why a knee is a hinge."""
    window.select(["LeftKnee"])
    window.show_frame(window.document.clips[0].name, 1556.0)
    window.messages.clear()
    window.parts.pictures.setCurrentWidget(window.parts.pictures.evidence)


def swing(window: Window) -> None:
    """Where a shoulder can point, and how far it twists."""
    window.select([JOINT])
    window.parts.pictures.setCurrentWidget(window.parts.pictures.swing)


def options(window: Window) -> None:
    """The options of the estimate."""
    window.parts.show_tab(window.parts.options)


def several(window: Window) -> None:
    """Joints that differ, changed together."""
    window.select([JOINT, "RightShoulder", "LeftKnee"])


def message(window: Window) -> None:
    """A long message."""
    window.select(["Spine", JOINT, "LeftKnee"])
    window.edits.mirror()
    window.parts.show_tab(window.parts.findings)


def shapes(window: Window) -> None:
    """Limits of all channels together, around the poses."""
    window.select([JOINT])
    window.actions_by_name["fit_shapes"].trigger()
    window.parts.pictures.setCurrentWidget(window.parts.pictures.cloud)


def skeleton(window: Window) -> None:
    """A skeleton that was found in tracks, and a sensor that slipped."""
    window.document.close()
    with tempfile.TemporaryDirectory() as folder:
        slip = Slip("left shin", 14.0, 0.03, 8.0)
        faults = Faults(noise=0.002, noise_deg=0.3, slips=(slip,))
        tracks = simulated_figure(3, seconds=30.0, frame_rate=30.0, faults=faults).tracks
        window.skeletons.find([write_tracks(tracks, Path(folder) / "exercise.csv")])
        for _ in range(6):
            QtWidgets.QApplication.processEvents()
        window.tour.end()
    window.select(["left_shin"])


def papers(window: Window) -> None:
    """Limits measured in paper mode, which have no dials."""
    clips = list(window.document.clips)
    window.document.open_set(estimate(clips, EstimateOptions(mode="paper")))
    window.select([JOINT])


STATES: tuple[Callable[[Window], None], ...] = (
    first_steps,
    empty,
    shoulder,
    corrected,
    clamping,
    evidence,
    swing,
    options,
    several,
    message,
    shapes,
    skeleton,
    papers,
)
IN_THE_GUIDE = (
    "first_steps",
    "shoulder",
    "corrected",
    "clamping",
    "evidence",
    "shapes",
    "skeleton",
)


def main() -> None:
    """Make them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=ROOT / "docs" / "images")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--size", nargs=2, type=int, default=SIZE)
    chosen = parser.parse_args()
    chosen.folder.mkdir(parents=True, exist_ok=True)
    application = styled_application()
    light, motion = application.palette(), read_motion(EXAMPLE)
    for dark in (False, True) if chosen.all else (False,):
        application.setPalette(_dark() if dark else light)
        for state in STATES:
            for ratio in (1, 2) if chosen.all else (1,):
                if chosen.all or state.__name__ in IN_THE_GUIDE:
                    ending = f"{'_dark' if dark else ''}{'_2x' if ratio == 2 else ''}"
                    path = chosen.folder / f"window_{state.__name__}{ending}.png"
                    _picture(motion, state, ratio, chosen.size).save(str(path), "PNG", 0)
                    print(path)


def styled_application() -> Any:
    """Application that looks the same everywhere."""
    application = QtWidgets.QApplication(["screenshots"])
    application.setStyle("Fusion")
    font = application.font()
    font.setPixelSize(12)
    application.setFont(font)
    return application


def _picture(
    motion: Motion, state: Callable[[Window], None], ratio: int, wanted: Sequence[int]
) -> Any:
    with tempfile.TemporaryDirectory() as folder:
        window = Window(StandaloneHost(folder), make_runner=ImmediateRunner)
        window.resize(*wanted)
        window.document.open_set(estimate(motion))
        window.document.add_clips([motion])
        window.document.undo_stack.clear()
        window.show()
        state(window)
        for _ in range(6):
            QtWidgets.QApplication.processEvents()
        size = window.size() * ratio
        image = QtGui.QImage(size, QtGui.QImage.Format.Format_RGB32)
        image.setDevicePixelRatio(ratio)
        window.render(image)
        window.close()
        window.deleteLater()
    return image


def _dark() -> Any:
    """Colours as Maya's."""
    palette, role = QtGui.QPalette(), QtGui.QPalette.ColorRole
    for name, colour in (
        (role.Window, "#444444"), (role.Base, "#2b2b2b"), (role.AlternateBase, "#313131"),
        (role.Button, "#5d5d5d"), (role.ToolTipBase, "#2b2b2b"), (role.Highlight, "#5285a6"),
    ):  # fmt: skip
        palette.setColor(name, QtGui.QColor(colour))
    for name in (role.WindowText, role.Text, role.ButtonText, role.ToolTipText):
        palette.setColor(name, QtGui.QColor("#eeeeee"))
    palette.setColor(role.PlaceholderText, QtGui.QColor("#999999"))
    palette.setColor(role.HighlightedText, QtGui.QColor("#ffffff"))
    group = QtGui.QPalette.ColorGroup.Disabled
    for name in (role.Text, role.ButtonText, role.WindowText):
        palette.setColor(group, name, QtGui.QColor("#9c9c9c"))
    return palette


if __name__ == "__main__":
    main()
