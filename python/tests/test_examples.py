# SPDX-License-Identifier: Apache-2.0
"""Every example runs and makes its picture, with few counts."""

import pathlib
import subprocess
import sys

import pytest

pytest.importorskip("matplotlib", reason="matplotlib is not installed")
EXAMPLES = sorted((pathlib.Path(__file__).parent.parent / "examples").glob("[0-9]*.py"))


def test_there_are_ten():
    assert len(EXAMPLES) == 10


@pytest.mark.parametrize("script", EXAMPLES, ids=lambda script: script.stem)
def test_example_makes_its_picture(script, tmp_path):
    made = subprocess.run([sys.executable, script, "--folder", tmp_path, "--counts", "0.05"], capture_output=True,
                          text=True, timeout=300, check=False)
    assert made.returncode == 0, made.stderr
    assert [picture.stat().st_size > 5000 for picture in tmp_path.glob("*.png")] == [True]
