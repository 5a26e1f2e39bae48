"""Choice of a figure's root, which sets the direction of every joint."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..side_names import words_of
from .hierarchy import middle_body, tree_order
from .options import BodyOptions

ROOT_WORDS = frozenset(("pelvis", "hips", "root", "waist", "sacrum"))


def given_parents(
    names: Sequence[str], options: BodyOptions
) -> tuple[dict[int, int], tuple[int, ...]]:
    """The given hierarchy, by index.

    Returns
    -------
    parents : dict of child to parent
    roots : tuple of int
        Bodies given without a parent.

    Raises
    ------
    ValueError
        For unknown names, or a body that is its own parent.
    """
    number = {name: index for index, name in enumerate(names)}
    asked = {*options.parents, *(parent for parent in options.parents.values() if parent)}
    unknown = sorted((asked | ({options.root} if options.root else set())) - set(number))
    if unknown:
        raise ValueError(f"no body {unknown[0]!r}; there is: {', '.join(names)}")
    parents = {}
    for child, parent in options.parents.items():
        if child == parent:
            raise ValueError(f"body {child!r} cannot be its own parent")
        if parent is not None:
            parents[number[child]] = number[parent]
    roots = tuple(number[child] for child, parent in options.parents.items() if parent is None)
    return parents, roots


def chosen_root(
    names: Sequence[str],
    near: Sequence[Sequence[int]],
    figure: Sequence[int],
    options: BodyOptions,
) -> int:
    """Root of a figure: the given one, the one named so, or the most central body.

    Parameters
    ----------
    names : sequence of str
        Of all bodies.
    near : sequence of sequence of int
        Bodies joined to each body.
    figure : sequence of int
        Bodies of one figure.

    Raises
    ------
    ValueError
        If the given root and the given parents contradict each other.
    """
    parents, roots = given_parents(names, options)
    wanted = [body for body in figure if body in roots or names[body] == options.root]
    possible = wanted or list(figure)
    fitting = [body for body in possible if _agrees(near, figure, body, parents)]
    if not fitting or len(wanted) > 1:
        raise ValueError(
            "the parents that were given do not agree with each other or with the root, in the "
            f"figure of {', '.join(names[body] for body in figure)}"
        )
    called = [body for body in fitting if ROOT_WORDS & set(words_of(names[body]))]
    if len(called) == 1:
        return called[0]
    middle = middle_body(near, figure)
    return middle if middle in fitting else fitting[0]


def _agrees(
    near: Sequence[Sequence[int]], figure: Sequence[int], root: int, given: Mapping[int, int]
) -> bool:
    parents = tree_order(near, root)[1]
    return all(parents[child] == parent for child, parent in given.items() if child in figure)
