"""Single rotations in plain Python, for the rig node, which runs without numpy."""
