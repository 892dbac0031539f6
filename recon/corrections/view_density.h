// SPDX-License-Identifier: Apache-2.0
// Products of what both crystals of a line have, over the directions of a view's cell. Internal to
// recon/corrections.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "recon/base/constants.h"
#include "recon/base/lattice.h"
#include "recon/base/samples.h"
#include "recon/base/view.h"
#include "recon/binning/moved_lines.h"
#include "recon/corrections/interpolation_loops.h"
#include "recon/corrections/line_ends.h"
#include "recon/corrections/partner_loss.h"
#include "recon/corrections/view_cells.h"
#include "recon/data/histo_data.h"

namespace tof {

/// Rates of singles over lines: what the density of randoms is made of.
class LineRates {
  public:
    /// The rates of all randoms, or of those that `partners` leave. Keeps references.
    LineRates(const std::vector<double>& rates, const Scanner& scanner, const PartnerLoss* partners = nullptr)
        : rates_(rates), ends_(scanner), partners_(partners) {}

    [[nodiscard]] const LineEnds& ends() const { return ends_; }

    /// Pairs per mm2 across each line and steradian, up to a factor that all lines share.
    void fill(const LineColumn& column, float* out) const {
        const auto& [ones, twos] = column.ends;
        for (std::size_t i = 0; i < ones.size(); ++i) {
            out[i] = static_cast<float>(at(ones[i], twos[i]));
        }
    }

  private:
    [[nodiscard]] double at(const LineEnd& one, const LineEnd& two) const {
        if (!(one.area_mm2 > 0 && two.area_mm2 > 0)) {
            return 0;
        }
        const double length = one.distance_mm + two.distance_mm;
        const double left = partners_ != nullptr ? partners_->left(one.crystal, two.crystal) : 1.0;
        return density(one) * density(two) * length * length * left;
    }
    /// Singles per mm2 of the face, over the cosine of the incidence.
    [[nodiscard]] double density(const LineEnd& end) const { return rates_[end.crystal] / end.area_mm2; }

    const std::vector<double>& rates_;
    LineEnds ends_;
    const PartnerLoss* partners_;
};

/// A view's density over its cell's directions, put on voxels; up to the common factor. Of data whose events
/// were moved back into one pose it is the mean over the poses.
class ViewDensity {
  public:
    /// Keeps references.
    ViewDensity(const LineRates& rates, const HistoData& data, double acceptance_rad, const ThreadPool& pool)
        : rates_(rates), lattice_(data.lattice), acceptance_(acceptance_rad), cells_(data.views) {
        const Lattice& lattice = lattice_;
        const Box box = latticeBox(lattice);
        radius_ = std::hypot(std::max(std::abs(box.low.x), std::abs(box.high.x)),
                             std::max(std::abs(box.low.y), std::abs(box.high.y)));
        across_ = Samples::covering(radius_, kLineStep_mm);
        along_ = Samples::covering(radius_, kAlongStep_mm);
        const double reach = radius_ * std::tan(acceptance_rad);
        const double half = 0.5 * (box.high.z - box.low.z) + reach;
        heights_ = Samples::covering(half, kLineStep_mm);
        heights_.first += 0.5 * (box.high.z + box.low.z);
        if (!data.poses.empty()) {
            poses_.emplace(data.poses);
            moved_.emplace(
                movedGrid(),
                [this](double azimuth, double tangent, float* out) {
                    fillAlong(azimuth, tangent, grid_.radial, grid_.heights, out);
                },
                pool);
        }
    }
    ViewDensity(const ViewDensity&) = delete;
    ViewDensity& operator=(const ViewDensity&) = delete;

    /// Fills the voxels of a view.
    void fill(const View& view, float* out) const { fill(view, poses_ ? &*poses_ : nullptr, out); }

    /// Fills them with the mean over other poses than the data's; null where nothing moved.
    void fill(const View& view, const PoseShares* poses, float* out) const {
        const auto slices = static_cast<std::size_t>(lattice_.size[2]);
        std::vector<float> onGrid(along_.count * across_.count * slices, 0.0F);
        std::vector<float> table(across_.count * heights_.count);
        std::vector<float> plane;
        std::size_t number = 0;
        const auto [low, high] = sinesOf(view, cells_, acceptance_);
        const double width = (high - low) / kCellTilts;
        forDirectionsOf(view, cells_, acceptance_, [&](double turn, double sine) {
            const double azimuth = view.phi + turn;
            const double tangent = sine / std::sqrt(1 - sine * sine);
            if (poses != nullptr && moved_) {
                const Vec3 along{std::cos(azimuth), std::sin(azimuth), 0};
                moved_->fill(*poses, {along, {-along.y, along.x, 0}, tangent, width}, number++, across_,
                             heights_, plane, table.data());
            } else {
                fillAlong(azimuth, tangent, across_, heights_, table.data());
            }
            addTable(turn, tangent, table, onGrid);
        });
        const auto weight = static_cast<float>((high - low) / kCellDirections);
        toVoxels(view, onGrid, weight, out);
    }

