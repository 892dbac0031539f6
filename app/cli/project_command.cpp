// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <chrono>
#include <nlohmann/json.hpp>

#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/console.h"
#include "app/cli/lattice_options.h"
#include "recon/core/constants.h"
#include "recon/core/error.h"
#include "recon/io/volume_io.h"

namespace tof {

namespace {

Padding paddingFromText(const std::string& text) {
    Padding padding;
    if (text == "off") {
        padding.mode = Padding::Mode::Off;
    } else if (text != "auto") {
        constexpr int kMost = 4096;
        const std::vector<int> sizes = sizesFromText("--pad", text, 3, 0, kMost);
        padding.mode = Padding::Mode::ByHand;
        std::copy(sizes.begin(), sizes.end(), padding.voxels);
    }
    return padding;
}

class ProjectCommand : public Command {
  public:
    void describe(Arguments& arguments) override {
        arguments.positional("IN", input_, "Volume to project: HDF5, NIfTI or Interfile");
        arguments.positional("OUT", output_, "Volume to write: .h5, .nii, .nii.gz or .hv");
        arguments.choice("op", operation_, {"forward", "back"}, "Which of the two adjoint maps",
                         Need::Required);
        arguments.text("engine", engine_, "Engine: auto, cpu, fftw, cuda or cufft; see 'devices'");
        arguments.text("strategy", options_.strategy, "Strategy of the engine; empty takes its default");
        arguments.text("kernel", kernel_, "SR kernel: preset name or JSON file", Need::Required);
        arguments.number("azimuth", azimuth_deg_, -360, 360, "Azimuth of the view in degrees");
        arguments.number("tilt", tilt_deg_, -89, 89, "Tilt of the view in degrees");
        arguments.choice("spectrum", spectrum_, {"sampled", "analytic"},
                         "What Fourier engines multiply with");
        arguments.custom(
            "pad", "off|auto|XxYxZ", "auto",
            [this](const std::string& text) { options_.padding = paddingFromText(text); },
            "Zero padding of Fourier engines, voxels when by hand");
        arguments.integer("threads", options_.threads, 0, 1024,
                          "Threads of host engines; 0 takes every core");
    }

    void run(CommandContext& context) override {
        options_.spectrum = spectrum_ == "analytic" ? Spectrum::Analytic : Spectrum::Sampled;
        const std::shared_ptr<const Engine> engine = context.engines.choose(engine_);
        const DirectModel model{
            {}, {View{azimuth_deg_ * kRadPerDeg, tilt_deg_ * kRadPerDeg}}, KernelSpec::find(kernel_)};
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
        const std::shared_ptr<Space> space = engine.makeSpace(options_);
        const std::unique_ptr<Projector> projector = requireProjector(engine, model, space, options_);
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
            console.result(form.dump(2));
        } else {
            console.note(fmt::format("{}: {} projection by {} ({}) in {:.2f} ms", output_, operation_,
                                     engine.name(), device, 1e3 * seconds));
        }
    }

    std::string input_;
    std::string output_;
    std::string operation_;
    std::string engine_ = "auto";
    std::string kernel_;
    std::string spectrum_ = "sampled";
    double azimuth_deg_ = 0;
    double tilt_deg_ = 0;
    EngineOptions options_;
};

}  // namespace

std::unique_ptr<Command> makeProjectCommand() {
    return std::make_unique<ProjectCommand>();
}

}  // namespace tof
