// SPDX-License-Identifier: Apache-2.0
// Images of a scanner in Bq/ml, by a scan of a phantom whose activity is known.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "recon/base/lattice.h"
#include "recon/metrics/roi.h"

namespace tof {

/// What one unit of a run's image is, over each second of its scan. It holds for scans of the same scanner,
/// corrections, algorithm and nuclide: nothing but duration is accounted for.
struct Calibration {
    double factor = 0;                   ///< Bq/ml for one `units` per second
    std::string units{};                 ///< units of the run's images
    std::array<double, 3> spacing_mm{};  ///< voxels, where units count by them
    std::string scanner{};               ///< name of the scanner
    bool ofAnyScanner = false;           ///< nobody says whose it is: scanners are not compared
    std::string made{};                  ///< how, one sentence
};

/// An image of a scan, and what is said of that.
struct CalibrationScan {
    Volume image;
    double duration_s = 0;  ///< 0: not known
    std::string scanner{};  ///< name of the scanner
};

/// From a scan, which `source` names, and regions whose mean activity during it is known, in Bq/ml. Throws
/// BadInput for regions whose mean is not above 0.
[[nodiscard]] Calibration calibrationOf(const CalibrationScan& scan, const std::string& source,
                                        const std::vector<Roi>& rois, double activity_Bq_ml);
/// Why an image of such a scan does not become Bq/ml by a calibration, which `source` names, one sentence
/// without its subject; empty: it does. The image's values do not matter.
[[nodiscard]] std::string whyNotCalibrated(const Calibration& calibration, const std::string& units,
                                           const Lattice& lattice, const std::string& scanner,
                                           const std::string& source);

/// From an iterate of a run (0: its last) and regions whose mean activity during the scan is known, in Bq/ml.
/// Throws BadInput for a run that does not say how long it measured, and for regions whose mean is not above
/// 0, and what `heed` throws.
[[nodiscard]] Calibration calibrationOf(const std::string& run, int iteration, const std::vector<Roi>& rois,
                                        double activity_Bq_ml, const std::function<void()>& heed);

/// By the `Calibration factor` of CASToR, for images of `counts/mm` of lines that expect what CASToR has them
/// expect.
[[nodiscard]] Calibration calibrationOfCastor(double factor);
/// By the factor that the data's own file stated, for runs of `counts/mm` that say how long was measured;
/// none for other runs, and for what is no run.
[[nodiscard]] std::optional<Calibration> statedCalibration(const std::string& path);

/// The image of an iterate in Bq/ml, the mean of its scan. Throws BadInput for a run of another scanner,
/// units or voxels than the calibration, which `source` names, and what `heed` throws.
[[nodiscard]] Volume calibrated(const std::string& run, int iteration, const Calibration& calibration,
                                const std::string& source, const std::function<void()>& heed);

/// The text of a calibration's file.
[[nodiscard]] std::string calibrationText(const Calibration& calibration);
/// Reads that text. Throws BadInput, which names `source`.
[[nodiscard]] Calibration calibrationFrom(const std::string& text, const std::string& source);

/// Throws CannotWrite.
void writeCalibration(const std::string& path, const Calibration& calibration);
/// A file of ours, or a CASToR header with its calibration factor. Throws BadInput naming file and field.
[[nodiscard]] Calibration readCalibration(const std::string& path);

}  // namespace tof
