// SPDX-License-Identifier: Apache-2.0
// Priors on the host against sums over pairs in double, their differences and closed forms.
#include <QTest>
#include <bit>
#include <cmath>
#include <numeric>

#include "recon/base/error.h"
#include "recon/prior/bowsher.h"
#include "recon/prior/prior.h"
#include "recon/seam/host_space.h"
#include "tests/support/double_penalty.h"

namespace penalty_test {

using namespace tof;
using namespace tof::test;

namespace {

constexpr double kUnit = 2.5;

/// Values of 0 to 20, none the same as a neighbour's: there the third derivative of the relative difference
/// has a corner, and no two differ by a Huber corner.
std::vector<double> imageOn(const Lattice& lattice) {
    std::vector<double> image(lattice.voxels());
    for (std::size_t i = 0; i < image.size(); ++i) {
        image[i] = 0.37 * static_cast<double>((i * 29) % 53);
    }
    return image;
}

std::vector<double> kappaOn(const Lattice& lattice) {
    std::vector<double> kappa(lattice.voxels());
    for (std::size_t i = 0; i < kappa.size(); ++i) {
        kappa[i] = 0.5 + 0.125 * static_cast<double>((i * 13) % 8);
    }
    return kappa;
}

std::vector<double> vectorOn(const Lattice& lattice) {
    std::vector<double> vector(lattice.voxels());
    for (std::size_t i = 0; i < vector.size(); ++i) {
        vector[i] = std::sin(static_cast<double>(i));
    }
    return vector;
}

/// Organs: areas of equal values, so that distance and place decide, too.
std::vector<double> anatomyOn(const Lattice& lattice) {
    std::vector<double> anatomy(lattice.voxels());
    lattice.forEachVoxel([&](int x, int y, int z) {
        anatomy[lattice.index(x, y, z)] = static_cast<double>((x / 3 + 2 * (y / 2) + z / 2) % 4);
    });
    return anatomy;
}

std::vector<float> floats(const std::vector<double>& values) {
    return {values.begin(), values.end()};
}

/// A part of a penalty by the host.
std::vector<float> made(const Penalty& penalty, PenaltyPart part, const std::vector<double>& image,
                        const std::vector<double>& kappa, const std::vector<double>& vector = {},
                        int threads = 2, const std::vector<float>& chosen = {}) {
    HostSpace space(threads);
    const std::vector<float> x = floats(image);
    const std::vector<float> k = floats(kappa);
    const std::vector<float> v = floats(vector);
    std::vector<float> out(x.size());
    space.penalise(penalty, part,
                   {{x.data(), x.size()},
                    {k.data(), k.size()},
                    {v.data(), v.size()},
                    1,
                    Write::Overwrite,
                    {chosen.data(), chosen.size()}},
                   {out.data(), out.size()});
    return out;
}

Penalty penaltyOf(const std::string& prior, const PriorParameters& set, const Lattice& lattice) {
    return {priorNamed(prior).potential(set, kUnit), neighbourhoodOf(lattice)};
}

/// The largest difference over the largest value.
double off(const std::vector<float>& found, const std::vector<double>& expected) {
    double worst = 0;
    double largest = 1e-30;
    for (std::size_t i = 0; i < expected.size(); ++i) {
        worst = std::max(worst, std::abs(static_cast<double>(found[i]) - expected[i]));
        largest = std::max(largest, std::abs(expected[i]));
    }
    return worst / largest;
}

}  // namespace

class PenaltyTest : public QObject {
    Q_OBJECT

