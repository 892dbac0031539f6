// SPDX-License-Identifier: Apache-2.0
#include "recon/kernel/voxel_average.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "recon/base/constants.h"
#include "recon/base/error.h"

namespace tof {

namespace {

constexpr int kSamples = 512;  // samples of the tabulated integrals, over the reach of d.r

/// Points of a Gauss rule for Gaussians of standard deviation `sigma`, wherever they lie, over one or two
/// triangles of half-width `half`: off by at most 2e-5 of the largest integral. Tried for half / sigma of
/// 0.16 to 9, where 2, 3, 5, 7, 9, 12, 16 and 21 points do it at 0.16, 0.5, 1.6, 2.4, 3.4, 4.8, 6.8 and 9.
constexpr double kPointsPerSigma = 2;
constexpr int kLeastPoints = 3;
int orderFor(double half, double sigma) {
    return static_cast<int>(std::ceil(kLeastPoints + kPointsPerSigma * half / sigma));
}
constexpr int kMorePoints = 10;
constexpr int kMostPoints = 48;  // the most points of one rule: sigma above a 22nd of the voxel

double triangle(double d, double side) {
    return std::max(0.0, 1 - std::abs(d) / side) / side;
}

/// The Gauss rule of a triangle of half-width `side`.
Quadrature triangleRule(double side, int order) {
    Quadrature fine;
    const auto density = [side](double d) { return triangle(d, side); };
    addLegendre(fine, -side, 0, order + 1, density);
    addLegendre(fine, 0, side, order + 1, density);
    return gaussRule(fine, order);
}

double hypotenuse(double a, double b) {
    return std::sqrt(a * a + b * b);
}

/// Throws where a rule would need too many points.
int orderOrRefuse(const KernelSpec& spec, const char* direction, double half, double sigma) {
    const int order = orderFor(half, sigma);
    if (order > kMostPoints) {
        throw BadInput(fmt::format(
            "kernel '{}': with 'sampling' \"voxel\" its width {} of {:.3g} mm FWHM is too far below the "
            "voxel "
            "(at least {:.3g} mm here); give a wider one, smaller voxels, or \"centre\"",
            spec.name, direction, sigma * kFwhmPerSigma,
            kPointsPerSigma * half / (kMostPoints - kLeastPoints) * kFwhmPerSigma));
    }
    return order;
}

}  // namespace

double voxelVariance(const Lattice& lattice, Vec3 direction) {
    double variance = 0;
    const double along[] = {direction.x, direction.y, direction.z};
    for (std::size_t k = 0; k < 3; ++k) {
        const double side = along[k] * lattice.spacing_mm[k];
        variance += side * side / 6;
    }
    return variance;
}

VoxelAverage::VoxelAverage(const KernelSpec& spec, const Lattice& lattice, const View& view,
                           double narrowest_mm)
    : sigmaTof_(spec.sigmaTof_mm()), sigmaAxial_(spec.sigmaAxial_mm()), side_(lattice.spacing_mm) {
    const ViewAxes axes = view.axes();
    c_ = axes.r.y;
    s_ = -axes.r.x;
    cosTilt_ = axes.a.z;
    sinTilt_ = axes.u.z;
    reach_ = side_[0] * std::abs(s_) + side_[1] * std::abs(c_);
    // The factor along the lines and axially is a Gaussian of (p, z); these are its widths in each alone.
    const double curveP = hypotenuse(cosTilt_ / sigmaTof_, sinTilt_ / sigmaAxial_);
    const double curveZ = hypotenuse(sinTilt_ / sigmaTof_, cosTilt_ / sigmaAxial_);
    const double along = side_[0] * std::abs(c_) + side_[1] * std::abs(s_);
    axial_ = triangleRule(side_[2], orderOrRefuse(spec, "axially", side_[2], 1 / curveZ));
    const int orderAlong = orderOrRefuse(spec, "along the lines", along, 1 / curveP);
    // The mean of what lies along the lines has kinks in d.r where triangles have theirs: more points than
    // its smoothness alone asks for.
    nodes_ = radialRule(orderAlong + kMorePoints);
    for (const double t : nodes_.at) {
        across_.push_back(gaussRule(acrossGiven(t, orderAlong + 2), orderAlong));
    }
    if (spec.measured.empty()) {
        makeFine(std::max(orderOrRefuse(spec, "along the radius", reach_, narrowest_mm),
                          static_cast<int>(terms())));
    } else {
        makeHinges();
    }
}

/// The density of d.p, unnormalised, where d.r is t: along that line the product of two triangles, a parabola
/// between the places where one of them has its kinks. The sum of the weights is the density of d.r.
Quadrature VoxelAverage::acrossGiven(double t, int order) const {
    // d = t r + p (c, s): dx = -s t + c p, dy = c t + s p.
    const std::array<double, 2> start{-s_ * t, c_ * t};
    const std::array<double, 2> slope{c_, s_};
    double low = -1e300;
    double high = 1e300;
    std::vector<double> kinks;
    for (std::size_t k = 0; k < 2; ++k) {
        if (std::abs(slope[k]) < 1e-12) {
            continue;
        }
        const double a = (-side_[k] - start[k]) / slope[k];
        const double b = (side_[k] - start[k]) / slope[k];
        low = std::max(low, std::min(a, b));
        high = std::min(high, std::max(a, b));
        kinks.push_back(-start[k] / slope[k]);
    }
    kinks.push_back(high);
    std::sort(kinks.begin(), kinks.end());
    const auto density = [&](double p) {
        return triangle(start[0] + slope[0] * p, side_[0]) * triangle(start[1] + slope[1] * p, side_[1]);
    };
    Quadrature result;
    for (const double kink : kinks) {
        const double to = std::min(kink, high);
        addLegendre(result, low, to, order, density);
        low = std::max(low, to);
    }
    return result;
}

/// The Gauss rule of d.r; that of a product of rules is exact where theirs are.
Quadrature VoxelAverage::radialRule(int order) const {
    Quadrature plane;
    const Quadrature x = triangleRule(side_[0], order + 1);
    const Quadrature y = triangleRule(side_[1], order + 1);
    for (std::size_t i = 0; i < x.size(); ++i) {
        for (std::size_t j = 0; j < y.size(); ++j) {
            plane.add(-s_ * x.at[i] + c_ * y.at[j], x.weight[i] * y.weight[j]);
        }
    }
    return gaussRule(plane, order);
}

void VoxelAverage::makeFine(int order) {
    fine_ = radialRule(order);
    for (std::size_t k = 0; k < fine_.size(); ++k) {
        for (std::size_t m = 0; m < terms(); ++m) {
            basis_.push_back(fine_.weight[k] * lagrange(m, fine_.at[k]));
        }
    }
}

void VoxelAverage::makeHinges() {
    const double step = 2 * reach_ / kSamples;
    std::vector<double> density;  // at samples and between them
    for (int i = 0; i <= 2 * kSamples; ++i) {
        const Quadrature line = acrossGiven(-reach_ + 0.5 * step * i, 2);
        double sum = 0;
        for (const double w : line.weight) {
            sum += w;
        }
        density.push_back(sum);
    }
    hinges_.resize(terms());
    for (std::size_t m = 0; m < terms(); ++m) {
        Hinge& h = hinges_[m];
        const auto at = [&](std::size_t half) {
            // The density is even; d.r is turned round, so that profiles are met from below.
            return density[half] *
                   lagrange(terms() - 1 - m, -reach_ + 0.5 * step * static_cast<double>(half));
        };
        h.density.push_back(at(0));
        h.step.push_back(0);
        h.hinge.push_back(0);
        for (std::size_t i = 0; i < kSamples; ++i) {
            const double before = at(2 * i);
            const double between = at(2 * i + 1);
            const double after = at(2 * i + 2);
            h.hinge.push_back(h.hinge[i] + step * h.step[i] + step * step / 6 * (before + 2 * between));
            h.step.push_back(h.step[i] + step / 6 * (before + 4 * between + after));
            h.density.push_back(after);
        }
    }
}

double VoxelAverage::lagrange(std::size_t m, double t) const {
    double value = 1;
    for (std::size_t k = 0; k < nodes_.size(); ++k) {
        if (k != m) {
            value *= (t - nodes_.at[k]) / (nodes_.at[m] - nodes_.at[k]);
        }
    }
    return value;
}

namespace {

/// A cubic between two samples `step` apart with values a, b and slopes da, db, at fraction x.
double hermite(double a, double b, double da, double db, double step, double x) {
    const double y = 1 - x;
    return y * y * (1 + 2 * x) * a + x * x * (1 + 2 * y) * b + step * x * y * (y * da - x * db);
}

}  // namespace

double VoxelAverage::stepOf(std::size_t m, double y) const {
    const Hinge& h = hinges_[m];
    if (y <= -reach_) {
        return 0;
    }
    if (y >= reach_) {
        return h.step.back();
    }
    const double step = 2 * reach_ / kSamples;
    const double place = (y + reach_) / step;
    const std::size_t i = std::min(static_cast<std::size_t>(place), static_cast<std::size_t>(kSamples - 1));
    return hermite(h.step[i], h.step[i + 1], h.density[i], h.density[i + 1], step,
                   place - static_cast<double>(i));
}

double VoxelAverage::hingeOf(std::size_t m, double y) const {
    const Hinge& h = hinges_[m];
    if (y <= -reach_) {
        return 0;
    }
    if (y >= reach_) {
        return h.hinge.back() + (y - reach_) * h.step.back();
    }
    const double step = 2 * reach_ / kSamples;
    const double place = (y + reach_) / step;
    const std::size_t i = std::min(static_cast<std::size_t>(place), static_cast<std::size_t>(kSamples - 1));
    return hermite(h.hinge[i], h.hinge[i + 1], h.step[i], h.step[i + 1], step,
                   place - static_cast<double>(i));
}

/// Adds a measured profile: straight pieces are a step at each end and a hinge at every sample.
void VoxelAverage::profile(const RadialModel& model, int which, double q, double share,
                           std::span<double> out) const {
    const int first = model.first[which];
    const int last = model.first[which + 1] - 1;
    if (q + reach_ <= model.q[first] || q - reach_ >= model.q[last]) {
        return;
    }
    for (std::size_t m = 0; m < terms(); ++m) {
        double sum =
            model.w[first] * stepOf(m, q - model.q[first]) - model.w[last] * stepOf(m, q - model.q[last]);
        double slope = 0;
        for (int i = first; i <= last && q + reach_ > model.q[i]; ++i) {
            const double next = i == last ? 0 : (model.w[i + 1] - model.w[i]) / (model.q[i + 1] - model.q[i]);
            sum += (next - slope) * hingeOf(m, q - model.q[i]);
            slope = next;
        }
        out[m] += share * sum;
    }
}

/// radial_m of the profile of an id, at `inwards` mm towards the centre.
void VoxelAverage::shape(const RadialModel& model, int id, double inwards, std::span<double> out) const {
    std::fill(out.begin(), out.end(), 0.0);
    if (model.profiles > 0) {
        const ProfilePair pair = profilesAt(model, id);
        profile(model, pair.lower, inwards, 1 - pair.fraction, out);
        if (pair.fraction > 0) {
            profile(model, pair.lower + 1, inwards, pair.fraction, out);
        }
        return;
    }
    for (std::size_t k = 0; k < fine_.size(); ++k) {
        const double value = radialShape(model, id, inwards + fine_.at[k]);
        for (std::size_t m = 0; m < out.size(); ++m) {
            out[m] += value * basis_[k * out.size() + m];
        }
    }
}

void VoxelAverage::radial(const RadialModel& model, int row, double Q, std::span<double> out) const {
    if (!model.sided) {
        shape(model, row, Q, out);
        return;
    }
    const int ids = model.radialIds;
    if (row < ids) {  // the centre lies at -r: all is turned round, the order of the points, too
        shape(model, row, -Q, out);
        std::reverse(out.begin(), out.end());
    } else if (row < 2 * ids) {
        shape(model, row - ids, Q, out);
    } else {
        std::vector<double> mirror(out.size());
        shape(model, 0, -Q, mirror);
        shape(model, 0, Q, out);
        for (std::size_t m = 0; m < out.size(); ++m) {
            out[m] = 0.5 * (out[m] + mirror[out.size() - 1 - m]);
        }
    }
}

void VoxelAverage::along(Vec3 offset_mm, std::span<double> out) const {
    const double p = c_ * offset_mm.x + s_ * offset_mm.y;
    for (std::size_t m = 0; m < out.size(); ++m) {
        double sum = 0;
        for (std::size_t i = 0; i < across_[m].size(); ++i) {
            const double dp = p + across_[m].at[i];
            double column = 0;
            for (std::size_t j = 0; j < axial_.size(); ++j) {
                const double dz = offset_mm.z + axial_.at[j];
                const double t = (cosTilt_ * dp + sinTilt_ * dz) / sigmaTof_;
                const double a = (cosTilt_ * dz - sinTilt_ * dp) / sigmaAxial_;
                column += axial_.weight[j] * std::exp(-0.5 * (t * t + a * a));
            }
            sum += across_[m].weight[i] * column;
        }
        out[m] = sum;
    }
}

double axialGain(const KernelSpec& spec, const Lattice& lattice, int planes) {
    const double sigma = spec.sigmaAxial_mm();
    const double side = lattice.spacing_mm[2];
    if (spec.sampling == KernelSampling::Centre) {
        const double scaled = planes * side / sigma;
        return std::exp(-0.5 * scaled * scaled);
    }
    const Quadrature rule = triangleRule(side, orderOrRefuse(spec, "axially", side, sigma));
    const auto factor = [&](double z) {
        double sum = 0;
        for (std::size_t j = 0; j < rule.size(); ++j) {
            sum += rule.weight[j] * gaussianAt(z + rule.at[j], sigma);
        }
        return sum;
    };
    return factor(planes * side) / factor(0);
}

}  // namespace tof
