// SPDX-License-Identifier: Apache-2.0
#include "recon/io/bytes/placement.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "recon/base/constants.h"
#include "recon/base/error.h"
#include "recon/io/bytes/checked_lattice.h"
#include "recon/io/bytes/raw_numbers.h"

namespace tof {

namespace {

using Matrix = std::array<std::array<double, 3>, 3>;

Vec3 column(const Matrix& m, std::size_t index) {
    return {m[0][index], m[1][index], m[2][index]};
}

/// Rows of the inverse: index i of a point p is dot(row i, p - offset).
std::optional<std::array<Vec3, 3>> inverseRows(const Matrix& m) {
    constexpr double kFlat = 1e-6;
    const Vec3 a = column(m, 0);
    const Vec3 b = column(m, 1);
    const Vec3 c = column(m, 2);
    const double volume = dot(a, cross(b, c));
    if (!(std::abs(volume) > kFlat * norm(a) * norm(b) * norm(c))) {
        return {};
    }
    return std::array<Vec3, 3>{(1 / volume) * cross(b, c), (1 / volume) * cross(c, a),
                               (1 / volume) * cross(a, b)};
}

/// For each axis the stored index that runs most along it, each index once: the permutation whose product of
/// cosines is largest.
std::array<std::size_t, 3> mainIndices(const Matrix& m) {
    std::array<std::size_t, 3> order{0, 1, 2};
    std::array<std::size_t, 3> best = order;
    double most = -1;
    do {
        double product = 1;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            product *= std::abs(m[axis][order[axis]]) / norm(column(m, order[axis]));
        }
        if (product > most) {
            most = product;
            best = order;
        }
    } while (std::next_permutation(order.begin(), order.end()));
    return best;
}

bool isAligned(const Matrix& m, const std::array<std::size_t, 3>& from) {
    constexpr double kOffAxis = 1e-3;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        for (std::size_t index = 0; index < 3; ++index) {
            if (index != from[axis] && std::abs(m[axis][index]) > kOffAxis * std::abs(m[axis][from[axis]])) {
                return false;
            }
        }
    }
    return true;
}

Lattice turnedLattice(const std::string& path, const Placement& p, const std::array<std::size_t, 3>& from) {
    std::array<std::uint64_t, 3> size{};
    std::array<double, 3> spacing{};
    std::array<double, 3> origin{};
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const double step = p.stored.matrix[axis][from[axis]];
        size[axis] = static_cast<std::uint64_t>(p.size[from[axis]]);
        spacing[axis] = std::abs(step);
        origin[axis] = p.stored.offset[axis] + (step < 0 ? step * (p.size[from[axis]] - 1) : 0.0);
    }
    return checkedLattice(path, size, spacing, Vec3{origin[0], origin[1], origin[2]});
}

Lattice enclosingLattice(const std::string& path, const Placement& p,
                         const std::array<std::size_t, 3>& from) {
    constexpr double kRounding = 1e-6;
    constexpr double kMostSide = 65536;  // refused by checkedLattice()
    std::array<std::uint64_t, 3> size{};
    std::array<double, 3> spacing{};
    std::array<double, 3> origin{};
    for (std::size_t axis = 0; axis < 3; ++axis) {
        double low = p.stored.offset[axis];
        double high = low;
        for (std::size_t index = 0; index < 3; ++index) {
            const double run = p.stored.matrix[axis][index] * (p.size[index] - 1);
            (run < 0 ? low : high) += run;
        }
        spacing[axis] = norm(column(p.stored.matrix, from[axis]));
        const double steps = std::ceil((high - low) / spacing[axis] - kRounding);
        size[axis] = static_cast<std::uint64_t>(std::min(std::max(steps, 0.0) + 1, kMostSide));
        origin[axis] = 0.5 * (low + high) - 0.5 * spacing[axis] * static_cast<double>(size[axis] - 1);
    }
    return checkedLattice(path, size, spacing, Vec3{origin[0], origin[1], origin[2]});
}

/// Linear interpolation in a stored grid.
class Interpolation {
  public:
    Interpolation(const std::vector<float>& values, const std::array<int, 3>& size, float outside)
        : values_(values), size_(size), outside_(outside) {}

