"""Distinct values, medians and quantiles, against numpy's own, which take longer."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from jointlimits_core.geometry.arrays import distinct, medians, quantiles

ROWS = arrays(
    np.float64, st.tuples(st.integers(1, 3), st.integers(1, 9)), elements=st.floats(-9.0, 9.0)
)


@given(ROWS)
def test_as_numpy_does(values):
    assert distinct(values).tolist() == np.unique(values).tolist()
    assert medians(values) == pytest.approx(np.median(values, axis=-1), abs=1e-12)
    for share in (0.0, 0.1, 0.5, 0.77, 1.0):
        expected = np.quantile(values, share, axis=-1)
        assert quantiles(values, share) == pytest.approx(expected, abs=1e-12)


def test_nothing_has_no_distinct_values():
    assert distinct(np.empty((0, 3))).tolist() == []