  private slots:
    void partsAreThoseOfTheSumOverPairs_data() {
        QTest::addColumn<QString>("prior");
        QTest::addColumn<QList<int>>("size");
        QTest::addColumn<QList<double>>("spacing");
        QTest::addColumn<int>("bowsher");
        for (const Prior* prior : priors()) {
            if (prior->kind != PriorKind::Objective) {
                continue;
            }
            const char* name = prior->name.c_str();
            const QString text = QString::fromStdString(prior->name);
            QTest::addRow("%s, cubic", name) << text << QList<int>{12, 10, 8} << QList<double>{4, 4, 4} << 0;
            QTest::addRow("%s, odd and flat", name)
                << text << QList<int>{37, 5, 3} << QList<double>{2, 3, 5} << 0;
            QTest::addRow("%s, one plane", name)
                << text << QList<int>{9, 7, 1} << QList<double>{2, 2, 3} << 0;
            QTest::addRow("%s, one column", name)
                << text << QList<int>{1, 1, 11} << QList<double>{2, 2, 3} << 0;
            QTest::addRow("%s, by anatomy", name)
                << text << QList<int>{37, 5, 3} << QList<double>{2, 3, 5} << 7;
            QTest::addRow("%s, by anatomy, without kappa", name)
                << text << QList<int>{9, 8, 5} << QList<double>{4, 4, 4} << -9;
        }
    }
    void partsAreThoseOfTheSumOverPairs() {
        QFETCH(QString, prior);
        QFETCH(QList<int>, size);
        QFETCH(QList<double>, spacing);
        QFETCH(int, bowsher);
        const Lattice lattice =
            Lattice::centred({size[0], size[1], size[2]}, {spacing[0], spacing[1], spacing[2]});
        PriorParameters set;
        set.priorEpsilon = 0.1;  // not so small that differences of differences lose their digits
        set.priorDelta = 4.05;   // some differences are above it, some below
        const std::vector<double> image = imageOn(lattice);
        const std::vector<double> kappa = bowsher < 0 ? std::vector<double>() : kappaOn(lattice);
        const std::vector<double> vector = vectorOn(lattice);
        std::vector<double> anatomy;
        std::vector<float> chosen;
        if (bowsher != 0) {
            set.bowsher = std::abs(bowsher);
            anatomy = anatomyOn(lattice);
            Volume body(lattice);
            body.data = floats(anatomy);
            chosen = bowsherChoice({&body}, set.bowsher, ThreadPool(2));
        }
        const DoublePenalty expected(prior.toStdString(), set, kUnit, lattice, kappa, anatomy);
        const Penalty penalty = penaltyOf(prior.toStdString(), set, lattice);

        const std::vector<float> value = made(penalty, PenaltyPart::Value, image, kappa, {}, 2, chosen);
        const std::vector<float> gradient = made(penalty, PenaltyPart::Gradient, image, kappa, {}, 2, chosen);
        const std::vector<float> curvature =
            made(penalty, PenaltyPart::Curvature, image, kappa, {}, 2, chosen);
        const std::vector<float> product =
            made(penalty, PenaltyPart::Product, image, kappa, vector, 2, chosen);

        // Sums of 26 floats, each right to some 3e-7: below 1e-6 of the largest. Second differences are
        // right to the square of the step, 1e-6.
        const double step = 2e-4;
        const double total = std::accumulate(value.begin(), value.end(), 0.0);
        QVERIFY(std::abs(total / expected(image) - 1) < 1e-6);
        const double gradientOff = off(gradient, expected.gradient(image, 1e-5));
        QVERIFY2(gradientOff < 1e-6, qPrintable(QString::number(gradientOff)));
        const double curvatureOff = off(curvature, expected.curvature(image, step));
        QVERIFY2(curvatureOff < 1e-5, qPrintable(QString::number(curvatureOff)));
        const double productOff = off(product, expected.product(image, vector, step));
        QVERIFY2(productOff < 1e-5, qPrintable(QString::number(productOff)));
    }

