"""What inputs are made from: small files of our own, and real ones where they are there."""

from __future__ import annotations

import io
import json
import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np

from jointlimits_core.base import options_of
from jointlimits_core.estimation import (
    SHAPE_OPTIONS,
    EstimateOptions,
    estimate,
    summarize,
    with_requested_shapes,
    write_summary,
)
from jointlimits_core.formats import bvh_text
from jointlimits_core.formats.maya_ascii.motion_scene import motion_scene
from jointlimits_core.geometry import quaternion_from_euler, rotation_vector_from_quaternion
from jointlimits_core.motion import Motion
from tests.fuzz.c3d_seeds import c3d_seeds, c3d_track_seeds
from tests.fuzz.fbx_seeds import fbx_seeds, fbx_text_seeds
from tests.fuzz.result_folder import prepared_results, result_path
from tests.fuzz.texts import (
    AMC,
    ASF,
    BODIES_CSV,
    LISTED,
    MANIFEST,
    MARKERS,
    MJCF,
    MJCF_PARTS,
    MOTIVE_CSV,
    SCENES,
    URDF,
)

SHARED = Path(__file__).resolve().parents[3] / "shared" / "data"
MOST_BYTES = 12_000
"""A larger real file is cut behind the line that reaches so far."""
MOST_REAL = 3


def _motion(frames: int, joints: int = 4) -> Motion:
    """Joints that turn, each in its own way."""
    t = np.linspace(0.0, 2.0 * np.pi, frames)
    ranges = np.radians(
        [[20.0, 10.0, 5.0], [60.0, 0.0, 0.0], [30.0, 0.0, 12.0], [40.0, 30.0, 50.0]]
    )
    waves = np.stack([np.sin(t), np.cos(2.0 * t), np.sin(3.0 * t + 1.0)], axis=-1)
    quaternions = quaternion_from_euler(waves[:, None] * ranges[:joints])
    names = ("hips", "left_knee", "left_ankle", "right_hip")[:joints]
    parents = (-1, 0, 1, 0)[:joints]
    offsets = np.arange(3.0 * joints).reshape(joints, 3)
    return Motion.from_quaternions(names, parents, quaternions, 30.0, offsets=offsets, name="walk")


def _real(pattern: str) -> list[bytes]:
    """Beginnings of real files, cut at a line; none where they are not there."""
    found = []
    for path in sorted(SHARED.glob(pattern), key=lambda path: path.stat().st_size)[:MOST_REAL]:
        data = path.read_bytes()
        end = data.find(b"\n", MOST_BYTES)
        found.append(data if end < 0 else data[: end + 1])
    return found


def bvh_seeds() -> list[bytes]:
    """BVH files."""
    own = bvh_text(_motion(4)).encode()
    odd = own.replace(b"left_knee", b"hips").replace(b"Yrotation Xrotation", b"Xrotation Zrotation")
    return [own, own, own, odd, *_real("mocap/*_bvh/*.bvh"), *_real("mocap/geno/*.bvh")]


def asf_seeds() -> list[bytes]:
    """Acclaim skeletons."""
    return [ASF, ASF, ASF, *_real("mocap/cmu_asfamc/0*/*.asf")]


def amc_seeds() -> list[bytes]:
    """Motions of the skeleton of our own."""
    return [AMC, AMC.replace(b":DEGREES", b":RADIANS")]


def scene_seeds() -> list[bytes]:
    """Maya ASCII scenes."""
    own = motion_scene(_motion(4)).encode()
    return [own, own, *SCENES, *SCENES, *_real("maya/mayausd/*.ma")]


def limit_seeds() -> list[bytes]:
    """Limit sets, plain, with shapes, and of the paper's mode."""
    clips, asked = [_motion(20, 2)], EstimateOptions()
    plain = estimate(clips, asked)
    made = [plain, estimate(clips, EstimateOptions(mode="paper"))]
    shapes = {item.name: item.default for group in SHAPE_OPTIONS for item in options_of(group)}
    for shape in ("hull", "ellipsoid", "wrap", "implicit"):
        values = {**shapes, "coupled": True, "shape": shape}
        made.append(with_requested_shapes(plain, clips, values, asked))
    return [one.to_json().encode() for one in made]


def summary_seeds() -> list[bytes]:
    """Summaries of clips."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "walk.summary.npz"
        write_summary(summarize([_motion(12)]), path)
        return [path.read_bytes()]


def amass_seeds() -> list[bytes]:
    """Motion of SMPL, plain and in parts, and packed."""
    turns = rotation_vector_from_quaternion(np.moveaxis(_motion(5).rotations, 2, 0))
    pose = np.tile(turns, (1, 6, 1)).reshape(5, -1)
    common = {"trans": pose[:, :3], "betas": np.zeros(10), "gender": np.array("neutral")}
    found = []
    plain: Callable[..., None] = np.savez
    packed: Callable[..., None] = np.savez_compressed
    for save, members in (
        (plain, {"poses": pose, "mocap_framerate": np.array(60.0)}),
        (plain, {"root_orient": pose[:, :3], "pose_body": pose[:, 3:66], "fps": np.array(30)}),
        (packed, {"poses": pose.astype(np.float32)}),
    ):
        made = io.BytesIO()
        save(made, **members, **common)
        found.append(made.getvalue())
    return found


def result_seeds() -> list[bytes]:
    """The result of a character that has limits, and of one that failed."""
    with tempfile.TemporaryDirectory() as name:
        prepared_results(Path(name))
        fine = result_path(Path(name)).read_bytes()
    document = json.loads(fine)
    changed = {"status": "failed", "message": "walk.bvh:3: is broken", "files": []}
    return [fine, fine, json.dumps({**document, **changed}).encode()]


SEEDS: dict[str, Callable[[], list[bytes]]] = {
    "bvh": bvh_seeds,
    "asf": asf_seeds,
    "amc": amc_seeds,
    "ma": scene_seeds,
    "amass": amass_seeds,
    "fbx": fbx_seeds,
    "fbx_text": fbx_text_seeds,
    "limits": limit_seeds,
    "summary": summary_seeds,
    "manifest": lambda: [MANIFEST],
    "listed": lambda: [LISTED],
    "mjcf": lambda: [MJCF, MJCF, *_real("limits/dm_control*.xml")],
    "mjcf_parts": lambda: [MJCF_PARTS],
    "urdf": lambda: [URDF],
    "asf_limits": asf_seeds,
    "ma_limits": scene_seeds,
    "result": result_seeds,
    "markers": lambda: [MARKERS],
    "bodies": lambda: [BODIES_CSV],
    "motive": lambda: [MOTIVE_CSV],
    "c3d": c3d_seeds,
    "c3d_tracks": c3d_track_seeds,
}
