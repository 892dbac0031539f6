// SPDX-License-Identifier: Apache-2.0
#include "app/cli/kernel_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "app/cli/text_table.h"
#include "recon/base/constants.h"
#include "recon/base/error.h"
#include "recon/kernel/point_response.h"

namespace tof {

namespace {

using Json = nlohmann::ordered_json;

/// Radial FWHM of every id; null for measured kernels, whose profile is not described by one.
Json widthsForm(const KernelSpec& spec, const KernelTables& tables) {
    Json widths = Json::array();
    for (int id = 0; id < tables.radialIds; ++id) {
        const Json fwhm = spec.measured.empty() ? Json(radialFwhm(spec, id)) : Json();
        widths.push_back({{"id", id},
                          {"s_from_mm", id * spec.id_step_mm},
                          {"s_to_mm", (id + 1) * spec.id_step_mm},
                          {"radial_fwhm_mm", fwhm}});
    }
    return widths;
}

KernelMoments momentsOf(const KernelInView& k) {
    return kernelMoments(k.tables, k.lattice.spacing_mm, k.view, k.row);
}

float peakOf(const KernelInView& k) {
    const auto values = k.tables.row(k.row);
    return *std::max_element(values.begin(), values.end());
}

/// A plane of a volume as lines of whole numbers; `value` gives the number at (column, line).
template <typename Value>
std::string grid(int columns, int lines, const Value& value) {
    std::string text;
    int width = 1;
    for (int line = 0; line < lines; ++line) {
        for (int column = 0; column < columns; ++column) {
            width = std::max(width, static_cast<int>(fmt::formatted_size("{}", value(column, line))));
        }
    }
    for (int line = 0; line < lines; ++line) {
        text += '\n';
        for (int column = 0; column < columns; ++column) {
            text += fmt::format("{}{:>{}}", column == 0 ? "" : " ", value(column, line), width);
        }
    }
    return text;
}

}  // namespace

double KernelInView::rowRadius_mm() const {
    return (row + 0.5) * spec.id_step_mm;
}

KernelInView kernelInView(const KernelSpec& spec, const Lattice& lattice, View view, double radius_mm) {
    KernelInView k{spec, lattice, view, buildKernelTables(spec, lattice, view), 0};
    k.row = radialId(radius_mm, spec.id_step_mm);
    if (k.row >= k.tables.radialIds) {
        throw WrongUse("option --radius is {:g} mm; the lattice ends at |s| = {:g} mm in this view",
                       radius_mm, k.tables.radialIds * spec.id_step_mm);
    }
    return k;
}

Json kernelForm(const KernelInView& k) {
    Json taps = Json::array();
    for (const KernelTap& tap : k.tables.taps) {
        taps.push_back({tap.x, tap.y, tap.z});
    }
    Json values = Json::array();
    for (int row = 0; row < k.tables.rows; ++row) {
        const auto span = k.tables.row(row);
        values.push_back(std::vector<float>(span.begin(), span.end()));
    }
    const KernelMoments moments = momentsOf(k);
    const SupportAxes& support = k.tables.support;
    return Json{{"kernel", k.spec.json()},
                {"name", k.spec.name},
                {"azimuth_deg", k.view.phi / kRadPerDeg},
                {"tilt_deg", k.view.theta / kRadPerDeg},
                {"grid", k.lattice.size},
                {"spacing_mm", k.lattice.spacing_mm},
                {"radial_ids", k.tables.radialIds},
                {"rows", k.tables.rows},
                {"support_mm", {{"tof", support.tof}, {"radial", support.radial}, {"axial", support.axial}}},
                {"sampled",
                 {{"row", k.row},
                  {"s_mm", k.rowRadius_mm()},
                  {"sum", moments.sum},
                  {"largest", peakOf(k)},
                  {"fwhm_mm", moments.fwhm_mm},
                  {"mean_mm", moments.mean_mm}}},
                {"widths", widthsForm(k.spec, k.tables)},
                {"taps", taps},
                {"values", values},
                {"ids", k.tables.ids}};
}

std::string kernelSummary(const KernelInView& k) {
    const KernelMoments moments = momentsOf(k);
    const char* const symmetry = !k.spec.measured.empty() ? "measured"
                                 : k.spec.asymmetry       ? "asymmetric"
                                                          : "symmetric";
    return fmt::format(
        "kernel     {}\nview       azimuth {:g} deg, tilt {:g} deg\nlattice    {}\n"
        "family     {}, {}{}\nsupport    half-axes {:.2f} mm along TOF, {:.2f} mm radially, {:.2f} mm "
        "axially\n"
        "mSR        {} taps\nmSRval     {} rows of {} values, {:.1f} KiB\nLORmap     {} x {} ids\n"
        "sampled    at |s| = {:g} mm: sum {:.6f}, largest {:.6f}, FWHM {:.2f}, {:.2f}, {:.2f} mm along TOF, "
        "radially, axially",
        k.spec.name.empty() ? k.spec.toJson() : k.spec.name, k.view.phi / kRadPerDeg,
        k.view.theta / kRadPerDeg, k.lattice.text(), symmetry, k.spec.invariant() ? "invariant" : "variant",
        k.spec.sampling == KernelSampling::Voxel ? ", averaged over voxels" : "", k.tables.support.tof,
        k.tables.support.radial, k.tables.support.axial, k.tables.taps.size(), k.tables.rows,
        k.tables.taps.size(), static_cast<double>(k.tables.values.size() * sizeof(float)) / 1024.0,
        k.lattice.size[0], k.lattice.size[1], k.rowRadius_mm(), moments.sum, peakOf(k), moments.fwhm_mm[0],
        moments.fwhm_mm[1], moments.fwhm_mm[2]);
}

std::string kernelWidths(const KernelInView& k) {
    std::vector<std::vector<std::string>> rows{
        {"id", "|s| from mm", "to mm", "radial FWHM mm", "largest value"}};
    for (int id = 0; id < k.tables.radialIds; ++id) {
        const auto values = k.tables.row(id);
        rows.push_back({fmt::format("{}", id), fmt::format("{:g}", id * k.spec.id_step_mm),
                        fmt::format("{:g}", (id + 1) * k.spec.id_step_mm),
                        k.spec.measured.empty() ? fmt::format("{:.4f}", radialFwhm(k.spec, id)) : "measured",
                        fmt::format("{:.6f}", *std::max_element(values.begin(), values.end()))});
    }
    return textTable(rows);
}

std::string kernelSlices(const KernelInView& k) {
    const Volume v = kernelVolume(k.tables, k.lattice.spacing_mm, k.row);
    const int nx = v.lattice.size[0];
    const int ny = v.lattice.size[1];
    const int nz = v.lattice.size[2];
    const double perMille = 1000.0 / static_cast<double>(peakOf(k));
    const auto at = [&](int x, int y, int z) {
        return std::lround(perMille * static_cast<double>(v.at(x, y, z)));
    };
    const int mx = nx / 2;
    const int my = ny / 2;
    const int mz = nz / 2;
    return fmt::format(
               "at |s| = {:g} mm, per mille of the largest value {:.6f}\n\ntransverse: x to the right, "
               "y downwards",
               k.rowRadius_mm(), peakOf(k)) +
           grid(nx, ny, [&](int c, int l) { return at(c, l, mz); }) +
           "\n\ncoronal: x to the right, z upwards" +
           grid(nx, nz, [&](int c, int l) { return at(c, my, nz - 1 - l); }) +
           "\n\nsagittal: y to the right, z upwards" +
           grid(ny, nz, [&](int c, int l) { return at(mx, c, nz - 1 - l); });
}

std::string kernelIds(const KernelInView& k) {
    return fmt::format("kernel id of {} x {} columns of voxels: x to the right, y downwards",
                       k.lattice.size[0], k.lattice.size[1]) +
           grid(k.lattice.size[0], k.lattice.size[1], [&](int x, int y) {
               return k.tables.ids[static_cast<std::size_t>(y) * static_cast<std::size_t>(k.lattice.size[0]) +
                                   static_cast<std::size_t>(x)];
           });
}

std::string kernelTaps(const KernelInView& k) {
    std::vector<std::vector<std::string>> rows{{"tap", "x", "y", "z", "value"}};
    const auto values = k.tables.row(k.row);
    for (std::size_t t = 0; t < k.tables.taps.size(); ++t) {
        const KernelTap& tap = k.tables.taps[t];
        rows.push_back({fmt::format("{}", t), fmt::format("{}", tap.x), fmt::format("{}", tap.y),
                        fmt::format("{}", tap.z), fmt::format("{:.9g}", values[t])});
    }
    return textTable(rows);
}

}  // namespace tof
