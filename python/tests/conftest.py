# SPDX-License-Identifier: Apache-2.0
"""Small data of each form, made once for a run of the tests."""

import pathlib
import sys

import numpy
import pytest

import tofscope

sys.path.append(str(pathlib.Path(__file__).parent.parent / "examples"))


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("data")


@pytest.fixture(scope="session")
def histo_file(folder):
    """Histo-images with scatter and randoms: 24 x 24 x 8 voxels of 10 mm, 12 x 1 views."""
    file = folder / "histo.h5"
    tofscope.simulate(file, scanner="labr3", phantom="nema-iq", events=300_000, analytic=True, background=True,
                      activity=100, views="12x1", grid="24x24x8", voxel="10", seed=5)
    return file


@pytest.fixture(scope="session")
def histo(histo_file):
    return tofscope.open(histo_file)


@pytest.fixture(scope="session")
def list_file(folder):
    file = folder / "list.h5"
    tofscope.simulate(file, scanner="labr3-ideal", phantom="nema-iq", events=20000, seed=3)
    return file


@pytest.fixture(scope="session")
def lines(folder, list_file):
    """Each event a line, on the lattice of `histo`."""
    file = folder / "lines.h5"
    tofscope.bin(list_file, file, to="lors", grid="24x24x8", voxel="10")
    return tofscope.open(file)


@pytest.fixture
def random():
    return numpy.random.default_rng(11)
