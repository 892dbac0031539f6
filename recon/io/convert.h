// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "recon/io/format_table.h"
#include "recon/io/import_sinograms.h"
#include "recon/io/pet_export.h"
#include "recon/physics/uptake.h"
#include "recon/register/image_move.h"

namespace tof {

struct ConvertOptions {
    int iteration = 0;               ///< which iterate of a run; 0 the last
    bool partial = false;            ///< list-mode as far as it goes
    double filter_mm = 0;            ///< FWHM of a Gaussian post filter of volumes; 0: none
    ImageMove move{};                ///< where volumes are put after that
    std::string scannerFile;         ///< as in ListReadOptions
    VolumeReadOptions volume{};      ///< which of several volumes, or of several frames of sinograms
    SinogramImport sinograms;        ///< corrections and image of sinograms of Interfile
    std::optional<Uptake> uptake{};  ///< dose that files written say; empty: as the file read says it
    std::function<void()> heed{};    ///< asked while much is read, changed or written
};

/// Converts what `in` holds to the format that the extension of `out` names: volumes (of runs and checkpoints
/// an iterate) to .h5, .nii, .nii.gz or .hv; list-mode to .h5 or .cdh; sinograms from Interfile (.hs) to .h5
/// and from .h5 to .hs or .cdh; lines, of two panels too, from CASToR histograms
/// (.cdh) to .h5 and back. Where the dose is known, DICOM and the sidecar of NIfTI say it; runs become Bq/ml
/// by a dose's nuclide. Returns a note, one
/// sentence or empty. Throws BadInput, CannotWrite, or WrongUse when the two do not go together.
[[nodiscard]] std::string convertFile(const std::string& in, const std::string& out,
                                      const ConvertOptions& options = {});
[[nodiscard]] std::string convertFile(const std::string& in, const std::string& out,
                                      const ConvertOptions& options, const FormatTable& formats);

/// Writes an image of a scan where the format keeps one and there is something to keep, else the values
/// alone. A sidecar beside NIfTI, which may have been there for something else, needs a dose. Lattice, units
/// and values are those of `volume`. Returns and throws as writeVolume() and writePetExport() do.
std::string writeImage(const Destination& out, const Volume& volume, const PetExport& scan,
                       const FormatTable& formats = builtInFormats());

}  // namespace tof
