// SPDX-License-Identifier: Apache-2.0
#include "recon/work/calibration.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "recon/base/error.h"
#include "recon/base/json_fields.h"
#include "recon/base/json_text.h"
#include "recon/base/text_file.h"
#include "recon/data/dynamic_image.h"
#include "recon/io/bytes/atomic_file.h"
#include "recon/io/castor/castor_events.h"
#include "recon/io/castor/castor_scanner.h"
#include "recon/io/format_table.h"
#include "recon/io/hdf5/run_io.h"
#include "recon/kinetics/parametric_images.h"

namespace tof {

namespace {

constexpr double kLargestFactor = 1e30;
constexpr const char* kStated = "calibration_factor";  // among what a run's settings say of its data

std::string scannerNameOf(const RunSummary& summary) {
    const nlohmann::json scanner = tryJson(summary.scannerJson);
    return scanner.is_object() && scanner.contains("name") && scanner["name"].is_string()
               ? scanner["name"].get<std::string>()
               : "";
}

CalibrationScan scanOf(const std::string& path, int iteration, const std::function<void()>& heed) {
    const RecognisedFile file = recognise(path, heed);
    if (file.kind() != FileKind::Run) {
        throw WrongUse("{}: is no run; calibrations are of runs, whose files say how long was measured",
                       path);
    }
    const RunSummary summary = readRunSummary(path);
    if (!(summary.totals.duration_s > 0)) {
        throw BadInput("{}: does not say how long was measured; reconstruct data that do (duration_s)", path);
    }
    CalibrationScan scan{iteration > 0 ? readIterate(path, iteration, heed) : file.readVolume(),
                         summary.totals.duration_s, scannerNameOf(summary)};
    if (scan.image.units.empty()) {
        scan.image.units = summary.units;
    }
    return scan;
}

bool countsByVoxel(const std::string& units) {
    return units.find("voxel") != std::string::npos;
}

Calibration castorCalibrationOf(const CastorHeader& header) {
    if (!header.has("Calibration factor")) {
        header.fail("Calibration factor", "is missing; give what 'calibrate' has written");
    }
    Calibration stated = calibrationOfCastor(castorCalibration(header));
    try {
        stated.scanner = castorScanner(header, "").scanner.name;
    } catch (const BadInput&) {
        stated.ofAnyScanner = true;  // the header names a file that is not beside it
    }
    return stated;
}

}  // namespace

/// CASToR expects duration x (the image's integral in mm) / (a line's factors x the calibration factor),
/// which is what images of counts/mm are but for duration and factor (oImageDimensionsAndQuantification.cc).
Calibration calibrationOfCastor(double factor) {
    return {factor,
            kCountsPerMm,
            {1, 1, 1},
            "",
            false,
            fmt::format("field 'Calibration factor' {:g}, which holds where a line expects what CASToR has "
                        "it expect: histograms, and lists binned with --corrections; decay and branching are "
                        "not corrected",
                        factor)};
}

Calibration calibrationOf(const CalibrationScan& scan, const std::string& source,
                          const std::vector<Roi>& rois, double activity_Bq_ml) {
    DynamicImage image;
    image.lattice = scan.image.lattice;
    image.frames = {{0, scan.duration_s}};
    image.values = {scan.image.data};
    double sum = 0;
    double volume_mm3 = 0;
    for (const RegionCurve& region : regionCurves(image, rois, {1.0})) {
        sum += region.volume_mm3 * region.means.front();
        volume_mm3 += region.volume_mm3;
    }
    if (!(volume_mm3 > 0 && sum > 0)) {
        throw BadInput("{}: has no activity in the regions; give regions within the phantom", source);
    }
    constexpr double kMm3PerMl = 1000;
    Calibration made;
    made.factor = activity_Bq_ml * scan.duration_s * volume_mm3 / sum;
    made.units = scan.image.units;
    made.spacing_mm = scan.image.lattice.spacing_mm;
    made.scanner = scan.scanner;
    made.made = fmt::format("{}: mean {:.6g} {} of {} regions, {:.4g} ml, over {:g} s is {:g} Bq/ml", source,
                            sum / volume_mm3, made.units, rois.size(), volume_mm3 / kMm3PerMl,
                            scan.duration_s, activity_Bq_ml);
    return made;
}

Calibration calibrationOf(const std::string& run, int iteration, const std::vector<Roi>& rois,
                          double activity_Bq_ml, const std::function<void()>& heed) {
    return calibrationOf(scanOf(run, iteration, heed), run, rois, activity_Bq_ml);
}

std::string whyNotCalibrated(const Calibration& calibration, const std::string& units, const Lattice& lattice,
                             const std::string& scanner, const std::string& source) {
    const auto differs = [&](const std::string& what, const std::string& here, const std::string& there) {
        return fmt::format("has {} '{}', '{}' was made with '{}'; make a calibration of this kind", what,
                           here, source, there);
    };
    if (!calibration.ofAnyScanner && scanner != calibration.scanner) {
        return differs("scanner", scanner, calibration.scanner);
    }
    if (units != calibration.units) {
        return differs("units", units, calibration.units);
    }
    const auto volume = [](const std::array<double, 3>& spacing) {
        return spacing[0] * spacing[1] * spacing[2];
    };
    const double here = volume(lattice.spacing_mm);
    const double there = volume(calibration.spacing_mm);
    return countsByVoxel(units) && std::abs(here - there) > 1e-6 * there
               ? differs("voxels of mm3", fmt::format("{:g}", here), fmt::format("{:g}", there))
               : "";
}

std::optional<Calibration> statedCalibration(const std::string& path) {
    if (recognise(path).kind() != FileKind::Run) {
        return std::nullopt;
    }
    const RunSummary summary = readRunSummary(path);
    const nlohmann::json settings = tryJson(summary.settingsJson);
    if (!settings.is_object() || !settings.contains(kStated) || summary.units != kCountsPerMm ||
        !(summary.totals.duration_s > 0)) {
        return std::nullopt;
    }
    const nlohmann::json& factor = settings[kStated];
    if (!factor.is_number() || !(factor.get<double>() > 0 && factor.get<double>() <= kLargestFactor)) {
        throw BadInput("{}: field '{}' of its settings is {}, which is no factor above 0; reconstruct again",
                       path, kStated, jsonText(factor));
    }
    Calibration stated = calibrationOfCastor(factor.get<double>());
    stated.scanner = scannerNameOf(summary);
    return stated;
}

Volume calibrated(const std::string& run, int iteration, const Calibration& calibration,
                  const std::string& source, const std::function<void()>& heed) {
    CalibrationScan scan = scanOf(run, iteration, heed);
    const std::string why =
        whyNotCalibrated(calibration, scan.image.units, scan.image.lattice, scan.scanner, source);
    if (!why.empty()) {
        throw BadInput("{}: {}", run, why);
    }
    const double factor = calibration.factor / scan.duration_s;
    for (float& value : scan.image.data) {
        value = static_cast<float>(factor * static_cast<double>(value));
    }
    scan.image.units = "Bq/ml";
    return std::move(scan.image);
}

std::string calibrationText(const Calibration& calibration) {
    const nlohmann::ordered_json form{
        {"kind", "calibration"},          {"bq_per_ml_per_unit_s", calibration.factor},
        {"units", calibration.units},     {"spacing_mm", calibration.spacing_mm},
        {"scanner", calibration.scanner}, {"made", calibration.made}};
    return jsonText(form, 2) + "\n";
}

void writeCalibration(const std::string& path, const Calibration& calibration) {
    writeTextAside(path, calibrationText(calibration));
}

Calibration readCalibration(const std::string& path) {
    constexpr std::size_t kLimit = 1U << 20U;
    const std::string text = readTextFile(path, kLimit);
    return isCastorHeader(text) ? castorCalibrationOf(CastorHeader(path)) : calibrationFrom(text, path);
}

Calibration calibrationFrom(const std::string& text, const std::string& source) {
    const nlohmann::json value = parseJson(text, source);
    const JsonFields fields(value, source,
                            {"kind", "bq_per_ml_per_unit_s", "units", "spacing_mm", "scanner", "made"});
    if (fields.text("kind") != "calibration") {
        throw BadInput("{}: field 'kind' is '{}', not 'calibration'; give what 'calibrate' has written",
                       source, fields.text("kind"));
    }
    Calibration calibration;
    calibration.factor = fields.number("bq_per_ml_per_unit_s", 1 / kLargestFactor, kLargestFactor);
    calibration.units = fields.text("units");
    calibration.scanner = fields.text("scanner");
    calibration.made = fields.text("made", "");
    const nlohmann::json& spacing = fields.raw("spacing_mm");
    if (!spacing.is_array() || spacing.size() != 3 ||
        !std::all_of(spacing.begin(), spacing.end(),
                     [](const auto& one) { return one.is_number() && one.template get<double>() > 0; })) {
        throw BadInput("{}: field 'spacing_mm' is not of 3 lengths; make the calibration again", source);
    }
    calibration.spacing_mm = spacing.get<std::array<double, 3>>();
    return calibration;
}

}  // namespace tof
