// SPDX-License-Identifier: Apache-2.0
#include "app/cli/roi_files.h"

#include <array>
#include <charconv>
#include <cmath>

#include "app/cli/interrupt.h"
#include "recon/base/error.h"
#include "recon/base/text_file.h"
#include "recon/io/format_table.h"
#include "recon/study/label_map.h"

namespace tof {

RoiSet readRoiSet(const std::string& path) {
    if (fileKind(path) == FileKind::Volume) {
        RoiSet set;
        set.rois = readLabelMap(path, throwIfInterrupted);
        return set;
    }
    return roiSetFromJson(readTextFile(path), path);
}

Vec3 pointFromText(const std::string& option, const std::string& text) {
    constexpr double kFar_mm = 1e5;
    std::array<double, 3> v{};
    const char* at = text.data();
    const char* const end = at + text.size();
    for (std::size_t i = 0; i < 3; ++i) {
        const auto [stop, fault] = std::from_chars(at, end, v[i]);
        const bool last = i == 2;
        if (fault != std::errc() || !(std::abs(v[i]) <= kFar_mm) ||
            (last ? stop != end : stop == end || *stop != ',')) {
            throw WrongUse("option {} is '{}'; it must be three numbers of mm, as 0,75,2", option, text);
        }
        at = stop + 1;
    }
    return {v[0], v[1], v[2]};
}

}  // namespace tof
