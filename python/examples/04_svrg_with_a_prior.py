# SPDX-License-Identifier: Apache-2.0
"""SVRG with a relative difference prior, written with operators (svrg.py), beside the program's own."""

from common import options, show, small_data
from svrg import svrg

import tofscope

SUBSETS, ITERATIONS, BETA = 4, 6, 0.05

given = options(__doc__)
data = small_data(given)
A = tofscope.model(data)
R = A.prior("relative-difference", beta=BETA)
x = svrg(A, R, SUBSETS, ITERATIONS)

own = tofscope.reconstruct(data, algorithm="svrg", subsets=SUBSETS, iterations=ITERATIONS, beta=BETA,
                           prior="relative-difference").image.array
print("objective:", A.log_likelihood(x) - R.value(x))
print("largest difference, share of the maximum:", float(abs(x - own).max() / own.max()))
assert abs(x - own).max() < 1e-4 * own.max()
show({"operators": x, "the program": own}, given.folder / "svrg.png", "emissions/voxel")
