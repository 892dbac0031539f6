// SPDX-License-Identifier: Apache-2.0
#include "recon/binning/face_spread.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "recon/simulate/random_stream.h"

namespace tof {

const char* nameOf(EndPoints rule) {
    return rule == EndPoints::Face ? "face" : "centre";
}

FaceSpread::FaceSpread(const Scanner& scanner, EndPoints rule, std::uint64_t seed) : seed_(seed) {
    if (rule == EndPoints::Centre || !scanner.facesKnown) {
        return;
    }
    const auto [across, along, depth] = scanner.crystalSize_mm;
    const auto face = [across = across, along = along](const Crystal& crystal) {
        // Crystals of a ring stand upright: one edge of the face lies in the transverse plane. One that looks
        // along the axis has no such edge of its own, and takes x.
        const Vec3 o = crystal.outward;
        const double transverse = std::hypot(o.x, o.y);
        const Vec3 t = transverse > 1e-9 ? Vec3{-o.y / transverse, o.x / transverse, 0} : Vec3{1, 0, 0};
        return Face{across * t, along * cross(o, t)};
    };
    // Crystals of a module have one face; events name crystals in any order, and caches hold a few faces.
    std::map<std::array<double, 6>, std::uint32_t> known;
    faceOf_.reserve(scanner.crystals.size());
    for (const Crystal& crystal : scanner.crystals) {
        const Face own = face(crystal);
        const std::array key{own.transaxial.x, own.transaxial.y, own.transaxial.z,
                             own.axial.x,      own.axial.y,      own.axial.z};
        const auto at = known.emplace(key, static_cast<std::uint32_t>(faces_.size()));
        if (at.second) {
            faces_.push_back(own);
        }
        faceOf_.push_back(at.first->second);
    }
}

Vec3 FaceSpread::offset(std::uint32_t c, double transaxial, double axial) const {
    if (faceOf_.empty()) {
        return {};
    }
    const Face& face = faces_[faceOf_[c]];
    return (transaxial - 0.5) * face.transaxial + (axial - 0.5) * face.axial;
}

std::array<Vec3, 2> FaceSpread::offsets(std::uint64_t event, std::uint32_t c1, std::uint32_t c2) const {
    if (faceOf_.empty()) {
        return {};
    }
    RandomStream random(seed_, RandomUse::Deposit, event);
    std::array<double, 4> share{};
    std::generate(share.begin(), share.end(), [&random] { return random.uniform(); });
    return {offset(c1, share[0], share[1]), offset(c2, share[2], share[3])};
}

double FaceSpread::farthest() const {
    double most = 0;
    for (const Face& face : faces_) {
        most = std::max(most, 0.5 * (norm(face.transaxial) + norm(face.axial)));
    }
    return most;
}

}  // namespace tof
