// SPDX-License-Identifier: Apache-2.0
#include "recon/simulate/early_loss.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tof {

namespace {

constexpr std::int32_t kRadialCells = 64;
constexpr std::int32_t kAxialCells = 32;
constexpr std::size_t kLanes = WordBatch::kAttempts;
using Verdict = EarlyLoss::Verdict;

/// What a lane's place decides: a cell of the table, or one of these.
constexpr std::int32_t kVoid = -1;
constexpr std::int32_t kUnsure = -2;

/// A word as -1 .. 1, to 23 bits: enough for a screen with margins.
[[gnu::always_inline]] inline float centred(std::uint32_t word) {
    return static_cast<float>(static_cast<std::int32_t>(word ^ 0x80000000U)) * 0x1p-31F;
}

[[gnu::always_inline]] inline void locate(const EarlyLoss::Screen& screen, const WordBatch& batch,
                                          std::int32_t (&place)[kLanes]) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
        const float x = centred(batch.words[1][lane]) * screen.radius;
        const float y = centred(batch.words[2][lane]) * screen.radius;
        const float share = (centred(batch.words[0][lane]) + 1) * screen.wordToShare;
        const float z = share * screen.length + screen.bottom;
        const float fromBulk = x * x + y * y;
        const float bodyX = x + screen.offsetX;
        const float bodyY = y + screen.offsetY;
        const float radial = (bodyX * bodyX + bodyY * bodyY) * screen.radialScale;
        const float axial = std::abs(z) * screen.axialScale;
        const bool bulk = batch.words[0][lane] < screen.bulkLimit;
        const bool sure = (fromBulk < screen.unsureBeyond) & (radial < static_cast<float>(kRadialCells)) &
                          (axial < static_cast<float>(kAxialCells)) &
                          ((z < screen.coverLow) | (z > screen.coverHigh) | (fromBulk < screen.coverInner) |
                           (fromBulk > screen.coverOuter));
        const float bounded = std::min(radial, static_cast<float>(kRadialCells));
        const std::int32_t cell = static_cast<std::int32_t>(bounded) * kAxialCells +
                                  static_cast<std::int32_t>(std::min(axial, static_cast<float>(kAxialCells)));
        const std::int32_t inside = sure ? cell : kUnsure;
        const std::int32_t ofBulk = fromBulk > screen.voidBeyond ? kVoid : inside;
        place[lane] = bulk ? ofBulk : kUnsure;
    }
}

#if defined(__x86_64__)
[[gnu::target("avx2")]] void locateAvx2(const EarlyLoss::Screen& screen, const WordBatch& batch,
                                        std::int32_t (&place)[kLanes]) {
    locate(screen, batch, place);
}
#endif

void locateBest(const EarlyLoss::Screen& screen, const WordBatch& batch, std::int32_t (&place)[kLanes]) {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2")) {
        locateAvx2(screen, batch, place);
        return;
    }
#endif
    locate(screen, batch, place);
}

}  // namespace

EarlyLoss::EarlyLoss(const Phantom& phantom, const EmissionSampler& emission,
                     const PairAttenuation& attenuation, double tanTilt) {
    const auto bulk = emission.bulkCylinder();
    const auto body = attenuation.onlyCylinder();
    if (!bulk || !body) {
        return;
    }
    const PhantomShape& shape = phantom.shapes[bulk->shape];
    constexpr double kMargin = 1e-5;     // rounding to float of squares, relative
    constexpr double kMargin_mm = 1e-2;  // and of heights
    const double r2 = shape.radius_mm * shape.radius_mm;
    const Vec3 offset = shape.centre - body->centre;
    screen_.bulkLimit = bulk->limit;
    screen_.offsetX = static_cast<float>(offset.x);
    screen_.offsetY = static_cast<float>(offset.y);
    screen_.bottom = static_cast<float>(offset.z - 0.5 * shape.size_mm.z);
    screen_.radius = static_cast<float>(shape.radius_mm);
    screen_.length = static_cast<float>(shape.size_mm.z);
    screen_.wordToShare = static_cast<float>(0.5 / bulk->share);
    screen_.voidBeyond = static_cast<float>(r2 * (1 + kMargin));
    screen_.unsureBeyond = static_cast<float>(r2 * (1 - kMargin));
    screen_.coverLow = static_cast<float>(bulk->coverLow - body->centre.z - kMargin_mm);
    screen_.coverHigh = static_cast<float>(bulk->coverHigh - body->centre.z + kMargin_mm);
    screen_.coverInner = static_cast<float>(std::pow(std::max(0.0, bulk->coverInner - kMargin_mm), 2));
    screen_.coverOuter = static_cast<float>(std::pow(bulk->coverOuter + kMargin_mm, 2));
    screen_.radialScale = static_cast<float>(kRadialCells / (body->radius_mm * body->radius_mm));
    screen_.axialScale = static_cast<float>(kAxialCells / (0.5 * body->size_mm.z));
    constexpr auto kRadial = static_cast<std::size_t>(kRadialCells);
    constexpr auto kAxial = static_cast<std::size_t>(kAxialCells);
    highest_.resize(kRadial * kAxial);
    for (std::size_t r = 0; r < kRadial; ++r) {
        for (std::size_t z = 0; z < kAxial; ++z) {
            highest_[r * kAxial + z] = highestWord(*body, r, z, tanTilt);
        }
    }
}

std::uint32_t EarlyLoss::highestWord(const PhantomShape& body, std::size_t radial, std::size_t axial,
                                     double tanTilt) const {
    // In the transverse plane a line through a point at distance r from the axis leaves the circle after a1
    // on one side and a2 on the other, a1 a2 = R^2 - r^2, a1 + a2 >= 2 sqrt(R^2 - r^2), both >= R - r. An end
    // of the cylinder cuts a side short after no less than its distance over the tangent of the tilt.
    const double radius = body.radius_mm;
    const double half = 0.5 * body.size_mm.z;
    const double r2 = radius * radius * std::min(1.0, (static_cast<double>(radial) + 1) / kRadialCells);
    const double nearEnd = half * (1 - (static_cast<double>(axial) + 1) / kAxialCells);
    const double farEnd = half * (1 + static_cast<double>(axial) / kAxialCells);
    const double uncut = 2 * std::sqrt(radius * radius - r2);
    const double otherSide = std::min(radius - std::sqrt(r2), farEnd / tanTilt);
    const double shortest = std::max(0.0, std::min(uncut, nearEnd / tanTilt + otherSide));
    // A thousandth more than exp(-mu shortest) covers every rounding here and in the chord itself.
    const double survives = std::min(1.0, 1.001 * std::exp(-body.mu_per_mm * shortest));
    return static_cast<std::uint32_t>(survives * std::numeric_limits<std::uint32_t>::max());
}

void EarlyLoss::judge(const WordBatch& batch, Verdicts& verdicts) const {
    if (highest_.empty()) {
        verdicts.fill(Verdict::Unsure);
        return;
    }
    std::int32_t place[kLanes];
    locateBest(screen_, batch, place);
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
        if (place[lane] < 0) {
            verdicts[lane] = place[lane] == kVoid ? Verdict::Void : Verdict::Unsure;
            continue;
        }
        const bool lost = batch.words[3][lane] > highest_[static_cast<std::size_t>(place[lane])];
        verdicts[lane] = lost ? Verdict::Lost : Verdict::Unsure;
    }
}

}  // namespace tof
