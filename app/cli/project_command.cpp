// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/console.h"
#include "app/cli/interrupt.h"
#include "app/cli/kernel_options.h"
#include "app/cli/lattice_options.h"
#include "app/cli/output_check.h"
#include "app/cli/project_report.h"
#include "app/cli/setting_options.h"
#include "app/cli/volume_options.h"
#include "recon/base/constants.h"
#include "recon/base/error.h"
#include "recon/io/format_table.h"
#include "recon/kernel/kernel_edit.h"

namespace tof {

namespace {

const std::string kPoints = "points:";  ///< begins an input of point sources
constexpr const char* kBoth = "both";

ProjectionKind kindOf(const std::string& operation) {
    return operation == "back" ? ProjectionKind::Back : ProjectionKind::Forward;
}

class ProjectCommand : public Command {
  public:
    void describe(Arguments& arguments) override {
        arguments.positional("IN", input_,
                             "Volume to project (HDF5, NIfTI or Interfile), or points:X,Y,Z;... in mm");
        arguments.positional("OUT", output_,
                             "Volume to write: .h5, .nii, .nii.gz or .hv; .json for a few voxels and figures",
                             Need::Optional);
        arguments.choice("op", operation_, {"forward", "back", kBoth}, "Which of the two adjoint maps",
                         Need::Required);
        arguments.number("azimuth", azimuth_deg_, -360, 360, "Azimuth of the view in degrees");
        arguments.number("tilt", tilt_deg_, -89, 89, "Tilt of the view in degrees");
        const SettingInfo& engine = settingInfo("engine");
        engines_ = engine.choices;
        engines_.emplace_back(kDefinition);
        arguments.choice("engine", a_.engine, engines_,
                         "Where it is computed; the definition sums the kernel's tables for point sources");
        describeSettings(
            arguments, settings_,
            {"strategy", "kernel", "spectrum", "pad", "kernel-error", "threads", "memory-limit", "device"});
        edits_.describe(arguments);
        lattice_.describe(arguments);
        describeVolumeOptions(arguments, volume_);
        describeStatedFactor(arguments, volume_);
        const std::string same = "the first's";
        const auto against = [&](const char* name, const char* value, std::string& target, const char* help) {
            arguments.custom(
                std::string("against-") + name, value, same,
                [this, &target](const std::string& text) {
                    target = text;
                    compared_ = true;
                },
                help);
        };
        against("op", "forward|back", againstOperation_, "Compare with this map");
        against("engine", "NAME", b_.engine, "Compare with this engine, or with the definition");
        against("strategy", "TEXT", b_.strategy, "Compare with this strategy");
        against("kernel", "TEXT", b_.kernel, "Compare with this kernel");
        arguments.integer("repeat", repeat_, 0, 100000,
                          "Time each projection so often after a warm-up, and give the median; 0 takes the "
                          "time of the one");
        arguments.flag("measure", measure_,
                       "Time every strategy of every engine, and test that forward and back are adjoint");
    }

    void run(CommandContext& context) override {
        check();
        const ProjectionInput input = readInput(context.console);
        ViewProjections projections(context.engines, settings_.engineOptions());
        ProjectionReport report;
        report.output = output_;
        for (const auto& pair : ways()) {
            project(context.engines, projections, pair, input, report);
        }
        for (const std::string& file : projectionFiles(report)) {
            if (!isPoints()) {
                refuseSameFile(input_, file);
            }
        }
        writeProjections(report);
        if (measure_) {
            measure(projections, input, report);
        }
        if (context.console.json()) {
            context.console.resultAsJson(projectionForm(report));
        } else {
            context.console.result(projectionText(report));
        }
    }

  private:
    /// What --engine and its like say of one side.
    struct Side {
        std::string engine = "auto";
        std::string strategy;
        std::string kernel;
    };
    struct Way {
        std::string label;
        Projecting how;
    };

    [[nodiscard]] bool isPoints() const { return input_.starts_with(kPoints); }
    [[nodiscard]] View view() const { return {azimuth_deg_ * kRadPerDeg, tilt_deg_ * kRadPerDeg}; }

    void check() const {
        if (!output_.empty()) {
            if (!isPoints()) {
                refuseSameFile(input_, output_);
            }
            requireWritable(output_);
        }
        if (!b_.engine.empty() && std::find(engines_.begin(), engines_.end(), b_.engine) == engines_.end()) {
            throw WrongUse("option --against-engine is '{}'; it must be one of {}", b_.engine,
                           fmt::join(engines_, ", "));
        }
        if (!againstOperation_.empty() && againstOperation_ != "forward" && againstOperation_ != "back") {
            throw WrongUse("option --against-op is '{}'; it must be one of forward, back", againstOperation_);
        }
        if (operation_ == kBoth && !againstOperation_.empty()) {
            throw WrongUse("--op both compares each map with itself; leave --against-op out");
        }
    }

    /// One or two ways of projecting, as often as there are maps to do.
    [[nodiscard]] std::vector<std::vector<Way>> ways() const {
        const KernelSpec kernel = edits_.applied(settings_.kernel());
        const auto a = [&](ProjectionKind kind) {
            return Projecting{kind, a_.engine, settings_.strategy, kernel};
        };
        const auto b = [&](ProjectionKind kind) {
            Projecting how = a(kind);
            how.engine = b_.engine.empty() ? how.engine : b_.engine;
            // A strategy belongs to its engine.
            how.strategy = !b_.strategy.empty() ? b_.strategy : b_.engine.empty() ? how.strategy : "";
            how.kernel = b_.kernel.empty() ? kernel : ownKernels().find(b_.kernel);
            return how;
        };
        if (operation_ == kBoth && !compared_) {
            return {{{"forward", a(ProjectionKind::Forward)}, {"back", a(ProjectionKind::Back)}}};
        }
        if (operation_ == kBoth) {
            return {{{"forward-a", a(ProjectionKind::Forward)}, {"forward-b", b(ProjectionKind::Forward)}},
                    {{"back-a", a(ProjectionKind::Back)}, {"back-b", b(ProjectionKind::Back)}}};
        }
        const ProjectionKind kind = kindOf(operation_);
        if (!compared_) {
            return {{{"", a(kind)}}};
        }
        return {{{"a", a(kind)}, {"b", b(againstOperation_.empty() ? kind : kindOf(againstOperation_))}}};
    }

