// SPDX-License-Identifier: Apache-2.0
#include "recon/frames/frames_json.h"

#include <nlohmann/json.hpp>

namespace tof {

nlohmann::ordered_json framesJson(const FramedCounts& frames) {
    nlohmann::ordered_json json = nlohmann::ordered_json::object();
    if (!frames.nuclide.empty()) {
        json["nuclide"] = frames.nuclide;
    }
    json["between"] = frames.between;
    for (std::size_t i = 0; i < frames.frames.size(); ++i) {
        const FrameCounts& one = frames.frames[i];
        nlohmann::ordered_json row{{"start_s", one.time.start_s},
                                   {"duration_s", one.time.duration_s},
                                   {"kept", one.kept},
                                   {"outside", one.outside},
                                   {"rejected", one.rejected}};
        if (!frames.nuclide.empty()) {
            row["decay_factor"] = frames.decayFactorOf(i);
        }
        json["table"].push_back(std::move(row));
    }
    return json;
}

}  // namespace tof
