"""Coupled limits: sets of rotations that any rotation can be brought into.

A shape is a region of three-dimensional coordinates and the chart that gives a rotation those
coordinates. See :mod:`.shape` for what every shape can do, :mod:`.fitting` for how one is made.
"""
