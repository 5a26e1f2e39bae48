"""Tests, with a package per package of the product."""

from jointlimits_core.io.process import single_threaded_algebra

single_threaded_algebra()
