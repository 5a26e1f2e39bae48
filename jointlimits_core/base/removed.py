"""Words of earlier versions that name nothing now, each with what to use in its place."""

_NOISE = "the noise is estimated from the motion"
_GAP = "a channel is free if its motion leaves less than 30 degrees unused"
_RULES = "list in leave_out (--leave-out) the rules whose frames are excluded"
_PURPOSE = "say it in the character's name (--character)"
_OUTLIERS = "outlier frames are excluded where frames held out agree"
_SWAPS = "swapped tracks are swapped back where joints held out agree"
_SLIPS = "slips are always reported, and never change the fit"
_STRIDES = "strides that repeat decide where gaps do not, left and right together"
_LATER = "estimate limits from the motion written, as jointlimits estimate CLIP.skeleton.ma"

_BOUND = "one bound holds for all files; raise max_bytes, max_joints or max_numbers"

REMOVED = {
    "evaluate": "use check for frames outside the limits; estimate grades each limit",
    "ik": "pose from Python with jointlimits_core.ik.solver; project moves a motion inside",
    "look-at": "use look_at of jointlimits_core.ik.look_at from Python",
    "--noise": _NOISE,
    "noise_deg": _NOISE,
    "--unlimited-gap": _GAP,
    "unlimited_gap_deg": _GAP,
    "--skip-rules": _RULES,
    "skip_rules": _RULES,
    "--purpose": _PURPOSE,
    "purpose": _PURPOSE,
    "--last-item": "a part whose --items go past the last entry is rejected",
    "--per-process": "it is 20 in Maya and 1000 elsewhere; --jobs sets how many run at once",
    "completion": "jointlimits --help lists the commands, and --help after one its options",
    "mel": "use python, which Maya's Script Editor runs as well",
    "--reorient": "Maya does it (mayapy: cmds.applyJointLimits(joints, reorient='R'))",
    "hull-exact": "use hull, a little wider, or wrap, which is tighter",
    "kdop-sequential": "use kdop, whose nearest points are exact",
    "ellipsoid-holden": "use ellipsoid, the one of least volume",
    **dict.fromkeys(("--robust", "--no-robust", "robust"), _OUTLIERS),
    **dict.fromkeys(("--swaps", "--no-swaps", "find_swaps", "findSwaps"), _SWAPS),
    **dict.fromkeys(("--slips", "--no-slips", "find_slips", "findSlips"), _SLIPS),
    **dict.fromkeys(("--motion-lines", "--no-motion-lines"), _STRIDES),
    **dict.fromkeys(("motion_lines", "motionLines"), _STRIDES),
    **dict.fromkeys(("--mirror-sides", "--no-mirror-sides"), _STRIDES),
    **dict.fromkeys(("mirror_sides", "mirrorSides"), _STRIDES),
    **dict.fromkeys(("max_file_bytes", "max_clip_bytes"), "use max_bytes"),
    **dict.fromkeys(("max_clip_numbers", "max_samples"), "use max_numbers"),
    **dict.fromkeys(
        (
            *("max_line_bytes", "max_json_bytes", "max_summary_bytes", "max_depth", "max_words"),
            *("max_unkeyed_samples", "max_statement_bytes", "max_skipped_bytes", "max_nesting"),
            "max_reference_depth",
        ),
        _BOUND,
    ),
    **dict.fromkeys(
        (
            *("skeleton --samples", "skeleton --symmetry", "skeleton --prior", "skeleton --advise"),
            *("skeleton --frame", "skeleton --joints", "skeleton --mode", "skeleton --limit-root"),
            *("skeleton --noise", "skeleton --unlimited-gap", "skeleton --skip-rules"),
            *("skeleton --leave-out", "skeleton --as"),
        ),
        _LATER,
    ),
}
"""By subcommand, flag, option or choice; every message about an unknown word ends with these."""
