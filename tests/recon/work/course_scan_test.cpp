// SPDX-License-Identifier: Apache-2.0
// Lists of phantoms whose parts have curves and move, and the truth of their frames.
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <cmath>
#include <fstream>
#include <numbers>
#include <numeric>

#include "recon/base/error.h"
#include "recon/data/framed_counts.h"
#include "recon/io/hdf5/data_io.h"
#include "recon/phantom/phantom_course.h"
#include "recon/physics/nuclide.h"
#include "recon/systems/histo/histo_measurement.h"
#include "recon/work/bin.h"
#include "recon/work/phantom_truth.h"
#include "recon/work/simulate.h"
#include "tests/support/refusal.h"
#include "tests/support/silent_progress.h"

namespace course_scan_test {

using namespace tof;
using namespace tof::test;

namespace {

constexpr double kScan_s = 200;
constexpr double kAway_mm = 50;

/// Two balls of 10 mm, as far above as the other below the middle: `rise` goes from 0 to 3 over the scan,
/// the other is 2 and constant but for decay.
const char* const kTwoBalls = R"({"name": "two", "time": {"duration_s": 200, "nuclide": "Rb-82",
    "curves": {"rise": {"table": [[0, 0], [200, 3]]}}}, "shapes": [
    {"kind": "sphere", "name": "rising", "centre_mm": [0, 0, 50], "radius_mm": 10, "curve": "rise"},
    {"kind": "sphere", "name": "constant", "centre_mm": [0, 0, -50], "radius_mm": 10, "activity": 2}]})";

/// A ball that is moved by 30 mm after 50 s.
const char* const kJump = R"({"name": "jump", "time": {"duration_s": 200, "nuclide": "Rb-82",
    "motion": {"steps": [[50, 30, 0, 0]]}}, "shapes": [
    {"kind": "sphere", "name": "ball", "centre_mm": [0, 0, 0], "radius_mm": 10, "activity": 1, "moves": 1}]})";

const double kRate = std::numbers::ln2 / petNuclide("Rb-82").halfLife_s;

/// Integral of the decaying constant 2 and of the decaying rise 3 t/T up to a time, in closed form.
double constantUpTo(double t) {
    return 2 * (1 - std::exp(-kRate * t)) / kRate;
}
double risingUpTo(double t) {
    return 3 / kScan_s * (1 - (1 + kRate * t) * std::exp(-kRate * t)) / (kRate * kRate);
}

}  // namespace

class CourseScanTest : public QObject {
    Q_OBJECT

  private slots:
    void initTestCase() {
        std::ofstream(file("two.json")) << kTwoBalls;
        std::ofstream(file("jump.json")) << kJump;
        list_ = simulated("two.json", 60000, 1);
    }

    /// Both balls lie alike in the scanner, so that their events are as their decays: in each of 20 frames,
    /// and together, within 3 SD of Poisson's law.
    void eventsFollowTheCurvesOfTheirParts() {
        QCOMPARE(list_.size(), std::size_t{60000});
        QCOMPARE(list_.duration_s, kScan_s);
        QVERIFY(std::is_sorted(list_.time_ms.begin(), list_.time_ms.end()));
        const std::shared_ptr<const Scanner> scanner = list_.scannerJson.scanner("list");
        constexpr std::size_t kFrames = 20;
        std::vector<std::array<double, 2>> counts(kFrames);
        for (std::size_t i = 0; i < list_.size(); ++i) {
            const auto& [a, b] = list_.crystals[i];
            const bool below = scanner->crystals[a].front.z + scanner->crystals[b].front.z < 0;
            counts.at(list_.time_ms[i] * kFrames / 200000)[below ? 1 : 0] += 1;
        }
        const double all = constantUpTo(kScan_s) + risingUpTo(kScan_s);
        double square = 0;
        for (std::size_t frame = 0; frame < kFrames; ++frame) {
            const double begin = kScan_s / kFrames * static_cast<double>(frame);
            const double end = begin + kScan_s / kFrames;
            for (const bool below : {false, true}) {
                const double share =
                    below ? constantUpTo(end) - constantUpTo(begin) : risingUpTo(end) - risingUpTo(begin);
                const double asked = 60000 * share / all;
                const double off = (counts[frame][below ? 1 : 0] - asked) / std::sqrt(asked);
                square += off * off;
                QVERIFY2(std::abs(off) < 3, qPrintable(QString("frame %1: %2 SD").arg(frame).arg(off)));
            }
        }
        // Chi-square of 39 degrees of freedom: its mean and 4 SD.
        QVERIFY2(std::abs(square - 39) < 4 * std::sqrt(78.0), qPrintable(QString::number(square)));
    }

