"""Batch estimation of Maya scenes, run with mayapy.

    mayapy -m jointlimits_maya.batch.__main__ --manifest M.json --out DIR

Manifest, results and workers come from ``jointlimits_core.batch``; only Maya's part is here. Scenes
are opened with script nodes off and are saved only as copies.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ..base.host import mayapy

ROOT = Path(__file__).resolve().parents[2]
"""The module folder; added to Python's path here, as mayapy may not do it."""
# live check: python-path-mayapy
if str(ROOT) not in sys.path:
    sys.path.append(str(ROOT))

NO_MAYA = "this Python has no Maya; start the batch with mayapy"


def _is_maya_up() -> bool:
    """Start Maya; False if this is not one of its Pythons."""
    try:
        import maya.standalone
    except ImportError:
        return False
    # The stubs have no types for this.
    maya.standalone.initialize(name="python")  # type: ignore[no-untyped-call]
    return True


def _numpy_advice() -> str:
    """Command that installs numpy; only Maya knows where it keeps packages."""
    if not _is_maya_up():
        return NO_MAYA
    from ..base.host import advice

    return advice()


try:
    # Only workers need numpy, but the command reports at once that it is missing.
    import numpy  # noqa: F401

    from jointlimits_core.batch import manifest
    from jointlimits_core.batch.command import BatchProgram, batch_main
    from jointlimits_core.batch.manifest import Character
    from jointlimits_core.batch.run import Estimate
except ImportError as missing:
    if __name__ == "__main__" and (missing.name or "").partition(".")[0] == "numpy":
        sys.exit(_numpy_advice())
    raise

NAME = "jointlimits_maya.batch.__main__"
OPTIONS = (
    *("estimate", "scene", "time", "rest pose", "write", "batch entry"),
    *("with shapes", "coupled"),
)
"""Option groups of a manifest entry."""
READING = ("max_json_bytes",)
"""Input size limits that apply here; Maya opens the scenes itself."""
ENTRY_NAMES = ("root", "namespace")
"""Options given next to the name of an entry."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command.

    Parameters
    ----------
    arguments : sequence of str, optional
        Default: those of the process.

    Returns
    -------
    int
        As of :mod:`jointlimits_core.batch.command`.
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


def check_entry(character: Character) -> None:
    """Reject an entry that this batch cannot process, whatever its files hold.

    Raises
    ------
    ValueError
        The message says what to write instead.
    """
    values = options_of_entry(character)
    twice = [name for name in ENTRY_NAMES if name in character.options]
    if twice:
        raise ValueError(f"{twice[0]!r} must be next to the name, not in the options")
    if character.skeleton is not None or character.frame_rate is not None:
        raise ValueError("a skeleton and a frame rate are for AMC clips only; give Maya scenes")
    for file in character.inputs:
        if not file.shown.lower().endswith((".ma", ".mb")):
            raise ValueError(f"{file.shown!r} is not a Maya scene; use jointlimits for other files")
    if character.clips and values["apply"]:
        raise ValueError("limits can be applied to one scene only; give 'scene' instead of clips")


def options_of_entry(character: Character) -> dict[str, Any]:
    """Value of every option of an entry: its own, else the manifest's, else the default.

    Raises
    ------
    ValueError
        For an unknown option or an invalid value.
    """
    return manifest.options_of_entry(character, OPTIONS)


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
    if not _is_maya_up():
        sys.exit(NO_MAYA)
    from .scene import estimate_entry

    return estimate_entry


if __name__ == "__main__":
    sys.exit(main())
