"""Implicit surfaces around a motion: the method of Herda and others, made to work.

See :mod:`.surface` for the surface and what it can do, :mod:`.fit` for the steps of the fit.
"""
