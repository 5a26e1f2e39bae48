"""Small Maya ASCII scenes for the tests, written to files."""

from __future__ import annotations

HEADER = (
    '//Maya ASCII 2024 scene\nrequires maya "2024";\ncurrentUnit -l centimeter -a degree -t film;\n'
)

ELBOW = """//Maya ASCII 2023 scene
createNode joint -n "elbow";
	setAttr -l on ".rx";
	setAttr -l on ".ry";
	setAttr ".mnrl" -type "double3" -45 -45 0;
	setAttr ".mxrl" -type "double3" 45 45 143.5;
	setAttr ".mrze" yes;
	setAttr ".xrze" yes;
"""


def write_scene(folder, body, name="scene.ma", header=HEADER):
    """Write a scene with a header and give its path."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    text = header + body
    path.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8", "surrogateescape"))
    return path


def curve(name, keys, kind="animCurveTA", tangent=2, more=""):
    """An animCurve node with keys given as (time, value)."""
    pairs = " ".join(f"{time} {value}" for time, value in keys)
    return (
        f'createNode {kind} -n "{name}";\n\tsetAttr ".tan" {tangent};\n\tsetAttr ".wgt" no;\n'
        f'\tsetAttr -s {len(keys)} ".ktv[0:{len(keys) - 1}]"  {pairs};\n{more}'
    )


def connect(source, destination):
    return f'connectAttr "{source}" "{destination}";\n'


def slider(first, last, start=None, end=None):
    """The script node that sets the time slider, and the range around it where that is given."""
    start, end = first if start is None else start, last if end is None else end
    return (
        'createNode script -n "sceneConfigurationScriptNode";\n\tsetAttr ".b" -type "string" '
        f'"playbackOptions -min {first} -max {last} -ast {start} -aet {end} ";\n'
        '\tsetAttr ".st" 6;\n'
    )
