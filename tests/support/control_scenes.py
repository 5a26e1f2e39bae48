"""Scenes animated on the controls of a small rig, mostly through references."""

from __future__ import annotations

from tests.support.driven_rigs import DRIVEN_KEY, control, node, orient
from tests.support.maya_scenes import HEADER, connect, curve, write_scene

SIDES = ("l", "r")
SWING = [(1, -20), (8, 15), (16, 70), (24, -5)]
TILT = [(1, 0), (8, -12), (16, 25), (24, 8)]
LIMITED = '\tsetAttr ".mrze" yes;\n\tsetAttr ".xrze" yes;\n'
"""Default limits of 45 degrees on rotateZ, which clamp the swing."""


def shaped(name, parent="", more=""):
    """A control below its own group, as in most rigs; the group turns its axes."""
    turned = '\tsetAttr ".r" -type "double3" 0 30 0 ;\n\tsetAttr ".t" -type "double3" 3 0 0 ;\n'
    return node("transform", f"{name}_grp", parent, turned) + control(name, f"{name}_grp", more)


def rig(elbow="", arm=""):
    """A world control, and on each side an arm and an elbow control whose joints follow them."""
    body = control("world_ctl")
    for side in SIDES:
        body += shaped(f"arm_{side}_ctl", "world_ctl", arm)
        body += shaped(f"elbow_{side}_ctl", f"arm_{side}_ctl", elbow)
        body += node("joint", f"arm_{side}") + node("joint", f"elbow_{side}", f"arm_{side}")
        for part in ("arm", "elbow"):
            joint = f"{part}_{side}"
            body += orient(f"{joint}_ctl", joint, f"{joint}_oc")
    return body


def plugs(space=""):
    """Keyed plugs of the rig, and their paths in the scene."""
    found = {}
    for side in SIDES:
        arm = ["world_ctl", f"arm_{side}_ctl_grp", f"arm_{side}_ctl"]
        elbow = [*arm, f"elbow_{side}_ctl_grp", f"elbow_{side}_ctl"]
        for path, axes in ((arm, "YZ"), (elbow, "Z")):
            whole = "".join(f"|{space}{name}" for name in path)
            found.update({f"{path[-1]}_{axis}": f"{whole}.rotate{axis}" for axis in axes})
    return found


def keys(space="", targets=None):
    """Curves for all plugs; `targets`: placeholders, by plug, or else the plugs themselves."""
    body = ""
    for name, plug in plugs(space).items():
        one = space.replace(":", "_") + name
        body += curve(one, TILT if name.endswith("Y") else SWING)
        body += connect(f"{one}.o", (targets or {}).get(plug, plug))
    return body


def reference(space="rig", file="rig.ma", edits=(), more="", prefix=False):
    """A scene part that references the rig and keys its controls through placeholders."""
    name, start = f"{space}RN", f"{space}{'_' if prefix else ':'}"
    flag = "-rpr" if prefix else "-ns"
    places = {plug: f"{name}.phl[{n}]" for n, plug in enumerate(plugs(start).values(), 1)}
    lines = list(edits) + [
        f'5 4 "{name}" "{plug}" "{place.replace("phl", "placeHolderList")}" ""'
        for plug, place in places.items()
    ]
    record = "".join(f"\n\t\t{line}" for line in lines)
    return (
        f'file -r {flag} "{space}" -rfn "{name}" -typ "mayaAscii" "{file}";\n'
        f'createNode reference -n "{name}";\n{more}\tsetAttr ".ed" -type "dataReferenceEdits"\n'
        f'\t\t"{name}"\n\t\t"{name}" 0\n\t\t"{name}" {len(lines)}{record};\n' + keys(start, places)
    )


def edit(path, attribute, value, code=2):
    """A reference edit on a node of the rig, named by the last part of its path."""
    whole = {plug.split(".")[0] for plug in plugs("rig:").values()}
    (node_path,) = (one for one in whole if one.endswith(f":{path}"))
    return f'{code} "{node_path}" "{attribute}"' + (f' "{value}"' if value else "")


NESTED = 'file -r -ns "shot" -rfn "shotRN" -typ "mayaAscii" "shot.ma";\n'
NESTED += 'createNode reference -n "shotRN";\n'
GROUP = curve("sway", TILT) + connect("sway.o", "elbow_l_ctl_grp.rx")
ORDER = curve("order", [(1, 0), (12, 2)], "animCurveTU", 5) + connect("order.o", "elbow_l_ctl.ro")
PIVOTS = (
    '\tsetAttr ".rp" -type "double3" 1 2 0 ;\n\tsetAttr ".sp" -type "double3" 1 2 0 ;\n'
    '\tsetAttr ".ra" -type "double3" 0 40 0 ;\n\tsetAttr ".ro" 3;\n'
)
LOCKS = [edit("elbow_l_ctl", attribute, "", 8) for attribute in ("rotateX", "minRotZLimit")]
BAKED = "".join(
    curve(f"b{part}_{side}", SWING)
    + "".join(
        f'disconnectAttr "{part}_{side}_oc.cr{axis}" "{part}_{side}.r{axis}";\n' for axis in "xyz"
    )
    + connect(f"b{part}_{side}.o", f"{part}_{side}.rz")
    for part in ("arm", "elbow")
    for side in SIDES
)

ENABLED = [edit("elbow_l_ctl", f"{end}RotZLimitEnable", " 1") for end in ("min", "max")]
DRIVEN = DRIVEN_KEY + connect("world_ctl.ty", "sdk.i") + connect("sdk.o", "elbow_l_ctl.rx")

SCENES = {
    "one file": ("", rig() + keys()),
    "a reference": (rig(), reference()),
    "a prefix": (rig(), reference(prefix=True)),
    "two namespaces": (rig(), reference("a") + reference("b")),
    "a nested reference": (rig(), NESTED),
    "a missing file": ("", reference()),
    "edits of orders and axes": (
        rig(),
        reference(edits=[edit("elbow_l_ctl", "rotateOrder", " 3")]),
    ),
    "limits of somebody else": (rig(elbow=LIMITED), reference()),
    "limits by edits": (rig(), reference(edits=ENABLED)),
    "locked channels": (rig(), reference(edits=LOCKS)),
    "a locked reference": (rig(), reference(more='\tsetAttr ".lk" yes;\n')),
    "pivots and axes": (rig(elbow=PIVOTS, arm=PIVOTS), reference()),
    "a moving group": ("", rig() + keys() + GROUP),
    "two rotate orders": ("", rig() + keys() + ORDER),
    "a driven key": ("", rig() + keys() + DRIVEN),
    "a constrained control": ("", rig() + keys() + orient("world_ctl", "elbow_r_ctl", "on")),
    "no keys": ("", rig()),
    "joints and controls": ("", rig() + keys() + BAKED),
    "no controls": ("", node("joint", "hip") + node("joint", "knee", "hip")),
}
"""Text of the rig, or "" if there is no such file, and of the scene."""


def scene(folder, name):
    """Write a scene of :data:`SCENES` with its files, and give its path."""
    rig_body, body = SCENES[name]
    if rig_body:
        write_scene(folder, rig_body, "rig.ma")
    if body == NESTED:
        write_scene(folder, reference(), "shot.ma")
    return write_scene(folder, body, "scene.ma", HEADER)
