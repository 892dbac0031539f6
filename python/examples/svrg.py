# SPDX-License-Identifier: Apache-2.0
"""Twyman's SVRG with a prior, as recon/algorithm/svrg.cpp has it, written with operators alone."""

import numpy


def svrg(A, R, subsets, iterations, step=1.0, decay=0.05):
    """The image after some iterations by operator A and prior R, from a uniform start."""
    blocks = [A.subset(b, subsets) for b in range(subsets)]
    x, s, delta = A.start(), A.sensitivity(), numpy.float32(1e-6 * A.unit())
    seen = x > 0

    def moved(x, by):
        """A step that neither falls below a tenth nor grows beyond eleven times the value."""
        return numpy.maximum(x / 10, x + numpy.minimum(by, 10 * (x + delta)))

    for k in range(iterations):
        size = numpy.float32(step / (1 + decay * k))
        divisor = numpy.where(seen, s + 2 * R.curvature(x) * (x + delta), 1)
        if k == 0:  # an anchor at a uniform image tells little: subsets alone
            for block in blocks:
                gradient = block.gradient(x) - R.gradient(x) / subsets
                x = numpy.where(seen, moved(x, size * subsets * gradient * (x + delta) / divisor), x)
            continue
        D = numpy.where(seen, size * (x + delta) / divisor, 0)
        anchors = [block.gradient(x) for block in blocks]
        whole = sum(anchors)
        x = moved(x, D * (whole - R.gradient(x)))
        for block, anchor in 2 * list(zip(blocks, anchors)):
            x = moved(x, D * (subsets * (block.gradient(x) - anchor) + whole - R.gradient(x)))
    return x
