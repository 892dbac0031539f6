// SPDX-License-Identifier: Apache-2.0
#include "recon/corrections/randoms_of_views.h"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <numeric>

#include "recon/base/constants.h"
#include "recon/base/error.h"
#include "recon/base/large_array.h"
#include "recon/base/samples.h"
#include "recon/base/sum.h"
#include "recon/binning/binning.h"
#include "recon/corrections/crystal_groups.h"
#include "recon/corrections/view_density.h"
#include "recon/motion/pose_shares.h"
#include "recon/simulate/crystal_medium.h"
#include "recon/simulate/pile_up_survival.h"

namespace tof {

namespace {

constexpr int kMostRounds = 60;
constexpr std::size_t kDrawn = 2000000;
constexpr std::size_t kChunk = std::size_t{1} << 18U;

/// How many photons of delayed coincidences each group has.
std::vector<double> photonsOfGroups(const EventList& delayeds, const CrystalGroups& groups,
                                    const ThreadPool& pool) {
    std::vector<double> all(groups.crystals.size(), 0.0);
    std::mutex adding;
    pool.forRange(delayeds.size(), kChunk, [&](std::size_t begin, std::size_t end) {
        std::vector<std::uint32_t> some(all.size(), 0);
        for (std::size_t i = begin; i < end; ++i) {
            for (const std::uint32_t crystal : delayeds.crystals[i]) {
                if (crystal >= groups.of.size()) {
                    throw BadInput("a delayed coincidence names crystal {}, but the scanner has {}", crystal,
                                   groups.of.size());
                }
                ++some[groups.of[crystal]];
            }
        }
        const std::lock_guard lock(adding);  // sums of whole numbers are the same in any order
        for (std::size_t g = 0; g < all.size(); ++g) {
            all[g] += some[g];
        }
    });
    return all;
}

}  // namespace

double coincidenceWindow(const Scanner& scanner) {
    if (!scanner.detection || !(scanner.detection->coincidence_ns > 0)) {
        throw WrongUse(
            "scanner '{}' states no coincidence window (`coincidence_ns`), so nothing is known of "
            "randoms",
            scanner.name);
    }
    return 1e-9 * scanner.detection->coincidence_ns;
}

std::vector<double> ratesOfDelayeds(const EventList& delayeds, const Scanner& scanner, double duration_s,
                                    const ThreadPool& pool) {
    const double window_s = coincidenceWindow(scanner);
    if (delayeds.size() == 0 || !(duration_s > 0)) {
        throw WrongUse("randoms from delayeds need delayed coincidences and the time they took");
    }
    const CrystalGroups groups = groupsOf(scanner);
    const std::size_t n = groups.crystals.size();
    const std::vector<double> measured = photonsOfGroups(delayeds, groups, pool);
    const PairAcceptance acceptance(scanner);
    std::vector<std::vector<std::uint32_t>> partners(n);
    pool.forRange(n, 16, [&](std::size_t begin, std::size_t end) {
        for (std::size_t g = begin; g < end; ++g) {
            for (std::uint32_t h = 0; h < n; ++h) {
                if (h != g && acceptance.takes(groups.places[g], groups.places[h])) {
                    partners[g].push_back(h);
                }
            }
        }
    });
    const double all = sumOf(measured);
    std::vector<double> rates(n, std::sqrt(all / (2 * window_s * duration_s)) / static_cast<double>(n));
    std::vector<double> model(n);
    for (int round = 0; round < kMostRounds; ++round) {
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

std::vector<double> ratesOfSingles(const CrystalSingles& singles, const Scanner& scanner) {
    static_cast<void>(coincidenceWindow(scanner));
    if (singles.recorded.size() != scanner.crystals.size() || !(singles.duration_s > 0)) {
        throw WrongUse("singles of {} crystals and {:g} s do not fit scanner '{}' of {} crystals",
                       singles.recorded.size(), singles.duration_s, scanner.name, scanner.crystals.size());
    }
    std::vector<double> rates(singles.recorded);
    for (double& rate : rates) {
        rate /= singles.duration_s;
    }
    return rates;
}

namespace {

/// The block of every crystal.
std::vector<std::uint32_t> blocksOf(const Scanner& scanner, const CrystalMedium& medium) {
    std::vector<std::uint32_t> blocks(scanner.crystals.size(), 0);
    for (std::size_t m = 0; m < medium.moduleCount(); ++m) {
        const CrystalModule& module = medium.view().modules[m];
        for (std::int32_t row = 0; row < module.count[1]; ++row) {
            for (std::int32_t column = 0; column < module.count[0]; ++column) {
                const auto cell = static_cast<std::uint32_t>(row * module.count[0] + column);
                blocks[medium.view().ids[module.firstId + cell]] = module.group(column, row);
            }
        }
    }
    return blocks;
}

/// Share of the photons with a partner that a block records of those that it would alone; it takes time for
/// `busyPerSecond`.
double liveTime(const Detection& detection, double busyPerSecond, const BlockSpectra& spectra) {
    const double alive = detection.aliveShare(busyPerSecond);
    const bool all = detection.deadTimeKind == Detection::DeadTime::Paralysable;
    const double coming = all || !(alive > 0) ? busyPerSecond : busyPerSecond / alive;
    return alive * pileUpSurvival(spectra, detection.window_keV, pileUpOf(detection), coming);
}

}  // namespace

std::vector<double> aliveShares(const CrystalSingles& singles, const Scanner& scanner) {
    std::vector<double> alive(scanner.crystals.size(), 1.0);
    if (!scanner.detection || !(scanner.detection->deadTime_ns > 0) || singles.busy.empty()) {
        return alive;
    }
    const Detector detector(scanner);
    const CrystalMedium medium(scanner, detector);
    if (singles.busy.size() != medium.groups() || !(singles.duration_s > 0)) {
        throw WrongUse("singles of {} blocks do not fit scanner '{}' of {}", singles.busy.size(),
                       scanner.name, medium.groups());
    }
    const std::vector<std::uint32_t> blocks = blocksOf(scanner, medium);
    std::vector<double> ofBlock;
    for (const double busy : singles.busy) {
        ofBlock.push_back(liveTime(*scanner.detection, busy / singles.duration_s, singles.spectra));
    }
    for (std::size_t c = 0; c < blocks.size(); ++c) {
        alive[c] = ofBlock[blocks[c]];
    }
    return alive;
}

namespace {

/// Groups of crystals, those of one block beside each other, and the rates of both.
class GroupsByBlock {
  public:
    GroupsByBlock(const std::vector<double>& rates, const Scanner& scanner) : acceptance_(scanner) {
        const Detector detector(scanner);
        const CrystalMedium medium(scanner, detector);
        const std::vector<std::uint32_t> blocks = blocksOf(scanner, medium);
        const CrystalGroups groups = groupsOf(scanner);
        for (const Vec3 place : groups.places) {
            groups_.push_back({place, 0.0, 0});
        }
        rates_.assign(medium.groups(), 0.0);
        for (std::size_t c = 0; c < rates.size(); ++c) {
            rates_[blocks[c]] += rates[c];
            groups_[groups.of[c]].rate += rates[c];
            groups_[groups.of[c]].block = blocks[c];
        }
        std::stable_sort(groups_.begin(), groups_.end(),
                         [](const Group& g, const Group& h) { return g.block < h.block; });
    }

    [[nodiscard]] std::size_t blocks() const { return rates_.size(); }
    [[nodiscard]] double rate(std::size_t block) const { return rates_[block]; }

    /// Products of rates of a block's groups and those of itself and each later block, of pairs that are
    /// coincidences.
    void productsOf(std::size_t block, std::vector<double>& products) const {
        products.assign(blocks(), 0.0);
        auto one = std::lower_bound(groups_.begin(), groups_.end(), block,
                                    [](const Group& g, std::size_t b) { return g.block < b; });
        for (; one != groups_.end() && one->block == block; ++one) {
            for (auto two = one + 1; two != groups_.end();) {
                const std::uint32_t other = two->block;
                double sum = 0;
                for (; two != groups_.end() && two->block == other; ++two) {
                    sum += acceptance_.takes(one->place, two->place) ? two->rate : 0.0;
                }
                products[other] += one->rate * sum;
            }
        }
    }

  private:
    struct Group {
        Vec3 place;
        double rate = 0;
        std::uint32_t block = 0;
    };

    PairAcceptance acceptance_;
    std::vector<double> rates_;  ///< by block
    std::vector<Group> groups_;  ///< by block
};

}  // namespace

double randomsThatPartnersLeave(const std::vector<double>& rates, const Scanner& scanner, double coincidences,
                                double busyPerRecorded) {
    if (!scanner.detection || !(scanner.detection->deadTime_ns > 0) || !(coincidences > 0)) {
        return 1;
    }
    const GroupsByBlock groups(rates, scanner);
    const auto alive = [&](std::size_t block) {
        return scanner.detection->aliveShare(busyPerRecorded * groups.rate(block));
    };
    // Pairs of one decay are taken to lie between blocks as randoms do. One block at a time: products of all
    // pairs of long-axial's 13,440 would take 1.4 GB.
    std::vector<double> products;
    double all = 0;
    double lost = 0;
    for (std::size_t a = 0; a < groups.blocks(); ++a) {
        groups.productsOf(a, products);
        all += sumOf(products);
        for (std::size_t b = a + 1; b < groups.blocks(); ++b) {
            if (products[b] > 0 && alive(a) > 0 && alive(b) > 0) {
                // So many partners of the photons that one block records reach the other: pairs that
                // were recorded had found both alive.
                const double together = 1 / (alive(b) * groups.rate(a)) + 1 / (alive(a) * groups.rate(b));
                lost += products[b] * products[b] * together;
            }
        }
    }
    const double partners = 0.5 * busyPerRecorded * coincidences * pairsPerAccepted(scanner);
    return all > 0 ? std::max(0.0, 1 - partners * lost / (all * all)) : 1;
}

namespace {

/// Times of events that fall to poses as long as each lasted, evenly over the list.
std::vector<std::uint32_t> timesOver(std::size_t events, double end_ms) {
    std::vector<std::uint32_t> times(events);
    for (std::size_t i = 0; i < events; ++i) {
        const double share = (static_cast<double>(i) + 0.5) * kGoldenRatio;
        times[i] = static_cast<std::uint32_t>((share - std::floor(share)) * end_ms);
    }
    return times;
}

}  // namespace

double eventsKept(const EventList& events, const Scanner& scanner, const Lattice& lattice,
                  const ThreadPool& pool, const std::vector<WeighedPose>& poses) {
    BinningSettings settings;
    settings.azimuths = 1;
    settings.tilts = 1;
    settings.lattice = lattice;
    if (poses.empty()) {
        return static_cast<double>(eventsOnLattice(events, scanner, settings, pool));
    }
    settings.motion = std::make_shared<const RigidMotion>(motionOver(poses));
    EventList moved;
    moved.crystals = events.crystals;
    moved.dt_ps = events.dt_ps;
    moved.time_ms = timesOver(events.size(), settings.motion->end_ms());
    return static_cast<double>(eventsOnLattice(moved, scanner, settings, pool));
}

namespace {

/// Pairs of crystals as often as they make randoms, those that are no coincidences left out.
struct DrawnRandoms {
    EventList accepted;
    double perSecond = 0;  ///< that each stands for
};

DrawnRandoms drawRandoms(const std::vector<double>& rates, const Scanner& scanner) {
    const double window_s = coincidenceWindow(scanner);
    std::vector<double> upTo(rates.size());
    std::partial_sum(rates.begin(), rates.end(), upTo.begin());
    const double sum = upTo.empty() ? 0.0 : upTo.back();
    if (!(sum > 0)) {
        return {};
    }
    DrawnRandoms result;
    result.perSecond = window_s * sum * sum / static_cast<double>(kDrawn);
    EventList& drawn = result.accepted;
    drawn.crystals.reserve(kDrawn);
    drawn.dt_ps.reserve(kDrawn);
    // The first crystal whose sum may lie above a number, by which of as many equal parts it is in.
    std::vector<std::size_t> firstIn(upTo.size() + 1);
    for (std::size_t part = 0; part < firstIn.size(); ++part) {
        const double low = sum * static_cast<double>(part) / static_cast<double>(upTo.size()) * (1 - 1e-12);
        firstIn[part] =
            static_cast<std::size_t>(std::upper_bound(upTo.begin(), upTo.end(), low) - upTo.begin());
    }
    const auto crystal = [&](double share) {
        std::size_t found = firstIn[static_cast<std::size_t>(share * static_cast<double>(upTo.size()))];
        while (found < upTo.size() && upTo[found] <= share * sum) {
            ++found;
        }
        return static_cast<std::uint32_t>(std::min(found, upTo.size() - 1));
    };
    // Evenly in three dimensions, by multiples of powers of a root of x^4 = x + 1: drawn by chance as many
    // pairs are right to 0.2 % of those on a lattice.
    constexpr double kRoot = 1.2207440846057596;
    const auto even = [](std::size_t i, double step) {
        const double place = 0.5 + static_cast<double>(i) * step;
        return place - std::floor(place);
    };
    const PairAcceptance acceptance(scanner);
    for (std::size_t i = 0; i < kDrawn; ++i) {
        const std::uint32_t one = crystal(even(i, 1 / kRoot));
        const std::uint32_t two = crystal(even(i, 1 / (kRoot * kRoot)));
        const double dt = (2 * even(i, 1 / (kRoot * kRoot * kRoot)) - 1) * 1e12 * window_s;
        if (one != two && acceptance.takes(scanner.reference(one), scanner.reference(two))) {
            drawn.crystals.push_back({one, two});
            drawn.dt_ps.push_back(static_cast<float>(dt));
        }
    }
    return result;
}

}  // namespace

double randomsKept(const std::vector<double>& rates, const Scanner& scanner, const Lattice& lattice,
                   double duration_s, const ThreadPool& pool, const std::vector<WeighedPose>& poses) {
    const DrawnRandoms drawn = drawRandoms(rates, scanner);
    return duration_s * drawn.perSecond * eventsKept(drawn.accepted, scanner, lattice, pool, poses);
}

double randomsAccepted(const std::vector<double>& rates, const Scanner& scanner, double duration_s) {
    const DrawnRandoms drawn = drawRandoms(rates, scanner);
    return duration_s * drawn.perSecond * static_cast<double>(drawn.accepted.size());
}

namespace {

/// What lines make of every view and voxel, up to the common factor, in place of `values`.
void fillDensity(std::vector<float>& values, const LineRates& lines, const Scanner& scanner,
                 const HistoData& data, const ThreadPool& pool) {
    const ViewDensity density(lines, data, scanner.acceptance_rad, pool);
    pool.forRange(data.views.size(), 1, [&](std::size_t view, std::size_t) {
        density.fill(data.views[view], values.data() + view * data.voxels());
    });
}

std::vector<float> densityOfViews(const LineRates& lines, const Scanner& scanner, const HistoData& data,
                                  const ThreadPool& pool) {
    std::vector<float> values = largeArray<float>(data.views.size() * data.voxels(), pool);
    fillDensity(values, lines, scanner, data, pool);
    return values;
}

void scale(std::vector<float>& values, double by, const ThreadPool& pool) {
    const auto factor = static_cast<float>(by);
    pool.forRange(values.size(), kChunk, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            values[i] *= factor;
        }
    });
}

}  // namespace

std::vector<float> randomsOfViews(const std::vector<double>& rates, const Scanner& scanner,
                                  const HistoData& data, double total, const ThreadPool& pool) {
    std::vector<float> add = densityOfViews(LineRates(rates, scanner), scanner, data, pool);
    const double sum = sumOf(add, pool);
    scale(add, sum > 0 ? total / sum : 0.0, pool);
    return add;
}

std::vector<float> randomsLeftOfViews(const std::vector<double>& rates, const Scanner& scanner,
                                      const HistoData& data, double total, const DecayPairs& pairs,
                                      const ThreadPool& pool) {
    std::vector<float> all = densityOfViews(LineRates(rates, scanner), scanner, data, pool);
    const double sum = sumOf(all, pool);
    const double each = sum > 0 ? total / sum : 0.0;
    scale(all, each, pool);
    if (!scanner.detection || !(scanner.detection->deadTime_ns > 0) || !(pairs.perSecond > 0)) {
        return all;
    }
    if (!data.poses.empty()) {
        scale(all, randomsThatPartnersLeave(rates, scanner, pairs.perSecond, pairs.busyPerRecorded), pool);
        return all;
    }
    const PartnerLoss partners(rates, scanner, pairsOfViews(data, all, scanner, pool), pairs);
    fillDensity(all, LineRates(rates, scanner, &partners), scanner, data, pool);
    scale(all, each, pool);
    return all;
}

}  // namespace tof
