// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "recon/systems/measurement.h"

namespace tof::python {

/// An image, and what its file said of it.
struct Image {
    std::shared_ptr<const Volume> volume;
    std::string name{};
    std::vector<std::string> notes{};
};

/// Data that can be reconstructed.
struct Data {
    std::shared_ptr<const Measurement> measured;
    std::string note{};
};

}  // namespace tof::python
