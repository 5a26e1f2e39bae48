"""Public FBX files: each read or refused by name, and compared with independent readers."""

from __future__ import annotations

import json
import re
from functools import cache

import numpy as np
import pytest

from jointlimits_core.base.findings import drivers_of_joints
from jointlimits_core.formats.fbx.curves import LayeredProperties
from jointlimits_core.formats.fbx.nodes import FbxError
from jointlimits_core.formats.fbx.reader import read_fbx, read_fbx_takes, read_file
from jointlimits_core.formats.fbx.skeleton import placement
from jointlimits_core.geometry.euler import quaternion_from_euler
from tests.support.shared_data import SHARED, shared_path

DATA = SHARED / "data" / "fbx"
pytestmark = pytest.mark.skipif(not DATA.is_dir(), reason="the shared data are not on this machine")

NO_SKELETON = "has no skeleton"
SKELETONS = re.compile(
    "blender_279_bone_radius|maya_(advanced_skinned_pivot|bone_radius|constraint_zoo|"
    "dual_quaternion|game_sausage|human_ik|mixed_inherit|scale_no_inherit|skinned_pivot)|"
    "motionbuilder_sausage|synthetic_sausage"
)
"""Starts of the names of files that are read; further files have no joints, or are broken."""
BIG_ENDIAN = re.compile("maya_cube_big_endian")
BROKEN = {
    "fuzz_fuzz_0012.fbx": "expected the length and the numbers of an array",
    **{f"fuzz_fuzz_0{name}.fbx": "has a damaged node" for name in ("036", "108")},
    **{
        f"fuzz_fuzz_0{name}.fbx": "is cut short"
        for name in ("144", "216", "228", "240", "252", "516", "720")
    },
    "synthetic_node_depth_fail_7400_binary.fbx": "is cut short",
}


def files():
    return sorted(path.name for path in DATA.glob("*.fbx"))


@pytest.mark.thorough
@pytest.mark.parametrize("name", files())
def test_it_is_read_or_refused_by_name(name):
    if SKELETONS.match(name):
        assert read_fbx_takes(DATA / name)
        return
    big_endian = BIG_ENDIAN.match(name)
    message = "is a big-endian FBX file" if big_endian else BROKEN.get(name, NO_SKELETON)
    with pytest.raises(FbxError, match=rf": {re.escape(message)}") as error:
        read_fbx_takes(DATA / name)
    assert "\n" not in str(error.value)


@cache
def oracle(name):
    return json.loads(shared_path(f"oracle/maya_numbers/{name}.json").read_text())


def of_stack(name):
    """Models of a file by name, and their properties in its first stack."""
    scene, _ = read_file(DATA / name)
    stack = scene.stacks[0] if scene.stacks else None
    return {model.name: model for model in scene.models}, LayeredProperties(scene, stack)


def distance(found, wanted):
    """Largest distance of quaternions, whatever their signs."""
    ends = (np.linalg.norm(one, axis=-1) for one in (found - wanted, found + wanted))
    return np.minimum(*ends).max()


@pytest.mark.thorough
def test_joints_of_26_files_are_where_ufbx_has_them():
    """Local rotations to 1e-6, places and scales to 1e-9."""
    count = 0
    for file in oracle("fbx_truth")["files"]:
        models, properties = of_stack(file["file"])
        seconds = np.array(file["times_seconds"])
        for joint in file["joints"]:
            own = placement(models[joint["name"]], properties, seconds, 1.0)
            wanted = {
                key: np.array([one[key] for one in joint["local"]]) for key in joint["local"][0]
            }
            assert distance(own.rotation, wanted["rotation_xyzw"]) < 1e-6, (file["file"], joint)
            assert np.abs(own.translate - wanted["translation"]).max() < 1e-9
            assert np.abs(own.scale - wanted["scale"]).max() < 1e-9
            count += 1
    assert count > 100


@pytest.mark.thorough
def test_curves_have_the_values_of_maya_and_motionbuilder():
    """21 curves at 800 times, with every kind of tangent and of repetition."""
    for curve in oracle("curve_samples")["curves"]:
        name = curve["source"].rpartition("/")[2]
        _, properties = of_stack(name)
        models = {
            model
            for layer in properties.layers
            for (model, of), channels in layer.channels.items()
            if of == curve["property"] and channels.curves
        }
        seconds, wanted = np.array([(one["seconds"], one["value"]) for one in curve["samples"]]).T
        values = properties.values(models.pop(), curve["property"], seconds)
        error = np.abs(values[:, "XYZ".index(curve["component"])] - wanted)
        error = error / np.maximum(1.0, np.abs(wanted))
        limit = curve["tolerance"] if curve["id"] == "maya_resampled" else 1e-5
        assert error.max() <= limit, curve["id"]


def test_accumulating_layers_are_those_of_maya_in_every_rotate_order():
    """Fit of Maya's vertices: the six cubes have the same channels, each in its own order."""
    count = 0
    for sample in oracle("layers")["samples"]:
        models, properties = of_stack(sample["source"].rpartition("/")[2])
        for node in sample["nodes"]:
            for frame, wanted in node.get("maya_obj_at_frames", {}).items():
                seconds = np.array([float(frame) / sample["frames_per_second"]])
                own = placement(models[node["name"]], properties, seconds, 1.0)
                assert distance(own.rotation, np.array(wanted["rotation_xyzw"])) < 1e-6
                angles = np.degrees(own.rotate[0])
                np.testing.assert_allclose(angles, [-32.7614, 87.1442, 11.8225], atol=1e-3)
                count += 1
    assert count


def test_rotation_space_only_counts_where_it_is_active():
    """120 nodes of each combination of active, limits only, order, and turns before and after."""
    models, properties = of_stack("casegen_rotation_space_7500_binary.fbx")
    turned = 0
    for model in models.values():
        own = placement(model, properties, np.zeros(1), 1.0).rotation[0]
        plain = quaternion_from_euler(np.radians(model.vector("Lcl Rotation")))
        if model.number("RotationActive") and not model.number("RotationSpaceForLimitOnly"):
            turned += distance(own, plain) > 1e-6
        else:
            assert distance(own, plain) < 1e-12
    assert turned > 10


@pytest.mark.thorough
def test_both_encodings_of_a_file_are_one_motion():
    for name in ("maya_game_sausage_7500_{}_combined", "maya_game_sausage_6100_{}_combined"):
        first, second = (read_fbx(DATA / f"{name.format(e)}.fbx") for e in ("ascii", "binary"))
        np.testing.assert_allclose(first.rotates, second.rotates, atol=1e-6)
        np.testing.assert_allclose(
            first.skeleton.rest_rotations, second.skeleton.rest_rotations, atol=1e-6
        )


@pytest.mark.parametrize("name", ["7500_binary", "6100_ascii"])
def test_joints_under_constraints_are_named_with_their_drivers(name):
    motion = read_fbx(DATA / f"maya_constraint_zoo_{name}.fbx")
    drivers = drivers_of_joints(motion.findings)
    assert set(drivers) == {"joint1", "joint2", "joint3", "joint7", "joint10"}
    assert drivers["joint3"] == ["joint3_orientConstraint1 (Rotation From Rotations)"]
    controls = {one.joint: one.driver.control for one in motion.findings if one.driver}
    assert controls == {
        **dict.fromkeys(("joint2", "joint10"), "Aim"),
        **dict.fromkeys(("joint1", "joint3"), "Parent"),
        "joint7": "IKHandle",
    }
