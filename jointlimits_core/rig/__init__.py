"""Joint attribute values for a limit set, shared by all writers.

Maya's joint model, shared by the scene file reader and the open scene.
"""
