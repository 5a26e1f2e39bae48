"""Joints of a Maya rig: attributes, curves, drivers, poses, and plans of changes.

Shared by the readers and writers of scene files and the open scene.
"""
