// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "app/cli/arguments.h"
#include "app/cli/command.h"
#include "recon/systems/measurement.h"
#include "recon/work/follow.h"

namespace tof {

/// `reconstruct --follow`: its options, and the list that is followed until it ends, told on the console.
class FollowOptions {
  public:
    void describe(Arguments& arguments);
    [[nodiscard]] bool asked() const { return follow_; }
    /// The data file that the counts go to, or empty.
    [[nodiscard]] const std::string& countsFile() const { return request_.counts; }
    /// Throws WrongUse where files that are written are the list or cannot be written, or where an option was
    /// given that goes with --follow, without it.
    void check(const std::string& list) const;
    /// Counts the list until it ends; a signal ends it, and a second one the program. The image's sizes move
    /// from the settings to the data.
    [[nodiscard]] std::shared_ptr<const Measurement> follow(CommandContext& context, const std::string& list,
                                                            RunSettings& settings);

  private:
    bool follow_ = false;
    FollowRequest request_;
};

}  // namespace tof
