"""Limits in a scene: estimate, apply, check, switch, clear."""
