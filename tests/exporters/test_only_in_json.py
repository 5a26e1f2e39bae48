"""What no format but the JSON keeps is listed in one sentence, if there is any."""

from __future__ import annotations

import dataclasses
import importlib.util

import pytest

from jointlimits_core.base.findings import Finding
from jointlimits_core.estimation.pipeline import estimate
from jointlimits_core.exporters.formats import export_formats, export_options_of
from jointlimits_core.exporters.losses import only_in_json
from jointlimits_core.formats.registry import read_motion
from jointlimits_core.limits.limit_set import Hinge, HingeCandidate, LimitSet
from tests.support.house_files import ROOT
from tests.support.limit_set_examples import FREE, joint, span


@pytest.fixture(scope="module")
def example():
    motion = read_motion(ROOT / "examples" / "humanoid_rom.bvh")
    return motion.skeleton, estimate([motion])


def sentence(limit_set, *holds):
    return " ".join(loss.sentence() for loss in only_in_json(limit_set, holds))


@pytest.mark.thorough
@pytest.mark.parametrize("to", export_formats())
def test_every_format_tells_it_once(to, example):
    if to == "usd" and importlib.util.find_spec("pxr") is None:
        pytest.skip("usd-core is not installed")
    skeleton, limit_set = example
    options = export_options_of({}, export_formats()[to].endings[0])
    losses = export_formats()[to].export(limit_set, skeleton, options).losses
    (message,) = [loss.message for loss in losses if loss.rule == "only-in-json"]
    assert message.startswith("kept only in the JSON: ")
    assert "evidence for joint types" in message
    types = "joint types" in message.replace("evidence for joint types", "")
    assert ("sources and grades" in message) == types == (to != "csv")


def test_only_what_is_there_is_listed():
    assert sentence(LimitSet("nobody", {})) == ""
    bare = joint("ball", [span(-1.0, 2.0), FREE, FREE])
    evidence = dataclasses.replace(bare.evidence, samples=0)
    bare = dataclasses.replace(bare, evidence=evidence, preferred_deg=bare.rest.rotate_deg)
    plain = LimitSet("somebody", {"hip": bare})
    assert sentence(plain, "types", "sources") == ""
    assert sentence(plain, "sources") == "kept only in the JSON: joint types."
    elsewhere = dataclasses.replace(bare, preferred_deg=(1.0, 2.0, 3.0))
    moved = LimitSet("somebody", {"hip": elsewhere}, findings=(Finding("odd", "is odd"),))
    assert sentence(moved, "types", "sources") == (
        "kept only in the JSON: preferred angles other than the rest pose and 1 finding."
    )
    assert sentence(moved, "types", "sources", "preferred").endswith("JSON: 1 finding.")
    hinge = Hinge((1.0, 0.0, 0.0), (1.0, 0.0, 0.0), "rotateX", 0.0, -1.0, 2.0)
    candidate = HingeCandidate(hinge, {}, 1.0, 2.0)
    nearly = LimitSet("somebody", {"hip": dataclasses.replace(bare, candidate=candidate)})
    assert sentence(nearly, "types", "sources").endswith("JSON: joints that could be hinges.")