    void threadsChangeNothing() {
        const EventList other = simulated("two.json", 60000, 3);
        QVERIFY(other.crystals == list_.crystals && other.dt_ps == list_.dt_ps);
        QVERIFY(other.time_ms == list_.time_ms);
        QCOMPARE(other.decays, list_.decays);
    }

    /// Decays in a frame, by the truth's image and by its curves, are those of the closed form; the balls'
    /// volumes are right to 0.5 % on 4 mm voxels of 8^3 points.
    void truthIsTheMeanOverEachFrame() {
        const auto data = binned(list_, "4x20s,2x60s");
        const PhantomTruth truth = truthOf(*data, "two.h5");
        const FramedCounts& frames = *data->frames();
        const double voxel_mm3 = 64;
        const double all = constantUpTo(kScan_s) + risingUpTo(kScan_s);
        QCOMPARE(truth.image.info.units, std::string("Bq/ml"));
        QCOMPARE(truth.curves.size(), std::size_t{2});
        QCOMPARE(truth.curves[1].name, std::string("constant"));
        for (std::size_t i = 0; i < frames.frames.size(); ++i) {
            const double begin = frames.frames[i].time.start_s;
            const double end = frames.frames[i].time.end_s();
            const double asked =
                list_.decays / all *
                (constantUpTo(end) - constantUpTo(begin) + risingUpTo(end) - risingUpTo(begin));
            const std::vector<float> image = truth.image.values(i);
            const double made = std::accumulate(image.begin(), image.end(), 0.0) /
                                frames.concentrationPerEmission(i, voxel_mm3);
            QVERIFY2(std::abs(made / asked - 1) < 5e-3, qPrintable(QString::number(made / asked)));
            // What only decays is the same in all frames when it is put back to the start.
            const double decays = list_.decays * constantUpTo(kScan_s) / all;
            const double concentration = decays / constantUpTo(kScan_s) * 2 /
                                         (4e-3 / 3 * std::numbers::pi * 1000) / petNuclide("Rb-82").branching;
            QVERIFY2(std::abs(truth.curves[1].means[i] / concentration - 1) < 1e-6,
                     qPrintable(QString::number(truth.curves[1].means[i] / concentration)));
        }
    }

    void truthMoves() {
        const auto data = binned(simulated("jump.json", 2000, 1), "50s,50s,100s");
        const PhantomTruth truth = truthOf(*data, "jump.h5");
        const auto centreOf = [&](std::size_t frame) {
            const std::vector<float> image = truth.image.values(frame);
            double sum = 0;
            double moment = 0;
            data->lattice().forEachVoxel([&](int x, int y, int z) {
                const double value = image[data->lattice().index({x, y, z})];
                sum += value;
                moment += value * data->lattice().centre(x, y, z).x;
            });
            return moment / sum;
        };
        QVERIFY(std::abs(centreOf(0)) < 0.05);
        QVERIFY(std::abs(centreOf(1) - 30) < 0.05);
        const PhantomTruth both = truthOf(*binned(simulated("jump.json", 2000, 1), "1x100s"), "jump.h5");
        const std::vector<float> image = both.image.values(0);
        const double early = (1 - std::exp(-kRate * 50)) / (1 - std::exp(-kRate * 100));
        double atRest = 0;
        double all = 0;
        data->lattice().forEachVoxel([&](int x, int y, int z) {
            const double value = image[data->lattice().index({x, y, z})];
            all += value;
            atRest += data->lattice().centre(x, y, z).x < 15 ? value : 0;
        });
        QVERIFY2(std::abs(atRest / all - early) < 1e-3, qPrintable(QString::number(atRest / all - early)));
    }

    void whatHasNoTruthIsRefused() {
        SimulateRequest still = request("spheres", 2000);
        still.settings.duration_s = 10;
        SilentProgress silent;
        auto plain = std::get<EventList>(simulateScan(still, ThreadPool(1), silent).data);
        plain.time_ms.assign(plain.size(), 5);
        const auto said = [](const std::shared_ptr<const Measurement>& data) {
            return refusal([&] { static_cast<void>(truthOf(*data, "data.h5")); });
        };
        QVERIFY(said(binned(plain, "1x10s")).contains("course in time"));
        QVERIFY(said(binned(list_, "")).contains("not cut by time"));
        QVERIFY2(said(binned(list_, "1x10s", "F-18")).contains("--nuclide Rb-82"),
                 qPrintable(said(binned(list_, "1x10s", "F-18"))));
    }

