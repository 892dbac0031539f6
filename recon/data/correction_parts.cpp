// SPDX-License-Identifier: Apache-2.0
#include "recon/data/correction_parts.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace tof {

namespace {

constexpr std::pair<PartName, const char*> kPartTexts[] = {{PartName::Attenuation, "attenuation"},
                                                           {PartName::Geometry, "geometry"},
                                                           {PartName::Efficiencies, "efficiencies"},
                                                           {PartName::Delayeds, "randoms-delayeds"},
                                                           {PartName::Singles, "randoms-singles"},
                                                           {PartName::DeadTime, "dead-time"},
                                                           {PartName::Scatter, "scatter"}};

}  // namespace

const char* partText(PartName name) {
    for (const auto& [one, text] : kPartTexts) {
        if (one == name) {
            return text;
        }
    }
    return "";
}

std::optional<PartName> partNamed(std::string_view text) {
    const auto* const found = std::find_if(std::begin(kPartTexts), std::end(kPartTexts),
                                           [&](const auto& row) { return text == row.second; });
    return found != std::end(kPartTexts) ? std::optional(found->first) : std::nullopt;
}

const CorrectionPart* CorrectionParts::find(PartName name) const {
    const auto found = std::find_if(list.begin(), list.end(),
                                    [name](const CorrectionPart& part) { return part.name == name; });
    return found == list.end() ? nullptr : &*found;
}

CorrectionPart* CorrectionParts::find(PartName name) {
    return const_cast<CorrectionPart*>(std::as_const(*this).find(name));
}

}  // namespace tof
