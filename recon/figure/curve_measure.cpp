// SPDX-License-Identifier: Apache-2.0
#include "recon/figure/curve_measure.h"

#include <algorithm>

namespace tof {

const std::vector<CurveMeasure>& curveMeasures() {
    static const std::vector<CurveMeasure> all{
        {"iteration", "Iteration", [](const Figures& f) { return static_cast<double>(f.iteration); }},
        {"crc", "CRC, %", [](const Figures& f) { return 100 * f.crc; }},
        {"noise", "Noise, %", [](const Figures& f) { return 100 * f.noise; }},
        {"nsr", "NSR, %", [](const Figures& f) { return 100 * f.nsr; }},
        {"true-crc", "True CRC, %", [](const Figures& f) { return 100 * f.trueCrc; }},
        {"overshoot", "Overshoot, %", [](const Figures& f) { return 100 * f.overshoot; }},
    };
    return all;
}

const CurveMeasure* findCurveMeasure(const std::string& id) {
    const auto& all = curveMeasures();
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const CurveMeasure& m) { return m.id == id; });
    return found == all.end() ? nullptr : &*found;
}

}  // namespace tof
