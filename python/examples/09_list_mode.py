# SPDX-License-Identifier: Apache-2.0
"""The events of a list as arrays: times of flight, and which of them are true, scattered and random."""

import numpy
from common import options, plt, save

import tofscope

given = options(__doc__)
tofscope.simulate(given.folder / "kinds.h5", scanner="labr3", phantom="nema-iq", activity=100,
                  events=max(4000, int(100_000 * given.counts)), seed=4)
events = tofscope.open(given.folder / "kinds.h5")

figure, axes = plt.subplots(1, 2, figsize=(9, 3.6), layout="constrained")
for kind, name in enumerate(("true", "scattered", "random")):
    of_kind = events.kind == kind
    print(f"{name}: {of_kind.mean():.1%}")
    axes[0].hist(events.dt_ps[of_kind], bins=80, histtype="step", label=name)
    axes[1].hist(events.energy_keV[of_kind].ravel(), bins=80, histtype="step", label=name)
axes[0].set(xlabel="time difference, ps", ylabel="events")
axes[1].set(xlabel="energy, keV", ylabel="photons", yscale="log")
axes[0].legend()
save(figure, given.folder / "events.png")
assert numpy.array_equal(numpy.unique(events.kind), numpy.unique(events.kind).clip(0, 2))
