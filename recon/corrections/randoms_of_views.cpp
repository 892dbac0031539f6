// SPDX-License-Identifier: Apache-2.0
#include "recon/corrections/randoms_of_views.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "recon/base/constants.h"
#include "recon/base/error.h"
#include "recon/binning/binning.h"
#include "recon/corrections/view_density.h"
#include "recon/simulate/random_stream.h"

namespace tof {

namespace {

constexpr int kRounds = 60;
constexpr std::size_t kDrawn = 2000000;

double windowOf(const Scanner& scanner) {
    if (!scanner.detection || !(scanner.detection->coincidence_ns > 0)) {
        throw WrongUse(
            "scanner '{}' states no coincidence window (`coincidence_ns`), so nothing is known of "
            "randoms",
            scanner.name);
    }
    return 1e-9 * scanner.detection->coincidence_ns;
}

}  // namespace

std::vector<double> ratesOfDelayeds(const EventList& delayeds, const Scanner& scanner, double duration_s,
                                    const ThreadPool& pool) {
    const double window_s = windowOf(scanner);
    if (delayeds.size() == 0 || !(duration_s > 0)) {
        throw WrongUse("randoms from delayeds need delayed coincidences and the time they took");
    }
    const CrystalGroups groups = groupsOf(scanner);
    const std::size_t n = groups.crystals.size();
    std::vector<double> measured(n, 0.0);
    for (const auto& pair : delayeds.crystals) {
        for (const std::uint32_t crystal : pair) {
            if (crystal >= groups.of.size()) {
                throw BadInput("a delayed coincidence names crystal {}, but the scanner has {}", crystal,
                               groups.of.size());
            }
            measured[groups.of[crystal]] += 1;
        }
    }
    std::vector<std::vector<std::uint32_t>> partners(n);
    pool.forRange(n, 16, [&](std::size_t begin, std::size_t end) {
        for (std::size_t g = begin; g < end; ++g) {
            for (std::uint32_t h = 0; h < n; ++h) {
                if (h != g && accepts(scanner, groups.places[g], groups.places[h])) {
                    partners[g].push_back(h);
                }
            }
        }
    });
    const double all = std::accumulate(measured.begin(), measured.end(), 0.0);
    std::vector<double> rates(n, std::sqrt(all / (2 * window_s * duration_s)) / static_cast<double>(n));
    std::vector<double> model(n);
    for (int round = 0; round < kRounds; ++round) {
        pool.forRange(n, 16, [&](std::size_t begin, std::size_t end) {
            for (std::size_t g = begin; g < end; ++g) {
                double sum = 0;
                for (const std::uint32_t h : partners[g]) {
                    sum += rates[h];
                }
                model[g] = 2 * window_s * duration_s * rates[g] * sum;
            }
        });
        // A plain step would swing where both ends of a pair are too low.
        for (std::size_t g = 0; g < n; ++g) {
            rates[g] *= model[g] > 0 ? std::sqrt(measured[g] / model[g]) : 0.0;
        }
    }
    std::vector<double> perCrystal(scanner.crystals.size());
    for (std::size_t c = 0; c < perCrystal.size(); ++c) {
        perCrystal[c] = rates[groups.of[c]] / groups.crystals[groups.of[c]];
    }
    return perCrystal;
}

double eventsKept(const EventList& events, const Scanner& scanner, const Lattice& lattice,
                  const ThreadPool& pool) {
    BinningSettings settings;
    settings.azimuths = 1;
    settings.tilts = 1;
    settings.lattice = lattice;
    return static_cast<double>(depositEvents(events, scanner, settings, pool, {}).kept);
}

double randomsKept(const std::vector<double>& rates, const Scanner& scanner, const Lattice& lattice,
                   double duration_s, const ThreadPool& pool) {
    const double window_s = windowOf(scanner);
    std::vector<double> upTo(rates.size());
    std::partial_sum(rates.begin(), rates.end(), upTo.begin());
    const double sum = upTo.empty() ? 0.0 : upTo.back();
    if (!(sum > 0)) {
        return 0;
    }
    const double squares = std::inner_product(rates.begin(), rates.end(), rates.begin(), 0.0);
    EventList drawn;
    RandomStream random(0x52616E646F6D73, RandomUse::Singles, 0);  // a seed that no file names
    const auto crystal = [&] {
        const auto found = std::upper_bound(upTo.begin(), upTo.end(), random.uniform() * sum);
        return static_cast<std::uint32_t>(
            std::min<std::ptrdiff_t>(found - upTo.begin(), static_cast<std::ptrdiff_t>(upTo.size()) - 1));
    };
    std::size_t pairs = 0;
    while (pairs < kDrawn) {
        const std::uint32_t one = crystal();
        const std::uint32_t two = crystal();
        const double dt = (2 * random.uniform() - 1) * 1e12 * window_s;
        if (one == two) {
            continue;
        }
        ++pairs;
        if (accepts(scanner, scanner.reference(one), scanner.reference(two))) {
            drawn.crystals.push_back({one, two});
            drawn.dt_ps.push_back(static_cast<float>(dt));
        }
    }
    const double share = eventsKept(drawn, scanner, lattice, pool) / static_cast<double>(kDrawn);
    return share * window_s * duration_s * (sum * sum - squares);
}

std::vector<float> randomsOfViews(const std::vector<double>& rates, const Scanner& scanner,
                                  const HistoData& data, double total, const ThreadPool& pool) {
    const LineRates lines(rates, scanner);
    const ViewDensity density(lines, data.lattice, data.views, scanner.acceptance_rad);
    std::vector<float> add(data.views.size() * data.voxels());
    pool.forRange(data.views.size(), 1, [&](std::size_t view, std::size_t) {
        density.fill(data.views[view], add.data() + view * data.voxels());
    });
    const double sum = std::accumulate(add.begin(), add.end(), 0.0);
    const auto scale = static_cast<float>(sum > 0 ? total / sum : 0.0);
    for (float& value : add) {
        value *= scale;
    }
    return add;
}

}  // namespace tof
