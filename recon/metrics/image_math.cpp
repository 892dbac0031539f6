// SPDX-License-Identifier: Apache-2.0
#include "recon/metrics/image_math.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <vector>

#include "recon/base/error.h"
#include "recon/base/percentile.h"

namespace tof {

namespace {

/// For every voxel along one axis: the two source voxels it lies between, and the share of the second.
struct Places {
    std::vector<int> first;  ///< -1: outside
    std::vector<int> second;
    std::vector<float> share;
};

Places placesAlong(const Lattice& from, const Lattice& to, std::size_t axis, Sampling sampling) {
    Places places;
    const int last = from.size[axis] - 1;
    for (int i = 0; i < to.size[axis]; ++i) {
        const double mm = to.origin_mm[axis] + i * to.spacing_mm[axis];
        const double index = (mm - from.origin_mm[axis]) / from.spacing_mm[axis];
        const bool inside = index >= -0.5 && index < last + 0.5;
        const double below = sampling == Sampling::Nearest ? std::floor(index + 0.5) : std::floor(index);
        const int first = std::clamp(static_cast<int>(below), 0, last);
        const bool between = sampling == Sampling::Trilinear && below >= 0;
        places.first.push_back(inside ? first : -1);
        places.second.push_back(between ? std::min(first + 1, last) : first);
        places.share.push_back(between ? static_cast<float>(index - below) : 0.0F);
    }
    return places;
}

void requireOneLattice(Images images, std::size_t atLeast, const char* what) {
    if (images.size() < atLeast) {
        throw WrongUse(std::string(what) + ": at least " + std::to_string(atLeast) + " images are needed");
    }
    for (const auto& image : images) {
        if (!(image->lattice == images.front()->lattice)) {
            throw WrongUse(std::string(what) + ": the images lie on different lattices");
        }
    }
}

double totalOf(const Volume& volume) {
    return std::accumulate(volume.data.begin(), volume.data.end(), 0.0,
                           [](double sum, float v) { return std::isfinite(v) ? sum + v : sum; });
}

}  // namespace

Volume resampled(const Volume& volume, const Lattice& lattice, Sampling sampling) {
    Volume out(lattice);
    out.units = volume.units;
    const Lattice& from = volume.lattice;
    const std::array<Places, 3> at{placesAlong(from, lattice, 0, sampling),
                                   placesAlong(from, lattice, 1, sampling),
                                   placesAlong(from, lattice, 2, sampling)};
    const auto between = [](float a, float b, float share) { return a == b ? a : a + share * (b - a); };
    std::size_t i = 0;
    lattice.forEachVoxel([&](int x, int y, int z) {
        const auto ix = static_cast<std::size_t>(x);
        const auto iy = static_cast<std::size_t>(y);
        const auto iz = static_cast<std::size_t>(z);
        float& value = out.data[i++];
        if (at[0].first[ix] < 0 || at[1].first[iy] < 0 || at[2].first[iz] < 0) {
            return;
        }
        const auto row = [&](int yy, int zz) {
            return between(volume.at(at[0].first[ix], yy, zz), volume.at(at[0].second[ix], yy, zz),
                           at[0].share[ix]);
        };
        const auto layer = [&](int zz) {
            return between(row(at[1].first[iy], zz), row(at[1].second[iy], zz), at[1].share[iy]);
        };
        value = between(layer(at[2].first[iz]), layer(at[2].second[iz]), at[2].share[iz]);
    });
    return out;
}

Volume meanOf(Images images) {
    requireOneLattice(images, 1, "mean");
    Volume out(images.front()->lattice);
    out.units = images.front()->units;
    for (std::size_t i = 0; i < out.data.size(); ++i) {
        double sum = 0;
        for (const auto& image : images) {
            sum += image->data[i];
        }
        out.data[i] = static_cast<float>(sum / static_cast<double>(images.size()));
    }
    return out;
}

Volume deviationOf(Images images) {
    requireOneLattice(images, 2, "SD");
    Volume out = meanOf(images);
    for (std::size_t i = 0; i < out.data.size(); ++i) {
        double mean = 0;
        for (const auto& image : images) {
            mean += image->data[i];
        }
        mean /= static_cast<double>(images.size());
        double squares = 0;
        for (const auto& image : images) {
            squares += (image->data[i] - mean) * (image->data[i] - mean);
        }
        out.data[i] = static_cast<float>(std::sqrt(squares / static_cast<double>(images.size() - 1)));
    }
    return out;
}

Volume scaledToTotal(const Volume& activity, const Volume& image) {
    const double total = totalOf(activity);
    if (!(activity.lattice == image.lattice) || !(total > 0)) {
        throw WrongUse("truth: an activity on the lattice of the image is needed");
    }
    Volume out = activity;
    out.units = image.units;
    const double factor = totalOf(image) / total;
    for (float& v : out.data) {
        v = static_cast<float>(v * factor);
    }
    return out;
}

Volume biasMap(const Volume& image, const Volume& truth) {
    if (!(image.lattice == truth.lattice)) {
        throw WrongUse("bias: image and truth lie on different lattices");
    }
    Volume out(image.lattice);
    out.units = "%";
    const double least = largestOf(truth) / 20;
    for (std::size_t i = 0; i < out.data.size(); ++i) {
        const double t = truth.data[i];
        out.data[i] = t > least ? static_cast<float>(100 * (image.data[i] - t) / t) : 0.0F;
    }
    return out;
}

double percentileOf(const Volume& volume, double share) {
    const std::size_t step = std::max<std::size_t>(1, volume.data.size() / 500000);
    std::vector<float> values;
    for (std::size_t i = 0; i < volume.data.size(); i += step) {
        if (std::isfinite(volume.data[i])) {
            values.push_back(volume.data[i]);
        }
    }
    return values.empty() ? 0 : static_cast<double>(percentile(values, share));
}

double largestOf(const Volume& volume) {
    double largest = 0;
    bool any = false;
    for (const float v : volume.data) {
        if (std::isfinite(v) && (!any || v > largest)) {
            largest = v;
            any = true;
        }
    }
    return largest;
}

}  // namespace tof
