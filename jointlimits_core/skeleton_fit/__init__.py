"""Skeletons from tracks of loose rigid bodies and markers."""
