"""Rotations, angles on a circle, axes and joint frames; numpy arrays in and out."""
