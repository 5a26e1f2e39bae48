"""Small libraries of made characters for the tests of the batch."""

from __future__ import annotations

import json
import math

HEAD = """HIERARCHY
ROOT hip
{
  OFFSET 0 0 0
  CHANNELS 3 Zrotation Xrotation Yrotation
  JOINT knee
  {
    OFFSET 0 -10 0
    CHANNELS 3 Zrotation Xrotation Yrotation
    End Site
    {
      OFFSET 0 -10 0
    }
  }
}
MOTION
"""


def bvh_text(top_deg, frames=24):
    """A knee that bends up to an angle."""
    rows = [f"0 0 0 0 {top_deg * math.sin(k / 7):.6f} 0" for k in range(frames)]
    return HEAD + f"Frames: {frames}\nFrame Time: 0.04\n" + "\n".join(rows) + "\n"


def write_manifest(folder, characters, options=None, name="library.json"):
    folder.mkdir(parents=True, exist_ok=True)
    document = {
        "format": "jointlimits.manifest",
        "version": 1,
        "options": options or {},
        "characters": characters,
    }
    path = folder / name
    path.write_text(json.dumps(document), encoding="utf-8")
    return path


def write_library(folder, count, *, broken=(), options=None, **more):
    """Characters of one clip each; the clips of broken ones cannot be read.

    `more` maps the name of an option to {item: value}.
    """
    folder.mkdir(parents=True, exist_ok=True)
    characters = []
    for item in range(count):
        text = bvh_text(20 + 3 * item)
        (folder / f"clip_{item:02d}.bvh").write_text(
            text.replace("Frame Time", "Fame Rime") if item in broken else text
        )
        own = {key: values[item] for key, values in more.items() if item in values}
        characters.append(
            {"name": f"actor {item:02d}", "clips": [f"clip_{item:02d}.bvh"], "options": own}
        )
    return write_manifest(folder, characters, options)


def contents(folder):
    """Bytes of every file of a result folder, logs and what is half-done apart.

    What is half-done has a name with a dot, or is in a folder that has: a worker may be busy there.
    """
    names = [path.relative_to(folder) for path in sorted(folder.rglob("*"))]
    kept = [
        name
        for name in names
        if not any(part.startswith(".") for part in name.parts) and name.parent.name != "logs"
    ]
    return {
        name.as_posix(): (folder / name).read_bytes() for name in kept if (folder / name).is_file()
    }
