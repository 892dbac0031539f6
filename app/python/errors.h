// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tof::python {

/// From now on errors of this project become exceptions of the package (tofscope.errors) with the same
/// sentence, and Cancelled becomes KeyboardInterrupt.
void registerErrors();

}  // namespace tof::python
