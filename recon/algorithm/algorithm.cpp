// SPDX-License-Identifier: Apache-2.0
#include "recon/algorithm/algorithm.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "recon/base/error.h"

namespace tof {

const std::vector<const Algorithm*>& algorithms() {
    static const std::vector<const Algorithm*> table{&ramla(), &osem(), &mlem()};
    return table;
}

std::vector<std::string> algorithmNames() {
    std::vector<std::string> names;
    for (const Algorithm* algorithm : algorithms()) {
        names.push_back(algorithm->name);
    }
    return names;
}

const Algorithm& algorithmNamed(const std::string& name) {
    for (const Algorithm* algorithm : algorithms()) {
        if (algorithm->name == name) {
            return *algorithm;
        }
    }
    throw WrongUse("no algorithm '{}'; algorithms: {}", name, fmt::join(algorithmNames(), ", "));
}

}  // namespace tof
