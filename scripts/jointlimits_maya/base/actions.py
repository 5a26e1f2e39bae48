"""Option groups of each action, shared by its function and its command."""

READ = ("scene", "time", "evaluation")
ESTIMATE = ("estimate", *READ, "rest pose", "result", "with shapes", "coupled")
APPLY = ("scene", "evaluation", "limits", "write", "clamping")
CLEAR = ("scene",)
BAKE = ("scene", "time")
MIRROR = ("scene", "mirror", "clamping")
FILTER = ("scene", "evaluation")
SWITCH = ("scene", "evaluation", "switch")
CHECK = (*READ, "limits", "check")
PROJECT = ("scene", "limits", "project", "live")
PROJECT_KEYS = ("scene", "time", "limits", "project")
SKELETON = ("bodies", "chain", "time")
