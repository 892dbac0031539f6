// SPDX-License-Identifier: Apache-2.0
// The multiplicative factors of design section 5; docs/simulation.md gives the formula.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <mutex>
#include <set>

#include "recon/binning/binning.h"
#include "recon/binning/detector_response.h"
#include "recon/core/constants.h"
#include "recon/core/error.h"
#include "recon/geometry/view.h"
#include "recon/simulate/attenuation.h"

namespace tof {

namespace {

// Directions per angular cell. Gaps between modules cast shadows a few mm wide, which 2.25 degrees move by 18
// mm at the ring, so azimuth needs many; attenuation changes slowly and does with fewer.
constexpr std::size_t kAzimuths = 12;
constexpr std::size_t kAttenuationAzimuths = 3;
constexpr std::size_t kTilts = 3;
constexpr double kAxialStep_mm = 6;
constexpr double kRadialStep_mm = 4;
constexpr double kAlongStep_mm = 64;

/// Evenly spaced samples that cover [-half, half].
struct Samples {
    std::size_t count = 2;
    double first = 0;
    double step = 1;

    static Samples covering(double half, double step) {
        const auto count = static_cast<std::size_t>(std::ceil(2 * half / step)) + 1;
        return {std::max<std::size_t>(count, 2), -half,
                2 * half / static_cast<double>(std::max<std::size_t>(count, 2) - 1)};
    }
    [[nodiscard]] double at(std::size_t i) const { return first + static_cast<double>(i) * step; }
};

/// Lower neighbour and weight of the upper one, clamped to the samples.
struct Between {
    std::size_t index;
    float weight;
};

Between locate(const Samples& samples, double value) {
    const double at =
        std::clamp((value - samples.first) / samples.step, 0.0, static_cast<double>(samples.count - 1));
    const auto index = std::min(static_cast<std::size_t>(at), samples.count - 2);
    return {index, static_cast<float>(at - static_cast<double>(index))};
}

ViewAxes axesOf(double azimuth, double sinTilt) {
    return View{azimuth, std::asin(sinTilt)}.axes();
}

/// The smallest part of a volume that holds all that is not zero; empty when nothing is.
std::optional<Volume> cropped(const Volume& volume) {
    const auto& n = volume.lattice.size;
    std::array<int, 3> low = n;
    std::array<int, 3> high{-1, -1, -1};
    for (int z = 0; z < n[2]; ++z) {
        for (int y = 0; y < n[1]; ++y) {
            for (int x = 0; x < n[0]; ++x) {
                if (volume.at(x, y, z) != 0) {
                    const std::array<int, 3> at{x, y, z};
                    for (std::size_t k = 0; k < 3; ++k) {
                        low[k] = std::min(low[k], at[k]);
                        high[k] = std::max(high[k], at[k]);
                    }
                }
            }
        }
    }
    if (high[0] < 0) {
        return std::nullopt;
    }
    Lattice part = volume.lattice;
    part.origin_mm = volume.lattice.centre(low[0], low[1], low[2]);
    part.size = {high[0] - low[0] + 1, high[1] - low[1] + 1, high[2] - low[2] + 1};
    Volume result(part);
    for (int z = 0; z < part.size[2]; ++z) {
        for (int y = 0; y < part.size[1]; ++y) {
            for (int x = 0; x < part.size[0]; ++x) {
                result.at(x, y, z) = volume.at(x + low[0], y + low[1], z + low[2]);
            }
        }
    }
    return result;
}

/// Fills the factors of one view after the other; what is shared does not change.
class MultBuilder {
  public:
    MultBuilder(const Lattice& lattice, const ViewGrid& grid, const Scanner& scanner,
                const Volume* attenuation)
        : lattice_(lattice),
          grid_(grid),
          detector_(scanner),
          efficiency_(detector_, scanner.attenuation_per_mm),
          attenuation_(attenuation != nullptr ? cropped(*attenuation) : std::nullopt) {
        const Vec3 first = lattice.centre(0, 0, 0);
        const Vec3 last = lattice.centre(lattice.size[0] - 1, lattice.size[1] - 1, lattice.size[2] - 1);
        const double x = std::max(std::abs(first.x), std::abs(last.x));
        const double y = std::max(std::abs(first.y), std::abs(last.y));
        const double z = std::max(std::abs(first.z), std::abs(last.z));
        // Lines through points further out than the crystals are none of the scanner's.
        const double radius = std::max(1.0, std::min(std::hypot(x, y), detector_.innerRadius() - 1));
        radial_ = Samples::covering(radius, kRadialStep_mm);
        along_ = Samples::covering(radius, kAlongStep_mm);
        axial_ = Samples::covering(z * std::cos(grid.acceptance()) + radius * std::sin(grid.acceptance()),
                                   kAxialStep_mm);
        innerRadius2_ = detector_.innerRadius() * detector_.innerRadius();
    }

