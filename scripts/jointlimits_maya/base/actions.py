"""Option groups of each action, shared by its function and its command."""

ESTIMATE = ("estimate", "scene", "time", "rest pose", "result", "with shapes", "coupled")
APPLY = ("scene", "limits", "write", "clamping")
CLEAR = ("scene",)
BAKE = ("scene", "time")
MIRROR = ("scene", "mirror", "clamping")
FILTER = ("scene",)
SWITCH = ("scene", "switch")
CHECK = ("scene", "time", "limits", "check")
PROJECT = ("scene", "limits", "project", "live")
PROJECT_KEYS = ("scene", "time", "limits", "project")
SKELETON = ("bodies", "chain", "time")
