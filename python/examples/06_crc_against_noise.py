# SPDX-License-Identifier: Apache-2.0
"""Contrast recovery of the NEMA spheres against noise: OSEM by iteration, and a prior by its strength."""

from common import options, plt, save, small_data

import tofscope

given = options(__doc__)
small_data(given)
data = given.folder / "data.h5"


def figures(name, **settings):
    """CRC and noise after each iteration, in per cent, as 'analyze' prints them."""
    run = given.folder / f"{name}.h5"
    tofscope.commands.run("reconstruct", data, out=run, **settings)
    table = tofscope.commands.run("analyze", run, rois="auto")["iterations"]
    return [100 * row["noise"] for row in table], [100 * row["crc"] for row in table]


figure, axis = plt.subplots(figsize=(6, 4.4), layout="constrained")
axis.plot(*figures("osem", algorithm="osem", subsets=4, iterations=12), marker=".", label="OSEM, by iteration")
ends = [figures(f"beta{i}", algorithm="svrg", subsets=4, iterations=12, beta=beta, prior="relative-difference")
        for i, beta in enumerate((0.3, 0.1, 0.03, 0.01))]
axis.plot([noise[-1] for noise, _ in ends], [crc[-1] for _, crc in ends], marker="s",
          label="relative difference, by beta")
axis.set(xlabel="noise, %", ylabel="CRC, mean over spheres, %")
axis.legend()
save(figure, given.folder / "crc.png")
