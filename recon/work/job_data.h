// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <variant>

#include "recon/data/histo_data.h"
#include "recon/data/line_data.h"
#include "recon/settings/settings.h"

namespace tof {

/// What a job reconstructs: histo-images of DIRECT, or sinograms or list-mode of a ring scanner. Never null.
using JobData = std::variant<std::shared_ptr<const HistoData>, std::shared_ptr<const SinogramData>,
                             std::shared_ptr<const LineData>>;

/// Reads whichever a data file holds. Throws BadInput.
[[nodiscard]] JobData readJobData(const std::string& path);

/// The same without reading the data. Throws BadInput.
[[nodiscard]] DataKind dataKindOf(const std::string& path);

/// Lattice of the image that the data are reconstructed on.
[[nodiscard]] inline const Lattice& latticeOf(const JobData& data) {
    return std::visit([](const auto& held) -> const Lattice& { return held->lattice; }, data);
}
/// What was measured: a phantom's name or JSON, or empty.
[[nodiscard]] inline const std::string& phantomOf(const JobData& data) {
    return std::visit([](const auto& held) -> const std::string& { return held->phantom; }, data);
}
[[nodiscard]] inline const std::string& hashOf(const JobData& data) {
    return std::visit([](const auto& held) -> const std::string& { return held->hash; }, data);
}
[[nodiscard]] inline DataKind kindOf(const JobData& data) {
    return std::holds_alternative<std::shared_ptr<const HistoData>>(data) ? DataKind::HistoImages
                                                                          : DataKind::Lines;
}
/// How long was measured, s; 0: the file does not say.
[[nodiscard]] inline double durationOf(const JobData& data) {
    return std::visit([](const auto& held) { return held->duration_s; }, data);
}
/// The histo-images, or null.
[[nodiscard]] inline std::shared_ptr<const HistoData> histoOf(const JobData& data) {
    const auto* const histo = std::get_if<std::shared_ptr<const HistoData>>(&data);
    return histo != nullptr ? *histo : nullptr;
}

}  // namespace tof
