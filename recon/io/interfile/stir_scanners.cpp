// SPDX-License-Identifier: Apache-2.0
#include "recon/io/interfile/stir_scanners.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "recon/base/json_fields.h"
#include "recon/io/interfile/interfile_header.h"

namespace tof {

namespace {

StirScanner scannerFrom(const nlohmann::json& row, const std::string& source) {
    const JsonFields f(
        row, source,
        {"names", "rings", "crystals_per_ring", "inner_radius_mm", "depth_mm", "ring_spacing_mm",
         "bin_size_mm", "view_offset_deg", "time_bins", "time_bin_ps", "timing_ps", "remark", "source"});
    StirScanner s;
    for (const auto& name : f.raw("names")) {
        s.names.push_back(normalKey(name.get<std::string>()));
    }
    s.rings = f.integer("rings", 1, 1024);
    s.crystalsPerRing = f.integer("crystals_per_ring", 4, 16384);
    s.innerRadius_mm = f.number("inner_radius_mm", 1, 1e4);
    s.depth_mm = f.number("depth_mm", 0, 100);
    s.ringSpacing_mm = f.number("ring_spacing_mm", 0.01, 1e3);
    s.binSize_mm = f.number("bin_size_mm", 0.01, 1e3);
    s.viewOffset_deg = f.number("view_offset_deg", 0, -360, 360);
    if (f.has("time_bins")) {
        s.timeBins = f.integer("time_bins", 1, 4096);
        s.timeBin_ps = f.number("time_bin_ps", 1e-3, 1e5);
        s.timing_ps = f.number("timing_ps", 1e-3, 1e5);
    }
    s.remark = f.has("remark") ? f.raw("remark").get<std::string>() : "";
    return s;
}

const std::vector<StirScanner>& allStirScanners() {
    static const std::vector<StirScanner> kAll = [] {
        std::vector<StirScanner> all;
        for (const BuiltIn& file : builtInStirScanners()) {
            const nlohmann::json table = parseJson(file.text, file.name);
            for (const nlohmann::json& row : table.at("scanners")) {
                all.push_back(scannerFrom(row, file.name));
            }
        }
        return all;
    }();
    return kAll;
}

}  // namespace

const StirScanner* findStirScanner(const std::string& name, int rings) {
    const std::string wanted = normalKey(name);
    const StirScanner* found = nullptr;
    for (const StirScanner& scanner : allStirScanners()) {
        const bool called =
            std::find(scanner.names.begin(), scanner.names.end(), wanted) != scanner.names.end();
        if (called && (found == nullptr || scanner.rings == rings)) {
            found = &scanner;
        }
    }
    return found;
}

}  // namespace tof
