"""Ball joints of captured motion, split into clips to fit shapes to and clips held out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from jointlimits_core.formats.registry import read_motion
from jointlimits_core.geometry.arrays import Floats
from jointlimits_core.motion.motion import Motion

from .figures import shared

SUBJECTS = {"01": ("01_fairmotion", "01"), "02": ("02",)}
"""Folders of each subject's clips."""
HALVES = {
    "A": {"01": SUBJECTS["01"], "07": ("07",), "16": ("16",)},
    "B": {"02": SUBJECTS["02"], "49": ("49",), "03": ("03",)},
}
"""Subjects in two halves, so that what was chosen on one can be judged on the other."""
BALLS = ("lfemur", "rfemur", "lhumerus", "rhumerus", "lowerback", "lowerneck", "thorax")


@dataclass(frozen=True, eq=False)
class BallJoint:
    """Rotations of one joint of one subject, relative to the parent, in order of time.

    Parameters
    ----------
    name : str
        Subject and joint.
    fitted : array, shape (samples, 4)
        Rotations from every second clip, starting with the first.
    held_out : array, shape (others, 4)
        Rotations from the clips in between.
    """

    name: str
    fitted: Floats
    held_out: Floats


def ball_joints(
    quick: bool = False, subjects: Mapping[str, tuple[str, ...]] = SUBJECTS
) -> Iterator[BallJoint]:
    """Seven ball joints of each subject: hips, shoulders, spine, neck; quick: of the last one."""
    for subject, folders in list(subjects.items())[-1 if quick else 0 :]:
        clips = clips_in(folders)
        for joint in BALLS:
            row = clips[0].skeleton.index(joint)
            halves = [
                np.concatenate([clip.rotations[row].T for clip in clips[half::2]])
                for half in (0, 1)
            ]
            yield BallJoint(f"{subject} {joint}", *halves)


def clips_in(folders: tuple[str, ...]) -> list[Motion]:
    """All clips of a subject, by their names."""
    places = [shared(f"data/mocap/cmu_asfamc/{folder}") for folder in folders]
    files = sorted(
        (path for place in places for path in place.glob("*.amc")), key=lambda path: path.name
    )
    return [read_motion(path, next(path.parent.glob("*.asf"))) for path in files]
