# SPDX-License-Identifier: Apache-2.0
"""From a phantom to an image: events by Monte Carlo, sorted into histo-images, reconstructed."""

from common import options, show

import tofscope

given = options(__doc__)
made = tofscope.simulate(given.folder / "list.h5", scanner="labr3-ideal", phantom="nema-iq",
                         events=max(1000, int(1_000_000 * given.counts)), seed=7)
print(made["events"], "of", made["started"], "pairs were recorded")
tofscope.bin(given.folder / "list.h5", given.folder / "binned.h5", views="20x1", grid="48x48x16", voxel=8)

images = {}
tofscope.reconstruct(given.folder / "binned.h5", algorithm="osem", subsets=4, iterations=4,
                     iterate=lambda number, image: images.update({f"iteration {number}": image.array}))
show(images, given.folder / "iterations.png", "emissions/voxel")
