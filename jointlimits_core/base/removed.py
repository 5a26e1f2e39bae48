"""Words of earlier versions that name nothing now, each with what to use in its place."""

_NOISE = "the noise is estimated from the motion"
_GAP = "a channel is free if its motion leaves less than 30 degrees unused"
_RULES = "list in leave_out (--leave-out) the rules whose frames are excluded"
_PURPOSE = "say it in the character's name (--character)"

REMOVED = {
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
}
"""By subcommand, flag, option or choice; every message about an unknown word ends with these."""
