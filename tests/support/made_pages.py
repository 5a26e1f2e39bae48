"""Every kind of page, made from the example, and axe-core, which checks them."""

from __future__ import annotations

import os
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

from benchmarks.simulated_faults import Faults, Slip
from benchmarks.simulated_figure import simulated_figure
from jointlimits_core.estimation.pipeline import estimate
from jointlimits_core.evaluation.check_result import CheckedClip, CheckResult
from jointlimits_core.evaluation.gate import Gate
from jointlimits_core.evaluation.violations import violations
from jointlimits_core.formats.registry import read_motion
from jointlimits_core.limits.limit_set import LimitSet
from jointlimits_core.motion.motion import Motion
from jointlimits_core.report.html.character_figure import bones_path
from jointlimits_core.report.html.check_page import write_check_report
from jointlimits_core.report.html.library_page import PICTURE_PIXELS, LibraryRow, library_page
from jointlimits_core.report.html.limits_page import write_report
from jointlimits_core.report.html.skeleton_page import write_skeleton_report
from jointlimits_core.skeleton_fit.fit import fit_skeleton
from tests.support.browser import Browser

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
CHARACTER_COUNT = 1000


def made_pages(folder: Path) -> dict[str, Path]:
    """Pages of limits, a check, a library and a skeleton, by name."""
    clip = read_motion(EXAMPLES / "humanoid_rom.ma")
    limits = estimate(clip)
    paths = {name: folder / f"{name}.html" for name in ("limits", "check", "library", "skeleton")}
    write_report(limits, clip, paths["limits"])
    tighter = with_range(limits, "LeftElbow", "rotateZ", 0.0, 60.0)
    checked = CheckedClip("a.ma", violations(tighter, clip))
    result = CheckResult("l.json", "person", Gate(), (checked,))
    write_check_report(result, paths["check"], None, tighter, {"a.ma": clip})
    paths["library"].write_text(library_of(CHARACTER_COUNT, clip), encoding="utf-8")
    trial = simulated_figure(3, faults=Faults(0.004, 0.5, slips=(Slip("left shin", 20.0, 0.03),)))
    write_skeleton_report([fit_skeleton(trial.tracks)], paths["skeleton"])
    return paths


def with_range(limits: LimitSet, joint: str, channel: str, low: float, high: float) -> LimitSet:
    """Limits with another range of one channel."""
    one = limits.joints[joint]
    axis = replace(one.limits[channel], state="limited", min_deg=low, max_deg=high)
    changed = replace(one, limits={**one.limits, channel: axis})
    return replace(limits, joints={**limits.joints, joint: changed})


def library_of(count: int, clip: Motion) -> str:
    """Page of a library, whose every tenth character has something to look at."""
    bones = bones_path(clip, PICTURE_PIXELS)
    rows = [
        LibraryRow(
            *(f"hero {number}", "ok", 1 + number % 7, len(clip.joint_names)),
            *(number % 7 if number % 10 == 0 else 0, 0, "", f"{number}.limits.json", "", bones),
        )
        for number in range(count)
    ]
    return library_page(rows, f"{count} ok.", "jointlimits.library", "library.csv")


def axe_source(install_to: Path | None = None) -> str | None:
    """Source of axe-core (npm package ``axe-core``), or None where it cannot be had.

    From the file named in ``AXE_CORE``, else from npm's global folder; else, where `install_to` is
    given, npm installs it there.
    """
    named, npm = os.environ.get("AXE_CORE"), shutil.which("npm")
    if named:
        places = [Path(named)]
    else:
        roots = [Path(npm).resolve().parents[3] / "node_modules"] if npm else []
        places = [root / "axe-core" / "axe.min.js" for root in roots]
        if npm and install_to is not None and not any(place.is_file() for place in places):
            words = [npm, "install", "--silent", "--prefix", str(install_to), "axe-core"]
            subprocess.run(words, check=False, capture_output=True, timeout=120)
            places.append(install_to / "node_modules" / "axe-core" / "axe.min.js")
    return next((place.read_text("utf-8") for place in places if place.is_file()), None)


def accessibility_faults(browser: Browser, source: str) -> list[Any]:
    """Violations that axe-core finds on the open page: rule, and some elements."""
    browser.send("Page.setBypassCSP", enabled=True)
    browser.run(
        "document.querySelectorAll('details:not(.joint)').forEach((one) => one.open = true)"
    )
    browser.run(source + "; 0")
    found = browser.run(
        "axe.run().then((found) => found.violations.map((one) =>"
        "[one.id, one.nodes.slice(0, 3).map((node) => node.html.slice(0, 160))]))"
    )
    browser.send("Page.setBypassCSP", enabled=False)
    return list(found)
