// SPDX-License-Identifier: Apache-2.0
// List-mode as lines of response.

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "recon/base/constants.h"
#include "recon/base/error.h"
#include "recon/base/large_array.h"
#include "recon/binning/line_lister.h"
#include "recon/data/framed_counts.h"
#include "recon/data/scan_totals.h"
#include "recon/scanner/crystal_response.h"

namespace tof {

namespace {

LineData emptyList(const EventList& events, const Lattice& lattice) {
    LineData data;
    data.lattice = lattice;
    data.phantom = events.phantom;
    copyScanTotals(events, data);
    data.calibration = events.calibration;
    return data;
}

/// Which events of a list are kept, and the line of each: their number among those.
class KeptEvents {
  public:
    /// `kept(i)` is asked for every event, by all threads of `pool`.
    template <class Kept>
    KeptEvents(std::size_t events, const ThreadPool& pool, const Kept& kept)
        : events_(events), pool_(pool), kept_(largeArray<std::uint8_t>(events, pool)) {
        std::vector<std::size_t> counts(events / kBlock + 1);
        pool.forRange(events, kBlock, [&](std::size_t begin, std::size_t end) {
            std::size_t& count = counts[begin / kBlock];
            for (std::size_t i = begin; i < end; ++i) {
                kept_[i] = kept(i) ? 1 : 0;
                count += kept_[i];
            }
        });
        firsts_.resize(counts.size());
        std::exclusive_scan(counts.begin(), counts.end(), firsts_.begin(), std::size_t{0});
        count_ = firsts_.back() + counts.back();
    }

    [[nodiscard]] std::size_t count() const { return count_; }

    /// Calls place(event, line) for every event that is kept, by all threads.
    template <class Place>
    void forEach(const Place& place) const {
        pool_.forRange(events_, kBlock, [&](std::size_t begin, std::size_t end) {
            std::size_t line = firsts_[begin / kBlock];
            for (std::size_t i = begin; i < end; ++i) {
                if (kept_[i] != 0) {
                    place(i, line++);
                }
            }
        });
    }

    /// Appends every event's line, kNoCell where there is none; `lines` were there before.
    void tell(std::size_t lines, std::vector<std::uint32_t>* cells) const {
        if (cells == nullptr) {
            return;
        }
        const std::size_t before = cells->size();
        cells->resize(before + events_, kNoCell);
        forEach([&](std::size_t event, std::size_t line) {
            (*cells)[before + event] = static_cast<std::uint32_t>(lines + line);
        });
    }

  private:
    static constexpr std::size_t kBlock = std::size_t{1} << 16U;

    std::size_t events_;
    const ThreadPool& pool_;
    std::vector<std::uint8_t> kept_;
    std::vector<std::size_t> firsts_;  ///< line of the first one kept in each block
    std::size_t count_ = 0;
};

/// Adds the crystals' points as each pose had them seen from what moved.
void addMovedPoints(const PoseSteps& steps, std::vector<Vec3>& points, std::vector<double>& shares) {
    const std::size_t crystals = points.size();
    if ((steps.poses.size() + 1) * crystals >= kNoCell) {
        throw BadInput(
            "{} poses of {} crystals are more points than a list can name; give a tracker's file of fewer "
            "poses",
            steps.poses.size(), crystals);
    }
    points.reserve((steps.poses.size() + 1) * crystals);
    for (const WeighedPose& one : steps.poses) {
        const Pose back = one.pose.inverse();
        std::transform(points.begin(), points.begin() + static_cast<std::ptrdiff_t>(crystals),
                       std::back_inserter(points), [&](Vec3 at) { return back.moved(at); });
        shares.push_back(one.weight);
    }
}

/// mult of sinograms without their time bins.
std::vector<float> withoutTime(const std::vector<float>& mult, std::size_t timeBins) {
    std::vector<float> out(mult.size() / timeBins);
    for (std::size_t line = 0; line < out.size(); ++line) {
        const float* const bins = mult.data() + line * timeBins;
        const auto [least, most] = std::minmax_element(bins, bins + timeBins);
        if (*most - *least > 1e-5F * *most) {
            throw BadInput(
                "the corrections' mult differs between the time bins of a line; list-mode needs one for all");
        }
        out[line] = *bins;
    }
    return out;
}

void takePossible(LineData& list, const SinogramData& data) {
    const auto timeBins = static_cast<std::size_t>(data.michelogram->timeBins());
    list.absolute = data.absolute;
    list.possible.mult = withoutTime(
        data.mult.empty() ? std::vector<float>(data.michelogram->bins(), 1.0F) : data.mult, timeBins);
    list.possible.totalAdd = std::accumulate(data.add.begin(), data.add.end(), 0.0);
}

/// Ends of the bins of a michelogram whose bins are pairs of crystals, or of neighbouring ones: half a
/// crystal and any of the planes' heights.
class BinEnds {
  public:
    explicit BinEnds(const Michelogram& m) : m_(m), halves_(2 * m.scanner().crystalsPerRing) {
        if (m.spec().binSize_mm > 0) {
            throw WrongUse("lines of arc-corrected bins do not end in crystals; use sinograms");
        }
        for (const Sinogram& plane : m.sinograms()) {
            for (const double z : {plane.z1_mm, plane.z2_mm}) {
                levels_.emplace(keyOf(z), std::pair(static_cast<std::uint32_t>(levels_.size()), z));
            }
        }
    }

