# SPDX-License-Identifier: Apache-2.0
"""MLEM written with operators, beside the program's own."""

import numpy
from common import options, show, small_data

import tofscope

given = options(__doc__)
data = small_data(given)
A = tofscope.model(data)
y, b, s = A.counts(), A.background(), A.sensitivity()

x = A.start()
seen = x > 0
for _ in range(10):
    expected = A.forward(x) + b
    ratio = numpy.divide(y, expected, out=numpy.zeros_like(y), where=expected > 0)
    x = numpy.divide(x * A.back(ratio), s, out=numpy.zeros_like(x), where=seen)

own = tofscope.reconstruct(data, algorithm="mlem", iterations=10).image.array
print("largest difference, share of the maximum:", float(abs(x - own).max() / own.max()))
assert abs(x - own).max() < 1e-4 * own.max()
show({"operators": x, "the program": own}, given.folder / "mlem.png", "emissions/voxel")
