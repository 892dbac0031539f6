// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/console.h"
#include "app/cli/interrupt.h"
#include "app/cli/lattice_options.h"
#include "app/cli/output_check.h"
#include "app/cli/text_table.h"
#include "recon/base/constants.h"
#include "recon/base/error.h"
#include "recon/binning/point_sources.h"
#include "recon/forms/form/list_scanner.h"
#include "recon/io/bytes/atomic_file.h"
#include "recon/kernel/kernel_edit.h"
#include "recon/kernel/point_response.h"

namespace tof {

namespace {

using Json = nlohmann::ordered_json;

constexpr double kWindowInFwhm = 1.7;      // four standard deviations
constexpr double kUnknownTiming_ps = 700;  // a scanner that does not state its own has this
constexpr int kRefinements = 4;

Json form(const Estimate& estimate) {
    return {{"value", estimate.value}, {"sd", estimate.sd}};
}

std::string text(const Estimate& estimate, double unit = 1) {
    return fmt::format("{:.2f} +- {:.2f}", estimate.value / unit, estimate.sd / unit);
}

/// Standard deviation of a profile's highest knot, as a share of it.
double topError(const MeasuredProfile& profile) {
    const auto top = std::max_element(profile.w.begin(), profile.w.end());
    return profile.sd[static_cast<std::size_t>(top - profile.w.begin())] / *top;
}

class MeasureKernelCommand : public Command {
  public:
    void describe(Arguments& arguments) override {
        arguments.positional("LIST", input_, "List-mode of point sources");
        arguments.positional("OUT", output_, "Kernel file to write (.json), for --kernel");
        arguments.text("points", points_,
                       "Where the sources are: a phantom (name or JSON file), or x,y,z;x,y,z;... in mm; left "
                       "out: the phantom that the list names");
        arguments.flag("refine", refine_, "First move each source to where its lines meet");
        arguments.choice(
            "fit", fit_, {"measured", "variant", "asymmetric"},
            "Radial widths as measured profiles, as one Gaussian per radius, or as two whose ratio, "
            "shift and mean follow straight lines in |s|");
        arguments.number("band", settings_.band_mm, 1, 1000, "|s| in mm that one radius band spans");
        arguments.number("window", settings_.window_mm, 1, 500,
                         "Largest distance of an event from its source across the line, mm");
        arguments.number("tof-window", tofWindow_ps_, 0, 10000,
                         "And along the line, ps; 0 takes 1.7 times the scanner's time resolution");
        arguments.integer("knots", settings_.knots, 5, 101, "Knots of a measured profile");
        arguments.number("least-events", settings_.leastEvents, 100, 1e12,
                         "Radius bands with fewer events are left out");
        arguments.choice(
            "deposit", deposit_, {"face", "centre"},
            "Where events end in their crystals, as bin has it: spread evenly over the faces, or at "
            "the centres");
        arguments.text("scanner", scanner_,
                       "Scanner when the list only names it: built-in name or geometry file");
        arguments.flag("partial", partial_, "Read a truncated list as far as it goes");
        arguments.integer("threads", threads_, 0, 1024, "Threads; 0 takes every core");
    }

    void run(CommandContext& context) override {
        requireWritable(output_);
        refuseSameFile(input_, output_);
        const RecognisedFile file = recognise(input_, throwIfInterrupted);
        const ListReadResult list = file.readEvents({partial_, scanner_});
        if (!list.note.empty()) {
            context.console.note(list.note);
        }
        ListScanner scannerOfList(list.events, file, scanner_);
        const Scanner& scanner = scannerOfList.used();
        std::vector<Vec3> sources = readSources(list.events);
        requireInside(sources, scanner);
        settings_.fit = fit_ == "variant"      ? RadialFit::Variant
                        : fit_ == "asymmetric" ? RadialFit::Asymmetric
                                               : RadialFit::Measured;
        const double timing = scanner.timing_fwhm_ps > 0 ? scanner.timing_fwhm_ps : kUnknownTiming_ps;
        settings_.tofWindow_mm = kMmPerPs * (tofWindow_ps_ > 0 ? tofWindow_ps_ : kWindowInFwhm * timing);
        const PointOffsets offsets = collect(context.console, list.events, scanner, sources);
        const KernelMeasurement measured = measuredKernel(offsets);
        writeTextAside(output_, measured.kernel.toJson() + "\n");
        report(context.console, offsets, measured);
    }

  private:
    [[nodiscard]] std::vector<Vec3> readSources(const EventList& events) const {
        if (points_.empty()) {
            if (events.phantom.empty()) {
                throw BadInput("{}: the list does not say where its sources are; say it with --points",
                               input_);
            }
            return pointSources(Phantom::fromNameOrText(events.phantom, input_ + ", attribute 'phantom'"),
                                input_);
        }
        const bool numbers = points_.find_first_not_of("0123456789+-.,;eE ") == std::string::npos;
        return numbers ? pointsFromText("--points", points_)
                       : pointSources(Phantom::find(points_), "--points");
    }

    PointOffsets collect(Console& console, const EventList& events, const Scanner& scanner,
                         std::vector<Vec3> sources) const {
        const ThreadPool pool(threads_, Priority::Normal, throwIfInterrupted);
        const EndPointRule endPoints{deposit_ == "face" ? EndPoints::Face : EndPoints::Centre, 1};
        const int rounds = refine_ ? kRefinements + 1 : 1;
        ProgressBar bar(console, "measure");
        for (int round = 0;; ++round) {
            PointOffsets offsets = collectOffsets(
                events, scanner, sources, settings_, pool,
                [&](double share) {
                    throwIfInterrupted();
                    bar.update((round + share) / rounds);
                },
                endPoints);
            if (round + 1 == rounds) {
                return offsets;
            }
            sources = offsets.meetingPoints();
        }
    }

