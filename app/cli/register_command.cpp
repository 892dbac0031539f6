// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/console.h"
#include "app/cli/interrupt.h"
#include "app/cli/move_options.h"
#include "app/cli/output_check.h"
#include "app/cli/volume_options.h"
#include "recon/base/error.h"
#include "recon/io/convert.h"
#include "recon/register/moved_image.h"
#include "recon/register/rigid_fit.h"
#include "recon/register/transform_file.h"

namespace tof {

namespace {

/// Finds where an image belongs on another one, or takes it from a person.
class RegisterCommand : public Command {
  public:
    void describe(Arguments& arguments) override {
        arguments.positional("MOVING", moving_, "Image that is laid onto another one: a volume or a run");
        arguments.text("to", fixed_, "Image that stays where it is", Need::Required);
        arguments.text(
            "out", output_,
            "Transform to write: .tfm or .txt as ITK has it, .tsv or .json as a pose of a tracker");
        arguments.text("resampled", resampled_, "Volume to write: MOVING on the lattice of the other image");
        arguments.choice("by", by_, {"information", "hand"},
                         "information: from --turn and --shift on by mutual information; hand: those alone");
        start_.describePlace(arguments);
        describeVolumeOptions(arguments, volume_);
        describeStatedFactor(arguments, volume_);
    }

    void run(CommandContext& context) override {
        requireOutputs();
        const Volume moving = readVolumeSaying(moving_, volume_, context.console).volume;
        const Volume fixed = readVolumeSaying(fixed_, {}, context.console).volume;
        const ThreadPool pool(0, Priority::Normal, throwIfInterrupted);
        RigidFit fit;
        fit.place = poseOf(start_.move().by, middleOf(moving.lattice));
        if (by_ == "information") {
            ProgressBar bar(context.console, "register");
            fit = fitRigid(moving, fixed, fit.place, pool, [&](double share) {
                throwIfInterrupted();
                bar.update(share);
            });
        }
        write(moving, fixed, fit.place, pool);
        tell(context.console, fit, placeOf(fit.place, middleOf(moving.lattice)));
    }

  private:
    void requireOutputs() const {
        if (output_.empty() && resampled_.empty()) {
            throw WrongUse("nothing would be kept; give --out FILE.tfm, --resampled FILE, or both");
        }
        if (!output_.empty() && !isTransformName(output_)) {
            throw WrongUse("option --out is '{}'; a transform is written as .tfm, .txt, .tsv or .json",
                           output_);
        }
        for (const std::string& output : {output_, resampled_}) {
            if (!output.empty()) {
                requireWritable(output);
                refuseSameFile(moving_, output);
                refuseSameFile(fixed_, output);
            }
        }
    }

    void write(const Volume& moving, const Volume& fixed, const Pose& place, const ThreadPool& pool) const {
        if (!output_.empty()) {
            writeTransform(output_, place);
        }
        if (!resampled_.empty()) {
            static_cast<void>(writeImage({resampled_, throwIfInterrupted},
                                         movedImage(moving, place, fixed.lattice, samplingOf(moving), pool),
                                         {}));
        }
    }

    void tell(Console& console, const RigidFit& fit, const RigidPlace& place) const {
        if (console.json()) {
            const auto list = [](Vec3 v) { return nlohmann::ordered_json{v.x, v.y, v.z}; };
            nlohmann::ordered_json said{{"shift_mm", list(place.shift_mm)},
                                        {"turn_deg", list(place.turn_deg)}};
            if (by_ == "information") {
                said["information_nats"] = fit.information;
                said["covered"] = fit.inside;
                said["steps"] = fit.steps;
            }
            console.resultAsJson(said);
            return;
        }
        const Vec3 t = place.shift_mm;
        const Vec3 r = place.turn_deg;
        console.note(fmt::format(
            "shift {:.2f}, {:.2f}, {:.2f} mm; turn about x {:.2f}, y {:.2f}, z {:.2f} degrees{}", t.x, t.y,
            t.z, r.x, r.y, r.z,
            by_ == "information" ? fmt::format("; {:.3f} nats, {:.0f} % of the other image covered",
                                               fit.information, 100 * fit.inside)
                                 : std::string()));
    }

    std::string moving_;
    std::string fixed_;
    std::string output_;
    std::string resampled_;
    std::string by_ = "information";
    MoveOptions start_;
    VolumeReadOptions volume_;
};

}  // namespace

std::unique_ptr<Command> makeRegisterCommand() {
    return std::make_unique<RegisterCommand>();
}

}  // namespace tof
