"""Manifests: their content, and rejected entries with their places."""

from __future__ import annotations

import json
import os

import pytest

from jointlimits_core.base.errors import ManifestError
from jointlimits_core.batch.address import address_of
from jointlimits_core.batch.manifest import items_from_text, manifest_schema, read_manifest
from tests.support.batch_manifests import write_manifest

ANN = {"name": "ann", "clips": ["a/walk.bvh", "./run.bvh"]}
RIG = {
    "name": "rig",
    "scene": "scenes/rig.ma",
    "namespace": "hero",
    "root": "hips",
    "joints": ["hero:knee"],
    "options": {"pad_deg": 2.0},
}


def test_characters_come_in_order_with_their_files_below_the_manifest(tmp_path):
    path = write_manifest(tmp_path, [ANN, RIG], {"pad_deg": 1.0, "prior": "report"})
    manifest = read_manifest(path)
    ann, rig = manifest.characters
    assert [(file.shown, file.path) for file in ann.inputs] == [
        ("a/walk.bvh", tmp_path / "a" / "walk.bvh"),
        ("run.bvh", tmp_path / "run.bvh"),
    ]
    assert ann.options == {"pad_deg": 1.0, "prior": "report"}
    assert rig.options == {"pad_deg": 2.0, "prior": "report"}
    assert (rig.scene.path, rig.clips) == (tmp_path / "scenes" / "rig.ma", ())
    assert (rig.joints, rig.root, rig.namespace) == (("hero:knee",), "hips", "hero")
    assert manifest.folder == tmp_path


@pytest.mark.parametrize(
    ("entry", "place"),
    [
        ({"clips": ["a.bvh"]}, "characters[1]: 'name' is missing"),
        ({"name": "x"}, "characters[1] (x): must have either a scene or clips, found neither"),
        ({**ANN, "name": "x", "scene": "s.ma"}, "found both"),
        ({"name": " ", "clips": ["a.bvh"]}, "characters[1].name: must have 1 to 200"),
        ({"name": "a\nb", "clips": ["a.bvh"]}, "characters[1].name: must have 1 to 200 characters"),
        (
            {"name": "ANN", "clips": ["a.bvh"]},
            "characters[1].name: 'ANN' is already the name of charac",
        ),
        ({"name": "x", "clips": []}, "characters[1].clips: expected at least 1 item"),
        ({"name": "x", "clips": [3]}, "characters[1].clips[0]: expected string, found 3"),
        ({"name": "x", "clips": ["a.bvh", ""]}, "characters[1].clips[1]: must be the path"),
        ({"name": "x", "clips": ["a.bvh"], "wait": 1}, "characters[1].wait: unknown field"),
        ({"name": "x", "clips": ["a.bvh"], "frame_rate": 0}, "characters[1].frame_rate: must"),
        (
            {"name": "x", "clips": ["a.bvh"], "frame_rate": -2},
            "frame_rate: must be at least 0, not -2",
        ),
        ({"name": "x", "clips": ["a.bvh"], "options": {"rest": {}}}, "characters[1].options.rest"),
        ({"name": "x", "scene": "../other/s.ma"}, "characters[1].scene: '../other/s.ma' leaves"),
        ({"name": "x", "scene": "a/../../s.ma"}, "leaves the manifest's folder"),
        ({"name": "x", "scene": "a\\..\\s.ma"}, "forward slashes"),
        ({"name": "x", "scene": "/etc/passwd"}, "is absolute; write it from the"),
        ({"name": "x", "scene": "C:/s.ma"}, "is absolute"),
        ({"name": "x", "scene": "//server/s.ma"}, "is absolute"),
        ({"name": "x", "scene": "s\u0000.ma"}, "must be the path of a file"),
        ({"name": "x", "scene": ".."}, "leaves the manifest's folder"),
        ({"name": "x", "clips": ["."]}, "clips[0]: '.' is the manifest's folder; choose a file"),
        ({"name": "x", "clips": ["a/.."]}, "'a/..' is the manifest's folder"),
    ],
)
def test_what_is_wrong_is_named_with_its_place(tmp_path, entry, place):
    path = write_manifest(tmp_path, [ANN, entry])
    with pytest.raises(ManifestError) as raised:
        read_manifest(path)
    assert str(path) in str(raised.value)
    assert place in str(raised.value)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "is incomplete"),
        ("[]", "expected object, found an array"),
        ("{}", "'format' is missing"),
        ('{"format": "jointlimits.manifest", "version": 2, "characters": []}', "expected 1"),
        (
            '{"format": "jointlimits.manifest", "version": 1, "characters": []}',
            "at least 1 item, found 0",
        ),
        ('{"version": 1, "version": 1}', "duplicate name 'version'"),
        ('{"version": NaN}', "NaN is not a valid number"),
        ("[" * 100_000, "nested too deeply"),
    ],
)
def test_text_that_is_no_manifest(tmp_path, text, expected):
    path = tmp_path / "m.json"
    path.write_text(text)
    with pytest.raises(ManifestError, match=r"m[.]json") as raised:
        read_manifest(path)
    assert expected in str(raised.value)


