# SPDX-License-Identifier: Apache-2.0
"""What the examples share: their options, small data, and pictures."""

import argparse
import pathlib
import tempfile

import matplotlib

matplotlib.use("Agg")  # pictures go to files; no window is needed
import matplotlib.pyplot as plt  # noqa: E402

import tofscope  # noqa: E402


def options(about):
    """The folder to work in and the scale of the counts."""
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("--folder", type=pathlib.Path, help="where files go; a new folder by default")
    parser.add_argument("--counts", type=float, default=1.0, help="scale of the counts")
    given = parser.parse_args()
    given.folder = given.folder or pathlib.Path(tempfile.mkdtemp(prefix="tofscope-"))
    given.folder.mkdir(parents=True, exist_ok=True)
    return given


def small_data(given, events=2_000_000, **options_of_simulate):
    """Histo-images of the NEMA phantom: 48 x 48 x 16 voxels of 8 mm in 20 views, expected counts with noise."""
    file = given.folder / "data.h5"
    if not file.exists():
        tofscope.simulate(file, scanner="labr3", phantom="nema-iq", events=max(1000, int(given.counts * events)),
                          analytic=True, views="20x1", grid="48x48x16", voxel=8, seed=1, **options_of_simulate)
    return tofscope.open(file)


def show(images, path, units=""):
    """The middle slices of some images, all in one scale, with a bar: {title: array [z][y][x]}."""
    top = max(float(image.max()) for image in images.values())
    figure, axes = plt.subplots(1, len(images), figsize=(3.2 * len(images) + 0.8, 3.4), squeeze=False,
                                layout="constrained")
    for axis, (title, image) in zip(axes[0], images.items()):
        drawn = axis.imshow(image[image.shape[0] // 2], cmap="gray_r", vmin=0, vmax=top)
        axis.set_title(title)
        axis.set_axis_off()
    figure.colorbar(drawn, ax=axes[0], label=units)
    save(figure, path)


def save(figure, path):
    """Writes a picture and says where."""
    figure.savefig(path, dpi=110)
    plt.close(figure)
    print(path)
