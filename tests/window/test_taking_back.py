"""What was begun is taken back where it fails, and only there."""

from __future__ import annotations

import pytest
from jointlimits_maya.ui.document.document import Document
from jointlimits_maya.ui.toolkit.words import rollback

from tests.support.ui_examples import walk


class NoThreads:
    """A runner that cannot begin."""

    def start(self, *_):
        raise RuntimeError("no thread")

    def cancel(self):
        """Nothing was begun."""


@pytest.mark.parametrize("error", [ValueError("no"), KeyboardInterrupt("no")], ids=repr)
def test_only_what_fails_is_taken_back_and_the_error_goes_on(error):
    done = []
    with rollback(lambda: done.append("taken back")):
        done.append("begun")
    with pytest.raises(type(error)) as raised, rollback(lambda: done.append("taken back")):
        raise error
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
