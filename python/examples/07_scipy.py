# SPDX-License-Identifier: Apache-2.0
"""Least squares by SciPy's LSQR on the operator: unlike MLEM it knows neither Poisson nor positivity."""

import numpy
from common import options, show, small_data
from scipy.sparse.linalg import lsqr

import tofscope

given = options(__doc__)
data = small_data(given)
A = tofscope.model(data)
solved = lsqr(A.as_linear_operator(), (A.counts() - A.background()).ravel(), iter_lim=10)[0]
image = numpy.maximum(solved.reshape(A.image_shape), 0)
own = tofscope.reconstruct(data, algorithm="mlem", iterations=10).image.array
show({"LSQR, 10 steps": image, "MLEM, 10 iterations": own}, given.folder / "lsqr.png", "emissions/voxel")
