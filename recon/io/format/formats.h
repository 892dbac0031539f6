// SPDX-License-Identifier: Apache-2.0
// The formats of files, in the order in which they are asked. Each is defined in the room of its name.
#pragma once

#include "recon/io/format/format.h"

namespace tof {

/// Our own files, docs/formats.md: volumes, list-mode, measured data, runs and checkpoints.
[[nodiscard]] Format hdf5Format();

/// Volumes of NIfTI-1 (.nii, .nii.gz, .hdr with .img). Own code because libnifti trusts the numbers of a
/// header and leaves turning the axes to left-posterior-superior to its caller.
[[nodiscard]] Format niftiFormat();

/// Headers of Interfile: images, sinograms (.hs) and the addresses of Siemens list-mode (.l.hdr). All count
/// as volumes: sinograms are only converted, addresses only binned. Own code because Debian packages no
/// reader.
[[nodiscard]] Format interfileFormat();

/// Headers of CASToR (.cdh): list-mode, and histograms as lines of response. Own code because CASToR is a
/// program, not a library.
[[nodiscard]] Format castorFormat();

/// List-mode of the SAFIR family. Own code because there is no library for it.
[[nodiscard]] Format safirFormat();

/// Coincidences of GATE 9 and 10 in files of ROOT. Own code because Debian has no ROOT.
[[nodiscard]] Format rootFormat();

/// Lists of PETSIRD 0.9 and 0.10 in yardl's binary encoding and in its HDF5. Own code because Debian has no
/// yardl.
[[nodiscard]] Format petsirdFormat();

/// Volumes of MetaImage (.mhd with its data, .mha), uncompressed. Own code because Debian's ITK is too much
/// for it.
[[nodiscard]] Format metaImageFormat();

/// Series of PET and CT images, read from a folder or from one of their files; PET series are written into a
/// folder NAME.dicom. Through DCMTK; a build without it recognises DICOM and says that it cannot read it.
[[nodiscard]] Format dicomFormat();

}  // namespace tof
