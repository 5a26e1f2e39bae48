"""Implicit surfaces around a motion, after the method of Herda and others.

See :mod:`.surface` for the surface and its methods, :mod:`.fit` for the steps of the fit.
"""
