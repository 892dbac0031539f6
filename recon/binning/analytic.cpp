// SPDX-License-Identifier: Apache-2.0
#include "recon/binning/analytic.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <limits>
#include <memory>
#include <numeric>
#include <vector>

#include "recon/base/constants.h"
#include "recon/base/error.h"
#include "recon/base/view.h"
#include "recon/binning/binning.h"
#include "recon/binning/crystal_response.h"
#include "recon/binning/direction_field.h"
#include "recon/binning/surviving_activity.h"
#include "recon/phantom/attenuation.h"
#include "recon/simulate/poisson.h"

namespace tof {

namespace {

constexpr double kAzimuthPart_rad = 4.6 * kRadPerDeg;
constexpr double kTiltPart_rad = 6.8 * kRadPerDeg;
constexpr double kAnyLength = std::numeric_limits<double>::infinity();

constexpr std::size_t kValuesPerChunk = std::size_t{1} << 18U;  ///< values that one thread adds up
constexpr double kRounding_mm = 1e-9;
constexpr double kSame_rad = 1e-9;
constexpr double kWorthwhile = 0.5;  ///< share of a phantom's box: a smaller one is computed by itself

bool centredIn(const Lattice& lattice, std::size_t axis) {
    return std::abs(lattice.origin_mm[axis] + 0.5 * (lattice.size[axis] - 1) * lattice.spacing_mm[axis]) <
           kRounding_mm;
}

/// How the image that one view has of something is that of another view: which axes it is turned about.
struct Turn {
    bool swapped = false;  ///< x and y change places,
    bool acrossX = false;  ///< then x goes the other way,
    bool alongZ = false;   ///< and so does z
};

/// Ways to turn a part of a phantom and the lattice that leave both as they are.
struct Symmetry {
    bool about = false;   ///< bodies of revolution about the axis; as many voxels along x as along y
    bool mirror = false;  ///< at the plane z = 0

