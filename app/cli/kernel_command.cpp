// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/console.h"
#include "app/cli/lattice_options.h"
#include "app/cli/text_table.h"
#include "recon/core/constants.h"
#include "recon/kernel/kernel_tables.h"

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

Json tablesForm(const KernelSpec& spec, const Lattice& lattice, const View& view,
                const KernelTables& tables) {
    Json taps = Json::array();
    for (const KernelTap& tap : tables.taps) {
        taps.push_back({tap.x, tap.y, tap.z});
    }
    Json values = Json::array();
    for (int row = 0; row < tables.rows; ++row) {
        const auto span = tables.row(row);
        values.push_back(std::vector<float>(span.begin(), span.end()));
    }
    return Json{
        {"kernel", Json::parse(spec.toJson())},
        {"name", spec.name},
        {"azimuth_deg", view.phi / kRadPerDeg},
        {"tilt_deg", view.theta / kRadPerDeg},
        {"grid", lattice.size},
        {"spacing_mm", lattice.spacing_mm},
        {"radial_ids", tables.radialIds},
        {"rows", tables.rows},
        {"support_mm",
         {{"tof", tables.support.tof}, {"radial", tables.support.radial}, {"axial", tables.support.axial}}},
        {"widths", widthsForm(spec, tables)},
        {"taps", taps},
        {"values", values},
        {"ids", tables.ids}};
}

std::string summary(const KernelSpec& spec, const Lattice& lattice, const View& view,
                    const KernelTables& tables) {
    return fmt::format(
        "kernel     {}\nview       azimuth {:g} deg, tilt {:g} deg\nlattice    {}\n"
        "family     {}, {}\nsupport    half-axes {:.2f} mm along TOF, {:.2f} mm radially, {:.2f} mm axially\n"
        "mSR        {} taps\nmSRval     {} rows of {} values, {:.1f} KiB\nLORmap     {} x {} ids",
        spec.name.empty() ? spec.toJson() : spec.name, view.phi / kRadPerDeg, view.theta / kRadPerDeg,
        lattice.text(),
        !spec.measured.empty() ? "measured"
        : spec.asymmetry       ? "asymmetric"
                               : "symmetric",
        spec.invariant() ? "invariant" : "variant", tables.support.tof, tables.support.radial,
        tables.support.axial, tables.taps.size(), tables.rows, tables.taps.size(),
        static_cast<double>(tables.values.size() * sizeof(float)) / 1024.0, lattice.size[0], lattice.size[1]);
}

std::string idTable(const KernelSpec& spec, const KernelTables& tables) {
    std::vector<std::vector<std::string>> rows{
        {"id", "|s| from mm", "to mm", "radial FWHM mm", "largest value"}};
    for (int id = 0; id < tables.radialIds; ++id) {
        const auto values = tables.row(id);
        rows.push_back(
            {fmt::format("{}", id), fmt::format("{:g}", id * spec.id_step_mm),
             fmt::format("{:g}", (id + 1) * spec.id_step_mm),
             spec.measured.empty() ? fmt::format("{:.4f}", radialFwhm(spec, id)) : std::string("measured"),
             fmt::format("{:.6f}", *std::max_element(values.begin(), values.end()))});
    }
    return textTable(rows);
}

class KernelCommand : public Command {
  public:
    void describe(Arguments& arguments) override {
        arguments.positional("KERNEL", kernel_, "Preset name or JSON file");
        arguments.number("azimuth", azimuth_deg_, -360, 360, "Azimuth of the view in degrees");
        arguments.number("tilt", tilt_deg_, -89, 89, "Tilt of the view in degrees");
        lattice_.describe(arguments);
    }
    void run(CommandContext& context) override {
        const KernelSpec spec = KernelSpec::find(kernel_);
        const Lattice lattice = lattice_.lattice();
        const View view{azimuth_deg_ * kRadPerDeg, tilt_deg_ * kRadPerDeg};
        const KernelTables tables = buildKernelTables(spec, lattice, view);
        context.console.result(context.console.json()
                                   ? tablesForm(spec, lattice, view, tables).dump()
                                   : summary(spec, lattice, view, tables) + "\n\n" + idTable(spec, tables));
    }

  private:
    std::string kernel_;
    double azimuth_deg_ = 0;
    double tilt_deg_ = 0;
    LatticeOptions lattice_;
};

}  // namespace

std::unique_ptr<Command> makeKernelCommand() {
    return std::make_unique<KernelCommand>();
}

}  // namespace tof
