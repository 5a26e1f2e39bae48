"""``jointlimits apply``: write limits into a copy of a Maya ASCII scene."""

from __future__ import annotations

import argparse
import os

from ..base import MayaAsciiError
from ..formats.maya_ascii import ReorientReport, WriteReport, apply_limit_set, apply_reoriented
from ..io import add_reading
from ..limits import LimitSet
from .arguments import add_declared
from .limit_inputs import read_given_limits
from .output import UsageError, print_text, progress_of

HELP = "write limits, degrees of freedom and preferred angles into a copy of a scene"
ORDER = 50

PAPER_MODE = (
    "paper-mode limits are ZYZ angles, not Maya rotate channels; estimate in standard mode to apply"
)


def add_arguments(sub: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    sub.add_argument("limits", metavar="LIMITS.json")
    sub.add_argument("scene", metavar="SCENE.ma")
    sub.add_argument("--out", required=True, metavar="NEW.ma", help="the copy to write")
    add_writing_options(sub)
    add_reading(sub)


def add_writing_options(sub: argparse.ArgumentParser) -> None:
    """Add the options that ``apply`` and ``estimate --apply`` share."""
    add_declared(sub, "replace", "lock_unmoved", "reorient")


def run(options: argparse.Namespace) -> int:
    """Write the copy and report what was written and what was not."""
    limit_set = read_given_limits(options)
    if limit_set.mode == "paper":
        raise UsageError(f"{options.limits}: {PAPER_MODE}")
    return write_copy(limit_set, options.scene, options.out, options)


def write_copy(limit_set: LimitSet, scene: str, out: str, options: argparse.Namespace) -> int:
    """Write the copy and report; raise MayaAsciiError if no joint at all could be written."""
    wanted = {
        "replace": options.replace,
        "lock_unmoved": options.lock_unmoved,
        "limits": options.budget,
    }
    frames = None
    with progress_of(options) as progress:
        progress(0, 1, f"writing {os.path.basename(out)}")
        if options.reorient is None:
            report = apply_limit_set(limit_set, scene, out, **wanted)
        else:
            report, frames = apply_reoriented(limit_set, scene, out, options.reorient, **wanted)
    if frames is not None:
        _print_frames(frames)
    _print_report(report)
    if not report.written and not report.unchanged:
        raise MayaAsciiError(scene, "none of the limit set's joints could be written; see above")
    return 0


def _print_frames(report: ReorientReport) -> None:
    keys = sum(report.keys.values())
    print_text(f"re-oriented {len(report.joints)} joints, mode {report.mode}; {keys} frames keyed")
    if report.compensated:
        print_text(f"{len(report.compensated)} child nodes compensated")
    for item in report.skipped:
        print_text(f"orientation not changed: {item.joint}: {item.reason}; {item.advice}")


def _print_report(report: WriteReport) -> None:
    attributes = sum(len(names) for names in report.written.values())
    print_text(f"wrote {report.out_path}: {attributes} attributes of {len(report.written)} joints")
    if report.unchanged:
        print_text(f"{len(report.unchanged)} joints were already up to date")
    for item in report.skipped:
        plug = f"{item.joint}.{item.attribute}" if item.attribute else item.joint
        print_text(f"not written: {plug}: {item.reason}; {item.advice}")
