// SPDX-License-Identifier: Apache-2.0
// What the numbers of a label map mean, where its file says it.
#pragma once

#include <string>
#include <vector>

namespace tof {

struct LabelName {
    int number = 0;
    std::string name;
    std::string colour{};  ///< "#rrggbb" or empty
};

/// A FormatFile that names its labels is one of these, too.
class NamesLabels {
  public:
    NamesLabels() = default;
    virtual ~NamesLabels() = default;
    NamesLabels(const NamesLabels&) = delete;
    NamesLabels& operator=(const NamesLabels&) = delete;
    /// Throws BadInput.
    [[nodiscard]] virtual std::vector<LabelName> labelNames() const = 0;
};

}  // namespace tof
