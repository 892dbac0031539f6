// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/object_events.h"

#include <cmath>
#include <random>
#include <sstream>

#include "recon/base/constants.h"

namespace tof {

namespace {

/// A point of the object: nine in ten of a cylinder along the whole scanner, the others of six spheres.
Vec3 emission(const ObjectRow& row, std::mt19937& random) {
    const auto uniform = [&] { return static_cast<double>(random()) / 4294967296.0; };
    const double half_mm = 0.5 * row.scanner.rings * row.scanner.ringSpacing_mm;
    const double turn = 2 * kPi * uniform();
    if (random() % 10 != 0) {
        const double r = row.object_mm * std::sqrt(uniform());
        return {r * std::cos(turn), r * std::sin(turn), half_mm * (2 * uniform() - 1)};
    }
    constexpr double kAcross_mm[6] = {10, 13, 17, 22, 28, 37};
    const auto sphere = static_cast<std::uint32_t>(random() % 6);
    const double r = 0.5 * kAcross_mm[sphere] * std::cbrt(uniform());
    const double z = 2 * uniform() - 1;
    const double flat = std::sqrt(1 - z * z);
    const double at = kPi / 3 * sphere;
    return {0.5 * row.object_mm * std::cos(at) + r * flat * std::cos(turn),
            0.5 * row.object_mm * std::sin(at) + r * flat * std::sin(turn), r * z};
}

/// Adds an event whose photons leave `from`; false where they pass the scanner's ends by.
bool record(const ObjectRow& row, Vec3 from, std::mt19937& random, std::size_t at, LineEvents& events) {
    const auto uniform = [&] { return static_cast<double>(random()) / 4294967296.0; };
    const double phi = kPi * uniform();
    const double cosine = 2 * uniform() - 1;
    const double flat = std::sqrt(1 - cosine * cosine);
    const double ux = std::cos(phi);
    const double uy = std::sin(phi);
    const double along = from.x * ux + from.y * uy;
    const double beyond = from.x * from.x + from.y * from.y - row.scanner.radius_mm * row.scanner.radius_mm;
    const double root = std::sqrt(along * along - beyond);
    std::uint32_t crystals[2];
    double ways[2];
    for (const int end : {0, 1}) {
        const double way = (end == 0 ? -along - root : -along + root);
        const double z = from.z + way * cosine / flat;
        const long ring = std::lround(z / row.scanner.ringSpacing_mm + 0.5 * (row.scanner.rings - 1));
        if (!(ring >= 0 && ring < row.scanner.rings)) {
            return false;
        }
        const double turns = std::atan2(from.y + way * uy, from.x + way * ux) / (2 * kPi) + 1;
        const auto place = static_cast<std::uint32_t>(std::lround(turns * row.scanner.crystalsPerRing));
        const auto perRing = static_cast<std::uint32_t>(row.scanner.crystalsPerRing);
        crystals[end] = static_cast<std::uint32_t>(ring) * perRing + place % perRing;
        ways[end] = way / flat;
    }
    std::normal_distribution<double> blur(0, row.tof.fwhm_ps / kFwhmPerSigma);
    events.pairs[at] = {crystals[0], crystals[1]};
    events.dt_ps[at] = static_cast<float>(-0.5 * (ways[0] + ways[1]) / kMmPerPs + blur(random));
    return true;
}

}  // namespace

const std::vector<ObjectRow>& objectRows() {
    static const std::vector<ObjectRow> all{
        {"144", {144, 144, 48}, 4.0, {"small", 48, 576, 400, 4.0}, {41, 170, 400, 3}, 175, 0.476},
        {"215", {215, 215, 71}, 2.78, {"ge-dmi", 36, 544, 380, 5.5}, {29, 169, 385, 3}, 150, 0.350},
        {"440", {440, 440, 644}, 1.65, {"long", 322, 760, 400, 3.3}, {59, 97, 228, 3}, 150, 0.288}};
    return all;
}

std::shared_ptr<LineEvents> objectEvents(const ObjectRow& row, std::size_t count, const ThreadPool& pool) {
    constexpr std::size_t kGrain = std::size_t{1} << 16U;
    auto events = std::make_shared<LineEvents>();
    events->points = ringPoints(row.scanner);
    events->tof = row.tof;
    events->pairs.resize(count);
    events->dt_ps.resize(count);
    pool.forRange(count, kGrain, [&](std::size_t begin, std::size_t end) {
        std::mt19937 random(7 + static_cast<std::uint32_t>(begin / kGrain));
        for (std::size_t i = begin; i < end;) {
            i += record(row, emission(row, random), random, i, *events) ? 1 : 0;
        }
    });
    return events;
}

std::vector<std::string> listed(const std::string& text) {
    std::vector<std::string> all;
    std::istringstream in(text);
    for (std::string one; std::getline(in, one, ',');) {
        all.push_back(one);
    }
    return all;
}

std::vector<float> unevenValues(std::size_t n) {
    std::vector<float> values(n);
    for (std::size_t i = 0; i < n; ++i) {
        values[i] = 0.5F + static_cast<float>(i * 2654435761U % 1024U) / 1024.0F;
    }
    return values;
}

}  // namespace tof
