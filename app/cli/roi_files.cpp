// SPDX-License-Identifier: Apache-2.0
#include "app/cli/roi_files.h"

#include "recon/base/text_file.h"
#include "recon/io/format_table.h"
#include "recon/study/label_map.h"

namespace tof {

RoiSet readRoiSet(const std::string& path) {
    if (fileKind(path) == FileKind::Volume) {
        RoiSet set;
        set.rois = readLabelMap(path);
        return set;
    }
    return roiSetFromJson(readTextFile(path), path);
}

}  // namespace tof
