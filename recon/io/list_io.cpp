// SPDX-License-Identifier: Apache-2.0
#include "recon/io/list_io.h"

#include "recon/io/format_table.h"

namespace tof {

ListReadResult readEvents(const std::string& path, const ListReadOptions& options) {
    return recognise(path).readEvents(options);
}

}  // namespace tof
