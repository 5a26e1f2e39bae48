"""Words of earlier versions that name nothing now, each with what to use in its place."""

REMOVED = {
    "evaluate": "use check for frames outside the limits; estimate grades each limit",
    "ik": "pose from Python with jointlimits_core.ik, or use project to move a motion inside",
    "look-at": "use look_at of jointlimits_core.ik from Python",
}
"""By subcommand, flag, option or choice; every message about an unknown word ends with these."""