    [[nodiscard]] std::vector<Vec3> points() const {
        const RingScanner& s = m_.scanner();
        const auto halves = static_cast<std::size_t>(halves_);
        std::vector<Vec3> points(levels_.size() * halves);
        for (const auto& [key, level] : levels_) {
            for (int half = 0; half < halves_; ++half) {
                const double psi = s.angleOf(0.5 * half);
                points[level.first * halves + static_cast<std::size_t>(half)] = {
                    s.radius_mm * std::sin(psi), -s.radius_mm * std::cos(psi), level.second};
            }
        }
        return points;
    }

    [[nodiscard]] std::array<std::uint32_t, 2> of(int angle, int radial, const Sinogram& plane) const {
        const TransverseLine line = m_.line(angle, radial);
        return {pointOf(line.x1, line.y1, plane.z1_mm), pointOf(line.x2, line.y2, plane.z2_mm)};
    }

  private:
    static long keyOf(double z) { return std::lround(z * 1e3); }
    [[nodiscard]] std::uint32_t pointOf(double x, double y, double z) const {
        const RingScanner& s = m_.scanner();
        const double half = 2 * s.placeAt(std::atan2(x, -y));
        const int place = static_cast<int>(std::lround(half)) % halves_;
        return levels_.at(keyOf(z)).first * static_cast<std::uint32_t>(halves_) +
               static_cast<std::uint32_t>(place < 0 ? place + halves_ : place);
    }

