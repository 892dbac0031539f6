# SPDX-License-Identifier: Apache-2.0
"""Every example runs and makes its picture, with few counts."""

import pathlib
import shutil
import subprocess
import sys

import pytest

pytest.importorskip("matplotlib", reason="matplotlib is not installed")
EXAMPLES = sorted((pathlib.Path(__file__).parent.parent / "examples").glob("[0-9]*.py"))


def test_there_are_ten():
    assert len(EXAMPLES) == 10


def run(script, folder):
    made = subprocess.run([sys.executable, script, "--folder", folder, "--counts", "0.05"], capture_output=True,
                          text=True, timeout=300, check=False)
    assert made.returncode == 0, made.stderr


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    """What the first example simulates, which most others would simulate again."""
    folder = tmp_path_factory.mktemp("data")
    run(EXAMPLES[0], folder)
    return folder / "data.h5"


@pytest.mark.parametrize("script", EXAMPLES, ids=lambda script: script.stem)
def test_example_makes_its_picture(script, tmp_path, data):
    if "small_data(given)\n" in script.read_text():
        shutil.copy(data, tmp_path)
    run(script, tmp_path)
    assert [picture.stat().st_size > 5000 for picture in tmp_path.glob("*.png")] == [True]
