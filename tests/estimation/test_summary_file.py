"""Summary files: unchanged after reading, and damaged ones rejected by name."""

from __future__ import annotations

import contextlib
import io
import json
import os
import tracemalloc
import zipfile
from dataclasses import fields, replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jointlimits_core.base.errors import SummaryError
from jointlimits_core.base.findings import Finding
from jointlimits_core.cli.main import main
from jointlimits_core.estimation.clip_summary import Reach
from jointlimits_core.estimation.pipeline import estimate_from_summary, summarize
from jointlimits_core.estimation.summary import merge_summaries
from jointlimits_core.estimation.summary_file import read_summary, write_summary
from jointlimits_core.geometry.quaternion import normalize
from jointlimits_core.limits.limit_set import read_limit_set
from tests.support.batch_manifests import HEAD
from tests.support.budgets import budget
from tests.support.made_motion import clip, rotate, there_and_back, waves


def motion(name="walk", frames=60, seed=0, gap=0.0, **fields):
    """Clip in which the knee leaves a gap, in degrees, within its range."""
    rng = np.random.default_rng(seed)
    quaternions = normalize(rng.standard_normal((3, 3, 4)))
    hip = rotate(*waves((-40, 60), (-30, 25), (-20, 45), frames=frames))
    bend = there_and_back(2, 90, frames)
    made = clip(
        {"left_hip": hip, "right_knee": rotate(x=bend + gap * (bend > 46.0))},
        name=name,
        rest_rotations=quaternions[0],
        joint_orients=quaternions[1],
        rotate_axes=quaternions[2],
        offsets=rng.standard_normal((3, 3)),
        scales=rng.uniform(0.5, 2.0, (3, 3)),
        compensates_scale=[False, True, False],
        between={2: np.diag([1.0, 2.0, 3.0, 1.0])},
        meters_per_unit=0.01,
    )
    return replace(made, **fields)


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    path = tmp_path_factory.mktemp("written") / "walk.summary.npz"
    write_summary(summarize([motion(), motion("run", 800, gap=8.0)]), path)
    return path.read_bytes()


def members(data):
    with zipfile.ZipFile(io.BytesIO(data)) as packed:
        return {name: packed.read(name) for name in packed.namelist()}


def packed(parts, **options):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", **options) as archive:
        for name, data in parts.items():
            archive.writestr(name, data)
    return stream.getvalue()


def array_bytes(array):
    stream = io.BytesIO()
    np.save(stream, array)
    return stream.getvalue()


def with_array(data, name, change):
    parts = members(data)
    array = np.load(io.BytesIO(parts[f"{name}.npy"]))
    return packed({**parts, f"{name}.npy": array_bytes(change(array))})


def refused(tmp_path, data, match="bad.summary.npz"):
    path = tmp_path / "bad.summary.npz"
    path.write_bytes(data)
    with pytest.raises(SummaryError, match=match) as caught:
        read_summary(path)
    assert caught.value.path == str(path)
    assert len(str(caught.value)) < 1000


# There and back -----------------------------------------------------------------------------------


