"""The window without Maya, shown, with nothing open or with the limits of a small character."""

from __future__ import annotations

from tests.support.ui_examples import WITH_SPIKES, WORST_CHANNEL, WORST_JOINT, reach, walk


def shown_window(folder, qtbot, size=(1280, 820), host=None):
    """A window that does all work at once, before the call that asks for it comes back."""
    from jointlimits_maya.ui.document.worker import ImmediateRunner
    from jointlimits_maya.ui.host.standalone import StandaloneHost
    from jointlimits_maya.ui.window import Window

    window = Window(host or StandaloneHost(folder / "own"), make_runner=ImmediateRunner)
    window.resize(*size)
    qtbot.addWidget(window)
    window.show()
    qtbot.waitExposed(window)
    window.activateWindow()
    return window


def with_limits(window, leave_out=WITH_SPIKES):
    """The window with two clips and their limits, one frame too wide, and nothing to undo.

    `leave_out`: other than by default; None for the default.
    """
    from jointlimits_maya.ui.toolkit.qt import QtWidgets

    window.document.add_clips([walk(), reach()])
    # At once with what is left out: a second estimate takes as long as the first.
    options = {} if leave_out is None else {"leave_out": leave_out}
    window.document.estimation.estimate(**{**window.options.values(), **options})
    window.document.undo_stack.clear()
    window.select([WORST_JOINT])
    QtWidgets.QApplication.processEvents()
    window.messages.clear()
    return window


def end_deg(window, joint=WORST_JOINT, channel=WORST_CHANNEL, end="max"):
    """A bound that is in force, in degrees."""
    return getattr(window.document.limits.joints[joint].limits[channel], f"{end}_deg")


def shown_message(window):
    """Message that the window shows; empty without one."""
    return window.messages.text.text() if window.messages.isVisible() else ""
