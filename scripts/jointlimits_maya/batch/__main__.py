"""Batch estimation of Maya scenes, run with mayapy.

    mayapy -m jointlimits_maya.batch --manifest M.json --out DIR

Manifest, results and workers come from ``jointlimits_core.batch``; only Maya's part is here. Scenes
are opened with script nodes off and are saved only as copies.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

from jointlimits_core.batch import command, manifest, run
from jointlimits_core.io.process import single_threaded_algebra

from ..base.mayapy import mayapy

NAME = "jointlimits_maya.batch"
OPTIONS = (
    *("estimate", "scene", "time", "evaluation", "rest pose", "write", "clamping", "batch entry"),
    *("with shapes", "coupled"),
)
"""Option groups of a manifest entry."""
ENTRY_NAMES = ("root", "namespace")
"""Options that an entry gives next to its name, not among its options."""
NO_MAYA = "this Python has no Maya; start the batch with mayapy"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command, by default with the process's arguments.

    The exit codes are those of :mod:`jointlimits_core.batch.command`.
    """
    single_threaded_algebra()
    try:
        # Only workers need numpy, but a missing numpy is reported at once.
        import numpy  # noqa: F401
    except ImportError:
        advice = numpy_advice()
        if advice:
            sys.exit(advice)
    program = command.BatchProgram(
        NAME,
        "maya",
        _start_estimator,
        check_entry,
        [maya_python(), "-m", NAME],
        worker_environment(),
        # Each process holds a whole Maya.
        most_jobs=2,
    )
    # Workers skip Maya's own shutdown, which sometimes crashes.
    # live check: exit-of-standalone
    return command.batch_main(program, arguments, f"mayapy -m {NAME}", __doc__)


def is_maya_up() -> bool:
    """Start Maya; returns False if this Python does not belong to Maya."""
    try:
        import maya.standalone
    except ImportError:
        return False
    # The stubs have no types for this.
    maya.standalone.initialize(name="python")  # type: ignore[no-untyped-call]
    return True


def numpy_advice() -> str:
    """Advice to install numpy or use mayapy; empty if numpy is in Maya's package folder."""
    if not is_maya_up():
        return NO_MAYA
    from ..base import host

    return "" if host.is_numpy_installed() else host.advice()


def check_entry(character: manifest.Character) -> None:
    """Reject an entry that does not suit Maya scenes; the ValueError says what to write instead."""
    values = manifest.options_of_entry(character, OPTIONS)
    twice = [name for name in ENTRY_NAMES if name in character.options]
    if twice:
        raise ValueError(f"{twice[0]!r} must be next to the name, not in the options")
    if character.skeleton is not None or character.frame_rate is not None:
        raise ValueError("a skeleton and a frame rate are for AMC clips only; give Maya scenes")
    for file in character.motions:
        if not file.shown.lower().endswith((".ma", ".mb")):
            raise ValueError(f"{file.shown!r} is not a Maya scene; use jointlimits for other files")
    if character.clips and values["apply"]:
        raise ValueError("limits can be applied to one scene only; give 'scene' instead of clips")


def maya_python() -> str:
    """Path to the Python interpreter for workers: mayapy if it exists, else the running one."""
    path = mayapy()
    return str(path if path.exists() else sys.executable)


def worker_environment() -> Mapping[str, str]:
    """Environment in which a worker finds this package and the core."""
    module = Path(__file__).resolve().parents[3]
    paths = [str(module / "scripts"), str(module), os.environ.get("PYTHONPATH", "")]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in paths if path)}


def _start_estimator() -> run.Estimate:
    """Start Maya, then import the modules that need it."""
    if not is_maya_up():
        sys.exit(NO_MAYA)
    from jointlimits_core.batch.motion_files import estimate_entry

    from .scene import Scenes

    return partial(estimate_entry, Scenes, OPTIONS)


if __name__ == "__main__":
    sys.exit(main())