    [[nodiscard]] float at(const std::array<double, 3>& index) const {
        constexpr double kRounding = 1e-6;
        std::array<std::size_t, 3> low{};
        std::array<double, 3> part{};
        for (std::size_t k = 0; k < 3; ++k) {
            const double last = size_[k] - 1;
            if (index[k] < -0.5 - kRounding || index[k] > last + 0.5 + kRounding) {
                return outside_;
            }
            const double inside = std::clamp(index[k], 0.0, last);
            low[k] = static_cast<std::size_t>(std::min(std::floor(inside), std::max(last - 1, 0.0)));
            part[k] = inside - static_cast<double>(low[k]);
        }
        double sum = 0;
        for (unsigned corner = 0; corner < 8; ++corner) {
            double weight = 1;
            std::array<std::size_t, 3> voxel = low;
            for (std::size_t k = 0; k < 3; ++k) {
                const bool upper = (corner >> k & 1U) != 0;
                weight *= upper ? part[k] : 1 - part[k];
                voxel[k] += upper ? 1 : 0;
            }
            if (weight > 0) {
                sum += weight * static_cast<double>(value(voxel));
            }
        }
        return static_cast<float>(sum);
    }

  private:
    [[nodiscard]] float value(const std::array<std::size_t, 3>& v) const {
        return values_[(v[2] * static_cast<std::size_t>(size_[1]) + v[1]) *
                           static_cast<std::size_t>(size_[0]) +
                       v[0]];
    }

    const std::vector<float>& values_;
    std::array<int, 3> size_;
    float outside_;
};

}  // namespace

Vec3 StoredAffine::at(double i, double j, double k) const {
    return Vec3{offset[0], offset[1], offset[2]} + i * column(matrix, 0) + j * column(matrix, 1) +
           k * column(matrix, 2);
}

std::string Placement::note() const {
    if (!oblique) {
        return "";
    }
    double largest = 0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        double most = 0;
        for (std::size_t index = 0; index < 3; ++index) {
            most = std::max(most, std::abs(stored.matrix[axis][index]) / norm(column(stored.matrix, index)));
        }
        largest = std::max(largest, std::acos(std::min(most, 1.0)) / kRadPerDeg);
    }
    return fmt::format(
        "its axes are off the scanner's by up to {:.1f} degrees: interpolated linearly onto {}", largest,
        lattice.text());
}

Placement placementOf(const std::string& path, const std::string& fields, const StoredAffine& stored,
                      const std::array<std::uint64_t, 3>& size) {
    constexpr double kSide = 65535;
    bool finite = true;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        finite = finite && std::isfinite(stored.offset[axis]) && std::isfinite(stored.matrix[axis][0]) &&
                 std::isfinite(stored.matrix[axis][1]) && std::isfinite(stored.matrix[axis][2]);
    }
    if (!finite || !inverseRows(stored.matrix)) {
        throw BadInput("{}: its axes ({}) do not span space; correct them or make the file again", path,
                       fields);
    }
    Placement result;
    result.stored = stored;
    for (std::size_t k = 0; k < 3; ++k) {
        if (size[k] < 1 || static_cast<double>(size[k]) > kSide) {
            throw BadInput("{}: a side of {} voxels is not between 1 and {:g}; correct the sizes", path,
                           size[k], kSide);
        }
        result.size[k] = static_cast<int>(size[k]);
    }
    const std::array<std::size_t, 3> from = mainIndices(stored.matrix);
    result.oblique = !isAligned(stored.matrix, from);
    for (std::size_t axis = 0; axis < 3; ++axis) {
        result.map.from[axis] = static_cast<int>(from[axis]);
        result.map.reversed[axis] = stored.matrix[axis][from[axis]] < 0;
    }
    result.lattice =
        result.oblique ? enclosingLattice(path, result, from) : turnedLattice(path, result, from);
    if (result.oblique) {
        requireMemory(path, result.lattice.voxels() * sizeof(float));
    }
    return result;
}

std::vector<float> placed(std::vector<float> values, const Placement& placement, float outside) {
    if (!placement.oblique) {
        return reorient(std::move(values), placement.size, placement.map);
    }
    const std::array<Vec3, 3> rows = inverseRows(placement.stored.matrix).value();
    const Vec3 offset = placement.stored.at(0, 0, 0);
    const Interpolation stored(values, placement.size, outside);
    std::vector<float> result;
    result.reserve(placement.lattice.voxels());
    placement.lattice.forEachVoxel([&](int x, int y, int z) {
        const Vec3 p = placement.lattice.centre(x, y, z) - offset;
        result.push_back(stored.at({dot(rows[0], p), dot(rows[1], p), dot(rows[2], p)}));
    });
    return result;
}

}  // namespace tof
