// SPDX-License-Identifier: Apache-2.0
// The path of one line through a lattice, shared by host and device: Siddon's exact path in the incremental
// form of Jacobs et al., and Joseph's interpolation. Everything is in double; only coefficients leave as
// float.
#pragma once

#include <math.h>  // NOLINT: device code needs the global names

#include "recon/base/hd.h"
#include "recon/base/lattice.h"
#include "recon/systems/lines/normal_ramp.h"

namespace tof {

/// Distances below this share of a voxel edge are ties: the point lies on the face.
inline constexpr double kTieCells = 1e-7;

/// A lattice as rays see it: faces instead of centres. Plain data, copied to devices as it is.
struct RayGrid {
    double lower[3];    ///< outer faces of voxel (0, 0, 0), mm
    double spacing[3];  ///< mm
    double perMm[3];    ///< 1 / spacing
    int size[3];
    int stride[3];          ///< steps of the linear index along x, y, z
    double fovRadius2_mm2;  ///< lines are followed only this near the axis (squared); 0: everywhere
};

[[nodiscard]] inline RayGrid rayGrid(const Lattice& lattice, double fovRadius_mm) {
    RayGrid grid{};
    const double origin[3] = {lattice.origin_mm.x, lattice.origin_mm.y, lattice.origin_mm.z};
    for (int k = 0; k < 3; ++k) {
        const auto axis = static_cast<std::size_t>(k);
        grid.size[k] = lattice.size[axis];
        grid.spacing[k] = lattice.spacing_mm[axis];
        grid.perMm[k] = 1.0 / grid.spacing[k];
        grid.lower[k] = origin[k] - 0.5 * grid.spacing[k];
    }
    grid.stride[0] = 1;
    grid.stride[1] = grid.size[0];
    grid.stride[2] = grid.size[0] * grid.size[1];
    grid.fovRadius2_mm2 = fovRadius_mm * fovRadius_mm;
    return grid;
}

/// A line with its arc length a in mm, 0 half-way between its ends and growing towards the second.
struct Ray {
    double middle[3];
    double direction[3];  ///< unit; components that move the ray by less than a tie are exactly zero
    double inverse[3];    ///< inverse of the direction's components; 0 where they are
    double half;          ///< half the distance of the ends
};

/// a / b; on devices two units in the last place off at most, with a third of the instructions.
[[nodiscard]] TOF_HD inline double quotient(double a, double b) {
#if defined(__CUDA_ARCH__)
    double inverse;
    asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(inverse) : "d"(b));
    inverse = fma(fma(-b, inverse, 1.0), inverse, inverse);
    inverse = fma(fma(-b, inverse, 1.0), inverse, inverse);
    return a * inverse;
#else
    return a / b;
#endif
}

[[nodiscard]] TOF_HD inline Ray makeRay(const RayGrid& grid, Vec3 one, Vec3 two) {
    Ray ray{};
    const double d[3] = {two.x - one.x, two.y - one.y, two.z - one.z};
    ray.middle[0] = 0.5 * (one.x + two.x);
    ray.middle[1] = 0.5 * (one.y + two.y);
    ray.middle[2] = 0.5 * (one.z + two.z);
    const double length = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    ray.half = 0.5 * length;
    const double inverse = quotient(1.0, length);
    for (int k = 0; k < 3; ++k) {
        const bool moves = length > 0 && !(fabs(d[k]) < kTieCells * grid.spacing[k]);
        ray.direction[k] = moves ? d[k] * inverse : 0.0;
        ray.inverse[k] = moves ? quotient(length, d[k]) : 0.0;
    }
    return ray;
}

/// The axis that a ray is nearest to: the one across which Joseph's planes lie.
[[nodiscard]] TOF_HD inline int mainAxis(const Ray& ray) {
    int main = 0;
    for (int k = 1; k < 3; ++k) {
        main = fabs(ray.direction[k]) > fabs(ray.direction[main]) ? k : main;
    }
    return main;
}

/// A number below 2^31 and its nearest whole number, without conversions, which devices are slow at.
struct NearestWhole {
    TOF_HD explicit NearestWhole(double number) : shifted_(number + kShift) {}
    [[nodiscard]] TOF_HD double number() const { return shifted_ - kShift; }
    [[nodiscard]] TOF_HD int integer() const {
#if defined(__CUDA_ARCH__)
        return __double2loint(shifted_);
#else
        return static_cast<int>(number());
#endif
    }

  private:
    static constexpr double kShift = 6755399441055744.0;  // 1.5 x 2^52: the last bit stands for 1

    double shifted_;
};

/// The largest whole number not above a number.
[[nodiscard]] TOF_HD inline int wholeBelow(double number) {
    const NearestWhole nearest(number);
    return nearest.integer() - (nearest.number() > number ? 1 : 0);
}

/// Settles every tie on a voxel face: a position in cells that is a tie away from a whole number becomes it.
[[nodiscard]] TOF_HD inline double settledCells(double cells) {
    const double nearest = NearestWhole(cells).number();
    return fabs(cells - nearest) < kTieCells ? nearest : cells;
}

