#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""binaries.py FOLDER...: programs and modules name absolute folders, or such beside themselves, for their libraries.

An element of DT_RPATH or DT_RUNPATH that is empty or relative is the current folder of whoever starts the program. None of them
names a source by the folder that the tree was in: then a compiler cache knows it in no other one. What has lines for a debugger does.
"""
import pathlib
import re
import subprocess
import sys


TREE = str(pathlib.Path(__file__).resolve().parents[2]).encode() + b"/"


def search_paths(file):
    table = subprocess.run(["readelf", "-dW", str(file)], capture_output=True, text=True, check=False).stdout
    return re.findall(r"\((RPATH|RUNPATH)\).*\[(.*)\]", table)


def main():
    faults = []
    seen = 0
    for folder in sys.argv[1:]:
        for file in sorted(pathlib.Path(folder).iterdir()):
            if not file.is_file() or file.open("rb").read(4) != b"\x7fELF":
                continue
            seen += 1
            content = file.read_bytes()
            named = re.search(re.escape(TREE) + rb"[\w./-]+\.(?:cpp|cu|h)\b", content)
            if named and b".debug_info" not in content:
                faults.append(f"{file}: names {named[0].decode()}")
            for kind, value in search_paths(file):
                for element in value.split(":"):
                    if not element.startswith(("/", "$ORIGIN/")) and element != "$ORIGIN":
                        faults.append(f"{file}: {kind} '{value}' has the element '{element}'")
                        break
    print("\n".join(faults))
    print(f"{seen} programs and modules, {len(faults)} faults")
    return 1 if faults or seen == 0 else 0


sys.exit(main())
