"""``jointlimits project``: move a motion inside its coupled limits."""

from __future__ import annotations

import argparse
import math
import os

from ..base.text import in_columns, names_words, number, plural, printable
from ..evaluation.projection import project_motion
from ..evaluation.violations import violations
from ..formats import bvh, registry
from ..io.progress_line import FilesProgress
from ..limits.layers import inactive_shapes
from ..shapes.shape import Softening
from . import arguments, limit_inputs, output


def add_arguments(sub: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    sub.description = (
        "Move every rotation of a motion to the nearest rotation that the coupled limits (see fit) "
        "allow, and list the joints that moved."
    )
    sub.add_argument("limits", metavar="LIMITS.json", help="limit set from `jointlimits fit`")
    sub.add_argument("motion", metavar="MOTION", help=registry.motion_file())
    arguments.add_skeleton(sub)
    arguments.add_reader_options(sub)
    arguments.add_declared(sub, "softness_deg")
    sub.add_argument("--out", required=True, metavar="NEW.bvh", help="motion to write")


def run(options: argparse.Namespace) -> int:
    """Read, project, write and report."""
    softness = options.softness_deg
    softening = Softening(math.radians(softness)) if softness != 0.0 else None
    if not options.out.lower().endswith(".bvh"):
        raise output.UsageError(f"--out {options.out} must end with .bvh: the output is a BVH file")
    arguments.check_outputs([options.limits, options.motion, options.skeleton], [options.out])
    limit_set = limit_inputs.read_given_limits(options)
    with output.progress_of(options) as progress:
        part = FilesProgress(progress, [options.motion]).next(options.motion)
        reading = arguments.reading_of(options, part, limit_set.of_controls)
        motion = registry.read_motion(options.motion, **reading)
        inside, moved = project_motion(limit_set, motion, softening, progress)
        progress(0, 1, f"writing {os.path.basename(options.out)}")
        bvh.write_bvh(inside, options.out)
    lines = ["every frame is already inside the limits"]
    if moved:
        rows = [(limit_set.noun, "frames", "max degrees", "at frame")]
        for one in moved:
            degrees, frame = number(one.worst_deg, 2), f"{one.worst_frame:g}"
            rows.append((printable(one.joint), str(one.frames), degrees, frame))
        table = in_columns(rows, right=(1, 2, 3), indent="  ")
        lines = [f"moved {plural(len(moved), limit_set.noun)}:", *table]
    aside = inactive_shapes(limit_set)
    if aside:
        lines.append(f"not moved, because an artist's ranges apply: {names_words(aside)}")
    left = violations(limit_set, inside, branch="circle", shapes=True)
    for name in left.joints_outside:
        row = left.joints.index(name)
        outside = left.outside_deg[row]
        worst, frame = float(outside.max()), left.frames[int(outside.argmax())]
        count = plural(int(left.is_outside[row].sum()), "frame")
        beyond = f"by up to {number(worst, 2)} degrees at frame {frame:g}"
        lines.append(f"left outside: {printable(name)}, {count}, {beyond}")
    output.print_text("\n".join([*lines, f"wrote {options.out}"]))
    return 0
