// SPDX-License-Identifier: Apache-2.0
#include "recon/scanner/scanner_surroundings.h"

#include <limits>
#include <nlohmann/json.hpp>

#include "recon/base/json_fields.h"

namespace tof {

std::vector<Surrounding> surroundingsOf(const Scanner& scanner) {
    const nlohmann::json root = tryJson(scanner.description);
    if (!root.is_object() || !root.contains("surroundings")) {
        return {};
    }
    return readSurroundings(root["surroundings"], std::numeric_limits<double>::infinity(), scanner.name);
}

}  // namespace tof