    /// The view that others are turned from, the same for all of them.
    [[nodiscard]] View original(const View& view) const {
        View original = view;
        if (about) {
            const double within = std::fmod(view.phi, 0.5 * kPi);
            original.phi = std::min(within, 0.5 * kPi - within);
        }
        if (mirror) {
            original.theta = std::abs(view.theta);
        }
        return original;
    }
    /// What turns its image into that of `view`.
    [[nodiscard]] Turn turnTo(const View& view) const {
        Turn turn;
        turn.alongZ = mirror && view.theta < 0;
        if (about) {
            // phi, 90 degrees - phi, 90 + phi, 180 - phi
            const auto eighth = static_cast<int>(std::floor(4 * view.phi / kPi + kSame_rad));
            turn.swapped = eighth == 1 || eighth == 2;
            turn.acrossX = eighth >= 2;
        }
        return turn;
    }
};

bool same(const View& a, const View& b) {
    return std::abs(a.phi - b.phi) < kSame_rad && std::abs(a.theta - b.theta) < kSame_rad;
}

/// Adds an image, [y][x][z], turned. `lattice`: as many voxels along x as along y where those are swapped.
void addTurned(const std::vector<float>& image, const Turn& turn, const Lattice& lattice,
               std::vector<float>& out) {
    const auto across = static_cast<std::size_t>(lattice.size[0]);
    const auto slices = static_cast<std::ptrdiff_t>(lattice.size[2]);
    auto to = out.begin();
    for (std::size_t y = 0; y < static_cast<std::size_t>(lattice.size[1]); ++y) {
        for (std::size_t x = 0; x < across; ++x, to += slices) {
            const std::size_t own = turn.acrossX ? across - 1 - x : x;
            const std::size_t column = turn.swapped ? own * across + y : y * across + own;
            const auto from = image.begin() + static_cast<std::ptrdiff_t>(column) * slices;
            if (turn.alongZ) {
                std::transform(to, to + slices, std::make_reverse_iterator(from + slices), to, std::plus<>());
            } else {
                std::transform(to, to + slices, from, to, std::plus<>());
            }
        }
    }
}

/// The bodies of revolution about the axis of a phantom, as a phantom. Of volumes nobody knows.
Phantom revolvedPart(const Phantom& phantom) {
    Phantom part;
    part.name = phantom.name;
    if (phantom.emission || phantom.attenuation) {
        return part;
    }
    std::copy_if(phantom.shapes.begin(), phantom.shapes.end(), std::back_inserter(part.shapes),
                 [](const PhantomShape& shape) {
                     const bool round = shape.kind == PhantomShape::Kind::Cylinder ||
                                        shape.kind == PhantomShape::Kind::Sphere;
                     return round && std::hypot(shape.centre.x, shape.centre.y) < kRounding_mm;
                 });
    return part;
}

/// Whether a phantom is its own mirror image at the plane z = 0. Of volumes nobody knows.
bool mirrored(const Phantom& phantom) {
    return !phantom.emission && !phantom.attenuation &&
           std::all_of(phantom.shapes.begin(), phantom.shapes.end(),
                       [](const PhantomShape& shape) { return std::abs(shape.centre.z) < kRounding_mm; });
}

double volumeOf(const Box& box) {
    const Vec3 size = box.high - box.low;
    return size.x * size.y * size.z;
}

/// to[z][y][x] *= from[y][x][z]; what sums of differences leave below zero is zero.
void multiplyByColumns(const float* from, const Lattice& lattice, float* to) {
    const auto across = static_cast<std::size_t>(lattice.size[0]);
    const auto slices = static_cast<std::size_t>(lattice.size[2]);
    const std::size_t slice = across * static_cast<std::size_t>(lattice.size[1]);
    for (std::size_t row = 0; row < slice; row += across) {
        for (std::size_t z = 0; z < slices; ++z) {
            float* const out = to + z * slice + row;
            for (std::size_t x = 0; x < across; ++x) {
                out[x] *= std::max(from[(row + x) * slices + z], 0.0F);
            }
        }
    }
}

double sumOf(const std::vector<float>& values, const ThreadPool& pool) {
    return pool.sumRange(values.size(), kValuesPerChunk, [&](std::size_t begin, std::size_t end) {
        return std::accumulate(values.begin() + static_cast<std::ptrdiff_t>(begin),
                               values.begin() + static_cast<std::ptrdiff_t>(end), 0.0);
    });
}

/// Directions that stand for a cell, evenly over its azimuths and the sines of its tilts.
std::vector<View> directionsOf(const ViewGrid& grid, const View& centre) {
    const double half = grid.acceptance() / grid.tilts();
    const double low = std::sin(centre.theta - half);
    const double high = std::sin(centre.theta + half);
    const double width = kPi / grid.azimuths();
    std::vector<View> views;
    for (const double p : gaussPoints(width, kAzimuthPart_rad)) {
        for (const double t : gaussPoints(2 * half, kTiltPart_rad)) {
            views.push_back({centre.phi + p * width, std::asin(0.5 * (low + high) + t * (high - low))});
        }
    }
    return views;
}

/// A part of a phantom whose images are added up, and which of them are each other's.
struct PhantomPart {
    std::unique_ptr<const SurvivingActivity> activity;
    Symmetry symmetry;
};

/// A phantom's parts: bodies of revolution by themselves, where what is added to them takes up little room.
std::vector<PhantomPart> partsOf(const Phantom& phantom, const Lattice& lattice) {
    const bool middle = centredIn(lattice, 2);
    const bool square = lattice.size[0] == lattice.size[1] && centredIn(lattice, 0) &&
                        centredIn(lattice, 1) &&
                        std::abs(lattice.spacing_mm[0] - lattice.spacing_mm[1]) < kRounding_mm;
    const Phantom round = revolvedPart(phantom);
    const bool emits = std::any_of(round.shapes.begin(), round.shapes.end(),
                                   [](const PhantomShape& shape) { return shape.activity > 0; });
    std::vector<PhantomPart> parts;
    if (square && emits) {
        const Symmetry symmetry{true, middle && mirrored(round)};
        parts.push_back({std::make_unique<const SurvivingActivity>(round), symmetry});
        if (round.shapes.size() == phantom.shapes.size()) {
            return parts;
        }
        auto rest = std::make_unique<const SurvivingActivity>(phantom, round);
        if (volumeOf(rest->across()) <= kWorthwhile * volumeOf(emittingBox(phantom))) {
            parts.push_back({std::move(rest), {false, middle && mirrored(phantom)}});
            return parts;
        }
        parts.clear();
    }
    PhantomPart whole;
    whole.activity = std::make_unique<const SurvivingActivity>(phantom);
    whole.symmetry.mirror = middle && mirrored(phantom);
    parts.push_back(std::move(whole));
    return parts;
}

/// What the directions of views see of a phantom's parts.
class ExpectedImages {
  public:
    ExpectedImages(const Phantom& phantom, const LineResponse& response, const Lattice& lattice,
                   const ViewGrid& grid, const std::vector<View>& views)
        : parts_(partsOf(phantom, lattice)),
          response_(response),
          lattice_(lattice),
          grid_(grid),
          views_(views) {
        std::vector<View> originals;
        for (std::size_t view = 0; view < views.size(); ++view) {
            const View original = parts_.front().symmetry.original(views[view]);
            const auto found = std::find_if(originals.begin(), originals.end(),
                                            [&](const View& other) { return same(other, original); });
            groups_.resize(std::max(groups_.size(), static_cast<std::size_t>(found - originals.begin()) + 1));
            groups_[static_cast<std::size_t>(found - originals.begin())].push_back(view);
            if (found == originals.end()) {
                originals.push_back(original);
            }
        }
    }

