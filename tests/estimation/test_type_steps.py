"""Each step of the type decision by its definition: noise, residuals, tolerances, partners."""

from __future__ import annotations

import numpy as np
import pytest

from jointlimits_core.estimation import joint_type, moment
from jointlimits_core.estimation.joint_type import FIXED, HINGE, UNIVERSAL, Evidence
from jointlimits_core.estimation.moment import CrossTalk, Noise, Residual
from jointlimits_core.geometry import axes
from tests.support.made_motion import universal

QUIET = Noise(0.0, 0.0, 0.0)


def made_moment(*spreads_deg):
    """Moments with given spreads, and vectors of a plain frame."""
    squares = (0.5 * np.radians(np.array(spreads_deg, dtype=float))) ** 2
    values = np.concatenate([1.0 - squares.sum(axis=1, keepdims=True), squares], axis=1)
    return moment.Moment(values, np.tile(np.eye(4)[[3, 0, 1, 2]], (len(values), 1, 1)))


# --- noise -----------------------------------------------------------------------------------


def test_the_largest_component_of_every_vector_is_positive():
    rng = np.random.default_rng(3)
    turned = rng.standard_normal((40, 4, 30))
    turned /= np.linalg.norm(turned, axis=1, keepdims=True)
    found = moment.moment_from_rotations(turned)
    for second, values, vectors in zip(turned @ np.swapaxes(turned, 1, 2), *found):
        expected = np.linalg.eigvalsh(second / 30)[::-1]
        np.testing.assert_allclose(values, expected, atol=1e-12)
        for value, vector in zip(values, vectors):
            np.testing.assert_allclose(second @ vector / 30, value * vector, atol=1e-12)
            assert vector[np.abs(vector).argmax()] > 0.0


def test_the_floor_is_from_the_stillest_fifth():
    hinges = [(40.0, 0.3 + 0.1 * k, 0.1 + 0.1 * k) for k in range(6)]
    every = np.ones(6, dtype=bool)
    across = [(b**2 + c**2) / 2.0 for _, b, c in hinges]
    assert moment.noise_floor(made_moment(*hinges), every) == pytest.approx(
        min(
            np.quantile(across, 0.2) ** 0.5,
            1.5 * np.quantile([c * c for *_, c in hinges], 0.2) ** 0.5,
        )
    )
    # A cloud that is as wide as it is long is noise about all three axes.
    for spreads in ((0.9, 0.5, 0.4), (0.9, 0.5, 0.5)):
        power = sum(spread**2 for spread in spreads)
        assert moment.noise_floor(made_moment(*[spreads] * 6), every) == pytest.approx(
            min((power / 3.0) ** 0.5, 1.5 * spreads[2])
        )
    at_the_border = [(1.0, 0.5, 0.4)] * 6
    assert moment.noise_floor(made_moment(*at_the_border), every) == pytest.approx(
        ((0.25 + 0.16) / 2.0) ** 0.5
    )
    off = np.full(6, 0.08)
    assert moment.noise_floor(made_moment(*hinges), every, off) == pytest.approx(
        min(0.2, 1.5 * np.quantile([c * c for *_, c in hinges], 0.2) ** 0.5)
    )
    assert moment.noise_floor(made_moment(*[(60.0, 20.0, 9.0)] * 6), every) == moment.MOST_NOISE
    five = every & (np.arange(6) < 5)
    assert moment.noise_floor(made_moment(*hinges), five) > 0.0
    assert moment.noise_floor(made_moment(*hinges), five & (np.arange(6) > 0)) == 0.0


def test_exact_data_need_enough_joints():
    exact = made_moment(*[(40.0, 0.0, 0.0)] * 5)
    assert moment.is_exact(exact, np.ones(5, dtype=bool))
    assert not moment.is_exact(exact, np.arange(5) > 0)
    assert not moment.is_exact(made_moment(*[(40.0, 1e-3, 0.0)] * 5), np.ones(5, dtype=bool))


