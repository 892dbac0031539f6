// SPDX-License-Identifier: Apache-2.0
#include "recon/io/castor/castor_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "recon/base/error.h"
#include "recon/data/data_hash.h"
#include "recon/io/bytes/raw_numbers.h"
#include "recon/io/castor/castor_events.h"
#include "recon/io/castor/castor_header.h"
#include "recon/io/castor/castor_scanner.h"
#include "recon/io/format/notes.h"

namespace tof {

namespace {

TofBins timeBinsOf(const CastorHeader& header, const CastorLayout& layout) {
    if (!layout.time || layout.mode != CastorMode::Histogram) {
        return {};
    }
    return {layout.timeBins, header.number("Histo TOF bin size (ps)", 1e-3, 1e5),
            header.number("TOF resolution (ps)", 1e-3, 1e5)};
}

/// Points that lines end in: the crystals, and means of several.
class PointTable {
  public:
    explicit PointTable(const Scanner& scanner) : points_(referencePoints(scanner)) {}

    /// The mean of one end of some pairs; a crystal where they share it.
    std::uint32_t meanOf(const std::vector<std::array<std::uint32_t, 2>>& pairs, std::size_t end) {
        const std::uint32_t first = pairs.front()[end];
        if (std::all_of(pairs.begin(), pairs.end(), [&](const auto& pair) { return pair[end] == first; })) {
            return first;
        }
        Vec3 sum;
        for (const auto& pair : pairs) {
            sum = sum + points_[pair[end]];
        }
        const Vec3 mean = (1.0 / static_cast<double>(pairs.size())) * sum;
        // Equal means come from sums in another order: compare to a nanometre.
        const std::array<long, 3> key{std::lround(1e6 * mean.x), std::lround(1e6 * mean.y),
                                      std::lround(1e6 * mean.z)};
        const auto [at, isNew] = means_.try_emplace(key, static_cast<std::uint32_t>(points_.size()));
        if (isNew) {
            points_.push_back(mean);
        }
        return at->second;
    }

    [[nodiscard]] std::vector<Vec3> take() { return std::move(points_); }

  private:
    std::vector<Vec3> points_;
    std::map<std::array<long, 3>, std::uint32_t> means_;
};

class LineTaker {
  public:
    LineTaker(const CastorHeader& header, const CastorLayout& layout, const Scanner& scanner,
              CastorLines& out)
        : path_(header.path()),
          layout_(layout),
          crystals_(scanner.crystals.size()),
          duration_s_(layout.mode == CastorMode::Normalization ? 1.0 : castorDuration(header)),
          points_(scanner),
          lines_(std::make_shared<LineEvents>()),
          out_(out) {
        lines_->tof = timeBinsOf(header, layout);
    }

    void append(const CastorEvent& event, std::uint64_t index) {
        if (event.pairs.empty()) {
            throw BadInput("{}: event {} has no crystal pair; correct it", path_, index);
        }
        requireCastorCrystals(path_, event, index, crystals_);
        const std::array<std::uint32_t, 2> ends{points_.meanOf(event.pairs, 0),
                                                points_.meanOf(event.pairs, 1)};
        const auto bins = static_cast<std::size_t>(layout_.timeBins);
        for (std::size_t bin = 0; bin < bins; ++bin) {
            lines_->pairs.push_back(ends);
            out_.crystals.push_back(event.pairs.front());
            out_.data.mult.push_back(event.mult());
            if (lines_->tof.count > 0) {
                const double middle = static_cast<double>(bin) + 0.5 - 0.5 * lines_->tof.count;
                lines_->dt_ps.push_back(static_cast<float>(middle * lines_->tof.width_ps));
            }
            if (layout_.mode == CastorMode::Histogram) {
                out_.data.counts.push_back(countOf(event.values[bin], index));
            }
            if (layout_.scatter || layout_.randoms) {
                out_.data.add.push_back(additive(event, bin, index));
            }
        }
    }

    void finish() {
        lines_->points = points_.take();
        out_.data.events = std::move(lines_);
        if (negatives_ > 0) {
            out_.note = joinedNotes(out_.note, fmt::format("{}: {} bins below zero, {:g} in all, became zero",
                                                           path_, negatives_, negativeSum_));
        }
    }

  private:
    float countOf(float value, std::uint64_t index) {
        if (!std::isfinite(value)) {
            throw BadInput("{}: event {} has a count that is not finite; correct it", path_, index);
        }
        if (value < 0.0F) {
            ++negatives_;
            negativeSum_ += static_cast<double>(value);
        }
        return std::max(value, 0.0F);
    }

    /// The random rate is that of the line, the scatter rate of the bin.
    [[nodiscard]] float additive(const CastorEvent& event, std::size_t bin, std::uint64_t index) const {
        const double counts = duration_s_ * (static_cast<double>(event.scatter[bin]) +
                                             static_cast<double>(event.randoms) / layout_.timeBins);
        return castorAdditive(path_, index, counts);
    }

    std::string path_;
    CastorLayout layout_;
    std::size_t crystals_;
    double duration_s_;
    PointTable points_;
    std::shared_ptr<LineEvents> lines_;
    std::uint64_t negatives_ = 0;
    double negativeSum_ = 0;
    CastorLines& out_;
};

}  // namespace

CastorLines readCastorLines(const std::string& path, const std::string& scannerFile) {
    return readCastorLines(CastorHeader(path), scannerFile);
}

CastorLines readCastorLines(const CastorHeader& header, const std::string& scannerFile) {
    if (castorMode(header) == CastorMode::List) {
        header.fail("Data mode", "is list-mode; give a histogram or a normalization");
    }
    const CastorLayout layout = castorLayout(header);
    const std::uint64_t count = castorEventsPresent(header, layout);
    constexpr std::uint64_t kBytesPerEntry = 32;  // two pairs, time, counts, mult, add
    requireMemory(castorDataFile(header),
                  count * static_cast<std::uint64_t>(layout.timeBins) * kBytesPerEntry);
    CastorLines lines;
    lines.scanner = castorScanner(header, scannerFile).scanner;  // crystal sizes mean nothing to lines
    lines.note = castorHeaderNote(header, layout);
    LineTaker taker(header, layout, lines.scanner, lines);
    forEachCastorEvent(header, layout, count,
                       [&](const CastorEvent& event, std::uint64_t index) { taker.append(event, index); });
    taker.finish();
    LineData& data = lines.data;
    data.scanner = lines.scanner.name;
    data.possible.radius_mm = lines.scanner.fovRadius_mm;
    data.lattice = defaultLattice(data.events->points, data.possible.radius_mm);
    if (layout.mode == CastorMode::Histogram) {
        data.duration_s = header.number("Duration (s)", 0, 1e9);
        data.calibration = castorCalibration(header);
    }
    data.hash = dataHash(data);
    return lines;
}

}  // namespace tof
