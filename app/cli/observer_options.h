// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "recon/metrics/observer_task.h"

namespace tof {

class Arguments;

/// Options of `analyze` about model observers: how well spheres are told from background in replicates.
class ObserverOptions {
  public:
    void describe(Arguments& arguments);
    [[nodiscard]] bool asked() const { return observer_ != "none"; }
    /// The files with the signal, the first one included.
    [[nodiscard]] std::vector<std::string> present(const std::string& first) const;
    /// The files without the signal; none: patches at the ROIs of role Uniform stand for them.
    [[nodiscard]] std::vector<std::string> absent() const;

    /// How the observer looks at them.
    [[nodiscard]] ObserverRequest request() const;

  private:
    std::string observer_ = "none";
    std::string replicates_;
    std::string absent_;
    ObserverRequest request_;
};

/// The rows as a table with aligned columns, as CSV, and as a list of objects.
[[nodiscard]] std::string observerTable(const std::vector<ObserverRow>& rows);
[[nodiscard]] std::string observerCsv(const std::vector<ObserverRow>& rows);
[[nodiscard]] nlohmann::ordered_json observerJson(const std::vector<ObserverRow>& rows);

}  // namespace tof
