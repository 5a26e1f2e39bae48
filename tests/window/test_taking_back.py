"""What was begun is taken back where it fails, and only there."""

from __future__ import annotations

import pytest
from jointlimits_maya.ui.document.document import Document
from jointlimits_maya.ui.toolkit.words import rollback

from tests.support.ui_examples import walk


class NoThreads:
    """A runner that cannot begin."""

    busy = False

    def start(self, *_):
        raise RuntimeError("no thread")

    def cancel(self):
        """Nothing was begun."""


def test_nothing_is_taken_back_of_what_went_well():
    done = []
    with rollback(lambda: done.append("taken back")):
        done.append("begun")
    assert done == ["begun"]


@pytest.mark.parametrize("error", [ValueError("no"), KeyboardInterrupt("no")], ids=repr)
def test_whatever_fails_is_taken_back_and_goes_on_its_way(error):
    done = []

    def begin():
        with rollback(lambda: done.append("taken back")):
            done.append("begun")
            raise error

    with pytest.raises(type(error), match="no") as raised:
        begin()
    assert raised.value is error
    assert done == ["begun", "taken back"]


@pytest.mark.parametrize("what", ["estimation", "shaping"])
def test_work_that_cannot_be_begun_leaves_nothing_busy(what):
    document = Document()
    document.add_clips([walk()])
    document.estimation.estimate()
    work = getattr(document, what)
    work._runner = NoThreads()
    with pytest.raises(RuntimeError, match="no thread"):
        (work.estimate if what == "estimation" else work.fit)()
    assert not work.busy
