"""Figures of the project, measured here and printed with their targets and comparisons."""

from jointlimits_core.io.process import single_threaded_algebra

single_threaded_algebra()
