"""Tests, with a package per package of the product."""

import os

# Before numpy is read. Matrices here are small: a second thread would only wait, and as busily as
# the first one works.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
