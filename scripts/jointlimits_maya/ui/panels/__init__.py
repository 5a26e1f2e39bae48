"""Panels around a joint, and the tabs below it."""
