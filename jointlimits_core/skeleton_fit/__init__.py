"""Skeletons from bodies that were tracked one by one."""
