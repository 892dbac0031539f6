// SPDX-License-Identifier: Apache-2.0
// correctData() of data whose form the test knows.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <variant>

#include "recon/work/correct.h"

namespace tof::test {

template <class Data>
constexpr const char* kFormOf = nullptr;
template <>
inline constexpr const char* kFormOf<HistoData> = "histo";
template <>
inline constexpr const char* kFormOf<SinogramData> = "sinogram";
template <>
inline constexpr const char* kFormOf<LineData> = "lors";
template <>
inline constexpr const char* kFormOf<PanelData> = "panel";

/// `parts` and `found` may be null. Data and parts stay as they were when it throws.
template <class Data>
CorrectResult correct(Data& data, const std::string& source, const CorrectRequest& request,
                      const ThreadPool& pool, WorkProgress& progress, CorrectionParts* parts = nullptr,
                      const CorrectionParts* found = nullptr) {
    PartedCorrections parted{kFormOf<Data>, data, parts != nullptr ? *parts : CorrectionParts()};
    const Corrected made =
        correctData(parted, source, request, pool, progress, found != nullptr ? *found : CorrectionParts());
    data = std::get<Data>(std::move(parted.data));
    if (parts != nullptr) {
        *parts = std::move(parted.parts);
    }
    return made.result;
}

/// Sinograms by the scanner that says how their crystals detect.
inline CorrectResult correct(SinogramData& data, const Scanner& scanner, const std::string& source,
                             const CorrectRequest& request, const ThreadPool& pool, WorkProgress& progress,
                             CorrectionParts* parts = nullptr) {
    CorrectRequest asked = request;
    asked.detecting = std::make_shared<const Scanner>(scanner);
    return correct(data, source, asked, pool, progress, parts);
}

/// What becomes of the randoms of two panels.
inline PanelRandomsTally correctPanel(PanelData& data, const std::string& source,
                                      const CorrectRequest& request, WorkProgress& progress) {
    PartedCorrections parted{"panel", data, {}};
    const Corrected made = correctData(parted, source, request, ThreadPool(1), progress, {});
    data = std::get<PanelData>(std::move(parted.data));
    return made.panels.value();
}

}  // namespace tof::test
