"""Limits as files for other programs."""
