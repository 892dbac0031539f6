// SPDX-License-Identifier: Apache-2.0
// What `tofscope-cli project` says and writes about projections of one view.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "recon/lab/projection_comparison.h"

namespace tof {

/// A projection that was made.
struct MadeProjection {
    std::string label;  ///< "a", "b", "forward", "back-a": of files and tables; empty when it is the only one
    ProjectionKind kind = ProjectionKind::Forward;
    std::string device;
    ComparedProjection made;
    std::optional<StrategyTiming> timing;  ///< when it was repeated

    /// Median of the repetitions, or the one projection, ms.
    [[nodiscard]] double project_ms() const { return timing ? timing->median_ms : made.project_ms; }
};

/// The difference of two of them.
struct MadeDifference {
    std::string label;  ///< "difference", "forward-difference"
    std::size_t first = 0;
    std::size_t second = 1;
    std::shared_ptr<const Volume> volume;
    DifferenceFigures figures;
    double peak = 0;  ///< largest value of the first
};

/// Everything of one call.
struct ProjectionReport {
    std::string output;  ///< as asked for, or empty
    std::vector<MadeProjection> projections;
    std::vector<MadeDifference> differences;
    std::vector<StrategyTiming> strategies;  ///< when all were measured
    std::optional<double> adjointError;
    std::vector<std::string> files;  ///< that were written
};

/// Writes every volume: one to `output` itself, several to names with the label before the extension, and all
/// into one file when it ends in .json. Fills in `files`.
void writeProjections(ProjectionReport& report);
/// The names that writeProjections writes to.
[[nodiscard]] std::vector<std::string> projectionFiles(const ProjectionReport& report);

[[nodiscard]] nlohmann::ordered_json projectionForm(const ProjectionReport& report);
[[nodiscard]] std::string projectionText(const ProjectionReport& report);

}  // namespace tof
