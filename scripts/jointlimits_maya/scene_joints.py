"""Joints of the scene."""

from __future__ import annotations

from collections.abc import Iterator

import maya.api.OpenMaya as om


def all_joints() -> Iterator[om.MDagPath]:
    """All joints of the scene, parents before their children."""
    # The stubs import this class without exporting it.
    walker = om.MItDag  # type: ignore[attr-defined]
    walk = walker(walker.kDepthFirst, om.MFn.kJoint)
    while not walk.isDone():
        path = walk.getPath()
        # The filter also passes joint types of other plug-ins.
        if path.apiType() == om.MFn.kJoint:
            yield path
        walk.next()
