// SPDX-License-Identifier: Apache-2.0
// Runs on the host ask before every part of the data whether they are still wanted, however large a block is,
// and so does what finds the sensitivity of a list.
#include <QTest>
#include <memory>
#include <string>

#include "app/engines.h"
#include "recon/base/error.h"
#include "recon/binning/line_binning.h"
#include "recon/simulate/monte_carlo.h"
#include "recon/systems/histo/histo_measurement.h"
#include "recon/systems/lines/line_measurement.h"
#include "recon/work/reconstruct.h"
#include "tests/support/small_data.h"

namespace unwanted_test {

using namespace tof;
using namespace tof::test;

namespace {

/// Counts how often a stage of a run asks whether it is wanted; from a certain question on it is not.
class Asked : public JobListener {
  public:
    Asked(std::string stage, int wantedFor) : of_(std::move(stage)), wantedFor_(wantedFor) {}
    int questions = 0;
    int iterates = 0;

    void preparing(const std::string& what) override { stage_ = what; }
    void checkpoint() override {
        if (stage_ == of_ && ++questions > wantedFor_) {
            throw Cancelled();
        }
    }
    void iterateDone(Iterate) override { ++iterates; }

  private:
    std::string of_;
    std::string stage_;
    int wantedFor_;
};

constexpr int kAlways = 1 << 30;

/// Pairs of 12 modules of 24 crystals: more than 30 parts of a thousand pairs.
std::shared_ptr<const Measurement> listOfModules() {
    const Scanner scanner = Scanner::fromJson(
        R"({"name":"small","modules":{"count":12,"face_to_face_mm":300,"crystals":[4,6],"pitch_mm":[10,10]},)"
        R"("crystal_mm":[9.6,9.6,20],"attenuation_per_mm":0.0819,"acceptance_deg":20,"fov_diameter_mm":200,)"
        R"("timing_fwhm_ps":300})",
        "test");
    const Phantom phantom = Phantom::fromJson(
        R"({"name":"rod","shapes":[{"kind":"cylinder","centre_mm":[0,0,0],"radius_mm":40,"length_mm":50,"activity":1}]})",
        "test");
    const EventList events = simulate(scanner, phantom, {.events = 2000, .seed = 3}, ThreadPool(2), {});
    return std::make_shared<LineMeasurement>(
        listLines(events, scanner, timeBinsFor(scanner), Lattice::centred({20, 20, 6}, {8, 8, 10})));
}

}  // namespace

class UnwantedTest : public QObject {
    Q_OBJECT

    EngineRegistry engines_ = makeEngineRegistry();

    void run(const std::shared_ptr<const Measurement>& data, const std::string& algorithm, Asked& listener) {
        ReconstructRequest request;
        request.data = data;
        request.settings.set("engine", "cpu");
        request.settings.set("algorithm", algorithm);
        request.settings.set("iterations", "1");
        request.settings.set("threads", "1");  // of several threads the caller's alone asks, for its parts
        static_cast<void>(reconstruct(request, engines_, listener));
    }

  private slots:
    void aBlockAsksBeforeEveryPart() {
        const auto data = std::make_shared<HistoMeasurement>(smallData(KernelSpec::preset("invariant")));
        const auto views = static_cast<int>(data->viewCounts()[0] * data->viewCounts()[1]);
        // The sensitivity is a back projection of every view, and so is the one iteration.
        Asked wanted("sensitivities", kAlways);
        run(data, "mlem", wanted);
        QCOMPARE(wanted.iterates, 1);
        QVERIFY2(wanted.questions >= 2 * views, qPrintable(QString::number(wanted.questions)));

        for (const int last : {1, views + 2, 2 * views - 1}) {
            Asked unwanted("sensitivities", last);
            QVERIFY_EXCEPTION_THROWN(run(data, "mlem", unwanted), Cancelled);
            QCOMPARE(unwanted.questions, last + 1);
            QCOMPARE(unwanted.iterates, 0);
        }
    }

    void theSensitivityOfAListAsksBeforeEveryPart() {
        const std::shared_ptr<const Measurement> data = listOfModules();
        Asked wanted("data", kAlways);
        run(data, "osem", wanted);
        QVERIFY2(wanted.questions > 30, qPrintable(QString::number(wanted.questions)));

        for (const int last : {0, 15}) {
            Asked unwanted("data", last);
            QVERIFY_EXCEPTION_THROWN(run(data, "osem", unwanted), Cancelled);
        }
    }
};

QTEST_GUILESS_MAIN(UnwantedTest)

}  // namespace unwanted_test
#include "unwanted_test.moc"