    void fill(std::size_t view, float* mult) const {
        const std::vector<float> onGrid = sampled(view);
        const ViewAxes axes = grid_.view(view).axes();
        for (int z = 0; z < lattice_.size[2]; ++z) {
            for (int y = 0; y < lattice_.size[1]; ++y) {
                for (int x = 0; x < lattice_.size[0]; ++x) {
                    mult[lattice_.index(x, y, z)] = interpolated(onGrid, axes, lattice_.centre(x, y, z));
                }
            }
        }
    }

  private:
    [[nodiscard]] std::size_t planeSize() const { return radial_.count * axial_.count; }

    /// The factors of a view at the grid points [along][axial][radial].
    [[nodiscard]] std::vector<float> sampled(std::size_t view) const {
        const View centre = grid_.view(view);
        const ViewAxes axes = centre.axes();
        const double sinLow = std::sin(centre.theta - grid_.acceptance() / grid_.tilts());
        const double sinHigh = std::sin(centre.theta + grid_.acceptance() / grid_.tilts());
        const double width = kPi / grid_.azimuths();
        std::vector<float> sum(along_.count * planeSize(), 0.0F);
        std::vector<float> survival(planeSize());
        std::vector<float> recorded(planeSize());
        for (std::size_t tilt = 0; tilt < kTilts; ++tilt) {
            const double sinTilt = sinLow + (static_cast<double>(tilt) + 0.5) / kTilts * (sinHigh - sinLow);
            for (std::size_t k = 0; k < kAzimuths; ++k) {
                constexpr std::size_t kShare = kAzimuths / kAttenuationAzimuths;
                if (k % kShare == 0) {
                    const double at = (static_cast<double>(k / kShare) + 0.5) / kAttenuationAzimuths - 0.5;
                    fillSurvival(axesOf(centre.phi + at * width, sinTilt), survival);
                }
                const double at = (static_cast<double>(k) + 0.5) / kAzimuths - 0.5;
                const ViewAxes direction = axesOf(centre.phi + at * width, sinTilt);
                fillRecorded(direction, survival, recorded);
                add(axes, direction, recorded, sum);
            }
        }
        const auto share = static_cast<float>(grid_.solidAngleFraction(view) / (kTilts * kAzimuths));
        for (float& value : sum) {
            value *= share;
        }
        return sum;
    }

    /// exp(-integral of mu) of the lines along one direction, [axial][radial].
    void fillSurvival(const ViewAxes& axes, std::vector<float>& survival) const {
        constexpr double kNothingLeft = 30;  // exp(-30): no event in any list
        for (std::size_t a = 0; a < axial_.count; ++a) {
            for (std::size_t s = 0; s < radial_.count; ++s) {
                const Vec3 p = radial_.at(s) * axes.r + axial_.at(a) * axes.a;
                const double integral =
                    attenuation_ ? lineIntegral(*attenuation_, p, axes.u, kNothingLeft) : 0.0;
                survival[a * radial_.count + s] = static_cast<float>(std::exp(-integral));
            }
        }
    }

    /// Probability that a pair on a line along one direction is recorded, [axial][radial].
    void fillRecorded(const ViewAxes& axes, const std::vector<float>& survival,
                      std::vector<float>& recorded) const {
        for (std::size_t a = 0; a < axial_.count; ++a) {
            for (std::size_t s = 0; s < radial_.count; ++s) {
                const std::size_t i = a * radial_.count + s;
                const Vec3 p = radial_.at(s) * axes.r + axial_.at(a) * axes.a;
                recorded[i] = survival[i] * static_cast<float>(efficiency_.along(p, axes.u));
            }
        }
    }

