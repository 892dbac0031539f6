# SPDX-License-Identifier: Apache-2.0
"""Opens a file of any format and shows three slices through it, in millimetres."""

import numpy
from common import options, plt, save, small_data

import tofscope

given = options(__doc__)
data = small_data(given)
tofscope.reconstruct(data, algorithm="osem", subsets=4, iterations=3).image.save(str(given.folder / "image.nii.gz"))

image = tofscope.open(given.folder / "image.nii.gz", units="emissions/voxel")
print(image.array.shape, image.array.dtype, image.spacing_mm, image.units, image.notes)

figure, axes = plt.subplots(1, 3, figsize=(11, 4), layout="constrained")
middle = [side // 2 for side in image.array.shape]
for axis, cut, (across, up) in zip(axes, range(3), [("x", "y"), ("x", "z"), ("y", "z")]):
    plane = numpy.take(image.array, middle[cut], axis=cut)
    first = {name: start for name, start in zip("xyz", image.origin_mm)}
    step = {name: edge for name, edge in zip("xyz", image.spacing_mm)}
    extent = [first[across], first[across] + step[across] * plane.shape[1],
              first[up] + step[up] * plane.shape[0], first[up]]
    axis.imshow(plane, cmap="gray_r", extent=extent)
    axis.set(xlabel=f"{across}, mm", ylabel=f"{up}, mm")
save(figure, given.folder / "slices.png")
