// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

namespace tof {

class Communicator;

/// A process that makes everything itself, as a communicator: its size is 1 and its exchanges are copies. Its
/// operations change nothing in it, so copies of a request may share it.
[[nodiscard]] std::shared_ptr<Communicator> communicatorOfOne();

}  // namespace tof
