// SPDX-License-Identifier: Apache-2.0
// PET images written with what readers need for SUV.
#pragma once

#include <optional>
#include <string>

#include "recon/data/dynamic_image.h"
#include "recon/io/bytes/destination.h"
#include "recon/physics/uptake.h"

namespace tof {

/// An image with its times and dose. Without frames nothing is known of times; one frame is a static image.
struct PetExport {
    DynamicSource image;
    std::optional<Uptake> uptake{};  ///< dose, body and nuclide, where they are known
};

/// Whether files called so keep times of static images and the dose: .dicom, .nii, .nii.gz.
[[nodiscard]] bool keepsDose(const std::string& path);

/// Writes a PET series of DICOM, or NIfTI with a sidecar of BIDS. With a dose, values of frames that are not
/// corrected for decay become corrected to the start of the scan, and those of which nobody says whether they
/// are count as such, which is told. Returns a note, one sentence or empty. Throws BadInput for a dose with
/// values in no Bq/ml, CannotWrite, and WrongUse for names that keepsDose() does not take.
std::string writePetExport(const Destination& to, const PetExport& made);

}  // namespace tof
