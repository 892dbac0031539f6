// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "recon/register/image_move.h"

namespace tof {

class Arguments;

/// --axes, --straighten, --turn, --shift, --transform and --onto: where an image is put.
class MoveOptions {
  public:
    void describe(Arguments& arguments);
    /// --turn and --shift alone.
    void describePlace(Arguments& arguments);
    /// What they ask for. Throws what reading files throws.
    [[nodiscard]] ImageMove move() const;

  private:
    ImageMove move_;
    bool straighten_ = false;
    std::string transform_;
    std::string onto_;
};

}  // namespace tof
