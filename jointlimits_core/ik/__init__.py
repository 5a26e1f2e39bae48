"""Inverse kinematics and look-at within limits."""
