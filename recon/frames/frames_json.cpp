// SPDX-License-Identifier: Apache-2.0
#include "recon/frames/frames_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace tof {

nlohmann::ordered_json framesJson(const FramedCounts& frames) {
    nlohmann::ordered_json json = nlohmann::ordered_json::object();
    if (!frames.nuclide.empty()) {
        json["nuclide"] = frames.nuclide;
    }
    json["between"] = frames.between;
    if (frames.gates > 0) {
        json["gates"] = frames.gates;
    }
    for (std::size_t i = 0; i < frames.frames.size(); ++i) {
        const FrameCounts& one = frames.frames[i];
        nlohmann::ordered_json row{{"start_s", one.time.start_s},
                                   {"duration_s", one.time.duration_s},
                                   {"kept", one.kept},
                                   {"outside", one.outside},
                                   {"rejected", one.rejected}};
        if (frames.gates > 0) {
            row["gate"] = one.gate;
            row["gated_s"] = one.gated_s;
        }
        if (one.addShare >= 0) {
            row["add_share"] = one.addShare;
        }
        if (one.randomsShare >= 0) {
            row["randoms_share"] = one.randomsShare;
        }
        if (one.live != 1) {
            row["live"] = one.live;
        }
        if (!frames.nuclide.empty()) {
            row["decay_factor"] = frames.decayFactorOf(i);
        }
        json["table"].push_back(std::move(row));
    }
    return json;
}

void addFrames(nlohmann::ordered_json& json, const FramedCounts* frames) {
    if (frames != nullptr) {
        json["frames"] = framesJson(*frames);
    }
}

std::string framesText(const FramedCounts* frames) {
    if (frames == nullptr) {
        return "";
    }
    const std::size_t gates = static_cast<std::size_t>(std::max(frames->gates, 1));
    const std::string each = frames->gates > 0 ? fmt::format(" of {} gates", frames->gates) : "";
    return fmt::format("; {} frames{}, {} events in none of them", frames->frames.size() / gates, each,
                       frames->between);
}

}  // namespace tof