    void report(Console& console, const PointOffsets& offsets, const KernelMeasurement& measured) const {
        if (console.json()) {
            console.resultAsJson(jsonOf(offsets, measured));
            return;
        }
        std::vector<std::vector<std::string>> rows{{"|s| mm", "mean", "events", "radial FWHM mm",
                                                    "axial FWHM mm", "TOF FWHM ps", "mean offset mm",
                                                    "skewness"}};
        const bool profiles = !measured.kernel.measured.empty();
        if (profiles) {
            rows.front().insert(rows.front().end(), {"profile FWHM mm", "SD at its top"});
        }
        std::size_t profile = 0;
        for (const RadiusBand& band : measured.bands) {
            std::vector<std::string> row{fmt::format("{:g} to {:g}", band.from_mm, band.to_mm),
                                         fmt::format("{:.1f}", band.s_mm),
                                         fmt::format("{:.0f}", band.events)};
            if (band.used) {
                row.insert(row.end(), {text(band.radial.fwhm), text(band.axial.fwhm),
                                       text(band.tof.fwhm, kMmPerPs), text(band.mean), text(band.skewness)});
                if (profiles) {
                    const MeasuredProfile& own = measured.kernel.measured[profile];
                    row.insert(row.end(),
                               {text(measuredFwhm(own)), fmt::format("{:.1f} %", 100 * topError(own))});
                    ++profile;
                }
            } else {
                row.insert(row.end(), {"too few", "", "", "", ""});
            }
            rows.push_back(row);
        }
        console.result(textTable(rows));
        console.result(
            fmt::format("TOF {} ps, axial {} mm, from {} of {} events and {} sources; {} left out "
                        "because another source lies on their line",
                        text(measured.tof.fwhm, kMmPerPs), text(measured.axial.fwhm), offsets.used(),
                        offsets.events(), offsets.sources().size(), offsets.ambiguous()));
        if (measured.twoGaussians) {
            const TwoGaussians& two = *measured.twoGaussians;
            const auto line = [](const LineEstimate& e) {
                return e.slope.sd > 0 ? fmt::format("{} and {} per 100 mm", text(e.atCentre),
                                                    text({100 * e.slope.value, 100 * e.slope.sd}))
                                      : text(e.atCentre);
            };
            console.result(fmt::format("two Gaussians: ratio {}, shift in sigma {}, mean in mm {}",
                                       line(two.ratio), line(two.shift), line(two.centre)));
        }
        if (!measured.note.empty()) {
            console.note(measured.note);
        }
        console.note(fmt::format("wrote {}", output_));
    }

    [[nodiscard]] Json jsonOf(const PointOffsets& offsets, const KernelMeasurement& measured) const {
        Json bands = Json::array();
        std::size_t profile = 0;
        for (const RadiusBand& band : measured.bands) {
            Json row{{"from_mm", band.from_mm},
                     {"to_mm", band.to_mm},
                     {"s_mm", band.s_mm},
                     {"events", band.events},
                     {"used", band.used}};
            if (band.used) {
                row["radial_fwhm_mm"] = form(band.radial.fwhm);
                row["axial_fwhm_mm"] = form(band.axial.fwhm);
                row["tof_fwhm_mm"] = form(band.tof.fwhm);
                row["mean_mm"] = form(band.mean);
                row["skewness"] = form(band.skewness);
                row["background_per_mm"] = band.radial.background;
                if (!measured.kernel.measured.empty()) {
                    row["profile_fwhm_mm"] = form(measuredFwhm(measured.kernel.measured[profile]));
                    ++profile;
                }
            }
            bands.push_back(row);
        }
        Json sources = Json::array();
        for (const Vec3& p : offsets.sources()) {
            sources.push_back({p.x, p.y, p.z});
        }
        Json result{{"output", output_},
                    {"fit", fit_},
                    {"events", offsets.events()},
                    {"used", offsets.used()},
                    {"ambiguous", offsets.ambiguous()},
                    {"sources_mm", sources},
                    {"tof_fwhm_mm", form(measured.tof.fwhm)},
                    {"axial_fwhm_mm", form(measured.axial.fwhm)},
                    {"bands", bands}};
        if (measured.twoGaussians) {
            const auto line = [](const LineEstimate& e) {
                return Json{{"at_centre", form(e.atCentre)}, {"slope_per_mm", form(e.slope)}};
            };
            result["ratio"] = line(measured.twoGaussians->ratio);
            result["shift"] = line(measured.twoGaussians->shift);
            result["centre_mm"] = line(measured.twoGaussians->centre);
        }
        if (!measured.note.empty()) {
            result["note"] = measured.note;
        }
        result["kernel"] = measured.kernel.json();
        return result;
    }

    std::string input_;
    std::string output_;
    std::string points_;
    bool refine_ = false;
    std::string fit_ = "measured";
    PointMeasureSettings settings_;
    double tofWindow_ps_ = 0;
    std::string deposit_ = nameOf(EndPoints::Face);
    std::string scanner_;
    bool partial_ = false;
    int threads_ = 0;
};

}  // namespace

std::unique_ptr<Command> makeMeasureKernelCommand() {
    return std::make_unique<MeasureKernelCommand>();
}

}  // namespace tof
