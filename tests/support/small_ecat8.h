// SPDX-License-Identifier: Apache-2.0
// Siemens list-mode small enough to be written down.
#pragma once

#include <QtCore/QByteArray>
#include <QtCore/QFile>
#include <QtCore/QString>

namespace tof::test {

/// Two rings of 24 crystals, span 1: segments 0, -1, +1 of 2, 1, 1 planes; 9 bins x 12 views. 40 prompts in
/// each bin on one point, and 100 delayeds and tags among them. Writes HEADER, "list.l.hdr" say, and the
/// words that it names, "list.l". False when that failed.
inline bool writeSmallEcat8(const QString& folder, const QString& words = "list.l") {
    QFile header(folder + "/" + words + ".hdr");
    QFile list(folder + "/" + words);
    if (!header.open(QIODevice::WriteOnly) || !list.open(QIODevice::WriteOnly)) {
        return false;
    }
    header.write("!INTERFILE:=\n%SMS-MI header name space:=PETLINK bin address\nname of data file := " +
                 words.toUtf8() +
                 "\nnumber of rings:=2\ndistance between rings (cm):=1\ngantry crystal radius (cm):=9.3\n"
                 "%total listmode word counts:=1062\n%axial compression:=1\n%maximum ring difference:=1\n"
                 "%number of projections:=9\n%number of views:=12\n");
    QByteArray bytes;
    const auto put = [&bytes](quint32 word) { bytes.append(reinterpret_cast<const char*>(&word), 4); };
    put(0x80000064U);  // 100 ms
    for (quint32 view = 0; view < 12; ++view) {
        for (quint32 plane = 0; plane < 2; ++plane) {
            for (int i = 0; i < 40; ++i) {
                put(0x40000000U | (4U + 9U * (view + 12U * plane)));
            }
        }
    }
    for (quint32 i = 0; i < 100; ++i) {
        put(i * 4 % 432);
    }
    put(0x80000258U);  // 600 ms
    return list.write(bytes) == bytes.size();
}

}  // namespace tof::test
