"""Reading motion, rest pose and existing limits from the scene."""
