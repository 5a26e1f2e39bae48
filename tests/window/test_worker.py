"""Work beside the main thread: progress, results, failures, and calling it off."""

from __future__ import annotations

import gc
import threading
import time
from dataclasses import replace

import pytest
from jointlimits_maya.ui.document import worker as module
from jointlimits_maya.ui.document.document import Document
from jointlimits_maya.ui.document.worker import Worker, wait_for_all
from jointlimits_maya.ui.toolkit.qt import QtCore

from tests.support.ui_examples import (
    WITH_SPIKES,
    WORST_CHANNEL,
    WORST_FRAME,
    WORST_JOINT,
    reach,
    walk,
)


@pytest.fixture
def worker(qapp):
    made = Worker()
    yield made
    made.cancel()
    assert wait_for_all()


class Calls:
    """What a runner called, and on which thread."""

    def __init__(self):
        self.results, self.errors, self.progress, self.threads = [], [], [], set()

    def done(self, result):
        self.results.append(result)
        self.threads.add(threading.current_thread())

    def failed(self, error):
        self.errors.append(error)
        self.threads.add(threading.current_thread())

    def tell(self, *what):
        self.progress.append(what)
        self.threads.add(threading.current_thread())

    def start(self, worker, work):
        worker.start(work, self.done, self.failed, self.tell)


def test_work_is_done_elsewhere_and_reported_here(worker, qtbot):
    calls = Calls()

    def work(progress):
        progress(1, 2, "half")
        return threading.current_thread()

    calls.start(worker, work)
    qtbot.waitUntil(lambda: bool(calls.results))
    assert calls.results[0] is not threading.main_thread()
    assert calls.progress == [(1, 2, "half")]
    assert calls.threads == {threading.main_thread()}
    assert not calls.errors


def test_a_failure_comes_back_as_it_is(worker, qtbot):
    calls = Calls()

    def work(_):
        raise KeyError("nobody foresaw this")

    calls.start(worker, work)
    qtbot.waitUntil(lambda: bool(calls.errors))
    assert isinstance(calls.errors[0], KeyError)
    assert not calls.results


def test_a_result_that_cannot_be_used_is_a_failure(worker, qtbot):
    calls = Calls()

    def refuse(_):
        raise ValueError("the edits do not fit")

    worker.start(lambda _: 1, refuse, calls.failed, calls.tell)
    qtbot.waitUntil(lambda: bool(calls.errors))
    assert str(calls.errors[0]) == "the edits do not fit"


def test_cancelled_work_stops_and_reports_nothing(worker, qtbot):
    calls, steps, ended = Calls(), [], threading.Event()

    def work(progress):
        try:
            while progress(len(steps), 1000, "step"):
                steps.append(time.monotonic())
                time.sleep(0.005)
        finally:
            ended.set()
        return "never wanted"

    calls.start(worker, work)
    qtbot.waitUntil(lambda: len(steps) > 3)
    worker.cancel()
    assert ended.wait(2.0)
    count = len(calls.progress)
    qtbot.wait(50)
    assert (calls.results, calls.errors, len(calls.progress)) == ([], [], count)


def test_new_work_calls_the_old_off(worker, qtbot):
    first, second, go = Calls(), Calls(), threading.Event()

    def slow(_):
        go.wait(2.0)
        return "old"

    first.start(worker, slow)
    second.start(worker, lambda _: "new")
    go.set()
    qtbot.waitUntil(lambda: bool(second.results))
    qtbot.wait(50)
    assert second.results == ["new"]
    assert not first.results


def test_threads_that_were_called_off_are_not_kept(worker, qtbot):
    for _ in range(20):
        worker.start(lambda _: None, lambda _: None, lambda _: None, lambda *_: None)
        worker.cancel()
    assert module.wait_for_all()
    assert not module._alive


# --- the document with a thread -------------------------------------------------------------------


@pytest.fixture
def document(qapp):
    made = Document(Worker)
    made.add_clips([walk(), reach()])
    yield made
    made.close()
    assert wait_for_all()


def estimated(document, qtbot, **options):
    with qtbot.waitSignal(document.changed):
        document.estimation.estimate(**options)


