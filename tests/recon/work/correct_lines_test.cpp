// SPDX-License-Identifier: Apache-2.0
// Efficiencies, dead time and survival of sinograms: found, switched and kept.
#include <QTest>
#include <QtCore/QTemporaryDir>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>

#include "recon/base/constants.h"
#include "recon/base/error.h"
#include "recon/binning/line_binning.h"
#include "recon/io/hdf5/data_io.h"
#include "recon/io/hdf5/singles_io.h"
#include "recon/simulate/monte_carlo.h"
#include "recon/systems/lines/all_lines.h"
#include "tests/support/correct_as.h"
#include "tests/support/silent_progress.h"

namespace correct_lines_test {

using namespace tof;
using namespace tof::test;

namespace {

const char* const kSource =
    R"({"name": "source", "shapes": [{"kind": "cylinder", "name": "source", "centre_mm": [0, 0, 0],
        "radius_mm": 90, "length_mm": 90, "activity": 1, "mu_per_mm": 0.004}]})";

/// 16 rings of 320 crystals, without energies: each interaction counts.
Scanner blocks(bool deadTime) {
    return Scanner::fromJson(
        std::string(
            R"({"name":"blocks","modules":{"count":32,"face_to_face_mm":510,"crystals":[10,16],)"
            R"("pitch_mm":[5,6]},"crystal_mm":[4.8,5.8,20],"attenuation_per_mm":0.0819,"acceptance_deg":13,)"
            R"("fov_diameter_mm":300,"timing_fwhm_ps":300)") +
            (deadTime ? R"(,"detection":{"material":"LSO","energy_resolution":0.12,"window_kev":[435,650],)"
                        R"("block":[10,8],"coincidence_ns":4,"dead_time_ns":1000}})"
                      : "}"),
        "test");
}

std::shared_ptr<const Michelogram> bins() {
    MichelogramSpec spec;
    spec.scanner = {"blocks", 16, 320, 263, 6, kPi / 320};
    spec.segments = segmentsOfSpan(16, 7, 10);
    spec.radialBins = 113;
    spec.mashing = 8;
    return std::make_shared<const Michelogram>(spec);
}

double sum(const std::vector<float>& values) {
    return std::accumulate(values.begin(), values.end(), 0.0);
}

}  // namespace

class CorrectLinesTest : public QObject {
    Q_OBJECT

    Scanner scanner_ = blocks(false);
    Lattice lattice_ = Lattice::centred({25, 25, 12}, {8, 8, 8});
    QTemporaryDir folder_;
    EventList all_;
    EventList thinned_;  ///< one module records 0.6 of what it would

    [[nodiscard]] std::uint32_t moduleOf(std::uint32_t crystal) const {
        const Vec3 at = scanner_.reference(crystal);
        const double turn = std::atan2(at.y, at.x) / (2 * kPi) * 32 + 32.5;
        return static_cast<std::uint32_t>(turn) % 32;
    }
    [[nodiscard]] SinogramData sinograms(const Phantom& phantom) const {
        SinogramData data = binEvents(thinned_, &scanner_, bins(), lattice_);
        weighPairs(data, scanner_, ThreadPool(2));
        const Volume mu = phantom.wholeAttenuation(lattice_, std::numeric_limits<double>::infinity());
        applyAttenuation(data, mu, ThreadPool(2), [](double) {});
        data.phantom = kSource;
        return data;
    }
    [[nodiscard]] std::string file(const char* name) const { return folder_.filePath(name).toStdString(); }

  private slots:
    void initTestCase() {
        SimulationSettings settings;
        settings.events = 400000;
        settings.seed = 3;
        all_ = simulate(scanner_, Phantom::fromJson(kSource, "test"), settings, ThreadPool(2), {});
        const EventList& all = all_;
        thinned_.scannerJson = all.scannerJson;
        thinned_.phantom = kSource;
        for (std::size_t i = 0; i < all.size(); ++i) {
            const bool of = moduleOf(all.crystals[i][0]) == 5 || moduleOf(all.crystals[i][1]) == 5;
            if (!of || i % 5 < 3) {
                thinned_.crystals.push_back(all.crystals[i]);
                thinned_.dt_ps.push_back(all.dt_ps[i]);
            }
        }
        thinned_.duration_s = all.duration_s;
        thinned_.decays = all.decays;
        writeEvents(file("norm.h5"), thinned_);
    }

