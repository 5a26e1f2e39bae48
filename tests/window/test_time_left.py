"""Long work in the window: for how long yet, how it is called off, and the log of what failed."""

from __future__ import annotations

import time

import pytest
from jointlimits_maya.ui.host import standalone
from jointlimits_maya.ui.host.standalone import StandaloneHost
from jointlimits_maya.ui.toolkit import message_bar
from jointlimits_maya.ui.toolkit.message_bar import MessageBar
from jointlimits_maya.ui.toolkit.qt import BINDING, QtCore, QtGui, QtWidgets, isValid
from jointlimits_maya.ui.window import Window

from jointlimits_core.base.progress import Cancelled, TimeLeft, report_progress
from jointlimits_core.cli.main import main
from jointlimits_core.io.logs import TITLE
from tests.support.batch_manifests import bvh_text


class Later(TimeLeft):
    """As if it had begun half a minute before."""

    def begin(self, done):
        super().begin(done)
        self._began -= 30.0


def test_the_bar_says_for_how_long_yet(monkeypatch, qtbot):
    monkeypatch.setattr(message_bar, "TimeLeft", Later)
    bar = message_bar.MessageBar()
    qtbot.addWidget(bar)
    bar.work("Estimating")
    assert bar.text.text() == "Estimating"
    assert bar.bar.maximum() == 0  # nobody knows how much there is
    bar.work("screened walk", 0, 4)
    assert bar.text.text() == "screened walk"
    bar.work("screened walk", 2, 4)
    assert bar.text.text() == "screened walk, about 30 s left"
    assert bar.bar.value() == bar.bar.maximum() // 2
    bar.show_message("Done.")
    bar.work("screened run", 3, 4)  # other work: what was measured before says nothing of it
    assert bar.text.text() == "screened run"


def test_bytes_of_long_files_fit_the_bar(qtbot):
    bar = MessageBar()
    qtbot.addWidget(bar)
    bar.work("reading", 5_000_000_000, 10_000_000_000)
    assert 2 * bar.bar.value() == bar.bar.maximum()


def dialogs():
    found = QtWidgets.QApplication.topLevelWidgets()
    return [one for one in found if isinstance(one, QtWidgets.QProgressDialog) and isValid(one)]


def read_slowly(wait_for):
    with wait_for("Reading motions") as progress:
        for number in range(1000):
            report_progress(progress, number, 1000, "reading walk.bvh")
            time.sleep(0.005)


@pytest.mark.thorough
def test_work_that_holds_up_the_window_has_a_dialog_with_cancel(monkeypatch, qtbot):
    monkeypatch.setattr(standalone, "MIN_TASK_MILLISECONDS", 100)
    monkeypatch.setattr(standalone, "TimeLeft", Later)
    seen = []

    def look():
        (dialog,) = [one for one in dialogs() if one.isVisible()]
        seen.append((dialog.windowTitle(), dialog.labelText()))
        dialog.cancel()

    QtCore.QTimer.singleShot(300, look)
    began = time.monotonic()
    with pytest.raises(Cancelled):
        read_slowly(standalone.progress_dialog)
    assert time.monotonic() - began < 3.0
    ((title, label),) = seen
    assert title == "Reading motions"
    assert label.startswith("reading walk.bvh, about ")
    assert not [one for one in dialogs() if one.isVisible()]


def test_files_that_are_no_longer_wanted_are_not_opened(tmp_path, monkeypatch, qtbot):
    clip = tmp_path / "walk.bvh"
    clip.write_text(bvh_text(60.0))
    window = Window(standalone.StandaloneHost(tmp_path / "own"))
    qtbot.addWidget(window)

    class Pressed:
        def __enter__(self):
            return lambda *_: False

        def __exit__(self, *_):
            return False

    monkeypatch.setattr(window.host, "wait_for", lambda title: Pressed())
    window.guard(window.files.add)([str(clip)], None)
    assert not window.document.clips
    assert window.messages.text.text() == "Stopped; nothing was changed."


def test_the_log_is_like_other_logs_and_its_path_is_ready_to_be_sent(tmp_path, monkeypatch, qtbot):
    opened = []
    monkeypatch.setattr(QtGui.QDesktopServices, "openUrl", opened.append)
    window = Window(StandaloneHost(tmp_path / "own"))
    qtbot.addWidget(window)
    clipboard = QtWidgets.QApplication.clipboard()
    clipboard.setText("mine")
    window.open_log()
    assert clipboard.text() == "mine"
    assert "nothing has failed" in window.messages.text.text()
    assert not window.guard({}.__getitem__)("oops")
    path = str(window.log_path)
    window.open_log()
    assert clipboard.text() == path
    assert path in window.messages.text.text()
    assert len(opened) == 1
    lines = window.log_path.read_text(encoding="utf-8").splitlines()
    assert lines[0] == TITLE
    assert any(line.startswith(f"qt         {BINDING} ") for line in lines)
    assert any("fault   KeyError: 'oops'" in line for line in lines)
    # The head is that of a command's log.
    log = tmp_path / "run.log"
    assert main(["show", str(tmp_path / "missing.json"), "--log", str(log)]) == 1
    head = [line.split()[0] for line in log.read_text(encoding="utf-8").splitlines()[:5]]
    assert [line.split()[0] for line in lines[:5]] == head
