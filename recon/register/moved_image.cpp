// SPDX-License-Identifier: Apache-2.0
#include "recon/register/moved_image.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "recon/register/rigid_place.h"

namespace tof {

namespace {

/// Voxels beside each other along an axis that a place lies between.
struct Neighbours {
    std::size_t lower = 0;
    std::size_t upper = 0;
    float share = 0;
    bool inside = false;
};

Neighbours neighboursOf(double index, int size, std::size_t stride, Sampling sampling) {
    const int last = size - 1;
    Neighbours at;
    at.inside = index >= -0.5 && index < last + 0.5;
    if (!at.inside) {
        return at;
    }
    const double place = sampling == Sampling::Nearest ? std::floor(index + 0.5)
                                                       : std::clamp(index, 0.0, static_cast<double>(last));
    const int below = std::clamp(static_cast<int>(std::floor(place)), 0, last);
    at.lower = stride * static_cast<std::size_t>(below);
    at.upper = stride * static_cast<std::size_t>(std::min(below + 1, last));
    at.share = sampling == Sampling::Nearest ? 0.0F : static_cast<float>(place - below);
    return at;
}

float between(float a, float b, float share) {
    return a == b ? a : a + share * (b - a);
}

float valueAt(const Volume& image, Vec3 index, Sampling sampling, float nothing) {
    const auto& size = image.lattice.size;
    const auto row = static_cast<std::size_t>(size[0]);
    const Neighbours x = neighboursOf(index.x, size[0], 1, sampling);
    const Neighbours y = neighboursOf(index.y, size[1], row, sampling);
    const Neighbours z = neighboursOf(index.z, size[2], row * static_cast<std::size_t>(size[1]), sampling);
    if (!x.inside || !y.inside || !z.inside) {
        return nothing;
    }
    const float* v = image.data.data();
    const auto alongX = [&](std::size_t at) { return between(v[at + x.lower], v[at + x.upper], x.share); };
    const auto plane = [&](std::size_t at) {
        return between(alongX(at + y.lower), alongX(at + y.upper), y.share);
    };
    return between(plane(z.lower), plane(z.upper), z.share);
}

}  // namespace

float nothingOf(const Volume& image) {
    if (image.units != "HU") {
        return 0;
    }
    float least = std::numeric_limits<float>::infinity();
    for (const float value : image.data) {
        least = std::isfinite(value) ? std::min(least, value) : least;
    }
    return std::isfinite(least) ? least : 0;
}

Sampling samplingOf(const Volume& image) {
    return image.units == "label" ? Sampling::Nearest : Sampling::Trilinear;
}

Volume movedImage(const Volume& image, const Pose& place, const Lattice& lattice, Sampling sampling,
                  const ThreadPool& pool) {
    Volume out(lattice);
    out.units = image.units;
    const float nothing = nothingOf(image);
    const Pose back = place.inverse();
    const Vec3 origin = image.lattice.continuousIndex(back.moved(lattice.origin_mm));
    const auto step = [&](Vec3 along) {
        const Vec3 d = back.turned(along);
        const auto& edge = image.lattice.spacing_mm;
        return Vec3{d.x / edge[0], d.y / edge[1], d.z / edge[2]};
    };
    const Vec3 alongX = step({lattice.spacing_mm[0], 0, 0});
    const Vec3 alongY = step({0, lattice.spacing_mm[1], 0});
    const Vec3 alongZ = step({0, 0, lattice.spacing_mm[2]});
    const auto rows = static_cast<std::size_t>(lattice.size[1]) * static_cast<std::size_t>(lattice.size[2]);
    constexpr std::size_t kGrain = 64;
    pool.forRange(rows, kGrain, [&](std::size_t begin, std::size_t end) {
        for (std::size_t row = begin; row < end; ++row) {
            const auto y = static_cast<double>(row % static_cast<std::size_t>(lattice.size[1]));
            const auto z = static_cast<double>(row / static_cast<std::size_t>(lattice.size[1]));
            const Vec3 first = origin + y * alongY + z * alongZ;
            float* values = out.data.data() + row * static_cast<std::size_t>(lattice.size[0]);
            for (int x = 0; x < lattice.size[0]; ++x) {
                values[x] = valueAt(image, first + static_cast<double>(x) * alongX, sampling, nothing);
            }
        }
    });
    return out;
}

Lattice latticeAround(const Lattice& lattice, const Pose& place) {
    Lattice out = lattice;
    const Vec3 middle = place.moved(middleOf(lattice));
    for (std::size_t axis = 0; axis < 3; ++axis) {
        double reach = 0;  // of the turned box along this axis
        for (std::size_t k = 0; k < 3; ++k) {
            reach += std::abs(place.turn[3 * axis + k]) * lattice.size[k] * lattice.spacing_mm[k];
        }
        constexpr double kRounding = 1e-6;
        out.size[axis] =
            std::max(1, static_cast<int>(std::ceil(reach / lattice.spacing_mm[axis] - kRounding)));
        out.origin_mm[axis] = middle[axis] - 0.5 * (out.size[axis] - 1) * out.spacing_mm[axis];
    }
    return out;
}

Volume blockMeans(const Volume& image, double spacing_mm) {
    const Lattice& from = image.lattice;
    Lattice to = from;
    std::array<int, 3> block{1, 1, 1};
    for (std::size_t axis = 0; axis < 3; ++axis) {
        block[axis] =
            std::clamp(static_cast<int>(spacing_mm / from.spacing_mm[axis] + 0.25), 1, from.size[axis]);
        to.size[axis] = from.size[axis] / block[axis];
        to.spacing_mm[axis] = from.spacing_mm[axis] * block[axis];
        to.origin_mm[axis] = from.origin_mm[axis] + 0.5 * (block[axis] - 1) * from.spacing_mm[axis];
    }
    Volume out(to);
    out.units = image.units;
    const auto share = static_cast<float>(1.0 / (block[0] * block[1] * block[2]));
    for (int z = 0; z < to.size[2] * block[2]; ++z) {
        for (int y = 0; y < to.size[1] * block[1]; ++y) {
            const float* row = image.data.data() + from.index(0, y, z);
            float* sums = out.data.data() + to.index(0, y / block[1], z / block[2]);
            for (int x = 0; x < to.size[0] * block[0]; ++x) {
                sums[x / block[0]] += std::isfinite(row[x]) ? share * row[x] : 0.0F;
            }
        }
    }
    return out;
}

}  // namespace tof