    void efficienciesOfSinogramsAreFoundAndSwitched() {
        // What the whole list counts, times the factors found, is what the thinned one counts: of bins that
        // hold pairs of the thinned module over those that hold none, 2 % and counting. Without factors the
        // former have a third too many.
        const Phantom phantom = Phantom::fromJson(kSource, "test");
        SinogramData data = sinograms(phantom);
        const std::vector<float> before = data.mult;
        EventList own;
        own.scannerJson = all_.scannerJson;
        for (std::size_t i = 0; i < all_.size(); ++i) {
            if (moduleOf(all_.crystals[i][0]) == 5 || moduleOf(all_.crystals[i][1]) == 5) {
                own.crystals.push_back(all_.crystals[i]);
                own.dt_ps.push_back(all_.dt_ps[i]);
            }
        }
        const std::vector<float> ofModule = binEvents(own, &scanner_, bins(), lattice_).counts;
        const std::vector<float> whole = binEvents(all_, &scanner_, bins(), lattice_).counts;
        CorrectRequest request;
        request.norm = file("norm.h5");
        CorrectionParts parts;
        KeptParts notes;

        const CorrectResult result = correct(data, scanner_, "test", request, ThreadPool(2), notes, &parts);

        QVERIFY2(result.efficiencySd > 0.05 && result.efficiencySd < 0.2,
                 qPrintable(QString::number(result.efficiencySd)));
        std::array<double, 2> seen{};
        std::array<double, 2> expected{};
        std::array<double, 2> without{};
        for (std::size_t i = 0; i < before.size(); ++i) {
            if (before[i] > 0) {
                const std::size_t of = ofModule[i] > 0 ? 1 : 0;
                seen[of] += static_cast<double>(data.counts[i]);
                expected[of] += static_cast<double>(whole[i] * data.mult[i] / before[i]);
                without[of] += static_cast<double>(whole[i]);
            }
        }
        const double ratio = expected[1] / seen[1] / (expected[0] / seen[0]);
        qInfo("bins of the module: %.3f of the others, %.3f without, %.0f counts", ratio,
              without[1] / seen[1] / (without[0] / seen[0]), seen[1]);
        QVERIFY(without[1] / seen[1] / (without[0] / seen[0]) > 1.3);
        QVERIFY2(std::abs(ratio - 1) < 0.02 + 3 / std::sqrt(seen[1]), qPrintable(QString::number(ratio)));

        // Off it is what it was, to the bit; on again it is kept, not found.
        CorrectRequest off;
        off.switches.efficiencies = false;
        const std::vector<float> with = data.mult;
        static_cast<void>(correct(data, scanner_, "test", off, ThreadPool(2), notes, &parts));
        QVERIFY(data.mult == before);
        static_cast<void>(correct(data, scanner_, "test", request, ThreadPool(2), notes, &parts));
        QVERIFY(data.mult == with);
        QVERIFY(notes.kept >= 1);
        CorrectRequest none;
        none.switches.deadTime = true;
        QVERIFY_EXCEPTION_THROWN(
            static_cast<void>(correct(data, scanner_, "test", none, ThreadPool(2), notes, &parts)), WrongUse);
    }

    void survivalCanBeTakenOut() {
        // Without attenuation mult is that of a scan in air, within the rounding of one product and one
        // quotient.
        const Phantom phantom = Phantom::fromJson(kSource, "test");
        SinogramData data = sinograms(phantom);
        SinogramData air = binEvents(thinned_, &scanner_, bins(), lattice_);
        weighPairs(air, scanner_, ThreadPool(2));
        const std::vector<float> with = data.mult;
        CorrectRequest request;
        request.switches.attenuation = false;
        CorrectionParts parts;
        KeptParts notes;
        static_cast<void>(correct(data, scanner_, "test", request, ThreadPool(2), notes, &parts));
        for (std::size_t i = 0; i < air.mult.size(); ++i) {
            QVERIFY(std::abs(data.mult[i] - air.mult[i]) <= 3e-7F * air.mult[i]);
        }
        QVERIFY(sum(with) < 0.95 * sum(air.mult));
        request.switches.attenuation = true;
        static_cast<void>(correct(data, scanner_, "test", request, ThreadPool(2), notes, &parts));
        QVERIFY(data.mult == with);
    }

    void deadTimeOfSinogramsFollowsFromSingles() {
        // Every block alike and alive for 0.9 of the time: every bin that holds pairs expects 0.81.
        const Scanner scanner = blocks(true);
        CrystalSingles singles;
        singles.scannerJson = scanner.toJson();
        singles.duration_s = 1;
        singles.recorded.assign(scanner.crystals.size(), 100);
        const double blocksOf = static_cast<double>(scanner.crystals.size()) / 80;
        singles.busy.assign(static_cast<std::size_t>(blocksOf), 100000);
        writeSingles(file("singles.h5"), singles);
        SinogramData data = binEvents(thinned_, &scanner_, bins(), lattice_);
        weighPairs(data, scanner, ThreadPool(2));
        data.duration_s = 1;
        const std::vector<float> before = data.mult;
        CorrectRequest request;
        request.singles = file("singles.h5");
        request.switches.randoms = RandomsBy::Off;
        CorrectionParts parts;
        KeptParts notes;
        static_cast<void>(correct(data, scanner, "test", request, ThreadPool(2), notes, &parts));
        QVERIFY2(std::abs(sum(data.mult) / sum(before) - 0.81) < 1e-3,
                 qPrintable(QString::number(sum(data.mult) / sum(before))));
        request.switches.deadTime = false;
        static_cast<void>(correct(data, scanner, "test", request, ThreadPool(2), notes, &parts));
        QVERIFY(data.mult == before);
    }
};

QTEST_GUILESS_MAIN(CorrectLinesTest)

}  // namespace correct_lines_test
#include "correct_lines_test.moc"
