"""Scenes as text, to compare how Maya reads scene files."""

from __future__ import annotations

import math

from maya import cmds

from tests.maya_live.scenes import open_file, temporary_folder

HEADER = (
    '//Maya ASCII 2022 scene\nrequires maya "2022";\ncurrentUnit -l centimeter -a degree -t film;\n'
)


def open_text(folder, body, name="scene.ma", header=HEADER):
    """Write a scene and open it."""
    path = f"{folder}/{name}"
    with open(path, "w", encoding="utf-8") as stream:
        stream.write(header + body)
    open_file(path)
    return path


def curve_text(lines):
    """A joint whose rotateX has a curve with these lines."""
    return (
        'createNode joint -n "knee";\ncreateNode animCurveTA -n "knee_rotateX";\n'
        + "".join(f"\tsetAttr {line};\n" for line in lines)
        + 'connectAttr "knee_rotateX.o" "knee.rx";\n'
    )


def keys_text(keys):
    pairs = " ".join(f"{time} {value}" for time, value in keys)
    return f'-s {len(keys)} ".ktv[0:{len(keys) - 1}]" {pairs}'


def apart_from_our_reader(lines):
    """Largest difference in degrees between Maya and our reader of scenes, over the keys' range.

    Also returns both values at the worst place, as "frame: Maya, ours".
    """
    from jointlimits_core.formats.registry import read_motion

    with temporary_folder() as folder:
        path = open_text(folder, curve_text(lines))
        times = [1 + 0.25 * k for k in range(77)]
        found = cmds.keyframe(
            "knee_rotateX", query=True, eval=True, time=[(time, time) for time in times]
        )
        motion = read_motion(path)
    ours = dict(zip(motion.frames.tolist(), (math.degrees(x) for x in motion.rotates[0, 0])))
    both = [(abs(v - ours[t]), t, v, ours[t]) for t, v in zip(times, found) if t in ours]
    assert len(both) >= 10, "there is nothing to compare"
    worst, time, theirs, mine = max(both)
    return worst, f"frame {time:g}: Maya {theirs:.6g}, our reader {mine:.6g}"


def agrees_with_our_reader(lines):
    """Assert that Maya and our reader give the same curve, to a thousandth of a degree."""
    worst, where = apart_from_our_reader(lines)
    assert worst < 1e-3, where
    return f"{worst:.1e} degrees apart"
