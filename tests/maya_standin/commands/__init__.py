"""maya.cmds, maya.mel, maya.utils and maya.standalone of the stand-in.

Every command is a function in one of the files here, registered by name; a name that is not
registered, and that no plug-in brought, raises.
"""
