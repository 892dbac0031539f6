// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tof {

/// A space on a device that other code of the process works on, too, with streams of its own.
class SharesDevice {
  public:
    virtual ~SharesDevice() = default;
    /// Waits until what was given to the device's default stream so far is done: who hands an array over puts
    /// its work before that (DLPack's stream 1). Throws Unavailable with the fault of such work.
    virtual void waitForDefaultStream() const = 0;
};

}  // namespace tof
