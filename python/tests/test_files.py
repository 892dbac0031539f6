# SPDX-License-Identifier: Apache-2.0
"""Files become arrays with their places, units and remarks; what is wrong becomes an exception with a sentence."""

import gzip
import json
import struct

import numpy
import pytest

import tofscope


def test_image_goes_to_a_file_and_back(tmp_path, random):
    values = random.random((3, 4, 5), dtype="float32")
    made = tofscope.Image(values, (2, 3, 4), (-1, 0, 5), "Bq/ml")
    for name in ("a.h5", "a.nii", "a.nii.gz"):
        made.save(str(tmp_path / name))
        read = tofscope.open(tmp_path / name, units="Bq/ml" if "nii" in name else "")
        numpy.testing.assert_array_equal(read.array, values)
        assert read.spacing_mm == pytest.approx((2, 3, 4))
        assert read.origin_mm == pytest.approx((-1, 0, 5))
        assert read.units == "Bq/ml"


def test_image_without_an_origin_is_centred():
    image = tofscope.Image(numpy.zeros((2, 3, 4)), (1, 1, 2))
    assert image.origin_mm == pytest.approx((-1.5, -1, -1))


def test_array_is_a_view_that_cannot_be_written():
    image = tofscope.Image(numpy.ones((2, 2, 2)), (1, 1, 1))
    array = image.array
    del image
    with pytest.raises(ValueError):
        array[0, 0, 0] = 2
    assert array.sum() == 8


def nifti(values, spacing, units=0):
    """A NIfTI-1 file as its standard lays it out, by nobody's library."""
    header = bytearray(352)
    struct.pack_into("<i", header, 0, 348)
    struct.pack_into("<8h", header, 40, 3, *values.shape[::-1], 1, 1, 1, 1)
    struct.pack_into("<2h", header, 70, 16, 32)
    struct.pack_into("<8f", header, 76, 1, *spacing, 0, 0, 0, 0)
    struct.pack_into("<3f", header, 108, 352, 1, 0)
    header[123] = 2 | units
    struct.pack_into("<2h", header, 252, 0, 1)
    for row, (step, first) in enumerate(zip(spacing, (0, 0, 0))):
        affine = [0.0] * 4
        affine[row] = step
        affine[3] = first
        struct.pack_into("<4f", header, 280 + 16 * row, *affine)
    header[344:348] = b"n+1\0"
    return bytes(header) + values.astype("<f4").tobytes()


def test_foreign_nifti_is_turned_to_our_axes(tmp_path, random):
    values = random.random((2, 3, 4), dtype="float32")
    (tmp_path / "a.nii.gz").write_bytes(gzip.compress(nifti(values, (2, 3, 4))))
    read = tofscope.open(tmp_path / "a.nii.gz", units="Bq/ml")
    # NIfTI's x runs to the right and y to the front, ours to the left and to the back.
    numpy.testing.assert_array_equal(read.array, values[:, ::-1, ::-1])
    assert read.spacing_mm == pytest.approx((2, 3, 4))


def test_list_mode_is_columns(list_file):
    events = tofscope.open(list_file)
    assert len(events) == 20000
    assert events.crystals.shape == (20000, 2) and events.crystals.dtype == numpy.uint32
    assert events.dt_ps.shape == (20000,)
    crystals = len(json.loads(events.scanner)["crystals"]) if "crystals" in json.loads(events.scanner) else None
    assert crystals is None or events.crystals.max() < crystals


def test_data_say_what_they_are(histo):
    assert histo.kind == "histo-images"
    assert histo.image_shape == (8, 24, 24)
    assert histo.spacing_mm == pytest.approx((10, 10, 10))
    assert histo.counts == pytest.approx(sum(histo.view(v).array.sum(dtype=float) for v in range(histo.views)), rel=1e-6)


def test_info_is_that_of_the_command(histo_file):
    assert tofscope.info(histo_file) == tofscope.commands.run("info", histo_file)


@pytest.mark.parametrize("call, fault, said", [
    (lambda at: tofscope.open(at / "none.h5"), tofscope.errors.BadInput, "none.h5"),
    (lambda at: tofscope.bin(at / "none.h5", at / "x.h5"), tofscope.errors.BadInput, "none.h5"),
    (lambda at: tofscope.simulate(at / "x.h5", scanner="labr", phantom="nema-iq", events=10),
     tofscope.errors.WrongUse, "did you mean 'labr3'"),
    (lambda at: tofscope.simulate(at / "x.h5", scanner="labr3", phantom="nema-iq", evnts=10, events=10),
     tofscope.errors.WrongUse, "--events"),
    (lambda at: tofscope.Image(numpy.zeros(4), (1, 1, 1)), tofscope.errors.WrongUse, "[z][y][x]"),
])
def test_mistakes_are_exceptions_with_our_sentences(tmp_path, call, fault, said):
    with pytest.raises(fault) as raised:
        call(tmp_path)
    assert said in str(raised.value)
    assert isinstance(raised.value, tofscope.errors.Error)


def test_help_lists_options():
    assert "--scanner" in tofscope.help("simulate")


def test_every_engine_is_told():
    assert tofscope.engines()["cpu"]
