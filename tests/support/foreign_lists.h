// SPDX-License-Identifier: Apache-2.0
// Lists of YRT-PET and Inveon, written by their layouts alone.
#pragma once

#include <QByteArray>
#include <QFile>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <map>
#include <random>
#include <vector>

#include "recon/base/constants.h"
#include "recon/base/vec3.h"

namespace tof::test {

template <typename T>
QByteArray little(T value) {
    QByteArray bytes(sizeof(T), '\0');
    std::memcpy(bytes.data(), &value, sizeof(T));
    return bytes;
}

inline void saveBytes(const QString& path, const QByteArray& bytes) {
    QFile out(path);
    if (!out.open(QIODevice::WriteOnly) || out.write(bytes) != bytes.size()) {
        qFatal("cannot write %s", qPrintable(path));
    }
}

/// `places` crystals a ring, the first on +x and the next towards +y.
struct SmallRing {
    int places;
    int rings;
    double radius_mm;
    double spacing_mm;

    [[nodiscard]] Vec3 at(int ring, int place) const {
        const double psi = 2 * kPi * place / places;
        return {radius_mm * std::cos(psi), radius_mm * std::sin(psi),
                (ring - 0.5 * (rings - 1)) * spacing_mm};
    }
};

struct SeenPair {
    std::array<int, 2> ring{};
    std::array<int, 2> place{};
    double dt_ps = 0;  ///< t1 - t2: what is farther from crystal 1 arrives there later
};

/// Pairs whose line passes the point by less than `near_mm`; at(ring, place) says where a crystal is. The
/// second place is the one that lies nearest to the line from the first one through the point.
template <typename At>
std::vector<SeenPair> pairsOfPoint(int rings, int places, const At& at, Vec3 point, std::size_t count,
                                   double near_mm) {
    std::mt19937 random(7);
    std::vector<SeenPair> seen;
    const auto off = [&](Vec3 a, Vec3 b) { return norm(cross(point - a, b - a)) / norm(b - a); };
    while (seen.size() < count) {
        SeenPair one;
        one.ring[0] = static_cast<int>(random() % static_cast<unsigned>(rings));
        one.place[0] = static_cast<int>(random() % static_cast<unsigned>(places));
        const Vec3 a = at(one.ring[0], one.place[0]);
        const Vec3 flat{a.x, a.y, point.z};
        double least = near_mm;
        for (int place = 0; place < places; ++place) {
            const Vec3 b = at(0, place);
            if (const double far = off(flat, {b.x, b.y, point.z});
                norm(b - at(0, one.place[0])) > norm(flat) && far < least) {
                least = far;
                one.place[1] = place;
            }
        }
        if (!(least < near_mm)) {
            continue;
        }
        least = near_mm;
        for (int ring = 0; ring < rings; ++ring) {
            if (const double far = off(a, at(ring, one.place[1])); far < least) {
                least = far;
                one.ring[1] = ring;
            }
        }
        if (least < near_mm) {
            const Vec3 b = at(one.ring[1], one.place[1]);
            one.dt_ps = (norm(point - a) - norm(point - b)) / (2 * kMmPerPs);
            seen.push_back(one);
        }
    }
    return seen;
}

/// A scanner of YRT-PET and its table; `fields` are added or changed (numbers as JSON).
inline void writeYrtScanner(const QString& path, const SmallRing& ring, double depth_mm,
                            const std::map<QByteArray, QByteArray>& fields = {}) {
    std::map<QByteArray, QByteArray> all{{"VERSION", "3.1"},
                                         {"scannerName", "\"small\""},
                                         {"detCoord", "\"small.lut\""},
                                         {"axialFOV", QByteArray::number(ring.rings * ring.spacing_mm)},
                                         {"crystalSize_trans", "4"},
                                         {"crystalSize_z", "4"},
                                         {"crystalDepth", QByteArray::number(depth_mm)},
                                         {"scannerRadius", QByteArray::number(ring.radius_mm)},
                                         {"detsPerRing", QByteArray::number(ring.places)},
                                         {"numRings", QByteArray::number(ring.rings)},
                                         {"numDOI", "1"},
                                         {"maxRingDiff", QByteArray::number(ring.rings - 1)},
                                         {"minAngDiff", QByteArray::number(ring.places / 4 / 2 * 2)}};
    for (const auto& [key, value] : fields) {
        all[key] = value;
    }
    QByteArray json = "{";
    for (const auto& [key, value] : all) {
        if (!value.isEmpty()) {
            json += (json.size() > 1 ? "," : "") + QByteArray("\"") + key + "\": " + value;
        }
    }
    saveBytes(path + "/small.json", json + "}");
    QByteArray table;
    for (int r = 0; r < ring.rings; ++r) {
        for (int p = 0; p < ring.places; ++p) {
            const Vec3 front = ring.at(r, p);
            const Vec3 out = normalized(Vec3{front.x, front.y, 0});
            const Vec3 centre = front + 0.5 * depth_mm * out;
            for (const double value : {centre.x, centre.y, centre.z, out.x, out.y, out.z}) {
                table += little(static_cast<float>(value));
            }
        }
    }
    saveBytes(path + "/small.lut", table);
}

/// Words of 48 bits of Inveon.
struct InveonWords {
    QByteArray bytes;

    void word(std::uint64_t value) { bytes += little(value).left(6); }
    void tick() { word(std::uint64_t{0xA0} << 36U); }
    void prompt(std::uint64_t one, std::uint64_t two) { word(std::uint64_t{1} << 42U | one << 19U | two); }
    void delayed(std::uint64_t one, std::uint64_t two) { word(one << 19U | two); }
};

}  // namespace tof::test
