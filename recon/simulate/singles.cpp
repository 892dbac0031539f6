// SPDX-License-Identifier: Apache-2.0
#include "recon/simulate/singles.h"

#include <cmath>
#include <optional>
#include <vector>

#include "recon/base/constants.h"
#include "recon/base/sum.h"
#include "recon/phantom/attenuation.h"
#include "recon/scanner/detector.h"
#include "recon/simulate/emission.h"
#include "recon/simulate/random_stream.h"

namespace tof {

namespace {

constexpr std::size_t kDecays = std::size_t{1} << 16U;
constexpr std::size_t kDecaysPerChunk = 1024;
constexpr std::uint32_t kMaxTries = 1'000'000;  ///< the most tries for a place within the phantom's shapes

/// One isotropic decay: its place and the direction of one photon.
struct Decay {
    Vec3 place;
    Vec3 direction;
};

std::optional<Decay> draw(const EmissionSampler& emission, std::uint64_t seed, std::size_t index) {
    RandomStream random(seed, RandomUse::Singles, index);
    for (std::uint32_t attempt = 0; attempt < kMaxTries; ++attempt) {
        random.startAttempt(attempt);
        if (const auto place = emission.sample(random)) {
            const double sine = 2 * random.uniform() - 1;
            const double cosine = std::sqrt(1 - sine * sine);
            const double azimuth = 2 * kPi * random.uniform();
            return Decay{*place, {cosine * std::cos(azimuth), cosine * std::sin(azimuth), sine}};
        }
    }
    return std::nullopt;
}

}  // namespace

double singlesPerDecay(const Scanner& scanner, const Phantom& phantom, std::uint64_t seed,
                       const ThreadPool& pool) {
    const EmissionSampler emission(phantom, pool);
    const PairAttenuation attenuation(phantom);
    const Detector detector(scanner);
    const auto detected = [&](Vec3 place, Vec3 direction) {
        const double interacts =
            -std::expm1(-scanner.attenuation_per_mm * detector.material(place, direction));
        return interacts > 0 ? interacts * std::exp(-attenuation.ahead(place, direction)) : 0.0;
    };
    std::vector<double> sums(kDecays / kDecaysPerChunk, 0.0);  // added in their order, whoever made them
    pool.forRange(kDecays, kDecaysPerChunk, [&](std::size_t begin, std::size_t end) {
        double sum = 0;
        for (std::size_t index = begin; index < end; ++index) {
            if (const auto decay = draw(emission, seed, index)) {
                const double one = detected(decay->place, decay->direction);
                const double other = detected(decay->place, -decay->direction);
                sum += one + other - 2 * one * other;
            }
        }
        sums[begin / kDecaysPerChunk] = sum;
    });
    return sumOf(sums) / static_cast<double>(kDecays);
}

}  // namespace tof
