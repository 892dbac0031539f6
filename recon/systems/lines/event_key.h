// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>

#include "recon/base/constants.h"
#include "recon/base/hd.h"
#include "recon/base/vec3.h"

namespace tof {

/// Keys by which nearbyOrder() puts events in order: blocks of 16 mm in Morton order, twelve azimuths within
/// each. Plain data, for host and device, which have the same keys where no multiply-add is fused.
class EventKey {
  public:
    static constexpr int kAxisBits = 9;                 ///< 4 m either way
    static constexpr int kKeyBits = 3 * kAxisBits + 4;  ///< a key is less than two to the power of it

    EventKey() {
        for (int k = 0; k < kSectors - 1; ++k) {
            const double phi = kPi * (k + 1) / kSectors;
            starts_[k].cosine = std::cos(phi);
            starts_[k].sine = std::sin(phi);
        }
    }

    /// The line from `one` to `two`; its likeliest point lies `late_mm` from the middle towards `two`.
    [[nodiscard]] TOF_HD std::uint32_t of(const Vec3& one, const Vec3& two, double late_mm) const {
        const Vec3 along = two - one;
        const double length = std::sqrt(dot(along, along));
        Vec3 at = 0.5 * (one + two);
        if (late_mm != 0 && length > 0) {
            at = at + late_mm / length * along;
        }
        const std::uint32_t block =
            spread(blockOf(at.x)) | spread(blockOf(at.y)) << 1U | spread(blockOf(at.z)) << 2U;
        return block << 4U | sector(along);
    }

  private:
    static constexpr int kSectors = 12;
    struct Azimuth {
        double cosine = 1;
        double sine = 0;
    };

    /// Spreads up to ten bits to every third place.
    [[nodiscard]] static TOF_HD std::uint32_t spread(std::uint32_t bits) {
        bits = (bits | bits << 16U) & 0x030000FFU;
        bits = (bits | bits << 8U) & 0x0300F00FU;
        bits = (bits | bits << 4U) & 0x030C30C3U;
        return (bits | bits << 2U) & 0x09249249U;
    }

    [[nodiscard]] static TOF_HD std::uint32_t blockOf(double mm) {
        constexpr double kBlock_mm = 16;
        constexpr double kBlocks = 1 << kAxisBits;
        const double block = std::floor(mm / kBlock_mm) + kBlocks / 2;
        return static_cast<std::uint32_t>(block < 0 ? 0.0 : block > kBlocks - 1 ? kBlocks - 1 : block);
    }

    /// The twelfth of half a turn in which a direction lies.
    [[nodiscard]] TOF_HD std::uint32_t sector(const Vec3& along) const {
        const double side = along.y < 0 ? -1 : 1;
        std::uint32_t passed = 0;
        for (const Azimuth& start : starts_) {
            passed += side * (start.cosine * along.y - start.sine * along.x) >= 0 ? 1U : 0U;
        }
        return passed;
    }

    Azimuth starts_[kSectors - 1];  // NOLINT: a kernel's parameter
};

}  // namespace tof
