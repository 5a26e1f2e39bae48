"""The document of the window: every change, its undo, files, and what is refused."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from jointlimits_maya.ui.document.document import Document
from jointlimits_maya.ui.document.files import DocumentError

from jointlimits_core.estimation import pipeline
from jointlimits_core.estimation.options import EstimateOptions
from jointlimits_core.estimation.pipeline import estimate
from jointlimits_core.io.input import SourceFile
from jointlimits_core.limits.limit_set import read_limit_set, write_limit_set
from tests.support.ui_examples import (
    WITH_SPIKES,
    WORST_CHANNEL,
    WORST_FRAME,
    WORST_JOINT,
    reach,
    walk,
    walk_limits,
)


@pytest.fixture
def document():
    """Both clips and what was estimated from them."""
    made = Document()
    made.add_clips([walk(), reach()])
    made.estimation.estimate()
    made.undo_stack.clear()
    return made


@pytest.fixture
def changes(document):
    """Joints that the document reported as changed, one set per change."""
    found = []
    document.changed.connect(found.append)
    return found


def span(document, joint, channel):
    axis = document.limits.joints[joint].limits[channel]
    return axis.min_deg, axis.max_deg


# --- limits -----------------------------------------------------------------------------------


def test_the_estimate_is_the_cores_own(document):
    assert document.limits == estimate([walk(), reach()])


def test_a_bound_is_set_and_undone(document, changes):
    before = document.limits
    document.edit.set_limit(WORST_JOINT, WORST_CHANNEL, "max", 45.0)
    assert span(document, WORST_JOINT, WORST_CHANNEL)[1] == 45.0
    assert document.limits.joints[WORST_JOINT].limits[WORST_CHANNEL].source.max.kind == "artist"
    assert changes == [{WORST_JOINT}]
    document.undo_stack.undo()
    assert document.limits == before
    document.undo_stack.redo()
    assert span(document, WORST_JOINT, WORST_CHANNEL)[1] == 45.0


def drag(document, *values):
    gesture = document.edit.new_gesture()
    for value in values:
        document.edit.set_limit(WORST_JOINT, WORST_CHANNEL, "max", value, gesture)


def test_a_drag_is_one_step(document):
    drag(document, 70.0, 60.0, 50.0)
    assert document.undo_stack.count() == 1
    document.undo_stack.undo()
    assert not document.limits.edits
    document.undo_stack.redo()
    assert span(document, WORST_JOINT, WORST_CHANNEL)[1] == 50.0
    drag(document, 40.0)
    assert document.undo_stack.count() == 2


def test_a_drag_that_ends_where_it_began_leaves_no_step(document):
    document.edit.set_limit(WORST_JOINT, WORST_CHANNEL, "max", 45.0)
    drag(document, 50.0, 60.0, 45.0)
    assert document.undo_stack.count() == 1
    document.undo_stack.undo()
    assert not document.limits.edits


def test_a_locked_channel_opens_from_where_it_was_locked(document):
    document.edit.set_state("spine", "rotateX", "locked")
    assert document.limits.joints["spine"].limits["rotateX"].state == "locked"
    locked_at, _ = span(document, "spine", "rotateX")
    document.edit.set_limit("spine", "rotateX", "max", 30.0)
    assert span(document, "spine", "rotateX") == (locked_at, 30.0)
    assert document.limits.joints["spine"].limits["rotateX"].state == "limited"


@pytest.mark.parametrize("first", ["locked", "free"])
def test_limiting_again_gives_the_data_back(document, first):
    before = document.limits
    document.edit.set_state("spine", "rotateX", first)
    assert document.limits.joints["spine"].limits["rotateX"].state != "limited"
    document.edit.set_state("spine", "rotateX", "limited")
    assert document.limits == before


def test_a_channel_that_is_free_in_the_data_is_limited_widely(document):
    document.edit.set_state("hips", "rotateY", "limited")
    low, high = span(document, "hips", "rotateY")
    assert high - low == 360.0
    document.edit.set_limit("hips", "rotateY", "max", 20.0)
    assert span(document, "hips", "rotateY") == (low, 20.0)


def test_doing_nothing_is_no_step(document):
    document.edit.reset("spine")
    document.edit.set_limit("spine", "rotateX", "max", 3.0)
    document.edit.set_limit("spine", "rotateX", "max", 3.0)
    assert document.undo_stack.count() == 1


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda edit: edit.set_limit("nobody", "rotateX", "max", 1.0), "no joint nobody"),
        (lambda edit: edit.set_limit("spine", "phi", "max", 1.0), "has no channel phi"),
        (lambda edit: edit.set_type("spine", "wheel"), "unknown joint type wheel"),
        (lambda edit: edit.mirror("spine"), "no partner"),
        (lambda edit: edit.mirror(["LeftArm", "RightArm"]), "only the side to copy from"),
        (lambda edit: edit.mirror([]), "select the joints"),
        (lambda edit: edit.paste("[1, 2]", ["spine"]), "clipboard"),
        (lambda edit: edit.paste("not json", ["spine"]), "clipboard"),
        (lambda edit: edit.set_limit("spine", "rotateX", "max", float("nan")), "degrees"),
    ],
)
def test_what_cannot_be_is_reported_and_changes_nothing(document, changes, change, message):
    with pytest.raises(ValueError, match=message):
        change(document.edit)
    assert not changes
    assert not document.undo_stack.count()


def test_without_limits_there_is_nothing_to_edit(qapp):
    empty = Document()
    with pytest.raises(DocumentError, match="open a limit set, or estimate"):
        empty.edit.set_limit("spine", "rotateX", "max", 1.0)
    with pytest.raises(ValueError, match="no motion is open"):
        empty.estimation.estimate()
    assert not empty.estimation.busy


# --- copy, paste, mirror ------------------------------------------------------------------------


def test_several_copied_joints_go_to_those_of_their_names_in_another_document(document):
    document.edit.set_limit(["spine", "head"], "rotateY", "max", 2.0)
    other = Document()
    joints = {
        f"rig:{name}": replace(joint, parent=joint.parent and f"rig:{joint.parent}")
        for name, joint in walk_limits().joints.items()
    }
    other.open_set(replace(walk_limits(), joints=joints))
    other.edit.paste(document.edit.copy(["spine", "head"]))
    assert span(other, "rig:spine", "rotateY")[1] == span(other, "rig:head", "rotateY")[1] == 2.0


def test_pasting_what_was_copied_back_is_no_edit(document):
    text = document.edit.copy("hips")
    document.edit.set_state("spine", "rotateX", "free")
    document.edit.paste(text, ["hips"])
    assert {edit.joint for edit in document.limits.edits} <= {"spine", "hips"}
    assert document.limits.joints["hips"].limits["rotateX"].state == "free"


def test_mirroring_gives_the_other_side_the_mirror_image(document):
    document.edit.set_limit("LeftArm", "rotateZ", "max", 45.0)
    document.edit.set_limit("LeftArm", "rotateX", "min", -11.0)
    document.edit.mirror("LeftArm")
    (x, y, z), right = ((span(document, "LeftArm", c)) for c in _CHANNELS), "RightArm"
    assert span(document, right, "rotateX") == pytest.approx(x)
    assert span(document, right, "rotateY") == pytest.approx((-y[1], -y[0]))
    assert span(document, right, "rotateZ") == pytest.approx((-z[1], -z[0]))


def test_mirroring_knows_the_sides_without_a_motion(qapp):
    made = Document()
    made.open_set(walk_limits(symmetry="report"))
    made.edit.set_limit("LeftForeArm", "rotateY", "max", 100.0)
    made.edit.mirror("LeftForeArm")
    assert span(made, "RightForeArm", "rotateY")[0] == -100.0


_CHANNELS = ("rotateX", "rotateY", "rotateZ")


# --- estimating again -----------------------------------------------------------------------------


def test_ignoring_sums_up_only_the_clip_that_changed(document, monkeypatch):
    looked_at = []
    real = pipeline.summarize

    def counted(clips, *rest):
        looked_at.extend(clip.name for clip in clips)
        return real(clips, *rest)

    monkeypatch.setattr(pipeline, "summarize", counted)
    document.estimation.exclude_run("walk", WORST_FRAME, WORST_FRAME)
    assert looked_at == ["walk"]
    document.estimation.set_options(strictness="robust")
    document.estimation.include_frames("walk")
    assert looked_at == ["walk"]


def test_excluded_frames_take_no_part_until_they_are_included_again(document):
    before = document.limits
    document.estimation.exclude_runs([("walk", at, at) for at in (WORST_FRAME, 3.0)])
    wishes = (f"walk:{3.0:g}", f"walk:{WORST_FRAME:g}")
    assert document.limits == estimate([walk(), reach()], EstimateOptions(exclude=wishes))
    assert document.state.excluded.frames_of("walk") == {"": (3.0, WORST_FRAME)}
    document.estimation.include_frames("walk")
    assert document.limits == before


def test_ignoring_a_clip_leaves_it_open(document):
    document.estimation.exclude_clip("walk")
    assert document.limits.joints == estimate([reach()]).joints
    assert [clip.name for clip in document.clips] == ["walk", "reach"]
    assert not document.clips_not_open
    with pytest.raises(ValueError, match="include one again"):
        document.estimation.exclude_clip("reach")
    assert document.state.excluded.clips == {"walk"}
    document.estimation.include_clip("walk")
    assert document.limits == estimate([walk(), reach()])


def test_edits_survive_every_estimate(document):
    document.edit.set_limit("spine", "rotateX", "max", 33.0)
    for options in ({"strictness": "generous"}, {"pad_deg": 2.0}, {"symmetry": "pool"}):
        document.estimation.set_options(**options)
        assert span(document, "spine", "rotateX")[1] == 33.0
    document.estimation.exclude_run("walk", WORST_FRAME, WORST_FRAME)
    assert [edit.key for edit in document.limits.edits] == [("spine", "max", "rotateX")]
    wanted = EstimateOptions(strictness="generous", pad_deg=2.0, symmetry="pool")
    assert document.state.options == wanted


@pytest.mark.thorough
@pytest.mark.parametrize(
    "options", [{"strictness": "robust"}, {"prior": "report"}, {"orientation": "advised"}]
)
def test_every_option_gives_what_the_core_gives(document, options):
    document.estimation.set_options(**options)
    assert document.limits == estimate([walk(), reach()], EstimateOptions(**options))


def test_everything_is_undone_and_done_again(document):
    before = document.state
    document.edit.set_limit("spine", "rotateX", "max", 33.0)
    document.estimation.set_options(strictness="robust")
    document.edit.mirror("LeftArm")
    document.estimation.exclude_run("walk", 1.0, 2.0)
    document.estimation.exclude_clip("reach")
    document.edit.pin("head")
    document.estimation.estimate([walk()])
    after = document.state
    while document.undo_stack.canUndo():
        document.undo_stack.undo()
    assert document.state is before
    while document.undo_stack.canRedo():
        document.undo_stack.redo()
    assert document.state is after


def test_what_needs_the_motion_says_so(document):
    made = Document()
    made.open_set(walk_limits())
    with pytest.raises(DocumentError, match="limits come from reach, walk"):
        made.estimation.set_options(strictness="robust")
    made.add_clips([reach()])
    with pytest.raises(DocumentError, match=r"open the motion first.* walk"):
        made.estimation.set_options(strictness="robust")
    made.add_clips([walk()])
    made.estimation.set_options(strictness="robust")
    assert made.state.options.strictness == "robust"
    with pytest.raises(DocumentError, match="no frame 1000"):
        made.estimation.exclude_run("walk", 1000.0, 1000.0)
    with pytest.raises(DocumentError, match="swim is not open"):
        made.estimation.exclude_clip("swim")
    with pytest.raises(ValueError, match="unknown option 'speed'"):
        made.estimation.set_options(speed=2)


def test_an_option_that_it_may_not_have_changes_nothing(document):
    before = document.state
    with pytest.raises(ValueError, match="pad_deg"):
        document.estimation.set_options(pad_deg=-1.0)
    assert document.state is before


# --- files ------------------------------------------------------------------------------------


def test_edits_and_ignored_frames_are_saved_and_found_again(document, tmp_path):
    document.edit.set_limit("spine", "rotateX", "max", 33.0)
    document.estimation.exclude_runs([("walk", 3.0, 4.0), ("walk", WORST_FRAME, WORST_FRAME)])
    path = tmp_path / "person.limits.json"
    assert not document.is_saved
    document.save(path)
    assert document.is_saved
    assert read_limit_set(path).to_json() == document.limits.to_json()
    again = Document()
    again.open_limits(path)
    again.add_clips([walk(), reach()])
    assert again.limits.to_json() == document.limits.to_json()
    assert again.state.excluded.frames_of("walk") == {"": (3.0, 4.0, WORST_FRAME)}
    again.estimation.include_frames("walk")
    assert again.limits.joints["LeftArm"] == estimate([walk(), reach()]).joints["LeftArm"]
    assert span(again, "spine", "rotateX")[1] == 33.0


def test_an_ignored_clip_is_found_again(document, tmp_path):
    document.estimation.exclude_clip("walk")
    document.save(tmp_path / "a.json")
    again = Document()
    again.add_clips([walk(), reach()])
    again.open_limits(tmp_path / "a.json")
    assert again.state.excluded.clips == {"walk"}
    assert len(again.clips) == 2


def test_saving_needs_a_name_the_first_time(document, tmp_path):
    with pytest.raises(DocumentError, match="use Save as"):
        document.save()
    document.save(tmp_path / "a.json")
    document.edit.set_limit("spine", "rotateX", "max", 33.0)
    document.save()
    assert span(document, "spine", "rotateX")[1] == 33.0
    assert read_limit_set(tmp_path / "a.json").to_json() == document.limits.to_json()


def test_nothing_is_written_over_an_input(document, tmp_path):
    other = tmp_path / "other.json"
    write_limit_set(walk_limits(), other)
    document.compare_with(other)
    motion = tmp_path / "walk.bvh"
    motion.write_text("a motion")
    document.add_clips([replace(walk(), source=SourceFile(str(motion), "0" * 64))])
    link = tmp_path / "link.json"
    link.symlink_to(other)
    for path in (other, motion, link):
        before = path.read_bytes()
        with pytest.raises(DocumentError, match="save under another name"):
            document.save(path)
        assert path.read_bytes() == before
    assert document.path is None


def test_the_file_that_was_opened_first_is_an_input_of_the_next(tmp_path, qapp):
    first, second = tmp_path / "first.json", tmp_path / "second.json"
    for path in (first, second):
        write_limit_set(walk_limits(), path)
    made = Document()
    made.open_limits(first)
    made.open_limits(second)
    with pytest.raises(DocumentError, match="save under another name"):
        made.save(first)
    made.save(second)


# --- other characters ---------------------------------------------------------------------------


def stranger():
    clip = walk()
    names = tuple(f"bone{number}" for number in range(len(clip.skeleton)))
    return replace(clip, skeleton=replace(clip.skeleton, names=names), name="stranger")


def test_another_characters_motion_is_refused_and_its_limits_close_the_clips(document, tmp_path):
    before = document.state
    with pytest.raises(DocumentError, match=r"another character.*bone0.*Open the limits"):
        document.add_clips([stranger()])
    with pytest.raises(DocumentError, match="another character"):
        document.estimation.estimate([stranger()])
    write_limit_set(estimate(stranger()), tmp_path / "other.json")
    with pytest.raises(DocumentError, match="Choose a limit set for this character"):
        document.compare_with(tmp_path / "other.json")
    assert document.state is before
    document.open_set(estimate(stranger()))
    assert not document.clips
    assert not document.undo_stack.canUndo()


def test_a_namespace_does_not_make_another_character(document):
    clip = walk()
    names = tuple(f"rig:{name}" for name in clip.joint_names)
    other = replace(clip, skeleton=replace(clip.skeleton, names=names), name="again")
    document.add_clips([other])
    assert document.clips[-1].joint_names == clip.joint_names
    assert len(document.samples("spine")) == 240 + 180 + 240


def test_clips_of_one_name_stay_apart_unless_they_are_the_same_file(document):
    first = replace(walk(), source=SourceFile("a/walk.bvh", "1" * 64))
    document.add_clips([first])
    assert [clip.name for clip in document.clips] == ["walk", "reach", "walk (2)"]
    document.add_clips([replace(walk(), source=SourceFile("a/walk.bvh", "2" * 64))])
    assert len(document.clips) in (3, 4)


# --- looking ------------------------------------------------------------------------------------


def test_the_preview_lists_the_frames_that_would_be_clamped_worst_first(document):
    document.estimation.set_options(leave_out=WITH_SPIKES)
    document.edit.set_limit(WORST_JOINT, WORST_CHANNEL, "max", 45.0)
    found = []
    document.preview_clamping(found.append)
    (reported,) = found
    runs = reported.frames
    assert (runs[0].clip, runs[0].joint, runs[0].worst_frame) == ("walk", WORST_JOINT, WORST_FRAME)
    assert runs[0].worst_deg == pytest.approx(35.0)
    worst = [run.worst_deg for run in runs]
    assert worst == sorted(worst, reverse=True)
    column = _CHANNELS.index(WORST_CHANNEL)
    outside = {
        (clip.name, float(frame))
        for clip in document.clips
        for frame, values in zip(clip.frames, clip.rotate_deg(WORST_JOINT))
        if values[column] > 45.0 + 1e-6
    }
    found = {(run.clip, frame) for run in runs for frame in np.arange(run.first, run.last + 1)}
    assert found == outside
    assert sum(one.preview.frames_clipped for one in reported.clips) == len(outside)


def test_samples_know_their_clip_and_frame(document):
    document.estimation.set_options(leave_out=WITH_SPIKES)
    samples = document.samples(WORST_JOINT)
    worst = int(samples.contiguous[:, 2].argmax())
    assert document.clips[samples.clip[worst]].name == "walk"
    assert samples.frame[worst] == WORST_FRAME
    assert document.samples(WORST_JOINT) is samples
    document.edit.set_limit("spine", "rotateX", "max", 33.0)
    assert document.samples(WORST_JOINT) is samples
    document.estimation.exclude_run("walk", WORST_FRAME, WORST_FRAME)
    assert WORST_FRAME not in document.samples(WORST_JOINT).frame[:240]


# --- frames -------------------------------------------------------------------------------------
