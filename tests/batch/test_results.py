"""Result files: their names, and the conditions under which they are up to date."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import os
import subprocess
import sys
import time

import pytest

from jointlimits_core.base.findings import Finding
from jointlimits_core.base.version import __version__
from jointlimits_core.batch.address import address_of
from jointlimits_core.batch.manifest import read_manifest
from jointlimits_core.batch.results import Estimated, ResultFolder, result_schema
from jointlimits_core.batch.run import Batch, counts_words
from jointlimits_core.formats.maya_ascii.references import NamedReference, leads_to
from jointlimits_core.io.input import SourceFile
from jointlimits_core.io.output import MAX_WORK_SECONDS, owner
from jointlimits_core.limits.limit_set import LimitSet
from tests.support.batch_manifests import write_library
from tests.support.house_files import ROOT
from tests.support.limit_set_examples import joint, lock

LIMITS = LimitSet("actor 00", {})


@pytest.fixture
def home(tmp_path):
    return write_library(tmp_path / "home", 2).parent


def character(home, item=0):
    return read_manifest(home / "library.json").characters[item]


def results(tmp_path, home):
    return ResultFolder(tmp_path / "out", home)


@pytest.fixture
def folder(tmp_path, home):
    return results(tmp_path, home)


@pytest.fixture
def address(home):
    return address_of(character(home), "files")


def store(folder, address, **more):
    with folder.scratch(address) as scratch:
        copy = scratch / "copy.ma"
        copy.write_text("//Maya ASCII")
        return folder.write_estimated(address, Estimated(LIMITS, files={".ma": copy}, **more))


def test_an_address_is_the_same_wherever_the_manifest_lies(tmp_path, home):
    other = write_library(tmp_path / "elsewhere", 2).parent
    first, second = address_of(character(home), "files"), address_of(character(other), "files")
    assert first == second
    assert first.content["program_version"] == __version__


@pytest.mark.parametrize(
    "change",
    [
        {"name": "actor zero"},
        {"options": {"pad_deg": 1.0}},
        {"joints": ("knee",)},
        {"root": "hip"},
        {"namespace": "hero"},
        {"frame_rate": 24.0},
    ],
)
def test_an_address_depends_on_all_that_is_asked_for(home, change):
    one = character(home)
    other = dataclasses.replace(one, **change)
    assert address_of(one, "files").key != address_of(other, "files").key
    assert address_of(one, "files").key != address_of(one, "maya").key


def test_an_address_depends_on_the_bytes_of_the_files(home):
    one = character(home)
    before = address_of(one, "files")
    one.clips[0].path.write_text(one.clips[0].path.read_text() + " ")
    assert address_of(one, "files").key != before.key
    one.clips[0].path.unlink()
    gone = address_of(one, "files")
    assert gone.missing.startswith("clip_00.bvh: file not found")
    assert before.missing == ""


@pytest.mark.parametrize(
    ("name", "stem"),
    [
        ("cmu_bvh/10", "cmu_bvh/10"),
        ("rigs/hero.ma", "rigs/hero.ma"),
        ("Actor 00", "Actor_00-"),
        ("../../etc/passwd", "character/character/etc/passwd-"),
        ("rigs/con", "rigs/con-"),
        ("a/./b", "a/character/b-"),
        ("x" * 100, "x" * 60 + "-"),
        ("a\\b", "a_b-"),
    ],
)
def test_results_are_named_as_their_character(home, name, stem):
    """A name that is not a portable path ends in six letters of its hash."""
    found = address_of(dataclasses.replace(character(home), name=name), "files").stem
    assert found[: len(stem)] == stem
    assert len(found) - len(stem) == (6 if stem.endswith("-") else 0)


def test_results_made_with_other_options_are_replaced(tmp_path, home):
    folder, one = results(tmp_path, home), character(home)
    padded = address_of(dataclasses.replace(one, options={"pad_deg": 1.0}), "files")
    store(folder, address_of(one, "files"))
    assert store(folder, padded)["status"] == "ok"
    assert folder.find(padded)
    assert folder.find(address_of(one, "files")) is None


@pytest.mark.parametrize("ending", [".limits.json", ".ma"])
@pytest.mark.parametrize("before", [False, True], ids=["by nobody's batch", "changed since"])
def test_a_file_that_no_batch_wrote_is_never_replaced(folder, address, before, ending):
    if before:
        store(folder, address)
    mine = folder.folder / (address.stem + ending)
    mine.parent.mkdir(exist_ok=True)
    mine.write_text("edited by hand")
    document = store(folder, address)
    assert document["status"] == "failed"
    assert document["message"].startswith(f"{mine.name}: not written by a batch, or changed since")
    assert mine.read_text() == "edited by hand"
    mine.unlink()
    assert store(folder, address)["status"] == "ok"


def test_what_a_killed_process_filed_is_filed_again(folder, address):
    """The result, which is written last, is missing, but the files have the expected bytes."""
    store(folder, address)
    folder.path(address).unlink()
    assert store(folder, address)["status"] == "ok"
    assert folder.find(address)


def test_a_scene_that_maya_saved_has_the_key_in_its_name(tmp_path, home):
    folder, one = results(tmp_path, home), character(home)
    addresses = [
        address_of(dataclasses.replace(one, options={"pad_deg": pad}), "maya") for pad in (0.0, 1.0)
    ]
    for address in addresses:
        document = store(folder, address, repeatable=False)
        assert document["files"][1] == {
            "name": f"{address.stem}-{address.key[:16]}.ma",
            "sha256": None,
        }
        assert folder.find(address)
    assert len(list(folder.folder.glob("*.ma"))) == 2


def test_what_was_filed_is_found(folder, address):
    assert folder.find(address) is None
    document = store(folder, address, details={"skipped": ["a"]})
    assert folder.find(address) == document
    assert document["status"] == "ok"
    names = sorted(path.name for path in folder.folder.iterdir())
    assert names == [address.stem + end for end in (".limits.json", ".ma", ".result.json")]
    assert LimitSet.from_json((folder.folder / names[0]).read_text()).character == "actor 00"


@pytest.mark.parametrize(
    "damage",
    [
        lambda path: path.write_bytes(path.read_bytes()[:-20]),
        lambda path: path.write_text("{}"),
        lambda path: path.write_text("[1]"),
        lambda path: path.write_bytes(b"\xff\xff"),
        lambda path: path.write_text(path.read_text().replace('"files"', '"fles"', 1)),
        lambda path: path.write_text(path.read_text().replace(__version__, "9.9.9")),
        lambda path: path.with_name(path.name.replace("result", "limits")).write_text("{}"),
        lambda path: path.with_name(path.name.replace("result.json", "ma")).unlink(),
    ],
)
def test_a_result_that_was_damaged_is_none(folder, address, damage):
    store(folder, address)
    damage(folder.path(address))
    assert folder.find(address) is None


def test_a_result_fits_only_while_references_lead_where_they_led(folder, address, home):
    scene = str(home / "scenes" / "a.ma")
    named = (NamedReference(scene, "/none/lib/rig.ma", None), NamedReference("", "C:/b.mb", None))
    document = store(folder, address, references=named)
    assert document["references"] == [
        {"scene": "scenes/a.ma", "stored": "/none/lib/rig.ma", "found": None},
        {"scene": "", "stored": "C:/b.mb", "found": None},
    ]
    assert folder.find(address) is not None
    rig = home / "lib" / "rig.ma"
    rig.parent.mkdir()
    rig.write_text("//Maya ASCII")
    assert folder.find(address) is None
    assert folder.find(address, home / "scenes") is not None
    assert folder.find(address, home) is None


def test_a_result_fits_no_longer_once_a_nearer_file_takes_the_place_of_a_reference(
    folder, address, home
):
    for name in ("lib", "scenes"):
        (home / name).mkdir()
    rig, scene = home / "lib" / "rig.ma", str(home / "scenes" / "a.ma")
    rig.write_text("//Maya ASCII")
    found = leads_to(scene, "/none/lib/rig.ma")
    assert found == str(rig)
    store(folder, address, references=(NamedReference(scene, "/none/lib/rig.ma", found),))
    assert folder.find(address) is not None
    (home / "scenes" / "rig.ma").write_text("//Maya ASCII")
    assert folder.find(address) is None


BROKEN_FIELDS = [
    *(("references", wrong) for wrong in (None, 3, [3], [{}], [{"scene": 3, "stored": "a.ma"}])),
    ("references", [{"scene": 3, "stored": "a.ma", "found": 1}]),
    *(("findings", wrong) for wrong in (None, [], {"spike": 0}, {"spike": "<b>"}, {"spike": True})),
]


@pytest.mark.parametrize(("field", "wrong"), [*BROKEN_FIELDS, ("findings", "missing")])
def test_a_result_with_a_broken_field_is_none(folder, address, field, wrong):
    changed = {**store(folder, address), field: wrong}
    if wrong == "missing":
        del changed[field]
    folder.path(address).write_text(json.dumps(changed))
    assert folder.find(address) is None


def test_a_result_fits_only_while_the_files_that_a_scene_drew_in_are_the_same(
    folder, address, home
):
    rig = home / "rig.ma"
    rig.write_text("//Maya ASCII")
    known = SourceFile(str(rig), hashlib.sha256(rig.read_bytes()).hexdigest())
    document = store(folder, address, read=(known,))
    assert document["read"][0]["path"] == "rig.ma"
    assert folder.find(address) is not None
    rig.write_text("//Maya ASCII 2")
    assert folder.find(address) is None
    rig.unlink()
    assert folder.find(address) is None


def test_a_result_counts_what_was_found_by_rule(folder, address):
    of_joint = joint("hinge", (lock(),) * 3, findings=(Finding("gimbal", "near", "knee"),) * 2)
    limits = LimitSet("actor 00", {"knee": of_joint}, findings=(Finding("spike", "one"),))
    document = folder.write_estimated(address, Estimated(limits))
    assert document["findings"] == {"gimbal": 2, "spike": 1}
    assert folder.find(address) == document
    failed = folder.write_failed(address, "no")
    assert failed["findings"] == {}
    assert folder.find(address) == failed


@pytest.mark.thorough
def test_results_are_what_their_schema_says(folder, address):
    jsonschema = pytest.importorskip("jsonschema")
    jsonschema.Draft202012Validator.check_schema(result_schema())
    named = (NamedReference("", "C:/b.mb", None),)
    for document in (store(folder, address, references=named), folder.write_failed(address, "no")):
        jsonschema.validate(document, result_schema())


def test_a_failure_says_why_without_a_traceback_and_without_the_place_of_the_library(
    folder, address, home
):
    folder.write_failed(address, f"{home}/clip_00.bvh:3: no such joint", "Traceback ...")
    document = folder.find(address)
    assert document["status"] == "failed"
    assert document["message"] == "clip_00.bvh:3: no such joint"
    assert "Traceback" not in json.dumps(document)
    log = folder.folder / "logs" / f"{address.stem}.log"
    assert log.read_text() == "Traceback ..."
    store(folder, address)
    assert not log.exists()


def ended_owner():
    """Owner of a process of this computer that has ended."""
    code = "from jointlimits_core.io.output import owner; print(owner())"
    command = [sys.executable, "-c", code]
    return subprocess.check_output(command, text=True, cwd=ROOT).strip()


def half_done(address, whose):
    """Names of a scratch folder and of files that killed processes leave behind."""
    stem = os.path.basename(address.stem)
    files = (f"{stem}.limits.json", f"{stem}.result.json", "summary.json", "library.html")
    parts = [f".{name}.{whose}.x2_ab3cd.part" for name in files]
    return [f".{stem}.{whose}.x1_ab2cd.scratch", *parts]


@pytest.mark.thorough
def test_leftovers_of_killed_processes_go_and_nothing_else(folder, address, home):
    store(folder, address)
    nested = dataclasses.replace(character(home), name="cmu_bvh/10")
    store(folder, address_of(nested, "files"))
    before = set(folder.folder.rglob("*"))
    leave_half_done(folder, address, ended_owner())
    part = folder.folder / "cmu_bvh" / f".10.limits.json.{ended_owner()}.x2_ab3cd.part"
    part.write_text("{")
    folder.remove_leftovers([character(home), nested])
    assert set(folder.folder.rglob("*")) == before


def leave_half_done(folder, address, whose):
    scratch, *parts = half_done(address, whose)
    (folder.folder / scratch).mkdir(parents=True)
    (folder.folder / scratch / "half.ma").write_text("//")
    for name in parts:
        (folder.folder / name).write_text("{")


def test_what_a_process_is_at_work_on_stays(folder, address, home):
    leave_half_done(folder, address, owner())
    before = set(folder.folder.rglob("*"))
    for path in before:
        os.utime(path, (0, 0))
    folder.remove_leftovers([character(home)])
    assert set(folder.folder.rglob("*")) == before


def test_of_another_computer_only_what_is_old_goes(folder, address, home):
    leave_half_done(folder, address, f"00000000-{ended_owner().partition('-')[2]}")
    here = list(folder.folder.iterdir())
    assert len(here) == 5
    for age, left in ((MAX_WORK_SECONDS - 60, 5), (MAX_WORK_SECONDS + 60, 0)):
        for path in here:
            os.utime(path, (time.time() - age,) * 2)
        folder.remove_leftovers([character(home)])
        assert len(list(folder.folder.iterdir())) == left


@pytest.mark.skipif(sys.platform != "linux", reason="processes as on Linux")
def test_a_process_that_nobody_waits_for_is_gone(folder, address, home):
    code = "from jointlimits_core.io.output import owner; print(owner(), flush=True)"
    child = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, cwd=ROOT)
    whose = child.stdout.read().decode().strip()
    os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
    leave_half_done(folder, address, whose)
    folder.remove_leftovers([character(home)])
    assert not list(folder.folder.iterdir())
    child.communicate()


@pytest.mark.thorough
def test_what_others_left_is_never_deleted_whatever_it_is_called(folder, address, tmp_path, home):
    store(folder, address)
    scratch, part, *_ = half_done(address, ended_owner())
    foreign = (
        ".take.part",
        ".work.scratch/notes.txt",
        f".{address.stem}.short.part",
        f"{part}.bak",
    )
    foreign += (
        f".{address.stem}.scratch/a.txt",
        f".mine-{'0' * 15}.{ended_owner()}.x1_ab2cd.scratch/a",
    )
    foreign += (f"{part}/a.txt", f".notes.json.{ended_owner()}.x2_ab3cd.part")
    foreign += (f".{address.stem}.x1_ab2cd.scratch/a.txt", ".summary.json.x2_ab3cd.part")
    for name in foreign:
        (folder.folder / name).parent.mkdir(exist_ok=True)
        (folder.folder / name).write_text("somebody's")
    (tmp_path / "theirs").mkdir()
    (folder.folder / scratch).symlink_to(tmp_path / "theirs")
    before = set(folder.folder.rglob("*"))
    folder.remove_leftovers([character(home)])
    assert set(folder.folder.rglob("*")) == before


def test_a_result_counts_what_there_is_to_look_at(folder, address, home):
    item = Finding("bends-backwards", "bends", "knee", "walk", ((3.0, 4.0),), degrees=20.0)
    order = Finding("order-useless", "hits gimbal lock", "knee")
    limits = LimitSet("actor 00", {"knee": joint("hinge", [lock()] * 3, findings=(item, order))})
    assert folder.write_estimated(address, Estimated(limits))["to_look_at"] == 1
    outcome = Batch(read_manifest(home / "library.json"), folder.folder, "files").find(0)
    assert (outcome.to_look_at, outcome.suggestions) == (1, 1)
    # A result of an older version does not say, and still fits.
    path = folder.path(address)
    document = json.loads(path.read_text("utf-8"))
    del document["to_look_at"], document["suggestions"]
    path.write_text(json.dumps(document), "utf-8")
    assert Batch(read_manifest(home / "library.json"), folder.folder, "files").find(0).ok


def test_counts_in_words():
    counts = {"ok": 7, "failed": 1, "missing": 0, "skipped": 0, "to_look_at": 9, "with_findings": 2}
    assert counts_words(counts) == "7 ok, 1 failed, 0 missing; 9 to look at; 2 with findings"
    assert counts_words({**counts, "to_look_at": 0, "with_findings": 0}) == (
        "7 ok, 1 failed, 0 missing"
    )


def test_a_new_result_is_not_compared_with_the_names_of_the_others(folder, address, monkeypatch):
    # With 10,000 characters, looking for the name that was meant took nearly all of the time.
    monkeypatch.setattr("jointlimits_core.io.input.suggestion", lambda *_: pytest.fail("compared"))
    assert folder.find(address) is None
    store(folder, address)
    assert folder.find(address)
