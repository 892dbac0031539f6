// SPDX-License-Identifier: Apache-2.0
// Randoms of sinograms and lists of a scan whose blocks are dead at times, against those that were simulated.
#include <QTest>
#include <QtCore/QTemporaryDir>
#include <cmath>
#include <memory>
#include <numeric>

#include "recon/base/error.h"
#include "recon/binning/line_binning.h"
#include "recon/corrections/line_corrections.h"
#include "recon/corrections/randoms_of_views.h"
#include "recon/io/hdf5/data_io.h"
#include "recon/io/hdf5/singles_io.h"
#include "recon/simulate/monte_carlo.h"
#include "tests/support/correct_as.h"
#include "tests/support/event_lists.h"
#include "tests/support/rings.h"
#include "tests/support/silent_progress.h"

namespace line_randoms_test {

using namespace tof;
using namespace tof::test;

namespace {

/// Eight modules, each a block that is dead for 20 ns, in a narrow field of view: what meets by chance lies
/// between the same few blocks as the pairs of one decay, whose partners keep a tenth of it from being
/// recorded.
Scanner scannerOf() {
    return Scanner::fromJson(
        R"({"name":"eight","modules":{"count":8,"face_to_face_mm":200,"crystals":[8,12],"pitch_mm":[10,10]},)"
        R"("crystal_mm":[9.6,9.6,20],"attenuation_per_mm":0.0819,"acceptance_deg":35,"fov_diameter_mm":100,)"
        R"("timing_fwhm_ps":300,"detection":{"material":"LSO","energy_resolution":0.12,"window_kev":[350,650],)"
        R"("coincidence_ns":4,"dead_time_ns":20}})",
        "test");
}

/// Longer than the scanner, so that there are many singles.
const char* const kSource =
    R"({"name":"source","shapes":[{"kind":"cylinder","centre_mm":[0,0,0],"radius_mm":10,"length_mm":300,
        "activity":1}]})";
const Lattice kImage = Lattice::centred({12, 12, 12}, {5, 5, 10});

double sum(const std::vector<float>& values) {
    return std::accumulate(values.begin(), values.end(), 0.0);
}

/// Not all ring differences that the scanner accepts.
std::shared_ptr<const Michelogram> bins() {
    return std::make_shared<const Michelogram>(ringsOf({"eight", 12, 128, 110, 10.0, 0.0}, 1, 5, 41));
}

}  // namespace

class LineRandomsTest : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    Scanner scanner_ = scannerOf();
    EventList events_;
    CrystalSingles singles_;
    EventList late_;
    double share_ = 0;  ///< share of the randoms that partners leave, as simulated
    double error_ = 0;

    [[nodiscard]] std::string file(const char* name) const { return folder_.filePath(name).toStdString(); }
    [[nodiscard]] SinogramData sinogramsOf(const EventList& events) const {
        return binEvents(events, &scanner_, bins(), kImage);
    }
    [[nodiscard]] CorrectRequest both() const {
        CorrectRequest request;
        request.singles = file("singles.h5");
        request.delayeds = file("late.h5");
        return request;
    }
    /// Within 1 % for the square of a share of a tenth, which is left out, and three deviations of the
    /// counts.
    [[nodiscard]] bool isShare(double left, const char* what) const {
        qInfo("%s: partners leave %.4f, simulated %.4f +- %.4f", what, left, share_, error_);
        return std::abs(left / share_ - 1) < 0.01 + 3 * error_;
    }

  private slots:
    void initTestCase() {
        SimulationSettings settings;
        settings.events = 60000;
        settings.seed = 8;
        settings.activity_MBq = 200;
        settings.physics = Physics::fromText("randoms,energy,crystals,dead-time");
        SimulationHooks hooks;
        hooks.singles = &singles_;
        hooks.delayed = &late_;
        SimulationReport report;
        events_ = simulateWith(scanner_, Phantom::fromJson(kSource, "test"), settings, ThreadPool(2), hooks,
                               &report);
        writeSingles(file("singles.h5"), singles_);
        writeEvents(file("late.h5"), late_);
        // What meets in the delayed window has its partners at other times, and loses nothing by them.
        const auto randoms = static_cast<double>(report.randoms);
        const auto delayeds = static_cast<double>(late_.size());
        share_ = randoms / delayeds;
        error_ = std::sqrt(1 / randoms + 1 / delayeds);
        // Large enough to be missed.
        QVERIFY2(share_ < 0.95 && 1 / share_ - 1 > 0.02 + 3 * error_, qPrintable(QString::number(share_)));
    }

    void sinogramsExpectWhatPartnersLeave() {
        SinogramData data = sinogramsOf(events_);
        QVERIFY(data.rejected > data.kept / 50);
        const ThreadPool pool(2);
        SilentProgress silent;
        CorrectionParts parts;

        const CorrectResult result = correct(data, scanner_, "test", both(), pool, silent, &parts);

        const double expected = sum(data.add);
        const auto found = static_cast<double>(sinogramsOf(ofKind(events_, EventKind::Random)).kept);
        qInfo("randoms over %.0f simulated %.4f +- %.4f", found, expected / found, 1 / std::sqrt(found));
        QVERIFY2(std::abs(expected / found - 1) < 0.01 + 3 / std::sqrt(found),
                 qPrintable(QString::number(expected / found)));
        QVERIFY(std::abs(expected / result.randoms - 1) < 1e-5);
        const auto whole = [&](const std::vector<double>& rates) {
            return sum(randomsOfBins(rates, scanner_, data, events_.duration_s, pool));
        };
        QVERIFY(isShare(expected / whole(ratesOfSingles(singles_, scanner_)), "by singles"));
        const std::vector<double> fitted = ratesOfDelayeds(late_, scanner_, late_.duration_s, pool);
        QVERIFY(isShare(sum(parts.find(PartName::Delayeds)->values) / whole(fitted), "by delayeds"));
        // Both are kept, and one is taken.
        QVERIFY(parts.find(PartName::Singles)->on);
        QVERIFY(!parts.find(PartName::Delayeds)->on);
        QCOMPARE(data.add, parts.find(PartName::Singles)->values);
    }

    void listsExpectWhatPartnersLeave() {
        LineData data = listLines(events_, scanner_, timeBinsFor(scanner_), kImage);
        const ThreadPool pool(2);
        SilentProgress silent;
        CorrectionParts parts;

        const CorrectResult result = correct(data, "test", both(), pool, silent, &parts);

        QCOMPARE(data.possible.totalAdd, result.randoms);
        const std::vector<double> rates = ratesOfSingles(singles_, scanner_);
        const double left =
            result.randoms / randomsOfPairs(rates, scanner_, data.possible, events_.duration_s);
        QVERIFY(isShare(left, "by singles"));
        const double delayeds = parts.find(PartName::Delayeds)->figures.randoms.value();
        QVERIFY(isShare(delayeds / static_cast<double>(late_.size()), "by delayeds"));
        // Every event expects as much.
        const TofBins& tof = data.events->tof;
        for (std::size_t i = 0; i < data.add.size(); ++i) {
            const int bin = tof.bin(static_cast<double>(data.events->dt_ps[i]));
            if (bin > 0 && bin < tof.count - 1) {
                const auto [one, two] = data.events->pairs[i];
                const double whole = 1e-12 * tof.width_ps * events_.duration_s * rates[one] * rates[two];
                QVERIFY(std::abs(static_cast<double>(data.add[i]) / (left * whole) - 1) < 1e-5);
            }
        }
    }
};

QTEST_GUILESS_MAIN(LineRandomsTest)

}  // namespace line_randoms_test
#include "line_randoms_test.moc"
