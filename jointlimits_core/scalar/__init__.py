"""One rotation at a time in plain Python, for the rig's node, which runs without numpy."""
