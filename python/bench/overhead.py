# SPDX-License-Identifier: Apache-2.0
"""Measures what a call from Python costs beside the projection itself, at 144 x 144 x 48 voxels.

usage: PYTHONPATH=build/release/python python3 python/bench/overhead.py [ENGINE]

A view is projected by ``operator.part(0).forward(x, out)`` and by the command ``project --repeat``, which times the
projector alone in the same process; medians of 41 calls, and on a device with arrays that stay there. The whole of
120 views is projected by one call, too.
"""

import json
import statistics
import sys
import tempfile
import time

import numpy

import tofscope

engine = sys.argv[1] if len(sys.argv) > 1 else "cpu"
folder = tempfile.mkdtemp(prefix="tofscope-")
tofscope.simulate(f"{folder}/data.h5", scanner="labr3", phantom="nema-iq", events=1_000_000, analytic=True,
                  views="120x1")
data = tofscope.open(f"{folder}/data.h5")
A = tofscope.model(data, engine=engine, kernel="variant1")
one = A.part(0)


def median_ms(call, runs=41):
    """Milliseconds of one call, the median after three that warm up."""
    times = []
    for _ in range(runs + 3):
        start = time.perf_counter()
        call()
        times.append(1e3 * (time.perf_counter() - start))
    return statistics.median(times[3:])


x = numpy.random.default_rng(0).random(A.image_shape, dtype="float32")
tofscope.Image(x, data.spacing_mm).save(f"{folder}/x.h5")
timed = tofscope.commands.run("project", f"{folder}/x.h5", op="forward", azimuth=0, tilt=0,
                              engine=engine, kernel="variant1", repeat=41)
alone = timed["projection_ms"]
out = numpy.empty(one.data_shape, "float32")
said = {"engine": A.engine, "projector_ms": alone,
        "numpy_ms": median_ms(lambda: one.forward(x, out, corrected=False))}
if A.on_device:
    held = A.back(A.forward(x))  # NumPy's; the next two stay on the device
    there = A.to_device(x)
    result = one.forward(there, corrected=False)
    said["device_ms"] = median_ms(lambda: one.forward(there, result, corrected=False))
    whole = A.forward(there)
    said["device_120_views_ms"] = median_ms(lambda: A.forward(there, whole), 11)
    said["back_of_forward_differs"] = float(
        numpy.abs(A.to_host(A.back(A.forward(there))) - held).max() / held.max())
whole = numpy.empty(A.data_shape, "float32")
said["numpy_120_views_ms"] = median_ms(lambda: A.forward(x, whole), 5)
print(json.dumps(said, indent=2))