def test_an_estimate_ends_in_one_step_and_tells_its_progress(document, qtbot):
    steps, busy = [], []
    document.estimation.progressed.connect(lambda *what: steps.append(what))
    document.estimation.busy_changed.connect(busy.append)
    estimated(document, qtbot)
    assert busy == [True, False]
    assert [done for done, *_ in steps] == sorted(done for done, *_ in steps)
    assert steps[-1][0] == steps[-1][1]
    assert not document.undo_stack.canUndo(), "undo ends at the first limits"
    assert not document.undo_stack.isClean(), "they were never saved"
    estimated(document, qtbot, pad_deg=3.0)
    assert document.undo_stack.undoText() == "Estimate"


def test_two_frames_ignored_in_quick_succession_both_are(document, qtbot):
    estimated(document, qtbot)
    with qtbot.waitSignal(document.changed):
        document.estimation.exclude_run("walk", WORST_FRAME, WORST_FRAME)
        document.estimation.exclude_run("walk", 3.0, 3.0)
        assert document.estimation.busy
    assert document.state.excluded.frames_of("walk") == {"": (3.0, WORST_FRAME)}
    assert document.undo_stack.undoText() == "Exclude frame 57 of walk, Exclude frame 3 of walk"
    document.undo_stack.undo()
    assert document.state.excluded.frames_of("walk") == {}


def test_an_edit_made_meanwhile_is_kept(document, qtbot):
    estimated(document, qtbot)
    document.estimation.exclude_run("walk", WORST_FRAME, WORST_FRAME)
    document.edit.set_limit("spine", "rotateX", "max", 33.0)
    qtbot.waitUntil(lambda: not document.estimation.busy)
    limits = document.limits.joints
    assert limits["spine"].limits["rotateX"].max_deg == 33.0
    assert limits[WORST_JOINT].limits[WORST_CHANNEL].max_deg < 51.0


@pytest.mark.thorough
def test_a_cancelled_estimate_leaves_everything_as_it_was(document, qtbot):
    estimated(document, qtbot)
    before, steps = document.state, document.undo_stack.count()
    document.estimation.exclude_run("walk", WORST_FRAME, WORST_FRAME)
    document.estimation.cancel()
    assert not document.estimation.busy
    qtbot.wait(300)
    assert document.state is before
    assert document.undo_stack.count() == steps
    with qtbot.waitSignal(document.changed):
        document.estimation.exclude_run("walk", 3.0, 3.0)
    assert document.state.excluded.frames_of("walk") == {"": (3.0,)}


def test_a_failure_is_reported_and_changes_nothing(document, qtbot):
    estimated(document, qtbot)
    before = document.state
    with qtbot.waitSignal(document.estimation.failed) as failure:
        document.estimation.set_options(rest="frame:5000")
    assert "frame 5000" in str(failure.args[0])
    assert not document.estimation.busy
    assert document.state is before


def test_a_preview_that_goes_on_gives_way_to_the_next(document, qtbot):
    estimated(document, qtbot, leave_out=WITH_SPIKES)
    found = []
    document.preview_clamping(found.append)
    document.edit.set_limit(WORST_JOINT, WORST_CHANNEL, "max", 45.0)
    document.preview_clamping(found.append)
    qtbot.waitUntil(lambda: bool(found))
    qtbot.wait(50)
    assert len(found) == 1
    assert found[0].frames[0].worst_frame == WORST_FRAME


def test_a_clip_that_is_opened_meanwhile_stays_open(document, qtbot):
    estimated(document, qtbot)
    document.estimation.exclude_run("walk", WORST_FRAME, WORST_FRAME)
    document.add_clips([replace(reach(), name="third")])
    qtbot.waitUntil(lambda: not document.estimation.busy)
    assert [clip.name for clip in document.clips] == ["walk", "reach", "third"]
    assert document.state.excluded.frames_of("walk") == {"": (WORST_FRAME,)}


@pytest.mark.thorough
def test_no_qt_object_is_destroyed_beside_the_main_thread(worker, qtbot):
    """Cycles that hold Qt objects wait for the main thread, however much memory work needs."""
    destroyed_on = []

    class Kept(QtCore.QObject):
        def __del__(self):
            destroyed_on.append(threading.current_thread())

    for _ in range(50):
        first, second = Kept(), Kept()
        first.other, second.other = second, first
    del first, second
    calls = Calls()
    calls.start(worker, lambda _: len([[number] for number in range(200_000)]))
    qtbot.waitUntil(lambda: bool(calls.results))
    assert gc.isenabled()
    gc.collect()
    assert set(destroyed_on) == {threading.main_thread()}