    void aConstantImageCostsNothing() {
        const Lattice lattice = Lattice::centred({5, 6, 7}, {2, 3, 4});
        for (const Prior* prior : priors()) {
            const Penalty penalty = penaltyOf(prior->name, {}, lattice);
            for (const double value : {0.0, 3.0}) {
                const std::vector<double> image(lattice.voxels(), value);
                for (const float g : made(penalty, PenaltyPart::Gradient, image, {})) {
                    QCOMPARE(g, 0.0F);
                }
                if (prior->kind == PriorKind::Objective) {
                    for (const float v : made(penalty, PenaltyPart::Value, image, {})) {
                        QCOMPARE(v, 0.0F);
                    }
                }
            }
        }
    }

    void relativeDifferenceOfTwoValuesIsItsClosedForm() {
        // All pairs across one plane cost the same: (a - b)^2 / (a + b + gamma |a - b| + epsilon), by weight.
        const Lattice lattice = Lattice::centred({7, 5, 4}, {2, 3, 4});
        const PriorParameters set;
        const double a = 10;
        const double b = 4;
        std::vector<double> image(lattice.voxels());
        lattice.forEachVoxel([&](int x, int y, int z) { image[lattice.index(x, y, z)] = x < 3 ? a : b; });
        const std::vector<float> value =
            made(penaltyOf("relative-difference", set, lattice), PenaltyPart::Value, image, {});

        const double straight = 5 * 4 * 1.0;
        const double beside = 2 * 4 * 4 * 2 / std::sqrt(4.0 + 9);
        const double above = 2 * 5 * 3 * 2 / std::sqrt(4.0 + 16);
        const double corners = 4 * 4 * 3 * 2 / std::sqrt(4.0 + 9 + 16);
        const double one = (a - b) * (a - b) / (a + b + set.priorGamma * (a - b) + set.priorEpsilon * kUnit);
        const double total = std::accumulate(value.begin(), value.end(), 0.0);
        QVERIFY(std::abs(total / ((straight + beside + above + corners) * one) - 1) < 1e-6);
    }

    void relativeDifferenceOfARampHasItsClosedGradient() {
        const Lattice lattice = Lattice::centred({9, 5, 5}, {2, 3, 4});
        const PriorParameters set;
        const double slope = 1.5;
        std::vector<double> image(lattice.voxels());
        lattice.forEachVoxel([&](int x, int y, int z) { image[lattice.index(x, y, z)] = 5 + slope * x; });
        const std::vector<float> gradient =
            made(penaltyOf("relative-difference", set, lattice), PenaltyPart::Gradient, image, {});

        const double weights =
            1 + 4 / std::sqrt(4.0 + 9) + 4 / std::sqrt(4.0 + 16) + 8 / std::sqrt(4.0 + 9 + 16);
        for (int x = 1; x < 8; ++x) {
            const double a = 5 + slope * x;
            double expected = 0;
            for (const double b : {a - slope, a + slope}) {
                const double d = std::abs(a - b);
                const double epsilon = set.priorEpsilon * kUnit;
                const double sum = a + b + set.priorGamma * d + epsilon;
                expected += weights * (a - b) * (set.priorGamma * d + a + 3 * b + 2 * epsilon) / (sum * sum);
            }
            const auto found = static_cast<double>(gradient[lattice.index(x, 2, 2)]);
            QVERIFY2(std::abs(found - expected) < 2e-6 * weights, qPrintable(QString::number(found)));
        }
    }

    void neighboursWeighByTheirDistance() {
        const Neighbourhood flat = neighbourhoodOf(Lattice::centred({4, 4, 4}, {2, 2, 5}));
        QCOMPARE(flat.weights[1], 1.0F);
        QCOMPARE(flat.weights[2], 1.0F);
        QCOMPARE(flat.weights[3], static_cast<float>(std::sqrt(0.5)));
        QCOMPARE(flat.weights[4], 0.4F);
        QCOMPARE(flat.weights[7], static_cast<float>(2 / std::sqrt(33.0)));
    }

