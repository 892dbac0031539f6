// SPDX-License-Identifier: Apache-2.0
#include "recon/io/list_io.h"

#include "recon/io/list_hdf5.h"

namespace tof {

ListReadResult readEvents(const std::string& path, const ListReadOptions& /*options*/) {
    return readEventsHdf5(path);
}

}  // namespace tof
