// SPDX-License-Identifier: Apache-2.0
// What the tests of NEMA NU 2 and NU 4 share: their scans, what they report and what was published beside it.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "recon/base/parallel.h"
#include "recon/experiment/experiment.h"
#include "recon/experiment/nema_request.h"
#include "recon/nema/published.h"
#include "recon/nema/slice_sinograms.h"
#include "recon/phantom/phantom.h"
#include "recon/scanner/scanner.h"
#include "recon/simulate/monte_carlo.h"

namespace tof {

inline constexpr const char* kNemaStandard = "NEMA NU 2-2018";
/// Activity of scans without losses. The host makes pairs, for which any would do. A card makes scans in
/// time, in steps of 8 ps at so little, and their randoms are left out.
inline constexpr double kNemaLow_MBq = 0.5;
inline constexpr std::uint64_t kNemaSeed = 1;

/// A simulated scan, whose events were counted as they came.
struct NemaScan {
    double duration_s = 0;
    SimulationReport pairs;
};

/// One bin for all that a slice counts.
[[nodiscard]] SinogramGrid sensitivitySlices(const Scanner& scanner);

/// One scanner under the standards' tests; what they find is added to its report. Not thread-safe.
class NemaRun {
  public:
    /// What gets events, part by part.
    using TakeEvents = std::function<void(const EventList&)>;

    /// Both outlive the run.
    NemaRun(const NemaRequest& request, const ExperimentContext& context);

    [[nodiscard]] const NemaRequest& request() const { return request_; }
    [[nodiscard]] const Scanner& scanner() const { return request_.scanner; }
    [[nodiscard]] const ExperimentContext& context() const { return context_; }
    [[nodiscard]] const ThreadPool& pool() const { return pool_; }
    /// Events of every scan.
    [[nodiscard]] std::uint64_t events() const { return events_; }
    [[nodiscard]] const std::vector<PublishedFigure>& published() const { return published_; }
    [[nodiscard]] ExperimentReport& report() { return report_; }

    /// Rates so low that nothing is lost and no randoms are there, as the standards want it.
    [[nodiscard]] Physics atLowRate() const;
    /// atLowRate() for a source in the air, held from beyond the scanner's end, with no bed under it.
    [[nodiscard]] Physics withoutBed() const;
    /// Prompts as they come, part by part. Throws what simulations, progress and `take` throw.
    NemaScan scan(const Scanner& scanner, const Phantom& phantom, const Physics& physics, double activity_MBq,
                  const TakeEvents& take);
    /// Events into sinograms as they come; `delayeds` (null: not wanted) gets those of the delayed window.
    NemaScan scan(const Scanner& scanner, const Phantom& phantom, const Physics& physics, double activity_MBq,
                  SliceSinograms& prompts, SliceSinograms* delayeds = nullptr);

    /// A test that begins takes progress from a share of the whole to another.
    void within(double from, double to);
    /// The share of the whole's progress that is reached `share` of the way through the test.
    [[nodiscard]] double progressAt(double share) const { return from_ + share * (to_ - from_); }
    /// Says what comes next, `share` of the way through the test.
    void begin(std::string what, double share);

    /// A figure of the standards by its key (nemaFigure()), beside what was published of it.
    void found(const std::string& key, double value);
    void note(std::string sentence) { report_.notes.push_back(std::move(sentence)); }
    void picture(ExperimentPicture made) { report_.pictures.push_back(std::move(made)); }
    /// Adds what another report says; its table where there is none yet.
    void take(ExperimentReport found);
    /// The report, with a check of the median error of what was published.
    [[nodiscard]] ExperimentReport finish();

  private:
    /// `late` (null: not wanted) gets what the delayed window has.
    NemaScan scanWith(const Scanner& scanner, const Phantom& phantom, const Physics& physics,
                      double activity_MBq, const TakeEvents& take, EventList* late);
    [[nodiscard]] bool byCard() const { return context_.engine == "cuda"; }

    const NemaRequest& request_;
    const ExperimentContext& context_;
    ThreadPool pool_;
    std::uint64_t events_;
    std::vector<PublishedFigure> published_;
    std::vector<std::pair<double, std::string>> errors_;
    ExperimentReport report_;
    std::string doing_;
    double from_ = 0;
    double to_ = 1;
    double done_ = 0;
};

/// NU 2-2018, section 3: points 1, 10 and 20 cm above the axis, in the middle and an eighth of the length
/// from an end. NU 4-2008, section 3: eight points, in the middle and a quarter of the length from there.
void nemaResolution(NemaRun& run);
void smallResolution(NemaRun& run);
/// NU 2-2018, section 5: a line in sleeves on the axis and 10 cm off, or lists of it that were measured.
void nemaSensitivity(NemaRun& run);
/// NU 4-2008, section 5: a point on the axis, at the middle and in steps to both ends.
void smallSensitivity(NemaRun& run);
/// NU 2-2018, section 4: the scatter phantom at a low activity, and its rates against activity.
void nemaScatterFraction(NemaRun& run);
void nemaCountRates(NemaRun& run);
/// NU 4-2008, section 4: both of the phantoms as long as a mouse and a rat.
void mouseRates(NemaRun& run);
void ratRates(NemaRun& run);
/// NU 2-2018, section 7: contrast of six spheres, background and lung of a simulated scan.
void nemaImageQuality(NemaRun& run);
/// NU 2-2018, section 6: errors of the scatter phantom's slices against its activity.
void nemaAccuracy(NemaRun& run);

}  // namespace tof
