# SPDX-License-Identifier: Apache-2.0
"""Every command of ``tofscope-cli`` as a function. Keywords are its options with '_' for '-'.

``tofscope.commands.run("kinetics", "pet.nii.gz", "ki", model="patlak", input="blood.tsv")`` does what
``tofscope-cli kinetics pet.nii.gz ki --model patlak --input blood.tsv`` does, in this process and with its
engines, and returns what ``--json`` would print.
"""

from __future__ import annotations

import json
import os
from typing import Any, Callable, Optional

from ._program import key_of, program, text_of

Progress = Callable[[str, float], None]


def words_of(command: str, arguments: tuple, options: dict[str, Any]) -> list[str]:
    """The words of a command line: True stands for a flag that is given, None and False for none."""
    words = [command, *(os.fspath(one) for one in arguments)]
    for name, value in options.items():
        if value is None or value is False:
            continue
        words.append(f"--{key_of(name)}" if value is True else f"--{key_of(name)}={text_of(value)}")
    return words


def run(command: str, *arguments: "str | os.PathLike[str]", progress: Optional[Progress] = None, **options: Any) -> Any:
    """Runs a command and returns its result: what ``--json`` prints, as dicts and lists; None for none.

    ``progress`` is called with what is being done and the share of it, 0 to 1, some times a second.
    Raises tofscope.errors and, on Ctrl-C, KeyboardInterrupt. Releases Python's lock while it works.
    """
    made = program().run(words_of(command, arguments, options) + ["--json"], progress)
    return json.loads(made["result"]) if made["result"] else None


def simulate(out: "str | os.PathLike[str]", *, scanner: str, phantom: str, events: int,
             progress: Optional[Progress] = None, **options: Any) -> dict:
    """Simulates list-mode of a phantom in a scanner, or sinograms of a ring scanner, into ``out`` (.h5).

    ``scanner`` and ``phantom`` are built-in names or JSON files; ``help("simulate")`` lists the other options.
    Returns what became of the pairs that were started, by name.
    """
    return run("simulate", out, scanner=scanner, phantom=phantom, events=events, progress=progress, **options)


def bin(events: "str | os.PathLike[str]", out: "str | os.PathLike[str]", *,
        progress: Optional[Progress] = None, **options: Any) -> dict:
    """Sorts a list into data that can be reconstructed, with attenuation and sensitivity: ``out`` (.h5)."""
    return run("bin", events, out, progress=progress, **options)


def correct(data: "str | os.PathLike[str]", out: "str | os.PathLike[str]", *,
            progress: Optional[Progress] = None, **options: Any) -> dict:
    """Adds expected randoms and scatter, efficiencies and dead time to data: ``out`` (.h5)."""
    return run("correct", data, out, progress=progress, **options)


def help(command: str) -> str:  # noqa: A001
    """The options of a command, as ``tofscope-cli COMMAND --help`` prints them."""
    return program().run([command, "--help"])["result"]
