"""Run the checks in a real Maya: ``mayapy tests/maya_live/run.py``.

Prints every check before it runs, and its outcome, records both in a file at once, and ends with a
table to paste into an issue. Exit code 0 if nothing differs or failed, 1 if something did, 2 if the
checks cannot begin.

The checks run in another process, which is started again after a crash or a hang. In a Maya that
is already running, such as one with a window, they run in that process.
"""

from __future__ import annotations

import argparse
import importlib.machinery
import json
import os
import sys
import types
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
CANNOT_BEGIN, NO_NUMPY = 2, 3


def main(arguments=None):
    """Run the checks; return the exit code."""
    options = parse_arguments(arguments)
    search_project()
    if options.list:
        return print_checks(options)
    if not (options.part or is_up()):
        from tests.maya_live import apart

        return apart.run_checks(options)
    before = bring_up()
    from tests.maya_live import starting

    host = starting.prepare(options)
    from tests.maya_live import cases, checks, kit  # needs a running Maya

    checks.BEFORE_START.update(before)
    checks.SECONDS = options.limit
    if options.cases:
        cases.add_cases(options.cases)
    chosen = kit.choose_checks(options.only, options.skip)
    if options.part:
        record = kit.Record(options.part, host, [one.id for one in chosen])
    else:
        record = kit.begin_record(options.json, host)
        print(json.dumps(host), flush=True)
    found = []
    for one in chosen[:1] if options.apart else chosen:
        kit.announce(one.id)
        record.begin(one.id)
        found.append(kit.outcome(one, checks.fresh_scene))
        record.end(found[-1])
        print(kit.row(found[-1]), flush=True)
    record.close()
    return 0 if options.part else kit.conclude(found, host, record.path)


def parse_arguments(arguments):
    """Options of the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--json", type=Path, metavar="FILE", help="record to write, as JSON lines")
    parser.add_argument("--only", nargs="+", default=(), metavar="ID", help="only these checks")
    parser.add_argument("--skip", nargs="+", default=(), metavar="ID", help="all but these checks")
    parser.add_argument("--cases", type=Path, metavar="FOLDER", help="also run these cases")
    parser.add_argument("--yes", action="store_true", help="install numpy without asking")
    parser.add_argument(
        "--limit", type=float, default=180, metavar="SECONDS", help="seconds for each check (180)"
    )
    parser.add_argument("--apart", action="store_true", help="run each check in a separate process")
    parser.add_argument("--list", action="store_true", help="print the checks and stop")
    parser.add_argument("--part", type=Path, help=argparse.SUPPRESS)
    return parser.parse_args(arguments)


def search_project():
    """Put the project on sys.path, and remove this folder, which mayapy put there.

    Its files would be imported in place of a studio's own `commands` or `startup`. The download of
    the module has no package `tests`, and a studio may have one of its own.
    """
    folders = [str(ROOT), str(ROOT / "scripts")]
    away = {*folders, str(HERE)}
    sys.path[:] = folders + [one for one in sys.path if str(Path(one).resolve()) not in away]
    package = sys.modules.setdefault("tests", types.ModuleType("tests"))
    found = importlib.machinery.PathFinder.find_spec("tests")  # runs nothing
    package.__path__ = [str(HERE.parent), *((found and found.submodule_search_locations) or ())]


def print_checks(options):
    """Print the chosen checks; in a clone, any Python with numpy will do."""
    try:
        import maya  # noqa: F401
    except ImportError:
        from tests.maya_standin import modules  # the downloaded module has none

        modules.install()
    else:
        bring_up()
    from tests.maya_live import cases, checks, kit  # noqa: F401 - checks register themselves

    if options.cases:
        cases.add_cases(options.cases)
    print("\n".join(map(kit.described, kit.choose_checks(options.only, options.skip))))
    return 0


def bring_up():
    """Start Maya if it is not running, with the undo queue on, and return the earlier state.

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
    """Whether commands work already, as they do in a Maya with a window."""
    try:
        from maya import cmds
    except ImportError:
        print("This Python has no Maya: run the checks with mayapy (docs/evidence/live_checks.md)")
        sys.exit(CANNOT_BEGIN)
    try:
        return bool(cmds.about(version=True))
    except Exception:  # noqa: BLE001 - any error means that Maya is not running yet
        return False


if __name__ == "__main__":
    try:
        code = main()
    except SystemExit as stopped:
        code = stopped.code
    sys.stdout.flush()
    # Maya without a window sometimes crashes when Python cleans up.
    os._exit(code)
