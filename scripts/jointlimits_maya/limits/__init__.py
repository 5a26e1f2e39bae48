"""Limits in a scene: estimate, apply, check, switch, clear."""

from .api import Names, apply, check, clear, estimate, limits_of_each, switch_limits
