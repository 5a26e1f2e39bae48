"""A small library of Maya scenes for the tests of the batch in the stand-in."""

from __future__ import annotations

import math
import os
import sys

from tests.support.batch_manifests import write_manifest
from tests.support.house_files import ROOT
from tests.support.maya_scenes import connect, curve, write_scene

AS_MAYA = ROOT / "tests" / "maya_standin" / "as_maya"


def environment(**more):
    """Environment of a process whose Maya is the stand-in, with nothing of ours installed."""
    paths = os.pathsep.join(str(path) for path in (AS_MAYA, ROOT, ROOT / "scripts"))
    kept = {name: value for name, value in os.environ.items() if not name.startswith("MAYA")}
    return {**kept, "PYTHONPATH": paths, **more}


def command(manifest, out, *arguments):
    program = [sys.executable, "-m", "jointlimits_maya.batch", "--manifest", str(manifest)]
    return [*program, "--out", str(out), *arguments]


def leg(top_deg, frames=24, prefix=""):
    """Text of a hip and a knee, keyed on every frame; the knee bends up to an angle."""
    text = ""
    for joint, below in (("hip", ""), ("knee", f' -p "{prefix}hip"')):
        text += f'createNode joint -n "{prefix}{joint}"{below};\n'
        text += '\tsetAttr ".t" -type "double3" 0 -10 0 ;\n'
    for joint, top in (("hip", 12.0), ("knee", top_deg)):
        keys = [(k, round(top * math.sin(k / 7), 6)) for k in range(1, frames + 1)]
        text += curve(f"{joint}_rotateX", keys)
    for joint in ("hip", "knee"):
        text += connect(f"{joint}_rotateX.o", f"{prefix}{joint}.rx")
    return text


def write_scenes(folder, count, *, broken=(), options=None, more=None):
    """Scenes of one character each and their manifest.

    The text of broken ones stops in the middle of a string. `more` maps an item to what its entry
    has beside.
    """
    entries = []
    for item in range(count):
        body = leg(20.0 + 3.0 * item)
        write_scene(folder, body[:-60] if item in broken else body, f"actor_{item:02d}.ma")
        entry = {"name": f"actor {item:02d}", "scene": f"actor_{item:02d}.ma"}
        entries.append({**entry, **(more or {}).get(item, {})})
    return write_manifest(folder, entries, options)