    [[nodiscard]] ProjectionInput readInput(Console& console) const {
        ProjectionInput input;
        if (!isPoints()) {
            input.image = std::make_shared<const Volume>(readVolumeSaying(input_, volume_, console).volume);
            input.lattice = input.image->lattice;
            return input;
        }
        input.lattice = lattice_.lattice();
        const std::vector<Vec3> points = pointsFromText("IN", input_.substr(kPoints.size()));
        if (points.empty()) {
            throw WrongUse("IN names no point; write points:0,0,0 or more of them with ; between");
        }
        for (const Vec3& p : points) {
            const VoxelIndex voxel = nearestVoxel(input.lattice, p);
            const Vec3 off = p - input.lattice.centre(voxel[0], voxel[1], voxel[2]);
            const auto& h = input.lattice.spacing_mm;
            // Exactly between two voxels is inside; rounding may put it either way.
            constexpr double kHalf = 0.5 + 1e-9;
            if (std::abs(off.x) > kHalf * h[0] || std::abs(off.y) > kHalf * h[1] ||
                std::abs(off.z) > kHalf * h[2]) {
                throw WrongUse("the point ({:g}, {:g}, {:g}) mm lies outside the lattice {}", p.x, p.y, p.z,
                               input.lattice.text());
            }
            input.points.push_back(voxel);
        }
        return input;
    }

    /// The engine's device; throws Unavailable where there is no such engine.
    [[nodiscard]] static std::string deviceOf(const EngineRegistry& engines, const std::string& engine) {
        return engine == kDefinition ? "tables, in double" : engines.choose(engine)->device().name;
    }

    [[nodiscard]] static ComparedProjection made(const std::variant<Projection, Unsupported>& result) {
        ComparedProjection side;
        if (const auto* unsupported = std::get_if<Unsupported>(&result)) {
            side.whyNot = unsupported->why;
            return side;
        }
        const auto& p = std::get<Projection>(result);
        return {std::make_shared<const Volume>(p.volume), p.where, p.note, "", p.prepare_ms, p.project_ms};
    }

    void project(const EngineRegistry& engines, ViewProjections& projections, const std::vector<Way>& pair,
                 const ProjectionInput& input, ProjectionReport& report) const {
        const std::size_t first = report.projections.size();
        std::vector<std::string> devices;
        std::transform(pair.begin(), pair.end(), std::back_inserter(devices),
                       [&](const Way& way) { return deviceOf(engines, way.how.engine); });
        ProjectionComparison both;
        if (pair.size() == 2) {
            both = compareProjections(projections, {pair[0].how, pair[1].how}, input, view(),
                                      throwIfInterrupted);
        } else {
            both.sides[0] = made(projections.project(pair[0].how, input, view(), throwIfInterrupted));
        }
        for (std::size_t i = 0; i < pair.size(); ++i) {
            const Projecting& how = pair[i].how;
            if (!both.sides[i].whyNot.empty()) {
                throw Unavailable("engine '{}' cannot do this: {}", how.engine, both.sides[i].whyNot);
            }
            MadeProjection done{pair[i].label, how.kind, devices[i], both.sides[i], std::nullopt};
            if (repeat_ > 0) {
                done.timing = std::get<StrategyTiming>(
                    projections.time(how, input, view(), repeat_, throwIfInterrupted));
            }
            report.projections.push_back(done);
        }
        if (pair.size() == 2) {
            const std::string prefix = pair[0].label.find("-a") == std::string::npos
                                           ? std::string()
                                           : pair[0].label.substr(0, pair[0].label.size() - 1);
            report.differences.push_back(
                {prefix + "difference", first, first + 1, both.difference, *both.figures, both.peak});
        }
    }

    void measure(ViewProjections& projections, const ProjectionInput& input, ProjectionReport& report) const {
        constexpr int kRuns = 5;
        const KernelSpec kernel = edits_.applied(settings_.kernel());
        report.strategies =
            projections.timeAll(kernel, input, view(), repeat_ > 0 ? repeat_ : kRuns, throwIfInterrupted);
        const bool tables = a_.engine == kDefinition;
        const auto error = projections.adjointError(
            {ProjectionKind::Forward, tables ? "auto" : a_.engine, tables ? "" : settings_.strategy, kernel},
            input.lattice, view(), 1, throwIfInterrupted);
        if (const auto* value = std::get_if<double>(&error)) {
            report.adjointError = *value;
        }
    }

    std::string input_;
    std::string output_;
    std::string operation_;
    double azimuth_deg_ = 0;
    double tilt_deg_ = 0;
    std::vector<std::string> engines_;
    RunSettings settings_;
    KernelEdits edits_;
    LatticeOptions lattice_;
    VolumeReadOptions volume_;
    Side a_;
    Side b_{"", "", ""};
    std::string againstOperation_;
    bool compared_ = false;
    int repeat_ = 0;
    bool measure_ = false;
};

}  // namespace

std::unique_ptr<Command> makeProjectCommand() {
    return std::make_unique<ProjectCommand>();
}

}  // namespace tof
