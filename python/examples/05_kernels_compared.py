# SPDX-License-Identifier: Apache-2.0
"""One point off the axis, projected by several kernels: what each says that the scanner does to it."""

import numpy
from common import options, plt, save, small_data

import tofscope

given = options(__doc__)
data = small_data(given)
point = numpy.zeros(data.image_shape, "float32")
z, y, x = (side // 2 for side in data.image_shape)
point[z, y, x + 20] = 1  # 160 mm to the left

figure, axes = plt.subplots(1, 2, figsize=(9, 3.6), layout="constrained")
for name, style in {"invariant": "-", "variant1": "--", "variant2": ":"}.items():
    views = tofscope.model(data, kernel=name)
    A = views.part(len(views.parts) // 2)  # x runs across the lines of this view
    for axis, spread in zip(axes, (A.forward(point, corrected=False)[0], A.back(point[None], corrected=False))):
        axis.plot(data.origin_mm[0] + data.spacing_mm[0] * numpy.arange(point.shape[2]), spread[z].sum(axis=0),
                  linestyle=style, marker=".", label=name)
for axis, title in zip(axes, ("forward", "back")):
    axis.set(title=title, xlabel="x, mm", xlim=(80, 240), ylabel="sum over y")
axes[0].legend()
save(figure, given.folder / "kernels.png")