    void aVoxelWithoutKappaPullsAtNobody() {
        const Lattice lattice = Lattice::centred({5, 5, 5}, {2, 2, 2});
        std::vector<double> image = imageOn(lattice);
        std::vector<double> kappa = kappaOn(lattice);
        const std::size_t middle = lattice.index(2, 2, 2);
        kappa[middle] = 0;
        const Penalty penalty = penaltyOf("relative-difference", {}, lattice);

        const std::vector<float> before = made(penalty, PenaltyPart::Gradient, image, kappa);
        image[middle] = 1e6;
        const std::vector<float> after = made(penalty, PenaltyPart::Gradient, image, kappa);

        QCOMPARE(after, before);
        QCOMPARE(after[middle], 0.0F);
    }

    void threadsDoNotChangeABit() {
        const Lattice lattice = Lattice::centred({31, 29, 17}, {2, 2, 3});
        const std::vector<double> image = imageOn(lattice);
        const std::vector<double> kappa = kappaOn(lattice);
        for (const Prior* prior : priors()) {
            const Penalty penalty = penaltyOf(prior->name, {}, lattice);
            QCOMPARE(made(penalty, PenaltyPart::Gradient, image, kappa, {}, 1),
                     made(penalty, PenaltyPart::Gradient, image, kappa, {}, 4));
        }
    }

    void partsAreAddedWithTheirFactor() {
        const Lattice lattice = Lattice::centred({6, 5, 4}, {2, 2, 2});
        const std::vector<float> image = floats(imageOn(lattice));
        const Penalty penalty = penaltyOf("huber", {}, lattice);
        HostSpace space(1);
        std::vector<float> once(image.size());
        std::vector<float> added(image.size(), 3.0F);
        const ConstView x{image.data(), image.size()};
        space.penalise(penalty, PenaltyPart::Gradient, {x}, {once.data(), once.size()});
        space.penalise(penalty, PenaltyPart::Gradient, {x, {}, {}, -0.5F, Write::Add},
                       {added.data(), added.size()});
        for (std::size_t i = 0; i < image.size(); ++i) {
            QCOMPARE(added[i], 3.0F - 0.5F * once[i]);
        }
    }

    void theMedianRootPullsSpikesToTheirSurroundings() {
        const Lattice lattice = Lattice::centred({5, 5, 5}, {2, 2, 2});
        std::vector<double> image(lattice.voxels(), 4.0);
        image[lattice.index(2, 2, 2)] = 10;
        image[0] = 1;
        const std::vector<float> pull =
            made(penaltyOf("median-root", {}, lattice), PenaltyPart::Gradient, image, {});
        QCOMPARE(pull[lattice.index(2, 2, 2)], 1.5F);
        QCOMPARE(pull[0], -0.75F);  // it stands for 8 of 27 values at the corner, 4 for 19
        QCOMPARE(pull[lattice.index(4, 4, 4)], 0.0F);
    }

    void medianRootIsTheMedianOfItsSurroundings() {
        // Rows longer than what is ordered at once, and ends of them; medians by sorting.
        const Lattice lattice = Lattice::centred({37, 6, 5}, {2, 2, 2});
        const std::vector<double> image = imageOn(lattice);
        const std::vector<float> pull =
            made(penaltyOf("median-root", {}, lattice), PenaltyPart::Gradient, image, {});
        lattice.forEachVoxel([&](int x, int y, int z) {
            std::vector<double> around;
            for (int k = 0; k < 27; ++k) {
                const auto at = [](int i, int n) { return std::clamp(i, 0, n - 1); };
                around.push_back(image[lattice.index(at(x + k % 3 - 1, 37), at(y + k / 3 % 3 - 1, 6),
                                                     at(z + k / 9 - 1, 5))]);
            }
            std::sort(around.begin(), around.end());
            const double own = image[lattice.index(x, y, z)];
            const double median = std::max(around[13], 0.01 * kUnit);
            QVERIFY(std::abs(static_cast<double>(pull[lattice.index(x, y, z)]) -
                             (own - around[13]) / median) < 1e-6 * std::max(1.0, own / median));
        });
    }

