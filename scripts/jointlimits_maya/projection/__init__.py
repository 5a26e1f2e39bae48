"""Coupled limits in the rig: live nodes, and keys moved inside the limits."""