  private:
    static constexpr double kLineStep_mm = 4;
    static constexpr double kAlongStep_mm = 64;

    static constexpr double kMovedStep_mm = 2;
    static constexpr double kMovedStep_rad = 1.7 * kRadPerDeg;

    /// Lines of every direction that the scanner accepts.
    MovedLines::Grid movedGrid() {
        grid_.radial = Samples::covering(rates_.ends().fovRadius_mm(), kMovedStep_mm);
        grid_.heights = MovedLines::heightsOf(rates_.ends().modules());
        grid_.directions = static_cast<std::size_t>(std::ceil(kPi / kMovedStep_rad));
        grid_.period_rad = kPi;
        grid_.acceptance_rad = acceptance_;
        grid_.tilts = 2 * static_cast<std::size_t>(std::ceil(acceptance_ / kMovedStep_rad)) + 1;
        return grid_;
    }

    /// Lines in one direction, [radial][height].
    void fillAlong(double azimuth, double tangent, const Samples& radii, const Samples& heights,
                   float* out) const {
        const double cosine = 1 / std::sqrt(1 + tangent * tangent);
        const Vec3 d{cosine * std::cos(azimuth), cosine * std::sin(azimuth), cosine * tangent};
        const Vec3 radial{-std::sin(azimuth), std::cos(azimuth), 0};
        const ParallelLines lines(rates_.ends(), d);
        LineColumn column;
        for (std::size_t s = 0; s < radii.count; ++s, out += heights.count) {
            if (lines.ofColumn(radii.at(s) * radial, heights, column)) {
                rates_.fill(column, out);
            } else {
                std::fill(out, out + heights.count, 0.0F);
            }
        }
    }

    /// The lines through every point of the grid, in a direction turned from the view's.
    void addTable(double turn, double tangent, const std::vector<float>& table,
                  std::vector<float>& onGrid) const {
        const double c = std::cos(turn);
        const double n = std::sin(turn);
        const auto slices = static_cast<std::size_t>(lattice_.size[2]);
        for (std::size_t u = 0; u < along_.count; ++u) {
            for (std::size_t s = 0; s < across_.count; ++s) {
                const double x = along_.at(u);
                const double y = across_.at(s);
                const Between at = across_.locate(y * c - x * n);
                const double climb = tangent * (x * c + y * n);
                float* const out = onGrid.data() + (u * across_.count + s) * slices;
                const float* const lower = table.data() + at.index * heights_.count;
                const double bottom = lattice_.centre(0, 0, 0).z - climb - heights_.first;
                addBetweenRows(lower, lower + heights_.count, at.weight, heights_.count,
                               bottom / heights_.step, lattice_.spacing_mm[2] / heights_.step, out, slices);
            }
        }
    }

    void toVoxels(const View& view, const std::vector<float>& onGrid, float weight, float* out) const {
        const double c = std::cos(view.phi);
        const double n = std::sin(view.phi);
        const auto slices = static_cast<std::size_t>(lattice_.size[2]);
        const auto columns = static_cast<std::size_t>(lattice_.size[0]);
        const auto rows = static_cast<std::size_t>(lattice_.size[1]);
        std::vector<float> row(columns * slices);  // [x][z]
        for (std::size_t y = 0; y < rows; ++y) {
            for (std::size_t x = 0; x < columns; ++x) {
                const Vec3 p = lattice_.centre(static_cast<double>(x), static_cast<double>(y), 0);
                const Between u = along_.locate(p.x * c + p.y * n);
                const Between s = across_.locate(-p.x * n + p.y * c);
                const float* const a = onGrid.data() + (u.index * across_.count + s.index) * slices;
                const float* const b = a + slices;
                const float* const e = a + across_.count * slices;
                const float* const f = e + slices;
                float* const column = row.data() + x * slices;
                for (std::size_t z = 0; z < slices; ++z) {
                    column[z] = weight * ((1 - u.weight) * ((1 - s.weight) * a[z] + s.weight * b[z]) +
                                          u.weight * ((1 - s.weight) * e[z] + s.weight * f[z]));
                }
            }
            for (std::size_t z = 0; z < slices; ++z) {
                float* const to = out + (z * rows + y) * columns;
                for (std::size_t x = 0; x < columns; ++x) {
                    to[x] = row[x * slices + z];
                }
            }
        }
    }

    const LineRates& rates_;
    const Lattice& lattice_;
    double acceptance_;
    ViewCells cells_;
    double radius_ = 0;
    Samples across_;
    Samples along_;
    Samples heights_;
    MovedLines::Grid grid_;  ///< where something moved
    std::optional<PoseShares> poses_;
    std::optional<MovedLines> moved_;
};

}  // namespace tof
