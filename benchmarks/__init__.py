"""Figures of the project: measured here, printed with their targets and what they are beside."""

from jointlimits_core.io.process import single_threaded_algebra

single_threaded_algebra()
