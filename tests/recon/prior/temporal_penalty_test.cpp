// SPDX-License-Identifier: Apache-2.0
#include <QTest>
#include <cmath>
#include <random>

#include "recon/prior/prior.h"
#include "recon/prior/temporal_penalty.h"

namespace temporal_penalty_test {

using namespace tof;

namespace {

const std::vector<double> kSeconds{10, 10, 30, 60, 60, 300};
constexpr double kUnit = 2;

const std::vector<FramePair> kFrames{{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}};
/// Three gates of two frames: each beside the same gate of the other frame, and phases in a cycle.
const std::vector<FramePair> kGates{{0, 1}, {1, 2}, {0, 2}, {0, 3}, {1, 4}, {3, 4}, {2, 5}, {4, 5}, {3, 5}};

const std::vector<FramePair>& pairsOf(const QString& along) {
    return along == "gates" ? kGates : kFrames;
}

/// The potentials in tests' own words, in double precision.
double psiOf(const QString& name, double a, double b) {
    const double d = a - b;
    return name == "quadratic" ? d * d / 2 / kUnit : d * d / (a + b + 2 * std::abs(d) + 0.01 * kUnit);
}

/// What maximise() makes largest, in a plain loop: `made` is what each frame is by itself.
double objective(const QString& name, const QString& along, double beta, const std::vector<double>& made,
                 const std::vector<double>& u) {
    double sum = 0;
    for (std::size_t m = 0; m < u.size(); ++m) {
        sum += kSeconds[m] * ((made[m] > 0 ? made[m] * std::log(u[m]) : 0) - u[m]);
    }
    for (const auto& [a, b] : pairsOf(along)) {
        sum -= beta * (kSeconds[a] + kSeconds[b]) / 2 * psiOf(name, u[a], u[b]);
    }
    return sum;
}

std::vector<double> maximised(const QString& name, const QString& along, double beta, std::vector<double> u) {
    const TemporalPenalty penalty(priorNamed(name.toStdString()).potential(PriorParameters(), kUnit), beta,
                                  kSeconds, pairsOf(along));
    penalty.maximise(u);
    return u;
}

}  // namespace

class TemporalPenaltyTest : public QObject {
    Q_OBJECT

  private slots:
    /// There the derivative of the objective by every frame, by central differences, is 0: to 1e-4 of
    /// what one of its two terms weighs, which is what single precision of the potentials leaves.
    void theObjectiveIsFlatAtItsMaximum_data() { rows(); }
    void theObjectiveIsFlatAtItsMaximum() {
        QFETCH(QString, prior);
        QFETCH(QString, along);
        QFETCH(double, beta);
        std::mt19937 random(5);
        std::gamma_distribution<double> counts(1.5, 2);
        for (int voxel = 0; voxel < 200; ++voxel) {
            std::vector<double> made(kSeconds.size());
            for (double& value : made) {
                value = counts(random);
            }
            const std::vector<double> best = maximised(prior, along, beta, made);
            for (std::size_t m = 0; m < best.size(); ++m) {
                std::vector<double> up = best;
                std::vector<double> down = best;
                const double step = 1e-4 * best[m];
                up[m] += step;
                down[m] -= step;
                const double slope =
                    (objective(prior, along, beta, made, up) - objective(prior, along, beta, made, down)) /
                    (2 * step);
                const double scale = kSeconds[m] * (1 + made[m] / best[m]) * (1 + beta);
                QVERIFY2(std::abs(slope) < 1e-4 * scale,
                         qPrintable(QString("voxel %1, frame %2: %3").arg(voxel).arg(m).arg(slope / scale)));
            }
        }
    }

    /// And elsewhere it is lower.
    void nothingIsBetter_data() { rows(); }
    void nothingIsBetter() {
        QFETCH(QString, prior);
        QFETCH(QString, along);
        QFETCH(double, beta);
        std::mt19937 random(6);
        std::normal_distribution<double> away(0, 0.05);
        const std::vector<double> made{0, 4, 1, 0.5, 9, 2};
        const std::vector<double> best = maximised(prior, along, beta, made);
        const double most = objective(prior, along, beta, made, best);
        for (int i = 0; i < 1000; ++i) {
            std::vector<double> other = best;
            for (double& value : other) {
                value *= std::exp(away(random));
            }
            QVERIFY(objective(prior, along, beta, made, other) < most + 1e-6 * std::abs(most));
        }
    }

    /// A weak penalty leaves frames alone, a strong one makes them their mean by seconds.
    void strengthGoesFromFramesToTheirMean_data() { rows(); }
    void strengthGoesFromFramesToTheirMean() {
        QFETCH(QString, prior);
        QFETCH(QString, along);
        const std::vector<double> made{1, 4, 2, 3, 0, 2.5};
        const std::vector<double> weak = maximised(prior, along, 1e-7, made);
        const std::vector<double> strong = maximised(prior, along, 1e5, made);
        double counts = 0;
        double seconds = 0;
        for (std::size_t m = 0; m < made.size(); ++m) {
            QVERIFY(std::abs(weak[m] - made[m]) < 1e-5);
            counts += kSeconds[m] * made[m];
            seconds += kSeconds[m];
        }
        for (const double value : strong) {
            QVERIFY2(std::abs(value / (counts / seconds) - 1) < 1e-3, qPrintable(QString::number(value)));
        }
    }

    void nothingStaysNothing() {
        const std::vector<double> made(kSeconds.size(), 0.0);
        QCOMPARE(maximised("quadratic", "frames", 1, made), made);
    }

  private:
    static void rows() {
        QTest::addColumn<QString>("prior");
        QTest::addColumn<QString>("along");
        QTest::addColumn<double>("beta");
        for (const char* prior : {"quadratic", "relative-difference"}) {
            for (const double beta : {0.01, 1.0, 30.0}) {
                for (const char* along : {"frames", "gates"}) {
                    QTest::addRow("%s, %s, %g", prior, along, beta) << prior << along << beta;
                }
            }
        }
    }
};

QTEST_GUILESS_MAIN(TemporalPenaltyTest)

}  // namespace temporal_penalty_test
#include "temporal_penalty_test.moc"
