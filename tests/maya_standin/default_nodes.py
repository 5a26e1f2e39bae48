"""The nodes that every scene of Maya has: what `.ma` files select by `select -ne :name` (maya.md
8: real files), and the four cameras. Only their names and types matter here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.maya_standin.graph import Scene

CAMERAS = ("persp", "top", "front", "side")
NODES = {
    "time1": "time",
    "renderPartition": "partition",
    "renderGlobalsList1": "renderGlobalsList",
    "defaultShaderList1": "defaultShaderList",
    "postProcessList1": "postProcessList",
    "defaultRenderingList1": "defaultRenderingList",
    "defaultRenderUtilityList1": "defaultRenderUtilityList",
    "defaultTextureList1": "defaultTextureList",
    "lightList1": "lightList",
    "initialShadingGroup": "shadingEngine",
    "initialParticleSE": "shadingEngine",
    "lambert1": "lambert",
    "standardSurface1": "standardSurface",
    "defaultRenderGlobals": "renderGlobals",
    "defaultResolution": "resolution",
    "hardwareRenderGlobals": "hwRenderGlobals",
    "hardwareRenderingGlobals": "hardwareRenderingGlobals",
    "defaultHardwareRenderGlobals": "hwRenderGlobals",
    "defaultColorMgtGlobals": "colorManagementGlobals",
    "characterPartition": "partition",
    "ikSystem": "ikSystem",
    "defaultLightSet": "objectSet",
    "defaultObjectSet": "objectSet",
}


def add_default_nodes(scene: Scene) -> None:
    """Fill an empty scene with what is always there."""
    with scene.quietly():
        for name, kind in NODES.items():
            scene.create_node(kind, name, opaque=True).is_default = True
        for name in CAMERAS:
            camera = scene.create_node("transform", name)
            shape = scene.create_node("camera", f"{name}Shape", camera)
            camera.is_default = shape.is_default = True