/// First voxel along one axis at a settled position: cells are half open in the direction of travel; a ray
/// that runs along a face belongs to the voxel above it, and along the last face to the last voxel.
[[nodiscard]] TOF_HD inline int firstVoxel(double cells, double direction, int size) {
    const NearestWhole nearest(cells);
    const bool below = direction < 0 ? nearest.number() >= cells : nearest.number() > cells;
    const int voxel = nearest.integer() - (below ? 1 : 0);
    return voxel < 0 ? 0 : (voxel >= size ? size - 1 : voxel);
}

/// Part of a ray inside lattice, field of view and [begin, end]; false when there is none.
[[nodiscard]] TOF_HD inline bool clipRay(const RayGrid& grid, const Ray& ray, double* begin, double* end) {
    double low = *begin > -ray.half ? *begin : -ray.half;
    double high = *end < ray.half ? *end : ray.half;
    for (int k = 0; k < 3; ++k) {
        if (ray.direction[k] == 0.0) {
            const double cells = settledCells((ray.middle[k] - grid.lower[k]) * grid.perMm[k]);
            if (cells < 0 || cells > grid.size[k]) {
                return false;
            }
            continue;
        }
        const double a = (grid.lower[k] - ray.middle[k]) * ray.inverse[k];
        const double b = (grid.lower[k] + grid.size[k] * grid.spacing[k] - ray.middle[k]) * ray.inverse[k];
        const double enter = a < b ? a : b;
        const double leave = a < b ? b : a;
        low = enter > low ? enter : low;
        high = leave < high ? leave : high;
    }
    if (grid.fovRadius2_mm2 > 0) {
        const double uu = ray.direction[0] * ray.direction[0] + ray.direction[1] * ray.direction[1];
        const double mu = ray.middle[0] * ray.direction[0] + ray.middle[1] * ray.direction[1];
        const double mm = ray.middle[0] * ray.middle[0] + ray.middle[1] * ray.middle[1];
        if (uu == 0.0) {
            if (mm > grid.fovRadius2_mm2) {
                return false;
            }
        } else {
            const double discriminant = mu * mu - uu * (mm - grid.fovRadius2_mm2);
            if (!(discriminant > 0)) {
                return false;
            }
            const double root = sqrt(discriminant);
            low = (-mu - root) / uu > low ? (-mu - root) / uu : low;
            high = (-mu + root) / uu < high ? (-mu + root) / uu : high;
        }
    }
    *begin = low;
    *end = high;
    return high - low > kTieCells * grid.spacing[0];
}

/// Where Siddon's path begins and how it goes on along each axis.
struct SiddonStart {
    double next[3];     ///< arc length at the next face; 1e300 along an axis the ray does not move on
    double advance[3];  ///< arc length between faces
    int step[3];        ///< step of the linear index
    int left[3];        ///< faces to cross before the last one
    int voxel;
};

/// `begin` as clipRay() leaves it.
[[nodiscard]] TOF_HD inline SiddonStart startSiddon(const RayGrid& grid, const Ray& ray, double begin) {
    SiddonStart start;
    start.voxel = 0;
    for (int k = 0; k < 3; ++k) {
        const double u = ray.direction[k];
        const double cells = settledCells((ray.middle[k] + begin * u - grid.lower[k]) * grid.perMm[k]);
        const int first = firstVoxel(cells, u, grid.size[k]);
        start.voxel += first * grid.stride[k];
        if (u == 0.0) {
            start.next[k] = 1e300;
            start.advance[k] = 0;
            start.step[k] = 0;
            start.left[k] = 0;
            continue;
        }
        const double face = grid.lower[k] + (first + (u > 0 ? 1 : 0)) * grid.spacing[k];
        start.next[k] = (face - ray.middle[k]) * ray.inverse[k];
        start.advance[k] = grid.spacing[k] * fabs(ray.inverse[k]);
        start.step[k] = u > 0 ? grid.stride[k] : -grid.stride[k];
        start.left[k] = u > 0 ? grid.size[k] - 1 - first : first;
    }
    return start;
}

/// Calls visit(voxel, a0, a1) for every voxel that the ray crosses between arc lengths `begin` and `end`, in
/// order; a1 - a0 is the length inside. The lengths sum to the chord.
template <class Visit>
TOF_HD void followSiddon(const RayGrid& grid, const Ray& ray, double begin, double end, Visit&& visit) {
    if (!clipRay(grid, ray, &begin, &end)) {
        return;
    }
    SiddonStart path = startSiddon(grid, ray, begin);
    double* const next = path.next;
    double at = begin;
    while (true) {
        const int axis = next[0] <= next[1] ? (next[0] <= next[2] ? 0 : 2) : (next[1] <= next[2] ? 1 : 2);
        const double to = next[axis] < end ? next[axis] : end;
        if (to > at) {
            visit(path.voxel, at, to);
            at = to;
        }
        if (!(next[axis] < end) || path.left[axis] == 0) {
            return;
        }
        --path.left[axis];
        path.voxel += path.step[axis];
        next[axis] += path.advance[axis];
    }
}

