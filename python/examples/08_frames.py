# SPDX-License-Identifier: Apache-2.0
"""Frames of a source that decays: from one list to a curve of activity against time."""

import numpy
from common import options, plt, save

import tofscope

given = options(__doc__)
# Followed in time the events have times; the list lasts as long as its decays take.
tofscope.simulate(given.folder / "timed.h5", scanner="labr3", phantom="nema-iq", activity=20,
                  events=max(4000, int(100_000 * given.counts)), seed=2)
events = tofscope.open(given.folder / "timed.h5")
print(len(events), "events in", events.duration_s, "s")
length = events.duration_s / 5
tofscope.bin(given.folder / "timed.h5", given.folder / "framed.h5", views="12x1", grid="48x48x16", voxel=12,
             frames=f"5x{length:.6f}s", nuclide="F-18")
tofscope.commands.run("reconstruct", given.folder / "framed.h5", out=given.folder / "framed-run.h5", algorithm="osem",
                      subsets=3, iterations=3, dynamic=given.folder / "frames.nii.gz")

image = tofscope.open(given.folder / "frames.nii.gz")
middle = image.start_s + image.duration_s / 2
mean = image.array.mean(axis=(1, 2, 3))
figure, axis = plt.subplots(figsize=(6, 4), layout="constrained")
axis.errorbar(middle, mean, xerr=image.duration_s / 2, fmt="o")
axis.set(xlabel="time, s", ylabel=f"mean over the image, {image.units}", ylim=(0, 1.2 * numpy.max(mean)))
save(figure, given.folder / "curve.png")
