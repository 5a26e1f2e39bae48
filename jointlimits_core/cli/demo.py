"""``jointlimits demo``: measure a clip that comes with the program, and show its page."""

from __future__ import annotations

import argparse
import shlex
import webbrowser
from pathlib import Path

from ..base.options import CommandParser
from ..io.output import atomic_output
from . import estimate, gui, output

CLIP = Path(__file__).with_name("walk_and_stretch.bvh")
"""A person who walks and stretches, made by ``examples/make_capture.py``."""
_NEXT = """\
Next, check the clip, correct its limits in a window, or measure clips of your own:
  jointlimits check {files}
  jointlimits gui {files}
  jointlimits estimate YOUR_CLIPS --report --out out"""


def add_arguments(sub: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    sub.description = (
        "Measure a clip of a person that comes with the program, write its limits and their page "
        "into a folder, and open the page."
    )
    words = "folder for the clip, its limits and their page (default jointlimits-demo)"
    sub.add_argument("--out", default="jointlimits-demo", metavar="DIR", help=words)
    # This name says that the window handles signals; it is set only with --gui.
    sub.add_argument(
        "--gui",
        dest="own_signals",
        action="store_true",
        default=argparse.SUPPRESS,
        help="open the window instead of the page",
    )


def run(options: argparse.Namespace) -> int:
    """Copy the clip, estimate it as the command would, and show the result."""
    clip = Path(options.out) / CLIP.name
    clip.parent.mkdir(parents=True, exist_ok=True)
    with atomic_output(clip) as stream:
        stream.write(CLIP.read_bytes())
    words = [str(clip), "--report", "--out", options.out]
    output.print_text(f"jointlimits estimate {shlex.join(words)}\n")
    asked = CommandParser()
    estimate.add_arguments(asked)
    if estimate.run(asked.parse_args(words, options)):
        return 1
    limits = str(estimate.limits_path(options.out, CLIP.stem, "json"))
    output.print_text("\n" + _NEXT.format(files=shlex.join([limits, str(clip)])))
    if "own_signals" in options:
        options.inputs = [limits, str(clip)]
        return gui.run(options)
    _show_page(estimate.limits_path(options.out, CLIP.stem, "html"), options.format)
    return 0


def _show_page(page: Path, form: str) -> None:
    """Open the page if there is a terminal and a display; otherwise print its path."""
    is_seen = form == "text" and output.terminal_width() is not None and gui.has_screen()
    if not (is_seen and webbrowser.open(page.resolve().as_uri())):
        output.print_text(f"\nOpen {page} in a browser: the character moves, with its limits.")
