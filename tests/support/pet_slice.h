// SPDX-License-Identifier: Apache-2.0
// One slice of PET as a scanner writes it: Bq/ml with body weight, dose and times.
#pragma once

#include <QByteArray>

#include "recon/base/lattice.h"
#include "tests/support/dicom_elements.h"

namespace tof::test {

/// 70 kg, 370 MBq of F-18 given 6586.2 s (a half life) before: half of the dose is left at the start of the
/// scan.
struct PetSlice {
    QByteArray uid;
    QByteArray series = "1.2.3.5";
    QByteArray number = "5";
    QByteArray description = "Whole body";  ///< description of the series; empty: none
    int columns = 0;
    int rows = 0;
    int voxel_mm = 0;          ///< side of a voxel, and distance from slice to slice
    Vec3 corner;               ///< centre of the first pixel, mm, in the patient's axes
    double slope = 1;          ///< Bq/ml of a pixel's step
    double seconds = 0;        ///< from the start of the scan
    QByteArray pixels;         ///< 16 bits each
    QByteArray acquired = {};  ///< "121000": when it was acquired; empty: not stated
    int duration_s = 0;        ///< how long; 0: not stated
};

inline QByteArray fileOf(const PetSlice& slice) {
    const auto number = [](double value) { return QByteArray::number(value); };
    const QByteArray side = number(slice.voxel_mm);
    Elements e;
    e.text(0x00080016, "UI", kPet);
    e.text(0x00080018, "UI", slice.uid);
    e.text(0x00080021, "DA", "20261122");
    if (!slice.acquired.isEmpty()) {
        e.text(0x00080022, "DA", "20261122");
    }
    e.text(0x00080031, "TM", "120000");
    if (!slice.acquired.isEmpty()) {
        e.text(0x00080032, "TM", slice.acquired);
    }
    e.text(0x00080060, "CS", "PT");
    if (!slice.description.isEmpty()) {
        e.text(0x0008103E, "LO", slice.description);
    }
    e.text(0x00101030, "DS", "70");
    e.text(0x00180050, "DS", side);
    if (slice.duration_s > 0) {
        e.text(0x00181242, "IS", number(1000 * slice.duration_s));
    }
    e.text(0x0020000D, "UI", "1.2.3.1");
    e.text(0x0020000E, "UI", slice.series);
    e.text(0x00200011, "IS", slice.number);
    e.text(0x00200032, "DS",
           number(slice.corner.x) + "\\" + number(slice.corner.y) + "\\" + number(slice.corner.z));
    e.text(0x00200037, "DS", "1\\0\\0\\0\\1\\0");
    e.whole(0x00280002, 1);
    e.text(0x00280004, "CS", "MONOCHROME2");
    e.whole(0x00280010, static_cast<quint16>(slice.rows));
    e.whole(0x00280011, static_cast<quint16>(slice.columns));
    e.text(0x00280030, "DS", side + "\\" + side);
    e.whole(0x00280100, 16);
    e.whole(0x00280101, 16);
    e.whole(0x00280102, 15);
    e.whole(0x00280103, 0);
    e.text(0x00281052, "DS", "0");
    e.text(0x00281053, "DS", number(slice.slope));
    Elements drug;
    drug.text(0x00181072, "TM", "101013.8");
    drug.text(0x00181074, "DS", "370000000");
    drug.text(0x00181075, "DS", "6586.2");
    e.sequence(0x00540016, drug);
    e.text(0x00541001, "CS", "BQML");
    e.text(0x00541102, "CS", "START");
    e.text(0x00541300, "DS", number(slice.seconds));
    e.put(0x7FE00010, "OW", slice.pixels);
    return e.file(kPet);
}

}  // namespace tof::test
