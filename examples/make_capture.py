"""Write the clip that ``jointlimits demo`` measures.

Run as ``python -m examples.make_capture [FOLDER]``. The same numbers give the same bytes.
"""

from __future__ import annotations

import sys
from pathlib import Path

from jointlimits_core.cli.demo import CLIP

from .bvh_clip import bvh_text
from .captured_motion import perform
from .performers import PERSON


def main(folder: Path) -> None:
    """Write the clip into a folder that exists."""
    text = bvh_text(perform(PERSON), {bone.name: bone.end for bone in PERSON.bones})
    path = folder / f"{PERSON.name}.bvh"
    path.write_bytes(text.encode("ascii"))
    print(f"{path}: {len(text):,} bytes")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else CLIP.parent)
