// SPDX-License-Identifier: Apache-2.0
// The scatter estimate on the device against the host's.
#include <QTest>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>

#include "gpu/scatter/cuda_scatter.h"
#include "recon/base/error.h"
#include "recon/corrections/scatter.h"
#include "recon/phantom/phantom.h"
#include "tests/support/phantoms.h"

namespace scatter_test {

using namespace tof;

namespace {

double secondsSince(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

class GpuScatterTest : public QObject {
    Q_OBJECT
  private slots:
    void initTestCase() {
        try {
            static_cast<void>(cudaScatter());
        } catch (const Unavailable& reason) {
            QSKIP(reason.what());
        }
    }

    void sumsAreTheHosts_data() {
        QTest::addColumn<QString>("scanner");
        QTest::addColumn<double>("radius");
        QTest::newRow("labr3, 200 mm") << "labr3" << 100.0;
        QTest::newRow("labr3, 350 mm") << "labr3" << 175.0;
        QTest::newRow("blocks without time of flight") << "ge-ste-blocks" << 100.0;
    }
    void sumsAreTheHosts() {
        // Every value is a sum of floats over some hundred points, in the host's order but for those of one
        // point; exponentials of double differ in the last bits. 1e-5 of the largest is ten times that.
        QFETCH(QString, scanner);
        QFETCH(double, radius);
        const Scanner of = Scanner::find(scanner.toStdString());
        const Phantom phantom = test::waterCylinder(radius, 180);
        const Lattice lattice = Lattice::centred({48, 48, 24}, {8, 8, 8});
        const Volume activity = phantom.emissionOn(lattice);
        const Volume mu = phantom.attenuationOn(lattice);
        ScatterSums host;
        ScatterSums device;
        ScatterSums again;
        double hostSeconds = 0;
        double deviceSeconds = 0;
        std::size_t points = 0;
        std::size_t lines = 0;
        ScatterSettings settings;
        settings.sum = [&](const ScatterProblem& problem, ScatterSums& sums,
                           const std::function<void(double)>& progress) {
            points = problem.strengths.size();
            lines = problem.pairs.size();
            auto start = std::chrono::steady_clock::now();
            addUpScatter(problem, host, ThreadPool(0), {});
            hostSeconds = secondsSince(start);
            cudaScatter()(problem, device, {});  // the first use of a device makes its context
            start = std::chrono::steady_clock::now();
            cudaScatter()(problem, again, progress);
            deviceSeconds = secondsSince(start);
            sums = device;
        };
        static_cast<void>(singleScatter(of, activity, mu, settings, ThreadPool(0), {}));

        QCOMPARE(device.values.size(), host.values.size());
        QVERIFY(std::memcmp(device.values.data(), again.values.data(),
                            device.values.size() * sizeof(float)) == 0);
        const float most = *std::max_element(host.values.begin(), host.values.end());
        float worst = 0;
        for (std::size_t i = 0; i < host.values.size(); ++i) {
            worst = std::max(worst, std::abs(host.values[i] - device.values[i]));
        }
        qInfo(
            "%zu points, %zu lines: host %.3f s (%d threads), device %.4f s with copies; worst %.2e of the "
            "largest",
            points, lines, hostSeconds, ThreadPool(0).threads(), deviceSeconds,
            static_cast<double>(worst / most));
        QVERIFY(most > 0);
        QVERIFY2(worst < 1e-5F * most, qPrintable(QString::number(static_cast<double>(worst / most))));
    }

    void itCanBeCancelled() {
        const Phantom phantom = test::waterCylinder(100, 180);
        const Lattice lattice = Lattice::centred({28, 28, 24}, {8, 8, 8});
        ScatterSettings settings;
        settings.sum = cudaScatter();
        QVERIFY_EXCEPTION_THROWN(
            static_cast<void>(singleScatter(Scanner::find("labr3"), phantom.emissionOn(lattice),
                                            phantom.attenuationOn(lattice), settings, ThreadPool(0),
                                            [](double) { throw Cancelled(); })),
            Cancelled);
    }
};

QTEST_GUILESS_MAIN(GpuScatterTest)

}  // namespace scatter_test
#include "scatter_test.moc"