@pytest.mark.parametrize("terms", [0, 2, 5])
@pytest.mark.parametrize("fitted", [0, 4])
def test_noise_that_a_fit_leaves(terms, fitted):
    noise = Noise(0.7, 0.5, 0.2, samples=200, clips=3, fitted=fitted)

    def kept(count):
        every = count * 3
        return (1.0 - 0.5 * every * 0.04) / (1.0 - every / 200)

    assert noise.after(terms) == pytest.approx(0.25 * kept(terms) / kept(fitted))
    assert noise.deviation(2) == pytest.approx(2.0**0.5 * noise.after(0) * 0.2)


def test_a_fit_of_few_samples_takes_nothing_and_never_all():
    assert Noise(0.7, 0.5, 0.1, samples=11, clips=1).after(3) == 0.25
    assert Noise(0.7, 0.5, 0.1, samples=12, clips=1).after(3) < 0.25 * 1.34
    assert Noise(0.7, 0.5, 0.1, samples=12, clips=1).after(3) == pytest.approx(
        0.25 * (1.0 - 1.5 * 0.01) / (1.0 - 3.0 / 12.0)
    )
    assert Noise(0.7, 0.5, 1.0, samples=400, clips=1).after(4) == 0.25 * moment.LEAST_KEPT
    assert Noise(0.7, 0.5, 0.1).after(0) == 0.25


def test_noise_is_at_most_the_smallest_spread_of_all():
    noise = Noise(0.8, 0.4, 0.1, 100)
    least = 0.3 * np.exp(moment.BY_CHANCE * 0.1)
    found = noise.at_most(np.array([0.9, 0.3]))
    assert (found.level, found.left) == pytest.approx((least, 0.5 * least))
    assert noise.at_most(np.array([2.0])) == noise.at_most(np.empty(0))
    assert noise.at_most(np.empty(0)) == pytest.approx(noise)
    assert QUIET.at_most(np.array([1.0])) == QUIET


@pytest.mark.parametrize("size", [1.0, 1e-4])
def test_the_behaviour_of_noise_is_that_of_the_stillest_joints(size):
    rng = np.random.default_rng(5)
    off = (
        rng.standard_normal((10, 2, 400))
        * np.array([5.0, 1.0, 2, 1.5, 6, 7, 8, 9, 0.1, 4])[:, None, None]
    )
    off = size * (off + 3.0)
    moving = np.arange(10) != 8
    found = moment.noise_model(0.6, off, moving, 2, 4)
    # Two of nine, the second and the fourth; means of three have a third of the power.
    still = off[[1, 3]] - off[[1, 3]].mean(axis=2, keepdims=True)
    calm = (still[..., :-2] + still[..., 1:-1] + still[..., 2:]) / 3.0
    assert found.left == pytest.approx(0.6 * (np.mean(calm**2) / np.mean(still**2)) ** 0.5)
    spectrum = np.mean(np.abs(np.fft.rfft(calm, axis=2)[:, :, 1:]) ** 2, axis=1)
    shares = [np.sum(p * p) / (1.5 * np.sum(p) ** 2) for p in spectrum]
    assert found.scatter == pytest.approx(np.mean(shares) ** 0.5)
    assert (found.level, found.samples, found.clips, found.fitted) == (0.6, 400, 2, 4)
    assert found.averages
    for by in range(10):
        for step in (1, -1):
            order = np.roll(np.arange(10), by)[::step]
            other = moment.noise_model(0.6, off[order], moving[order], 2, 4)
            assert other == pytest.approx(found)


@pytest.mark.parametrize(
    ("level", "joints", "samples"), [(0.0, 6, 50), (0.5, 4, 50), (0.5, 6, 3), (0.5, 6, 1)]
)
def test_without_enough_to_go_by_averaging_does_not_help(level, joints, samples):
    off = np.random.default_rng(6).standard_normal((joints, 2, samples))
    found = moment.noise_model(level, off, np.ones(joints, dtype=bool), 3, 4)
    assert found == Noise(level, level, (2.0 / samples) ** 0.5, samples, 3)
    assert not found.averages


