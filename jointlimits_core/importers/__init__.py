"""Limits from files of other programs."""
