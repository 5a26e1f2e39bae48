"""Batches of scenes, run with mayapy."""
