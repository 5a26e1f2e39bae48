"""Text for people on standard output."""

from __future__ import annotations

import sys


def print_text(text: str) -> None:
    """Print `text`; characters that the terminal cannot show are escaped, never an error."""
    encoding = sys.stdout.encoding or "ascii"
    print(text.encode(encoding, "backslashreplace").decode(encoding))