def test_everything_is_read_as_it_was_written(tmp_path):
    noticed = (Finding("spike", "far ✓", "left_hip", "walk", ((3.0, 5.5),), left_out=True),)
    clips = [
        motion(findings=noticed, animated=frozenset({"left_hip", "root"})),
        motion("run", 900, rotates=None),
    ]
    summary = summarize(clips)
    path = tmp_path / "deep" / "er" / "x.summary.npz"
    write_summary(summary, path)
    again = read_summary(path)
    for field in fields(summary.skeleton):
        ours, theirs = getattr(summary.skeleton, field.name), getattr(again.skeleton, field.name)
        if field.name == "between":
            assert list(ours) == list(theirs) == [2]
            np.testing.assert_array_equal(ours[2], theirs[2])
        else:
            np.testing.assert_array_equal(ours, theirs)
    for one, two in zip(summary.clips, again.clips):
        assert one.content == two.content
        for name in ("clip", "from_source", "animated", "findings", "count"):
            assert getattr(one, name) == getattr(two, name)
        for name in ("second", "goes_round", "frames", "even", "rotations", "rotates"):
            np.testing.assert_array_equal(getattr(one, name), getattr(two, name))
        for field in Reach._fields:
            for side in ("lower", "upper"):
                ours, theirs = (getattr(getattr(c, side), field) for c in (one, two))
                np.testing.assert_array_equal(ours, theirs)


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(5))
def test_a_copy_of_a_copy_has_the_same_bytes(tmp_path, seed):
    """Normalizing unit quaternions again would change their last bit."""
    first, second = tmp_path / "1.summary.npz", tmp_path / "2.summary.npz"
    write_summary(summarize([motion(seed=seed), motion("run", 700, seed=seed)]), first)
    write_summary(read_summary(first), second)
    assert first.read_bytes() == second.read_bytes()
    write_summary(merge_summaries([read_summary(second), read_summary(first)]), second)
    assert sum(name.endswith("frames.npy") for name in members(second.read_bytes())) == 4
    write_summary(summarize([motion("run", 700, seed=seed), motion(seed=seed)]), second)
    assert first.read_bytes() == second.read_bytes()


def test_nothing_is_written_if_it_fails(tmp_path, monkeypatch):
    path = tmp_path / "x.summary.npz"
    path.write_bytes(b"as it was")
    unfit = summarize([motion()])
    unfit = unfit._replace(skeleton=replace(unfit.skeleton, meters_per_unit=float("nan")))
    with pytest.raises(ValueError, match="JSON"):
        write_summary(unfit, path)

    def full(stream, **arrays):
        stream.write(b"a part of it")
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(np, "savez", full)
    with pytest.raises(OSError, match="No space"):
        write_summary(summarize([motion()]), path)
    assert path.read_bytes() == b"as it was"
    assert os.listdir(tmp_path) == [path.name]


# Damaged ------------------------------------------------------------------------------------------


def test_files_that_are_none(tmp_path):
    for data in (b"", b"\0" * 100, b"HIERARCHY\nROOT hips\n", b"PK\x03\x04", os.urandom(5000)):
        refused(tmp_path, data, "not a clip summary")
    refused(tmp_path, array_bytes(np.zeros(3)), "not a clip summary")
    refused(tmp_path, packed({}), "not a clip summary")
    refused(tmp_path, packed({"readme.txt": b"hello"}), "not a clip summary")


def test_no_file_and_a_directory(tmp_path):
    with pytest.raises(SummaryError, match="file not found"):
        read_summary(tmp_path / "none.summary.npz")
    with pytest.raises(SummaryError, match="is a directory"):
        read_summary(tmp_path)
    with pytest.raises(SummaryError, match="not a valid path"):
        read_summary("a\0b.summary.npz")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes")
def test_a_pipe_is_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "pipe.summary.npz")
    with pytest.raises(SummaryError, match="not a file"):
        read_summary(tmp_path / "pipe.summary.npz")


def test_truncated_anywhere(tmp_path, written):
    for length in np.linspace(0, len(written) - 1, 80).astype(int):
        refused(tmp_path, written[:length])


@pytest.mark.thorough
@settings(max_examples=150)
@given(seed=st.integers(0, 2**32 - 1), ends=st.booleans())
def test_flipped_bytes(tmp_path_factory, written, seed, ends):
    rng = np.random.default_rng(seed)
    data = bytearray(written)
    # The names and sizes at the end of the file matter more than the many numbers before.
    low = len(data) - 4000 if ends else 0
    for at in rng.integers(low, len(data), 3):
        data[at] ^= 1 << rng.integers(8)
    path = tmp_path_factory.getbasetemp() / "flipped.summary.npz"
    path.write_bytes(bytes(data))
    with contextlib.suppress(SummaryError):  # the only one that is allowed
        estimate_from_summary(read_summary(path))