    /// Adds, at every grid point of the view, the value of the line through it along `direction`.
    void add(const ViewAxes& view, const ViewAxes& direction, const std::vector<float>& recorded,
             std::vector<float>& sum) const {
        for (std::size_t u = 0; u < along_.count; ++u) {
            for (std::size_t a = 0; a < axial_.count; ++a) {
                const Vec3 row = along_.at(u) * view.u + axial_.at(a) * view.a;
                float* out = sum.data() + (u * axial_.count + a) * radial_.count;
                for (std::size_t s = 0; s < radial_.count; ++s) {
                    const Vec3 p = row + radial_.at(s) * view.r;
                    const Between across = locate(radial_, dot(p, direction.r));
                    const Between up = locate(axial_, dot(p, direction.a));
                    out[s] += bilinear(recorded.data(), across, up);
                }
            }
        }
    }

    [[nodiscard]] float bilinear(const float* plane, Between across, Between up) const {
        const float* low = plane + up.index * radial_.count + across.index;
        const float* high = low + radial_.count;
        const float below = low[0] + across.weight * (low[1] - low[0]);
        const float above = high[0] + across.weight * (high[1] - high[0]);
        return below + up.weight * (above - below);
    }

    [[nodiscard]] float interpolated(const std::vector<float>& onGrid, const ViewAxes& axes, Vec3 p) const {
        if (p.x * p.x + p.y * p.y >= innerRadius2_) {
            return 0;
        }
        const Between along = locate(along_, dot(p, axes.u));
        const Between across = locate(radial_, dot(p, axes.r));
        const Between up = locate(axial_, dot(p, axes.a));
        const float* plane = onGrid.data() + along.index * planeSize();
        const float near = bilinear(plane, across, up);
        return near + along.weight * (bilinear(plane + planeSize(), across, up) - near);
    }

    const Lattice& lattice_;
    const ViewGrid& grid_;
    Detector detector_;
    PairEfficiency efficiency_;
    std::optional<Volume> attenuation_;
    Samples radial_;
    Samples along_;
    Samples axial_;
    double innerRadius2_ = 0;
};

/// The regular cells that `views` are the centres of.
ViewGrid gridOf(const std::vector<View>& views, double acceptance_rad) {
    std::set<double> azimuths;
    for (const View& view : views) {
        azimuths.insert(view.phi);
    }
    const std::size_t tilts = azimuths.empty() ? 0 : views.size() / azimuths.size();
    const ViewGrid grid(static_cast<int>(azimuths.size()), static_cast<int>(tilts), acceptance_rad);
    const std::vector<View> expected = grid.views();
    const bool same = std::equal(
        views.begin(), views.end(), expected.begin(), expected.end(), [](const View& a, const View& b) {
            return std::abs(a.phi - b.phi) < 1e-9 && std::abs(a.theta - b.theta) < 1e-9;
        });
    if (!same) {
        throw WrongUse(
            "the views are not the regular cells of this scanner's acceptance; bin the list again");
    }
    return grid;
}

}  // namespace

void computeMult(HistoData& data, const Scanner& scanner, const Volume* attenuation, const ThreadPool& pool,
                 const std::function<void(double)>& progress) {
    const ViewGrid grid = gridOf(data.views, scanner.acceptance_rad);
    const MultBuilder builder(data.lattice, grid, scanner, attenuation);
    data.mult.resize(data.views.size() * data.voxels());
    std::mutex mutex;
    std::size_t done = 0;
    pool.forRange(data.views.size(), 1, [&](std::size_t view, std::size_t) {
        builder.fill(view, data.mult.data() + view * data.voxels());
        const std::lock_guard lock(mutex);
        ++done;
        if (progress) {
            progress(static_cast<double>(done) / static_cast<double>(data.views.size()));
        }
    });
}

}  // namespace tof
