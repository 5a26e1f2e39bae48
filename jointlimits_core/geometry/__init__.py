"""Rotations, angles on a circle, axes and joint orientations; numpy arrays in and out."""
