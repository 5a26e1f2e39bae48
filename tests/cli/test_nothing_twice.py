"""Commands read, screen and hold nothing more often than they need to."""

from __future__ import annotations

import weakref
from dataclasses import replace

import pytest

import jointlimits_core as jl
from jointlimits_core.cli import estimate
from jointlimits_core.cli.main import main
from jointlimits_core.formats import asf
from jointlimits_core.formats.registry import write_motion
from jointlimits_core.motion.screening import rules
from tests.support.made_motion import clip, rotate, waves
from tests.support.small_files import AMC, ASF, write


@pytest.fixture
def clips(tmp_path):
    paths = []
    for number in range(4):
        curves = waves((-40 - number, 60), (-30, 25), (-20, 45 + number), frames=60)
        paths.append(tmp_path / f"clip{number}.bvh")
        write_motion(clip({"hip": rotate(*curves), "knee": rotate(x=curves[0])}), paths[-1])
    return [str(path) for path in paths]


def counted(monkeypatch, holder, name):
    """Calls of a function, as they come."""
    calls, original = [], getattr(holder, name)

    def call(*args, **named):
        calls.append(args)
        return original(*args, **named)

    monkeypatch.setattr(holder, name, call)
    return calls


def test_clips_of_a_subject_share_its_skeleton(tmp_path, monkeypatch):
    write(tmp_path, ASF, "arm.asf")
    paths = [str(write(tmp_path, AMC, f"arm_{number}.amc")) for number in range(3)]
    asf._skeleton_of.cache_clear()
    read = counted(monkeypatch, asf, "_AsfFile")
    assert main(["estimate", *paths, "--out", str(tmp_path)]) == 0
    assert len(read) == 1
    # A file that has changed is another one.
    write(tmp_path, ASF.replace(b"degree", b"degree  ", 1) + b"\n", "arm.asf")
    assert main(["estimate", *paths, "--out", str(tmp_path)]) == 0
    assert len(read) == 2


def test_a_fit_screens_each_clip_once(clips, tmp_path, monkeypatch):
    screened = counted(monkeypatch, rules, "clip_faults")
    assert main(["fit", *clips, "--out", str(tmp_path)]) == 0
    assert len(screened) == len(clips)


def test_exclusions_name_joints_as_any_clip_does(clips, tmp_path):
    curves = waves((-40, 60), (-30, 25), (-20, 45), frames=60)
    other = clip({"ns:hip": rotate(*curves), "ns:knee": rotate(x=curves[0])})
    write_motion(other, tmp_path / "other.bvh")
    paths = [*clips, str(tmp_path / "other.bvh"), "--out", str(tmp_path)]
    assert main(["estimate", *paths, "--exclude", "clip0:3-9@ns:knee"]) == 0


def test_clips_that_share_their_rotations_are_screened_apart():
    curves = waves((-40, 60), (-30, 25), (-20, 45), frames=60)
    one = clip({"hip": rotate(*curves), "knee": rotate(x=curves[0])}, name="one")
    later = replace(one, name="later", frames=one.frames + 1000.0)
    for exclude in ((), ("one:0-30",), ("later:1010-1050",), ("one@knee",)):
        found = jl.fit([one, later], exclude=exclude)
        assert found.findings[: len(exclude)] == jl.estimate([one, later], exclude=exclude).findings
        assert found["hip"].coupled.samples == found["hip"].evidence.samples


@pytest.mark.parametrize(
    "flags", [(), ("--exclude", "clip0:3-9@knee,clip3@rig:hip"), ("--report",)]
)
def test_a_clip_is_dropped_once_it_is_summarized(clips, tmp_path, monkeypatch, flags):
    alive, most = weakref.WeakSet(), []
    read_takes = estimate.read_takes

    def read(*args, **named):
        most.append(len(alive))
        found = read_takes(*args, **named)
        alive.update(found)
        return found

    monkeypatch.setattr(estimate, "read_takes", read)
    assert main(["estimate", *clips, *flags, "--out", str(tmp_path)]) == 0
    # A page shows all clips.
    assert max(most) == (3 if "--report" in flags else 1)
