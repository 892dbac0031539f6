# SPDX-License-Identifier: Apache-2.0
"""What this package raises. Each message is one sentence that names the file or the option, and a remedy.

A computation that Ctrl-C ends raises KeyboardInterrupt.
"""


class Error(Exception):
    """The base of all of them."""


class WrongUse(Error, ValueError):
    """A request that makes no sense: an unknown option, a value out of range, arrays that do not fit."""


class BadInput(Error, ValueError):
    """A file or a description that cannot be used."""


class Unavailable(Error, RuntimeError):
    """An engine, a device or an amount of memory that is not there, or that failed while in use."""


class CannotWrite(Error, OSError):
    """An output that cannot be written; what was there before is untouched."""


class InternalError(Error, RuntimeError):
    """A defect of this program."""
