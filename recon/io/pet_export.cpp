// SPDX-License-Identifier: Apache-2.0
#include "recon/io/pet_export.h"

#include <algorithm>
#include <array>
#include <utility>

#include "recon/base/error.h"
#include "recon/io/dicom/dicom_export.h"
#include "recon/io/format/notes.h"
#include "recon/io/nifti/nifti_export.h"

namespace tof {

namespace {

using PetWriter = std::string (*)(const Destination& to, const DynamicSource& image,
                                  const std::optional<Uptake>& uptake);

PetWriter writerOf(const std::string& path) {
    static constexpr std::array<std::pair<const char*, PetWriter>, 3> kWriters{
        {{".dicom", writeDicomSeries}, {".nii", writeNiftiWithSidecar}, {".nii.gz", writeNiftiWithSidecar}}};
    const auto found = std::find_if(kWriters.begin(), kWriters.end(),
                                    [&](const auto& row) { return path.ends_with(row.first); });
    return found != kWriters.end() ? found->second : nullptr;
}

/// Values corrected to the start of the first frame.
DynamicSource correctedToStart(const DynamicSource& image, double halfLife_s) {
    DynamicSource corrected = image;
    corrected.info.decay = DecayCorrection::Applied;
    corrected.info.decayReference_s = image.info.frames.front().start_s;
    corrected.values = [image, halfLife_s](std::size_t frame) {
        const std::vector<TimeFrame>& frames = image.info.frames;
        const double factor = decayFactor(frames.at(frame), halfLife_s, frames.front().start_s);
        std::vector<float> values = image.values(frame);
        for (float& value : values) {
            value = static_cast<float>(factor * static_cast<double>(value));
        }
        return values;
    };
    return corrected;
}

}  // namespace

bool keepsDose(const std::string& path) {
    return writerOf(path) != nullptr;
}

std::string writePetExport(const Destination& to, const PetExport& made) {
    const std::string& path = to.path;
    const PetWriter write = writerOf(path);
    if (write == nullptr) {
        throw WrongUse("'{}': dose and times are kept by .dicom, .nii and .nii.gz", path);
    }
    const DynamicInfo& info = made.image.info;
    if (!made.uptake) {
        return write(to, made.image, {});
    }
    if (info.units != "Bq/ml" && info.units != "kBq/ml") {
        throw BadInput(
            "{}: is to have a dose, but values are in '{}', no activity per ml; say what they are with "
            "--units "
            "Bq/ml, or make them so with --calibration",
            path, info.units);
    }
    if (info.decay == DecayCorrection::None && !info.frames.empty()) {
        return joinedNotes(write(to, correctedToStart(made.image, made.uptake->halfLife_s), made.uptake),
                           path + ": means over the scan were corrected for decay to its start");
    }
    DynamicSource image = made.image;
    std::string note;
    if (info.decay != DecayCorrection::Applied) {
        image.info.decay = DecayCorrection::Applied;
        image.info.decayReference_s = info.frames.empty() ? 0 : info.frames.front().start_s;
        note = path + ": values are taken to be corrected for decay to the time that --waited says";
    }
    return joinedNotes(write(to, image, made.uptake), note);
}

}  // namespace tof
