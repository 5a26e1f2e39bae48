"""Joints built from animated transforms."""
