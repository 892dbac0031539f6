// SPDX-License-Identifier: Apache-2.0
// A kernel averaged over a source voxel filled evenly and a target voxel (docs/model.md section 2,
// "sampling").
#pragma once

#include <array>
#include <span>
#include <vector>

#include "recon/base/lattice.h"
#include "recon/base/view.h"
#include "recon/kernel/kernel_spec.h"
#include "recon/kernel/quadrature.h"
#include "recon/kernel/radial_model.h"

namespace tof {

/// The displacement d between a point of one voxel and a point of the other, less that of their centres, has
/// a triangle of the voxel's side as its density along each of x, y and z. With R(q) the radial profile and
/// W(p, z) the factor along the lines and axially, p along the lines in the transverse plane,
///
///     value(M) = E[R(M.r + d.r) W(M.p + d.p, M.z + d.z)]
///
/// and since z is independent of the plane and W varies little across a voxel, its mean over all d with
/// d.r = t is a function of t that a few Gauss points t_m (of the density of d.r) and their Lagrange
/// polynomials l_m hold:
///
///     value(M) = sum over m of along_m(M) radial_m(M.r)
///     along_m(M) = E[W(M.p + d.p, M.z + d.z) | d.r = t_m],  radial_m(Q) = E[l_m(d.r) R(Q + d.r)]
///
/// along_m by Gauss points of d.p and d.z, radial_m by Gauss points of d.r for Gaussians and exactly for
/// profiles of straight pieces. Their numbers follow the widths; together they leave less than 1e-4 of the
/// peak (voxel_sampling_test). One view's; immutable, share between threads.
class VoxelAverage {
  public:
    /// `narrowest_mm`: sigma of the narrowest radial Gaussian. Throws BadInput where a width is too far below
    /// the voxel.
    VoxelAverage(const KernelSpec& spec, const Lattice& lattice, const View& view, double narrowest_mm);

    /// M: the terms of the sum above, 1 or more.
    [[nodiscard]] std::size_t terms() const { return nodes_.size(); }
    /// along_m of an offset of (x, y, z) mm; `out` has terms() elements.
    void along(Vec3 offset_mm, std::span<double> out) const;
    /// radial_m of a row of the table at Q mm along +r, unnormalised; `model` is of the same kernel.
    void radial(const RadialModel& model, int row, double Q, std::span<double> out) const;

  private:
    /// The integral of l_m of the density of d.r against hinges (x)_+ and steps, tabulated.
    struct Hinge {
        std::vector<double> density;  ///< [sample]
        std::vector<double> step;     ///< its first integral
        std::vector<double> hinge;    ///< and its second
    };

    [[nodiscard]] Quadrature acrossGiven(double t, int order) const;
    [[nodiscard]] Quadrature radialRule(int order) const;
    void makeFine(int order);
    void makeHinges();
    [[nodiscard]] double lagrange(std::size_t m, double t) const;
    [[nodiscard]] double stepOf(std::size_t m, double y) const;
    [[nodiscard]] double hingeOf(std::size_t m, double y) const;
    void profile(const RadialModel& model, int which, double q, double share, std::span<double> out) const;
    void shape(const RadialModel& model, int id, double inwards, std::span<double> out) const;

    double sigmaTof_;
    double sigmaAxial_;
    std::array<double, 3> side_;  ///< side of the voxel, mm
    double c_;                    ///< cosine and sine of the azimuth
    double s_;
    double cosTilt_;
    double sinTilt_;
    double reach_;                    ///< largest |d.r|
    Quadrature nodes_;                ///< t_m
    std::vector<Quadrature> across_;  ///< d.p at each t_m
    Quadrature axial_;                ///< d.z
    Quadrature fine_;                 ///< the rule of d.r, for Gaussians
    std::vector<double> basis_;       ///< [fine][m]: weight times l_m
    std::vector<Hinge> hinges_;       ///< [m], for profiles
};

/// The axial factor of an untilted view at `planes` planes from the source, relative to that at 0: all taps
/// above one another are the middle one's value times it.
[[nodiscard]] double axialGain(const KernelSpec& spec, const Lattice& lattice, int planes);

/// Variance along a unit vector of the displacement between evenly spread points of two voxels, mm^2.
[[nodiscard]] double voxelVariance(const Lattice& lattice, Vec3 direction);

}  // namespace tof
