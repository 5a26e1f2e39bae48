"""Products and solutions of small systems, independent of the number of threads.

Systems of a hundred unknowns gain nothing from several threads and lose much to them on busy
cores, and their last digits differ with the number of threads; a fit that subdivides the worst
primitive may then take another path. With parts as small as these no library starts threads.
"""

from __future__ import annotations

import numpy as np

from ....arrays import Floats

ROWS = 32
BLOCK = 8


def square(matrix: Floats) -> Floats:
    """``matrix.T @ matrix``, summed over blocks of a few rows; (n, k) to (k, k)."""
    blocks = np.zeros((-(-len(matrix) // ROWS), ROWS, matrix.shape[1]))
    blocks.reshape(-1, matrix.shape[1])[: len(matrix)] = matrix
    return np.asarray(np.matmul(np.swapaxes(blocks, 1, 2), blocks).sum(axis=0))


def solved(matrix: Floats, right: Floats) -> Floats:
    """Solve a symmetric positive definite system in blocks of a few unknowns.

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