    /// Views whose images are made of some that they share.
    [[nodiscard]] const std::vector<std::vector<std::size_t>>& groups() const { return groups_; }

    /// Makes those of a group: `take(view, image)` gets what is seen per voxel, [y][x][z].
    void make(const std::vector<std::size_t>& group,
              const std::function<void(std::size_t, const std::vector<float>&)>& take) const {
        std::vector<Made> made(parts_.size());
        DirectionField::Room room;
        std::vector<float> image(lattice_.voxels());
        for (const std::size_t view : inOrder(group)) {
            std::fill(image.begin(), image.end(), 0.0F);
            for (std::size_t k = 0; k < parts_.size(); ++k) {
                const Symmetry& symmetry = parts_[k].symmetry;
                const View original = symmetry.original(views_[view]);
                if (made[k].image.empty() || !same(made[k].of, original)) {
                    made[k] = {original, seenOf(parts_[k], original, room)};
                }
                addTurned(made[k].image, symmetry.turnTo(views_[view]), lattice_, image);
            }
            take(view, image);
        }
    }

  private:
    struct Made {
        View of;
        std::vector<float> image;
    };

    /// Views of one azimuth beside each other: the last part's images are turned from one to the next.
    [[nodiscard]] std::vector<std::size_t> inOrder(std::vector<std::size_t> group) const {
        std::stable_sort(group.begin(), group.end(),
                         [&](std::size_t a, std::size_t b) { return views_[a].phi < views_[b].phi; });
        return group;
    }

    [[nodiscard]] std::vector<float> seenOf(const PhantomPart& part, const View& view,
                                            DirectionField::Room& room) const {
        const std::vector<View> directions = directionsOf(grid_, view);
        const auto& h = lattice_.spacing_mm;
        const double weight = h[0] * h[1] * h[2] / static_cast<double>(directions.size());
        // One side says it all where a view is its own mirror image.
        const bool half = part.symmetry.mirror && std::abs(view.theta) < kSame_rad;
        std::vector<float> image(lattice_.voxels(), 0.0F);
        for (const View& direction : directions) {
            if (!half || direction.theta >= 0) {
                DirectionField(*part.activity, response_, lattice_, direction, room)
                    .addTo(lattice_, static_cast<float>(weight), image.data());
            }
        }
        if (half) {
            const std::vector<float> upper = image;
            addTurned(upper, {false, false, true}, lattice_, image);
        }
        return image;
    }