@pytest.mark.thorough
@settings(max_examples=100)
@given(seed=st.integers(0, 2**32 - 1))
def test_flipped_bytes_with_the_right_checksum(tmp_path_factory, written, seed):
    rng = np.random.default_rng(seed)
    parts = members(written)
    name = sorted(parts)[rng.integers(len(parts))]
    data = bytearray(parts[name])
    for at in rng.integers(0, len(data) if rng.random() < 0.5 else min(len(data), 128), 2):
        data[at] ^= 1 << rng.integers(8)
    path = tmp_path_factory.getbasetemp() / "changed.summary.npz"
    path.write_bytes(packed({**parts, name: bytes(data)}))
    with contextlib.suppress(SummaryError):
        read_summary(path)


@pytest.mark.parametrize("name", ["0.rotates", "1.frames", "skeleton.offsets", "0.upper.steady"])
def test_missing_arrays(tmp_path, written, name):
    parts = members(written)
    del parts[f"{name}.npy"]
    refused(tmp_path, packed(parts), name)


CHANGES = {
    "other-shape": lambda a: a[:-1],
    "more-axes": lambda a: a[None],
    "flat": np.ravel,
    "empty": lambda a: a[:0],
    "big-endian": lambda a: a.astype(a.dtype.newbyteorder(">")),
    "float32": lambda a: a.astype("<f4"),
    "complex": lambda a: a.astype(complex),
    "text": lambda a: a.astype("U5"),
    "columns": np.asfortranarray,
}


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["0.rotations", "1.second", "skeleton.scales", "0.lower.steady"])
@pytest.mark.parametrize("change", list(CHANGES))
def test_arrays_of_another_kind(tmp_path, written, name, change):
    refused(tmp_path, with_array(written, name, CHANGES[change]), name.replace(".", r"\."))


