"""Words of earlier versions that name nothing now, each with what to use in its place."""

from __future__ import annotations

from typing import Any

_TABLE = """\
evaluate: use check for frames outside the limits; estimate grades each limit
ik: pose from Python with jointlimits_core.ik.solver; project moves a motion inside
look-at: use look_at of jointlimits_core.ik.look_at from Python
--noise noise_deg: the noise is estimated from the motion
--unlimited-gap: a channel is free if its motion leaves less than 30 degrees unused
unlimited_gap_deg: a channel is free if its motion leaves less than 30 degrees unused
--skip-rules skip_rules: list in leave_out (--leave-out) the rules whose frames are excluded
--purpose purpose: say it in the character's name (--character)
--last-item: a part whose --items go past the last entry is rejected
--per-process: it is 20 in Maya and 1000 elsewhere; --jobs sets how many run at once
completion: jointlimits --help lists the commands, and --help after one its options
mel: use python, which Maya's Script Editor runs as well
--reorient: Maya does it (mayapy: cmds.applyJointLimits(joints, reorient='R'))
hull-exact: use hull, a little wider, or wrap, which is tighter
kdop-sequential: use kdop, whose nearest points are exact
ellipsoid-holden: use ellipsoid, the one of least volume
--robust --no-robust robust: outlier frames are excluded where frames held out agree
--swaps --no-swaps find_swaps findSwaps: swapped tracks are swapped back where joints held out agree
--slips --no-slips find_slips findSlips: slips are always reported, and never change the fit
--motion-lines: strides that repeat decide where gaps do not, left and right together
--no-motion-lines: strides that repeat decide where gaps do not, left and right together
motion_lines motionLines: strides that repeat decide where gaps do not, left and right together
--mirror-sides: strides that repeat decide where gaps do not, left and right together
--no-mirror-sides: strides that repeat decide where gaps do not, left and right together
mirror_sides mirrorSides: strides that repeat decide where gaps do not, left and right together
--falloff falloff: softness gives way at 1 per radian
--shape-trim shape_trim_percent: leave frames out (--exclude), or estimate with --strictness robust
shapeTrim: leave frames out (--exclude), or estimate with --strictness robust
--marker-tolerance marker_tolerance_mm: list the markers of each body in a file (--groups)
--axis-tolerance axis_tolerance_deg axisTolerance: it follows from the joint's gap and the noise
--protocol: use --progress openjd
--failures: with --progress openjd parts (--items) only report failures; --merge counts them
by byFrame: write it behind the frames, as time='keys/2'
at_keys atKeys: use time='at-keys'
key_range keyRange: use time (timeRange)
joint_suffix jointSuffix: rename the joints; names end in _joint
--rate rate --speed: it has 30 frames and 90 degrees a second, and holds limits for 5 frames
speed_deg --hold: it has 30 frames and 90 degrees a second, and holds limits for 5 frames
hold_frames: it has 30 frames and 90 degrees a second, and holds limits for 5 frames
stiffness damp_range_deg dampRange damp_strength: set it on the joints in Maya, after the limits
dampStrength: set it on the joints in Maya, after the limits
--ball-joints ball_joints --hinge-joints: use joints_as (--joints-as): channels, ball, hinge or both
hinge_joints: use joints_as (--joints-as): channels, ball, hinge or both
character_pattern character_list: use character_by (--character-by)
open_errors: use opening: lenient accepts errors
expressions: use opening: strict refuses them
max_file_bytes max_clip_bytes: use max_bytes
max_clip_numbers max_samples: use max_numbers
max_line_bytes: one bound holds for all files; raise max_bytes, max_joints or max_numbers
max_json_bytes: one bound holds for all files; raise max_bytes, max_joints or max_numbers
max_summary_bytes: one bound holds for all files; raise max_bytes, max_joints or max_numbers
max_depth max_words: one bound holds for all files; raise max_bytes, max_joints or max_numbers
max_unkeyed_samples: one bound holds for all files; raise max_bytes, max_joints or max_numbers
max_statement_bytes: one bound holds for all files; raise max_bytes, max_joints or max_numbers
max_skipped_bytes: one bound holds for all files; raise max_bytes, max_joints or max_numbers
max_nesting: one bound holds for all files; raise max_bytes, max_joints or max_numbers
max_reference_depth: one bound holds for all files; raise max_bytes, max_joints or max_numbers
"""
_OF_SKELETON = (
    "--samples --symmetry --prior --advise --frame --joints --mode --limit-root --noise "
    "--unlimited-gap --skip-rules --leave-out --as "
)
_LATER = "estimate limits from the motion written, as jointlimits estimate CLIP.skeleton.ma"
_ROWS = [line.partition(": ") for line in _TABLE.splitlines()]
REMOVED = {
    **{name: words for names, _, words in _ROWS for name in names.split()},
    **{f"skeleton {flag}": _LATER for flag in _OF_SKELETON.split()},
}
"""By subcommand, flag, option or choice; every message about an unknown word ends with these."""

FORMER_DEFAULTS: dict[str, Any] = {
    "noise_deg": None,
    "unlimited_gap_deg": 30.0,
    "skip_rules": [],
    "purpose": "",
    "shape_trim_percent": 0.0,
    "by": 1.0,
    "at_keys": False,
    "stiffness": None,
    "damp_range_deg": None,
    "damp_strength": None,
    "open_errors": "fail",
    "expressions": "run",
}
"""Defaults of options that are gone; a manifest may still have them."""
