// SPDX-License-Identifier: Apache-2.0
// Data of two small panels, made by the real program.
#pragma once

#include <QDir>
#include <QFile>

#include "tests/cli/cli_process.h"

namespace tof::test {

/// Writes panel.json, list.h5 and data.h5 into `folder`: two panels of 12 x 9 crystals `apart_mm` from face
/// to face, with `fields` of its detectors besides, that see "small-derenzo". Returns what `simulate` or,
/// after it, `bin` said.
inline Said makePanelData(const QDir& folder, int apart_mm, const QByteArray& fields,
                          const QStringList& simulation) {
    QFile file(folder.filePath("panel.json"));
    if (!file.open(QIODevice::WriteOnly)) {
        return {-1, {}, file.errorString()};
    }
    file.write(
        R"({"name":"two","modules":{"count":2,"face_to_face_mm":)" + QByteArray::number(apart_mm) +
        R"(,"crystals":[12,9],"pitch_mm":[2.4,2.4]},"crystal_mm":[2.1,2.1,10],"attenuation_per_mm":0.0819,)"
        R"("acceptance_deg":85,"fov_diameter_mm":80)" +
        fields + "}");
    file.close();
    const Said simulated =
        cli(QStringList{"--json", "simulate", "--scanner", file.fileName(), "--phantom", "small-derenzo"} +
            simulation + QStringList{folder.filePath("list.h5")});
    if (simulated.code != 0) {
        return simulated;
    }
    const Said binned = cli({"bin", "--to", "panel", folder.filePath("list.h5"), folder.filePath("data.h5")});
    return binned.code == 0 ? simulated : binned;
}

}  // namespace tof::test
