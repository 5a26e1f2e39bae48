"""Scenes of our own for the tests of the writer, and a small reader independent of it."""

from __future__ import annotations

import difflib
import re

from jointlimits_core.formats.maya_ascii.writer import write_joint_attributes
from jointlimits_core.geometry.euler import CHANNELS
from jointlimits_core.rig.limit_plan import JointChange

SCENE = """//Maya ASCII 2024 scene
//Name: arm.ma
//Codeset: UTF-8
requires maya "2024";
currentUnit -l centimeter -a degree -t film;
fileInfo "note" "semi; \\"colon\\" // no comment";
createNode transform -n "rig";
\trename -uid "0000";
createNode joint -n "shoulder" -p "rig";
\trename -uid "0001";
\taddAttr -ci true -sn "liw" -ln "lockInfluenceWeights" -min 0 -max 1 -at "bool";
\tsetAttr ".t" -type "double3" 1 2 3 ;
\tsetAttr ".jo" -type "double3" 0 0 90 ;
\tsetAttr ".bps" -type "matrix" 1 0 0 0 0 1 0 0
\t\t 0 0 1 0 0 0 0 1;
\tsetAttr ".radi" 0.5;
createNode joint -n "elbow" -p "shoulder";
\trename -uid "0002";
\tsetAttr ".t" -type "double3" 10 0 0 ;
\tsetAttr ".mnrl" -type "double3" -360 -360 -360 ;
\tsetAttr ".mxrl" -type "double3" 360 360 360 ;
\tsetAttr ".radi" 0.5;
createNode joint -n "wrist" -p "elbow";
createNode mesh -n "skin" -p "rig";
\tsetAttr ".mrxe" yes;
connectAttr "shoulder.s" "elbow.is";
// End of arm.ma
"""

KNEE = JointChange(limits_deg={"rotateX": (-10.5, 140.0), "rotateY": (None, None)})


def write(folder, text, changes, name="scene.ma", out="out.ma", **options):
    """Write a scene, apply changes to it, give the report and the text of the copy."""
    scene = folder / name
    scene.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8"))
    report = write_joint_attributes(scene, folder / out, changes, **options)
    return report, (folder / out).read_bytes().decode("utf-8", "surrogateescape")


def pose_inside(change):
    """Rotates in degrees inside the limits of a change, so that all of them are written."""
    pairs = [change.limits_deg.get(channel, (None, None)) for channel in CHANNELS]
    known = [[end for end in pair if end is not None] or [0.0] for pair in pairs]
    return [sum(ends) / len(ends) for ends in known]


def lines_added(before, after):
    """Lines of a diff, both ways, without context."""
    return [
        line
        for line in difflib.ndiff(before.splitlines(True), after.splitlines(True))
        if line[0] in "+-"
    ]


def block(text, joint):
    """The createNode block of a joint, by a reader that knows nothing of the writer's."""
    match = re.search(
        rf'^createNode joint (?:-n|-name) "{re.escape(joint)}".*?(?=^[a-zA-Z/]|\Z)',
        text,
        re.M | re.S,
    )
    return match.group()


def triple(text, joint, short, long):
    """Values of a compound in a joint's block."""
    match = re.search(rf'"\.(?:{short}|{long})"\s+-type "double3"\s+([^;]*);', block(text, joint))
    return [float(word) for word in match[1].split()] if match else None


def switch(text, joint, short):
    match = re.search(rf'"\.{short}" (\w+);', block(text, joint))
    return match[1] if match else None


def reasons(report):
    return {(one.joint, one.attribute, one.reason) for one in report.skipped}
