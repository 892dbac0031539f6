# SPDX-License-Identifier: Apache-2.0
"""Every example runs and makes its picture, with few counts."""

import pathlib
import runpy
import shutil
import subprocess
import sys

import pytest

import tofscope

pytest.importorskip("matplotlib", reason="matplotlib is not installed")
EXAMPLES = sorted((pathlib.Path(__file__).parent.parent / "examples").glob("[0-9]*.py"))


def test_there_are_ten():
    assert len(EXAMPLES) == 10


def run(script, folder, monkeypatch):
    """In this process, where what examples import is there already."""
    monkeypatch.setattr(sys, "argv", [str(script), "--folder", str(folder), "--counts", "0.05"])
    monkeypatch.syspath_prepend(str(script.parent))
    runpy.run_path(str(script), run_name="__main__")


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    """What examples simulate, with fewer views and voxels; the first example simulates its own."""
    file = tmp_path_factory.mktemp("data") / "data.h5"
    tofscope.simulate(file, scanner="labr3", phantom="nema-iq", events=100_000, analytic=True, views="4x1",
                      grid="48x48x8", voxel=6, seed=1)
    return file


def pictures(folder):
    return [picture.stat().st_size > 5000 for picture in folder.glob("*.png")]


def test_first_example_is_a_program(tmp_path):
    made = subprocess.run([sys.executable, EXAMPLES[0], "--folder", tmp_path, "--counts", "0.05"], capture_output=True,
                          text=True, timeout=300, check=False)
    assert made.returncode == 0, made.stderr
    assert pictures(tmp_path) == [True]


@pytest.mark.parametrize("script", EXAMPLES[1:], ids=lambda script: script.stem)
def test_example_makes_its_picture(script, tmp_path, data, monkeypatch):
    if "small_data(given)\n" in script.read_text():
        shutil.copy(data, tmp_path)
    run(script, tmp_path, monkeypatch)
    assert pictures(tmp_path) == [True]
