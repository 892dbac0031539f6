# SPDX-License-Identifier: Apache-2.0
"""SVRG with a relative difference prior in thirty lines, beside the program's own."""

import numpy
from common import options, show, small_data

import tofscope

SUBSETS, ITERATIONS, BETA = 4, 6, 0.05

given = options(__doc__)
data = small_data(given)
A = tofscope.model(data)
R = A.prior("relative-difference", beta=BETA)
blocks = [A.subset(b, SUBSETS) for b in range(SUBSETS)]
x, s, delta = A.start(), A.sensitivity(), numpy.float32(1e-6 * A.unit())
seen = x > 0


def moved(x, by):
    """A step that neither falls below a tenth nor grows beyond eleven times the value."""
    return numpy.maximum(x / 10, x + numpy.minimum(by, 10 * (x + delta)))


for k in range(ITERATIONS):
    step = numpy.float32(1 / (1 + 0.05 * k))
    size = step * (x + delta) / numpy.where(seen, s + 2 * R.curvature(x) * (x + delta), 1) * seen
    if k == 0:  # an anchor at a uniform image tells little: subsets alone
        start = numpy.where(seen, s + 2 * R.curvature(x) * (x + delta), 1)
        for block in blocks:
            gradient = block.gradient(x) - R.gradient(x) / SUBSETS
            x = numpy.where(seen, moved(x, step * SUBSETS * gradient * (x + delta) / start), x)
        continue
    anchors = [block.gradient(x) for block in blocks]
    whole = sum(anchors)
    x = moved(x, size * (whole - R.gradient(x)))
    for block, anchor in 2 * list(zip(blocks, anchors)):
        x = moved(x, size * (SUBSETS * (block.gradient(x) - anchor) + whole - R.gradient(x)))

own = tofscope.reconstruct(data, algorithm="svrg", subsets=SUBSETS, iterations=ITERATIONS, beta=BETA,
                           prior="relative-difference").image.array
print("objective:", A.log_likelihood(x) - R.value(x))
print("largest difference, share of the maximum:", float(abs(x - own).max() / own.max()))
assert abs(x - own).max() < 1e-4 * own.max()
show({"operators": x, "the program": own}, given.folder / "svrg.png", "emissions/voxel")
