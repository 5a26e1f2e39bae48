"""Run the kit: ``mayapy tests/maya_live/run.py [--json FILE] [--only ID ...] [--list]``."""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
STAND_IN = (
    "THIS IS NOT MAYA but the stand-in of the tests. It only shows that the kit runs; what it\n"
    "finds as believed is what the stand-in was made to believe."
)


def main(arguments=None):
    """Run the checks, print a table, write the JSON.

    Returns
    -------
    int
        0 if everything that was run is as believed, else 1.
    """
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write what was found here")
    parser.add_argument("--only", nargs="+", default=(), metavar="ID", help="only these checks")
    parser.add_argument("--list", action="store_true", help="print the checks and stop")
    options = parser.parse_args(arguments)
    for folder in (ROOT, ROOT / "scripts"):
        if str(folder) not in sys.path:
            sys.path.insert(0, str(folder))
    before = bring_up()
    from tests.maya_live import checks, kit  # needs a Maya that is up

    checks.BEFORE_START.update(before)
    if options.list:
        print("\n".join(f"{one.id:34} {one.asks}" for one in kit.CHECKS.values()))
        return 0
    host = described()
    print(json.dumps(host))
    found = []
    for outcome in kit.outcomes(checks.fresh_scene, options.only):
        found.append(outcome)
        print(kit.table([outcome]), flush=True)
    if host["stand_in"]:
        print(STAND_IN)
    if options.json:
        text = json.dumps(kit.document(found, host), indent=1)
        options.json.write_text(text + "\n", encoding="utf-8")
        print(f"wrote {options.json}; please paste it into an issue")
    return 1 if any(one.state == kit.DIFFERENT for one in found) else 0


def bring_up():
    """Start Maya if it is not up, and remember what there was before."""
    before = {"sys.path": list(sys.path), "up": is_up()}
    if not before["up"]:
        import maya.standalone

        maya.standalone.initialize(name="python")
    return before


def is_up():
    """Whether commands work already: in a Maya with a window they do."""
    try:
        from maya import cmds
    except ImportError:
        sys.exit("this is no Python of Maya; run the kit with mayapy, as docs/live_checks.md says")
    try:
        return bool(cmds.about(version=True))
    except Exception:  # noqa: BLE001 - whatever it is, Maya is not up yet
        return False


def described():
    """What the checks are run in."""
    from maya import cmds

    return {
        "maya": str(cmds.about(version=True)),
        "python": platform.python_version(),
        "system": platform.platform(),
        "window": not cmds.about(batch=True),
        "stand_in": "tests.maya_standin" in sys.modules,
    }


if __name__ == "__main__":
    code = main()
    sys.stdout.flush()
    # Maya without a window is known to crash at times when Python clears up.
    os._exit(code)
