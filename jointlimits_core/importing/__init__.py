"""Limits that files of other programs declare, as limit sets."""
