// SPDX-License-Identifier: Apache-2.0
#include "recon/io/file_kind.h"

#include "recon/io/format_table.h"

namespace tof {

FileKind fileKind(const std::string& path) {
    return recognise(path).kind();
}

std::string fileInfoJson(const std::string& path) {
    return recognise(path).infoJson();
}

}  // namespace tof
