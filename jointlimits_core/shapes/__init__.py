"""Coupled limits: sets of allowed rotations, with projection onto them.

A shape is a region of three-dimensional coordinates and the chart that maps rotations to those
coordinates. See :mod:`.shape` for the interface of shapes, :mod:`.fitting` for how they are fitted.
"""
