"""Small files in every text format that is read."""

from __future__ import annotations

from pathlib import Path

ASF = b"""# a comment
:version 1.10
:name ARM
:units
  mass 1.0
  length 0.45   # another comment
  angle deg
:documentation
  begin of a free text, which says :nothing
:root
   order TX TY TZ RX RY RZ
   axis XYZ
   position 1 2 3
   orientation 0 0 0
:bonedata
  begin
     id 1
     name upper
     name upper
     direction 0.6 0.8 0.0
     length 5.0
     axis 10 20 30 XYZ
    dof rx ry rz
    limits (-160.0 20.0)
           (-inf inf)
           (-60.0 inf)
  end
  begin
     id 2
     name lower
     direction 0.0 1.0 0.0
     length 4.0
     axis -40 50 60 ZYX
    dof rz rx
    limits (-10.0 170.0) (-5 5)
  end
  begin
     name tip
     direction 0 0 1
     length 1
     axis 0 0 0 XYZ
  end
:hierarchy
  begin
    root upper
    upper lower
    lower tip
  end
"""

AMC = b"""#!OML:ASF C:\\ARM.ASF
:FULLY-SPECIFIED
:DEGREES
1
root 0.5 0.25 0.125 10 20 30
upper 5 15 25
lower -35 45
2
root 1 2 3 -10 -20 -30
upper 400 0 0
lower 1e1 -2.5e-1
"""

MANIFEST = b"""{
 "format": "jointlimits.manifest", "version": 1,
 "options": {"pad_deg": 2.0},
 "characters": [
  {"name": "one", "clips": ["a/walk.bvh", "a/run.bvh"]},
  {"name": "two", "clips": ["b/01.amc"], "skeleton": "b/01.asf", "frame_rate": 120},
  {"name": "three", "scene": "c/rig.ma", "options": {"apply": true, "joints": ["*"]}}
 ]
}
"""

LISTED = b"""# file, character
a/*.bvh, one
"b/01.amc","two, the second"
c/rig.ma,three
"""


MARKERS = b"""{
 "thigh": {"limb": ["RTHI", "RKNE", "RANK"]},
 "shin": {"limb": ["RKNE+RTHI", "RANK", "LTHI1"]},
 "left": ["LTHI*"],
 "middle": ["RTHI+RKNE", "s:*"],
 "odd": ["[[]odd]", "two ?ords", "r???"],
 "none": ["not there"]
}
"""

_COLUMNS = ",".join(
    f"{body}.{column}"
    for body in ("chest", "upper arm")
    for column in ("px", "py", "pz", "qx", "qy", "qz", "qw")
)
BODIES_CSV = (
    f"# units: mm\n# frame_rate: 30\n# up: z\nframe,{_COLUMNS}\n"
    "0,102.5,-17.9,1300.9,0,0.6,0.8,0,-0.5,305.6,1304.4,0,0.6,0,0.8\n"
    "1,98.6,-30.6,1303.6,0,0.6,0.8,0,13.9,299.7,1311.7,0,0.6,0,0.8\n"
    "2,95.9,-38.9,1303.1,,,,,27.7,288.4,1321.2,0.6,0,0,-0.8\n"
    "4,93.1,-48.6,1303.8,0,0,1,0,41.6,283.9,1325.9,0,0.28,0,0.96\n"
).encode()

_FOOT = "Left, Foot"
MOTIVE_CSV = "\n".join(
    [
        "Format Version,1.23,Take Name,walk,Capture Frame Rate,120.000000,Export Frame Rate,"
        "60.000000,Rotation Type,Quaternion,Length Units,Millimeters,Coordinate Space,Global",
        "",
        ",," + "Rigid Body," * 8 + "Marker,Marker,Marker",
        ",," + f'"{_FOOT}",' * 8 + "F:Marker1,F:Marker1,F:Marker1",
        ",," + "1A," * 8 + "1C,1C,1C",
        ",," + "Rotation," * 4 + "Position," * 3 + "Mean Marker Error" + ",Position" * 3,
        "Frame,Time (Seconds),X,Y,Z,W,X,Y,Z,,X,Y,Z",
        "0,0.000000,0,0,0.6,0.8,100,200,300,0.1,4,5,6",
        "1,0.016667,0,0.6,0,0.8,101,200,300,0.1,4,5,6.5",
        "2,0.033333,,,,,,,,,4,5,6",
        "3,0.050000,0,0.6,0,0.8,101,210,300,0.1,,,",
        "",
    ]
).encode()

