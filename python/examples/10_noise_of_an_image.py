# SPDX-License-Identifier: Apache-2.0
"""The standard deviation of each voxel, over noisy copies of the same expected counts."""

import numpy
from common import options, show, small_data

import tofscope

COPIES, ITERATIONS = 8, 6

given = options(__doc__)
data = small_data(given)
A = tofscope.model(data)
s = A.sensitivity()
truth = tofscope.reconstruct(data, algorithm="osem", subsets=4, iterations=2).image.array
expected = A.forward(truth)
random = numpy.random.default_rng(0)


def mlem(y):
    """A few iterations on counts of our own."""
    x = A.start()
    seen = x > 0
    for _ in range(ITERATIONS):
        e = A.forward(x)
        x = numpy.divide(x * A.back(numpy.divide(y, e, out=numpy.zeros_like(e), where=e > 0)), s,
                         out=numpy.zeros_like(x), where=seen)
    return x


images = numpy.stack([mlem(random.poisson(expected).astype("float32")) for _ in range(COPIES)])
show({"mean": images.mean(axis=0), "standard deviation": images.std(axis=0, ddof=1)}, given.folder / "noise.png",
     "emissions/voxel")
