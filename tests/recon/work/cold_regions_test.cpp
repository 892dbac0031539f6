// SPDX-License-Identifier: Apache-2.0
// Cold discs in a warm one at 0.3 counts a bin, half of them additive: what algorithms without a floor make
// of them.
#include <QTest>
#include <array>
#include <cmath>
#include <functional>
#include <numeric>
#include <random>

#include "recon/binning/line_binning.h"
#include "recon/engines/cpu/cpu_engine.h"
#include "recon/operators/data_operator.h"
#include "recon/systems/histo/histo_measurement.h"
#include "recon/systems/histo/reference.h"
#include "recon/systems/lines/sinogram_measurement.h"
#include "recon/work/reconstruct.h"
#include "tests/support/rings.h"

namespace cold_regions_test {

using namespace tof;
using namespace tof::test;

namespace {

constexpr double kCountsPerBin = 0.3;

/// A scan of the discs: what its bins expect, and data of the same with other counts.
struct DiscScan {
    Lattice image;
    double scale = 1;  ///< size of the discs over 120 mm of the warm one
    std::vector<float> expected;
    std::function<std::shared_ptr<const Measurement>(std::vector<float> counts)> measured;
};

bool within(Vec3 p, Vec3 centre, double radius_mm) {
    return std::hypot(p.x - centre.x, p.y - centre.y) < radius_mm;
}

const std::array<Vec3, 2> kColdDiscs{Vec3{-48, 0, 0}, Vec3{48, 0, 0}};

std::vector<float> discsOf(const Lattice& image, double scale) {
    std::vector<float> truth(image.voxels(), 0.0F);
    image.forEachVoxel([&](int x, int y, int z) {
        const Vec3 p = (1 / scale) * image.centre(x, y, z);
        if (within(p, {}, 120) && !within(p, kColdDiscs[0], 32) && !within(p, kColdDiscs[1], 32)) {
            truth[image.index(x, y, z)] = 1;
        }
    });
    return truth;
}

/// Means of the cold discs' middle over that of warm voxels, and the sum.
struct Found {
    double coldOverWarm = 0;
    double total = 0;
};
Found foundIn(const Volume& image, double scale) {
    double cold = 0;
    double colds = 0;
    double warm = 0;
    double warms = 0;
    Found found;
    image.lattice.forEachVoxel([&](int x, int y, int z) {
        const Vec3 p = (1 / scale) * image.lattice.centre(x, y, z);
        const auto value = static_cast<double>(image.at(x, y, z));
        found.total += value;
        if (within(p, kColdDiscs[0], 20) || within(p, kColdDiscs[1], 20)) {
            cold += value;
            colds += 1;
        } else if (within(p, {}, 100) && !within(p, kColdDiscs[0], 48) && !within(p, kColdDiscs[1], 48)) {
            warm += value;
            warms += 1;
        }
    });
    found.coldOverWarm = cold / colds / (warm / warms);
    return found;
}

EngineRegistry hostAlone() {
    EngineRegistry engines;
    engines.add(
        "cpu", [] { return makeCpuEngine(); }, 1);
    return engines;
}

/// Makes what bins expect kCountsPerBin in the mean, half of it background.
void scaleToFew(std::vector<float>& expected) {
    const double trues = std::accumulate(expected.begin(), expected.end(), 0.0);
    const double bins = static_cast<double>(expected.size());
    for (float& count : expected) {
        count = static_cast<float>(kCountsPerBin / 2 * (static_cast<double>(count) * bins / trues + 1));
    }
}

std::string nextHash() {
    static int number = 0;
    return std::to_string(++number);
}

DiscScan histoScan() {
    HistoData data;
    data.lattice = Lattice::centred({36, 36, 3}, {8, 8, 8});
    data.views = ViewGrid(12, 1, 0.1).views();
    DiscScan scan{data.lattice, 1, {}, {}};
    const std::vector<float> truth = discsOf(data.lattice, scan.scale);
    for (const View& view : data.views) {
        const KernelTables tables = buildKernelTables(KernelSpec::preset("invariant"), data.lattice, view);
        const std::vector<double> e = referenceForward(tables, data.lattice, truth);
        scan.expected.insert(scan.expected.end(), e.begin(), e.end());
    }
    scaleToFew(scan.expected);
    data.add.assign(scan.expected.size(), static_cast<float>(kCountsPerBin / 2));
    scan.measured = [data](std::vector<float> counts) {
        auto own = std::make_shared<HistoData>(data);
        own->counts = std::move(counts);
        own->hash = nextHash();
        return std::make_shared<const HistoMeasurement>(std::shared_ptr<const HistoData>(std::move(own)));
    };
    return scan;
}

/// Five rings without times of flight.
DiscScan sinogramScan(const RunSettings& settings) {
    const auto rings = std::make_shared<const Michelogram>(fiveRings(1));
    EventList one;
    one.crystals.push_back({0, 48});
    SinogramData data = binEvents(one, nullptr, rings, kInFiveRings);
    DiscScan scan{data.lattice, 2.0 / 3, {}, {}};
    const std::size_t bins = data.counts.size();
    data.add.assign(bins, static_cast<float>(kCountsPerBin / 2));
    scan.measured = [data](std::vector<float> counts) {
        SinogramData own = data;
        own.counts = std::move(counts);
        own.hash = nextHash();
        return std::make_shared<const SinogramMeasurement>(std::move(own));
    };
    // Numbers for counts say where the parts' bins lie in the sinograms.
    std::vector<float> places(bins);
    std::iota(places.begin(), places.end(), 0.0F);
    const EngineRegistry engines = hostAlone();
    DataOperator project(scan.measured(std::move(places)), settings, engines);
    std::vector<std::size_t> parts(project.parts());
    std::iota(parts.begin(), parts.end(), std::size_t{0});
    Space& space = project.space();
    Array image = space.allocate(project.imageSize());
    Array at = space.allocate(bins);
    Array seen = space.allocate(bins);
    space.upload(discsOf(data.lattice, scan.scale), image.view());
    project.counts(parts, at.view());
    project.forward(parts, image.view(), seen.view(), Factors::Applied);
    std::vector<float> bin(bins);
    std::vector<float> value(bins);
    space.download(at.view(), bin);
    space.download(seen.view(), value);
    scan.expected.resize(bins);
    for (std::size_t i = 0; i < bins; ++i) {
        scan.expected[static_cast<std::size_t>(bin[i])] = value[i];
    }
    scaleToFew(scan.expected);
    return scan;
}

Found reconstructed(const DiscScan& scan, std::vector<float> counts, const RunSettings& settings) {
    ReconstructRequest request;
    request.data = scan.measured(std::move(counts));
    request.settings = settings;
    JobListener listener;
    const EngineRegistry engines = hostAlone();
    return foundIn(*reconstruct(request, engines, listener).image, scan.scale);
}

}  // namespace

class ColdRegionsTest : public QObject {
    Q_OBJECT

