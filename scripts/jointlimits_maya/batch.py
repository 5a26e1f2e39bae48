"""Many scenes without a window: ``mayapy -m jointlimits_maya.batch --manifest M.json --out DIR``.

The manifest, the results and the workers are those of ``jointlimits_core.batch``; here is only what
Maya does. A scene is opened with its script nodes switched off, and what is saved is a copy.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from .mayapy import mayapy

ROOT = Path(__file__).resolve().parents[2]
"""The module's own folder. Whether Maya without a window puts it on the search path of Python is
not known, so it is put there here."""
# live check: python-path-mayapy
if str(ROOT) not in sys.path:
    sys.path.append(str(ROOT))

NO_MAYA = "this is no Python of Maya; start the batch with mayapy"


def _is_maya_up() -> bool:
    """Bring up Maya, if this is one of its Pythons."""
    try:
        import maya.standalone
    except ImportError:
        return False
    # The stubs have no types for this.
    maya.standalone.initialize(name="python")  # type: ignore[no-untyped-call]
    return True


def _numpy_advice() -> str:
    """What to type; where Maya keeps packages only Maya knows."""
    if not _is_maya_up():
        return NO_MAYA
    from .numpy_install import advice

    return advice()


try:
    # Only workers need it, but who starts them is told at once what to type.
    import numpy  # noqa: F401

    from jointlimits_core.batch import entry_options
    from jointlimits_core.batch.command import BatchProgram, batch_main
    from jointlimits_core.batch.manifest import Character
    from jointlimits_core.batch.run import Estimate
except ImportError as missing:
    if __name__ == "__main__" and (missing.name or "").partition(".")[0] == "numpy":
        sys.exit(_numpy_advice())
    raise

NAME = "jointlimits_maya.batch"
OPTIONS = (
    *("estimate", "scene", "time", "rest pose", "write", "batch entry"),
    *("with shapes", "coupled"),
)
"""Groups of options that an entry of the manifest may have."""
READING = ("max_json_bytes",)
"""Limits of reading that matter: scenes are Maya's to open."""
ENTRY_NAMES = ("root", "namespace")
"""Options that an entry has beside its name."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command.

    Parameters
    ----------
    arguments : sequence of str, optional
        Of the process by default.

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
    # A worker ends there at once: Maya's own clearing up is known to crash at times.
    # live check: exit-of-standalone
    return batch_main(program, arguments, f"mayapy -m {NAME}", __doc__)


def check_entry(character: Character) -> None:
    """Refuse an entry that this batch cannot do, whatever its files hold.

    Raises
    ------
    ValueError
        Saying what to write instead.
    """
    values = options_of_entry(character)
    twice = [name for name in ENTRY_NAMES if name in character.options]
    if twice:
        raise ValueError(f"{twice[0]!r} belongs beside the name, not into the options")
    if character.skeleton is not None or character.frame_rate is not None:
        raise ValueError("a skeleton and a frame rate are for AMC clips; give Maya scenes")
    for file in character.inputs:
        if not file.shown.lower().endswith((".ma", ".mb")):
            raise ValueError(f"{file.shown!r} is no Maya scene; jointlimits reads other motion")
    if character.clips and values["apply"]:
        raise ValueError("limits are applied to one scene; give it as 'scene' instead of clips")


def options_of_entry(character: Character) -> dict[str, Any]:
    """Value of every option of an entry: its own, else the manifest's, else the default.

    Raises
    ------
    ValueError
        For an option that there is not, or a value that it may not have.
    """
    return entry_options.options_of_entry(character, OPTIONS)


def maya_python() -> str:
    """Path of the Python to start workers with: Maya's own, or else the one that runs."""
    path = mayapy()
    return str(path if path.exists() else sys.executable)


def worker_environment() -> Mapping[str, str]:
    """Environment of a worker, in which it finds this package and the core."""
    paths = [str(ROOT / "scripts"), str(ROOT), os.environ.get("PYTHONPATH", "")]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in paths if path)}


def _started() -> Estimate:
    """Bring up Maya; then only can what needs it be imported."""
    if not _is_maya_up():
        sys.exit(NO_MAYA)
    from .batch_scene import estimate_entry

    return estimate_entry


if __name__ == "__main__":
    sys.exit(main())
