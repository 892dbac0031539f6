// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "recon/metrics/figures_of_merit.h"
#include "recon/metrics/observer.h"

namespace tof {

class Arguments;

/// What an observer makes of one signal in the images of one iteration, beside their figures.
struct ObserverRow {
    int iteration = 0;
    std::string roi;
    TaskFigures task;
    double crc = 0;    ///< mean over the images with the signal
    double noise = 0;  ///< likewise
};

/// Options of `analyze` about model observers: how well spheres are told from background in replicates.
class ObserverOptions {
  public:
    void describe(Arguments& arguments);
    [[nodiscard]] bool asked() const { return observer_ != "none"; }
    /// The files with the signal, the first one included.
    [[nodiscard]] std::vector<std::string> present(const std::string& first) const;
    /// The files without the signal; none: patches at the ROIs of role Uniform stand for them.
    [[nodiscard]] std::vector<std::string> absent() const;

    using Images = std::vector<std::shared_ptr<const Volume>>;
    /// A row for every ROI of role Sphere. Throws BadInput for images on several lattices, ROIs without
    /// spheres and too few images.
    [[nodiscard]] std::vector<ObserverRow> observe(int iteration, const Images& present, const Images& absent,
                                                   const FigureEvaluator& evaluator) const;

  private:
    std::string observer_ = "none";
    std::string replicates_;
    std::string absent_;
    std::string channels_ = "laguerre-gauss";
    int count_ = 6;
    double width_ = 1.5;
    double internalNoise_ = 0;
    double search_mm_ = 30;
};

/// The rows as a table with aligned columns, as CSV, and as a list of objects.
[[nodiscard]] std::string observerTable(const std::vector<ObserverRow>& rows);
[[nodiscard]] std::string observerCsv(const std::vector<ObserverRow>& rows);
[[nodiscard]] nlohmann::ordered_json observerJson(const std::vector<ObserverRow>& rows);

}  // namespace tof