    const Michelogram& m_;
    int halves_;
    std::map<long, std::pair<std::uint32_t, double>> levels_;
};

}  // namespace

LineLister::LineLister(const EventList& scan, const Scanner* scanner,
                       std::shared_ptr<const Michelogram> michelogram, const Lattice& lattice,
                       const SinogramData* corrections, const ThreadPool& pool)
    : data_(emptyList(scan, lattice)),
      pool_(pool),
      places_(std::make_unique<const CrystalPlaces>(scanner, michelogram->scanner())),
      michelogram_(std::move(michelogram)),
      corrections_(corrections),
      asked_(lattice) {
    if (corrections != nullptr) {
        if (corrections->michelogram != michelogram_) {
            throw InternalError("the corrections of list-mode belong to other bins");
        }
        pairs_ = pairMultiplicity(*michelogram_);
        takePossible(data_, *corrections);
        data_.lattice = corrections->lattice;
    } else if (scanner != nullptr) {
        data_.possible.scanner = std::make_shared<const Scanner>(*scanner);
        data_.absolute = knowsEfficiencies(*scanner);
    }
    lines_->points = ringPoints(michelogram_->scanner());
    lines_->tof = michelogram_->spec().tof;
}

LineLister::LineLister(const EventList& scan, const Scanner& scanner, const TofBins& tof,
                       const Lattice& lattice, const PoseSteps* steps, const ThreadPool& pool)
    : data_(emptyList(scan, lattice)), pool_(pool), steps_(steps) {
    data_.scanner = scanner.name;
    data_.possible.radius_mm = scanner.fovRadius_mm;
    data_.possible.acceptance_rad = scanner.acceptance_rad;
    if (scan.add.empty()) {  // else its mult has a scale of its own
        data_.possible.scanner = std::make_shared<const Scanner>(scanner);
        data_.absolute = knowsEfficiencies(scanner);
    }
    lines_->points = referencePoints(scanner);
    crystals_ = static_cast<std::uint32_t>(lines_->points.size());
    if (steps != nullptr) {
        addMovedPoints(*steps, lines_->points, data_.possible.poses);
    }
    lines_->tof = tof;
}

void LineLister::requireKnown(const EventList& events, std::uint64_t first) const {
    if (places_ != nullptr) {
        places_->requireKnown(events, pool_, first);
    } else {
        requireAllKnown(events, crystals_, pool_, first);
    }
}

void LineLister::reserve(std::size_t events) {
    lines_->pairs.reserve(events);
    lines_->dt_ps.reserve(lines_->tof.count > 0 ? events : 0);
}

void LineLister::add(const EventList& events, std::vector<std::uint32_t>* cells) {
    if (places_ != nullptr) {
        addOnRings(events, cells);
    } else {
        addFree(events, cells);
    }
}

void LineLister::addOnRings(const EventList& events, std::vector<std::uint32_t>* cells) {
    const auto binOf = [&](std::size_t i) {
        const auto [c1, c2] = places_->of(events, i);
        return michelogram_->binOf(c1, c2, timeOf(events, i));
    };
    const std::size_t before = lines_->pairs.size();
    const KeptEvents kept(events.size(), pool_, [&](std::size_t i) { return binOf(i).has_value(); });
    kept.tell(before, cells);
    data_.rejected += events.size() - kept.count();
    const std::size_t all = before + kept.count();
    growTo(lines_->pairs, all, 0, pool_);
    growTo(lines_->dt_ps, lines_->tof.count > 0 ? all : 0, 0, pool_);
    data_.mult.resize(corrections_ != nullptr ? all : 0);
    data_.add.resize(data_.mult.size());
    kept.forEach([&](std::size_t i, std::size_t place) {
        const std::size_t line = before + place;
        lines_->pairs[line] = places_->of(events, i);
        if (lines_->tof.count > 0) {
            lines_->dt_ps[line] = static_cast<float>(timeOf(events, i));
        }
        if (corrections_ != nullptr) {
            // A pair of crystals has an equal share of its bin.
            const std::size_t bin = *binOf(i);
            const float share = 1.0F / pairs_[bin];
            data_.mult[line] = corrections_->mult.empty() ? share : share * corrections_->mult[bin];
            data_.add[line] = corrections_->add.empty() ? 0.0F : share * corrections_->add[bin];
        }
    });
}

void LineLister::addFree(const EventList& events, std::vector<std::uint32_t>* cells) {
    const float perBin = lines_->tof.count > 0 ? static_cast<float>(lines_->tof.width_ps) : 1.0F;
    const std::size_t before = lines_->pairs.size();
    const KeptEvents kept(events.size(), pool_, [&](std::size_t i) {
        const auto [c1, c2] = events.crystals[i];
        return data_.possible.accepts(lines_->points[c1], lines_->points[c2]);
    });
    kept.tell(before, cells);
    data_.rejected += events.size() - kept.count();
    const std::size_t all = before + kept.count();
    growTo(lines_->pairs, all, 0, pool_);
    growTo(lines_->dt_ps, lines_->tof.count > 0 ? all : 0, 0, pool_);
    growTo(data_.mult, events.mult.empty() ? 0 : all, 0, pool_);
    growTo(data_.add, events.add.empty() ? 0 : all, 0, pool_);
    kept.forEach([&](std::size_t i, std::size_t place) {
        const std::size_t line = before + place;
        const std::uint32_t first =
            steps_ == nullptr ? 0 : crystals_ * static_cast<std::uint32_t>(steps_->at(events.time_ms[i]) + 1);
        lines_->pairs[line] = {first + events.crystals[i][0], first + events.crystals[i][1]};
        if (lines_->tof.count > 0) {
            lines_->dt_ps[line] = events.dt_ps[i];
        }
        if (!events.mult.empty()) {
            data_.mult[line] = events.mult[i];
        }
        if (!events.add.empty()) {
            data_.add[line] = perBin * events.add[i];
        }
    });
}

LineData LineLister::take() {
    lines_->eventsPerPart = usualPartSize(lines_->pairs.size());
    data_.events = std::move(lines_);
    if (michelogram_ != nullptr) {
        data_.michelogram = std::move(michelogram_);
        fitVoxels(data_, asked_);
    }
    return std::move(data_);
}

LineData listLines(const EventList& events, const Scanner* scanner,
                   std::shared_ptr<const Michelogram> michelogram, const Lattice& lattice,
                   const SinogramData* corrections, std::vector<std::uint32_t>* cells,
                   const ThreadPool& pool) {
    LineLister lister(events, scanner, std::move(michelogram), lattice, corrections, pool);
    lister.requireKnown(events, 0);
    lister.add(events, cells);
    return lister.take();
}

LineData listLines(const EventList& events, const Scanner& scanner, const TofBins& tof,
                   const Lattice& lattice, std::vector<std::uint32_t>* cells, const PoseSteps* steps,
                   const ThreadPool& pool) {
    LineLister lister(events, scanner, events.dt_ps.empty() ? TofBins() : tof, lattice, steps, pool);
    lister.requireKnown(events, 0);
    lister.add(events, cells);
    return lister.take();
}

LineData linesOfBins(std::shared_ptr<const Michelogram> michelogram, const std::vector<std::uint32_t>& bins,
                     const Lattice& lattice) {
    const Michelogram& m = *michelogram;
    const BinEnds ends(m);
    LineData list;
    list.lattice = lattice;
    auto lines = std::make_shared<LineEvents>();
    lines->points = ends.points();
    lines->tof = m.spec().tof;
    const auto timeBins = static_cast<std::size_t>(m.timeBins());
    const auto radialBins = static_cast<std::size_t>(m.radialBins());
    for (const std::size_t bin : bins) {
        const std::size_t line = bin / timeBins;
        const std::size_t row = line / radialBins;
        const Sinogram& plane = m.sinograms()[row % m.sinograms().size()];
        const int angle = m.angleOfSlot(static_cast<int>(row / m.sinograms().size()));
        lines->pairs.push_back(ends.of(angle, static_cast<int>(line % radialBins), plane));
        list.mult.push_back(static_cast<float>(plane.pairs * m.spec().mashing));
        if (lines->tof.count > 0) {
            const double middle = static_cast<double>(bin % timeBins) + 0.5 - 0.5 * lines->tof.count;
            lines->dt_ps.push_back(static_cast<float>(middle * lines->tof.width_ps));
        }
    }
    lines->eventsPerPart = usualPartSize(lines->pairs.size());
    list.events = std::move(lines);
    list.michelogram = std::move(michelogram);
    return list;
}

TofBins timeBinsFor(const Scanner& scanner) {
    if (!(scanner.timing_fwhm_ps > 0)) {
        throw WrongUse(
            "scanner '{}' states no time resolution; give the field 'timing_fwhm_ps' or the header's "
            "resolution",
            scanner.name);
    }
    double reach = 0;
    for (std::size_t c = 0; c < scanner.crystals.size(); ++c) {
        reach = std::max(reach, norm(scanner.reference(static_cast<std::uint32_t>(c))));
    }
    const double width = 0.5 * scanner.timing_fwhm_ps / kFwhmPerSigma;
    const double half = std::ceil(std::min(scanner.fovRadius_mm, reach) / (width * kMmPerPs));
    return {std::min(2 * static_cast<int>(half) + 1, 4095), width, scanner.timing_fwhm_ps};
}

}  // namespace tof
