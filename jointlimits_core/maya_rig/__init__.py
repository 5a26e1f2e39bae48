"""What Maya makes of joints and their channels, whether they come from a file or the open scene."""