@pytest.mark.parametrize("number", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize(
    "name", ["0.rotates", "1.frames", "0.lower.steady", "skeleton.rest_rotations"]
)
def test_values_that_are_not_numbers(tmp_path, written, name, number):
    def spoil(array):
        array.flat[-1] = number
        return array

    refused(tmp_path, with_array(written, name, spoil), "non-finite values")


IMPOSSIBLE = {
    "no poses": ("0.even", np.zeros_like),
    "frames back": ("0.frames", lambda a: a[::-1]),
    "sums": ("0.second", lambda a: 3.0 * a),
    "no sums": ("0.second", np.zeros_like),
    "huge sums": ("0.second", lambda a: a + 1e300 * (1 - np.eye(4))),
    "huge": ("1.rotates", lambda a: a + 1e300),
    "rotations": ("1.rotations", lambda a: 1.01 * a),
    "huge rotations": ("1.rotations", lambda a: 1e300 * a),
    "stop": ("0.upper.stop", lambda a: a + 9),
    "negative stop": ("0.lower.stop", lambda a: a - 9),
    "quaternions": ("skeleton.joint_orients", lambda a: 2.0 * a),
    "huge quaternions": ("skeleton.joint_orients", lambda a: 1e300 * a),
    "zero quaternions": ("skeleton.rotate_axes", np.zeros_like),
    "parents": ("skeleton.parents", lambda a: a[::-1]),
    "between": ("skeleton.between_of", lambda a: a + 9),
    "scales": ("skeleton.scales", lambda a: 1e-300 * a),
    "between shape": ("skeleton.between", lambda a: a[:, :3]),
}


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(("name", "change"), IMPOSSIBLE.values(), ids=list(IMPOSSIBLE))
def test_values_that_no_summary_has(tmp_path, written, name, change):
    refused(tmp_path, with_array(written, name, change), "damaged")


def test_objects_are_never_unpickled(tmp_path, written):
    parts = members(written)

    class Trap:
        def __reduce__(self):
            return os.mkdir, (str(tmp_path / "trapped"),)

    trap = np.empty(1, dtype=object)
    trap[0] = Trap()
    stream = io.BytesIO()
    np.save(stream, trap, allow_pickle=True)
    for name in ("document", "0.rotates", "skeleton.parents"):
        refused(tmp_path, packed({**parts, f"{name}.npy": stream.getvalue()}), name)
    assert not (tmp_path / "trapped").exists()


DOCUMENTS = {
    "not JSON": lambda d: "{",
    "not an object": lambda d: "[]",
    "not UTF-8": lambda d: "\ud800".encode("utf-8", "surrogatepass").decode("latin-1"),
    "deep": lambda d: "[" * 200_000,
    "constants": lambda d: json.dumps(d).replace("30.0", "NaN"),
    "endless": lambda d: json.dumps(d).replace("30.0", "1e999"),
    "digits": lambda d: json.dumps(d).replace("30.0", "9" * 100_000),
    "format": lambda d: d.update(format="something"),
    "version": lambda d: d.update(version=2),
    "no clips": lambda d: d.update(clips=[]),
    "more clips": lambda d: d["clips"].append(d["clips"][0]),
    "clips": lambda d: d.update(clips={}),
    "name": lambda d: d["clips"][0]["clip"].update(name=5),
    "record": lambda d: d["clips"][0]["clip"].pop("sha256"),
    "frame rate": lambda d: d["clips"][0]["clip"].update(frame_rate=0.0),
    "count": lambda d: d["clips"][1].update(count=5),
    "count is text": lambda d: d["clips"][1].update(count="5"),
    "findings": lambda d: d["clips"][1].update(findings=[{"rule": 5}]),
    "animated": lambda d: d["clips"][1].update(animated=[[]]),
    "unknown": lambda d: d["clips"][1].update(more=1),
    "joint twice": lambda d: d["skeleton"].update(names=["root", "root", "hip"]),
    "other joints": lambda d: d["skeleton"]["names"].append("tail"),
    "orders": lambda d: d["skeleton"].update(rotate_orders=["xyz", "xyz", "abc"]),
    "fewer orders": lambda d: d["skeleton"].update(rotate_orders=["xyz"]),
    "no joints": lambda d: d["skeleton"].update(names=[], rotate_orders=[]),
    "units": lambda d: d["skeleton"].update(meters_per_unit="cm"),
}


@pytest.mark.thorough
@pytest.mark.parametrize("change", DOCUMENTS.values(), ids=list(DOCUMENTS))
def test_documents_that_are_wrong(tmp_path, written, change):
    document = json.loads(np.load(io.BytesIO(members(written)["document.npy"])).tobytes())
    text = change(document)
    text = json.dumps(document) if text is None else text
    raw = np.frombuffer(text.encode("utf-8"), np.uint8)
    refused(tmp_path, with_array(written, "document", lambda _: raw), "not a clip summary")


# Memory -------------------------------------------------------------------------------------------


def peak_while(action):
    tracemalloc.start()
    try:
        action()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_a_disk_that_fails_is_named(tmp_path, written, monkeypatch):
    monkeypatch.setattr(zipfile, "ZipFile", lambda *_: io.FileIO(10**6))
    refused(tmp_path, written, "cannot be read: Bad file descriptor")


def test_packed_files_are_refused_before_they_are_unpacked(tmp_path, written):
    parts = {**members(written), "bomb.npy": b"\0" * (20 << 20)}
    data = packed(parts, compression=zipfile.ZIP_DEFLATED)
    assert len(data) < 1 << 20
    assert peak_while(lambda: refused(tmp_path, data, "compressed or encrypted")) < 8 << 20


def test_sizes_that_are_only_claimed(tmp_path, written):
    """A member that claims more bytes than the file has, and shapes beyond all bytes."""
    data = written.replace(
        (len(members(written)["document.npy"])).to_bytes(4, "little"), b"\xf0" * 4
    )
    assert data != written
    assert peak_while(lambda: refused(tmp_path, data)) < 8 << 20
    parts = members(written)
    old = parts["0.rotates.npy"]
    shape = old[old.index(b"(") : old.index(b")") + 1]
    for claim in (b"(3, 3, 999999999)", b"(99999999999999999999,)", b"((((((((((((((((("):
        claimed = old.replace(shape, claim)[: len(old)]
        huge = packed({**parts, "0.rotates.npy": claimed})
        assert peak_while(lambda: refused(tmp_path, huge, "0.rotates")) < 8 << 20  # noqa: B023


def test_members_that_share_their_bytes(tmp_path, written):
    """Two entries that share one place and together exceed the file."""
    parts = {**members(written), "0.more.npy": b"\1" * 100_000}
    data = bytearray(packed(parts))
    with zipfile.ZipFile(io.BytesIO(bytes(data))) as archive:
        sizes = sum(item.file_size for item in archive.infolist())
    entry = data.index(b"PK\x01\x02")
    for at in (20, 24):
        data[entry + at : entry + at + 4] = sizes.to_bytes(4, "little")
    refused(tmp_path, bytes(data), "larger than the file")


def test_a_packed_length_that_is_made_up_takes_no_memory(tmp_path, written):
    data = bytearray(written)
    entry = data.rindex(b"PK\x01\x02")
    data[entry + 20 : entry + 24] = (1 << 31).to_bytes(4, "little")
    assert peak_while(lambda: refused(tmp_path, bytes(data), "two lengths")) < 8 << 20


def test_a_file_beyond_the_limit(tmp_path, written):
    path = tmp_path / "some.summary.npz"
    path.write_bytes(written)
    with pytest.raises(SummaryError, match="more than 1000 bytes, the maximum"):
        read_summary(path, budget(max_summary_bytes=1000))
    read_summary(path, budget(max_summary_bytes=len(written)))


# The command line ---------------------------------------------------------------------------------


def bvh(path, low, high, count=60):
    knee = there_and_back(low, high, count)
    rows = [f"0 {n % 7} 0 0 {angle:.6f} 0" for n, angle in enumerate(knee)]
    path.write_text(f"{HEAD}Frames: {count}\nFrame Time: 0.033333\n" + "\n".join(rows) + "\n")
    return str(path)


def run(*arguments):
    return main(["estimate", *map(str, arguments), "--character", "man"])


def test_the_command_line_takes_and_saves_summaries(tmp_path, capsys):
    one, two = bvh(tmp_path / "one.bvh", 0, 80), bvh(tmp_path / "two.bvh", -5, 120, 700)
    saved, later = tmp_path / "man.summary.npz", tmp_path / "later.summary.npz"
    assert run(one, "--save-summary", saved, "--out", tmp_path / "a") == 0
    assert f"wrote {saved}" in capsys.readouterr().out
    assert run(two, saved, "--save-summary", later, "--out", tmp_path / "b") == 0
    assert run(one, two, "--out", tmp_path / "c") == 0
    assert run(later, saved, "--out", tmp_path / "d") == 0
    results = [(tmp_path / name / "man.limits.json").read_bytes() for name in "bcd"]
    assert results[0] == results[1] == results[2]


def test_the_command_line_tells_of_bad_summaries(tmp_path, capsys):
    one, bad = bvh(tmp_path / "one.bvh", 0, 80), tmp_path / "bad.summary.npz"
    bad.write_bytes(b"no")
    assert run(one, bad, "--out", tmp_path) == 1
    assert "bad.summary.npz: not a clip summary" in capsys.readouterr().err
    assert not list(tmp_path.glob("*.limits.json"))


def test_a_frame_of_a_summary_as_the_rest_pose(tmp_path, capsys):
    one, saved = bvh(tmp_path / "one.bvh", 0, 80), tmp_path / "man.summary.npz"
    assert run(one, "--save-summary", saved, "--out", tmp_path) == 0
    assert run(saved, "--rest", "frame:1", "--out", tmp_path) != 0
    assert "every frame, which a summary does not have" in capsys.readouterr().err
    assert run(saved, one, "--rest", "frame:1", "--out", tmp_path) == 0


def test_edits_of_an_earlier_result_are_kept(tmp_path, capsys):
    one = bvh(tmp_path / "one.bvh", 0, 80)
    assert run(one, "--out", tmp_path) == 0
    old = tmp_path / "man.limits.json"
    document = json.loads(old.read_text())
    assert document["edits"] == []
    document["edits"] = [edit_of("knee")]
    old.write_text(json.dumps(document))
    assert run(one, "--keep-edits", old, "--out", tmp_path / "new") == 0
    found = read_limit_set(tmp_path / "new" / "man.limits.json")
    limit = found.joints["knee"].limits["rotateX"]
    assert (limit.max_deg, limit.source.max.kind) == (100.0, "artist")
    assert limit.min_deg == pytest.approx(0.0)
    assert len(found.edits) == 1
    assert run(one, "--out", tmp_path) == 2
    stderr = capsys.readouterr().err
    assert "holds 1 artist edit" in stderr
    assert "--keep-edits" in stderr
    assert json.loads(old.read_text()) == document
    assert run(one, "--keep-edits", old, "--out", tmp_path) == 0
    assert len(read_limit_set(old).edits) == 1
    # An edit of a joint that no longer exists is reported, not dropped.
    document["edits"] = [edit_of("knie")]
    old.write_text(json.dumps(document))
    capsys.readouterr()
    code = run(one, "--keep-edits", old, "--out", tmp_path / "other")
    assert "knie" in "".join(capsys.readouterr()) + "".join(
        path.read_text() for path in (tmp_path / "other").glob("*.json")
    )
    assert code in (0, 2)


def edit_of(joint):
    edit = {"joint": joint, "target": "max", "channel": "rotateX", "value": 100.0, "note": ""}
    return {**edit, "author": None, "date": None, "replaced": None}


# Arcs of all frames -------------------------------------------------------------------------------


@pytest.mark.parametrize("gone", [(".frame.npy",), (".frame.npy", ".arcs.")])
def test_files_of_older_versions_lack_frames_of_extremes_and_arcs(written, tmp_path, gone):
    parts = members(written)
    kept = {name: data for name, data in parts.items() if not any(end in name for end in gone)}
    assert len(kept) < len(parts)
    path = tmp_path / "old.summary.npz"
    path.write_bytes(packed(kept))
    old = read_summary(path)
    path.write_bytes(written)
    new = read_summary(path)
    assert max(len(one.arcs) for one in new.clips) > 0
    for one, other in zip(old.clips, new.clips):
        np.testing.assert_array_equal(one.lower.frame, other.lower.frame)
        np.testing.assert_array_equal(one.upper.frame, other.upper.frame)
    assert estimate_from_summary(old).joints == estimate_from_summary(new).joints


def test_files_of_older_versions_have_stretches_that_are_not_read(written, tmp_path):
    path, blocks = tmp_path / "old.summary.npz", array_bytes(np.zeros((3, 3, 16)))
    path.write_bytes(packed({**members(written), "0.lower.blocks.npy": blocks}))
    old = read_summary(path)
    path.write_bytes(written)
    assert estimate_from_summary(old).joints == estimate_from_summary(read_summary(path)).joints


@pytest.mark.parametrize(
    ("name", "change", "match"),
    [
        ("channel", lambda array: array - np.arange(len(array)), "does not increase"),
        ("channel", lambda array: array + 90, "does not increase"),
        ("start", lambda array: array + 9.0, "angles beyond a turn"),
        ("end", lambda array: array[1:], "instead of"),
        ("end_frame", lambda array: array * np.nan, "non-finite"),
    ],
)
def test_damaged_arcs_are_refused(written, tmp_path, name, change, match):
    arcs = [members(written)[f"{number}.arcs.channel.npy"] for number in (0, 1)]
    number = next(one for one in (0, 1) if len(np.load(io.BytesIO(arcs[one]))))
    refused(tmp_path, with_array(written, f"{number}.arcs.{name}", change), match)