  private slots:
    void coldRegionsAreCold_data() {
        QTest::addColumn<QString>("form");
        QTest::addColumn<QString>("algorithm");
        QTest::addColumn<bool>("biased");
        for (const char* const form : {"histo", "sinograms"}) {
            QTest::addRow("%s, negml", form) << form << "negml" << false;
            QTest::addRow("%s, aml", form) << form << "aml" << false;
            QTest::addRow("%s, osem", form) << form << "osem" << true;
        }
    }
    /// 400 scans with TOFSCOPE_FULL=1, else 8 where a bias is to be seen, and 5 where the bound of what may
    /// be left goes with the error of the mean.
    void coldRegionsAreCold() {
        QFETCH(QString, form);
        QFETCH(QString, algorithm);
        QFETCH(bool, biased);
        const int few = biased ? 8 : 5;
        const int scans = qEnvironmentVariableIsEmpty("TOFSCOPE_FULL") ? few : 400;
        RunSettings settings;
        settings.set("algorithm", algorithm.toStdString());
        settings.set("engine", "cpu");
        settings.set("kernel", "invariant");
        settings.set("iterations", "20");
        settings.set("subsets", "6");
        const DiscScan scan = form == "histo" ? histoScan() : sinogramScan(settings);
        const Found ideal = reconstructed(scan, scan.expected, settings);
        std::mt19937 random(8);
        double cold = 0;
        double squares = 0;
        double total = 0;
        double squaresOfTotal = 0;
        for (int i = 0; i < scans; ++i) {
            std::vector<float> counts = scan.expected;
            for (float& count : counts) {
                count =
                    static_cast<float>(std::poisson_distribution<int>(static_cast<double>(count))(random));
            }
            const Found found = reconstructed(scan, std::move(counts), settings);
            cold += found.coldOverWarm / scans;
            squares += found.coldOverWarm * found.coldOverWarm / scans;
            total += found.total / scans;
            squaresOfTotal += found.total * found.total / scans;
        }
        const double error = std::sqrt((squares - cold * cold) / (scans - 1));
        const double totalError = std::sqrt((squaresOfTotal - total * total) / (scans - 1)) / ideal.total;
        const double bias = cold - ideal.coldOverWarm;
        const double totalBias = total / ideal.total - 1;
        const QString said = QString("cold over warm %1 +- %2, %3 without noise; total %4 +- %5")
                                 .arg(cold)
                                 .arg(error)
                                 .arg(ideal.coldOverWarm)
                                 .arg(1 + totalBias)
                                 .arg(totalError);
        qInfo("%s", qPrintable(said));
        if (biased) {
            QVERIFY2(bias > 0.08 && totalBias > 0.02, qPrintable(said));
        } else {
            QVERIFY2(std::abs(bias) < 0.02 + 2 * error, qPrintable(said));
            QVERIFY2(std::abs(totalBias) < 0.01 + 2 * totalError, qPrintable(said));
        }
    }
};

QTEST_GUILESS_MAIN(ColdRegionsTest)

}  // namespace cold_regions_test
#include "cold_regions_test.moc"
