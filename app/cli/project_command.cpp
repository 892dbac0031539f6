// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <chrono>
#include <nlohmann/json.hpp>

#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/console.h"
#include "app/cli/output_check.h"
#include "app/cli/setting_options.h"
#include "recon/core/constants.h"
#include "recon/io/volume_io.h"

namespace tof {

namespace {

class ProjectCommand : public Command {
  public:
    void describe(Arguments& arguments) override {
        arguments.positional("IN", input_, "Volume to project: HDF5, NIfTI or Interfile");
        arguments.positional("OUT", output_, "Volume to write: .h5, .nii, .nii.gz or .hv");
        arguments.choice("op", operation_, {"forward", "back"}, "Which of the two adjoint maps",
                         Need::Required);
        arguments.number("azimuth", azimuth_deg_, -360, 360, "Azimuth of the view in degrees");
        arguments.number("tilt", tilt_deg_, -89, 89, "Tilt of the view in degrees");
        describeSettings(
            arguments, settings_,
            {"engine", "strategy", "kernel", "spectrum", "pad", "threads", "memory-limit", "device"});
    }

    void run(CommandContext& context) override {
        refuseSameFile(input_, output_);
        const std::shared_ptr<const Engine> engine = context.engines.choose(settings_.get("engine"));
        const View view{azimuth_deg_ * kRadPerDeg, tilt_deg_ * kRadPerDeg};
        const DirectModel model{{}, {view}, settings_.kernel()};
        Volume volume = readVolume(input_);
        const double seconds = project(*engine, model, volume);
        writeVolume(output_, volume);
        report(context.console, *engine, seconds);
    }

  private:
    /// Replaces the volume by its projection; returns the seconds of the projection alone.
    double project(const Engine& engine, DirectModel model, Volume& volume) const {
        using Clock = std::chrono::steady_clock;
        model.lattice = volume.lattice;
        const EngineOptions options = settings_.engineOptions();
        const std::shared_ptr<Space> space = engine.makeSpace(options);
        const std::unique_ptr<Projector> projector = requireProjector(engine, model, space, options);
        Array in = space->allocate(volume.data.size());
        Array out = space->allocate(volume.data.size());
        space->upload(volume.data, in.view());
        space->finish();
        const Clock::time_point start = Clock::now();
        if (operation_ == "forward") {
            projector->forward(0, in.view(), out.view());
        } else {
            projector->back(0, in.view(), out.view(), Write::Overwrite);
        }
        space->finish();
        const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
        space->download(out.view(), volume.data);
        return seconds;
    }

    void report(Console& console, const Engine& engine, double seconds) const {
        const std::string device = engine.device().name;
        if (console.json()) {
            const nlohmann::ordered_json form{{"output", output_},
                                              {"operation", operation_},
                                              {"engine", engine.name()},
                                              {"device", device},
                                              {"projection_ms", 1e3 * seconds}};
            console.resultAsJson(form);
        } else {
            console.note(fmt::format("{}: {} projection by {} ({}) in {:.2f} ms", output_, operation_,
                                     engine.name(), device, 1e3 * seconds));
        }
    }

    std::string input_;
    std::string output_;
    std::string operation_;
    double azimuth_deg_ = 0;
    double tilt_deg_ = 0;
    RunSettings settings_;
};

}  // namespace

std::unique_ptr<Command> makeProjectCommand() {
    return std::make_unique<ProjectCommand>();
}

}  // namespace tof
