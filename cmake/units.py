#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the compile commands of a build once more, with one entry for each source that a unity build put into a unit.

Linters, a second compiler, editors and the tests of the tree look at sources one by one.
usage: units.py COMPILE_COMMANDS OUTPUT
"""
import json
import pathlib
import re
import sys

INCLUDE = re.compile(r'^#include "(.+)"$', re.MULTILINE)


def sources(entry):
    """The files that one command compiles."""
    file = pathlib.Path(entry["file"])
    if not re.fullmatch(r"unity_\d+_(c|cxx|cu)\.(c|cxx|cu)", file.name):
        return [entry["file"]]
    return INCLUDE.findall(file.read_text())


def main():
    commands, output = map(pathlib.Path, sys.argv[1:])
    units = [{**entry, "file": source, "command": entry["command"].replace(entry["file"], source)}
             for entry in json.loads(commands.read_text()) for source in sources(entry)]
    output.parent.mkdir(parents=True, exist_ok=True)
    output.write_text(json.dumps(units, indent=1))


main()
