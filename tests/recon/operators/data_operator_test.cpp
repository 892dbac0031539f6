// SPDX-License-Identifier: Apache-2.0

#include <QTest>
#include <cmath>

#include "app/engines.h"
#include "recon/base/error.h"
#include "recon/operators/data_operator.h"
#include "recon/systems/histo/histo_measurement.h"
#include "tests/recon/projector_fixtures.h"

namespace data_operator_test {

using namespace tof;

namespace {

constexpr std::size_t kViews = 3;

/// Three views of a small lattice with every factor, whose values are drawn.
HistoData drawnData() {
    HistoData data;
    data.lattice = Lattice::centred({9, 8, 7}, {4, 4, 4});
    data.views = {{0, 0}, {0.7, 0}, {1.9, 0.1}};
    const std::size_t n = kViews * data.lattice.voxels();
    data.counts = fixtures::uniformData(n, 1, 0, 9);
    data.mult = fixtures::uniformData(n, 2, 0.2F, 1);
    data.add = fixtures::uniformData(n, 3, 0.1F, 2);
    data.att = fixtures::uniformData(n, 4, 0.3F, 1);
    return data;
}

/// The operator on the host, with arrays of this test.
struct Host {
    Host() : engines(makeEngineRegistry()), data(drawnData()), op(measured(), settings(), engines) {}

    static std::shared_ptr<const Measurement> measured() {
        return std::make_shared<const HistoMeasurement>(drawnData());
    }
    static RunSettings settings() {
        RunSettings settings;
        settings.engine = "cpu";
        return settings;
    }
    std::vector<float> forward(const std::vector<std::size_t>& parts, std::vector<float>& x,
                               Factors factors = Factors::Applied) {
        std::vector<float> p(op.dataSize(parts));
        op.forward(parts, {x.data(), x.size()}, {p.data(), p.size()}, factors);
        return p;
    }
    std::vector<float> back(const std::vector<std::size_t>& parts, std::vector<float>& p,
                            Factors factors = Factors::Applied) {
        std::vector<float> x(op.imageSize());
        op.back(parts, {p.data(), p.size()}, {x.data(), x.size()}, factors);
        return x;
    }

    EngineRegistry engines;
    HistoData data;
    DataOperator op;
};

const std::vector<std::size_t> kAll{0, 1, 2};

}  // namespace

class DataOperatorTest : public QObject {
    Q_OBJECT

  private slots:
    void theWholeIsMultTimesForwardOfAttTimesTheImage() {
        Host host;
        std::vector<float> x = fixtures::uniformData(host.op.imageSize(), 5, 0, 3);
        const std::vector<float> whole = host.forward(kAll, x);
        for (const std::size_t part : kAll) {
            const std::size_t first = part * host.op.imageSize();
            std::vector<float> seen = x;
            for (std::size_t i = 0; i < seen.size(); ++i) {
                seen[i] *= host.data.att[first + i];
            }
            const std::vector<float> plain = host.forward({part}, seen, Factors::LeftOut);
            for (std::size_t i = 0; i < plain.size(); ++i) {
                QCOMPARE(whole[first + i], host.data.mult[first + i] * plain[i]);
            }
        }
    }

    void backIsTheAdjoint_data() {
        QTest::addColumn<bool>("applied");
        QTest::newRow("with factors") << true;
        QTest::newRow("without") << false;
    }
    void backIsTheAdjoint() {
        QFETCH(bool, applied);
        const Factors factors = applied ? Factors::Applied : Factors::LeftOut;
        Host host;
        for (const std::vector<std::size_t>& parts : {kAll, {2, 0}, {1}}) {
            std::vector<float> x = fixtures::uniformData(host.op.imageSize(), 6, 0, 1);
            std::vector<float> p = fixtures::uniformData(host.op.dataSize(parts), 7, 0, 1);
            const double ahead = fixtures::dotProduct(host.forward(parts, x, factors), p);
            const double behind = fixtures::dotProduct(x, host.back(parts, p, factors));
            // Each value is a sum of some hundred products of floats, which err by 2^-24 each.
            QVERIFY(std::abs(ahead - behind) < 2e-6 * ahead);
        }
    }

