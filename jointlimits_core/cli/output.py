"""Output for people: results to standard output, problems to standard error."""

from __future__ import annotations

import sys

from ..journal import was_said
from ..wording import printable


def print_text(text: str) -> None:
    """Print `text`, escaping characters that the terminal cannot show."""
    encoding = sys.stdout.encoding or "ascii"
    was_said(text)
    print(text.encode(encoding, "backslashreplace").decode(encoding))


def print_trouble(text: str) -> None:
    """Print a problem to standard error, with control characters in names made harmless."""
    lines = "\n".join(printable(line) for line in text.split("\n"))
    was_said(lines, warning=True)
    print(f"jointlimits: {lines}", file=sys.stderr)
