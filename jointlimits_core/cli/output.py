"""Text for people: what came of it on standard output, what was wrong on standard error."""

from __future__ import annotations

import sys

from ..journal import was_said
from ..wording import printable


def print_text(text: str) -> None:
    """Print `text`; characters that the terminal cannot show are escaped, never an error."""
    encoding = sys.stdout.encoding or "ascii"
    was_said(text)
    print(text.encode(encoding, "backslashreplace").decode(encoding))


def print_trouble(text: str) -> None:
    """Say what was wrong; names of files and joints in it do nothing to the terminal."""
    lines = "\n".join(printable(line) for line in text.split("\n"))
    was_said(lines, warning=True)
    print(f"jointlimits: {lines}", file=sys.stderr)