/// Calls visit(voxel, a0, a1, weight) for the up to four voxels that Joseph's method interpolates between in
/// every plane across the ray's main axis; the coefficient is weight (a1 - a0).
template <class Visit>
TOF_HD void followJoseph(const RayGrid& grid, const Ray& ray, double begin, double end, Visit&& visit) {
    if (!clipRay(grid, ray, &begin, &end)) {
        return;
    }
    const int main = mainAxis(ray);
    const int b = (main + 1) % 3;
    const int c = (main + 2) % 3;
    const double inverse = ray.inverse[main];
    const double half = 0.5 * grid.spacing[main] * fabs(inverse);
    const double one = (ray.middle[main] + begin * ray.direction[main] - grid.lower[main]) * grid.perMm[main];
    const double two = (ray.middle[main] + end * ray.direction[main] - grid.lower[main]) * grid.perMm[main];
    const int first = firstVoxel(settledCells(one < two ? one : two), 1.0, grid.size[main]);
    const int last = firstVoxel(settledCells(one < two ? two : one), -1.0, grid.size[main]);
    for (int plane = first; plane <= last; ++plane) {
        const double a = (grid.lower[main] + (plane + 0.5) * grid.spacing[main] - ray.middle[main]) * inverse;
        const double a0 = a - half > begin ? a - half : begin;
        const double a1 = a + half < end ? a + half : end;
        const double pb = (ray.middle[b] + a * ray.direction[b] - grid.lower[b]) * grid.perMm[b] - 0.5;
        const double pc = (ray.middle[c] + a * ray.direction[c] - grid.lower[c]) * grid.perMm[c] - 0.5;
        const int ib = wholeBelow(pb);
        const int ic = wholeBelow(pc);
        for (int db = 0; db < 2; ++db) {
            for (int dc = 0; dc < 2; ++dc) {
                const double weight =
                    (db == 1 ? pb - ib : 1 - (pb - ib)) * (dc == 1 ? pc - ic : 1 - (pc - ic));
                const int vb = ib + db;
                const int vc = ic + dc;
                if (weight > 0 && a1 > a0 && vb >= 0 && vc >= 0 && vb < grid.size[b] && vc < grid.size[c]) {
                    visit(plane * grid.stride[main] + vb * grid.stride[b] + vc * grid.stride[c], a0, a1,
                          weight);
                }
            }
        }
    }
}

/// Time-of-flight bins along a ray, in mm. Plain data, copied to devices as it is.
struct RayTof {
    int count;        ///< 0: no time of flight
    double width_mm;  ///< width of a bin
    double sigma_mm;
    double reach_mm;  ///< the Gaussian is zero this far beyond a bin's edges

    /// Lower edge of bin k, finite also for the outermost.
    [[nodiscard]] TOF_HD double edge(int k) const { return (k - 0.5 * count) * width_mm; }
    /// Arc lengths that bin k can see; unlimited outwards for the outermost bins.
    [[nodiscard]] TOF_HD double from(int k) const { return k == 0 ? -1e300 : edge(k) - reach_mm; }
    [[nodiscard]] TOF_HD double to(int k) const { return k == count - 1 ? 1e300 : edge(k + 1) + reach_mm; }
};

/// Integral of the standard normal distribution function up to t: t Phi(t) + phi(t).
[[nodiscard]] TOF_HD inline double normalRampByDefinition(double t) {
    const double kRoot2 = 1.4142135623730950488;
    const double kInverseRoot2Pi = 0.39894228040143267794;
    return 0.5 * t * erfc(-t / kRoot2) + kInverseRoot2Pi * exp(-0.5 * t * t);
}

/// What normalRampByDefinition() gives; hosts, which its functions take half of a projection, have a table.
[[nodiscard]] TOF_HD inline double normalRamp(double t) {
#if defined(__CUDA_ARCH__)
    return normalRampByDefinition(t);
#else
    return NormalRamp::table().at(t);
#endif
}

/// Length of [a0, a1] weighted with the probability that an emission there is measured below `edge`.
[[nodiscard]] TOF_HD inline double lengthBelow(double edge, double a0, double a1, double sigma) {
    return sigma * (normalRamp((edge - a0) / sigma) - normalRamp((edge - a1) / sigma));
}

/// Share of the segment [a0, a1] in mm that falls into time bin k: the Gaussian of the arrival-time
/// difference integrated over the bin and over the segment. The outermost bins reach to infinity, so the
/// shares of all bins sum to a1 - a0.
[[nodiscard]] TOF_HD inline double timeShare(const RayTof& tof, int k, double a0, double a1) {
    a0 = a0 > tof.from(k) ? a0 : tof.from(k);
    a1 = a1 < tof.to(k) ? a1 : tof.to(k);
    if (!(a1 > a0)) {
        return 0;
    }
    const double below = k == 0 ? 0.0 : lengthBelow(tof.edge(k), a0, a1, tof.sigma_mm);
    const double upTo = k == tof.count - 1 ? a1 - a0 : lengthBelow(tof.edge(k + 1), a0, a1, tof.sigma_mm);
    return upTo > below ? upTo - below : 0.0;
}

}  // namespace tof
