#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Numbers of the window, as a screen reader finds them, beside those computed here from the image's file.

usage: ten_numbers.py TOFSCOPE_CLI TOFSCOPE

For a study of each system (histo-images, sinograms of a ring, two panels) the program makes data and a run in a
folder of its own; the run becomes NIfTI, which this script reads by itself. The window opens the run with a box
as its ROI and writes its accessibility tree. Every number there must be the computed one at the digits that are
shown. The arithmetic is that of docs/model.md, section 4: the box covers whole voxels, so its mean, SD (n - 1),
extremes, sum and volume are those of a list of numbers.
"""
import array
import json
import math
import os
import re
import struct
import subprocess
import sys
import tempfile

RINGS = {"kind": "rings", "name": "small", "rings": 4, "crystals_per_ring": 32, "radius_mm": 200,
         "ring_spacing_mm": 12, "segments": "ge", "radial_bins": 15, "angles_per_part": 4}
# How data of a system are made (in turn; OUT is the last file), and how they are reconstructed.
SYSTEMS = {
    "histo": ([["simulate", "--analytic", "--scanner", "labr3-ideal", "--phantom", "nema-iq", "--events", "1000000",
                "--views", "8x1", "--grid", "56x56x12", "--voxel", "8", "data.h5"]], ["--iterations", "2"]),
    "ring": ([["simulate", "--scanner", "rings.json", "--phantom", "nema-iq", "--events", "100000",
               "--grid", "48x48x12", "--voxel", "6", "data.h5"]], ["--algorithm", "mlem", "--iterations", "2"]),
    "panel": ([["simulate", "--scanner", "small-panel", "--phantom", "micro-derenzo", "--events", "30000", "list.h5"],
               ["bin", "--to", "panel", "list.h5", "data.h5"]], ["--algorithm", "osem", "--iterations", "1"]),
}


def call(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}: exit {done.returncode}\n{done.stdout}{done.stderr}")


class Image:
    """A NIfTI-1 of 32-bit floats, its axes turned from RAS to the window's (patient's left, posterior, superior)."""

    def __init__(self, path):
        with open(path, "rb") as file:
            data = file.read()
        self.size = struct.unpack_from("<3h", data, 42)
        assert struct.unpack_from("<h", data, 70)[0] == 16, "32-bit floats"
        rows = [struct.unpack_from("<4f", data, 280 + 16 * axis) for axis in range(3)]
        signs = (-1, -1, 1)
        self.spacing = [sign * row[axis] for axis, (row, sign) in enumerate(zip(rows, signs))]
        self.origin = [sign * row[3] for row, sign in zip(rows, signs)]
        assert all(step > 0 for step in self.spacing), "axes are those of the window but for signs"
        self.values = array.array("f", data[int(struct.unpack_from("<f", data, 108)[0]):])

    def value(self, i, j, k):
        return self.values[(k * self.size[1] + j) * self.size[0] + i]

    def centre(self, voxel):
        return [o + d * n for o, d, n in zip(self.origin, self.spacing, voxel)]


def computed(image, voxel, first, last):
    """Title in the window -> number, of a voxel and of the box of voxels first..last."""
    values = [image.value(i, j, k) for k in range(first[2], last[2] + 1) for j in range(first[1], last[1] + 1)
              for i in range(first[0], last[0] + 1)]
    mean = math.fsum(values) / len(values)
    deviation = math.sqrt(math.fsum((v - mean) ** 2 for v in values) / (len(values) - 1))
    box = {"mean": mean, "SD": deviation, "SD, %": 100 * deviation / mean, "min": min(values), "max": max(values),
           "sum": math.fsum(values), "voxels": len(values), "ml": len(values) * math.prod(image.spacing) / 1000}
    return {**box, "value under the cursor": image.value(*voxel)}


def number(text):
    """A number as it is shown, and half a unit of its last digit."""
    plain = text.replace("\u2212", "-").replace("\u2009", "").replace("\u00a0", "")
    digits, _, exponent = plain.partition("e")
    decimals = len(digits.partition(".")[2]) - int(exponent or 0)
    return float(plain), 0.5 * 10.0 ** -decimals


RAISED = str.maketrans("\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079\u207b", "0123456789-")


def power(title):
    """The power of ten that a column's title says its numbers share; 0 where it says none."""
    found = re.search(r"10([\u2070\u00b9\u00b2\u00b3\u2074-\u2079\u207b]+)", title)
    return int(found[1].translate(RAISED)) if found else 0


