"""maya.mel."""

from __future__ import annotations

from tests.maya_standin.commands.mel_lines import evaluate
from tests.maya_standin.session import current

__all__ = ["eval"]


def eval(text):
    """Run a few forms of MEL; see mel_lines."""
    session = current()
    session.call("mel.eval")
    return evaluate(session, text)
