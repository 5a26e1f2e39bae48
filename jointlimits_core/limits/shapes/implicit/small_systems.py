"""Products and solutions of small systems, the same with any number of threads.

Systems of a hundred unknowns gain nothing from several threads, lose much to them where the cores
are busy, and come out differently in the last digit with each number of them; a fit that
subdivides what is worst may then go another way. In parts as small as these no library starts any.
"""

from __future__ import annotations

import numpy as np

from ....arrays import Floats

ROWS = 32
BLOCK = 8


def square(matrix: Floats) -> Floats:
    """``matrix.T @ matrix``, a few rows at a time and then summed; (n, k) to (k, k)."""
    blocks = np.zeros((-(-len(matrix) // ROWS), ROWS, matrix.shape[1]))
    blocks.reshape(-1, matrix.shape[1])[: len(matrix)] = matrix
    return np.asarray(np.matmul(np.swapaxes(blocks, 1, 2), blocks).sum(axis=0))


def solved(matrix: Floats, right: Floats) -> Floats:
    """Solve a symmetric positive definite system, a few unknowns at a time.

    Parameters
    ----------
    matrix : array, shape (k, k)
    right : array, shape (k,)

    Returns
    -------
    array, shape (k,)
    """
    count = len(right)
    work = np.column_stack([matrix, right])
    starts = range(0, count, BLOCK)
    for start in starts:
        end = min(start + BLOCK, count)
        work[start:end, end:] = np.linalg.inv(work[start:end, start:end]) @ work[start:end, end:]
        work[end:, end:] -= work[end:, start:end] @ work[start:end, end:]
    solution = work[:, count].copy()
    for start in reversed(starts):
        end = min(start + BLOCK, count)
        solution[start:end] -= work[start:end, end:count] @ solution[end:]
    return solution