    void pointsHaveNoCurve() {
        const auto data =
            described(R"({"kind": "point", "name": "dot", "centre_mm": [0, 0, 40], "activity": 5},)", "1");
        const PhantomTruth truth = truthOf(*data, "dot.h5");
        QCOMPARE(truth.curves.size(), std::size_t{1});
        QCOMPARE(truth.curves[0].name, std::string("ball"));
    }

    void aPhantomThatEmitsNothingIsRefused() {
        const auto data = described("", "0");
        const QString said = refusal([&] { static_cast<void>(truthOf(*data, "dark.h5")); });
        QVERIFY2(said.contains("emits nothing"), qPrintable(said));
    }

    void aTruthIsInterrupted() {
        const auto data = described("", "1");
        QVERIFY_EXCEPTION_THROWN(static_cast<void>(truthOf(*data, "ball.h5", {}, [] { throw Cancelled(); })),
                                 Cancelled);
    }

    void whatACourseExcludesIsRefused() {
        const auto said = [&](const std::function<void(SimulateRequest&)>& change) {
            SimulateRequest asked = request(file("two.json"), 1000);
            change(asked);
            SilentProgress silent;
            try {
                static_cast<void>(simulateScan(asked, ThreadPool(1), silent));
            } catch (const WrongUse& fault) {
                return QString(fault.what());
            }
            return QString("accepted");
        };
        QVERIFY(said([](SimulateRequest& asked) { asked.settings.duration_s = 5; }).contains("--duration"));
        QVERIFY(said([](SimulateRequest& asked) { asked.motion = "poses.tsv"; }).contains("--motion"));
        QVERIFY(said([](SimulateRequest& asked) { asked.delayeds = true; }).contains("--delayeds"));
    }

  private:
    [[nodiscard]] std::string file(const std::string& name) const {
        return folder_.filePath(QString::fromStdString(name)).toStdString();
    }
    [[nodiscard]] static SimulateRequest request(const std::string& phantom, std::uint64_t events) {
        SimulateRequest asked;
        asked.scanner = "labr3-ideal";
        asked.phantom = phantom;
        asked.settings = {.events = events, .seed = 5};
        return asked;
    }
    [[nodiscard]] EventList simulated(const std::string& phantom, std::uint64_t events, int threads) const {
        SilentProgress silent;
        return std::get<EventList>(
            simulateScan(request(file(phantom), events), ThreadPool(threads), silent).data);
    }
    /// Data of the list that say that they are of a ball of some activity, with `before` among the shapes.
    [[nodiscard]] std::shared_ptr<const Measurement> described(const std::string& before,
                                                               const std::string& activity) const {
        const std::string phantom =
            R"({"name": "own", "time": {"duration_s": 200, "nuclide": "Rb-82"}, "shapes": [)" + before +
            R"({"kind": "sphere", "name": "ball", "centre_mm": [0, 0, 0], "radius_mm": 10, "activity": )" +
            activity + "}]}";
        EventList list = list_;
        list.phantom = withDecays(phantom, 1e6);
        return binned(list, "1x100s");
    }
    [[nodiscard]] std::shared_ptr<const Measurement> binned(const EventList& list, const std::string& frames,
                                                            const std::string& nuclide = "Rb-82") const {
        BinRequest asked;
        writeEvents(asked.input = file("list.h5"), list);
        asked.azimuths = 4;
        asked.tilts = 1;
        asked.lattice = Lattice::centred({36, 36, 36}, {4, 4, 4});
        asked.mu = "none";
        asked.endPoints = EndPoints::Centre;
        asked.frames = frames;
        asked.nuclide = frames.empty() ? "" : nuclide;
        SilentProgress silent;
        return std::make_shared<const HistoMeasurement>(
            std::get<HistoData>(binEvents(asked, ThreadPool(2), silent).data));
    }

    QTemporaryDir folder_;
    EventList list_;
};

QTEST_GUILESS_MAIN(CourseScanTest)

}  // namespace course_scan_test
#include "course_scan_test.moc"
