"""Limits as files of other programs."""