def test_files_that_are_no_text_or_not_there(tmp_path):
    (tmp_path / "m.json").write_bytes(b"\x80\x00")
    (tmp_path / "wide.json").write_text("{}", encoding="utf-16")
    expected_of = {"m.json": "not a text file", "wide.json": "UTF-16", "none.json": "not found"}
    for name, expected in expected_of.items():
        with pytest.raises(ManifestError, match=expected):
            read_manifest(tmp_path / name)


def test_outside_only_when_it_is_allowed(tmp_path):
    elsewhere = tmp_path / "elsewhere" / "clip.bvh"
    home = tmp_path / "home"
    given = {"name": "x", "clips": [elsewhere.as_posix()]}
    path = write_manifest(home, [given])
    assert read_manifest(path, allow_outside=True).characters[0].clips[0].path == elsewhere
    path = write_manifest(home, [{"name": "x", "clips": ["../elsewhere/clip.bvh"]}])
    with pytest.raises(ManifestError, match="leaves the manifest's folder; allow it with"):
        read_manifest(path)
    (file,) = read_manifest(path, allow_outside=True).characters[0].clips
    assert file.shown == "../elsewhere/clip.bvh"
    assert os.path.realpath(file.path) == str(elsewhere)


def test_a_link_out_of_the_folder_is_the_failure_of_its_character(tmp_path):
    home = tmp_path / "home"
    entries = [{"name": "x", "clips": ["linked/clip.bvh"]}, {"name": "y", "clips": ["own.bvh"]}]
    path = write_manifest(home, entries)
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "clip.bvh").write_text("secret")
    (home / "own.bvh").write_text("motion")
    os.symlink(tmp_path / "elsewhere", home / "linked")
    one, other = read_manifest(path).characters
    assert other.clips[0].trouble == ""
    refused = address_of(one, "files")
    outside = "linked/clip.bvh: is a link that leaves the manifest's folder"
    assert refused.missing.startswith(outside)
    assert refused.content["inputs"] == [{"path": "linked/clip.bvh", "sha256": ""}]
    allowed = address_of(read_manifest(path, allow_outside=True).characters[0], "files")
    assert (allowed.missing, allowed.content["inputs"][0]["path"]) == ("", "linked/clip.bvh")


@pytest.mark.thorough
def test_our_schema_is_a_schema_and_says_the_same_as_an_independent_check(tmp_path):
    jsonschema = pytest.importorskip("jsonschema")
    schema = manifest_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    good = json.loads(write_manifest(tmp_path, [ANN, RIG]).read_text())
    assert validator.is_valid(good)
    assert not validator.is_valid({**good, "version": 2})


@pytest.mark.parametrize(
    ("text", "items"),
    [
        ("", (0, 1, 2, 3, 4)),
        ("0-3", (0, 1, 2, 3)),
        ("4", (4,)),
        ("3, 0-1,1", (0, 1, 3)),
        (" 2 - 2 ", (2,)),
    ],
)
def test_item_ranges(text, items):
    assert items_from_text(text, 5) == items


@pytest.mark.parametrize("text", ["5", "0-5", "3-1", "a", "1-", "-1", "0,,1", "1.0", "٣", "0x1"])
def test_item_ranges_that_are_none(text):
    with pytest.raises(ValueError, match="item"):
        items_from_text(text, 5)