    void bowsherKeepsTheNearestInValue() {
        const Lattice lattice = Lattice::centred({5, 5, 5}, {2, 2, 2});
        Volume body(lattice);
        body.data[lattice.index(1, 2, 2)] = 0.5F;
        body.data[lattice.index(2, 2, 2)] = 0.4F;
        const std::vector<float> chosen = bowsherChoice({&body}, 1, ThreadPool(1));
        QCOMPARE(std::bit_cast<NeighbourBits>(chosen[lattice.index(2, 2, 2)]),
                 NeighbourBits{1} << neighbourBit(-1, 0, 0));
        // A second image tells what is alike in the first apart: 1.8 and 11.2 of their deviations,
        // against 7.0.
        Volume other(lattice);
        other.data[lattice.index(1, 2, 2)] = 9;
        QCOMPARE(std::bit_cast<NeighbourBits>(
                     bowsherChoice({&body, &other}, 1, ThreadPool(1))[lattice.index(2, 2, 2)]),
                 NeighbourBits{1} << neighbourBit(0, 0, -1));
        const std::vector<float> all = bowsherChoice({&body}, 26, ThreadPool(1));
        QCOMPARE(std::popcount(std::bit_cast<NeighbourBits>(all[lattice.index(2, 2, 2)])), 26);
        QCOMPARE(std::popcount(std::bit_cast<NeighbourBits>(all[0])), 7);
        const std::vector<double> image = imageOn(lattice);
        const Penalty penalty = penaltyOf("huber", {}, lattice);
        QCOMPARE(made(penalty, PenaltyPart::Gradient, image, {}, {}, 2, all),
                 made(penalty, PenaltyPart::Gradient, image, {}));
    }

    void theMedianRootIsNoObjective() {
        const Lattice lattice = Lattice::centred({3, 3, 3}, {2, 2, 2});
        const std::vector<double> image(lattice.voxels(), 1.0);
        const Penalty penalty = penaltyOf("median-root", {}, lattice);
        QVERIFY_EXCEPTION_THROWN((void)made(penalty, PenaltyPart::Value, image, {}), InternalError);
        QCOMPARE(static_cast<int>(priorNamed("median-root").kind), static_cast<int>(PriorKind::OneStepLate));
    }

    void parametersOutOfRangeAreRefusedBySentence_data() {
        QTest::addColumn<double>("beta");
        QTest::addColumn<double>("gamma");
        QTest::addColumn<double>("epsilon");
        QTest::addColumn<double>("delta");
        QTest::addColumn<QString>("says");
        const double nan = std::nan("");
        QTest::newRow("beta below 0") << -1.0 << 2.0 << 0.1 << 1.0 << "beta is -1";
        QTest::newRow("beta no number") << nan << 2.0 << 0.1 << 1.0 << "beta is nan";
        QTest::newRow("gamma below 0") << 1.0 << -0.5 << 0.1 << 1.0 << "prior-gamma is -0.5";
        QTest::newRow("epsilon 0") << 1.0 << 2.0 << 0.0 << 1.0 << "prior-epsilon is 0";
        QTest::newRow("delta 0") << 1.0 << 2.0 << 0.1 << 0.0 << "prior-delta is 0";
    }
    void parametersOutOfRangeAreRefusedBySentence() {
        QFETCH(double, beta);
        QFETCH(double, gamma);
        QFETCH(double, epsilon);
        QFETCH(double, delta);
        QFETCH(QString, says);
        PriorParameters set;
        set.beta = beta;
        set.priorGamma = gamma;
        set.priorEpsilon = epsilon;
        set.priorDelta = delta;
        try {
            requireUsable(set);
            QFAIL("accepted");
        } catch (const WrongUse& fault) {
            QVERIFY2(QString(fault.what()).contains(says), fault.what());
        }
    }
};

QTEST_APPLESS_MAIN(PenaltyTest)

}  // namespace penalty_test
#include "penalty_test.moc"
