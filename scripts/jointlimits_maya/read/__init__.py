"""Readers of the open scene's motion, rest pose and existing limits."""
