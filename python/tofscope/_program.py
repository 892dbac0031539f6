# SPDX-License-Identifier: Apache-2.0
"""The engines of this process, made at the first use, and how Python's values become those of the tables."""

from __future__ import annotations

import functools
import os
from typing import Any, Mapping

from . import _tofscope


@functools.lru_cache(maxsize=1)
def program() -> "_tofscope.Program":
    """The one program of this process. Thread-safe."""
    return _tofscope.Program()


def key_of(name: str) -> str:
    """The key of a table that a keyword stands for: save_every is 'save-every'."""
    return name.rstrip("_").replace("_", "-")


def text_of(value: Any) -> str:
    """A value as tables, files and command lines spell it."""
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, (list, tuple)):
        return "x".join(text_of(one) for one in value)
    if isinstance(value, float):
        # Whole numbers are spelled so: events=2e6.
        return str(int(value)) if value.is_integer() and abs(value) < 2**53 else repr(value)
    return str(os.fspath(value) if isinstance(value, os.PathLike) else value)


def settings_of(given: Mapping[str, Any]) -> dict[str, str]:
    """Keywords as settings; those that are None keep their defaults."""
    return {key_of(name): text_of(value) for name, value in given.items() if value is not None}
