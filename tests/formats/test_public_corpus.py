"""Every public file is read, or rejected with the message that is listed here."""

from __future__ import annotations

import re
from functools import partial

import pytest

from jointlimits_core.base.errors import InputError
from jointlimits_core.estimation.summary_file import read_summary
from jointlimits_core.formats.read_bodies import read_body_clips
from jointlimits_core.formats.registry import motion_endings, read_motion
from jointlimits_core.importers.read import read_limits
from tests.support.shared_data import SHARED

DATA = SHARED / "data"
NO_JOINTS = "the scene has no joints"
NO_TABLE = "is not a known table of bodies"
NO_POSITIONS = "has rotations but no positions"
NO_SKELETON = "an AMC motion needs a skeleton"
REFUSED = {
    "bodies/btk_MotionMonitorC3D.c3d": "no three of the 7 markers",
    "bodies/btk_MyCube.c3d": "'btk_MyCube' has one frame",
    **{
        f"bodies/imu_lower_body/{name}_Quaternion.csv": NO_POSITIONS
        for name in ("Left_Foot", "Left_Lower_Leg", "Left_Upper_Leg", "pelvis")
    },
    **{
        f"limits/{name}": NO_TABLE
        for name in (
            *("aaos_ama_rom.csv", "asf_dof_limits.csv", "deepmimic_humanoid3d.txt"),
            *("deepmimic_limits.csv", "mujoco_joint_ranges.csv", "opensim_coordinate_ranges.csv"),
        )
    },
    **{
        f"maya/{name}.ma": NO_JOINTS
        for name in (
            *("maya2gltf/RobotChainTest1", "maya2gltf/SimpleCube1", "maya2gltf/referencedCube1"),
            *("referenced/aws/ref", "referenced/aws/scene_file_to_reference"),
            "referenced/rhino_anim_001",
        )
    },
    **{
        f"mocap/deepmimic/humanoid3d_{name}.txt": NO_TABLE
        for name in ("jump", "kick", "run", "walk")
    },
    **{f"mocap/other_bvh/walk01_{name}.csv": NO_TABLE for name in ("hierarchy", "pos", "rot")},
    **{
        f"hostile/amc-{name}.amc": NO_SKELETON
        for name in ("30540287", "7da3b747", "8ec5c960", "bf05355d", "c530d318")
    },
    "hostile/bvh-b3e9a6b8.bvh": "joint 'Spine' is rotated by over",
    **{
        f"hostile/summary-{name}.summary.npz": "not a clip summary, or damaged"
        for name in ("75cee657", "f066bcf7")
    },
    "hostile/one_byte.c3d": "only 13 of the 41 markers",
    "hostile/reference_fan/top.ma": "has more than 10,000 joints",
}
"""Start of the message about each rejected file, by path."""
READERS = {
    **dict.fromkeys((".bvh", ".amc", ".ma"), read_motion),
    **dict.fromkeys((".asf",), read_limits),
    ".npz": read_summary,
    **dict.fromkeys((".c3d", ".csv", ".txt"), lambda path: read_body_clips([path])),
}
"""FBX files: :mod:`tests.formats.test_fbx_corpus`."""
PART = re.compile(r"hostile/reference_bomb/t[1-9]")


def files() -> list[str]:
    if not DATA.is_dir():
        return []
    found = (path for path in sorted(DATA.rglob("*")) if path.suffix.lower() in READERS)
    names = (path.relative_to(DATA).as_posix() for path in found)
    # Of the scenes that reference each other, the first reads them all.
    return [name for name in names if "MANIFEST" not in name and not PART.match(name)]


@pytest.mark.thorough
@pytest.mark.skipif(not DATA.is_dir(), reason="the shared data are not on this machine")
@pytest.mark.parametrize("name", files())
def test_it_is_read_or_refused_in_a_sentence(name):
    path = DATA / name
    read = partial(READERS[path.suffix.lower()], path)
    if name not in REFUSED:
        read()
        return
    with pytest.raises(InputError, match=f": {re.escape(REFUSED[name])}") as error:
        read()
    assert "\n" not in str(error.value)


def test_every_format_of_motion_is_among_them():
    assert set(motion_endings()) - {".fbx"} <= set(READERS)