def shown(tree):
    """Title -> (text, power of ten) of what the window shows of the one ROI and of the voxel under the cursor."""
    table = next(one for one in tree if one.get("id") == "rois.all")
    after = tree[tree.index(table) + 1:]
    ends = next((i for i, one in enumerate(after) if one["depth"] <= table["depth"]), len(after))
    titles = [one["name"] for one in after[:ends] if one["role"] == "ColumnHeader"]
    row = {titles[one["column"]]: one.get("name", "") for one in after[:ends]
           if one["role"] == "Cell" and one["row"] == 0}
    found = {re.split(r" \(|, 10| 10", title)[0]: (text, power(title)) for title, text in row.items()}
    probe = next(one["description"] for one in tree if one.get("id") == "probe")
    cell = next(part for part in probe.split(" | ") if re.match(r"A \S", part))
    found["value under the cursor"] = (cell.split()[1], 0)
    return found, probe


def check(system, cli, window):
    steps, settings = SYSTEMS[system]
    with open("rings.json", "w", encoding="utf-8") as file:
        json.dump(RINGS, file)
    for step in steps:
        call(cli, "--quiet", *step)
    call(cli, "--quiet", "reconstruct", "data.h5", "--out", "run.h5", *settings)
    call(cli, "--quiet", "convert", "run.h5", "image.nii")
    image = Image("image.nii")
    first = [n // 2 - 3 for n in image.size]
    last = [n // 2 + 2 for n in image.size]
    voxel = [n // 2 + 1 for n in image.size]
    corners = image.centre(first), image.centre(last)
    with open("rois.json", "w", encoding="utf-8") as file:
        json.dump([{"name": "block", "shape": "box", "centre_mm": [(a + b) / 2 for a, b in zip(*corners)],
                    "size_mm": [b - a + d for a, b, d in zip(*corners, image.spacing)]}], file)
    cursor = ",".join(f"{mm:.6f}" for mm in image.centre(voxel))
    call(window, "--fresh", "--size", "1900x1000", "run.h5", "--wait", "--rois", "rois.json", "--cursor", cursor,
         "--command", "chart.rois", "--wait", "--save-texts", "texts.json", "--exit")
    with open("texts.json", encoding="utf-8") as file:
        found, probe = shown(json.load(file))
    wrong = 0
    for title, value in computed(image, voxel, first, last).items():
        text, ten = found.get(title, ("missing", 0))
        if system == "ring" and title == "sum":
            # Values per mm of a line: their sum is nothing that could be counted, and the window says none.
            wrong += text != "\u2013"
            continue
        try:
            seen, half = number(text)
        except ValueError:
            seen, half = math.nan, 0
        # The image is 32-bit; sums of the window are in double, as here.
        good = abs(seen * 10.0 ** ten - value) <= half * 10.0 ** ten * (1 + 1e-6) + 1e-12 * abs(value)
        wrong += not good
        print(f"{system:6} {title:24} {text:>12} x 10^{ten:<3} {value:.9g}{'' if good else '   WRONG'}")
    place = f"{voxel[0]}, {voxel[1]}, {voxel[2]} voxel"
    wrong += place not in probe
    print(f"{system:6} {'place':24} {probe.split(' | ')[3]:>12}{'' if place in probe else '   WRONG, ' + place}")
    return wrong


def main():
    cli, window = (os.path.abspath(path) for path in sys.argv[1:3])
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    wrong = 0
    for system in SYSTEMS:
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            wrong += check(system, cli, window)
            os.chdir("/")
    sys.exit(f"{wrong} numbers are not those of the files" if wrong else 0)


main()