def test_five_moving_joints_and_four_samples_are_enough():
    off = np.random.default_rng(7).standard_normal((5, 2, 4))
    assert moment.noise_model(0.5, off, np.ones(5, dtype=bool)).averages


def test_means_of_neighbours_never_have_more_noise():
    # One slow wave that is still at both ends, which have no two neighbours.
    wave = np.sin(2.0 * np.pi * np.arange(40) / 40)
    assert np.mean(moment.averaged(wave) ** 2) > np.mean(wave**2)
    found = moment.noise_model(0.5, np.tile(wave, (5, 2, 1)), np.ones(5, dtype=bool))
    assert found.left == 0.5
    assert not found.averages


# --- residuals -------------------------------------------------------------------------------


@pytest.mark.parametrize(("clips", "own_terms"), [(1, 0), (2, 2)])
def test_parts_beyond_what_noise_leaves(clips, own_terms):
    noise = Noise(0.7, 0.5, 0.4, samples=400, clips=clips)
    part = Residual(np.array([3.0]), np.array([2.0]), np.array([1.0]))
    found = part.beyond(noise, 2, 4, 2)
    raw, own, rest = (2 * noise.after(count) for count in (0, own_terms, 4))
    assert raw >= own > rest
    assert found.free[0] == pytest.approx(3.0 - rest)
    assert found.coupled[0] == pytest.approx(2.0 - (own - rest))
    assert found.between[0] == pytest.approx(1.0 - (raw - own))
    assert part.total[0] == 6.0


