"""Table of formats in docs/index.md, from the registry: ``python -m docs.make_format_table``."""

from __future__ import annotations

from pathlib import Path

from jointlimits_core.formats.registry import motion_formats
from jointlimits_core.io.output import atomic_output

PAGE = Path(__file__).resolve().parent / "index.md"
HEADING = "| file | what is read |\n|---|---|\n"


def format_table() -> str:
    """Rows of all formats that say what is read of them, whole skeletons first."""
    described = [one for one in motion_formats().values() if one.contents]
    ordered = sorted(described, key=lambda one: (one.read is None, one.needs_skeleton, one.name))
    rows = [one.contents.split(": ", 1) for one in ordered]
    return HEADING + "".join(f"| {file} | {read} |\n" for file, read in rows)


def with_table(page: str) -> str:
    """The page with its table of formats made again."""
    before, _, rest = page.partition(HEADING)
    return f"{before}{format_table()}\n{rest.partition(chr(10) * 2)[2]}"


if __name__ == "__main__":
    text = with_table(PAGE.read_text(encoding="utf-8"))
    with atomic_output(PAGE) as stream:
        stream.write(text.encode())
