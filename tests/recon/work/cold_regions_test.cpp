// SPDX-License-Identifier: Apache-2.0
// Cold discs in a warm one at 0.3 counts a bin, half of them additive: what algorithms without a floor make
// of them.
#include <QTest>
#include <array>
#include <cmath>
#include <numeric>
#include <random>

#include "recon/engines/cpu/cpu_engine.h"
#include "recon/systems/histo/histo_measurement.h"
#include "recon/systems/histo/reference.h"
#include "recon/work/reconstruct.h"

using namespace tof;

namespace {

const Lattice kImage = Lattice::centred({36, 36, 3}, {8, 8, 8});
constexpr double kCountsPerBin = 0.3;

bool within(Vec3 p, Vec3 centre, double radius_mm) {
    return std::hypot(p.x - centre.x, p.y - centre.y) < radius_mm;
}

const std::array<Vec3, 2> kColdDiscs{Vec3{-48, 0, 0}, Vec3{48, 0, 0}};

/// Means of the cold discs' middle over that of warm voxels, and the sum.
struct Found {
    double coldOverWarm = 0;
    double total = 0;
};
Found foundIn(const Volume& image) {
    double cold = 0;
    double colds = 0;
    double warm = 0;
    double warms = 0;
    Found found;
    kImage.forEachVoxel([&](int x, int y, int z) {
        const Vec3 p = kImage.centre(x, y, z);
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

/// What 12 views expect of the discs, and as much of background.
HistoData expectedData() {
    HistoData data;
    data.lattice = kImage;
    data.views = ViewGrid(12, 1, 0.1).views();
    std::vector<float> truth(kImage.voxels(), 0.0F);
    kImage.forEachVoxel([&](int x, int y, int z) {
        const Vec3 p = kImage.centre(x, y, z);
        if (within(p, {}, 120) && !within(p, kColdDiscs[0], 32) && !within(p, kColdDiscs[1], 32)) {
            truth[kImage.index(x, y, z)] = 1;
        }
    });
    for (const View& view : data.views) {
        const KernelTables tables = buildKernelTables(KernelSpec::preset("invariant"), kImage, view);
        const std::vector<double> e = referenceForward(tables, kImage, truth);
        data.counts.insert(data.counts.end(), e.begin(), e.end());
    }
    const double trues = std::accumulate(data.counts.begin(), data.counts.end(), 0.0);
    const double bins = static_cast<double>(data.counts.size());
    for (float& count : data.counts) {
        count *= static_cast<float>(kCountsPerBin / 2 * bins / trues);
    }
    data.add.assign(data.counts.size(), static_cast<float>(kCountsPerBin / 2));
    for (float& count : data.counts) {
        count += static_cast<float>(kCountsPerBin / 2);
    }
    return data;
}

Found reconstructed(HistoData data, const RunSettings& settings) {
    static int number = 0;
    data.hash = std::to_string(++number);
    ReconstructRequest request;
    request.data =
        std::make_shared<const HistoMeasurement>(std::make_shared<const HistoData>(std::move(data)));
    request.settings = settings;
    JobListener listener;
    EngineRegistry engines;
    engines.add(
        "cpu", [] { return makeCpuEngine(); }, 1);
    return foundIn(*reconstruct(request, engines, listener).image);
}

}  // namespace

class ColdRegionsTest : public QObject {
    Q_OBJECT

  private slots:
    void coldRegionsAreCold_data() {
        QTest::addColumn<QString>("algorithm");
        QTest::addColumn<bool>("biased");
        QTest::newRow("negml") << "negml" << false;
        QTest::newRow("aml") << "aml" << false;
        QTest::newRow("osem") << "osem" << true;
    }
    /// 400 scans with TOFSCOPE_FULL=1, else 8.
    void coldRegionsAreCold() {
        QFETCH(QString, algorithm);
        QFETCH(bool, biased);
        const int scans = qEnvironmentVariableIsEmpty("TOFSCOPE_FULL") ? 8 : 400;
        RunSettings settings;
        settings.set("algorithm", algorithm.toStdString());
        settings.set("engine", "cpu");
        settings.set("kernel", "invariant");
        settings.set("iterations", "20");
        settings.set("subsets", "6");
        const HistoData expected = expectedData();
        const Found ideal = reconstructed(expected, settings);
        std::mt19937 random(8);
        double cold = 0;
        double squares = 0;
        double total = 0;
        for (int scan = 0; scan < scans; ++scan) {
            HistoData data = expected;
            for (float& count : data.counts) {
                count =
                    static_cast<float>(std::poisson_distribution<int>(static_cast<double>(count))(random));
            }
            const Found found = reconstructed(data, settings);
            cold += found.coldOverWarm / scans;
            squares += found.coldOverWarm * found.coldOverWarm / scans;
            total += found.total / scans;
        }
        const double error = std::sqrt((squares - cold * cold) / (scans - 1));
        const double bias = cold - ideal.coldOverWarm;
        const double totalBias = total / ideal.total - 1;
        const QString said = QString("cold over warm %1 +- %2, %3 without noise; total %4")
                                 .arg(cold)
                                 .arg(error)
                                 .arg(ideal.coldOverWarm)
                                 .arg(1 + totalBias);
        qInfo("%s", qPrintable(said));
        // 14,000 counts, half of them additive, know a total to 1.7 %.
        const double totalError = 0.017 / std::sqrt(scans);
        if (biased) {
            QVERIFY2(bias > 0.08 && totalBias > 0.02, qPrintable(said));
        } else {
            QVERIFY2(std::abs(bias) < 0.02 + 2 * error, qPrintable(said));
            QVERIFY2(std::abs(totalBias) < 0.01 + 2 * totalError, qPrintable(said));
        }
    }
};

QTEST_GUILESS_MAIN(ColdRegionsTest)
#include "cold_regions_test.moc"
