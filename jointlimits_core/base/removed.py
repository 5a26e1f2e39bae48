"""Words of earlier versions that name nothing now, each with what to use in its place."""

REMOVED = {
    "completion": "jointlimits --help lists the commands, and --help after one its options",
    "mel": "use python, which Maya's Script Editor runs as well",
    "--reorient": "Maya does it (mayapy: cmds.applyJointLimits(joints, reorient='R'))",
    "hull-exact": "use hull, a little wider, or wrap, which is tighter",
    "kdop-sequential": "use kdop, whose nearest points are exact",
    "ellipsoid-holden": "use ellipsoid, the one of least volume",
}
"""By subcommand, flag, option or choice; every message about an unknown word ends with these."""
