// SPDX-License-Identifier: Apache-2.0
#include "recon/corrections/partner_loss.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <numeric>

#include "recon/corrections/crystal_groups.h"
#include "recon/corrections/line_ends.h"
#include "recon/corrections/view_cells.h"
#include "recon/simulate/crystal_medium.h"
#include "recon/simulate/random_stream.h"

namespace tof {

namespace {

constexpr std::size_t kMostAreas = 4096;
constexpr double kUnit = 1.0 / 1048576;  ///< unit of sums: 2^43 counts fit
constexpr int kLinesDrawn = 1 << 18;     ///< by which a share of lines is right to 0.3 %
constexpr double kLeastStep_mm = 8;      ///< between lines: small beside a block

/// Counts of a view by the line that they lie on, at even distances along the view's radial and axial axis.
struct LinesOfView {
    Samples across;
    Samples heights;
    std::vector<double> counts;

    LinesOfView(const HistoData& data, const std::vector<float>& randoms, std::size_t view) {
        const Lattice& lattice = data.lattice;
        const ViewAxes axes = data.views[view].axes();
        const Box box = latticeBox(lattice);
        double radius = 0;
        double height = 0;
        for (int corner = 0; corner < 8; ++corner) {
            const Vec3 p{(corner & 1) != 0 ? box.high.x : box.low.x,
                         (corner & 2) != 0 ? box.high.y : box.low.y,
                         (corner & 4) != 0 ? box.high.z : box.low.z};
            radius = std::max(radius, std::abs(dot(p, axes.r)));
            height = std::max(height, std::abs(dot(p, axes.a)));
        }
        const auto& spacing = lattice.spacing_mm;
        across = Samples::covering(radius, std::max({spacing[0], spacing[1], kLeastStep_mm}));
        heights = Samples::covering(height, std::max(spacing[2], kLeastStep_mm));
        counts.assign(across.count * heights.count, 0.0);
        const std::size_t first = view * data.voxels();
        std::size_t i = first;
        lattice.forEachVoxel([&](int x, int y, int z) {
            const Vec3 p = lattice.centre(x, y, z);
            const auto s =
                static_cast<std::size_t>(std::lround((dot(p, axes.r) - across.first) / across.step));
            const auto h =
                static_cast<std::size_t>(std::lround((dot(p, axes.a) - heights.first) / heights.step));
            counts[s * heights.count + h] +=
                static_cast<double>(data.counts[i]) - static_cast<double>(randoms[i]);
            ++i;
        });
    }
};

/// Mean over a dead time of the chance that neither block, alive at its beginning, would have met a photon of
/// its own until then: only so a common photon pair is what made both dead. Blocks are alive for those shares
/// of the time, 1 / (1 + rate x dead time).
double togetherDead(double aliveOne, double aliveTwo) {
    const double photons = 1 / aliveOne + 1 / aliveTwo - 2;
    return photons > 1e-9 ? -std::expm1(-photons) / photons : 1.0;
}

}  // namespace

BlockPairs::BlockPairs(const Scanner& scanner) : areaOf_(scanner.crystals.size(), 0) {
    const Detector detector(scanner);
    const CrystalMedium medium(scanner, detector);
    const auto together = static_cast<std::int32_t>((medium.groups() + kMostAreas - 1) / kMostAreas);
    for (std::size_t m = 0; m < medium.moduleCount(); ++m) {
        const CrystalModule& module = medium.view().modules[m];
        const std::int32_t across = (module.count[0] + module.block[0] - 1) / module.block[0];
        const std::int32_t along = (module.count[1] + module.block[1] - 1) / module.block[1];
        const std::size_t first = blocksOf_.size();
        blocksOf_.resize(first + static_cast<std::size_t>(across * ((along + together - 1) / together)), 0.0);
        const auto areaOfBlock = [&](std::int32_t column, std::int32_t row) {
            return first + static_cast<std::size_t>(row / together * across + column);
        };
        for (std::int32_t row = 0; row < along; ++row) {
            for (std::int32_t column = 0; column < across; ++column) {
                blocksOf_[areaOfBlock(column, row)] += 1;
            }
        }
        for (std::int32_t cell = 0; cell < module.count[0] * module.count[1]; ++cell) {
            const std::int32_t column = cell % module.count[0] / module.block[0];
            const std::int32_t row = cell / module.count[0] / module.block[1];
            areaOf_[medium.view().ids[module.firstId + static_cast<std::uint32_t>(cell)]] =
                static_cast<std::uint32_t>(areaOfBlock(column, row));
        }
    }
    sums_.assign(blocksOf_.size() * blocksOf_.size(), 0);
}

void BlockPairs::add(std::uint32_t one, std::uint32_t two, double count) {
    const auto [low, high] = std::minmax(areaOf_[one], areaOf_[two]);
    std::atomic_ref<std::int64_t> sum(sums_[low * areas() + high]);
    sum.fetch_add(std::llround(count / kUnit), std::memory_order_relaxed);
}

double BlockPairs::between(std::size_t one, std::size_t two) const {
    return kUnit * static_cast<double>(sums_[std::min(one, two) * areas() + std::max(one, two)]);
}

double BlockPairs::all() const {
    return kUnit * static_cast<double>(std::accumulate(sums_.begin(), sums_.end(), std::int64_t{0}));
}

BlockPairs pairsOfViews(const HistoData& data, const std::vector<float>& randoms, const Scanner& scanner,
                        const ThreadPool& pool) {
    BlockPairs pairs(scanner);
    const LineEnds ends(scanner);
    const ViewCells cells(data.views);
    pool.forRange(data.views.size(), 1, [&](std::size_t index, std::size_t) {
        const LinesOfView lines(data, randoms, index);
        const View& view = data.views[index];
        const ViewAxes axes = view.axes();
        forDirectionsOf(view, cells, scanner.acceptance_rad, [&](double turn, double sine) {
            const double cosine = std::sqrt(1 - sine * sine);
            const Vec3 d{cosine * std::cos(view.phi + turn), cosine * std::sin(view.phi + turn), sine};
            const ParallelLines parallel(ends, d);
            for (std::size_t i = 0; i < lines.counts.size(); ++i) {
                const Vec3 p = lines.across.at(i / lines.heights.count) * axes.r +
                               lines.heights.at(i % lines.heights.count) * axes.a;
                const auto both = lines.counts[i] != 0 ? parallel.of(p) : std::nullopt;
                if (both) {
                    pairs.add((*both)[0].crystal, (*both)[1].crystal, lines.counts[i] / kCellDirections);
                }
            }
        });
    });
    return pairs;
}

double pairsPerAccepted(const Scanner& scanner) {
    RandomStream random(0x5061697273, RandomUse::Singles, 0);  // a seed that no file names
    const auto draw = [&] {
        const auto n = static_cast<double>(scanner.crystals.size());
        return scanner.reference(static_cast<std::uint32_t>(random.uniform() * n));
    };
    double seen = 0;
    double accepted = 0;
    for (int i = 0; i < kLinesDrawn; ++i) {
        const Vec3 one = draw();
        const Vec3 two = draw();
        const Vec3 line = two - one;
        const double across2 = line.x * line.x + line.y * line.y;
        if (across2 > 0 && fromAxis(one, line) <= scanner.fovRadius_mm) {
            const double solid = across2 / (dot(line, line) * dot(line, line));
            seen += solid;
            accepted += accepts(scanner, one, two) ? solid : 0.0;
        }
    }
    return accepted > 0 ? seen / accepted : 1.0;
}

PartnerLoss::PartnerLoss(const std::vector<double>& rates, const Scanner& scanner, const BlockPairs& pairs,
                         const DecayPairs& known)
    : areas_(pairs.areas()), areaOf_(rates.size()), left_(areas_ * areas_, 1.0F) {
    std::vector<double> singles(areas_, 0.0);  // those of a block
    for (std::uint32_t c = 0; c < rates.size(); ++c) {
        areaOf_[c] = pairs.areaOf(c);
        singles[areaOf_[c]] += rates[c] / pairs.blocksOf(areaOf_[c]);
    }
    const double all = pairs.all();
    const double each = all > 0 ? pairsPerAccepted(scanner) * known.perSecond / all : 0.0;
    const double dead_s = scanner.detection ? 1e-9 * scanner.detection->deadTime_ns : 0.0;
    const auto alive = [&](std::size_t area) {
        return scanner.detection ? scanner.detection->aliveShare(known.busyPerRecorded * singles[area]) : 1.0;
    };
    for (std::size_t a = 0; a < areas_; ++a) {
        for (std::size_t b = 0; b < areas_; ++b) {
            const double both = alive(a) * alive(b);
            if (!(singles[a] > 0 && singles[b] > 0 && alive(a) > 0 && alive(b) > 0)) {
                continue;
            }
            const double oneBusy =
                known.busyPerRecorded * each * pairs.between(a, b) / (pairs.blocksOf(a) * pairs.blocksOf(b));
            // A partner comes whether or not it finds the block alive; those counted found it so.
            const double lost = 0.5 * oneBusy * (1 / (singles[a] * alive(b)) + 1 / (singles[b] * alive(a)));
            const double won =
                known.busyPerRecorded * oneBusy * dead_s / both * togetherDead(alive(a), alive(b));
            left_[a * areas_ + b] = static_cast<float>(std::clamp(1 - lost + won, 0.0, 2.0));
        }
    }
}

}  // namespace tof