    std::vector<PhantomPart> parts_;
    const LineResponse& response_;
    const Lattice& lattice_;
    const ViewGrid& grid_;
    const std::vector<View>& views_;
    std::vector<std::vector<std::size_t>> groups_;
};

}  // namespace

LineResponse responseOf(const Scanner& scanner) {
    if (scanner.detection) {
        return responseOfCrystals(scanner);
    }
    const auto [across, along, depth] = scanner.crystalSize_mm;
    const double mu = scanner.attenuation_per_mm;
    double depthVariance = 0;
    if (mu > 0) {
        const double left = std::exp(-mu * depth);
        depthVariance = 1 / (mu * mu) - depth * depth * left / ((1 - left) * (1 - left));
    }
    double radius = 0;
    for (std::uint32_t c = 0; c < scanner.crystals.size(); ++c) {
        const Vec3 at = scanner.reference(c);
        radius = std::max(radius, std::hypot(at.x, at.y));
    }
    const double time = scanner.timing_fwhm_ps / kFwhmPerSigma * kMmPerPs;
    // Each end: the true place in the crystal, and the place that it is given: two even distributions. The
    // line has the mean of both ends.
    const double face = across * across / 12;
    LineResponse response;
    response.axial = std::sqrt(along * along / 12);
    response.along = std::sqrt(time * time + 0.5 * depthVariance);
    response.radial = [=](double s) {
        const double slant = std::min(s / radius, 1.0);
        return std::sqrt(face + 0.5 * depthVariance * slant * slant);
    };
    return response;
}

LineResponse responseOf(const KernelSpec& kernel) {
    if (kernel.sided()) {
        throw WrongUse("expected data are blurred by symmetric kernels; '{}' has two sides or was measured",
                       kernel.name);
    }
    LineResponse response;
    response.along = kernel.sigmaTof_mm();
    response.axial = kernel.sigmaAxial_mm();
    response.radial = [width = kernel.radial](double s) { return width.at(s) / kFwhmPerSigma; };
    return response;
}

double totalActivity(const Phantom& phantom) {
    if (phantom.emission) {
        const auto& h = phantom.emission->lattice.spacing_mm;
        return std::accumulate(phantom.emission->data.begin(), phantom.emission->data.end(), 0.0) * h[0] *
               h[1] * h[2];
    }
    constexpr double kStep_mm = 0.5;
    const Phantom activity = activityAsAttenuation(phantom);
    const PairAttenuation chords(activity);
    const Box box = emittingBox(phantom);
    double sum = 0;
    for (double y = box.low.y + 0.5 * kStep_mm; y < box.high.y; y += kStep_mm) {
        for (double x = box.low.x + 0.5 * kStep_mm; x < box.high.x; x += kStep_mm) {
            sum += chords.along({x, y, 0}, {0, 0, 1}, kAnyLength);
        }
    }
    sum *= kStep_mm * kStep_mm;
    for (const PhantomShape& shape : phantom.shapes) {
        sum += shape.kind == PhantomShape::Kind::Point ? shape.activity : 0;
    }
    return sum;
}

HistoData analyticData(const Scanner& scanner, const Phantom& phantom, const AnalyticSettings& settings,
                       const Volume* attenuation, const ThreadPool& pool,
                       const std::function<void(double)>& progress) {
    BinningSettings binning;
    binning.azimuths = settings.azimuths;
    binning.tilts = settings.tilts;
    binning.lattice = settings.lattice;
    binning.seed = settings.seed;
    HistoData data = depositEvents({}, scanner, binning, pool, {});
    computeFactors(data, scanner, attenuation, pool, [&](double share) {
        if (progress) {
            progress(0.3 * share);
        }
    });
    const LineResponse response = settings.response ? responseOf(*settings.response) : responseOf(scanner);
    const ViewGrid grid(settings.azimuths, settings.tilts, scanner.acceptance_rad);
    const std::size_t voxels = data.voxels();
    const FactorGrid& mult = *data.multGrid;
    const ExpectedImages images(phantom, response, settings.lattice, grid, data.views);
    const auto fill = [&](std::size_t view, const std::vector<float>& image) {
        float* const counts = data.counts.data() + view * voxels;
        mult.expand(settings.lattice, data.views[view], mult.shares[view],
                    mult.values.data() + mult.tables[view] * mult.tableSize(), nullptr, counts);
        multiplyByColumns(image.data(), settings.lattice, counts);
    };
    const auto& groups = images.groups();
    const std::size_t perTime = 4 * static_cast<std::size_t>(std::max(pool.threads(), 1));
    for (std::size_t first = 0; first < groups.size(); first += perTime) {
        const std::size_t n = std::min(perTime, groups.size() - first);
        pool.forRange(n, 1, [&](std::size_t i, std::size_t) { images.make(groups[first + i], fill); });
        if (progress) {
            progress(0.3 + 0.7 * static_cast<double>(first + n) / static_cast<double>(groups.size()));
        }
    }
    if (!settings.atPoints) {
        data.expandFactors(pool);
    }
    const double seen = sumOf(data.counts, pool);
    if (!(seen > 0)) {
        throw WrongUse("scanner '{}' sees nothing of phantom '{}' on this lattice", scanner.name,
                       phantom.name);
    }
    const double scale = settings.counts / seen;
    if (settings.noiseFree) {
        pool.forRange(data.counts.size(), kValuesPerChunk, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) {
                data.counts[i] = static_cast<float>(scale * static_cast<double>(data.counts[i]));
            }
        });
    } else {
        poissonInto(data.counts, scale, settings.seed, RandomUse::Counts, 0, pool, data.counts);
    }
    data.kept = static_cast<std::uint64_t>(std::llround(sumOf(data.counts, pool)));
    data.decays = scale * totalActivity(phantom);
    data.phantom = phantom.description.empty() ? phantom.name : phantom.description;
    return data;
}

}  // namespace tof
