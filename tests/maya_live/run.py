"""Run the checks in a real Maya: ``mayapy tests/maya_live/run.py``.

Prints every check before it runs and what came of it, writes the same to a file as it goes, and
ends with a table to paste into an issue. Exit code 0 if nothing differs or failed, 1 if something
did, 2 if the checks cannot begin.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
STAND_IN = (
    "THIS IS NOT MAYA but the stand-in of the tests. It only shows that the kit runs: what it\n"
    "reports as believed is what the stand-in was built to do."
)
CANNOT_BEGIN = 2


def main(arguments=None):
    """Run the checks; return the exit code."""
    options = parse_arguments(arguments)
    search_project()
    before = bring_up()
    require_numpy()
    from tests.maya_live import checks, kit  # needs a Maya that is up

    checks.BEFORE_START.update(before)
    chosen = kit.choose_checks(options.only, options.skip)
    if options.list:
        print("\n".join(f"{one.id:34} {one.asks}" for one in chosen))
        return 0
    host = describe_host()
    print(json.dumps(host), flush=True)
    path = options.json or Path(
        f"live_checks_{host['maya']}_{time.strftime('%Y%m%d-%H%M%S')}.jsonl"
    )
    record = kit.Record(path, host)
    found = []
    for one in chosen:
        print(f"{kit.RUNNING:12} {one.id}", flush=True)
        record.begin(one)
        found.append(run_alone(one) if options.apart else kit.outcome(one, checks.fresh_scene))
        record.end(found[-1])
        print(kit.row(found[-1]), flush=True)
    record.close()
    print("\n" + "\n".join(kit.summary(found, host)))
    if host["stand_in"]:
        print(STAND_IN)
    print(f"\nPlease paste this table into an issue and attach {path}")
    return int(any(one.state in kit.NOT_AS_BELIEVED for one in found))


def parse_arguments(arguments):
    """Options of the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--json", type=Path, metavar="FILE", help="record to write, JSON lines")
    parser.add_argument("--only", nargs="+", default=(), metavar="ID", help="only these checks")
    parser.add_argument("--skip", nargs="+", default=(), metavar="ID", help="all but these checks")
    parser.add_argument(
        "--apart", action="store_true", help="each check in a process of its own; survives crashes"
    )
    parser.add_argument("--list", action="store_true", help="print the checks and stop")
    return parser.parse_args(arguments)


def search_project():
    """Put the project on sys.path, and take off this folder, which mayapy put there.

    Its files would be imported in place of a studio's own `commands` or `startup`.
    """
    folders = [str(ROOT), str(ROOT / "scripts")]
    away = {*folders, str(HERE)}
    sys.path[:] = folders + [one for one in sys.path if str(Path(one).resolve()) not in away]


def bring_up():
    """Start Maya if it is not up, with the undo queue on, and return what there was before.

    mayapy starts with the undo queue off, as public tests of other tools show.
    """
    before = {"sys.path": list(sys.path), "up": is_up()}
    if not before["up"]:
        import maya.standalone

        maya.standalone.initialize(name="python")
    from maya import cmds

    before["undo"] = cmds.undoInfo(query=True, state=True)
    before["matrixNodes"] = cmds.pluginInfo("matrixNodes", query=True, loaded=True)
    return before


def is_up():
    """Whether commands work already: in a Maya with a window they do."""
    try:
        from maya import cmds
    except ImportError:
        print("This Python has no Maya: run the checks with mayapy (see tests/maya_live/README.md)")
        sys.exit(CANNOT_BEGIN)
    try:
        return bool(cmds.about(version=True))
    except Exception:  # noqa: BLE001 - whatever it is, Maya is not up yet
        return False


def require_numpy():
    """Stop with the command that installs numpy if Maya's Python has none."""
    from jointlimits_maya.base import host

    if not host.is_numpy_installed():
        print(f"The checks need numpy, which this Maya lacks:\n\n    {host.command_line()}\n")
        sys.exit(CANNOT_BEGIN)


def run_alone(one):
    """Outcome of a check that runs in a process of its own."""
    from tests.maya_live import kit

    if one.function is None:
        return kit.outcome(one, lambda: None)
    with tempfile.TemporaryDirectory() as folder:
        part = Path(folder) / "part.jsonl"
        command = [sys.executable, str(HERE / "run.py"), "--only", one.id, "--json", str(part)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        found = kit.read_record(part) if part.exists() else []
    if found:
        return found[0]
    return kit.Outcome(one.id, kit.FAILED, f"exit code {done.returncode}", one.name, done.stderr)


def describe_host():
    """What the checks are run in."""
    from maya import cmds

    return {
        "maya": str(cmds.about(version=True)).split()[0],
        "python": platform.python_version(),
        "qt": qt(),
        "system": platform.platform(),
        "window": not cmds.about(batch=True),
        "stand_in": "tests.maya_standin" in sys.modules,
    }


def qt():
    """Version of Qt, and which binding."""
    for name in ("PySide6", "PySide2"):
        try:
            core = __import__(f"{name}.QtCore").QtCore
        except ImportError:
            continue
        return f"{name} {core.qVersion()}"
    return "none"


if __name__ == "__main__":
    try:
        code = main()
    except SystemExit as stopped:
        code = stopped.code
    sys.stdout.flush()
    # Maya without a window is known to crash at times when Python clears up.
    os._exit(code)
