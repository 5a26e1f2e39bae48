"""Joints of a Maya rig: attributes, curves, drivers, poses, and plans for changes.

Shared by the readers and writers of scene files and of the open scene.
"""
