# SPDX-License-Identifier: Apache-2.0
"""Small files of other programs, written by their layouts alone, for the page that has a section for each format."""
import array
import json
import math
import struct

RINGS, PLACES, RADIUS_MM, SPACING_MM = 8, 48, 100.0, 4.0
SOURCE_MM = (20.0, 10.0)
LIGHT_MM_PS = 0.299792458


def crystal(ring, place):
    angle = 2 * math.pi * place / PLACES
    return RADIUS_MM * math.cos(angle), RADIUS_MM * math.sin(angle), (ring - 0.5 * (RINGS - 1)) * SPACING_MM


def pairs_of_source():
    """Rings and places of pairs whose line passes the source by less than 5 mm, and t1 - t2 in ps."""
    for one in range(PLACES):
        for two in range(one + 12, min(PLACES, one + 37)):
            a, b = crystal(0, one), crystal(0, two)
            length = math.dist(a, b)
            away = (b[0] - a[0]) * (SOURCE_MM[1] - a[1]) - (b[1] - a[1]) * (SOURCE_MM[0] - a[0])
            if abs(away) / length < 5:
                along = sum((b[i] - a[i]) * (SOURCE_MM[i] - a[i]) for i in range(2)) / length
                for ring in range(RINGS):
                    yield ring, one, two, (2 * along - length) / LIGHT_MM_PS


def write_safir(folder):
    rows = ["%d,%d,%g,%g,%g" % (ring, place, *crystal(ring, place)) for ring in range(RINGS) for place in range(PLACES)]
    (folder / "crystal_map.txt").write_text("\n".join(rows) + "\n")
    words = [1 << 63]
    for ring, one, two, _ in pairs_of_source():
        words.append(ring | ring << 8 | one << 16 | two << 32)
    head = b"SAFIR CListModeData".ljust(32, b"\0")
    (folder / "list.safir").write_bytes(head + struct.pack("<%dQ" % len(words), *words))


def write_yrt(folder):
    depth_mm = 10.0
    fields = {"VERSION": 3.1, "scannerName": "small", "detCoord": "small.lut", "axialFOV": RINGS * SPACING_MM,
              "crystalSize_trans": 4, "crystalSize_z": 4, "crystalDepth": depth_mm, "scannerRadius": RADIUS_MM,
              "detsPerRing": PLACES, "numRings": RINGS, "numDOI": 1, "maxRingDiff": RINGS - 1, "minAngDiff": 12,
              "timing_fwhm_ps": 300}
    (folder / "small.json").write_text(json.dumps(fields))
    table = array.array("f")
    for ring in range(RINGS):
        for place in range(PLACES):
            x, y, z = crystal(ring, place)
            out = x / RADIUS_MM, y / RADIUS_MM
            table.extend((x + depth_mm / 2 * out[0], y + depth_mm / 2 * out[1], z, out[0], out[1], 0))
    (folder / "small.lut").write_bytes(table.tobytes())
    events = b"".join(struct.pack("<IIIf", ms, ring * PLACES + one, ring * PLACES + two, dt)
                      for ms, (ring, one, two, dt) in enumerate(pairs_of_source()))
    (folder / "list.lmDat").write_bytes(events)


def write_stir(folder):
    """Sinograms of four rings of 24 crystals, and normalisation factors of 2."""
    for name, value in (("emission", 3.0), ("norm", 2.0)):
        (folder / (name + ".s")).write_bytes(array.array("f", [value] * (4 * 12 * 11)).tobytes())
        (folder / (name + ".hs")).write_text("""!INTERFILE :=
name of data file := %s.s
Scanner type := small
Number of rings := 4
Number of detectors per ring := 24
Inner ring diameter (cm) := 20
Distance between rings (cm) := 0.5
View offset (degrees) := 0
PET data type := Emission
applied corrections := {None}
imagedata byte order := LITTLEENDIAN
number format := float
number of bytes per pixel := 4
number of dimensions := 4
matrix axis label [4] := segment
matrix size [4] := 1
matrix axis label [3] := axial coordinate
matrix size [3] := {4}
matrix axis label [2] := view
matrix size [2] := 12
matrix axis label [1] := tangential coordinate
matrix size [1] := 11
minimum ring difference per segment := {0}
maximum ring difference per segment := {0}
!END OF INTERFILE :=
""" % name)


def write_mu(folder):
    """A cylinder of water as MetaImage, in 1/cm."""
    across, slices, edge = 32, 24, 8.0
    first = -0.5 * (across - 1) * edge
    values = array.array("f", (0.096 if math.hypot(first + x * edge, first + y * edge) < 60 else 0.0
                               for _ in range(slices) for y in range(across) for x in range(across)))
    (folder / "mu.raw").write_bytes(values.tobytes())
    (folder / "mu.mhd").write_text("""ObjectType = Image
NDims = 3
DimSize = %d %d %d
ElementSpacing = %g %g %g
Offset = %g %g %g
ElementType = MET_FLOAT
ElementDataFile = mu.raw
""" % (across, across, slices, edge, edge, edge, first, first, -0.5 * (slices - 1) * edge))


def write_all(folder):
    for write in (write_safir, write_yrt, write_stir, write_mu):
        write(folder)