def test_a_frame_across_axes_looks_towards_where_it_can():
    rng = np.random.default_rng(8)
    axis, towards = rng.standard_normal((2, 5, 3))
    axis /= np.linalg.norm(axis, axis=1, keepdims=True)
    towards[2:4] = axis[2:4] * [[2.0], [-1.0]]
    axis[4], towards[4] = (1.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    found = axes._frame_across(axis, towards)
    for own, ahead, (first, second) in zip(axis, towards, found):
        frame = np.stack([own, first, second])
        np.testing.assert_allclose(frame @ frame.T, np.eye(3), atol=1e-12)
        np.testing.assert_allclose(np.cross(own, first), second, atol=1e-12)
        assert first @ ahead >= -1e-9
        assert abs(second @ ahead) < 1e-9
    alone = axes._frame_across(axis[:2], towards[:2])
    np.testing.assert_allclose(alone, found[:2], atol=1e-15)


def test_angles_of_a_universal_joint_are_from_their_middle():
    angles = np.stack([np.linspace(-0.3, 1.1, 29), 0.5 * np.sin(np.arange(29)) - 0.4], axis=1)
    fit = axes.UniversalFit(np.eye(3)[[2]], np.eye(3)[[0]], np.zeros(1))
    outer, inner, departure = axes.universal_coordinates(universal(angles)[None], fit)
    # About one axis, the other's direction goes round a circle.
    for found, angle in ((outer[0], angles[:, 0]), (inner[0], angles[:, 1])):
        middle = np.arctan2(np.sin(angle).sum(), np.cos(angle).sum())
        sense = np.sign(found @ (angle - middle))
        np.testing.assert_allclose(sense * found, angle - middle, atol=1e-9)
    np.testing.assert_allclose(departure, 0.0, atol=1e-9)


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_axes_that_coincide_depart_by_a_right_angle_in_spite_of_rounding(sign):
    fit = axes.UniversalFit(np.eye(3)[:1], sign * np.eye(3)[:1], np.zeros(1))
    unit = np.array([[[0.0], [0.0], [0.0], [1.0 + 1e-9]]])
    assert axes.universal_coordinates(unit, fit)[2].item() == sign * 90.0


def test_angles_are_put_to_mean_zero_and_size_one():
    angle = np.random.default_rng(9).uniform(-1.0, 3.0, (3, 50))
    angle[1] = 2.0
    angle[2] = 2.0 + 1e-9 * np.sin(np.arange(50))
    terms = moment.hinge_terms(angle, np.zeros(1, np.int64))
    for own, (ones, x, xx, _) in zip(angle[[0, 2]], terms[[0, 2]]):
        centred = own - own.mean()
        np.testing.assert_allclose(x, centred / np.sqrt(np.mean(centred**2)), rtol=1e-6)
        np.testing.assert_array_equal(xx, x * x)
        assert (ones == 1.0).all()
    assert (terms[1, 1:] == 0.0).all()


def test_the_sense_of_motion_begins_anew_with_each_clip():
    angle = np.random.default_rng(10).uniform(-1.0, 1.0, (2, 60)).cumsum(axis=1)
    calm = (angle[:, :-2] + angle[:, 1:-1] + angle[:, 2:]) / 3.0
    speed = np.zeros((2, 60))
    for at in range(2, 58):
        speed[:, at] = calm[:, at] - calm[:, at - 2]
    for start in (1, 30):
        for at in range(max(start - 2, 0), start + 2):
            speed[:, at] = 0.0
    expected = np.tanh(speed / np.sqrt(np.mean(speed**2, axis=1, keepdims=True)))
    found = moment.hinge_terms(angle, np.array([0, 1, 30]))[:, 3]
    np.testing.assert_allclose(found, expected, atol=1e-12)


def test_what_terms_do_not_explain():
    rng = np.random.default_rng(11)
    terms, series = rng.standard_normal((2, 3, 12)), rng.standard_normal((2, 4, 12))
    found = moment.unexplained(series, terms)
    for own, known, rest in zip(series, terms, found):
        for one, left in zip(own, rest):
            fit = known.T @ np.linalg.lstsq(known.T, one, rcond=None)[0]
            np.testing.assert_allclose(left, (one - fit) * (12 / 9) ** 0.5, atol=1e-7)
    assert moment.unexplained(series[..., :11], terms[..., :11]) is not None
    np.testing.assert_array_equal(
        moment.unexplained(series[..., :11], terms[..., :11]), series[..., :11]
    )
    # Terms that vanish, or are the same, are no error.
    terms[:, 1] = terms[:, 2]
    assert np.isfinite(moment.unexplained(series, terms)).all()


def test_an_axis_that_stands_still_does_not_spoil_the_fit_of_the_other():
    outer, still = np.sin(np.arange(50.0))[None], np.full((1, 50), 0.3)
    terms = moment.universal_terms(outer, still, np.zeros(1, np.int64))
    np.testing.assert_allclose(moment.unexplained(outer[:, None] ** 2, terms), 0.0, atol=1e-6)


def test_clips_have_axes_of_their_own():
    rng = np.random.default_rng(12)
    angle, series = rng.uniform(-1.0, 1.0, (2, 90)), rng.standard_normal((2, 2, 90))
    starts = np.array([0, 40])
    own, rest = moment.without_cross_talk(series, [angle], moment.hinge_terms, starts)
    for here in (slice(0, 40), slice(40, 90)):
        terms = moment.hinge_terms(angle[:, here], np.zeros(1, np.int64))
        left = moment.unexplained(series[..., here], terms[:, :2])
        np.testing.assert_array_equal(own[..., here], left)
        np.testing.assert_array_equal(rest[..., here], moment.unexplained(left, terms))
    alone = moment.without_cross_talk(series, [angle], moment.hinge_terms, starts[:1])
    assert alone[0] is series
    terms = moment.hinge_terms(angle, starts[:1])
    np.testing.assert_array_equal(alone[1], moment.unexplained(series, terms))


@pytest.mark.parametrize("average", [False, True])
def test_a_residual_in_three_parts(average):
    rng = np.random.default_rng(13)
    whole, own, rest = rng.standard_normal((3, 2, 2, 30)) * [[[[3.0]]], [[[2.0]]], [[[1.0]]]]
    size = [
        np.mean(np.sum((moment.averaged(p) if average else p) ** 2, axis=1), axis=1)
        for p in (whole, own, rest)
    ]
    found = moment.split(whole, own, rest, average)
    np.testing.assert_allclose(found.free, size[2])
    np.testing.assert_allclose(found.coupled, size[1] - size[2])
    np.testing.assert_allclose(found.between, size[0] - size[1])
    backwards = moment.split(rest, own, whole, average)
    assert (backwards.coupled == 0.0).all()
    assert (backwards.between == 0.0).all()


# --- tolerances ------------------------------------------------------------------------------


def test_tolerated_residuals():
    noise, talk = Noise(0.7, 0.5, 0.2, 400), CrossTalk(0.3, 0.1)
    motion = np.array([10.0, 40.0])
    chance = joint_type.CHANCE * 2.0**0.5 * 0.25 * 0.2
    share = max(joint_type.NOT_FITTED * 2 * 0.3, HINGE.share)
    expected = 2 * joint_type.FREE_DEG**2 + (share * motion) ** 2 + chance
    np.testing.assert_allclose(HINGE.free(motion, noise, talk), expected)
    small = HINGE.free(motion, noise, CrossTalk(0.01, 0.0))
    np.testing.assert_allclose(
        small, 2 * joint_type.FREE_DEG**2 + (HINGE.share * motion) ** 2 + chance
    )


@pytest.mark.parametrize(
    ("kind", "rule"), [("fixed", FIXED), ("hinge", HINGE), ("universal", UNIVERSAL)]
)
def test_the_line_of_a_type_grows_with_noise_and_motion(kind, rule):
    usual = moment.USUAL.coupled
    motion = 0.0 if kind == "fixed" else 30.0
    share = max(joint_type.NOT_FITTED * rule.axes * usual, rule.share)
    squared = rule.axes * joint_type.FREE_DEG**2 + (share * motion) ** 2
    for noise in (0.0, 0.5, 2.0):
        expected = (squared + rule.axes * noise**2) ** 0.5
        assert joint_type.tolerated_deg(kind, 30.0, noise) == pytest.approx(expected)
    assert joint_type.tolerated_deg("ball", 30.0, 1.0) is None


@pytest.mark.parametrize("measured", [True, False])
def test_evidence_against_a_type(measured):
    noise, talk = Noise(0.7, 0.5, 0.2, 400), CrossTalk(0.2, 0.15, measured)
    motion = np.array([30.0, 30.0, 2.0, 30.0, 2.0])
    part = Residual(
        np.array([0.2, 90.0, 0.1, 3.0, 0.7]),
        np.array([40.0, 2.0, 0.1, 0.0, 2.0]),
        np.array([9.0, 1.0, 3.0, 0.0, 0.0]),
    )
    found = joint_type.weigh(part, motion, noise, HINGE, talk)
    allowed, own = HINGE.free(motion, noise, talk), HINGE.beyond(part, noise)
    most = joint_type.ABOVE_MEDIAN * 2 * motion
    forgiven = np.maximum((most * 0.2) ** 2, allowed)
    apart = np.maximum((most * 0.15) ** 2, allowed)
    against = own.free / allowed + own.coupled / forgiven + own.between / apart
    np.testing.assert_allclose(found.against, np.maximum(against, 0.0))
    np.testing.assert_allclose(found.allowed, np.sqrt(allowed))
    np.testing.assert_allclose(found.residual, np.sqrt(allowed * np.maximum(against, 0.0)))
    assert found.in_step.tolist() == [True, False, False, False, True]
    assert found.chance == pytest.approx(noise.deviation(2))
    mistaken = joint_type.ABOVE_MEDIAN * 0.2 * motion if measured else 0.0
    np.testing.assert_allclose(found.mistaken, mistaken)


def test_rotations_of_exact_data_are_all_motion():
    part = Residual(np.array([0.004]), np.array([0.003]), np.array([0.002]))
    found = joint_type.weigh_exact(part)
    assert found.against == pytest.approx(0.009 / joint_type.EXACT_AXIS_DEG**2)
    assert found.residual == pytest.approx(0.009**0.5)
    assert not found.in_step.any()
    assert not found.doubtful.any()


def test_what_noise_or_cross_talk_may_have_decided():
    against, allowed = np.array([0.9, 1.1, 0.7, 1.3, 1.3, 0.9]), np.full(6, 2.0)
    near = Evidence(against, allowed, np.zeros(6, bool), chance=0.5)
    assert near.doubtful.tolist() == [True, True, False, False, False, True]
    # The residual of 1.3 is 2.28; only what is against the type is a mistake in its favour.
    talk = Evidence(against, allowed, np.zeros(6, bool), mistaken=np.array([9, 2.0, 9, 9, 2.2, 9]))
    assert talk.doubtful.tolist() == [False, False, False, True, False, False]


def test_what_chance_may_decide_grows_with_the_square_of_the_line():
    near = Evidence(np.array([0.9, 0.9]), np.array([3.0, 1.0]), np.zeros(2, bool), chance=0.8)
    assert near.doubtful.tolist() == [False, True]
    # 0.5 of 9 is 4.5 degrees squared.
    far = Evidence(np.array([1.5]), np.array([3.0]), np.zeros(1, bool), chance=4.0)
    assert not far.doubtful.any()
    assert far._replace(chance=5.0).doubtful.all()


def test_cross_talk_is_measured_in_joints_like_hinges():
    noise = Noise(0.0, 0.0, 0.0, 400)
    least = (FIXED.axes * joint_type.FREE_DEG**2) ** 0.5 - 0.01
    motion = np.array([40.0, 40.0, 40.0, 40.0, 40.0, 40.0, least])
    free = np.full(7, 0.5)
    free[5] = 1e4  # turns about more than one axis
    part = Residual(free, np.array([1.0, 4.0, 9.0, 16.0, 25.0, 9e4, 9e4]), np.full(7, 16.0))
    found = joint_type._cross_talk(part, motion, noise)
    assert (found.coupled, found.between) == pytest.approx((3.0 / 40.0, 4.0 / 40.0))
    assert found.measured
    four = np.arange(7) < 4
    assert joint_type._cross_talk(part, np.where(four, motion, least), noise) == moment.USUAL
    assert joint_type._cross_talk(part, np.where(four, motion, least + 0.02), noise).measured


def test_partners_are_weighted_by_how_much_they_move():
    against = np.array([0.8, 3.0, 0.5, 1e3, 1e-3, 2.0, 0.9, 1.2])
    motion = np.array([10.0, 2.0, 1.0, 4.0, 30.0, 40.0, 3.0, 3.0])
    partners = np.array([1, 0, 3, 2, 5, 4, -1, -1])
    found = joint_type.combine_partners(
        Evidence(against, np.ones(8), np.zeros(8, bool)), motion, partners
    ).against
    for row, other in enumerate(partners):
        strong = against[row] > joint_type.INSISTS
        shown = against[row] < 1.0 / joint_type.INSISTS and motion[row] >= 0.5 * motion[other]
        if other < 0 or strong or shown:
            assert found[row] == against[row]
            continue
        own, its = (min(motion[k], joint_type.ENOUGH_MOTION) ** 2 + 1e-9 for k in (row, other))
        weight = own / (own + its)
        mean = weight * np.log(against[row]) + (1.0 - weight) * np.log(against[other])
        assert found[row] == pytest.approx(np.exp(mean))
    still = joint_type.combine_partners(
        Evidence(np.array([0.8, 1.5]), np.ones(2), np.zeros(2, bool)), np.zeros(2), np.array([1, 0])
    )
    assert still.against == pytest.approx((0.8 * 1.5) ** 0.5)
    # Both below what counts as motion, and the nearer to it has more weight.
    faint = joint_type.combine_partners(
        Evidence(np.array([0.8, 1.5]), np.ones(2), np.zeros(2, bool)),
        np.array([1e-5, 1e-4]),
        np.array([1, 0]),
    ).against
    assert faint == pytest.approx([0.8 ** (1 / 11) * 1.5 ** (10 / 11)] * 2)


def test_partners_among_some():
    partners = np.array([1, 0, 3, 2, -1, 0])
    chosen = np.array([True, True, True, False, True, False])
    assert joint_type._among(chosen, partners).tolist() == [1, 0, -1, -1, -1, -1]
    rows = np.array([1, 2, 0, 4])
    assert joint_type._renumbered(rows, partners).tolist() == [2, -1, 0, -1]


def test_the_first_test_that_a_joint_passes_is_its_type():
    spreads = [(5.0, 4.0, 3.0)] * 6
    each = np.zeros(6, bool)
    allowed = np.full(6, 2.0)
    fixed = Evidence(np.array([0.5, 1.0, 4.0, 4.0, 4.0, 1.0]), allowed, each)
    hinge = Evidence(
        np.array([0.5, 1.0, 1.0, 4.0, 0.9, 0.2]), allowed, np.array([0, 0, 0, 0, 1, 0], bool)
    )
    rows = np.array([3])
    crossing = Evidence(np.array([1.21]), allowed[:1], np.zeros(1, bool), chance=1.0)
    found = joint_type._decided(made_moment(*spreads), 0.3, (fixed, hinge, crossing), None, rows)
    assert found.types == ("fixed", "hinge", "hinge", "ball", "hinge", "hinge")
    assert found.runner_ups == ("hinge", "fixed", "universal", "universal", "universal", "fixed")
    # Residuals are 2 sqrt(against), against lines of 2.
    expected = [2.0 - 2.0 * 0.5**0.5, 0.0, 0.0, 0.2, 2.0 - 2.0 * 0.9**0.5, 0.0]
    np.testing.assert_allclose(found.margins, expected, atol=1e-12)
    assert found.clear.tolist() == [True, False, False, False, False, False]
    assert [bool(text) for text in found.settle] == [False, True, True, True, True, True]
    assert found.settle[4] == joint_type._ON_ITS_OWN["hinge"]
    assert found.noise == 0.3
    assert found.universal is None
    np.testing.assert_allclose(found.residuals[:, 0], (25.0 + 16.0 + 9.0) ** 0.5)
    np.testing.assert_allclose(found.residuals[:, 1], 5.0)
    assert np.isnan(found.residuals[:, 2]).all()
    assert (found.residuals[:, 3] == 0.0).all()
    assert np.isnan(found.tested[:, 2]).tolist() == [True, True, True, False, True, True]


@pytest.mark.parametrize("mistaken", [0.0, 9.0])
def test_one_doubt_on_the_way_to_a_type_is_enough(mistaken):
    """A ball joint, because no test is passed; cross-talk may have failed one of them."""
    allowed, against, rows = np.full(2, 2.0), np.array([0.01, 4.0]), np.array([1])
    plain = Evidence(against, allowed, np.zeros(2, bool))
    crossing = Evidence(np.array([9.0]), allowed[:1], np.zeros(1, bool))
    fit = axes.UniversalFit(np.eye(3)[:1], np.eye(3)[1:2], np.array([0.2]))
    bending = plain._replace(mistaken=np.array([0.0, mistaken]))
    found = joint_type._decided(
        made_moment((5.0, 4.0, 3.0), (5.0, 4.0, 3.0)), 0.3, (plain, bending, crossing), fit, rows
    )
    assert found.types[1] == "ball"
    assert found.margins[1] == pytest.approx(2.0)
    assert found.clear[1] == (mistaken == 0.0)
    assert found.residuals.shape == (2, 4)
    assert found.residuals[1, 2] == pytest.approx(np.degrees(0.2))
    assert np.isnan(found.residuals[0, 2])
    assert (found.residuals[:, 3] == 0.0).all()
    assert found.universal is fit
    assert found.universal_of.tolist() == [1]
