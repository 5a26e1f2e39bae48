"""What waits for idle: evalDeferred, maya.utils; and how commands that are text are run."""

from __future__ import annotations

from tests.maya_standin.commands.flags import Bool
from tests.maya_standin.commands.registry import command


@command("evalDeferred")
def eval_deferred(session, work, *, lowestPriority: Bool = False, lowPriority: Bool = False):
    """Run a callable, or text of Python, when Maya is idle."""
    session.interface.defer(as_callable(session, work), lowest=lowestPriority or lowPriority)


def as_callable(session, work):
    """Give a callable of no arguments for a callable or for Python text."""
    return (lambda: run_python(session, work)) if isinstance(work, str) else work


def run_python(session, text):
    """Run Python text as Maya does with a button's: in the names of `__main__`."""
    code = compile(text, "<maya console>", "exec", dont_inherit=True)
    exec(code, session.main_names)  # noqa: S102 (Maya's own way, with text of this project only)


def run_deferred(session):
    """Run all that waits, and all that those add, as Maya does when it becomes idle."""
    while True:
        work = session.interface.pop_deferred()
        if work is None:
            return
        work()