_RIG = b"""//Maya ASCII 2024 scene
requires maya "2024";
currentUnit -l centimeter -a degree -t film;
createNode transform -n "rig";
	setAttr ".s" -type "double3" 1 2 1 ;
createNode joint -n "hips" -p "rig";
	addAttr -ci true -sn "mark" -ln "mark" -dt "string";
	setAttr ".t" -type "double3" 0 90 0 ;
	setAttr ".ro" 3;
	setAttr -l on ".ry";
	setAttr ".jo" -type "double3" 10 20 30 ;
	setAttr ".mnrl" -type "double3" -30 -360 -360 ;
	setAttr ".mxrl" -type "double3" 60 360 360 ;
	setAttr ".mrxe" yes;
	setAttr ".xrxe" yes;
createNode joint -n "knee" -p "|rig|hips";
	setAttr ".t" -type "double3" 0 -40 0 ;
	setAttr ".is" -type "double3" 1 1 1 ;
	setAttr ".bps" -type "matrix" 1 0 0 0 0 1 0 0 0 0 1 0 0 50 0 1 ;
"""

_CURVES = b"""createNode animCurveTA -n "hips_rotateX";
	setAttr ".tan" 18;
	setAttr ".wgt" no;
	setAttr -s 4 ".ktv[0:3]"  0 0 5 30 10 -20.5 24 10;
	setAttr -s 4 ".kit[1:3]"  2 1 18;
	setAttr -s 4 ".kix[0:3]"  1 0.5 0.04 1;
	setAttr -s 4 ".kiy[0:3]"  0 0.5 -0.9 0;
createNode animCurveTA -n "knee_rotateX";
	setAttr ".tan" 9;
	setAttr ".wgt" yes;
	setAttr -s 3 ".ktv[0:2]"  0 0 12 90 24 10;
createNode unitConversion -n "half";
	setAttr ".cf" 0.5;
createNode dagPose -n "bind";
	setAttr -s 2 ".wm";
	setAttr ".wm[0]" -type "matrix" 1 0 0 0 0 1 0 0 0 0 1 0 0 90 0 1 ;
	setAttr -s 2 ".xm";
	setAttr ".xm[0]" -type "matrix" "xform" 1 1 1 0 0 0 0 0 90 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 \
0 1 0 0 0 1 1 1 1 yes;
	setAttr ".bp" yes;
connectAttr "hips_rotateX.o" "hips.rx";
connectAttr "knee_rotateX.o" "half.i";
connectAttr "half.o" "knee.rx";
connectAttr "hips.s" "knee.is";
connectAttr "hips.msg" "bind.m[0]";
connectAttr "bind.w" "bind.p[0]";
createNode script -n "bad";
	setAttr ".b" -type "string" "python(\\"import os; os.system('true')\\")";
	setAttr ".st" 1;
// End of scene.ma
"""

_REFERENCE = b"""//Maya ASCII 2024 scene
file -rdi 1 -ns "char" -rfn "charRN" -op "v=0;" -typ "mayaAscii" "rig.ma";
file -r -ns "char" -dr 1 -rfn "charRN" -op "v=0;" -typ "mayaAscii" "rig.ma";
requires maya "2024";
currentUnit -l meter -a radian -t ntsc;
createNode reference -n "charRN";
	setAttr ".ed" -type "dataReferenceEdits"
		"charRN"
		"charRN" 0
		"charRN" 3
		2 "|char:rig|char:hips" "rotate" " -type \\"double3\\" 0 0.5 0"
		8 "char:knee" "rotateZ"
		5 4 "charRN" "|char:rig|char:hips.rotateX" "charRN.placeHolderList[1]" "";
	setAttr ".ptag" -type "string" "";
createNode animCurveTA -n "turn";
	setAttr -s 3 ".ktv[0:2]"  0 0 5 0.5 10 -0.25;
connectAttr "turn.o" "charRN.phl[1]";
"""

RIG = _RIG
"""Lies beside every scene as rig.ma."""
SCENE, REFERENCING_SCENE = _RIG + _CURVES, _REFERENCE

BVH = b"""HIERARCHY
ROOT hips
{
 OFFSET 0 0 0
 CHANNELS 3 Zrotation Xrotation Yrotation
 JOINT knee
 {
  OFFSET 0 -1 0
  CHANNELS 1 Xrotation
  End Site
  {
   OFFSET 0 -1 0
  }
 }
}
MOTION
Frames: 4
Frame Time: 0.04
0 0 0 0
3 2 1 20
5 3 2 50
1 0 4 10
"""


def write(folder: Path, text: str | bytes, name: str = "clip.bvh") -> Path:
    """Write a file and give its path."""
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path
