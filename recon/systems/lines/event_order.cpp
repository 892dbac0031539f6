// SPDX-License-Identifier: Apache-2.0
#include "recon/systems/lines/event_order.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "recon/base/constants.h"

namespace tof {

namespace {

constexpr double kBlock_mm = 16;
constexpr int kOrderAzimuths = 12;
constexpr int kBits = 9;  // per axis: 4 m either way
constexpr double kBlocks = 1 << kBits;

/// Spreads up to ten bits to every third place.
std::uint32_t spread(std::uint32_t bits) {
    bits = (bits | bits << 16U) & 0x030000FFU;
    bits = (bits | bits << 8U) & 0x0300F00FU;
    bits = (bits | bits << 4U) & 0x030C30C3U;
    return (bits | bits << 2U) & 0x09249249U;
}

std::uint32_t blockOf(double mm) {
    return static_cast<std::uint32_t>(std::clamp(std::floor(mm / kBlock_mm) + kBlocks / 2, 0.0, kBlocks - 1));
}

/// Cosine and sine of the azimuths at which sectors of half a turn begin, but for the first.
std::array<std::array<double, 2>, kOrderAzimuths - 1> sectorStarts() {
    std::array<std::array<double, 2>, kOrderAzimuths - 1> starts{};
    for (std::size_t k = 0; k < starts.size(); ++k) {
        const double phi = kPi * static_cast<double>(k + 1) / kOrderAzimuths;
        starts.at(k) = {std::cos(phi), std::sin(phi)};
    }
    return starts;
}

/// Keys of events by place and azimuth.
class KeyMaker {
  public:
    explicit KeyMaker(const LineEvents& events) : events_(events) {}

    [[nodiscard]] std::uint32_t of(std::size_t event) const {
        const auto [c1, c2] = events_.pairs[event];
        const Vec3 one = events_.points[c1];
        const Vec3 two = events_.points[c2];
        const Vec3 along = two - one;
        const double length = norm(along);
        Vec3 at = 0.5 * (one + two);
        if (events_.tof.count > 0 && length > 0) {
            at = at + static_cast<double>(events_.dt_ps[event]) * kMmPerPs / length * along;
        }
        const std::uint32_t block =
            spread(blockOf(at.x)) | spread(blockOf(at.y)) << 1U | spread(blockOf(at.z)) << 2U;
        return block << 4U | sector(along);
    }

  private:
    [[nodiscard]] std::uint32_t sector(Vec3 along) const {
        const double side = along.y < 0 ? -1 : 1;
        std::uint32_t passed = 0;
        for (const auto& [cosine, sine] : starts_) {
            passed += side * (cosine * along.y - sine * along.x) >= 0 ? 1U : 0U;
        }
        return passed;
    }

    const LineEvents& events_;
    std::array<std::array<double, 2>, kOrderAzimuths - 1> starts_ = sectorStarts();
};

struct Placed {
    std::uint32_t key = 0;
    std::uint32_t event = 0;
};

constexpr int kKeyBits = 3 * kBits + 4;
constexpr int kDigitBits = 11;

/// By the digit of the key that begins at bit `shift`; equal ones stay as they come.
void sortByDigit(const std::vector<Placed>& in, int shift, std::vector<Placed>& out) {
    constexpr std::size_t kDigits = std::size_t{1} << kDigitBits;
    const auto digitOf = [shift](const Placed& one) { return (one.key >> shift) % kDigits; };
    std::vector<std::size_t> places(kDigits + 1);
    for (const Placed& one : in) {
        ++places[digitOf(one) + 1];
    }
    std::partial_sum(places.begin(), places.end(), places.begin());
    for (const Placed& one : in) {
        out[places[digitOf(one)]++] = one;
    }
}

}  // namespace

std::vector<std::uint32_t> nearbyOrder(const LineEvents& events, std::size_t first, std::size_t count) {
    const KeyMaker keys(events);
    std::vector<Placed> placed(count);
    for (std::size_t i = 0; i < count; ++i) {
        placed[i] = {keys.of(first + i), static_cast<std::uint32_t>(i)};
    }
    std::vector<Placed> other(count);
    for (int shift = 0; shift < kKeyBits; shift += kDigitBits) {
        sortByDigit(placed, shift, other);
        placed.swap(other);
    }
    std::vector<std::uint32_t> order(count);
    std::transform(placed.begin(), placed.end(), order.begin(), [](const Placed& one) { return one.event; });
    return order;
}

}  // namespace tof
