# SPDX-License-Identifier: Apache-2.0
"""Tofscope from Python: files, simulation, reconstruction, and operators for iterations of your own.

    import tofscope
    tofscope.simulate("list.h5", scanner="labr3", phantom="nema-iq", events=2_000_000)
    tofscope.bin("list.h5", "data.h5")
    data = tofscope.open("data.h5")
    run = tofscope.reconstruct(data, algorithm="osem", iterations=4)
    print(run.image.array.shape, run.image.spacing_mm, run.engine)

    A = tofscope.model(data, engine="cpu")
    x = A.back(A.forward(run.image.array))
"""

from __future__ import annotations

import json
import os
from typing import Any, Callable, Optional

from . import _tofscope, commands, errors
from ._program import program, settings_of
from ._tofscope import Data, DeviceArray, DynamicImage, Events, Image, Prior, Run, StoredRun, Study
from .commands import bin, correct, help, simulate  # noqa: A004
from .operators import Operator, model

__version__: str = _tofscope.version
__all__ = [
    "Data", "DeviceArray", "DynamicImage", "Events", "Image", "Operator", "Prior", "Run", "StoredRun", "Study",
    "allow_outside", "bin", "commands", "correct", "engines", "errors", "help", "info", "model", "open", "reconstruct",
    "settings", "simulate",
]


def open(path: "str | os.PathLike[str]", *, frame: int = 0, series: str = "", suv: "bool | str" = False,  # noqa: A001
         units: str = "", scanner: str = "") -> Any:
    """Reads a file or folder of any format the program knows.

    Returns an Image, a DynamicImage, Data, Events, a StoredRun or a Study, by what the file holds. ``frame`` (from
    1) and ``series`` choose one of several volumes; ``suv`` is True or 'weight', 'lean-mass', 'surface', for DICOM;
    ``units`` says what NIfTI does not; ``scanner`` is a file for lists that only name theirs.
    Raises BadInput where the file cannot be read, or where several volumes are there and none is chosen.
    """
    body = "weight" if suv is True else (suv or "")
    return _tofscope.open(os.fspath(path), frame, series, body, units, scanner)


def allow_outside(header: "str | os.PathLike[str]") -> None:
    """Lets this header, called as it is opened, name files outside its folder, which are refused otherwise."""
    _tofscope.allow_outside(os.fspath(header))


def info(path: "str | os.PathLike[str]") -> dict:
    """What a file holds, without reading its values: kind, format, sizes, attributes."""
    return json.loads(_tofscope.info(os.fspath(path)))


def engines() -> dict[str, Optional[str]]:
    """Each engine with its device, or None where it is not there."""
    return program().engines()


def settings() -> list[dict]:
    """The table of settings of a reconstruction: key, default, help, unit, choices, system."""
    return _tofscope.settings()


def reconstruct(data: "Data | Study | str | os.PathLike[str]", *, out: "str | os.PathLike[str]" = "",
                start: Optional[Image] = None, progress: Optional[Callable[[str, float], None]] = None,
                iterate: Optional[Callable[[int, Image], None]] = None, **options: Any) -> Run:
    """Reconstructs data by the settings that are given as keywords (tofscope.settings() lists them).

    ``out`` is a run file to write, or nothing is kept on disk. ``start`` is an image to begin with. ``progress`` is
    called with what is being done and the share of it, ``iterate`` with the number and the image of each whole
    iterate; either ends the run by raising. Releases Python's lock while it works; Ctrl-C ends it within a moment.
    """
    measured = data if isinstance(data, (Data, Study)) else open(data)
    if isinstance(measured, Study):
        measured = measured.data()
    if not isinstance(measured, Data):
        raise errors.WrongUse(f"{data}: this holds no data to reconstruct; 'bin' makes such of a list")
    return _tofscope.reconstruct(program(), measured, settings_of(options), os.fspath(out), start, progress, iterate)
