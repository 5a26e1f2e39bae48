"""Batch estimation of Maya scenes, run with mayapy.

    mayapy -m jointlimits_maya.batch --manifest M.json --out DIR

Manifest, results and workers come from ``jointlimits_core.batch``; only Maya's part is here. Scenes
are opened with script nodes off and are saved only as copies.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence

from jointlimits_core.batch import BatchProgram, Estimate, batch_main

from ..base.mayapy import mayapy
from .entry import check_entry
from .standalone import NO_MAYA, ROOT, is_maya_up

NAME = "jointlimits_maya.batch"
READING = ("max_json_bytes",)
"""Input size limits that apply here; Maya opens the scenes itself."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command, by default with the process's arguments.

    The exit codes are those of :mod:`jointlimits_core.batch.command`.
    """
    program = BatchProgram(
        NAME,
        "maya",
        _started,
        check_entry,
        [maya_python(), "-m", NAME],
        worker_environment(),
        reading=READING,
    )
    # Workers exit at once there: Maya's own shutdown sometimes crashes.
    # live check: exit-of-standalone
    return batch_main(program, arguments, f"mayapy -m {NAME}", __doc__)


def maya_python() -> str:
    """Path of the Python for workers: Maya's own, or else the running one."""
    path = mayapy()
    return str(path if path.exists() else sys.executable)


def worker_environment() -> Mapping[str, str]:
    """Environment in which a worker finds this package and the core."""
    paths = [str(ROOT / "scripts"), str(ROOT), os.environ.get("PYTHONPATH", "")]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in paths if path)}


def _started() -> Estimate:
    """Start Maya, then import what needs it."""
    if not is_maya_up():
        sys.exit(NO_MAYA)
    from .scene import estimate_entry

    return estimate_entry
