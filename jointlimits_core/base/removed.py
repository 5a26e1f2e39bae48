"""Words of earlier versions that name nothing now, each with what to use in its place."""

REMOVED = {"evaluate": "use check for frames outside the limits; estimate grades each limit"}
"""By subcommand, flag, option or choice; every message about an unknown word ends with these."""
