// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "recon/io/format/format.h"

namespace tof {

/// Headers of Interfile: images, sinograms (.hs) and the addresses of Siemens list-mode (.l.hdr). All count
/// as volumes: sinograms are only converted, addresses only binned. Own code because Debian packages no
/// reader.
[[nodiscard]] Format interfileFormat();

}  // namespace tof