    void theGradientIsThatOfTheLogLikelihood() {
        Host host;
        std::vector<float> x = fixtures::uniformData(host.op.imageSize(), 8, 1, 2);
        std::vector<float> out(x.size());
        host.op.gradient(kAll, {x.data(), x.size()}, {out.data(), out.size()});

        std::vector<float> ratio = host.forward(kAll, x);
        double value = 0;
        for (std::size_t i = 0; i < ratio.size(); ++i) {
            const double e = static_cast<double>(ratio[i]) + host.data.add[i];
            value += host.data.counts[i] * std::log(e) - e;
            ratio[i] = static_cast<float>(host.data.counts[i] / e - 1);
        }
        const std::vector<float> expected = host.back(kAll, ratio);
        QVERIFY(fixtures::relativeToMaximum(out, expected) < 1e-5);
        QVERIFY(std::abs(host.op.logLikelihood(kAll, {x.data(), x.size()}) - value) < 1e-6 * std::abs(value));
    }

    void countsAndBackgroundStandInTheOrderOfTheParts() {
        Host host;
        const std::vector<std::size_t> parts{2, 0};
        std::vector<float> y(host.op.dataSize(parts));
        host.op.counts(parts, {y.data(), y.size()});
        QCOMPARE(y.front(), host.data.counts[2 * host.op.imageSize()]);
        QCOMPARE(y[host.op.imageSize()], host.data.counts.front());
        host.op.background(parts, {y.data(), y.size()});
        QCOMPARE(y.front(), host.data.add[2 * host.op.imageSize()]);
    }

    void whatDoesNotFitIsRefused() {
        Host host;
        std::vector<float> x(host.op.imageSize());
        std::vector<float> p(5);
        QVERIFY_EXCEPTION_THROWN(static_cast<void>(host.op.dataSize(std::vector<std::size_t>{3})), WrongUse);
        QVERIFY_EXCEPTION_THROWN(
            host.op.forward(kAll, {x.data(), x.size()}, {p.data(), p.size()}, Factors::Applied), WrongUse);
        QVERIFY_EXCEPTION_THROWN(
            host.op.back(kAll, {p.data(), p.size()}, {x.data(), x.size()}, Factors::Applied), WrongUse);
    }

    void thePriorsProductIsItsGradientsDerivative() {
        Host host;
        RunSettings settings = Host::settings();
        settings.set("algorithm", "svrg");
        settings.set("prior", "quadratic");
        settings.set("beta", "0.4");
        DataPrior prior(host.op, settings.algorithm());
        std::vector<float> x = fixtures::uniformData(host.op.imageSize(), 9, 1, 2);
        std::vector<float> v = fixtures::uniformData(host.op.imageSize(), 10, -1, 1);
        std::vector<float> made(x.size());
        prior.product({x.data(), x.size()}, {v.data(), v.size()}, {made.data(), made.size()});
        // A quadratic prior's gradient is linear: that of x + v less that of x is the product.
        std::vector<float> before(x.size());
        std::vector<float> after(x.size());
        prior.gradient({x.data(), x.size()}, {before.data(), before.size()});
        for (std::size_t i = 0; i < x.size(); ++i) {
            x[i] += v[i];
        }
        prior.gradient({x.data(), x.size()}, {after.data(), after.size()});
        for (std::size_t i = 0; i < x.size(); ++i) {
            after[i] -= before[i];
        }
        QVERIFY(fixtures::relativeToMaximum(made, after) < 1e-5);
        QVERIFY(prior.value({x.data(), x.size()}) > 0);
    }
};

QTEST_APPLESS_MAIN(DataOperatorTest)

}  // namespace data_operator_test
#include "data_operator_test.moc"
