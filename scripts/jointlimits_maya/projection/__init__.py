"""Coupled limits in the rig: live nodes, and keys brought inside."""
