// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "recon/physics/uptake.h"

namespace tof {

class Arguments;

/// --weight, --dose, --height, --sex, --waited, --half-life and --positrons: dose and body that SUV need.
class UptakeOptions {
  public:
    void describe(Arguments& arguments);
    /// Nothing where neither weight nor dose is given. Throws WrongUse for what makes no SUV.
    [[nodiscard]] std::optional<Uptake> uptake(SuvBody body) const;

  private:
    double weight_kg_ = 0;
    double dose_MBq_ = 0;
    double waited_min_ = 0;
    double halfLife_min_ = Uptake().halfLife_s / 60;
    double positrons_ = 0;
    double height_m_ = 0;
    std::string sex_ = "unknown";
};

}  // namespace tof
